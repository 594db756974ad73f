# SPDX-License-Identifier: Apache-2.0
"""The schedule of a parallel loop: its mode and chunk size, from an estimate of its work."""

from __future__ import annotations

from typing import NamedTuple

from .entry import INLINE, PARALLEL, RELEASED

# Releasing the GIL costs 0.05 microseconds, and acquiring it again may cost much more.
_INLINE_SECONDS = 5e-6
# Waking sleeping threads takes some 15 microseconds.
_SERIAL_SECONDS = 40e-6
# For chunks of this duration the overhead of 0.1 microseconds is negligible.
_CHUNK_SECONDS = 20e-6
_MOST_CHUNKS = 256
# Each thread begins with a share of the chunks, and most machines have a multiple of so many threads. Rounding chunks
# to granules may reduce their number.
EVEN, _FEW = 4, 2

# Chunks of a lanes loop are multiples of this, which its code relies on: no two threads share a cache line.
GRANULE = 64


class Schedule(NamedTuple):
    """The schedule of a loop.

    Args:
        mode: The mode of an entry of this loop alone; an entry of several loops takes the highest.
        chunk: The part of the range of one call of the kernel.
    """

    mode: int
    chunk: int


def schedule(total: int, seconds: float, tables: int = 1, granule: int = 1) -> Schedule:
    """A mode and a chunk size, which do not depend on the number of threads, so that results do not either.

    Args:
        total: Length of the range.
        seconds: Estimated time of all tables in one thread.
        tables: Number of runs over the range: the number of devices.
        granule: Chunks are multiples of this: a cache line of elements, or the rows of a tile.
    """
    everything = max(total, 1)
    if seconds < _INLINE_SECONDS:
        return Schedule(INLINE, everything)
    if seconds < _SERIAL_SECONDS:
        return Schedule(RELEASED, everything)
    chunks = max(2, min(int(seconds / _CHUNK_SECONDS), _MOST_CHUNKS))
    chunks += -chunks % (EVEN if chunks >= EVEN else _FEW)
    each = -(-chunks // tables)
    chunk = -(-everything // each)
    return Schedule(PARALLEL, min(-(-chunk // granule) * granule, everything))
