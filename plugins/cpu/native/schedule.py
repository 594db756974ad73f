"""How a loop of known size is best run: at once, without Python's lock, or over the threads."""

from __future__ import annotations

from typing import NamedTuple

from .entry import INLINE, PARALLEL, RELEASED

# Letting go of Python's lock costs 0.05 microseconds, and may cost much more to get it back.
_INLINE_SECONDS = 5e-6
# Sleeping threads take some 15 microseconds to wake.
_SERIAL_SECONDS = 40e-6
# A piece that takes so long is not noticed for its 0.1 microseconds of overhead.
_PIECE_SECONDS = 20e-6
_MOST_PIECES = 256
# Each thread begins with a share of the pieces, and most machines have a multiple of so many threads. Where pieces are
# made of granules there may be fewer.
_EVEN, _FEW = 4, 2

# Pieces of a lanes loop are multiples of this, and its code relies on it: whole cache lines for everybody.
GRANULE = 64


class Schedule(NamedTuple):
    """How to run a loop.

    Args:
        mode: The mode of an entry for this loop alone; an entry of several takes the highest.
        chunk: How much of the range one call of the kernel takes.
    """

    mode: int
    chunk: int


def schedule(total: int, seconds: float, tables: int = 1, granule: int = 1) -> Schedule:
    """A mode and a chunk; they do not depend on the number of threads, so neither do results.

    Args:
        total: Length of the range.
        seconds: What the whole work is estimated to take in one thread, all tables together.
        tables: How often the range is run over: the number of devices.
        granule: Chunks are multiples of this: a cache line of elements, the rows of a tile.
    """
    whole = max(total, 1)
    if seconds < _INLINE_SECONDS:
        return Schedule(INLINE, whole)
    if seconds < _SERIAL_SECONDS:
        return Schedule(RELEASED, whole)
    pieces = max(2, min(int(seconds / _PIECE_SECONDS), _MOST_PIECES))
    pieces += -pieces % (_EVEN if pieces >= _EVEN else _FEW)
    each = -(-pieces // tables)
    chunk = -(-whole // each)
    return Schedule(PARALLEL, min(-(-chunk // granule) * granule, whole))
