# SPDX-License-Identifier: Apache-2.0
"""Random programs over the operation set; all numbers stay small and whole, so that results are exact."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from olympus_core import ops
from olympus_core.placement import Mesh
from olympus_core.program import ArrayType, AxisGroup, OperationRecord, Program, ProgramBuilder, Value

from .oracle import placements

SIZES = (1, 2, 3, 4, 6, 8, 16)
DTYPE = "float64"


class Generator:
    """Draws one program.

    Args:
        draw: Hypothesis' draw.
        mesh: For sharding constraints.
    """

    def __init__(self, draw: st.DrawFn, mesh: Mesh) -> None:
        self.draw, self.mesh = draw, mesh
        self.builder = ProgramBuilder("random")
        self.pool: list[Value] = []

    def pick(self, options: Any) -> Any:
        return self.draw(st.sampled_from(list(options)))

    def value(self, least: int = 0) -> Value | None:
        fitting = [v for v in self.pool if v.type.ndim >= least]
        return self.pick(fitting) if fitting else None

    def emit(self, record: OperationRecord, *operands: Value, **attributes: Any) -> Value:
        return self.builder.emit(record, operands, attributes, location=f"random.py:{len(self.builder.operations)}")[0]

    def bounded(self, value: Value) -> Value:
        """Keeps numbers small after operations that make them grow."""
        low = self.full(value.type.shape, -8)
        return self.emit(ops.clamp, low, value, self.full(value.type.shape, 8))

    def full(self, shape: tuple[int, ...], number: float) -> Value:
        scalar = self.emit(ops.constant, value=np.array(number, DTYPE))
        return self.emit(ops.broadcast_in_dim, scalar, shape=shape, dimensions=())

    def shape(self, most: int = 3) -> tuple[int, ...]:
        return tuple(self.pick(SIZES) for _ in range(self.draw(st.integers(0, most))))

    def like(self, value: Value) -> Value:
        """Another value of the same shape, from the pool where there is one."""
        same = [v for v in self.pool if v.type is value.type]
        return self.pick(same)

    def step(self) -> None:
        """Adds one operation, or nothing where the one drawn does not fit."""
        made = self.pick(_STEPS)(self)
        if made is not None and made.type.size <= 4096 and made.type.ndim <= 4:
            self.pool.append(made)


def _unary(m: Generator) -> Value | None:
    return m.emit(m.pick([ops.neg, ops.abs, ops.sign]), m.pick(m.pool))


def _binary(m: Generator) -> Value | None:
    x = m.pick(m.pool)
    y = m.like(x)
    return m.bounded(m.emit(m.pick([ops.add, ops.sub, ops.mul, ops.max, ops.min]), x, y))


def _linear(m: Generator) -> Value | None:
    """Sums stay partial through these, so no bound is put on them."""
    x = m.pick(m.pool)
    return m.emit(m.pick([ops.add, ops.sub]), x, m.like(x))


def _select(m: Generator) -> Value | None:
    x = m.pick(m.pool)
    y = m.like(x)
    return m.emit(ops.select, m.emit(m.pick([ops.lt, ops.ge]), x, m.like(x)), x, y)


def _broadcast(m: Generator) -> Value | None:
    x = m.pick(m.pool)
    new = m.shape(2)
    place = m.draw(st.integers(0, len(new)))
    shape = (*new[:place], *x.type.shape, *new[place:])
    dims = tuple(range(place, place + x.type.ndim))
    return m.emit(ops.broadcast_in_dim, x, shape=shape, dimensions=dims)


def _reshape(m: Generator) -> Value | None:
    x = m.pick(m.pool)
    left, shape = x.type.size, []
    while left > 1 and len(shape) < 3:
        size = m.pick([n for n in range(1, left + 1) if left % n == 0])
        shape.append(size)
        left //= size
    return m.emit(ops.reshape, x, shape=(*shape, left) if left != 1 or not shape else tuple(shape))


def _transpose(m: Generator) -> Value | None:
    x = m.value(1)
    return x and m.emit(ops.transpose, x, permutation=tuple(m.draw(st.permutations(range(x.type.ndim)))))


def _slice(m: Generator) -> Value | None:
    x = m.value(1)
    if x is None:
        return None
    starts = tuple(m.draw(st.integers(0, max(n - 1, 0))) for n in x.type.shape)
    limits = tuple(m.draw(st.integers(min(a + 1, n), n)) for a, n in zip(starts, x.type.shape, strict=True))
    strides = tuple(m.pick((1, 1, 2)) for _ in starts)
    return m.emit(ops.slice, x, starts=starts, limits=limits, strides=strides)


def _pad(m: Generator) -> Value | None:
    x = m.value(1)
    if x is None:
        return None
    low, high = (tuple(m.draw(st.integers(0, 4)) for _ in x.type.shape) for _ in range(2))
    return m.emit(ops.pad, x, m.full((), 2), low=low, high=high, interior=(0,) * x.type.ndim)


def _concatenate(m: Generator) -> Value | None:
    x = m.value(1)
    if x is None:
        return None
    return m.emit(ops.concatenate, x, m.like(x), dimension=m.draw(st.integers(0, x.type.ndim - 1)))


def _reverse(m: Generator) -> Value | None:
    x = m.value(1)
    return x and m.emit(ops.reverse, x, dimensions=(m.draw(st.integers(0, x.type.ndim - 1)),))


def _reduce(m: Generator) -> Value | None:
    x = m.value(1)
    if x is None:
        return None
    dims = tuple(sorted(m.draw(st.sets(st.integers(0, x.type.ndim - 1), min_size=1))))
    return m.emit(m.pick([ops.reduce_sum, ops.reduce_max, ops.reduce_min]), x, dimensions=dims)


def _dot(m: Generator) -> Value | None:
    x = m.value(1)
    if x is None:
        return None
    d = m.draw(st.integers(0, x.type.ndim - 1))
    fitting = [(v, e) for v in m.pool for e, n in enumerate(v.type.shape) if n == x.type.shape[d]]
    y, e = m.pick(fitting)
    made = m.emit(
        ops.dot_general, x, y, lhs_contracting=(d,), rhs_contracting=(e,), lhs_batch=(), rhs_batch=(), dtype=None
    )
    return made if m.draw(st.booleans()) else m.bounded(made)


def _along(m: Generator) -> Value | None:
    x = m.value(1)
    if x is None:
        return None
    d = m.draw(st.integers(0, x.type.ndim - 1))
    if m.draw(st.booleans()):
        return m.emit(ops.sort, x, dimension=d, keys=1)
    return m.emit(m.pick([ops.cumsum, ops.cummax]), x, dimension=d, reverse=m.draw(st.booleans()))


def _rows(m: Generator) -> Value | None:
    """Rows of a value, by indices some of which lie outside; or rows added to one."""
    x = m.value(1)
    if x is None:
        return None
    count = m.pick((1, 2, 4, 8))
    numbers = m.draw(st.lists(st.integers(-2, x.type.shape[0] + 1), min_size=count, max_size=count))
    indices = m.emit(ops.constant, value=np.array(numbers, "int32").reshape(count, 1))
    window, row = tuple(range(1, x.type.ndim)), x.type.shape[1:]
    shared = {"operand_batching_dims": (), "indices_batching_dims": ()}
    if m.draw(st.booleans()):
        return m.emit(
            ops.gather, x, indices, offset_dims=window, collapsed_slice_dims=(0,), start_index_map=(0,),
            slice_sizes=(1, *row), mode=m.pick(("clip", "fill")), fill_value=7, **shared,
        )
    return m.emit(
        ops.scatter, x, indices, m.full((count, *row), 3), update_window_dims=window, inserted_window_dims=(0,),
        scatter_dims_to_operand_dims=(0,), combine=m.pick(("add", "max")), mode=m.pick(("clip", "drop")), **shared,
    )


def _square(m: Generator) -> Value | None:
    """Square matrices of numbers -1, 0 and 1, cut from a value."""
    x = m.value(2)
    if x is None:
        return None
    *batch, rows, columns = x.type.shape
    n = min(rows, columns)
    limits, whole = (*batch, n, n), (0,) * x.type.ndim
    return m.emit(ops.sign, m.emit(ops.slice, x, starts=whole, limits=limits, strides=(1,) * x.type.ndim))


def _equations(m: Generator) -> Value | None:
    """Triangular equations with ones on the diagonal, whose solutions are whole."""
    a = _square(m)
    if a is None:
        return None
    flags = {key: m.draw(st.booleans()) for key in ("left_side", "lower", "transpose", "conjugate")}
    sides = m.pick([a, *(v for v in m.pool if v.type is a.type)])
    return m.bounded(m.emit(ops.triangular_solve, a, sides, unit_diagonal=True, **flags))


def _decomposition(m: Generator) -> Value | None:
    """One part of a decomposition, rounded: the same matrix has the same bits wherever it is decomposed."""
    a = _square(m)
    if a is None:
        return None
    n, batch = a.type.shape[-1], tuple(range(a.type.ndim - 2))
    turned = m.emit(ops.transpose, a, permutation=(*batch, a.type.ndim - 1, a.type.ndim - 2))
    diagonal = m.emit(ops.broadcast_in_dim, m.emit(ops.constant, value=2 * n * np.eye(n)), shape=a.type.shape,
                      dimensions=(a.type.ndim - 2, a.type.ndim - 1))
    hermitian = m.emit(ops.add, m.emit(ops.add, a, turned), diagonal)
    record, operand, attributes = m.pick([
        (ops.cholesky, hermitian, {}), (ops.eigh, hermitian, {"lower": True, "vectors": False}),
        (ops.lu, a, {}), (ops.geqrf, a, {}), (ops.hessenberg, hermitian, {}),
        (ops.svd, hermitian, {"full_matrices": False, "vectors": False}), (ops.schur, hermitian, {"vectors": False}),
    ])
    found = m.pick(m.builder.emit(record, [operand], attributes))
    if found.type.dtype != DTYPE:
        return m.emit(ops.convert, found, dtype=np.dtype(DTYPE))
    return m.bounded(m.emit(ops.round, found))


def _neighbours(m: Generator) -> Value | None:
    """Equations in which each row adds a multiple of the one before it, whose solutions are whole."""
    b = m.value(2)
    if b is None or b.type.shape[-1] == 0:
        return None
    line = b.type.shape[:-1]
    below = m.emit(ops.sign, m.emit(ops.slice, b, starts=(0,) * b.type.ndim, limits=(*line, 1),
                                    strides=(1,) * b.type.ndim))
    solution = m.emit(ops.tridiagonal_solve, m.emit(ops.reshape, below, shape=line), m.full(line, 1),
                      m.full(line, 0), b)
    return m.bounded(solution)


def _fourier(m: Generator) -> Value | None:
    """A transform and its inverse, or a product of transforms between them: a circular convolution, rounded."""
    x = m.value(1)
    if x is None or 0 in x.type.shape:
        return None
    along = m.draw(st.integers(0, x.type.ndim - 1))
    there = {"kind": m.pick(["rfft", "fft"]), "dimension": along, "length": x.type.shape[along]}
    back = {**there, "kind": "irfft" if there["kind"] == "rfft" else "ifft"}

    def turned(v: Value) -> Value:
        whole = v if there["kind"] == "rfft" else m.emit(ops.complex, v, m.full(v.type.shape, 0))
        return m.emit(ops.fft, whole, **there)

    if m.draw(st.booleans()):
        found = turned(x)
    else:
        found = m.emit(ops.mul, turned(m.bounded(x)), turned(m.bounded(m.like(x))))
    found = m.emit(ops.fft, found, **back)
    return m.bounded(m.emit(ops.round, found if there["kind"] == "rfft" else m.emit(ops.real, found)))


def _iota(m: Generator) -> Value | None:
    shape = m.shape()
    if not shape:
        return None
    return m.emit(ops.iota, shape=shape, dtype=np.dtype(DTYPE), dimension=m.draw(st.integers(0, len(shape) - 1)))


def _constraint(m: Generator) -> Value | None:
    x = m.pick(m.pool)
    dims = m.pick(placements(m.mesh.shape_tuple, x.type.shape))
    return m.emit(ops.sharding_constraint, x, mesh=m.mesh, dims=dims)


def _region(inputs: list[ArrayType], body: Callable[[ProgramBuilder, list[Value]], list[Value]]) -> Program:
    builder = ProgramBuilder("region")
    return builder.finish(body(builder, [builder.input(t) for t in inputs]))


def _scan(m: Generator) -> Value | None:
    """The sum over the first dimension, step by step, of each row times a constant matrix of ones."""
    x = m.value(1)
    if x is None:
        return None
    row = x.type.with_shape(x.type.shape[1:])

    def body(b: ProgramBuilder, v: list[Value]) -> list[Value]:
        (total,) = b.emit(ops.add, [v[0], v[1]])
        (twice,) = b.emit(ops.add, [v[1], v[1]])
        return [total, twice]

    results = m.builder.emit(
        ops.scan, [m.full(row.shape, 1), x],
        {"constants": 0, "carry": 1, "length": x.type.shape[0], "reverse": m.draw(st.booleans())},
        [_region([row, row], body)],
    )
    return m.pick(results)


def _while(m: Generator) -> Value | None:
    """Adds to a value until its sum over all passes a bound, at most three times."""
    x = m.pick(m.pool)
    types = [ArrayType((), DTYPE), x.type, x.type]

    def condition(b: ProgramBuilder, v: list[Value]) -> list[Value]:
        (bound,) = b.emit(ops.constant, [], {"value": np.array(3, DTYPE)})
        return [b.emit(ops.lt, [v[0], bound])[0]]

    def body(b: ProgramBuilder, v: list[Value]) -> list[Value]:
        (one,) = b.emit(ops.constant, [], {"value": np.array(1, DTYPE)})
        (count,) = b.emit(ops.add, [v[0], one])
        (largest,) = b.emit(ops.reduce_max, [v[2]], {"dimensions": tuple(range(x.type.ndim))})
        (spread,) = b.emit(ops.broadcast_in_dim, [largest], {"shape": x.type.shape, "dimensions": ()})
        (more,) = b.emit(ops.sub, [v[1], spread])
        return [count, more, v[2]]

    start = m.emit(ops.constant, value=np.array(0, DTYPE))
    results = m.builder.emit(
        ops.while_, [start, x, m.like(x)], {"constants": 0}, [_region(types, condition), _region(types, body)]
    )
    return results[1]


def _cond(m: Generator) -> Value | None:
    x = m.pick(m.pool)
    y = m.like(x)
    (total,) = m.builder.emit(ops.reduce_sum, [x], {"dimensions": tuple(range(x.type.ndim))})
    index = m.emit(ops.convert, m.emit(ops.gt, total, m.full((), 0)), dtype=np.dtype("int32"))
    branches = [
        _region([x.type, y.type], lambda b, v: [b.emit(ops.sub, v)[0]]),
        _region([x.type, y.type], lambda b, v: [v[1]]),
    ]
    return m.builder.emit(ops.cond, [index, x, y], {}, branches)[0]


def _call(m: Generator) -> Value | None:
    x = m.pick(m.pool)
    region = _region([x.type] * 2, lambda b, v: [b.emit(ops.max, v)[0]])
    return m.builder.emit(ops.call, [x, m.like(x)], {}, [region])[0]


def _manual(m: Generator) -> Value | None:
    """Subtracts from every device's part the largest over some axes."""
    x = m.pick(m.pool)
    dims = m.pick(placements(m.mesh.shape_tuple, x.type.shape))
    used = tuple(axis for axes in dims for axis in axes)
    group = AxisGroup(m.mesh.shape_tuple, tuple(m.draw(st.permutations(used)))[: m.draw(st.integers(1, 2))])
    axes = tuple(sorted({*used, *m.draw(st.sets(st.sampled_from(m.mesh.axis_names)))}))
    if not used:
        return None
    local = x.type.with_shape(n // m.mesh.parts(axes) for n, axes in zip(x.type.shape, dims, strict=True))

    def body(b: ProgramBuilder, v: list[Value]) -> list[Value]:
        (largest,) = b.emit(ops.all_reduce, v, {"reduction": "max", "group": group})
        (summed,) = b.emit(ops.sub, [v[0], largest])
        return [b.emit(ops.cumsum, [summed], {"dimension": 0, "reverse": False})[0]]

    attributes = {"mesh": m.mesh, "axes": axes, "in_dims": (dims,), "out_dims": (dims,)}
    return m.builder.emit(ops.manual, [x], attributes, [_region([local], body)])[0]


_STEPS = [
    _unary, _binary, _binary, _linear, _linear, _select, _broadcast, _broadcast, _reshape, _reshape, _transpose, _slice,
    _pad, _concatenate, _reverse, _reduce, _reduce, _dot, _dot, _dot, _along, _iota, _constraint, _scan, _while, _cond,
    _call, _manual, _manual, _rows, _rows, _equations, _decomposition, _decomposition, _neighbours,
    _fourier, _fourier,
]


@st.composite
def programs(draw: st.DrawFn, mesh: Mesh) -> Program:
    """A program of a few inputs, some operations and a few outputs."""
    maker = Generator(draw, mesh)
    for _ in range(draw(st.integers(1, 3))):
        maker.pool.append(maker.builder.input(ArrayType(maker.shape(), DTYPE)))
    for _ in range(draw(st.integers(1, 10))):
        maker.step()
    outputs = draw(st.lists(st.sampled_from(maker.pool[-4:]), min_size=1, max_size=3))
    return maker.builder.finish(outputs)
