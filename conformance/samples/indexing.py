# SPDX-License-Identifier: Apache-2.0
"""Instances of gather and scatter."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from olympus_core import dtypes, ops

from .instance import Draw, Instance

Forms = Iterator[Instance]
_NO_BATCH = {"operand_batching_dims": (), "indices_batching_dims": ()}


def _indices(draw: Draw, shape: Sequence[int], size: int, dtype: np.dtype = dtypes.int32) -> np.ndarray:
    """Places inside and outside of a dimension."""
    found = draw.integers(shape, dtype, 0 if dtype in dtypes.UNSIGNED else -3, size + 3)
    if found.size > 3:  # far outside
        bounds = np.iinfo(dtype)
        found.flat[0], found.flat[1] = bounds.max, bounds.min
    return found


def gather(draw: Draw, dtype: np.dtype) -> Forms:
    """Single elements, rows, windows, batches; windows out of bounds clipped or filled."""
    vector, table = draw.wild((40,), dtype), draw.wild((9, 5), dtype)
    cube, empty = draw.wild((4, 5, 6), dtype), draw.wild((0, 3), dtype)
    for mode in ("clip", "fill"):
        for index in (dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.int8):
            yield Instance(ops.gather, [vector, _indices(draw, (6, 1), 40, index)], {
                "offset_dims": (), "collapsed_slice_dims": (0,), "start_index_map": (0,), "slice_sizes": (1,),
                "mode": mode, **_NO_BATCH})
        yield Instance(ops.gather, [table, _indices(draw, (6, 1), 9)], {
            "offset_dims": (1,), "collapsed_slice_dims": (0,), "start_index_map": (0,), "slice_sizes": (1, 5),
            "mode": mode, **_NO_BATCH})
        yield Instance(ops.gather, [table, _indices(draw, (2, 3, 1), 5)], {
            "offset_dims": (0,), "collapsed_slice_dims": (1,), "start_index_map": (1,), "slice_sizes": (9, 1),
            "mode": mode, **_NO_BATCH})
        yield Instance(ops.gather, [table, _indices(draw, (3, 2, 2), 9)], {
            "offset_dims": (0, 2), "collapsed_slice_dims": (), "start_index_map": (1, 0), "slice_sizes": (2, 3),
            "mode": mode, "fill_value": 3, **_NO_BATCH})
        yield Instance(ops.gather, [table, _indices(draw, (5, 1), 9)], {
            "offset_dims": (), "collapsed_slice_dims": (0,), "start_index_map": (0,), "slice_sizes": (1, 1),
            "mode": mode, "operand_batching_dims": (1,), "indices_batching_dims": (0,)})
        yield Instance(ops.gather, [cube, _indices(draw, (4, 7, 2), 6)], {
            "offset_dims": (2,), "collapsed_slice_dims": (1,), "start_index_map": (2, 1), "slice_sizes": (1, 1, 2),
            "mode": mode, "operand_batching_dims": (0,), "indices_batching_dims": (0,)})
        yield Instance(ops.gather, [cube, _indices(draw, (3,), 5)], {
            "offset_dims": (0, 1), "collapsed_slice_dims": (1,), "start_index_map": (0, 1, 2),
            "slice_sizes": (2, 1, 6), "mode": mode, **_NO_BATCH})
        yield Instance(ops.gather, [table, _indices(draw, (0, 1), 9)], {
            "offset_dims": (1,), "collapsed_slice_dims": (0,), "start_index_map": (0,), "slice_sizes": (1, 5),
            "mode": mode, **_NO_BATCH})
        yield Instance(ops.gather, [table, np.zeros((4, 0), np.int32)], {
            "offset_dims": (1, 2), "collapsed_slice_dims": (), "start_index_map": (), "slice_sizes": (9, 2),
            "mode": mode, **_NO_BATCH})
    yield Instance(ops.gather, [empty, _indices(draw, (4, 1), 3)], {
        "offset_dims": (1,), "collapsed_slice_dims": (0,), "start_index_map": (0,), "slice_sizes": (0, 3),
        "mode": "fill", **_NO_BATCH})


def scatter(draw: Draw, dtype: np.dtype) -> Forms:
    """Every way to combine, elements that are updated once, often and not at all, windows, batches."""
    for combine, mode in itertools.product(("set", "add", "mul", "min", "max"), ("clip", "drop")):
        attributes = {"combine": combine, "mode": mode}
        for index in (dtypes.int32, dtypes.int64):
            yield _scatter(draw, dtype, (40,), _places(draw, (6, 1), 40, combine, index), (6,), {
                "update_window_dims": (), "inserted_window_dims": (0,), "scatter_dims_to_operand_dims": (0,),
                **_NO_BATCH, **attributes})
        yield _scatter(draw, dtype, (9, 5), _places(draw, (4, 1), 9, combine), (4, 5), {
            "update_window_dims": (1,), "inserted_window_dims": (0,), "scatter_dims_to_operand_dims": (0,),
            **_NO_BATCH, **attributes})
        yield _scatter(draw, dtype, (9, 5), np.array([[1, 0], [6, 2], [99, 0]], np.int32), (2, 3, 3), {
            "update_window_dims": (0, 2), "inserted_window_dims": (), "scatter_dims_to_operand_dims": (0, 1),
            **_NO_BATCH, **attributes, "mode": "drop"})
        yield _scatter(draw, dtype, (9, 5), _places(draw, (5, 1), 9, combine), (5,), {
            "update_window_dims": (), "inserted_window_dims": (0,), "scatter_dims_to_operand_dims": (0,),
            "operand_batching_dims": (1,), "indices_batching_dims": (0,), **attributes})
        yield _scatter(draw, dtype, (7,), np.zeros((0, 1), np.int32), (0,), {
            "update_window_dims": (), "inserted_window_dims": (0,), "scatter_dims_to_operand_dims": (0,),
            **_NO_BATCH, **attributes})


def _places(
    draw: Draw, shape: tuple[int, ...], size: int, combine: str, dtype: np.dtype = dtypes.int32
) -> np.ndarray:
    """Places inside and outside; for "set" each once, since which of several stays is nobody's promise."""
    if combine != "set":
        return _indices(draw, shape, size, dtype)
    if draw.source is None:
        return np.zeros(shape, dtype)
    found = draw.source.permutation(np.arange(1, size - 1))[: int(np.prod(shape))]
    found[0], found[-1] = -3, size + 2  # clipped, they are the first and the last
    return np.asarray(found.reshape(shape).astype(dtype))


def _scatter(
    draw: Draw, dtype: np.dtype, shape: tuple[int, ...], indices: np.ndarray, updates: tuple[int, ...],
    attributes: dict[str, object],
) -> Instance:
    array = draw.wild if attributes["combine"] == "set" else draw.calm
    return Instance(ops.scatter, [array(shape, dtype), indices, array(updates, dtype)], attributes)


def special_scatter(draw: Draw, dtype: np.dtype) -> Forms:
    """NaN and infinities in the array and among the updates, met by plain numbers and by each other."""
    nan, inf = np.nan, np.inf
    with np.errstate(all="ignore"):
        array = np.array([nan, 1, inf, 1, -inf, 2, inf, 1, nan, 3]).astype(dtype)
        updates = np.array([1, nan, 1, inf, 1, -inf, -inf, nan, inf, 2, 1]).astype(dtype)
    places = np.array([[0], [1], [2], [3], [4], [5], [6], [7], [8], [1], [7]], np.int32)
    for combine in ("add", "mul", "min", "max"):
        yield Instance(ops.scatter, [array, places, updates], {
            "update_window_dims": (), "inserted_window_dims": (0,), "scatter_dims_to_operand_dims": (0,),
            "combine": combine, "mode": "drop", **_NO_BATCH})


def large_gather(draw: Draw, dtype: np.dtype) -> Forms:
    """Many rows, as an embedding takes them."""
    yield Instance(ops.gather, [draw.wild((1000, 33), dtype), draw.integers((2003, 1), dtypes.int32, 0, 1000)], {
        "offset_dims": (1,), "collapsed_slice_dims": (0,), "start_index_map": (0,), "slice_sizes": (1, 33),
        "mode": "clip", **_NO_BATCH})


def large_scatter(draw: Draw, dtype: np.dtype) -> Forms:
    """Many rows added, as an embedding's gradient is."""
    indices = draw.integers((2003, 1), dtypes.int32, 0, 1000)
    yield _scatter(draw, dtype, (1000, 33), indices, (2003, 33), {
        "update_window_dims": (1,), "inserted_window_dims": (0,), "scatter_dims_to_operand_dims": (0,),
        "combine": "add", "mode": "drop", **_NO_BATCH})
