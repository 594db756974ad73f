# SPDX-License-Identifier: Apache-2.0
"""Instances of products of matrices and of convolutions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from olympus_core import dtypes, ops

from .instance import Draw, Instance

Forms = Iterator[Instance]
Pair = tuple[tuple[int, ...], tuple[int, ...]]


def _array(draw: Draw, shape: Sequence[int], dtype: np.dtype) -> np.ndarray:
    return draw.uniform(shape, dtype, -1, 1) if dtype in dtypes.NARROW_FLOATS else draw.calm(shape, dtype)


def _product(
    draw: Draw, dtype: np.dtype, x: Sequence[int], y: Sequence[int], contracting: Pair, batch: Pair = ((), ()),
    result: np.dtype | None = None,
) -> Instance:
    return Instance(ops.dot_general, [_array(draw, x, dtype), _array(draw, y, dtype)], {
        "lhs_contracting": contracting[0], "rhs_contracting": contracting[1], "lhs_batch": batch[0],
        "rhs_batch": batch[1], "dtype": result})


def dot_general(draw: Draw, dtype: np.dtype) -> Forms:
    """Vectors, matrices in every order, batches, several contracting dimensions, none, empty ones; wider results."""
    for x, y, contracting, batch in (
        ((7,), (7,), ((0,), (0,)), ((), ())), ((), (), ((), ()), ((), ())), ((), (3,), ((), ()), ((), ())),
        ((3,), (5,), ((), ()), ((), ())), ((17, 33), (33, 5), ((1,), (0,)), ((), ())),
        ((33, 17), (5, 33), ((0,), (1,)), ((), ())), ((9, 33), (33,), ((1,), (0,)), ((), ())),
        ((33,), (33, 9), ((0,), (0,)), ((), ())), ((1, 1), (1, 1), ((1,), (0,)), ((), ())),
        ((3, 4, 5), (3, 5, 6), ((2,), (1,)), ((0,), (0,))), ((4, 3, 5), (5, 6, 3), ((2,), (0,)), ((1,), (2,))),
        ((2, 3, 4, 5), (3, 5, 2, 7), ((3,), (1,)), ((0, 1), (2, 0))), ((3, 4), (3, 4), ((), ()), ((0, 1), (0, 1))),
        ((4, 3, 5), (5, 3, 2), ((2, 1), (0, 1)), ((), ())), ((4, 3, 5), (2, 4, 3), ((0, 1), (1, 2)), ((), ())),
        ((3, 0), (0, 4), ((1,), (0,)), ((), ())), ((0, 3), (3, 4), ((1,), (0,)), ((), ())),
        ((0, 3, 4), (0, 4, 2), ((2,), (1,)), ((0,), (0,))),
    ):
        yield _product(draw, dtype, x, y, contracting, batch)
    wider = {d: t for group in (dtypes.SIGNED, dtypes.UNSIGNED, dtypes.COMPLEXES)
             for d, t in zip(group, (*group[1:], group[-1]), strict=True)}
    for target in (dtypes.float32, dtypes.float64) if dtypes.is_float(dtype) else (wider.get(dtype, dtype),):
        if target != dtype:
            yield _product(draw, dtype, (9, 17), (17, 5), ((1,), (0,)), result=target)
            yield _product(draw, dtype, (3, 9, 17), (3, 17, 5), ((2,), (1,)), ((0,), (0,)), result=target)
    if dtypes.is_integer(dtype) and dtype.itemsize < 4:
        narrow = dtypes.int32 if dtype in dtypes.SIGNED else dtypes.uint32
        yield _product(draw, dtype, (9, 17), (17, 5), ((1,), (0,)), result=narrow)
    if dtypes.is_integer(dtype):  # negative sums wrap, and no float is between
        other = dtypes.uint64 if dtype in dtypes.SIGNED else dtypes.int64
        for x, y in (((2, 2), (2, 2)), ((9, 17), (17,)), ((9, 17), (17, 5))):
            yield _product(draw, dtype, x, y, ((1,), (0,)), result=other)


def large_dot_general(draw: Draw, dtype: np.dtype) -> Forms:
    """Blocks and what is left over beside them."""
    yield _product(draw, dtype, (257, 301), (301, 129), ((1,), (0,)))
    yield _product(draw, dtype, (301, 257), (129, 301), ((0,), (1,)))
    yield _product(draw, dtype, (5, 65, 130), (5, 130, 33), ((2,), (1,)), ((0,), (0,)))
    yield _product(draw, dtype, (3000,), (3000,), ((0,), (0,)))
    yield _product(draw, dtype, (513, 700), (700,), ((1,), (0,)))


def special_dot_general(draw: Draw, dtype: np.dtype) -> Forms:
    """One element that is no finite number among small ones: it shows in its row and in no other."""
    rows, width = 6, 9
    x, y = np.full((rows, width), 0.5), np.where(np.arange(width * 4) % 4 == 1, 0.0, 1.0).reshape(width, 4)
    for row, (column, value) in enumerate(((0, np.nan), (8, np.inf), (4, -np.inf), (3, -0.0), (0, 1e4))):
        x[row, column] = value
    x[4, 1] = np.inf
    with np.errstate(all="ignore"):
        left, right = x.astype(dtype), y.astype(dtype)
    attributes = {"lhs_batch": (), "rhs_batch": (), "dtype": None}
    yield Instance(ops.dot_general, [left, right], {"lhs_contracting": (1,), "rhs_contracting": (0,), **attributes})
    turned = [np.ascontiguousarray(right.T), np.ascontiguousarray(left.T)]
    yield Instance(ops.dot_general, turned, {"lhs_contracting": (1,), "rhs_contracting": (0,), **attributes})


def _convolution(
    draw: Draw, dtype: np.dtype, x: Sequence[int], kernel: Sequence[int], strides: tuple[int, ...] = (),
    padding: tuple[tuple[int, int], ...] = (), spread: tuple[int, ...] = (), holes: tuple[int, ...] = (),
    layouts: tuple[str, str, str] | None = None, features: int = 1, batches: int = 1,
) -> Instance:
    count = len(x) - 2
    letters = "HWD"[:count]
    lhs, rhs, out = layouts or (f"NC{letters}", f"OI{letters}", f"NC{letters}")
    return Instance(ops.convolution, [_array(draw, x, dtype), _array(draw, kernel, dtype)], {
        "window_strides": strides or (1,) * count, "padding": padding or ((0, 0),) * count,
        "lhs_dilation": spread or (1,) * count, "rhs_dilation": holes or (1,) * count, "lhs_layout": lhs,
        "rhs_layout": rhs, "out_layout": out, "feature_groups": features, "batch_groups": batches})


def convolution(draw: Draw, dtype: np.dtype) -> Forms:
    """No to three spatial dimensions, layouts, strides, both dilations, groups, padding of either sign, nothing."""
    def make(*arguments: Any, **more: Any) -> Instance:
        return _convolution(draw, dtype, *arguments, **more)

    yield make((2, 3), (4, 3))
    yield make((2, 3, 9), (4, 3, 3))
    yield make((1, 2, 17), (5, 2, 4), strides=(3,), padding=((2, 1),))
    yield make((2, 3, 9, 8), (4, 3, 3, 2))
    yield make((2, 3, 9, 8), (4, 3, 3, 2), (1, 2), ((1, 1), (0, 2)), holes=(2, 1),
               layouts=("NCHW", "OIHW", "NHWC"))
    yield make((2, 9, 8, 3), (3, 2, 3, 4), (2, 1), ((1, 0), (1, 1)), layouts=("NHWC", "HWIO", "NHWC"))
    yield make((2, 3, 5, 4), (4, 3, 3, 3), (1, 1), ((2, 2), (1, 3)), spread=(2, 3))
    yield make((2, 3, 5, 4), (4, 3, 2, 2), (2, 1), ((2, 1), (1, 2)), spread=(2, 1), holes=(1, 2))
    yield make((2, 3, 9, 8), (4, 3, 3, 2), (1, 1), ((-1, -2), (-1, 1)))
    yield make((2, 3, 9, 8), (4, 3, 1, 1))
    yield make((2, 6, 7, 7), (4, 3, 3, 3), features=2)
    yield make((2, 4, 7, 7), (8, 1, 3, 3), (1, 1), ((1, 1), (1, 1)), features=4)
    yield make((4, 3, 7, 7), (6, 3, 3, 3), batches=2)
    yield make((1, 2, 5, 4, 6), (3, 2, 2, 3, 2), (1, 2, 1), ((1, 0), (0, 1), (1, 1)))
    yield make((0, 3, 5, 5), (4, 3, 3, 3))
    yield make((2, 3, 2, 2), (4, 3, 3, 3))
    yield make((2, 0, 5, 5), (4, 0, 3, 3))


def special_convolution(draw: Draw, dtype: np.dtype) -> Forms:
    """One element that is no finite number among small ones: it shows where the kernel meets it, and nowhere else."""
    rows, width = 6, 16
    x = np.full((rows, 1, width), 0.5)
    special = ((0, np.nan), (15, np.inf), (7, -np.inf), (3, -0.0), (8, np.nan), (4, np.inf))
    for row, (column, value) in enumerate(special):
        x[row, 0, column] = value
    x[5, 0, 6] = -np.inf
    with np.errstate(all="ignore"):
        operand, kernel = x.astype(dtype), np.array([[[1.0, 0.0, -1.0]], [[1.0, 0.5, 1.0]]]).astype(dtype)
    yield replace(_convolution(draw, dtype, operand.shape, kernel.shape, padding=((1, 1),)), operands=[operand, kernel])


def large_convolution(draw: Draw, dtype: np.dtype) -> Forms:
    """As models have them."""
    yield _convolution(draw, dtype, (2, 16, 33, 31), (24, 16, 3, 3), padding=((1, 1), (1, 1)))
    yield _convolution(draw, dtype, (2, 33, 31, 16), (3, 3, 16, 24), (2, 2), ((1, 1), (1, 1)),
                       layouts=("NHWC", "HWIO", "NHWC"))
