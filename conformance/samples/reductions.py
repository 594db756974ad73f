# SPDX-License-Identifier: Apache-2.0
"""Instances of reductions, cumulative operations and the argmax and argmin."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.program import OperationRecord

from . import values
from .instance import Draw, Instance

FormsOf = Callable[[Draw, np.dtype], Iterator[Instance]]


def _array(record: OperationRecord, draw: Draw, shape: Sequence[int], dtype: np.dtype) -> np.ndarray:
    """What the operation can take many of without leaving the type's range."""
    if record.exactness.kind == "product" and not dtypes.is_integer(dtype):
        signs = np.where(draw.uniform(shape, dtypes.float64, 0, 1) < 0.5, -1.0, 1.0)
        found = np.asarray(signs * draw.uniform(shape, dtypes.float64, 0.8, 1.25))
        if dtypes.is_complex(dtype):
            found = found * np.exp(1j * draw.uniform(shape, dtypes.float64, 0, 6))
        return np.asarray(found).astype(dtype)
    if dtype in dtypes.NARROW_FLOATS:
        return draw.uniform(shape, dtype, -1, 1)
    return draw.calm(shape, dtype) if not dtypes.is_integer(dtype) else draw.plain(shape, dtype)


def _ends(dtype: np.dtype) -> Iterator[np.ndarray]:
    """Rows that are all of one end of a type's range: a fold that begins within the range shows in them."""
    if not dtypes.is_complex(dtype):
        ends = values.ends(dtype)
        for width in (3, 37):
            yield np.repeat(ends[:, None], width, 1)


def _starts_at_ends(record: OperationRecord) -> bool:
    return record.exactness.kind == "exact"


def reduce_forms(record: OperationRecord) -> FormsOf:
    """Over no dimension, each, several and all; of nothing."""

    def forms(draw: Draw, dtype: np.dtype) -> Iterator[Instance]:
        for shape, dimensions in (
            ((), ()), ((0,), (0,)), ((1,), (0,)), ((7,), (0,)), ((7,), ()), ((33,), (0,)), ((1000,), (0,)),
            ((3, 5), (0,)), ((3, 5), (1,)), ((3, 5), (0, 1)), ((17, 67), (0,)), ((17, 67), (1,)),
            ((2, 3, 4), (1,)), ((2, 3, 4), (0, 2)), ((3, 0), (0,)), ((3, 0), (1,)), ((2, 0, 3), (0, 1, 2)),
        ):
            yield Instance(record, [_array(record, draw, shape, dtype)], {"dimensions": dimensions})
        for rows in _ends(dtype) if _starts_at_ends(record) else ():
            yield Instance(record, [rows], {"dimensions": (1,)})
            yield Instance(record, [np.ascontiguousarray(rows.T)], {"dimensions": (0,)})

    return forms


def large_reduce_forms(record: OperationRecord) -> FormsOf:
    """Many elements, along rows, columns and altogether."""

    def forms(draw: Draw, dtype: np.dtype) -> Iterator[Instance]:
        for shape, dimensions in (
            ((100_003,), (0,)), ((1023, 65), (0,)), ((1023, 65), (1,)), ((65, 1023), (0, 1)), ((7, 300, 11), (1,)),
        ):
            yield Instance(record, [_array(record, draw, shape, dtype)], {"dimensions": dimensions})

    return forms


def cumulative_forms(record: OperationRecord) -> FormsOf:
    """Along each dimension in both directions."""

    def forms(draw: Draw, dtype: np.dtype) -> Iterator[Instance]:
        for shape, dimension in (((0,), 0), ((1,), 0), ((7,), 0), ((100,), 0), ((3, 5), 0), ((3, 5), 1),
                                 ((2, 3, 4), 1), ((2, 0), 0)):
            for reverse in (False, True):
                x = _array(record, draw, shape, dtype)
                yield Instance(record, [x], {"dimension": dimension, "reverse": reverse})
        for rows in _ends(dtype) if _starts_at_ends(record) else ():
            yield Instance(record, [rows], {"dimension": 1, "reverse": False})

    return forms


def extreme_forms(record: OperationRecord) -> FormsOf:
    """Along each dimension; ties, of which the first counts; indices in several integer types."""

    def forms(draw: Draw, dtype: np.dtype) -> Iterator[Instance]:
        for shape, dimension in (((1,), 0), ((7,), 0), ((100,), 0), ((3, 5), 0), ((3, 5), 1), ((17, 33), 0),
                                 ((17, 33), 1), ((2, 3, 4), 1), ((0, 3), 1)):
            x = draw.plain(shape, dtype)
            yield Instance(record, [x], {"dimension": dimension, "dtype": dtypes.int32})
        for rows in _ends(dtype):
            yield Instance(record, [rows], {"dimension": 1, "dtype": dtypes.int32})
        few = draw.plain((3,), dtype)[draw.integers((5, 40), dtypes.int32, 0, 3)]
        for target in (dtypes.int32, dtypes.int64, dtypes.uint8, dtypes.uint32):
            yield Instance(record, [few], {"dimension": 1, "dtype": target})

    return forms


def special_rows(dtype: np.dtype, width: int) -> np.ndarray:
    """Rows of small numbers with special ones at the beginning, inside and at the end; none overflows by order."""
    nan, inf = np.nan, np.inf
    specials: tuple[tuple[float, ...], ...] = (
        (nan,), (math.copysign(nan, -1.0),), (inf,), (-inf,), (inf, -inf), (inf, inf), (nan, inf), (nan, -inf, nan),
        (0.0, -0.0), (-0.0,),
    )
    rows = []
    base = np.where(np.arange(width) % 3 == 1, -0.5, 1.0)
    for special in specials:
        for positions in ((0, width // 2, width - 1), (width - 1, 0, width // 2), (width // 2, width - 1, 0)):
            row = base.copy()
            for position, value in zip(positions, special, strict=False):
                row[position] = value
            rows.append(row)
    rows += [np.full(width, v) for v in (nan, inf, -inf, 0.0, -0.0)]
    with np.errstate(all="ignore"):
        return np.asarray(rows).astype(dtype)


def special_forms(record: OperationRecord) -> FormsOf:
    """NaN, infinities and zeros at the beginning, inside and at the end of what is reduced; short rows one way only."""

    def forms(draw: Draw, dtype: np.dtype) -> Iterator[Instance]:
        for width in (3, 19):
            rows = special_rows(dtype, width)
            if record.category == "cumulative":
                for reverse in (False, True)[: 1 + (width > 3)]:
                    yield Instance(record, [rows], {"dimension": 1, "reverse": reverse})
                continue
            for dimension, x in ((1, rows), (0, np.ascontiguousarray(rows.T)))[: 1 + (width > 3)]:
                along = {"dimensions": (dimension,)} if record.combine is not None else {
                    "dimension": dimension, "dtype": dtypes.int32}
                yield Instance(record, [x], along)

    return forms
