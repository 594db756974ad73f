# SPDX-License-Identifier: Apache-2.0
"""Decompositions that StableHLO lacks, as calls of LAPACK by the names of JAX's CPU libraries.

A call is a `custom_call` of a typed target such as ``lapack_sgetrf_ffi``: matrices lie column by column, options are
the letters of LAPACK's arguments, and the last result says of each matrix whether the routine gave up. What such a
matrix has in olympus, NaN, is written behind the call. Compilers that do not have the targets refuse the module.

Source: LAPACK Users' Guide (https://netlib.org/lapack/lug/); the targets are those of ``jaxlib.lapack``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.program import ArrayType, Operation

from .literals import integers
from .writer import Emission, Name, Writer

Names = Sequence[Name]
_INT32 = np.dtype(np.int32)
_KINDS = {dtypes.float32: "s", dtypes.float64: "d", dtypes.complex64: "c", dtypes.complex128: "z"}
_OF_COMPLEX = {"orgqr": "ungqr", "ormqr": "unmqr", "syevd": "heevd", "sytrd": "hetrd"}

LAPACK: dict[str, Emission] = {}


def _emits(name: str) -> Callable[[Emission], Emission]:
    def enter(function: Emission) -> Emission:
        def emission(w: Writer, operation: Operation, xs: Names) -> Names:
            if not all(x.type.size for x in xs):
                return [_of_nothing(w, v.type, len(xs[0].shape) - 2 if name != "tridiagonal_solve" else 0)
                        for v in operation.results]
            return function(w, operation, xs)

        LAPACK[name] = emission
        return emission

    return enter


def _of_nothing(w: Writer, type: ArrayType, batch: int) -> Name:
    """What empty matrices give: identities, numbers in their order, zeros."""
    tail = type.shape[batch:]
    if len(tail) == 2:
        one = np.eye(*tail, dtype=type.dtype)
    else:
        one = np.arange(*tail).astype(type.dtype) if type.dtype == _INT32 else np.zeros(tail, type.dtype)
    return w.constant(np.broadcast_to(one, type.shape))


def _call(
    w: Writer, routine: str, xs: Names, results: Sequence[ArrayType], batch: int,
    options: Mapping[str, str | bool | int] | None = None,
) -> list[Name]:
    """A call of a routine, for all matrices of a batch.

    Args:
        w: Where it is written.
        routine: Its name for real numbers, without the letter of the type.
        xs: The operands.
        results: The types of its results.
        batch: How many dimensions are those of the batch.
        options: Its options: letters, truth values and integers; none for None.
    """
    dtype = xs[0].dtype
    name = _OF_COMPLEX.get(routine, routine) if dtypes.is_complex(dtype) else routine
    said = ", ".join(f"{key} = {_option(value)}" for key, value in (options or {}).items())
    return w.write("custom_call", xs, results, (
        f'api_version = 1 : i32, backend_config = "", call_target_name = "lapack_{_KINDS[dtype]}{name}_ffi", '
        "called_computations = [], has_side_effect = false, "
        f"mhlo.backend_config = {{{said}}}, operand_layouts = {_layouts([x.type for x in xs], batch)}, "
        f"output_operand_aliases = [], result_layouts = {_layouts(results, batch)}"))


def _option(value: str | bool | int) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{ord(value)} : ui8" if isinstance(value, str) else f"{value} : i32"


def _layouts(types: Sequence[ArrayType], batch: int) -> str:
    """Each array's dimensions from the fastest one on: matrices column by column."""
    texts = []
    for type_ in types:
        order = [*range(batch, len(type_.shape))] if len(type_.shape) == batch + 2 else [*range(len(type_.shape))][::-1]
        order += [] if len(order) == len(type_.shape) else [*range(batch)][::-1]
        texts.append(f"dense<{order}> : tensor<{len(order)}xindex>" if len(order) != 1 else
                     f"dense<{order[0]}> : tensor<1xindex>" if order else "dense<> : tensor<0xindex>")
    return f"[{', '.join(texts)}]"


def _info(x: Name) -> ArrayType:
    """The type of what a routine says of each matrix."""
    return ArrayType(x.shape[:-2], _INT32)


def _checked(w: Writer, given: Name, info: Name, results: Names) -> Names:
    """The results, with NaN for each matrix that had some number that is not finite, or whose routine gave up."""
    truth = given.type.with_dtype(dtypes.bool_)
    parts = [given]
    if dtypes.is_complex(given.dtype):
        part = given.type.with_dtype(dtypes.real_part(given.dtype))
        parts = [w.op(which, [given], part) for which in ("real", "imag")]
    rank = len(given.shape)
    good = w.compare("EQ", info, w.like(0, info))
    for each in parts:
        finite = w.op("is_finite", [each], truth)
        good = w.same("and", good, w.reduce(finite, w.scalar(True, dtypes.bool_), [rank - 2, rank - 1], "and"))
    return [w.select(w.broadcast(good, x.shape, range(rank - 2)), x, w.like(np.nan, x)) for x in results]


@_emits("lu")
def _lu(w: Writer, operation: Operation, xs: Names) -> Names:
    """The order of the rows is that in which the exchanges leave them, one after another."""
    (x,) = xs
    types = [v.type for v in operation.results]
    factors, pivots, _ = _call(w, "getrf", xs, [*types[:2], _info(x)], len(x.shape) - 2)
    pivots = w.same("subtract", pivots, w.like(1, pivots))
    order = types[2]
    last = len(order.shape) - 1
    places = w.iota(order.shape, _INT32, last)
    count = ArrayType((), _INT32)
    exchanges = pivots.shape[-1]
    kinds = [count, pivots.type, order]

    def goes_on(inner: Writer, state: Names) -> Names:
        return [inner.compare("LT", state[0], inner.scalar(exchanges, _INT32))]

    def exchange(inner: Writer, state: Names) -> Names:
        step, chosen, now = state
        where = inner.iota(order.shape, _INT32, last)
        here = inner.compare("EQ", where, inner.broadcast(step, order.shape))
        starts = [*[inner.scalar(0, _INT32)] * last, step]
        other = inner.op("dynamic_slice", [chosen, *starts], chosen.type.with_shape((*order.shape[:-1], 1)),
                         f"slice_sizes = {integers((*order.shape[:-1], 1))}")
        other = inner.broadcast(inner.reshape(other, order.shape[:-1]), order.shape, range(last))
        there = inner.compare("EQ", where, other)
        first, second = (_row(inner, now, place) for place in (here, there))
        after = inner.select(here, second, inner.select(there, first, now))
        return [inner.same("add", step, inner.scalar(1, _INT32)), chosen, after]

    *_, rows = w.write("while", [w.scalar(0, _INT32), pivots, places], kinds, "",
                       [w.region(kinds, goes_on), w.region(kinds, exchange)])
    return [factors, pivots, rows]


def _row(w: Writer, rows: Name, here: Name) -> Name:
    """The entry of each order that stands at one place, beside all places."""
    last = len(rows.shape) - 1
    found = w.reduce(w.select(here, rows, w.like(0, rows)), w.scalar(0, _INT32), [last], "add")
    return w.broadcast(found, rows.shape, range(last))


@_emits("geqrf")
def _geqrf(w: Writer, operation: Operation, xs: Names) -> Names:
    return _call(w, "geqrf", xs, [v.type for v in operation.results], len(xs[0].shape) - 2)


@_emits("geqp3")
def _geqp3(w: Writer, operation: Operation, xs: Names) -> Names:
    return _call(w, "geqp3", xs, [v.type for v in operation.results], len(xs[0].shape) - 2)


@_emits("householder_product")
def _householder_product(w: Writer, operation: Operation, xs: Names) -> Names:
    return _call(w, "orgqr", xs, [operation.results[0].type], len(xs[0].shape) - 2)


@_emits("ormqr")
def _ormqr(w: Writer, operation: Operation, xs: Names) -> Names:
    options = {name: operation.attributes[name] for name in ("left", "transpose")}
    return _call(w, "ormqr", xs, [operation.results[0].type], len(xs[0].shape) - 2, options)


@_emits("eigh")
def _eigh(w: Writer, operation: Operation, xs: Names) -> Names:
    (x,), values = xs, operation.results[0].type
    wanted = operation.attributes["vectors"]
    options = {"mode": "V" if wanted else "N", "uplo": "L" if operation.attributes["lower"] else "U"}
    vectors, numbers, info = _call(w, "syevd", xs, [x.type, values, _info(x)], len(x.shape) - 2, options)
    return _checked(w, x, info, [numbers, vectors][:1 + wanted])


@_emits("eig")
def _eig(w: Writer, operation: Operation, xs: Names) -> Names:
    (x,), values = xs, operation.results[0].type
    left, right = operation.attributes["left"], operation.attributes["right"]
    options = {"compute_left": "V" if left else "N", "compute_right": "V" if right else "N"}
    vectors = [x.type.with_dtype(values.dtype)] * 2
    numbers = [values] if dtypes.is_complex(x.dtype) else [values.with_dtype(x.dtype)] * 2
    *parts, of_left, of_right, info = _call(
        w, "geev", xs, [*numbers, *vectors, _info(x)], len(x.shape) - 2, options)
    found = parts[0] if len(parts) == 1 else w.op("complex", parts, values)
    return _checked(w, x, info, [found, *[of_left] * left, *[of_right] * right])


@_emits("svd")
def _svd(w: Writer, operation: Operation, xs: Names) -> Names:
    (x,), values = xs, operation.results[0].type
    *batch, m, n = x.shape
    wanted, full = operation.attributes["vectors"], operation.attributes["full_matrices"] or not min(m, n)
    sides = [v.type for v in operation.results[1:]] or [x.type.with_shape((*batch, k, k)) for k in (m, n)]
    mode = "N" if not wanted else "A" if full else "S"
    _, numbers, u, v, info = _call(
        w, "gesdd", xs, [x.type, values, *sides, _info(x)], len(batch), {"mode": mode})
    return _checked(w, x, info, [numbers, u, v][:1 + 2 * wanted])


@_emits("schur")
def _schur(w: Writer, operation: Operation, xs: Names) -> Names:
    (x,), wanted = xs, operation.attributes["vectors"]
    numbers = [x.type.with_shape(x.shape[:-1])] * (1 if dtypes.is_complex(x.dtype) else 2)
    options = {"mode": "V" if wanted else "N", "sort": "N"}
    form, vectors, *_, info = _call(
        w, "gees", xs, [x.type, x.type, *numbers, _info(x), _info(x)], len(x.shape) - 2, options)
    return _checked(w, x, info, [form, vectors][:1 + wanted])


@_emits("hessenberg")
def _hessenberg(w: Writer, operation: Operation, xs: Names) -> Names:
    (x,), types = xs, [v.type for v in operation.results]
    if x.shape[-1] == 1:
        return [x, w.splat(0, types[1])]
    return _call(w, "gehrd", xs, [*types, _info(x)], len(x.shape) - 2, {"low": 1, "high": x.shape[-1]})[:2]


@_emits("tridiagonal")
def _tridiagonal(w: Writer, operation: Operation, xs: Names) -> Names:
    (x,), types = xs, [v.type for v in operation.results]
    if x.shape[-1] == 1:
        diagonal = w.op("real", [x], x.type.with_dtype(types[1].dtype)) if dtypes.is_complex(x.dtype) else x
        return [x, w.reshape(diagonal, types[1].shape), *[w.splat(0, t) for t in types[2:]]]
    uplo = {"uplo": "L" if operation.attributes["lower"] else "U"}
    return _call(w, "sytrd", xs, [*types, _info(x)], len(x.shape) - 2, uplo)[:4]


@_emits("tridiagonal_solve")
def _tridiagonal_solve(w: Writer, operation: Operation, xs: Names) -> Names:
    *diagonals, b = xs
    types = [*[x.type for x in diagonals], b.type, _info(b)]
    *_, found, info = _call(w, "gtsv", xs, types, len(b.shape) - 2)
    good = w.broadcast(w.compare("EQ", info, w.like(0, info)), b.shape, range(len(b.shape) - 2))
    return [w.select(good, found, w.like(np.nan, b))]


__all__ = ["LAPACK"]
