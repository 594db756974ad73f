# SPDX-License-Identifier: Apache-2.0
"""Requests to the coordinator, and the threads that wait for the answers."""

from __future__ import annotations

import itertools
import threading

from .schema import MalformedFrame
from .values import unpack
from .wire import Frame


class Request:
    """One request, whose answer a thread waits for.

    Args:
        token: Its number.
        kind: The kind of message that it is.
        count: How many values it has, where it has some.
    """

    __slots__ = ("_event", "count", "frame", "kind", "token", "values")

    def __init__(self, token: int, kind: str, count: int) -> None:
        self.token, self.kind, self.count = token, kind, count
        self.frame: Frame | None = None
        self.values: list[bytes] = []
        self._event = threading.Event()

    def wait(self, timeout: float) -> bool:
        """Waits for the answer, or for the end of all answers."""
        return self._event.wait(max(0.0, timeout))

    def settle(self, frame: Frame | None) -> None:
        """Ends the wait."""
        if frame is not None:
            self.frame = frame
        self._event.set()


class Requests:
    """The requests under way, by token."""

    def __init__(self) -> None:
        self._tokens = itertools.count(1)
        self._open: dict[int, Request] = {}
        self._is_over = False

    def open(self, kind: str = "answer", count: int = 0) -> Request:
        """A new request; its wait ends at once where no answers will come any more."""
        request = Request(next(self._tokens), kind, count)
        self._open[request.token] = request
        if self._is_over:
            request.settle(None)
        return request

    def close(self, request: Request) -> None:
        """Removes a request."""
        self._open.pop(request.token, None)

    def answer(self, frame: Frame) -> None:
        """Hands an answer to the thread that waits for it, if one still does; raises MalformedFrame for others."""
        request = self._open.get(frame.message["token"])
        if request is None:
            return
        if frame.message["t"] != request.kind:
            raise MalformedFrame(f"an answer to another question than number {request.token}")
        if request.kind == "values":
            request.values = unpack(frame.payload, request.count)
        request.settle(frame)

    def end(self) -> None:
        """No answers will come any more: every wait ends, later ones too."""
        self._is_over = True
        for request in list(self._open.values()):
            request.settle(None)
