"""The progress engine over sockets: one thread reads and writes whenever a socket is ready (the reactor pattern)."""

from __future__ import annotations

import selectors
import socket
import struct
import threading
import time
from collections import deque
from contextlib import suppress
from typing import Any

import numpy as np

from olympus_core.errors import OlympusInternalError
from olympus_core.errors.platform import TransportError
from olympus_core.plugin import Rendezvous
from olympus_core.toolkit import Phase, Steps, start_thread

from ..failure_cause import await_cause

_HEADER = struct.Struct("<QQ")  # tag, bytes that follow
_CHECK_PERIOD = 0.05  # seconds between two checks of the job's state
_END_TIME = 3.0  # for the thread to end
_PIECE = 1 << 20
_READS = 16  # from one socket in a row, before other sockets are served
_LARGEST = 1 << 42  # bytes of a block: more than any machine's memory
_MOST_EARLY = 1 << 16  # unexpected blocks of one process


class TcpRequest:
    """One communication: the toolkit's `Request`."""

    __slots__ = ("_engine", "done", "error", "left", "phase", "results", "steps", "tag", "what")

    def __init__(self, engine: Engine, steps: Steps, what: str, tag: int) -> None:
        self._engine, self.steps, self.what, self.tag = engine, steps, what, tag
        self.left = 0  # blocks of the phase that are not transferred yet
        self.phase: Phase | None = None
        self.results: list[np.ndarray] | None = None
        self.error: BaseException | None = None
        self.done = threading.Event()

    def is_done(self) -> bool:
        """Whether `wait` would return at once."""
        return self.done.is_set()

    def wait(self, deadline: float) -> list[np.ndarray]:
        """The results; raises `TimeoutError` at the deadline and may be called again."""
        while not self.done.wait(max(0.0, min(_CHECK_PERIOD, deadline - time.monotonic()))):
            self._engine.check()
            if time.monotonic() >= deadline:
                raise TimeoutError(f"{self.what} is not done")
        if self.error is not None:
            if isinstance(self.error, TransportError) and not self._engine.is_abandoned:
                await_cause(self._engine.rendezvous, deadline)
            raise self.error
        if self.results is None:
            raise OlympusInternalError(f"{self.what} ended without results")
        return self.results


class _Incoming:
    """A block being received: into its target, or into a buffer if no receive has been posted (an unexpected message).

    The buffer grows as bytes arrive, so that an announced size alone takes no memory.
    """

    __slots__ = ("_pieces", "filled", "request", "size", "target", "was_asked")

    def __init__(self, size: int, request: TcpRequest | None, target: memoryview | None) -> None:
        self.size, self.request, self.target = size, request, target
        self.was_asked = target is not None  # when its first byte came
        self.filled = 0
        self._pieces: list[memoryview] = []

    def room(self) -> memoryview:
        """The memory for the next bytes."""
        if self.was_asked and self.target is not None:
            return self.target[self.filled : self.filled + _PIECE]
        if self.filled == len(self._pieces) * _PIECE:
            self._pieces.append(memoryview(bytearray(min(_PIECE, self.size - self.filled))))
        return self._pieces[-1][self.filled % _PIECE :]

    def settle(self) -> None:
        """Copies an unexpected block to its target."""
        if not self.was_asked and self.target is not None:
            for number, piece in enumerate(self._pieces):
                self.target[number * _PIECE : number * _PIECE + piece.nbytes] = piece
            self._pieces.clear()


class _Link:
    """The connection to one process, with its outgoing and incoming blocks."""

    def __init__(self, process: int, connection: socket.socket) -> None:
        self.process, self.socket = process, connection
        self.outgoing: deque[tuple[memoryview, TcpRequest | None]] = deque()
        self.header = bytearray(_HEADER.size)
        self.filled = 0  # bytes of the header received so far
        self.current: _Incoming | None = None
        self.asked: dict[int, deque[_Incoming]] = {}  # by tag: posted receives
        self.early: dict[int, deque[_Incoming]] = {}  # by tag: unexpected blocks
        self.is_open = True
        self.wants_write = False


class Engine:
    """Drives all communications of one process over its sockets.

    Args:
        links: A non-blocking socket for each other process.
        rendezvous: Reports failures of the job.
    """

    def __init__(self, links: dict[int, socket.socket], rendezvous: Rendezvous) -> None:
        self.rendezvous = rendezvous
        self._links = {process: _Link(process, connection) for process, connection in links.items()}
        self._lock = threading.RLock()
        self._active: set[TcpRequest] = set()
        self._ready: deque[TcpRequest] = deque()
        self._selector = selectors.DefaultSelector()
        self._wake_end, self._thread_end = socket.socketpair()
        self._thread_end.setblocking(False)
        self._wake_end.setblocking(False)
        self._selector.register(self._thread_end, selectors.EVENT_READ, None)
        for link in self._links.values():
            self._selector.register(link.socket, selectors.EVENT_READ, link)
        self._is_closed = False
        self.is_abandoned = False  # by this process itself, so there is no other cause to wait for
        self.failure: BaseException | None = None
        try:
            self._thread = start_thread(self._run, "olympus-tcp", "communication by sockets")
        except BaseException:
            self._selector.close()
            for one in (self._wake_end, self._thread_end, *links.values()):
                one.close()
            raise

    def begin(self, steps: Steps, what: str, tag: int) -> TcpRequest:
        """Starts a communication."""
        request = TcpRequest(self, steps, what, tag)
        with self._lock:
            if self.failure is not None or self._is_closed:
                self._end(request, self.failure or TransportError("tcp", what, "the transport is closed"))
            else:
                self._active.add(request)
                self._ready.append(request)
                self._drain()
        return request

    def check(self) -> None:
        """Raises the job's error once there is one."""
        try:
            self.rendezvous.check()
        except Exception as error:
            self.fail(error)
            raise

    def fail(self, error: BaseException) -> None:
        """Ends all communications with an error."""
        with self._lock:
            self.failure = self.failure or error
            for request in list(self._active):
                self._end(request, error)

    def abandon(self, requests: list[TcpRequest], reason: str) -> None:
        """Ends some communications with an error; all others too, because the streams of bytes are then out of step."""
        with self._lock:
            if any(not request.is_done() for request in requests):
                self.is_abandoned = True
                self.fail(TransportError("tcp", "a communication", reason))

    def close(self) -> None:
        """Closes the connections."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            self.fail(TransportError("tcp", "a communication", "the transport is closed"))
        self._wake()
        self._thread.join(_END_TIME)
        for link in self._links.values():
            link.socket.close()
        self._selector.close()
        self._wake_end.close()
        self._thread_end.close()

    def _drain(self) -> None:
        """Starts the next phase of all communications whose phase is complete."""
        while self._ready:
            request = self._ready.popleft()
            if request.left or request.done.is_set():
                continue
            try:
                request.phase = next(request.steps)
                self._start(request, request.phase)
            except StopIteration as end:
                request.results = end.value
                self._active.discard(request)
                request.done.set()
            except Exception as error:  # noqa: BLE001  (whoever waits raises it; this may be another thread)
                self._end(request, error)

    def _moved(self, request: TcpRequest | None) -> None:
        """Counts a block of a communication that was sent or received."""
        if request is not None:
            request.left -= 1
            if request.left == 0:
                self._ready.append(request)

    def _start(self, request: TcpRequest, phase: Phase) -> None:
        request.left = len(phase.sends) + len(phase.receives)
        if phase.is_empty:
            self._ready.append(request)
        for process, block in phase.receives:
            self._ask(request, self._links[process], block.data)
        for process, block in phase.sends:
            link = self._links[process]
            if not link.is_open:
                raise TransportError("tcp", request.what, f"the connection to process {process} has ended")
            link.outgoing.append((memoryview(_HEADER.pack(request.tag, block.nbytes)), None))
            link.outgoing.append((block.data, request))
        for process in dict.fromkeys(process for process, _ in phase.sends):
            self._write(self._links[process])

    def _ask(self, request: TcpRequest, link: _Link, target: memoryview) -> None:
        early = link.early.get(request.tag)
        if early:
            incoming = early.popleft()
            if not early:
                del link.early[request.tag]
            _check_size(request, incoming.size, target)
            incoming.request, incoming.target = request, target
            if link.current is not incoming:
                self._arrived(incoming)
        elif link.is_open:
            link.asked.setdefault(request.tag, deque()).append(_Incoming(target.nbytes, request, target))
        else:
            raise TransportError("tcp", request.what, f"the connection to process {link.process} has ended")

    def _arrived(self, incoming: _Incoming) -> None:
        if incoming.target is not None:
            incoming.settle()
            self._moved(incoming.request)

    def _write(self, link: _Link) -> None:
        try:
            while link.outgoing:
                first = link.outgoing[0][0]
                if first.nbytes <= _HEADER.size and len(link.outgoing) > 1:
                    sent = link.socket.sendmsg([first, link.outgoing[1][0][:_PIECE]])
                else:
                    sent = link.socket.send(first[:_PIECE])
                while sent:
                    view, request = link.outgoing[0]
                    taken = min(sent, view.nbytes)
                    sent -= taken
                    if taken < view.nbytes:
                        link.outgoing[0] = (view[taken:], request)
                    else:
                        link.outgoing.popleft()
                        self._moved(request)
        except BlockingIOError:
            pass
        except OSError as error:
            self._lose(link, str(error))
        wants = bool(link.outgoing) and link.is_open
        if wants != link.wants_write and link.is_open:
            link.wants_write = wants
            events = selectors.EVENT_READ | (selectors.EVENT_WRITE if wants else 0)
            self._selector.modify(link.socket, events, link)
            self._wake()

    def _read(self, link: _Link) -> None:
        try:
            for _ in range(_READS):  # the selector reports again what is left
                current = link.current
                count = link.socket.recv_into(
                    memoryview(link.header)[link.filled :] if current is None else current.room())
                if count == 0:
                    self._lose(link, "the other side closed it")
                    return
                if current is None:
                    link.filled += count
                else:
                    current.filled += count
                self._take(link)
        except BlockingIOError:
            pass
        except OSError as error:
            self._lose(link, str(error))

    def _take(self, link: _Link) -> None:
        """Handles received bytes: a header, or part of a block."""
        if link.current is None:
            if link.filled < _HEADER.size:
                return
            tag, size = _HEADER.unpack(link.header)
            link.filled = 0
            asked = link.asked.get(tag)
            if asked:
                link.current = asked.popleft()
                if not asked:
                    del link.asked[tag]
                if link.current.request is not None and link.current.target is not None:
                    _check_size(link.current.request, size, link.current.target)
            else:
                if size > _LARGEST or sum(map(len, link.early.values())) >= _MOST_EARLY:
                    raise TransportError(
                        "tcp", "a communication", f"process {link.process} announces a block of {size:,} bytes, after"
                        f" {sum(map(len, link.early.values()))} unexpected ones")
                link.current = _Incoming(size, None, None)
                link.early.setdefault(tag, deque()).append(link.current)
        if link.current.filled == link.current.size:
            incoming, link.current = link.current, None
            self._arrived(incoming)

    def _lose(self, link: _Link, reason: str) -> None:
        """A connection has ended: communications that need it fail, others go on."""
        if not link.is_open:
            return
        link.is_open = False
        with suppress(KeyError, ValueError):
            self._selector.unregister(link.socket)
        waiting = {i.request for queue in link.asked.values() for i in queue}
        waiting |= {request for _, request in link.outgoing}
        if link.current is not None:
            waiting.add(link.current.request)
        for request in waiting:
            if request is not None:
                what = f"the connection to process {link.process} has ended ({reason})"
                self._end(request, TransportError("tcp", request.what, what))

    def _end(self, request: TcpRequest, error: BaseException) -> None:
        if not request.done.is_set():
            request.error = error
            self._active.discard(request)
            request.done.set()

    def _wake(self) -> None:
        with suppress(BlockingIOError):  # a wake-up is pending already
            self._wake_end.send(b"\0")

    def _run(self) -> None:
        while not self._is_closed:
            events: list[Any] = self._selector.select()
            with self._lock:
                if self._is_closed:
                    return
                for key, mask in events:
                    if key.data is None:
                        with suppress(BlockingIOError):
                            self._thread_end.recv(4096)
                        continue
                    try:
                        if mask & selectors.EVENT_READ:
                            self._read(key.data)
                        if mask & selectors.EVENT_WRITE and key.data.is_open:
                            self._write(key.data)
                    except Exception as error:  # noqa: BLE001  (a broken stream: nothing after it can be parsed)
                        self.fail(error)
                self._drain()


def _check_size(request: TcpRequest, size: int, target: memoryview) -> None:
    if size != target.nbytes:
        raise TransportError("tcp", request.what, f"{size} bytes came where {target.nbytes} were expected")
