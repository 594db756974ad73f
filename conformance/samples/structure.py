# SPDX-License-Identifier: Apache-2.0
"""Instances of operations that move elements or make them out of nothing."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import OperationRecord

from .instance import Draw, Instance

Forms = Iterator[Instance]


def broadcast_in_dim(draw: Draw, dtype: np.dtype) -> Forms:
    """New dimensions before, behind and between; sizes of one that grow; nothing at all."""
    for operand, shape, dimensions in (
        ((), (7,), ()), ((), (), ()), ((), (0, 3), ()), ((5,), (3, 5), (1,)), ((3,), (3, 5), (0,)),
        ((3, 1), (3, 5), (0, 1)), ((1,), (33,), (0,)), ((2, 4), (2, 3, 4), (0, 2)), ((1, 4), (2, 3, 4), (1, 2)),
        ((0,), (3, 0), (1,)), ((1,), (0,), (0,)), ((17, 1), (17, 67), (0, 1)), ((67,), (17, 67), (1,)),
        ((2, 3), (2, 3), (0, 1)),
    ):
        yield Instance(ops.broadcast_in_dim, [draw.wild(operand, dtype)], {"shape": shape, "dimensions": dimensions})


def reshape(draw: Draw, dtype: np.dtype) -> Forms:
    """Dimensions split, joined, added and taken away."""
    for operand, shape in (
        ((), (1, 1)), ((1,), ()), ((0,), (3, 0)), ((3, 5), (15,)), ((15,), (5, 3)), ((2, 3, 4), (4, 6)),
        ((4, 6), (3, 2, 2, 2)), ((17, 6), (34, 3)), ((7, 1), (1, 7)),
    ):
        yield Instance(ops.reshape, [draw.wild(operand, dtype)], {"shape": shape})


def transpose(draw: Draw, dtype: np.dtype) -> Forms:
    """Every order of three dimensions, and some of others."""
    for order in itertools.permutations(range(3)):
        yield Instance(ops.transpose, [draw.wild((3, 5, 9), dtype)], {"permutation": order})
    for shape, order in (
        ((), ()), ((7,), (0,)), ((2, 0, 3), (2, 0, 1)), ((17, 33), (1, 0)), ((2, 3, 4, 5), (3, 1, 0, 2)),
        ((1, 9), (1, 0)),
    ):
        yield Instance(ops.transpose, [draw.wild(shape, dtype)], {"permutation": order})


def slice(draw: Draw, dtype: np.dtype) -> Forms:
    """Bounds inside and at the edges, steps that divide and that do not, nothing."""
    for shape, starts, limits, strides in (
        ((), (), (), ()), ((7,), (0,), (7,), (1,)), ((7,), (2,), (6,), (1,)), ((33,), (1,), (33,), (2,)),
        ((33,), (0,), (32,), (5,)), ((7,), (3,), (3,), (1,)), ((7,), (6,), (7,), (9,)),
        ((3, 5), (1, 0), (3, 5), (1, 2)), ((3, 17), (0, 3), (3, 16), (1, 1)),
        ((4, 5, 9), (1, 0, 8), (4, 5, 9), (2, 3, 1)), ((2, 0, 3), (0, 0, 1), (2, 0, 3), (1, 1, 1)),
    ):
        yield Instance(ops.slice, [draw.wild(shape, dtype)], {"starts": starts, "limits": limits, "strides": strides})


def pad(draw: Draw, dtype: np.dtype) -> Forms:
    """Outside, inside, and negative, which takes away; all of them at once."""
    for shape, low, high, interior in (
        ((), (), (), ()), ((7,), (0,), (0,), (0,)), ((7,), (2,), (3,), (0,)), ((7,), (0,), (0,), (2,)),
        ((7,), (-2,), (-1,), (0,)), ((7,), (-3,), (2,), (1,)), ((7,), (-7,), (0,), (0,)), ((0,), (2,), (1,), (3,)),
        ((3, 5), (1, 0), (0, 2), (0, 0)), ((3, 5), (-1, 2), (2, -3), (2, 1)), ((3, 5), (-8, 0), (9, 0), (0, 0)),
        ((2, 3, 4), (0, 1, -1), (1, 0, 0), (1, 0, 2)), ((2, 0, 3), (0, 1, 0), (0, 1, 0), (1, 1, 0)),
    ):
        operands = [draw.wild(shape, dtype), draw.wild((), dtype)]
        yield Instance(ops.pad, operands, {"low": low, "high": high, "interior": interior})


def concatenate(draw: Draw, dtype: np.dtype) -> Forms:
    """One operand, many, empty ones among them, along each dimension."""
    for sizes, rest, dimension in (
        ((7,), (), 0), ((3, 4), (), 0), ((1,) * 12, (), 0), ((0, 5, 0), (), 0), ((0, 0), (), 0), ((16, 17, 8), (), 0),
        ((2, 1, 3), (5,), 0), ((2, 1, 3), (5,), 1), ((3, 4), (2, 5), 1), ((1, 8), (3, 2), 2), ((2, 3), (0,), 1),
    ):
        shapes = [(*rest[:dimension], n, *rest[dimension:]) for n in sizes]
        yield Instance(ops.concatenate, [draw.wild(shape, dtype) for shape in shapes], {"dimension": dimension})


def reverse(draw: Draw, dtype: np.dtype) -> Forms:
    """No dimension, each, several."""
    for shape, dimensions in (
        ((), ()), ((7,), ()), ((33,), (0,)), ((3, 5), (0,)), ((3, 5), (1,)), ((2, 3, 4), (0, 2)),
        ((2, 3, 4), (0, 1, 2)), ((2, 0, 3), (1, 2)),
    ):
        yield Instance(ops.reverse, [draw.wild(shape, dtype)], {"dimensions": dimensions})


def iota(draw: Draw, dtype: np.dtype) -> Forms:
    """Along each dimension; further than a narrow type counts."""
    for shape, dimension in (
        ((7,), 0), ((0,), 0), ((1,), 0), ((300,), 0), ((3, 5), 0), ((3, 5), 1), ((2, 3, 4), 1), ((2, 0, 3), 2),
    ):
        yield Instance(ops.iota, [], {"shape": shape, "dtype": dtype, "dimension": dimension})


def constant(draw: Draw, dtype: np.dtype) -> Forms:
    """Numbers of every kind, and arrays of one number."""
    for shape in ((), (0,), (1,), (7,), (3, 5), (2, 0, 3), (17, 67)):
        yield Instance(ops.constant, [], {"value": draw.wild(shape, dtype)})
    yield Instance(ops.constant, [], {"value": np.full((3, 5), draw.plain((), dtype))})


def dynamic_slice(draw: Draw, dtype: np.dtype) -> Forms:
    """Starts inside and outside, which are moved so that the slice lies inside; starts of several types."""
    for shape, sizes in (((7,), (3,)), ((3, 5), (2, 5)), ((4, 5, 9), (2, 0, 4)), ((), ()), ((33,), (33,))):
        for starts in _starts(len(shape)):
            yield Instance(ops.dynamic_slice, [draw.wild(shape, dtype), *starts], {"sizes": sizes})


def dynamic_update_slice(draw: Draw, dtype: np.dtype) -> Forms:
    """The same windows, written."""
    for shape, sizes in (((7,), (3,)), ((3, 5), (2, 5)), ((4, 5, 9), (2, 0, 4)), ((), ()), ((33,), (33,))):
        for starts in _starts(len(shape)):
            operands = [draw.wild(shape, dtype), draw.wild(sizes, dtype), *starts]
            yield Instance(ops.dynamic_update_slice, operands)


def _starts(count: int) -> Iterator[list[np.ndarray]]:
    yield [np.asarray(n, np.int32) for n in (1, 0, 5)[:count]]
    if count:
        yield [np.asarray(n, np.int32) for n in (-2, 99, 2**31 - 1)[:count]]
        yield [np.asarray(n, np.int64) for n in (2, -(2**40), 2**40)[:count]]
        yield [np.asarray(n, np.uint32) for n in (2**32 - 1, 1, 0)[:count]]
        yield [np.asarray(n, np.int8) for n in (-128, 127, 3)[:count]]


def sort(draw: Draw, dtype: np.dtype) -> Forms:
    """NaN last, equal keys in their order (seen by what goes with them), several keys, along each dimension."""
    for shape, dimension in (((0,), 0), ((1,), 0), ((7,), 0), ((100,), 0), ((5, 9), 0), ((5, 9), 1), ((2, 3, 4), 1)):
        yield Instance(ops.sort, [draw.wild(shape, dtype, denormals=False)], {"dimension": dimension, "keys": 1})
    few = draw.wild((7,), dtype, denormals=False)[draw.integers((60,), dtypes.int32, 0, 7)]
    more = draw.integers((60,), dtypes.int32, 0, 3)
    indices = np.arange(60, dtype=np.int32)
    yield Instance(ops.sort, [few, indices], {"dimension": 0, "keys": 1})
    yield Instance(ops.sort, [more, few, indices], {"dimension": 0, "keys": 2})
    yield Instance(ops.sort, [few, more, indices], {"dimension": 0, "keys": 2})
    yield Instance(ops.sort, [more, few], {"dimension": 0, "keys": 1})


def top_k(draw: Draw, dtype: np.dtype) -> Forms:
    """NaN first, of equal elements the first first (seen by their indices), some and all, along each dimension."""
    for shape, dimension, k in (
        ((0,), 0, 0), ((1,), 0, 1), ((7,), 0, 0), ((7,), 0, 1), ((7,), 0, 7), ((100,), 0, 9), ((5, 9), 0, 2),
        ((5, 9), 1, 3), ((2, 3, 4), 1, 2), ((3, 700), 1, 5), ((0, 4), 1, 2),
    ):
        x = draw.wild(shape, dtype, denormals=False)
        yield Instance(ops.top_k, [x], {"dimension": dimension, "k": k, "dtype": dtypes.int32})
    few = draw.wild((7,), dtype, denormals=False)
    for count, k, indices in ((60, 20, dtypes.int32), (60, 60, dtypes.int64), (600, 30, dtypes.int32)):
        x = few[draw.integers((count,), dtypes.int32, 0, 7)]
        yield Instance(ops.top_k, [x], {"dimension": 0, "k": k, "dtype": indices})


def _unordered(dtype: np.dtype, count: int, first: int = 0) -> np.ndarray:
    """Special values and plain ones, NaN of both signs among them, none in the order of their sizes."""
    values = (1.0, np.nan, -np.inf, 0.0, -0.0, 2.0, np.inf, np.copysign(np.nan, -1.0), -1.0, -0.0, 0.0, 1.0, -2.0)
    with np.errstate(all="ignore"):
        return np.array([values[(first + 5 * i) % len(values)] for i in range(count)]).astype(dtype)


def special_sort(draw: Draw, dtype: np.dtype) -> Forms:
    """NaN of either sign last, zeros of either sign equal, infinities at the ends; by themselves and with indices."""
    yield Instance(ops.sort, [_unordered(dtype, 29), np.arange(29, dtype=np.int32)], {"dimension": 0, "keys": 1})
    rows = np.stack([_unordered(dtype, 7, i) for i in range(5)])
    yield Instance(ops.sort, [rows], {"dimension": 0, "keys": 1})
    yield Instance(ops.sort, [rows], {"dimension": 1, "keys": 1})


def special_top_k(draw: Draw, dtype: np.dtype) -> Forms:
    """NaN of either sign first, then the infinity; of equal ones the first first."""
    for k in (5, 29):
        yield Instance(ops.top_k, [_unordered(dtype, 29)], {"dimension": 0, "k": k, "dtype": dtypes.int32})
    rows = np.stack([_unordered(dtype, 7, i) for i in range(5)])
    yield Instance(ops.top_k, [rows], {"dimension": 1, "k": 3, "dtype": dtypes.int32})


# Operations that move elements, whose large forms are `large`.
FORMS: Mapping[OperationRecord, Callable[[Draw, np.dtype], Forms]] = {
    ops.broadcast_in_dim: broadcast_in_dim,
    ops.reshape: reshape,
    ops.transpose: transpose,
    ops.slice: slice,
    ops.pad: pad,
    ops.concatenate: concatenate,
    ops.reverse: reverse,
    ops.iota: iota,
    ops.sort: sort,
    ops.top_k: top_k,
}

# Those for which values differ in more than their bits.
SPECIAL_FORMS: Mapping[OperationRecord, Callable[[Draw, np.dtype], Forms]] = {
    ops.sort: special_sort, ops.top_k: special_top_k}


def large(draw: Draw, dtype: np.dtype, name: str) -> Forms:
    """Arrays past blocks, pages and pieces of threads."""
    wide, long = (1023, 65), (100_003,)
    made: dict[str, tuple[tuple[tuple[int, ...], ...], dict[str, object]]] = {
        "transpose": ((wide,), {"permutation": (1, 0)}), "reverse": ((long,), {"dimensions": (0,)}),
        "broadcast_in_dim": (((1023, 1),), {"shape": wide, "dimensions": (0, 1)}),
        "reshape": ((wide,), {"shape": (5, 13, 1023)}),
        "slice": ((wide,), {"starts": (1, 3), "limits": (1022, 64), "strides": (2, 1)}),
        "pad": ((wide, ()), {"low": (3, -1), "high": (-2, 5), "interior": (0, 1)}),
        "concatenate": ((long, (7,), long), {"dimension": 0}), "sort": (((20_011,),), {"dimension": 0, "keys": 1}),
        "top_k": ((long,), {"dimension": 0, "k": 40, "dtype": dtypes.int32}),
        "iota": ((), {"shape": wide, "dimension": 0, "dtype": dtype}),
    }
    shapes, attributes = made[name]
    operands = [draw.wild(shape, dtype, denormals=name not in ("sort", "top_k")) for shape in shapes]
    yield Instance(ops.OPERATIONS[name], operands, attributes)
    if name in ("transpose", "concatenate"):
        turned: dict[str, object] = {"permutation": (2, 0, 1)} if name == "transpose" else {"dimension": 1}
        shape = (33, 70, 29)
        count = 1 if name == "transpose" else 3
        yield Instance(ops.OPERATIONS[name], [draw.wild(shape, dtype) for _ in range(count)], turned)
