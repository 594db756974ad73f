# SPDX-License-Identifier: Apache-2.0
"""Keys and values that processes, here threads, share for a while. How a library uses them: `tests/pjrt/bridge`."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from olympus_core.errors import JobAbortedError
from olympus_core.toolkit import SharedKeyValues
from tests.conformance.broken.jobs import Hub, ThreadRendezvous


def together(count: int, work: Callable[[ThreadRendezvous], Any]) -> list[Any]:
    hub = Hub(count)
    with ThreadPoolExecutor(count) as pool:
        return [future.result(60) for future in [pool.submit(work, ThreadRendezvous(hub, i)) for i in range(count)]]


def test_chains_of_values() -> None:
    """Each waits for the one before, so that values need many meetings; the last to be done waits for nobody."""

    def work(rendezvous: ThreadRendezvous) -> bytes:
        here = rendezvous.process_index
        with SharedKeyValues(rendezvous, "chain") as shared:
            for step in range(5):
                last = shared.get(b"%d/%d" % (step, here - 1), 30) if here else b""
                shared.put(b"%d/%d" % (step, here), last + bytes([here]))
            return shared.get(b"4/3", 30)

    assert together(4, work) == [bytes(range(4))] * 4


def test_what_is_not_there() -> None:
    def work(rendezvous: ThreadRendezvous) -> None:
        with SharedKeyValues(rendezvous, "nothing") as shared:
            with pytest.raises(KeyError):
                shared.try_get(b"x")
            for seconds in (0.02, 0, -1):
                with pytest.raises(TimeoutError):
                    shared.get(b"x", seconds)

    together(2, work)


def test_an_error_reaches_all_that_wait_and_all_that_leave() -> None:
    def work(rendezvous: ThreadRendezvous) -> str:
        try:
            with SharedKeyValues(rendezvous, "failing") as shared:
                if rendezvous.process_index == 0:
                    raise ZeroDivisionError("on purpose")
                if rendezvous.process_index == 1:
                    shared.get(b"never", 50)
        except (ZeroDivisionError, JobAbortedError) as error:
            return str(error)
        return ""

    first, second, third = together(3, work)
    assert first == "on purpose" and "Process 0" in second and "on purpose" in third


def test_one_use_after_another() -> None:
    def work(rendezvous: ThreadRendezvous) -> list[bytes]:
        found = []
        for turn in range(3):
            with SharedKeyValues(rendezvous, "again") as shared:
                shared.put(b"%d" % rendezvous.process_index, b"%d" % turn)
                found.append(shared.get(b"%d" % (1 - rendezvous.process_index), 30))
        return found

    before = threading.active_count()
    assert together(2, work) == [[b"0", b"1", b"2"]] * 2
    assert threading.active_count() == before
