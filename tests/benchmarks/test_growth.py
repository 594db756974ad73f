# SPDX-License-Identifier: Apache-2.0
"""Memory over different programs, in small: counted, where the benchmark looks at the process."""

from __future__ import annotations

import gc
import sys

import pytest
from llvmlite.binding.orcjit import ResourceTracker

import olympus
from benchmarks.growth import rows_of, uses
from olympus_core.config import config
from olympus_core.runtime import kept_bytes


def libraries() -> int:
    """Libraries of machine code that are loaded."""
    return sum(type(x) is ResourceTracker for x in gc.get_objects())


def test_programs_of_every_kind_leave_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    olympus.clear_caches()
    assert config.compiled_cache_bytes
    limit = kept_bytes()[0] + 1_500_000
    monkeypatch.setitem(config.__dict__, "compiled_cache_bytes", limit)
    chosen = list(uses().values())
    seen = []
    for i in range(270):
        chosen[i % len(chosen)](i // len(chosen))
        assert kept_bytes()[0] <= limit
        if i % 90 == 89:
            gc.collect()
            seen.append((libraries(), len(gc.get_objects()), sys.getallocatedblocks()))
    first, second, third = seen
    # What tables of a limited number of small things take, of some 250 objects that each program is made of.
    assert third[0] <= max(first[0], second[0]) + 5
    assert third[1] - second[1] < 90 * 12 and third[2] - second[2] < 90 * 40


def test_the_command_counts(capsys: pytest.CaptureFixture[str]) -> None:
    rows = rows_of(20, ["constants"], rows=2)
    assert [row[0] for row in rows] == [10, 20] and all(row[1] > 0 and row[2] > 0 for row in rows)
