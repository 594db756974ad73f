# SPDX-License-Identifier: Apache-2.0
"""Instances of operations that go index by index."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, OperationRecord

from . import values
from .instance import Draw, Instance

# Nothing, one, fewer than a vector has lanes, what is left over beside whole vectors, several dimensions.
SHAPES = ((), (0,), (1,), (7,), (33,), (3, 5), (2, 3, 4), (2, 0, 3), (17, 67))
LARGE_SHAPES = ((1023, 65), (100_003,), (3, 41, 5, 37))

def _operands(record: OperationRecord, draw: Draw, shape: tuple[int, ...], dtype: np.dtype) -> list[np.ndarray]:
    count, samples = record.arity, record.samples
    if dtypes.is_float(dtype) and samples.floats:
        return [draw.uniform(shape, dtype, *samples.floats[min(i, len(samples.floats) - 1)]) for i in range(count)]
    found = [draw.plain(shape, dtype) for _ in range(count)]
    if dtypes.is_complex(dtype):
        found = [draw.calm(shape, dtype) for _ in range(count)]
    elif dtypes.is_integer(dtype):
        if samples.integers is not None:
            low, high = samples.integers
            found[1] = draw.integers(shape, dtype, low, 8 * dtype.itemsize if high is None else high)
        elif samples.nonzero:
            found[1] = np.where(found[1] == 0, dtype.type(3), found[1])
    elif samples.often_equal and dtypes.is_float(dtype):
        found[1] = np.where(draw.plain(shape, dtypes.bool_), found[0], found[1])
    return found


def plain_forms(record: OperationRecord) -> Callable[[Draw, np.dtype], Iterator[Instance]]:
    """Plain values in every shape."""

    def forms(draw: Draw, dtype: np.dtype) -> Iterator[Instance]:
        for shape in SHAPES:
            yield Instance(record, _operands(record, draw, shape, dtype))

    return forms


def large_forms(record: OperationRecord) -> Callable[[Draw, np.dtype], Iterator[Instance]]:
    """Plain values in large arrays."""

    def forms(draw: Draw, dtype: np.dtype) -> Iterator[Instance]:
        for shape in LARGE_SHAPES:
            yield Instance(record, _operands(record, draw, shape, dtype))

    return forms


# Where sines and cosines lose their digits unless they are reduced with many digits of pi.
_HUGE = (1e3, 12345.678, 1e5, 33554432.0, 1e8, 1e10, 3e20, 1e30, -1e16)


def special_forms(record: OperationRecord) -> Callable[[Draw, np.dtype], Iterator[Instance]]:
    """Special values, in all combinations for two operands; no denormal ones."""

    def forms(draw: Draw, dtype: np.dtype) -> Iterator[Instance]:
        x = values.specials(dtype, denormals=False)
        if record.arity == 1 and dtypes.is_float(dtype):
            with np.errstate(all="ignore"):
                steps = np.concatenate([np.linspace(-8.5, 8.5, 35), _HUGE]).astype(dtype)
            x = np.concatenate([x, steps[np.isfinite(steps) & ~values.is_denormal(steps)]])
        if record.samples.integers is not None and record.samples.integers[1] is None:  # numbers of bits
            bits = 8 * dtype.itemsize
            x = np.concatenate([x, np.array([1, bits // 2, bits - 1, bits, bits + 1, min(2 * bits, 100)], dtype)])
        yield Instance(record, _combined(x, record.arity, draw))

    return forms


def denormal_forms(record: OperationRecord) -> Callable[[Draw, np.dtype], Iterator[Instance]]:
    """Denormal operands, and operands whose result is denormal."""

    def forms(draw: Draw, dtype: np.dtype) -> Iterator[Instance]:
        yield Instance(record, _combined(values.denormal(dtype), record.arity, draw))

    return forms


def _combined(x: np.ndarray, count: int, draw: Draw) -> list[np.ndarray]:
    if count == 1:
        return [x]
    pairs = [np.repeat(x, x.size), np.tile(x, x.size)]
    if count == 2:
        return pairs
    if draw.source is None:
        return [*pairs, pairs[0]]
    return [*pairs, draw.source.choice(x, x.size**2)]


def select_forms(draw: Draw, dtype: np.dtype) -> Iterator[Instance]:
    """Choosing never changes what it chooses."""
    for shape in SHAPES:
        yield Instance(ops.select, [draw.plain(shape, dtypes.bool_), draw.wild(shape, dtype), draw.wild(shape, dtype)])


def convert_forms(draw: Draw, dtype: np.dtype) -> Iterator[Instance]:
    """To every element type."""
    for target in dtypes.ALL:
        for shape in ((7,), (3, 11)):
            yield Instance(ops.convert, [_convertible(draw, shape, dtype)], {"dtype": target})
    for other in ((), (0,), (2, 3, 4)):
        yield Instance(ops.convert, [_convertible(draw, other, dtype)], {"dtype": dtypes.float32})


def _convertible(draw: Draw, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    return draw.calm(shape, dtype) if dtypes.is_complex(dtype) else draw.plain(shape, dtype)


def convert_special_forms(draw: Draw, dtype: np.dtype) -> Iterator[Instance]:
    """Special values to every element type, with those next to where a narrower type rounds to the other side."""
    x = np.concatenate([values.specials(dtype, denormals=False), values.beside_ties(dtype)])
    for target in dtypes.ALL:
        yield Instance(ops.convert, [x], {"dtype": target})


def bitcast_forms(draw: Draw, dtype: np.dtype) -> Iterator[Instance]:
    """To every element type of equal width; denormal numbers keep their bits too."""
    for target in dtypes.ALL:
        if target.itemsize == dtype.itemsize:
            for shape in ((), (0,), (7,), (3, 11)):
                yield Instance(ops.bitcast_convert, [_without_nan(draw.wild(shape, dtype))], {"dtype": target})


def _without_nan(x: np.ndarray) -> np.ndarray:
    """The array with ones where there is no number: a NaN's bits may change wherever it is copied."""
    return np.where(np.isnan(x), np.ones((), x.dtype), x) if dtypes.is_float(x.dtype) else x


def generic() -> tuple[OperationRecord, ...]:
    """The elementwise operations whose operands are all of one type."""
    return tuple(r for r in ops.OPERATIONS.values() if r.arity)


def result_dtype(record: OperationRecord, dtype: np.dtype) -> np.dtype:
    """The element type of the result."""
    return record.type_rule([ArrayType((), dtype)] * record.arity, {}, ())[0].dtype
