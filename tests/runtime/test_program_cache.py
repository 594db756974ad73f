# SPDX-License-Identifier: Apache-2.0
"""Dictionaries of what was compiled, and what goes of itself, while others use them."""

from __future__ import annotations

from olympus_core.program import ProgramBuilder
from olympus_core.runtime import BoundedCache, bounded_cache
from olympus_core.runtime.program_cache import CacheEntry, ProgramEntry
from tests.support.instructions import at_each_instruction


def test_entries_go_while_one_is_remembered() -> None:
    cache: BoundedCache[int, str] = BoundedCache(3)

    def run() -> None:
        for key in range(3):
            cache.setdefault(key, "old")
        assert cache.remember(7, "new") == "new"
        assert cache.pop(7) == "new"

    count = at_each_instruction(BoundedCache.remember, run, lambda: cache.forget(list(cache)[:2]), lambda: None)
    assert count > 10


def test_what_compares_keys_may_remember_too() -> None:
    cache: BoundedCache[object, int] = BoundedCache()

    class Key:
        def __hash__(self) -> int:
            return 1

        def __eq__(self, other: object) -> bool:
            return cache.remember("of the collector", 2) == 3  # as what it ends may

    for number in range(2):
        cache.remember(Key(), number)
    assert sorted(cache.values()) == [0, 1, 2]


def test_two_forget_the_same() -> None:
    one, cache = CacheEntry(), BoundedCache[int, int]()

    def run() -> None:
        for key in range(2):
            cache.remember(key, key, one)
        one.evict()

    assert at_each_instruction(bounded_cache._leave, run, one.evict, lambda: cache.clear()) > 10


def test_what_was_forgotten_while_it_ran_is_not_remembered() -> None:
    cache: BoundedCache[int, int] = BoundedCache()
    made = ProgramEntry(ProgramBuilder("nothing").finish([]), 1)
    assert cache.remember(0, 5, made) == 5
    made.evict()
    assert cache.remember(1, 6, made, True) == 6
    assert not cache
