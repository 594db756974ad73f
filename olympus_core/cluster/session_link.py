# SPDX-License-Identifier: Apache-2.0
"""A member's end of its session: frames to the coordinator and from it, whatever becomes of the connection."""

from __future__ import annotations

import random
import select
import socket
import threading
import time
from contextlib import suppress

from olympus_core.logs import Log

from .channels import Channel, TlsProblem
from .liveness import SilenceWatch, verdict_at_end
from .member import Member
from .reconnection import NotListening, Reconnector, SessionRefused, Unreachable
from .schema import Message
from .send_queue import SendQueue
from .session import UNNUMBERED, Session
from .settings import ClusterSettings
from .wire import Frame, FrameReader, body

__all__ = ["SessionRefused", "SessionLink", "SessionLost"]

_log = Log(__name__)

_PIECE = 1 << 18
_FIRST_PAUSE, _LONGEST_PAUSE = 0.01, 0.5  # between two attempts
REFUSED_TIME = 1.0  # that a machine says that nothing listens, before its process counts as gone
_LOOK_TIME = 0.02  # between two looks at the coordinator's process while there is no connection
_MOST_UNSENT = 1 << 20  # beyond it what may be lost is not sent at all


class SessionLost(Exception):
    """The coordinator is lost: a reason and a detail."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason)
        self.reason, self.detail = reason, detail


class SessionLink:
    """The session of one process; many threads send and never wait, one thread receives and makes connections anew.

    Args:
        channel: The first connection.
        reader: Reads it.
        session: The account of what was sent and received.
        coordinator: Process 0.
        settings: How patient to be.
        reconnector: Makes connections anew; None in process 0 itself.

    Attributes:
        watch: Notes what is heard of the coordinator.
    """

    def __init__(
        self, channel: Channel, reader: FrameReader, session: Session, coordinator: Member, settings: ClusterSettings,
        reconnector: Reconnector | None,
    ) -> None:
        self._channel: Channel | None = channel
        self._reader, self._session = reader, session
        self._coordinator, self._settings, self._reconnector = coordinator, settings, reconnector
        self._lock = threading.Lock()
        self._unsent = SendQueue()
        self._wake, self._woken = socket.socketpair()
        for end in (self._wake, self._woken):
            end.setblocking(False)
        self._poll = self._poll_of(channel)
        self._is_closed = False
        self.watch = SilenceWatch(coordinator, settings, time.monotonic())
        self._is_silent = False
        self._down_since = self._next_attempt = 0.0
        self._refused_since: float | None = None
        self._trouble = ""
        self._pause = _FIRST_PAUSE

    @property
    def is_reachable(self) -> bool:
        """Whether the coordinator's kernel has, as far as this one knows, all that was sent."""
        channel = self._channel
        if channel is None or self._unsent:
            return False
        tcp = channel.tcp_info()
        return tcp is None or not tcp.unanswered

    def verdict(self, now: float) -> tuple[str, str] | None:
        """A reason and a detail once the coordinator is to be given up; to be asked with every heartbeat."""
        channel = self._channel
        return self.watch.verdict(now, channel.tcp_info() if channel is not None else None)

    def forgive(self, seconds: float) -> None:
        """Notes that this process was stopped: the coordinator's silence then does not count."""
        if self._channel is not None:  # else the time went by in an attempt to reach it
            self.watch.forgive(seconds)

    def send(self, message: Message, payload: bytes = b"") -> None:
        """Sends a message; one of a kind that is numbered arrives, once and in order, as long as the job lives.

        Raises:
            BacklogError: If too much waits already.
        """
        said = body(message, payload)
        with self._lock:
            if message["t"] not in UNNUMBERED:
                self._queue(self._session.send(said))
            elif self._channel is not None and len(self._unsent) <= _MOST_UNSENT:
                self._queue(self._session.tell(said))

    def receive(self, timeout: float) -> list[Frame]:
        """The new frames within the time, perhaps none; makes the connection anew where it must.

        Raises:
            SessionLost: If the coordinator is lost.
            SessionRefused: If the coordinator does not go on with this process.
            MalformedFrame: If it sends what is none.
            TlsProblem: If what comes is not what TLS sends.
        """
        if self._channel is None and not self._reconnect(timeout):
            return []
        frames = self._frames()
        if not frames:
            self._receive(timeout)
            frames = self._frames()
        if self._session.owes_word:
            self.send({"t": "ack"})
        return frames

    def flush(self, timeout: float) -> bool:
        """Waits until the kernel has all that was sent; gives whether it has."""
        deadline = time.monotonic() + timeout
        while True:
            with self._lock:
                channel = self._channel
                if channel is None or self._sends_all():
                    return channel is not None
                poll = select.poll()
                poll.register(channel, select.POLLOUT)
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            poll.poll(left * 1000)

    def wake(self) -> None:
        """Ends a `receive` under way in another thread."""
        with suppress(OSError):
            self._wake.send(b"x")

    def close(self) -> None:
        """Closes the connection: the session is over."""
        if not self._is_closed and self._channel is not None:
            # The last answer was received: the coordinator need not wait for this process to ask for it again.
            with suppress(OSError):
                self.send({"t": "ack"})
                self.flush(_LONGEST_PAUSE)
        self.forget()

    def forget(self) -> None:
        """Closes this process's copies of the sockets."""
        self._is_closed = True
        channel, self._channel = self._channel, None
        if channel is not None:
            channel.close()
        self._wake.close()
        self._woken.close()

    def _queue(self, pieces: list[bytes]) -> None:
        if self._channel is None:
            return  # what is kept is sent when there is a connection again
        for piece in pieces:
            self._unsent.append(piece)
        if not self._sends_all():
            self.wake()  # the thread sends the rest

    def _sends_all(self) -> bool:
        """Sends what the connection takes now; its end is met where it is read."""
        channel = self._channel
        if channel is None:
            return True
        try:
            self._unsent.send(channel.send)
            return channel.flush()
        except BlockingIOError:
            return False
        except (OSError, TlsProblem):
            self._unsent.clear()
            return True

    def _frames(self) -> list[Frame]:
        """The frames that have come; what one says of the others is noted before the next is read."""
        frames = []
        while (frame := self._reader.frame()) is not None:
            with self._lock:
                is_new = self._session.accept(frame)
            if is_new:
                frames.append(frame)
        return frames

    def _receive(self, timeout: float) -> None:
        channel = self._channel
        if channel is None or self._is_closed:
            return
        try:
            with self._lock:
                is_done = self._sends_all()
            self._poll.modify(channel, select.POLLIN if is_done else select.POLLIN | select.POLLOUT)
            ready = dict(self._poll.poll(max(0.0, timeout) * 1000))
            if ready.get(self._woken.fileno()):
                with suppress(BlockingIOError):
                    self._woken.recv(_PIECE)
            if ready.get(channel.fileno(), 0) & ~select.POLLOUT:
                data = channel.receive(_PIECE)
                if data:
                    self.watch.hear(time.monotonic())
                    self._reader.feed(data)
                else:
                    self._give_up("its connection ended")
                return
        except BlockingIOError:
            return
        except (OSError, ValueError) as error:
            if not self._is_closed:
                self._give_up(f"its connection broke ({getattr(error, 'strerror', None) or error})")
            return
        if ready or self._reconnector is None:
            return  # bytes that had come while this process was stopped are read before its silence is judged
        silence = self.watch.silence(time.monotonic(), channel.tcp_info())
        if silence > self._settings.redial_timeout:
            self._give_up(f"nothing was heard of it for {silence:.1f} s", is_silent=True)

    def _poll_of(self, channel: Channel) -> select.poll:
        poll = select.poll()
        poll.register(channel, select.POLLIN)
        poll.register(self._woken, select.POLLIN)
        return poll

    def _give_up(self, why: str, is_silent: bool = False) -> None:
        """Ends the connection, so that another can be made."""
        now = time.monotonic()
        if not is_silent:
            self.watch.hear(now)  # an end, too, is a sign of life
        self._is_silent = is_silent
        with self._lock:
            channel, self._channel = self._channel, None
            self._unsent.clear()
        if channel is not None:
            channel.abort()
        _log.info("the connection to the coordinator is given up: %s", why)
        self._trouble, self._down_since, self._next_attempt = why, now, now
        self._refused_since, self._pause = None, _FIRST_PAUSE

    def _reconnect(self, timeout: float) -> bool:
        """Judges what has become of the coordinator, and tries to reach it again; gives whether it is."""
        now = time.monotonic()
        self._judge(now)
        wait = min(self._next_attempt - now, timeout, _LOOK_TIME)
        if wait > 0:
            with suppress(OSError, ValueError):
                if select.select([self._woken], [], [], wait)[0]:
                    self._woken.recv(_PIECE)
        if self._reconnector is None or self._is_closed or time.monotonic() < self._next_attempt:
            return False
        try:
            resumed = self._reconnector.resume(self._session)
        except NotListening as error:
            self._trouble = f"{self._trouble}; {error}" if self._refused_since is None else self._trouble
            self._refused_since = self._refused_since or time.monotonic()
        except Unreachable:
            self._refused_since = None
        else:
            self._go_on(resumed.channel, resumed.reader, resumed.received)
            return True
        self._next_attempt = time.monotonic() + self._pause * random.uniform(0.7, 1.0)
        self._pause = min(_LONGEST_PAUSE, self._pause * 1.5)
        return False

    def _go_on(self, channel: Channel, reader: FrameReader, received: int) -> None:
        now = time.monotonic()
        with self._lock:
            if self._is_closed:
                channel.abort()
                return
            self._channel, self._reader, self._poll = channel, reader, self._poll_of(channel)
            self.watch.hear(now)
            self._queue(self._session.resume(received))
        seconds = now - self._down_since
        _log.info("the connection to the coordinator was made anew after %.2f s (%s)", seconds, self._trouble)

    def _judge(self, now: float) -> None:
        """Raises SessionLost once the coordinator cannot be expected to come back."""
        verdict = verdict_at_end(self._coordinator) if self._coordinator.is_visible_here() else None
        if verdict is not None:
            raise SessionLost(*verdict)
        who = self._coordinator.describe()
        if self._reconnector is None:
            raise SessionLost("connection lost", f"{self._trouble} ({who})")
        if self._refused_since is not None and now - self._refused_since > REFUSED_TIME:
            is_there = self._coordinator.is_visible_here()
            what = "its process is still there" if is_there else "it was killed or it crashed"
            raise SessionLost("connection lost", f"{self._trouble}; {what} ({who})")
        down, limit = now - self._down_since, self._settings.reconnect_timeout
        if not self._is_silent and down > limit:
            told = f"{self._trouble}, and could not be made anew for {down:.1f} s"
            raise SessionLost("connection lost", f"{told}; the limit is OLYMPUS_RECONNECT_TIMEOUT={limit:g} ({who})")
