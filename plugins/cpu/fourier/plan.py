# SPDX-License-Identifier: Apache-2.0
"""Plans: which passes over an array its Fourier transforms are, as words that the native code of `lines.c` reads."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from olympus_core.dataclass import dataclass, field

LANES = {4: 8, 8: 4}  # by bytes of a number
MOST_STAGES = MOST_PASSES = 32
OPERAND, RESULT, SCRATCH, MORE_SCRATCH = range(4)
LINES, TO_HALF, FROM_HALF = range(3)
COMPLEX, PAIRS_TO_HALF, HALF_TO_PAIRS, ODD_TO_HALF, HALF_TO_ODD = range(5)
# Of larger primes a convolution costs less than stages, whose work grows with the square.
_ODD_RADICES = (3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
_PAIRS = 256  # of a group; PAIRS in lines.h
# Groups that are read together, bytes of their buffers in a second-level cache, and how many loops of threads want.
_WIDE, _WIDE_BYTES, _LEAST_GROUPS = 8, 5 << 16, 8
# A pass's words in the order of lines.c, before the radices.
_FIELDS = (
    "kind", "line", "length", "sheets", "lines", "inner", "wide", "buffer", "source", "target", "rows_in", "rows_out",
    "real", "swap_in", "swap_out",
    "from_item", "from_sheet", "from_outer", "from_line", "from_step", "from_imaginary",
    "to_item", "to_sheet", "to_outer", "to_line", "to_step", "to_imaginary",
    "scale", "twiddles", "order", "places", "stored", "chirp", "filter", "half_twiddles", "lane_twiddles",
    "block_twiddles", "stages",
)
_POINTERS = frozenset({
    "twiddles", "order", "places", "stored", "chirp", "filter", "half_twiddles", "lane_twiddles", "block_twiddles"})


@lru_cache(maxsize=256)
def radices(length: int) -> tuple[int, ...] | None:
    """The radices of a length's stages, or None where it has another prime factor."""
    found = []
    twos = (length & -length).bit_length() - 1
    # Eights as far as they go; of what is left a two would be a stage of its own.
    eights, rest = divmod(twos, 3)
    if rest == 1 and eights:
        eights, rest = eights - 1, 4
    found += [4] * (rest // 2) + [2] * (rest % 2) + [8] * eights
    length >>= twos
    for radix in _ODD_RADICES:
        while length % radix == 0:
            length //= radix
            found.append(radix)
    return tuple(found) if length == 1 else None


def roots(length: int, exponents: np.ndarray) -> np.ndarray:
    """exp(-2 pi i k / length), each part rounded once or twice: computed in an eighth of the circle."""
    k = exponents % length
    # Angles are 2 pi k / length; in units of an eighth of a turn the whole part is exact.
    octant, rest = np.divmod(8 * k, length)
    angle = np.where(octant % 2 == 0, rest, length - rest) * (math.pi / 4 / length)
    c, s = np.cos(angle), np.sin(angle)
    swap = (octant % 4 == 1) | (octant % 4 == 2)
    c, s = np.where(swap, s, c), np.where(swap, c, s)
    c = np.where((octant >= 2) & (octant < 6), -c, c)
    s = np.where(octant < 4, -s, s)
    return np.stack([c, s], -1)


@lru_cache(maxsize=64)
def _stage_tables(length: int, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """The twiddles of all stages, and where they leave each result."""
    found, rest = [], length
    stages = radices(length) or ()
    for radix in stages:
        if radix > 5 and radix != 8:
            found.append((roots(radix, np.arange(radix)) * (1, -1)).reshape(-1))
        each = rest // radix
        found.append(roots(rest, np.arange(each)[:, None] * np.arange(1, radix)).reshape(-1))
        rest = each
    twiddles = np.concatenate([*found, np.zeros(0)]).astype(dtype)
    return twiddles, np.arange(length, dtype=np.int32).reshape(stages).transpose().reshape(-1)


@lru_cache(maxsize=256)
def stages_length(length: int) -> int:
    """The length of the transform that stages make: a line's own, or one of a convolution's."""
    if radices(length) is not None:
        return length
    least = 2 * length - 1
    # Of the lengths with factors of 2, 3 and 5 the least; each odd part is doubled until it is long enough.
    odd = (3 ** i * 5 ** j for i in range(3) for j in range(3))
    return min(o << max(3, (-(-least // o) - 1).bit_length()) for o in odd)


@lru_cache(maxsize=16)
def _chirp_tables(length: int, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """exp(-i pi j^2 / length), and the transform of the filter: the conjugate, forwards and backwards."""
    whole, j = stages_length(length), np.arange(length)
    chirp = roots(2 * length, j * j)
    values = chirp @ (1, -1j)
    filter = np.zeros(whole, np.complex128)
    filter[:length] = values
    filter[whole - length + 1:] = values[:0:-1]
    filter = np.fft.fft(filter) / whole
    return chirp.astype(dtype), np.stack([filter.real, filter.imag], -1).astype(dtype)


@lru_cache(maxsize=8)
def _between_tables(rows: int, columns: int, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """What results of the first pass of a long line are multiplied by: powers of the line's root, as two factors."""
    lanes = LANES[dtype.itemsize]
    result = np.arange(rows)
    of_lanes = roots(rows * columns, result[:, None] * np.arange(lanes)).transpose(0, 2, 1)
    of_groups = roots(rows * columns, np.arange(-(-columns // lanes))[:, None] * lanes * result)
    return np.ascontiguousarray(of_lanes, dtype), of_groups.astype(dtype)


@lru_cache(maxsize=64)
def _half_table(length: int, dtype: np.dtype) -> np.ndarray:
    return roots(length, np.arange(length // 4 + 1)).astype(dtype)


@lru_cache(maxsize=32)
def _pair_tables(length: int, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    fine = roots(length, np.arange(_PAIRS))
    return fine.astype(dtype), roots(length, np.arange(length // 4 // _PAIRS + 1) * _PAIRS).astype(dtype)


@dataclass(slots=True)
class Pass:
    """One pass; what its fields mean stands in `lines.c`."""

    dtype: np.dtype
    source: int
    target: int
    line: int
    sheets: int = 1
    lines: int = 1
    inner: int = 1
    kind: int = LINES
    rows_in: int = 0
    rows_out: int = 0
    real: int = COMPLEX
    swap_in: bool = False
    swap_out: bool = False
    from_item: int = 0
    from_sheet: int = 0
    from_outer: int = 0
    from_line: int = 0
    from_step: int = 0
    from_imaginary: int = 1
    to_item: int = 0
    to_sheet: int = 0
    to_outer: int = 0
    to_line: int = 0
    to_step: int = 0
    to_imaginary: int = 1
    scale: float = 1.0
    between: int = 0  # length of the pass that comes after, where both together are one transform
    tables: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def groups(self) -> int:
        """Of an item."""
        if self.kind != LINES:
            return self.sheets * (self.line // 2 // _PAIRS + 1)
        return self.sheets * -(-self.lines // (self.wide * LANES[self.dtype.itemsize]))

    @property
    def length(self) -> int:
        """Of the transform that the stages make."""
        return stages_length(self.line) if self.kind == LINES else 0

    @property
    def buffer(self) -> int:
        """Rows of the buffer of a group of as many lines as lanes."""
        if self.kind != LINES:
            return 0
        rows = self.length if self.length == self.line else 2 * self.length
        return rows + (self.line // 2 if self.real == HALF_TO_ODD else 0) + 1

    def complete(self) -> None:
        """Adds rows and tables."""
        tables, line = self.tables, self.line
        if self.kind != LINES:
            tables["lane_twiddles"], tables["block_twiddles"] = _pair_tables(2 * line, self.dtype)
            return
        half = line // 2
        self.rows_in, self.rows_out = {
            COMPLEX: (line, line), PAIRS_TO_HALF: (line, line + 1), HALF_TO_PAIRS: (line + 1, line),
            ODD_TO_HALF: (half, half + 1), HALF_TO_ODD: (half + 1, half)}[self.real]
        tables["twiddles"], order = _stage_tables(self.length, self.dtype)
        is_convolved = self.length != line
        if is_convolved:
            tables["chirp"], tables["filter"] = _chirp_tables(line, self.dtype)
        if self.real in (PAIRS_TO_HALF, HALF_TO_PAIRS):
            tables["half_twiddles"] = _half_table(2 * line, self.dtype)
        if self.between:
            tables["lane_twiddles"], tables["block_twiddles"] = _between_tables(line, self.between, self.dtype)
        begin = self.length if is_convolved else 0
        free = 2 * self.length if is_convolved else line
        tables["order"] = order
        tables["places"] = np.append(begin + order[:line], np.int32(free))
        tables["stored"] = tables["places"]
        if self.real == HALF_TO_ODD:
            tables["stored"] = np.arange(free, free + line // 2, dtype=np.int32)

    @property
    def wide(self) -> int:
        """Groups that are read and written together: where lines lie side by side, several cache lines of each row."""
        lanes, size = LANES[self.dtype.itemsize], 2 * LANES[self.dtype.itemsize] * self.dtype.itemsize
        return max(1, min(_WIDE, self.inner // lanes, _WIDE_BYTES // (size * max(self.buffer, 1)),
                          self.sheets * self.lines // (lanes * _LEAST_GROUPS)))

    def words(self) -> np.ndarray:
        """What the native code reads."""
        stages = radices(self.length) or () if self.kind == LINES else ()
        found = np.zeros(len(_FIELDS) + MOST_STAGES, np.int64)
        for i, name in enumerate(_FIELDS):
            if name in _POINTERS:
                found[i] = self.tables[name].ctypes.data if name in self.tables else 0
            elif name == "scale":
                found[i] = np.float64(self.scale).view(np.int64)
            else:
                found[i] = len(stages) if name == "stages" else getattr(self, name)
        found[len(_FIELDS):len(_FIELDS) + len(stages)] = stages
        return found
