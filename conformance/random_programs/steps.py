# SPDX-License-Identifier: Apache-2.0
"""The steps of random programs: each adds one kind of operation and returns its results, or None where none fits."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Program, Value

from ..samples.values import sample
from .generator import EXPENSIVE, Made, ProgramGenerator, Step, Steps, elementwise_for, groups


def _elementwise(m: ProgramGenerator) -> Made:
    x = m.value()
    choices = elementwise_for(x.type.dtype) if x is not None else ()
    if x is None or not choices:
        return None
    record, arity = m.random.choice(choices)
    if record.cost >= EXPENSIVE and m.random.random() < 0.9:
        return None
    operands = [x, *(m.like(x.type) for _ in range(arity - 1))]
    m.random.shuffle(operands)
    return m.emit(record, *operands)


def _arithmetic(m: ProgramGenerator) -> Made:
    """The operations that most programs consist of."""
    x = m.value()
    if x is None or x.type.dtype == dtypes.bool_:
        return None
    return m.emit(m.random.choice([ops.add, ops.sub, ops.mul]), x, m.like(x.type))


def _select(m: ProgramGenerator) -> Made:
    x = m.value()
    return None if x is None else m.emit(ops.select, m.like(x.type.with_dtype(np.bool_)), x, m.like(x.type))


def _compare(m: ProgramGenerator) -> Made:
    x = m.value()
    if x is None or dtypes.is_complex(x.type.dtype):
        return None
    return m.emit(m.random.choice([ops.lt, ops.le, ops.eq, ops.ne]), x, m.like(x.type))


def _convert(m: ProgramGenerator) -> Made:
    x = m.value()
    if x is None:
        return None
    if m.random.random() < 0.3:
        same = [d for d in (*dtypes.INTEGERS, *dtypes.FLOATS) if d.itemsize == x.type.dtype.itemsize]
        if x.type.dtype in same:
            return m.emit(ops.bitcast_convert, x, dtype=m.random.choice(same))
    dtype = m.random.choice(dtypes.ALL) if m.random.random() < 0.3 else m.dtype()
    return m.emit(ops.convert, x, dtype=dtype)


def _broadcast(m: ProgramGenerator) -> Made:
    x = m.value()
    if x is None or x.type.ndim > 3:
        return None
    new = m.shape(2)
    positions = sorted(m.random.sample(range(x.type.ndim + len(new)), x.type.ndim))
    rest = iter(new)
    sizes = dict(zip(positions, x.type.shape, strict=True))
    shape = tuple(sizes[d] if d in sizes else next(rest) for d in range(x.type.ndim + len(new)))
    shape = tuple(m.random.choice((1, 3, 16)) if n == 1 and d in sizes else n for d, n in enumerate(shape))
    if np.prod(shape) > m.most:
        return None
    return m.emit(ops.broadcast_in_dim, x, shape=shape, dimensions=tuple(positions))


def _reshape(m: ProgramGenerator) -> Made:
    x = m.value()
    if x is None:
        return None
    left = x.type.size
    shape: list[int] = []
    if not left:
        return m.emit(ops.reshape, x, shape=m.random.choice([(0,), (3, 0), (0, 1)]))
    while left > 1 and len(shape) < 3:
        size = m.random.choice([n for n in range(1, min(left, 400) + 1) if left % n == 0])
        shape.append(size)
        left //= size
    return m.emit(ops.reshape, x, shape=(*shape, left) if left != 1 or not shape else tuple(shape))


def _transpose(m: ProgramGenerator) -> Made:
    x = m.value(2)
    if x is None:
        return None
    return m.emit(ops.transpose, x, permutation=tuple(m.random.sample(range(x.type.ndim), x.type.ndim)))


def _slice(m: ProgramGenerator) -> Made:
    x = m.value(1)
    if x is None:
        return None
    starts = tuple(m.random.randint(0, min(n, 5)) for n in x.type.shape)
    limits = tuple(m.random.randint(max(a, n - 5), n) for a, n in zip(starts, x.type.shape, strict=True))
    strides = tuple(m.random.choice((1, 1, 2, 3)) for _ in starts)
    return m.emit(ops.slice, x, starts=starts, limits=limits, strides=strides)


def _pad(m: ProgramGenerator) -> Made:
    x = m.value(1)
    if x is None:
        return None
    low, high, interior = [], [], []
    for n in x.type.shape:
        inside = m.random.choice((0, 0, 0, 1, 2))
        spread = n + max(n - 1, 0) * inside
        low.append(m.random.randint(-min(2, spread), 4))
        high.append(m.random.randint(-min(2, max(spread + min(low[-1], 0), 0)), 4))
        interior.append(inside)
    value = m.like(ArrayType((), x.type.dtype))
    return m.emit(ops.pad, x, value, low=tuple(low), high=tuple(high), interior=tuple(interior))


def _concatenate(m: ProgramGenerator) -> Made:
    x = m.value(1)
    if x is None:
        return None
    d = m.random.randrange(x.type.ndim)
    rest = [v for v in m.pool if v.type.dtype == x.type.dtype and v.type.ndim == x.type.ndim
            and v.type.shape[:d] == x.type.shape[:d] and v.type.shape[d + 1:] == x.type.shape[d + 1:]]
    count = m.random.choice((1, 2, 2, 3, 4, 10))
    return m.emit(ops.concatenate, *(m.random.choice(rest) for _ in range(count)), dimension=d)


def _reverse(m: ProgramGenerator) -> Made:
    x = m.value(1)
    if x is None:
        return None
    return m.emit(ops.reverse, x, dimensions=tuple(d for d in range(x.type.ndim) if m.random.random() < 0.6))


def _reduce(m: ProgramGenerator) -> Made:
    x = m.value(1)
    if x is None:
        return None
    dims = tuple(d for d in range(x.type.ndim) if m.random.random() < 0.6)
    names = ["reduce_sum", "reduce_sum", "reduce_max", "reduce_min", "reduce_prod"]
    if x.type.dtype == dtypes.bool_:
        names = ["reduce_and", "reduce_or", "reduce_max"]
    elif dtypes.is_integer(x.type.dtype):
        names += ["reduce_and", "reduce_or"]
    elif dtypes.is_complex(x.type.dtype):
        names = ["reduce_sum", "reduce_prod"]
    return m.emit(ops.OPERATIONS[m.random.choice(names)], x, dimensions=dims)


def _softmax(m: ProgramGenerator) -> Made:
    """A softmax, the typical program over rows."""
    x = m.value(1, full=True)
    if x is None or x.type.dtype not in dtypes.FLOATS:
        return None
    d = m.random.randrange(x.type.ndim)
    kept = tuple(i for i in range(x.type.ndim) if i != d)
    (top,) = m.emit(ops.reduce_max, x, dimensions=(d,))
    (spread,) = m.emit(ops.broadcast_in_dim, top, shape=x.type.shape, dimensions=kept)
    (power,) = m.emit(ops.exp, m.emit(ops.sub, x, spread)[0])
    (total,) = m.emit(ops.reduce_sum, power, dimensions=(d,))
    (spread,) = m.emit(ops.broadcast_in_dim, total, shape=x.type.shape, dimensions=kept)
    return m.emit(ops.div, power, spread)


def _arg_extreme(m: ProgramGenerator) -> Made:
    x = m.value(1, full=True)
    if x is None or dtypes.is_complex(x.type.dtype):
        return None
    dtype = m.random.choice([dtypes.int32, dtypes.int64, dtypes.uint8])
    return m.emit(m.random.choice([ops.argmax, ops.argmin]), x, dimension=m.random.randrange(x.type.ndim), dtype=dtype)


def _cumulative(m: ProgramGenerator) -> Made:
    x = m.value(1)
    if x is None:
        return None
    names = ["cumsum", "cumsum", "cumprod", "cummax", "cummin"]
    if x.type.dtype == dtypes.bool_:
        names = ["cummax", "cummin"]
    elif dtypes.is_complex(x.type.dtype):
        names = ["cumsum", "cumprod"]
    dimension, is_reverse = m.random.randrange(x.type.ndim), m.random.random() < 0.4
    return m.emit(ops.OPERATIONS[m.random.choice(names)], x, dimension=dimension, reverse=is_reverse)


def _sort(m: ProgramGenerator) -> Made:
    x = m.value(1)
    if x is None:
        return None
    others = [m.like(x.type.with_dtype(m.dtype())) for _ in range(m.random.choice((0, 0, 1)))]
    keys = m.random.randint(1, 1 + len(others))
    return m.emit(ops.sort, x, *others, dimension=m.random.randrange(x.type.ndim), keys=keys)


def _top_k(m: ProgramGenerator) -> Made:
    x = m.value(1)
    if x is None:
        return None
    dimension = m.random.randrange(x.type.ndim)
    k = m.random.randint(0, x.type.shape[dimension])
    return m.emit(ops.top_k, x, dimension=dimension, k=k, dtype=m.random.choice([dtypes.int32, dtypes.int64]))


def _fft(m: ProgramGenerator) -> Made:
    x = m.value(1)
    if x is None or x.type.dtype not in (dtypes.float32, dtypes.float64, *dtypes.COMPLEXES):
        return None
    dimension = m.random.randrange(x.type.ndim)
    size = x.type.shape[dimension]
    kind = m.random.choice(("fft", "ifft", "irfft")) if dtypes.is_complex(x.type.dtype) else "rfft"
    length = max(1, 2 * (size - 1) + m.random.randint(0, 1)) if kind == "irfft" else size
    if not size or (kind == "irfft" and length // 2 + 1 != size):
        return None
    return m.emit(ops.fft, x, kind=kind, dimension=dimension, length=length)


# Decompositions whose result is unique for matrices that are far from singular, with their attributes.
_UNIQUE: dict[str, dict[str, Any]] = {
    "cholesky": {}, "lu": {}, "geqrf": {}, "eigh": {"lower": True, "vectors": False},
    "svd": {"full_matrices": False, "vectors": False},
}
# Decompositions whose results have a unique trace alone.
_TRACES: dict[str, dict[str, Any]] = {
    "eig": {"left": False, "right": False}, "schur": {"vectors": False}, "hessenberg": {},
    "tridiagonal": {"lower": False},
}
_DECOMPOSITIONS = (*_UNIQUE, *_TRACES, "geqp3", "householder_product", "ormqr", "triangular_solve",
                   "triangular_solve", "tridiagonal_solve")


def _linear_algebra(m: ProgramGenerator) -> Made:
    """A decomposition whose result is unique, or equations, of matrices that are far from singular.

    Elements off the diagonal have at most the size one, those on it are twice the number of rows.
    """
    x = m.value(1, full=True)
    if x is None:
        return None
    n = x.type.shape[-1]
    batch = x.type.shape[:-2] if x.type.shape[-2:] == (n, n) else x.type.shape[:-1]
    shape = (*batch, n, n)
    if n > 40 or np.prod(shape) > m.most:
        return None
    if x.type.dtype not in (dtypes.float32, dtypes.float64, *dtypes.COMPLEXES):
        (x,) = m.emit(ops.convert, x, dtype=m.random.choice((dtypes.float32, dtypes.float64)))
    small = _bounded(m, x)
    if x.type.shape != shape:
        (small,) = m.emit(
            ops.broadcast_in_dim, small, shape=shape, dimensions=(*range(len(batch)), len(shape) - 1))
    rows, columns = (
        m.emit(ops.iota, shape=shape, dtype=dtypes.int32, dimension=d)[0] for d in (len(batch), len(batch) + 1))
    (diagonal,) = m.emit(ops.eq, rows, columns)
    a = m.emit(ops.select, diagonal, m.splat(np.asarray(2 * n, x.type.dtype), shape), small)[0]
    kind = m.random.choice(_DECOMPOSITIONS)
    if kind in _UNIQUE:
        return m.emit(ops.OPERATIONS[kind], a, **_UNIQUE[kind])
    if kind in _TRACES:
        made = m.emit(ops.OPERATIONS[kind], a, **_TRACES[kind])
        return _trace(m, made[1] if kind == "tridiagonal" else made[0], diagonal)
    if kind == "geqp3":  # columns with a mark come first: none is exchanged
        return m.emit(ops.geqp3, a, m.splat(np.asarray(1, np.int32), (*batch, n)))
    count = m.random.choice((1, 2, 5))
    if kind == "tridiagonal_solve":
        b = _bounded(m, m.like(x.type.with_shape((*batch, n, count))))
        line = x.type.with_shape((*batch, n))
        lower, upper = (_bounded(m, m.like(line)) for _ in range(2))
        return m.emit(ops.tridiagonal_solve, lower, m.splat(np.asarray(4, x.type.dtype), line.shape), upper, b)
    if kind == "householder_product":
        return m.emit(ops.householder_product, *m.emit(ops.geqrf, a))
    left_side = m.random.random() < 0.7
    b = _bounded(m, m.like(x.type.with_shape((*batch, n, count) if left_side else (*batch, count, n))))
    transpose = m.random.random() < 0.5
    if kind == "ormqr":
        return m.emit(ops.ormqr, *m.emit(ops.geqrf, a), b, left=left_side, transpose=transpose)
    return m.emit(
        ops.triangular_solve, a, b, left_side=left_side, lower=m.random.random() < 0.5, transpose=transpose,
        conjugate=transpose and m.random.random() < 0.5, unit_diagonal=False)


def _trace(m: ProgramGenerator, x: Value, diagonal: Value) -> Made:
    """The sum of a diagonal, which is given as such or in matrices."""
    if x.type.shape != diagonal.type.shape:
        return m.emit(ops.reduce_sum, x, dimensions=(x.type.ndim - 1,))
    (kept,) = m.emit(ops.select, diagonal, x, m.splat(np.asarray(0, x.type.dtype), x.type.shape))
    return m.emit(ops.reduce_sum, kept, dimensions=(x.type.ndim - 2, x.type.ndim - 1))


def _bounded(m: ProgramGenerator, x: Value) -> Value:
    """Elements of at most the size one; a half in place of others, of NaN too."""
    (size,) = m.emit(ops.abs, x)
    (is_small,) = m.emit(ops.le, size, m.splat(np.asarray(1, size.type.dtype), size.type.shape))
    return m.emit(ops.select, is_small, x, m.splat(np.asarray(0.5, x.type.dtype), x.type.shape))[0]


def _argsort(m: ProgramGenerator) -> Made:
    x = m.value(1)
    if x is None:
        return None
    d = m.random.randrange(x.type.ndim)
    dtype = m.random.choice([dtypes.int32, dtypes.int64])
    (positions,) = m.emit(ops.iota, shape=x.type.shape, dtype=dtype, dimension=d)
    return m.emit(ops.sort, x, positions, dimension=d, keys=1)


def _convolution(m: ProgramGenerator) -> Made:
    """A causal convolution of all elements in a row with a short window; the result has the operand's shape."""
    x = m.value(full=True)
    if x is None or x.type.dtype == dtypes.bool_:
        return None
    width = m.random.choice((1, 2, 3))
    (row,) = m.emit(ops.reshape, x, shape=(1, 1, x.type.size))
    (y,) = m.emit(
        ops.convolution, row, m.constant(ArrayType((1, 1, width), x.type.dtype)), window_strides=(1,),
        padding=((width - 1, 0),), lhs_dilation=(1,), rhs_dilation=(1,), lhs_layout="NCW", rhs_layout="OIW",
        out_layout="NCW", feature_groups=1, batch_groups=1)
    return m.emit(ops.reshape, y, shape=x.type.shape)


def _narrowed(m: ProgramGenerator) -> Made:
    """A conversion to an 8-bit float and back."""
    x = m.value()
    if x is None or dtypes.is_complex(x.type.dtype):
        return None
    (narrow,) = m.emit(ops.convert, x, dtype=m.random.choice(dtypes.NARROW_FLOATS))
    return m.emit(ops.convert, narrow, dtype=x.type.dtype)


def _same(x: np.ndarray) -> list[np.ndarray]:
    return [x]


def _turned(x: np.ndarray) -> list[np.ndarray]:
    return [np.flip(x)]


def _callback(m: ProgramGenerator) -> Made:
    """A host function that returns its argument, or a view of it."""
    x = m.value()
    if x is None or m.depth:
        return None
    function = m.random.choice((_same, _turned))
    return m.emit(ops.host_callback, x, callback=ops.HostFunction(function.__name__.strip("_"), function),
                  result_types=(x.type,), ordered=m.random.random() < 0.5)


def _iota(m: ProgramGenerator) -> Made:
    shape = m.shape() or (5,)
    dtype = m.dtype()
    if dtype == dtypes.bool_:
        return None
    return m.emit(ops.iota, shape=shape, dtype=dtype, dimension=m.random.randrange(len(shape)))


def _constant(m: ProgramGenerator) -> Made:
    return [m.constant(ArrayType(m.shape(2), m.dtype()))]


def _indices(m: ProgramGenerator, shape: tuple[int, ...], most: int) -> Value:
    """Indices, some of them out of bounds; a value of the program where one fits."""
    dtype = m.random.choice([dtypes.int32, dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.int8])
    type_ = ArrayType(shape, dtype)
    if m.random.random() < 0.3:
        return m.like(type_)
    low = -2 if dtype in dtypes.SIGNED else 0
    numbers = np.random.default_rng(m.random.getrandbits(32)).integers(low, min(most + 3, 120), shape)
    return m.emit(ops.constant, value=np.asarray(numbers).astype(dtype))[0]


def _dynamic(m: ProgramGenerator) -> Made:
    x = m.value(1)
    if x is None:
        return None
    starts = [_indices(m, (), n) for n in x.type.shape]
    sizes = tuple(m.random.randint(0 if m.random.random() < 0.1 else min(n, 1), n) for n in x.type.shape)
    if m.random.random() < 0.5:
        return m.emit(ops.dynamic_slice, x, *starts, sizes=sizes)
    return m.emit(ops.dynamic_update_slice, x, m.like(x.type.with_shape(sizes)), *starts)


def _rows(m: ProgramGenerator) -> Made:
    """A gather or a scatter of windows of a value."""
    x = m.value(1)
    if x is None:
        return None
    ndim = x.type.ndim
    picked = sorted(m.random.sample(range(ndim), m.random.randint(1, min(ndim, 2))))
    removed = tuple(d for d in picked if m.random.random() < 0.7)
    kept = [d for d in range(ndim) if d not in removed]
    sizes = tuple(1 if d in removed else m.random.randint(min(n, 1), n) if d in picked else n
                  for d, n in enumerate(x.type.shape))
    if not all(n for n in x.type.shape):
        return None
    count = m.random.choice(((), (1,), (3,), (2, 3), (0,), (40,)))
    where = _indices(m, (*count, len(picked)), max(x.type.shape))
    total = len(kept) + len(count)
    window = tuple(sorted(m.random.sample(range(total), len(kept)))) if m.random.random() < 0.4 else tuple(
        range(len(count), total))
    shared: dict[str, Any] = {"operand_batching_dims": (), "indices_batching_dims": ()}
    batch, inside = iter(count), iter([sizes[d] for d in kept])
    shape = tuple(next(inside) if d in window else next(batch) for d in range(total))
    if np.prod(shape) > m.most:
        return None
    order = tuple(m.random.sample(picked, len(picked)))
    if m.random.random() < 0.5:
        if m.random.random() < 0.5:
            shared["fill_value"] = m.random.choice((0, 7))
        return m.emit(
            ops.gather, x, where, offset_dims=window, collapsed_slice_dims=removed, start_index_map=order,
            slice_sizes=sizes, mode=m.random.choice(("clip", "fill")), **shared,
        )
    combines = ["set", "add", "mul", "min", "max"]
    if x.type.dtype == dtypes.bool_:
        combines = ["set", "min", "max"]
    elif dtypes.is_complex(x.type.dtype):
        combines = ["set", "add", "mul"]
    return m.emit(
        ops.scatter, x, where, m.like(x.type.with_shape(shape)), update_window_dims=window,
        inserted_window_dims=removed, scatter_dims_to_operand_dims=order, combine=m.random.choice(combines),
        mode=m.random.choice(("clip", "drop")), **shared,
    )


def _dot(m: ProgramGenerator) -> Made:
    x = m.value(1)
    if x is not None and m.random.random() < 0.3:
        x = _chosen_rows(m, x)
    if x is None or x.type.dtype == dtypes.bool_ or x.type.dtype in dtypes.NARROW_FLOATS:
        return None
    left = m.random.sample(range(x.type.ndim), m.random.randint(0, min(2, x.type.ndim)))
    right = list(range(len(left)))
    batch = [d for d in range(x.type.ndim) if d not in left and m.random.random() < 0.3]
    free = () if m.random.random() < 0.3 else (m.random.choice((1, 3, 8, 20, 32, 64)),)
    order = [*(x.type.shape[d] for d in left), *(x.type.shape[d] for d in batch), *free]
    y = m.like(x.type.with_shape(order))
    rest = int(np.prod([x.type.shape[d] for d in range(x.type.ndim) if d not in left])) * int(np.prod(free))
    if rest > m.most or y.type.size > m.most or rest * int(np.prod([x.type.shape[d] for d in left])) > 1 << 22:
        return None
    wider = dtypes.float32 if x.type.dtype in (dtypes.float16, dtypes.bfloat16) and m.random.random() < 0.5 else None
    if dtypes.is_integer(x.type.dtype):  # sums of either sign and any width, which wrap
        wider = m.random.choice((None, *dtypes.INTEGERS))
    return m.emit(
        ops.dot_general, x, y, lhs_contracting=tuple(left), rhs_contracting=tuple(right), lhs_batch=tuple(batch),
        rhs_batch=tuple(range(len(left), len(left) + len(batch))), dtype=wider,
    )


def _chosen_rows(m: ProgramGenerator, x: Value) -> Value:
    """Rows that data choose."""
    count = m.random.choice((1, 3, 8, 33))
    if not x.type.size or count * x.type.size // x.type.shape[0] > m.most:
        return x
    (found,) = m.emit(
        ops.gather, x, _indices(m, (count, 1), x.type.shape[0]),
        offset_dims=tuple(range(1, x.type.ndim)), collapsed_slice_dims=(0,), start_index_map=(0,),
        slice_sizes=(1, *x.type.shape[1:]), mode=m.random.choice(("clip", "fill")), operand_batching_dims=(),
        indices_batching_dims=())
    return found


def _bits(m: ProgramGenerator) -> Made:
    key = m.like(ArrayType((2,), dtypes.uint32))
    shape = m.shape()
    return m.emit(ops.random_bits, key, shape=shape, global_shape=shape, dtype=m.random.choice(dtypes.UNSIGNED))


def _threefry(m: ProgramGenerator) -> Made:
    word = ArrayType(m.shape(2), dtypes.uint32)
    return m.emit(ops.threefry2x32, *(m.like(word) for _ in range(4)))


def _scan(m: ProgramGenerator) -> Made:
    if m.depth > 1:
        return None
    x = m.value(1)
    if x is None or x.type.shape[0] > 8:
        return None
    carry = m.value()
    if carry is None:
        return None
    constant_ = m.value() or carry
    carries = [carry, *_alike(m, carry)]
    row = x.type.with_shape(x.type.shape[1:])
    body = _scan_body(m, [v.type for v in (constant_, *carries)] + [row])
    attributes = {"constants": 1, "carry": len(carries), "length": x.type.shape[0], "reverse": m.random.random() < 0.4}
    return m.emit(ops.scan, constant_, *carries, x, regions=[body], **attributes)


def _alike(m: ProgramGenerator, carry: Value) -> list[Value]:
    """Further values of a carry's type, or the same: such may trade places in an iteration, or become one."""
    return [m.like(carry.type) if m.random.random() < 0.8 else carry for _ in range(m.random.choice((0, 0, 1, 2)))]


def _carried(m: ProgramGenerator, carries: list[Value]) -> list[Value]:
    """What an iteration leaves for the next one: any values of the types, carries written in part among them."""
    for carry in carries:
        if carry.type.size and carry.type.ndim and m.random.random() < 0.2:
            sizes = tuple(m.random.randint(1, n) for n in carry.type.shape)
            starts = [_indices(m, (), n) for n in carry.type.shape]
            m.pool += m.emit(ops.dynamic_update_slice, carry, m.like(carry.type.with_shape(sizes)), *starts)
    return [m.like(carry.type) for carry in carries]


def _scan_body(m: ProgramGenerator, inputs: list[ArrayType]) -> Program:
    inner = m.inner("body", most=512)
    inner.pool = [inner.builder.input(t) for t in inputs]
    carries = inner.pool[1:-1]
    inner.steps(m.random.randint(1, 4))
    outputs = _carried(inner, carries)
    small = [v for v in inner.pool if v.type.size <= 512]
    # What is carried is often stacked as well: the new value, the old one, or both.
    stacked = [v for v in (*outputs, *carries) if v.type.size <= 512 and m.random.random() < 0.3]
    return inner.builder.finish([*outputs, *([m.random.choice(small)] if small else ()), *stacked])


def _while(m: ProgramGenerator) -> Made:
    if m.depth > 1:
        return None
    x = m.value()
    if x is None:
        return None
    counter = ArrayType((), dtypes.int32)
    carries = [x, *_alike(m, x)]
    types, trips = [counter, *(v.type for v in carries)], m.random.randint(0, 3)
    condition = m.inner("condition")
    i, *_ = (condition.builder.input(t) for t in types)
    going = condition.emit(ops.lt, i, condition.splat(np.asarray(trips, np.int32), ()))
    body = m.inner("body")
    i, *inside = (body.builder.input(t) for t in types)
    body.pool = list(inside)
    body.steps(m.random.randint(1, 4))
    (more,) = body.emit(ops.add, i, body.splat(np.asarray(1, np.int32), ()))
    regions = [condition.builder.finish(going), body.builder.finish([more, *_carried(body, inside)])]
    return m.emit(ops.while_, m.splat(np.asarray(0, np.int32), ()), *carries, regions=regions, constants=0)


def _cond(m: ProgramGenerator) -> Made:
    x = m.value()
    if m.depth > 1 or x is None:
        return None
    y = m.value() or x
    count = m.random.randint(1, 3)
    first = m.region([x.type, y.type], None, m.random.randint(1, 3))
    # Devices that take different branches must not communicate.
    devices, m.devices = m.devices, 1
    try:
        rest = [m.region([x.type, y.type], first.output_types, m.random.randint(0, 3)) for _ in range(count - 1)]
    finally:
        m.devices = devices
    index = m.splat(sample(m.random, ArrayType((), dtypes.int32), False), ())
    return m.emit(ops.cond, index, x, y, regions=[first, *rest])


def _call(m: ProgramGenerator) -> Made:
    x = m.value()
    if m.depth > 1 or x is None:
        return None
    return m.emit(ops.call, x, regions=[m.region([x.type], None, m.random.randint(1, 4))])


def _collective(m: ProgramGenerator) -> Made:
    x = m.value()
    if m.devices == 1 or x is None or x.type.dtype in dtypes.NARROW_FLOATS:
        return None
    group = groups(m)
    kind = m.random.choice(("reduce", "reduce", "gather", "part", "exchange", "permute", "broadcast", "index"))
    if kind == "reduce":
        names = ["sum", "max", "min"]
        if x.type.dtype == dtypes.bool_:
            names = ["max", "and", "or"]
        elif dtypes.is_complex(x.type.dtype):
            names = ["sum"]
        return m.emit(ops.all_reduce, x, reduction=m.random.choice(names), group=group)
    if kind == "gather":
        if not x.type.ndim:
            return None
        return m.emit(ops.all_gather, x, dimension=m.random.randrange(x.type.ndim), group=group)
    divided = [d for d, n in enumerate(x.type.shape) if n % group.size == 0]
    if kind in ("part", "exchange"):
        if not divided:
            return None
        d = m.random.choice(divided)
        if kind == "exchange":
            to = m.random.randrange(x.type.ndim)
            return m.emit(ops.all_to_all, x, split_dimension=d, concat_dimension=to, group=group)
        return m.emit(ops.reduce_scatter, x, dimension=d, reduction="max" if x.type.dtype == dtypes.bool_ else "sum",
                      group=group)
    if kind == "permute":
        targets = m.random.sample(range(group.size), group.size)
        pairs = tuple((s, t) for s, t in enumerate(targets) if m.random.random() < 0.8)
        return m.emit(ops.permute, x, pairs=pairs, group=group)
    if kind == "broadcast":
        return m.emit(ops.broadcast, x, source=m.random.randrange(group.size), group=group)
    return m.emit(ops.axis_index, group=group)


_KINDS: dict[Step, float] = {
    _elementwise: 22, _arithmetic: 14, _select: 4, _compare: 3, _convert: 6, _broadcast: 7, _reshape: 6, _transpose: 5,
    _slice: 5, _pad: 4, _concatenate: 5, _reverse: 3, _reduce: 9, _softmax: 2, _arg_extreme: 2, _cumulative: 4,
    _sort: 1, _iota: 2, _constant: 2, _dynamic: 4, _rows: 6, _dot: 3, _bits: 1, _threefry: 1, _scan: 2,
    _while: 1, _cond: 1, _call: 1, _collective: 6, _top_k: 1, _argsort: 1, _convolution: 1, _callback: 1, _fft: 2,
    _linear_algebra: 6,
}
# Operations for which platforms rarely generate kernels.
_LEFT: dict[Step, float] = {
    _sort: 5, _argsort: 5, _top_k: 5, _callback: 3, _convolution: 3, _concatenate: 2, _collective: 2, _while: 1,
    _scan: 1, _cond: 1, _narrowed: 3, _fft: 3, _linear_algebra: 3,
}


def _beside(m: ProgramGenerator) -> Made:
    """One of `_LEFT`, then arithmetic on its results and its operand: the memory of both may be reused."""
    (step,) = m.random.choices(tuple(_LEFT), tuple(_LEFT.values()))
    made = step(m)
    # What a step keeps to itself stays there: a diagonal of which only the trace is unique is nobody's operand.
    taken = [v for v in m.builder.operations[-1].operands[:1] if v in m.pool] if made else []
    after: list[Value] = []
    for v in (*(made or ()), *taken):
        if v.type.dtype != dtypes.bool_ and m.random.random() < 0.9:
            after += m.emit(m.random.choice([ops.add, ops.sub, ops.mul]), v, m.random.choice((v, m.constant(v.type))))
    m.random.shuffle(after)
    return [*(made or ()), *after]


STEPS = Steps(tuple(_KINDS), tuple(_KINDS.values()), _beside)
