# SPDX-License-Identifier: Apache-2.0
"""One communication over sockets, from its first phase to its results."""

from __future__ import annotations

import threading
import time
from typing import Protocol

import numpy as np

from olympus_core.errors import OlympusInternalError
from olympus_core.errors.platform import TransportError
from olympus_core.plugin import Rendezvous
from olympus_core.toolkit import Phase, Steps

from ..failure_cause import await_cause

_CHECK_PERIOD = 0.05  # seconds between two checks of the job's state


class Driver(Protocol):
    """The engine, as a communication sees it."""

    rendezvous: Rendezvous
    is_abandoned: bool

    def check(self) -> None:
        """Raises the job's error once there is one."""


class TcpRequest:
    """One communication: the toolkit's `Request`."""

    __slots__ = ("_engine", "done", "error", "left", "phase", "results", "steps", "tag", "unacknowledged", "what")

    def __init__(self, engine: Driver, steps: Steps, what: str, tag: int) -> None:
        self._engine, self.steps, self.what, self.tag = engine, steps, what, tag
        self.left = 0  # blocks of the phase that have not come yet
        self.unacknowledged = 0  # blocks that may have to be sent again, and whose memory must stay as it is
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
