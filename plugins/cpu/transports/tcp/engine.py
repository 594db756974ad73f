# SPDX-License-Identifier: Apache-2.0
"""The progress engine over sockets: one thread reads and writes whenever a socket is ready (the reactor pattern)."""

from __future__ import annotations

import math
import selectors
import socket
import threading
import time
from collections import deque
from contextlib import suppress
from functools import partial

from olympus_core.errors.platform import ProcessConnectionError, TransportError
from olympus_core.plugin import Rendezvous
from olympus_core.toolkit import Phase, Steps, start_thread

from .blocks import Incoming
from .connector import Connector, Limits
from .link import BYE, Link
from .request import TcpRequest
from .silence import silence_of

_LOOK_PERIOD = 1.0  # between two looks at the connections
_BRIEF = 0.05  # seconds that a connection must last to be made anew at once
_END_TIME = 3.0  # for the thread to end
_LEAVE_TIME = 60.0  # for the other processes to take in what was sent to them
_SCRATCH_BYTES = 1 << 16


class Engine:
    """Drives all communications of one process over its sockets.

    Args:
        rendezvous: Reports failures of the job, and gives the key of the handshakes.
        listener: Where smaller indices dial; None in process 0. The engine closes it.
        limits: How long connections may take.
    """

    def __init__(self, rendezvous: Rendezvous, listener: socket.socket | None, limits: Limits) -> None:
        self.rendezvous, self._limits = rendezvous, limits
        self._own = rendezvous.process_index
        self._links: dict[int, Link] = {}
        self._lock = threading.RLock()
        self._active: set[TcpRequest] = set()
        self._ready: deque[TcpRequest] = deque()
        self._scratch = memoryview(bytearray(_SCRATCH_BYTES))
        self._count_moved = getattr(rendezvous, "moved", None) or (lambda count: None)
        self._is_closed = self._is_serving = False
        self._completed: list[TcpRequest] = []  # by the engine's thread, in this round
        self.is_abandoned = False  # by this process itself, so there is no other cause to wait for
        self.failure: BaseException | None = None
        self._next_look = self._looked = 0.0
        self._connector = Connector(rendezvous, self, limits)
        self._selector = self._connector.selector
        self._wake_end, self._thread_end = socket.socketpair()
        self._thread_end.setblocking(False)
        self._wake_end.setblocking(False)
        self._selector.register(self._thread_end, selectors.EVENT_READ, self._woken)
        if listener is not None:
            self._connector.listen(listener)
        try:
            self._thread = start_thread(self._run, "olympus-tcp", "communication by sockets")
        except BaseException:
            self._connector.close()
            self._selector.close()
            self._wake_end.close()
            self._thread_end.close()
            raise

    def know(self, addresses: dict[int, tuple[str, int]]) -> None:
        """Learns where processes listen."""
        with self._lock:
            for process, address in addresses.items():
                self._connector.know(process, address)

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
        """Ends all communications with an error, and all connections: what is in memory may change from now on."""
        with self._lock:
            self.failure = self.failure or error
            for link in self._links.values():
                link.clear()
                self._cut(link)
            self._connector.close()
            for request in list(self._active):
                self._end(request, error)

    def abandon(self, requests: list[TcpRequest], reason: str) -> None:
        """Ends some communications with an error; all others too, because the streams of bytes are then out of step."""
        with self._lock:
            if any(not request.is_done() for request in requests):
                self.is_abandoned = True
                self.fail(TransportError("tcp", "a communication", reason))

    def settle(self, notice: int, timeout: float) -> None:
        """Waits until the others have taken in what was sent to them, have left, or the job has failed.

        Args:
            notice: What they are told: `ASK`, or `BYE` where nothing new will be sent.
            timeout: Seconds to wait.
        """
        deadline = time.monotonic() + timeout
        with self._lock:
            for link in self._links.values():
                link.notify(notice)
                self._write(link)
        while self.failure is None and time.monotonic() < deadline:
            departed = getattr(self.rendezvous, "departed", ())
            with self._lock:
                if all(k.is_settled or k.has_left or k.error or k.process in departed for k in self._links.values()):
                    return
            try:
                self.check()
            except Exception:  # noqa: BLE001  (the job has failed, and whoever waits is told)
                return
            time.sleep(2e-3)

    def close(self) -> None:
        """Closes the connections, when what was sent has been taken in."""
        with self._lock:
            if self._is_closed:
                return
            for request in list(self._active):
                self._end(request, TransportError("tcp", "a communication", "the transport is closed"))
        self.settle(BYE, _LEAVE_TIME)
        with self._lock:
            self._is_closed = True
            self.fail(TransportError("tcp", "a communication", "the transport is closed"))
        self._wake()
        self._thread.join(_END_TIME)
        self._selector.close()
        self._wake_end.close()
        self._thread_end.close()

    # What the connector calls, in the engine's thread or below `begin`: under the lock.

    def received(self, process: int) -> int:
        """Gives up the connection to a process, and returns how many bytes of its stream have been received."""
        link = self._links.get(process)
        if link is None:
            link = self._links[process] = Link(process)
        self._cut(link)
        return link.received

    def attach(self, process: int, connection: socket.socket, offset: int) -> None:
        """Goes on over a new connection."""
        link = self._links[process]
        self._cut(link)
        if link.error is not None or self.failure is not None:
            connection.close()
            return
        acknowledged = link.attach(connection, offset)
        self._selector.register(connection, selectors.EVENT_READ, partial(self._serve, link))
        self._settle(acknowledged)
        self._write(link)

    def lose(self, process: int, error: TransportError) -> None:
        """A process cannot be reached: communications that need it fail, others go on."""
        link = self._links[process]
        if link.error is None:
            link.error = error
            for request in link.waiting:
                self._end(request, error)
            link.clear()
            self._cut(link)

    def _drain(self) -> None:
        """Starts the next phase of all communications whose phase is complete."""
        while self._ready:
            request = self._ready.popleft()
            if request.left or request not in self._active:
                continue
            try:
                request.phase = next(request.steps)
                self._start(request, request.phase)
            except StopIteration as end:
                request.results = end.value
                if not request.unacknowledged:
                    self._complete(request)
            except Exception as error:  # noqa: BLE001  (whoever waits raises it; this may be another thread)
                self._end(request, error)

    def _complete(self, request: TcpRequest) -> None:
        self._active.discard(request)
        if self._is_serving:
            self._completed.append(request)
        else:
            request.done.set()

    def _settle(self, acknowledged: list[TcpRequest]) -> None:
        """Counts blocks that the other side has acknowledged."""
        for request in acknowledged:
            request.unacknowledged -= 1
            if not request.unacknowledged and request.results is not None:
                self._complete(request)

    def _start(self, request: TcpRequest, phase: Phase) -> None:
        request.left = len(phase.receives)
        # A block that is sent is done with: a copy is kept, or the communication lasts until it has been acknowledged.
        if not request.left:
            self._ready.append(request)
        for process, block in phase.receives:
            link = self._link(request, process)
            incoming = link.blocks.ask(request, block.data)
            if incoming is not None and link.current is not incoming:
                self._arrived(incoming)
            elif incoming is None and link.has_left:
                raise TransportError("tcp", request.what, f"process {process} has closed the transport")
        for process, block in phase.sends:
            link = self._link(request, process)
            if link.has_left and link.socket is None:
                raise TransportError("tcp", request.what, f"process {process} has closed the transport")
            link.queue(request, block)
        for process in dict.fromkeys(process for process, _ in phase.sends):
            self._write(self._links[process])

    def _link(self, request: TcpRequest, process: int) -> Link:
        """The link to a process; it is dialled if this is the first need of it."""
        link = self._links.get(process)
        if link is None:
            link = self._links[process] = Link(process)
            if self._own < process:
                self._connector.dial(process, is_first=True)
            self._wake()
        if link.error is not None:
            raise link.error
        return link

    def _arrived(self, incoming: Incoming) -> None:
        request = incoming.request
        if request is not None:
            incoming.settle()
            request.left -= 1
            if request.left == 0:
                self._ready.append(request)

    def _serve(self, link: Link, events: int) -> None:
        """Reads and writes what is ready."""
        try:
            if events & selectors.EVENT_READ:
                arrived: list[Incoming] = []
                acknowledged: list[TcpRequest] = []
                try:
                    count = link.read(self._scratch, arrived, acknowledged)
                finally:
                    for incoming in arrived:
                        self._arrived(incoming)
                    self._settle(acknowledged)
                self._count_moved(count)
        except OSError as error:
            if isinstance(error, TransportError):
                raise
            self._broken(link)
        # Before an acknowledgement goes alone, what it makes possible may take it along.
        self._drain()
        if link.owes or events & selectors.EVENT_WRITE:
            self._write(link)

    def _write(self, link: Link) -> None:
        if link.socket is None:
            return
        try:
            count = link.write()
        except OSError:
            self._broken(link)
            return
        if count:
            self._count_moved(count)
        wants = link.has_unsent
        if wants != link.wants_write:
            link.wants_write = wants
            events = selectors.EVENT_READ | (selectors.EVENT_WRITE if wants else 0)
            self._selector.modify(link.socket, events, partial(self._serve, link))

    def _broken(self, link: Link) -> None:
        """A connection has ended: it is dialled again, unless the other side has left."""
        self._cut(link)
        if link.has_left:
            for request in link.waiting:
                what = f"process {link.process} has closed the transport"
                self._end(request, TransportError("tcp", request.what, what))
        elif self._own < link.process and self.failure is None:
            # A connection that is ended as soon as it is made must not be made without end.
            is_brief = link.broken_since is not None and link.broken_since - link.attached_at < _BRIEF
            self._connector.dial(link.process, is_first=False, delay=_BRIEF if is_brief else 0.0)
            self._wake()

    def _cut(self, link: Link) -> None:
        """Closes a link's connection if there is one."""
        connection = link.detach(time.monotonic())
        if connection is not None:
            with suppress(KeyError, ValueError):
                self._selector.unregister(connection)
            connection.close()

    def _look(self, now: float) -> None:
        """Makes connections, and looks from time to time how long nothing has come over those that there are."""
        if now >= self._looked + _LOOK_PERIOD:
            self._looked = now
            self._look_at_links(now)
        due = self._connector.tick(now)
        self._next_look = min(self._looked + _LOOK_PERIOD, math.inf if due is None else due)

    def _look_at_links(self, now: float) -> None:
        """Dials processes from which nothing comes, not even from their kernels; gives up those silent for long."""
        for link in list(self._links.values()):
            if link.error is not None or link.has_left:
                continue
            if link.socket is None:
                silence = 0.0 if link.broken_since is None else now - link.broken_since
            else:
                silence = silence_of(link.socket)
                if self._own < link.process:
                    if silence > self._limits.redial:
                        self._connector.dial(link.process, is_first=False)
                    else:
                        self._connector.cancel(link.process)
            if silence > self._limits.reconnect and self._own > link.process:
                reason = "its connection has ended" if link.socket is None else "nothing has come from it"
                self.lose(link.process, ProcessConnectionError(
                    "tcp", link.process, None, reason, silence, "olympus_reconnect_timeout"))

    def _end(self, request: TcpRequest, error: BaseException) -> None:
        if request.error is None and (request.results is None or request.unacknowledged):
            for link in self._links.values() if request.unacknowledged else ():
                link.copy(request)
            request.error = error
            self._complete(request)

    def _wake(self) -> None:
        with suppress(BlockingIOError):  # a wake-up is pending already
            self._wake_end.send(b"\0")

    def _woken(self, _: int) -> None:
        with suppress(BlockingIOError):
            self._thread_end.recv(4096)

    def _run(self) -> None:
        timeout: float | None = None
        while not self._is_closed:
            events = self._selector.select(timeout)
            with self._lock:
                if self._is_closed:
                    return
                now = time.monotonic()
                self._is_serving = True
                try:
                    for key, mask in events:
                        key.data(mask)
                    if now >= self._next_look or self._connector.has_work:
                        self._look(now)
                except Exception as error:  # noqa: BLE001  (a broken stream: nothing after it can be parsed)
                    self.fail(error)
                self._is_serving = False
                completed, self._completed = self._completed, []
                timeout = None if not (self._links or self._connector.has_work) else max(0.0, self._next_look - now)
            # Last of all: the threads that wait want Python's lock, which this one gives up in the next wait.
            for request in completed:
                request.done.set()
