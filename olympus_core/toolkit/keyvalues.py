# SPDX-License-Identifier: Apache-2.0
"""Keys and values that processes share for a while, made of meetings: some libraries find each other by these."""

from __future__ import annotations

import json
import threading
import time
from types import TracebackType

from olympus_core.errors.cluster import JobAbortedError
from olympus_core.plugin import Rendezvous

from .threads import start_thread

# How long a process waits for news of its own before it asks the others for theirs.
_PERIOD = 0.01
_LOOK = 1.0


class SharedKeyValues:
    """What any process puts all can get, between the beginning and the end of a ``with`` in all processes.

    The rendezvous knows meetings only, so a thread meets the others again and again, and tells what is new.

    Args:
        rendezvous: How to reach the other processes.
        label: The same in all processes, and of this use only.
    """

    def __init__(self, rendezvous: Rendezvous, label: str) -> None:
        self._rendezvous, self._label = rendezvous, label
        self._values: dict[bytes, bytes] = {}
        self._news: dict[bytes, bytes] = {}
        self._changed = threading.Condition()
        self._is_done, self._reason = False, ""
        self._failure: Exception | None = None
        self._thread: threading.Thread | None = None

    def put(self, key: bytes, value: bytes) -> None:
        """Lets all processes see a value."""
        with self._changed:
            self._values[key] = self._news[key] = value
            self._changed.notify_all()

    def get(self, key: bytes, seconds: float) -> bytes:
        """Some process's value, waited for.

        Raises:
            TimeoutError: It did not come in this time.
            JobAbortedError: The ``with`` of a process ended with an error.
        """
        with self._changed:
            self._changed.wait_for(lambda: key in self._values or self._failure is not None, max(seconds, 0.0))
            if key not in self._values:
                self._check()
                raise TimeoutError(f"{seconds:g} s")
            return self._values[key]

    def try_get(self, key: bytes) -> bytes:
        """The same without waiting; a `KeyError` when it is not there."""
        with self._changed:
            if key not in self._values:
                self._check()
            return self._values[key]

    def __enter__(self) -> SharedKeyValues:
        self._thread = start_thread(self._meet, f"olympus {self._label}", "letting the processes see values")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        with self._changed:
            self._is_done, self._reason = True, "" if error is None else str(error)
            self._changed.notify_all()
        while self._thread is not None and self._thread.is_alive():  # its meetings end by deadlines of their own
            self._thread.join(_LOOK)
        if error is None and self._failure is not None:
            raise self._failure

    def _check(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _meet(self) -> None:
        """Meets the others until all are done, or one has failed; every meeting has the runtime's own deadline."""
        number = 0
        try:
            while True:
                number += 1
                with self._changed:
                    news, self._news = self._news, {}
                    mine = {"done": self._is_done, "failed": self._reason,
                            "values": {k.hex(): v.hex() for k, v in news.items()}}
                everybody = self._rendezvous.exchange(f"{self._label}, {number}", json.dumps(mine).encode())
                if self._take([json.loads(other) for other in everybody]):
                    return
                with self._changed:
                    self._changed.wait_for(lambda: self._news or self._is_done, _PERIOD)
                    done = self._is_done and not self._news
                if done:  # the others need its presence, not its haste
                    time.sleep(_PERIOD)
        except Exception as error:  # noqa: BLE001  (it is raised where a value is waited for)
            with self._changed:
                self._failure = error
                self._changed.notify_all()

    def _take(self, others: list[dict[str, object]]) -> bool:
        """Takes over what the processes tell; whether this was the last meeting."""
        with self._changed:
            for process, other in enumerate(others):
                values = other["values"]
                if isinstance(values, dict):
                    self._values.update((bytes.fromhex(k), bytes.fromhex(v)) for k, v in values.items())
                if other["failed"] and process != self._rendezvous.process_index:
                    self._failure = self._failure or JobAbortedError(process, str(other["failed"]))
            self._changed.notify_all()
            return all(other["done"] for other in others) or any(other["failed"] for other in others)
