# SPDX-License-Identifier: Apache-2.0
"""Every operation of the set through a plan, against the interpreter."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core import dtypes, ops
from olympus_core.errors import OperandError
from olympus_core.toolkit.fusion import FusionOptions

from ...ops.test_indexing import gather_attributes, scatter_attributes, situations, windows_shape
from .running import compare, kinds, single

# Small blocks and tiles, so that small arrays meet all ways of cutting loops.
SMALL = FusionOptions(lane_tile=4, lane_block=8, serial_block=4, reduction_block=16, parallelism=4, transpose_tile=8,
                      short_row=3, stream_rows=2, stream_columns=3, stream_tile=4, longest_column=16)
SECTIONS = replace(SMALL, sections=48, section_block=32)
RNG = np.random.default_rng(7)
UNARY = [r for r in ops.OPERATIONS.values() if r.category == "elementwise"]
REDUCTIONS = [r for r in ops.OPERATIONS.values() if r.name.startswith("reduce_") and r.category == "reduction"]


def sample(shape: Any, dtype: np.dtype) -> np.ndarray:
    """Numbers of a type, some of them special."""
    if dtypes.is_bool(dtype):
        return RNG.random(shape) < 0.5
    if dtypes.is_integer(dtype):
        return RNG.integers(0 if dtype.kind == "u" else -5, 6, shape).astype(dtype)
    if dtypes.is_complex(dtype):
        return (RNG.normal(size=shape) + 1j * RNG.normal(size=shape)).astype(dtype)
    return RNG.normal(size=shape).astype(dtype)


def takes(record: Any, *operands: np.ndarray, **attributes: Any) -> bool:
    """Whether an operation has such operands."""
    try:
        single(record, operands, **attributes)
    except OperandError:
        return False
    return True


@pytest.mark.parametrize("record", UNARY, ids=lambda r: r.name)
def test_elementwise(record):
    count, words = 0, sample((3, 5), dtypes.uint32)
    for dtype in (dtypes.bool_, dtypes.int8, dtypes.int32, dtypes.uint64, dtypes.bfloat16, dtypes.float32,
                  dtypes.float64, dtypes.complex64):
        x, y, z = (sample((3, 5), dtype) for _ in range(3))
        attributes = {"convert": {"dtype": dtypes.float32}, "bitcast_convert": {"dtype": dtypes.int32}}
        given_attributes = attributes.get(record.name, {})
        for operands in ([x], [x, y], [x, y, z], [sample((3, 5), dtypes.bool_), x, y], [words] * 4):
            if takes(record, *operands, **given_attributes):
                plan = compare(single(record, operands, **given_attributes), operands)
                assert kinds(plan) in (["kernel"], ["view"], [])
                count += 1
    assert count


@pytest.mark.parametrize("options", [FusionOptions(), SMALL], ids=["usual", "small"])
@pytest.mark.parametrize("record", REDUCTIONS, ids=lambda r: r.name)
def test_reductions(record, options):
    for shape, dimensions in [
        ((7,), (0,)), ((3, 20), (1,)), ((3, 20), (0,)), ((4, 3, 5), (1,)), ((4, 3, 5), (0, 2)), ((4, 3, 5), (0, 1, 2)),
        ((3, 2), (1,)), ((50,), (0,)), ((67,), (0,)), ((40, 3), (0,)), ((2, 31), (1,)), ((1, 6), (0,)), ((2, 3), ()),
        ((2, 37, 2), (1,)), ((9, 2), (1,)), ((), ()),
    ]:
        for dtype in (dtypes.bool_, dtypes.int8, dtypes.uint32, dtypes.float16, dtypes.bfloat16, dtypes.float32,
                      dtypes.complex64):
            x = sample(shape, dtype)
            if takes(record, x, dimensions=dimensions):
                compare(single(record, [x], dimensions=dimensions), [x], options)


def test_extremes_carry_nan():
    x = np.array([[1, np.nan, 3], [np.inf, 2, -np.inf], [np.nan, np.nan, 0]], np.float32)
    for record in (ops.reduce_max, ops.reduce_min):
        compare(single(record, [x], dimensions=(1,)), [x])
    for record in (ops.argmax, ops.argmin):
        for dimension in range(2):
            compare(single(record, [x], dimension=dimension, dtype=dtypes.int32), [x])


@pytest.mark.parametrize("options", [FusionOptions(), SMALL], ids=["usual", "small"])
@pytest.mark.parametrize("record", [ops.argmax, ops.argmin], ids=lambda r: r.name)
def test_places_of_extremes(record, options):
    shapes = [((7,), 0), ((3, 20), 1), ((3, 20), 0), ((4, 3, 5), 1), ((61,), 0), ((64,), 0), ((2, 1), 1)]
    for shape, dimension in shapes:
        for dtype in (dtypes.bool_, dtypes.int8, dtypes.bfloat16, dtypes.float32):
            x = sample(shape, dtype)
            x = x.round() if dtype == dtypes.float32 else x  # several of the same
            compare(single(record, [x], dimension=dimension, dtype=dtypes.int16), [x], options)


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "cummax", "cummin"])
def test_running_reductions(name):
    for shape, dimension in [((7,), 0), ((3, 9), 1), ((9, 3), 0), ((4, 5, 3), 1), ((3, 1), 1)]:
        for dtype in (dtypes.int8, dtypes.bfloat16, dtypes.float32):
            for reverse in (False, True):
                x = sample(shape, dtype)
                attributes = {"dimension": dimension, "reverse": reverse}
                for options in (FusionOptions(), SMALL):
                    compare(single(ops.OPERATIONS[name], [x], **attributes), [x], options)
    zero = np.array([-0.0, -0.0], np.float32)
    plan = compare(single(ops.cumsum, [zero], dimension=0, reverse=False), [zero])
    assert kinds(plan) == ["kernel"]


X = np.arange(24, dtype=np.float32).reshape(4, 6)
MOVES = [
    (ops.broadcast_in_dim, [X], {"shape": (2, 4, 3, 6), "dimensions": (1, 3)}),
    (ops.broadcast_in_dim, [X[:, :1]], {"shape": (4, 5), "dimensions": (0, 1)}),
    (ops.broadcast_in_dim, [X[0, 0]], {"shape": (4, 5), "dimensions": ()}),
    (ops.reshape, [X], {"shape": (3, 8)}),
    (ops.transpose, [X], {"permutation": (1, 0)}),
    (ops.transpose, [X.reshape(2, 3, 4)], {"permutation": (2, 0, 1)}),
    (ops.transpose, [X.reshape(2, 1, 3, 4)], {"permutation": (0, 2, 1, 3)}),
    (ops.transpose, [np.arange(2000, dtype=np.int16).reshape(40, 50)], {"permutation": (1, 0)}),
    (ops.transpose, [np.arange(3000, dtype=np.int32).reshape(3, 10, 100)], {"permutation": (0, 2, 1)}),
    (ops.slice, [X], {"starts": (1, 0), "limits": (4, 6), "strides": (2, 3)}),
    (ops.slice, [X], {"starts": (1, 2), "limits": (2, 3), "strides": (1, 1)}),
    (ops.slice, [X], {"starts": (1, 2), "limits": (1, 3), "strides": (1, 1)}),
    (ops.pad, [X, np.float32(7)], {"low": (1, 0), "high": (0, 2), "interior": (0, 0)}),
    (ops.pad, [X, np.float32(7)], {"low": (-1, 2), "high": (2, -3), "interior": (1, 2)}),
    (ops.pad, [X, np.float32(7)], {"low": (-4, 0), "high": (3, 0), "interior": (0, 0)}),
    (ops.pad, [X[:0], np.float32(7)], {"low": (2, 0), "high": (0, 0), "interior": (0, 0)}),
    (ops.concatenate, [X, X[:1], X[:0], X[1:3]], {"dimension": 0}),
    (ops.concatenate, [X, X[:, 2:4]], {"dimension": 1}),
    (ops.concatenate, [X], {"dimension": 1}),
    (ops.reverse, [X], {"dimensions": (0, 1)}),
    (ops.reverse, [X], {"dimensions": (1,)}),
    (ops.dynamic_slice, [X, np.int32(2), np.int64(-3)], {"sizes": (3, 2)}),
    (ops.dynamic_slice, [X, np.int8(1), np.uint8(200)], {"sizes": (4, 2)}),
    (ops.dynamic_slice, [X[0], np.uint64(2**63 + 5)], {"sizes": (2,)}),
    (ops.dynamic_update_slice, [X, X[:2, :3] + 100, np.int32(1), np.int32(9)], {}),
    (ops.dynamic_update_slice, [X, X[:4, :1] + 100, np.int32(1), np.int32(-2)], {}),
    (ops.dynamic_update_slice, [X[:1, 0], X[:1, 1], np.int32(1)], {}),
    (ops.iota, [], {"shape": (3, 4), "dtype": dtypes.int32, "dimension": 1}),
    (ops.iota, [], {"shape": (300, 1), "dtype": dtypes.uint8, "dimension": 0}),
    (ops.iota, [], {"shape": (3, 300), "dtype": dtypes.bfloat16, "dimension": 1}),
    (ops.iota, [], {"shape": (5,), "dtype": dtypes.complex64, "dimension": 0}),
    (ops.constant, [], {"value": np.full((3, 2), 5, np.float32)}),
    (ops.constant, [], {"value": X}),
    (ops.bitcast_convert, [X], {"dtype": dtypes.int32}),
    (ops.threefry2x32, [np.arange(4, dtype=np.uint32)] * 4, {}),
    (ops.random_bits, [np.array([1, 2], np.uint32)], {"shape": (3, 5), "global_shape": (3, 5), "dtype": dtypes.uint32}),
    (ops.random_bits, [np.array([1, 2], np.uint32), np.int32(2), np.int32(5)],
     {"shape": (3, 5), "global_shape": (10, 10), "dtype": dtypes.uint8}),
    (ops.random_bits, [np.array([1, 2], np.uint32), np.int32(2), np.int32(5)],
     {"shape": (3, 5), "global_shape": (1 << 20, 1 << 14), "dtype": dtypes.uint64}),
    (ops.random_bits, [np.array([1, 2], np.uint32)], {"shape": (), "global_shape": (), "dtype": dtypes.uint64}),
]


@pytest.mark.parametrize("case", MOVES, ids=lambda c: c[0].name)
def test_moves(case):
    record, operands, attributes = case
    for options in (FusionOptions(), SMALL, SECTIONS):
        compare(single(record, operands, **attributes), operands, options)


@settings(max_examples=150)
@given(situations(), st.sampled_from(["clip", "fill"]))
def test_gather(case, mode):
    x = np.arange(np.prod(case["x_shape"], dtype=int)).reshape(case["x_shape"]).astype(np.float32)
    attributes = gather_attributes(case, mode)
    compare(single(ops.gather, [x, case["indices"]], **attributes), [x, case["indices"]])


@settings(max_examples=150)
@given(situations(), st.sampled_from(["clip", "drop"]), st.sampled_from(["set", "add", "mul", "min", "max"]),
       st.sampled_from([dtypes.int64, dtypes.bfloat16]))
def test_scatter(case, mode, combine, dtype):
    x = (np.arange(np.prod(case["x_shape"], dtype=int)).reshape(case["x_shape"]) % 7).astype(dtype)
    shape = windows_shape(case)
    updates = (np.arange(np.prod(shape, dtype=int)).reshape(shape) % 5 - 1).astype(dtype)
    attributes = scatter_attributes(case, mode, combine)
    operands = [x, case["indices"], updates]
    plan = compare(single(ops.scatter, operands, **attributes), operands)
    assert "scatter" not in kinds(plan) or not updates.size or not case["indices"].size
