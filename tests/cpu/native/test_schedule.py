# SPDX-License-Identifier: Apache-2.0
"""How loops are cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from olympus_cpu.native.entry import INLINE, PARALLEL, RELEASED
from olympus_cpu.native.schedule import schedule


def test_small_work_is_not_cut() -> None:
    assert schedule(1000, 1e-6) == (INLINE, 1000)
    assert schedule(1000, 1e-5) == (RELEASED, 1000)
    assert schedule(0, 0.0) == (INLINE, 1)


def test_large_work_is_cut() -> None:
    assert schedule(1200, 4.5e-5) == (PARALLEL, 600)
    assert schedule(1200, 6.5e-5) == (PARALLEL, 300)  # four pieces, where three would do
    assert schedule(1200, 1.1e-4) == (PARALLEL, 150)
    assert schedule(1000, 1e-3) == (PARALLEL, 20)
    assert schedule(1000, 1e-3, tables=10) == (PARALLEL, 167)
    assert schedule(1000, 1e-3, tables=100) == (PARALLEL, 1000)
    assert schedule(1_000_000, 10.0) == (PARALLEL, 3907)


@given(st.integers(0, 10**9), st.floats(0, 100), st.integers(1, 64), st.integers(1, 1000))
def test_chunks_cover_in_granules(total: int, seconds: float, tables: int, granule: int) -> None:
    mode, chunk = schedule(total, seconds, tables, granule)
    assert chunk >= 1
    assert chunk == max(total, 1) or (chunk % granule == 0 and mode == PARALLEL)
    pieces = -(-total // chunk) * tables
    assert pieces <= 256 + tables
