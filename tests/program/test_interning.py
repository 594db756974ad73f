# SPDX-License-Identifier: Apache-2.0
"""Equal values as one object, while some of them die."""

from __future__ import annotations

import sys
import threading

from olympus_core.interning import Interned
from olympus_core.program import ArrayType


class Word(str):
    """What weak references can refer to."""


def test_what_died_does_not_take_its_successor_along() -> None:
    table: Interned[Word] = Interned()
    old = table.add("a", Word("a"))
    reference = table.find("a")
    del old
    new = table.add("a", Word("a"))
    table._drop(reference)  # as when the collector tells of the old one late
    assert table.add("a", Word("a")) is new and len(table) == 1


def test_threads_that_ask_at_once_get_one_object() -> None:
    before, rounds, count = sys.getswitchinterval(), 200, 3
    found: list[list[ArrayType | None]] = [[None] * rounds for _ in range(count)]
    together = threading.Barrier(count)

    def ask(mine: list[ArrayType | None]) -> None:
        for i in range(rounds):
            together.wait()
            mine[i] = ArrayType((i, 4321), "float32")

    threads = [threading.Thread(target=ask, args=(mine,)) for mine in found]
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert all(first is not None and all(other is first for other in others)
               for first, *others in zip(*found, strict=True))
