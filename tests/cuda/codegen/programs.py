# SPDX-License-Identifier: Apache-2.0
"""Programs of the classes that loops come in, for arrays of any size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import Program, Value

from ...toolkit.fusion.test_plans import Writer

Writes = Callable[[Writer, int, int], Value]


def chain(w: Writer, m: int, n: int) -> Value:
    """sin(x) x + x: neighbours are independent."""
    x = w.array(m, n)
    return w.of(ops.add, w.of(ops.mul, w.of(ops.sin, x), x), x)


def softmax(w: Writer, m: int, n: int) -> Value:
    """Rows that are gone through three times."""
    return w.softmax(w.array(m, n), 1)


def softmax_of_columns(w: Writer, m: int, n: int) -> Value:
    """The same of columns."""
    return w.softmax(w.array(m, n), 0)


def layernorm(w: Writer, m: int, n: int) -> Value:
    """Rows with two sums."""
    x = w.array(m, n)
    size = w.number(n, x)
    less = w.of(ops.sub, x, w.of(ops.div, w.total(ops.reduce_sum, x, 1), size))
    variance = w.of(ops.div, w.total(ops.reduce_sum, w.of(ops.mul, less, less), 1), size)
    return w.of(ops.mul, less, w.of(ops.rsqrt, w.of(ops.add, variance, w.number(1e-5, x))))


def sum_of_rows(w: Writer, m: int, n: int) -> Value:
    """A sum for each row."""
    return w.of(ops.reduce_sum, w.array(m, n), dimensions=(1,))


def sum_of_columns(w: Writer, m: int, n: int) -> Value:
    """A sum for each column."""
    return w.of(ops.reduce_sum, w.array(m, n), dimensions=(0,))


def sum_of_all(w: Writer, m: int, n: int) -> Value:
    """One sum."""
    return w.of(ops.reduce_sum, w.of(ops.cos, w.array(m, n)), dimensions=(0, 1))


def transposed(w: Writer, m: int, n: int) -> Value:
    """Another order of elements, with something to compute."""
    x = w.array(m, n)
    return w.of(ops.neg, w.of(ops.transpose, x, permutation=(1, 0)))


def shifted(w: Writer, m: int, n: int) -> Value:
    """Neighbours that do not begin where vectors do."""
    x = w.array(m, n + 1)
    first, second = (w.of(ops.slice, x, starts=(0, d), limits=(m, n + d), strides=(1, 1)) for d in range(2))
    return w.of(ops.sub, second, first)


def joined(w: Writer, m: int, n: int) -> Value:
    """Elements of one or the other array, with edges."""
    x = w.of(ops.concatenate, w.array(m, n), w.array(m, 4), dimension=1)
    zero = w.of(ops.constant, value=np.asarray(7, np.float32))
    return w.of(ops.pad, x, zero, low=(1, 0), high=(0, 4), interior=(0, 0))


def place_of_extreme(w: Writer, m: int, n: int) -> Value:
    """Two reductions of different types."""
    return w.of(ops.argmax, w.array(m, n), dimension=1, dtype=dtypes.int32)


def running_sum(w: Writer, m: int, n: int) -> Value:
    """Iterations that wait for each other."""
    return w.of(ops.cumsum, w.array(m, n), dimension=1, reverse=False)


def running_sum_of_columns(w: Writer, m: int, n: int) -> Value:
    """The same along the other dimension, from its end."""
    return w.of(ops.cumsum, w.array(m, n), dimension=0, reverse=True)


def running_maximum(w: Writer, m: int, n: int) -> Value:
    """One of all rows, of what is computed first, from its end."""
    x = w.of(ops.transpose, w.of(ops.sin, w.array(m, n)), permutation=(1, 0))
    return w.of(ops.cummax, w.of(ops.reshape, x, shape=(m * n,)), dimension=0, reverse=True)


def scaled_rows(w: Writer, m: int, n: int) -> Value:
    """Rows less their mean, by factors that all of them share."""
    x, factors = w.array(m, n), w.array(n)
    less = w.of(ops.sub, x, w.of(ops.div, w.total(ops.reduce_sum, x, 1), w.number(n, x)))
    return w.of(ops.mul, less, w.of(ops.broadcast_in_dim, factors, shape=(m, n), dimensions=(1,)))


def scattered_rows(w: Writer, m: int, n: int) -> Value:
    """Rows added to some rows, one twice."""
    x = w.array(m, n)
    places = w.of(ops.constant, value=np.array([[0], [m - 1], [0]], np.int32))
    return w.of(ops.scatter, x, places, w.array(3, n), update_window_dims=(1,), inserted_window_dims=(0,),
                scatter_dims_to_operand_dims=(0,), operand_batching_dims=(), indices_batching_dims=(),
                mode="drop", combine="add")


def scattered_again(w: Writer, m: int, n: int) -> Value:
    """Many rows multiplied into few, one after the other, at places that the program is given; some are outside."""
    x, size = w.array(5, n), 20 * m
    places = w.of(ops.convert, w.of(ops.mul, w.array(size, 1), w.of(ops.constant, value=np.full((size, 1), 3, "f4"))),
                  dtype=dtypes.int32)
    return w.of(ops.scatter, x, places, w.array(size, n), update_window_dims=(1,), inserted_window_dims=(0,),
                scatter_dims_to_operand_dims=(0,), operand_batching_dims=(), indices_batching_dims=(),
                mode="drop", combine="mul")


def scattered_elements(w: Writer, m: int, n: int) -> Value:
    """Elements added up by place."""
    x = w.array(m * n)
    places = w.of(ops.reshape, w.of(ops.rem, w.of(ops.iota, shape=(m * n,), dtype=dtypes.int32, dimension=0),
                                    w.of(ops.constant, value=np.full(m * n, 7, np.int32))), shape=(m * n, 1))
    return w.of(ops.scatter, w.array(9), places, x, update_window_dims=(), inserted_window_dims=(0,),
                scatter_dims_to_operand_dims=(0,), operand_batching_dims=(), indices_batching_dims=(),
                mode="drop", combine="add")


PROGRAMS: tuple[Writes, ...] = (
    chain, softmax, softmax_of_columns, layernorm, sum_of_rows, sum_of_columns, sum_of_all, transposed,
    shifted, joined, place_of_extreme, running_sum, running_sum_of_columns, running_maximum,
    scaled_rows, scattered_rows, scattered_again,
    scattered_elements,
)


def written(function: Writes, m: int, n: int) -> tuple[Program, list[Any]]:
    """A program and inputs for it."""
    writer, rng = Writer(function.__name__), np.random.default_rng(m * n)
    program = writer.finish([function(writer, m, n)])
    return program, [rng.normal(size=v.type.shape).astype(v.type.dtype) for v in program.inputs]
