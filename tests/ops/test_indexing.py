# SPDX-License-Identifier: Apache-2.0
"""Gather and scatter: against their definition, one element at a time."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core import dtypes, ops
from olympus_core.errors import OperandError

from .factor_check import apply, check_factors, described

bounded = settings(max_examples=120, deadline=None)


def source_of(index, x_shape, indices, sizes, window_dims, removed, index_map, batching, clip):
    """The operand's index behind an element of the windows; None where its window lies outside."""
    batch = [i for d, i in enumerate(index) if d not in window_dims]
    start = [0] * len(x_shape)
    for k, d in enumerate(index_map):
        first = int(indices[(*batch, k)])
        last = x_shape[d] - sizes[d]
        if not 0 <= first <= last and not clip:
            return None
        start[d] = min(max(first, 0), last)
    for d, i in zip(*batching, strict=True):
        start[d] = batch[i]
    inner = iter(index[d] for d in window_dims)
    return tuple(
        s if d in removed or d in batching[0] else s + next(inner) for d, s in enumerate(start)
    )


@st.composite
def situations(draw):
    """An operand, indices and how windows lie in it, for gather and scatter alike."""
    x_shape = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    roles = [draw(st.sampled_from(["window", "removed", "batch"])) for _ in x_shape]
    x_batch = [d for d, role in enumerate(roles) if role == "batch"]
    removed = [d for d, role in enumerate(roles) if role == "removed"]
    kept = [d for d, role in enumerate(roles) if role == "window"]
    mapped = draw(st.permutations([d for d in range(len(x_shape)) if d not in x_batch]))
    mapped = mapped[: draw(st.integers(0, len(mapped)))]
    batch_shape = [x_shape[d] for d in x_batch]
    order = draw(st.permutations(range(len(x_batch))))
    entries = [(batch_shape[i], i) for i in order]
    for n in draw(st.lists(st.integers(1, 3), max_size=2)):
        entries.insert(draw(st.integers(0, len(entries))), (n, None))
    index_batch = [next(p for p, e in enumerate(entries) if e[1] == i) for i in range(len(x_batch))]
    shape = [n for n, _ in entries] + [len(mapped)]
    sizes = [
        draw(st.just(n) | st.integers(1, n)) if role == "window" else 1 for n, role in zip(x_shape, roles, strict=True)
    ]
    dtype = draw(st.sampled_from([np.int32, np.int64, np.int8]))
    count = int(np.prod(shape))
    indices = np.array([draw(st.integers(-2, 4)) for _ in range(count)], dtype).reshape(shape)
    ndim = len(kept) + len(entries)
    window_dims = sorted(draw(st.permutations(range(ndim)))[: len(kept)])
    return {
        "x_shape": tuple(x_shape), "indices": indices, "sizes": tuple(sizes), "window_dims": tuple(window_dims),
        "removed": tuple(removed), "index_map": tuple(mapped), "batching": (tuple(x_batch), tuple(index_batch)),
        "ndim": ndim,
    }


def gather_attributes(case, mode, fill_value=None):
    return {
        "offset_dims": case["window_dims"], "collapsed_slice_dims": case["removed"],
        "start_index_map": case["index_map"], "operand_batching_dims": case["batching"][0],
        "indices_batching_dims": case["batching"][1], "slice_sizes": case["sizes"], "mode": mode,
        "fill_value": fill_value,
    }


def scatter_attributes(case, mode, combine):
    return {
        "update_window_dims": case["window_dims"], "inserted_window_dims": case["removed"],
        "scatter_dims_to_operand_dims": case["index_map"], "operand_batching_dims": case["batching"][0],
        "indices_batching_dims": case["batching"][1], "combine": combine, "mode": mode,
    }


def windows_shape(case):
    window = iter(case["sizes"][d] for d in range(len(case["x_shape"]))
                  if d not in case["removed"] and d not in case["batching"][0])
    batch = iter(case["indices"].shape[:-1])
    return tuple(next(window) if d in case["window_dims"] else next(batch) for d in range(case["ndim"]))


def place(index, case, clip):
    keys = ("x_shape", "indices", "sizes", "window_dims", "removed", "index_map", "batching")
    return source_of(index, *(case[k] for k in keys), clip)


@bounded
@given(situations(), st.sampled_from(["clip", "fill"]))
def test_gather(case, mode):
    x = np.arange(np.prod(case["x_shape"], dtype=int)).reshape(case["x_shape"]).astype(np.float32)
    attributes = gather_attributes(case, mode, -7)
    (result,) = apply(ops.gather, [x, case["indices"]], **attributes)
    assert result.shape == windows_shape(case)
    for index in np.ndindex(*result.shape):
        source = place(index, case, mode == "clip")
        assert result[index] == (-7 if source is None else x[source])
    check_factors(ops.gather, [x, case["indices"]], **attributes)


COMBINE = {"set": lambda a, b: b, "add": lambda a, b: a + b, "mul": lambda a, b: a * b, "min": min, "max": max}


@bounded
@given(situations(), st.sampled_from(["clip", "drop"]), st.sampled_from(list(COMBINE)))
def test_scatter(case, mode, combine):
    x = np.arange(np.prod(case["x_shape"], dtype=int)).reshape(case["x_shape"]) % 7
    shape = windows_shape(case)
    updates = np.arange(np.prod(shape, dtype=int)).reshape(shape) % 5 - 1
    attributes = scatter_attributes(case, mode, combine)
    (result,) = apply(ops.scatter, [x, case["indices"], updates], **attributes)
    expected = x.copy()
    for index in np.ndindex(*shape):
        source = place(index, case, mode == "clip")
        if source is not None:
            expected[source] = COMBINE[combine](expected[source], updates[index])
    np.testing.assert_array_equal(result, expected)
    check_factors(ops.scatter, [x, case["indices"], updates], **attributes)


TAKE = {"offset_dims": (1,), "collapsed_slice_dims": (0,), "start_index_map": (0,), "operand_batching_dims": (),
        "indices_batching_dims": (), "slice_sizes": (1, 6), "mode": "fill", "fill_value": None}
ALONG = {"offset_dims": (), "collapsed_slice_dims": (1,), "start_index_map": (1,), "operand_batching_dims": (0,),
         "indices_batching_dims": (0,), "slice_sizes": (1, 1), "mode": "clip", "fill_value": None}


def test_gather_rules():
    x = np.arange(24.0).reshape(4, 6)
    rows = np.array([[3], [0], [1], [9]])
    assert described(check_factors(ops.gather, [x, rows], **TAKE)) == "ab, cd -> cb; a sum, d whole"
    places = np.zeros((4, 2, 1), np.int32)
    assert described(check_factors(ops.gather, [x, places], **ALONG)) == "ab, acd -> ac; b sum, d whole"
    part = {**TAKE, "slice_sizes": (1, 2)}
    assert described(check_factors(ops.gather, [x, rows], **part)) == "ab, cd -> ce; a sum, b whole, d whole, e whole"


INTO_ROWS = {"update_window_dims": (1,), "inserted_window_dims": (0,), "scatter_dims_to_operand_dims": (0,),
             "operand_batching_dims": (), "indices_batching_dims": (), "mode": "drop"}


def test_scatter_rules():
    x, rows, updates = np.arange(24.0).reshape(4, 6), np.array([[3], [0], [3], [9]]), np.ones((4, 6)) * 5
    for combine in COMBINE:
        rule = check_factors(ops.scatter, [x, rows, updates], **INTO_ROWS, combine=combine)
        kind = combine if combine in ("min", "max") else "whole"
        assert described(rule) == f"ab, cd, cb -> ab; c {kind}, d whole"


@pytest.mark.parametrize(("dtype", "fill"), [
    (np.float32, np.nan), (ml_dtypes.bfloat16, np.nan), (np.complex64, np.nan), (np.int8, -128), (np.uint16, 65535),
    (bool, True),
])
def test_the_default_fill_value(dtype, fill):
    (result,) = apply(ops.gather, [np.zeros((2, 6), dtype), np.array([[5]])], **TAKE)
    np.testing.assert_array_equal(result.astype(np.complex128).real, np.full((1, 6), fill, np.float64))


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
def test_every_type(dtype):
    x = (np.arange(24).reshape(4, 6) % 2).astype(dtype)
    rows = np.array([[3], [1]])
    np.testing.assert_array_equal(apply(ops.gather, [x, rows], **TAKE)[0], x[[3, 1]])
    (result,) = apply(ops.scatter, [x, rows, x[:2, ::-1]], **INTO_ROWS, combine="set")
    np.testing.assert_array_equal(result[[3, 1, 0, 2]], np.concatenate([x[:2, ::-1], x[[0, 2]]]))


def test_great_unsigned_indices_and_nothing_to_take_from():
    x = np.arange(24.0).reshape(4, 6)
    far = np.array([[2**64 - 1], [2**63]], np.uint64)
    assert np.isnan(apply(ops.gather, [x, far], **TAKE)[0]).all()
    np.testing.assert_array_equal(apply(ops.gather, [x, far], **{**TAKE, "mode": "clip"})[0], x[[3, 3]])
    (result,) = apply(ops.scatter, [x, far, x[:2]], **INTO_ROWS, combine="add")
    np.testing.assert_array_equal(result, x)
    empty = np.zeros((0, 6))
    sizes = {**TAKE, "slice_sizes": (0, 6)}
    assert np.isnan(apply(ops.gather, [empty, np.array([[0]])], **sizes)[0]).all()
    assert apply(ops.gather, [x, np.zeros((0, 1), int)], **TAKE)[0].shape == (0, 6)
    with pytest.raises(OperandError, match="take nothing"):
        apply(ops.gather, [empty, np.array([[0]])], **{**sizes, "mode": "clip"})


def test_narrow_floats_are_accumulated_in_float32():
    x = np.zeros((1, 1), ml_dtypes.bfloat16)
    (result,) = apply(ops.scatter, [x, np.zeros((3000, 1), int), np.ones((3000, 1), x.dtype)], **INTO_ROWS,
                      combine="add")
    assert float(result[0, 0]) == float(np.asarray(3000).astype(x.dtype))


@pytest.mark.parametrize("change", [
    {"offset_dims": (2,)}, {"offset_dims": ()}, {"collapsed_slice_dims": (2,)}, {"start_index_map": (0, 1)},
    {"slice_sizes": (2, 6)}, {"slice_sizes": (1, 7)}, {"mode": "drop"}, {"slice_sizes": (1,)},
    {"operand_batching_dims": (0,), "indices_batching_dims": (0,)}, {"operand_batching_dims": (1,)},
])
def test_gather_refuses(change):
    with pytest.raises(OperandError, match="gather"):
        apply(ops.gather, [np.zeros((4, 6)), np.zeros((4, 1), int)], **{**TAKE, **change})


@pytest.mark.parametrize(("change", "updates", "dtype"), [
    ({"combine": "sub"}, (4, 6), np.float32), ({"mode": "fill"}, (4, 6), np.float32), ({}, (3, 6), np.float32),
    ({}, (4, 7), np.float32), ({}, (4,), np.float32), ({"combine": "add"}, (4, 6), bool),
    ({"combine": "max"}, (4, 6), np.complex64),
])
def test_scatter_refuses(change, updates, dtype):
    attributes = {**INTO_ROWS, "combine": "set", **change}
    with pytest.raises(OperandError, match="scatter"):
        apply(ops.scatter, [np.zeros((4, 6), dtype), np.zeros((4, 1), int), np.zeros(updates, dtype)], **attributes)
