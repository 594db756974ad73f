# SPDX-License-Identifier: Apache-2.0
"""Reductions, cumulative reductions, argmax and argmin, sorting."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.ops.identities import highest, lowest
from olympus_core.ops.reduce import BY_REDUCTION
from olympus_core.program import ArrayType, Operation

from .elementwise import converted
from .literals import integers
from .structure import pad
from .table import emits
from .writer import Name, Writer

Names = Sequence[Name]
FUNCTIONS = {"sum": "add", "prod": "multiply", "max": "maximum", "min": "minimum", "and": "and", "or": "or"}


def reduced(w: Writer, x: Name, dimensions: Sequence[int], reduction: str) -> Name:
    """A reduction; narrow floats are reduced in float32 and rounded once."""
    start = BY_REDUCTION[reduction].nothing(x.dtype)
    wide = w.wide(x)
    total = w.reduce(wide, w.constant(start.astype(wide.dtype)), dimensions, FUNCTIONS[reduction])
    return w.convert(total, x.dtype)


@emits("reduce_sum", "reduce_prod", "reduce_max", "reduce_min", "reduce_and", "reduce_or")
def _reduce(w: Writer, operation: Operation, xs: Names) -> Names:
    dimensions = sorted(operation.attributes["dimensions"])
    if not dimensions:
        return xs
    return [reduced(w, xs[0], dimensions, operation.name.removeprefix("reduce_"))]


@emits("cumsum", "cumprod", "cummax", "cummin")
def _cumulative(w: Writer, operation: Operation, xs: Names) -> Names:
    """A scan by doubling (Hillis and Steele 1986): log2 of the size steps over the whole array."""
    reduction = operation.name.removeprefix("cum")
    dimension, reverse = operation.attributes["dimension"], operation.attributes["reverse"]
    total = w.wide(xs[0])
    start = w.constant(operation.record.neutral(xs[0].dtype).astype(total.dtype))
    size, step = total.shape[dimension], 1
    while step < size:
        near = [step if d == dimension else 0 for d in range(len(total.shape))]
        far = [-n for n in near]
        moved = pad(w, total, start, *((far, near) if reverse else (near, far)))
        total = w.combine(FUNCTIONS[reduction], total, moved)
        step *= 2
    return [w.convert(total, xs[0].dtype)]


@emits("argmax", "argmin")
def _place(w: Writer, operation: Operation, xs: Names) -> Names:
    dimension, dtype = operation.attributes["dimension"], operation.attributes["dtype"]
    x = w.convert(xs[0], dtypes.int32) if dtypes.is_bool(xs[0].dtype) else w.wide(xs[0])
    indices = w.iota(x.shape, dtypes.int32, dimension)
    better = "GT" if operation.name == "argmax" else "LT"
    bound = (lowest if operation.name == "argmax" else highest)(x.dtype)

    def fold(inner: Writer, pair: Names) -> Names:
        a, i, b, j = pair
        wins, ties = inner.compare(better, a, b), inner.compare("EQ", a, b)
        if dtypes.is_float(a.dtype):
            no_a, no_b = inner.compare("NE", a, a), inner.compare("NE", b, b)
            wins = inner.same("or", wins, inner.same("and", no_a, inner.same("not", no_b)))
            ties = inner.same("or", ties, inner.same("and", no_a, no_b))
        first = inner.same("and", ties, inner.compare("LT", i, j))
        return [inner.select(wins, a, b), inner.select(inner.same("or", wins, first), i, j)]

    scalars = [ArrayType((), x.dtype), ArrayType((), dtypes.int32)]
    shape = [n for d, n in enumerate(x.shape) if d != dimension]
    region = w.region(scalars * 2, fold)
    start = w.constant(bound), w.scalar(np.iinfo(np.int32).max, dtypes.int32)
    _, index = w.write("reduce", [x, indices, *start], [t.with_shape(shape) for t in scalars],
                       f"dimensions = {integers([dimension])}", [region])
    return [converted(w, index, dtype)]


@emits("sort")
def _sort(w: Writer, operation: Operation, xs: Names) -> Names:
    return _sorted(w, xs, operation.attributes["dimension"], operation.attributes["keys"])


@emits("top_k")
def _top_k(w: Writer, operation: Operation, xs: Names) -> Names:
    """The beginning of a descending sort."""
    dimension, k, dtype = (operation.attributes[key] for key in ("dimension", "k", "dtype"))
    (x,) = xs
    indices = w.iota(x.shape, dtypes.int64 if dtype.itemsize == 8 else dtypes.int32, dimension)
    ordered, order = _sorted(w, [x, indices], dimension, 1, is_descending=True)
    limits = [k if d == dimension else n for d, n in enumerate(x.shape)]
    found, indices = (w.slice(name, [0] * len(limits), limits, [1] * len(limits)) for name in (ordered, order))
    return [found, converted(w, indices, dtype)]


def _sorted(w: Writer, xs: Names, dimension: int, keys: int, is_descending: bool = False) -> list[Name]:
    parts: list[Name] = []  # two for complex numbers
    spans: list[tuple[int, int]] = []
    for x in xs:
        first = len(parts)
        if dtypes.is_complex(x.dtype):
            half = x.type.with_dtype(dtypes.real_part(x.dtype))
            parts += [w.op("real", [x], half), w.op("imag", [x], half)]
        else:
            parts.append(x)
        spans.append((first, len(parts)))

    def less(inner: Writer, arguments: Names) -> Names:
        left = int(is_descending)
        pairs = [(arguments[2 * i + left], arguments[2 * i + 1 - left]) for i in range(len(parts))]
        steps: list[tuple[Name, Name]] = []  # whether it comes first, and whether both are equal
        for first, end in spans[:keys]:
            if end - first == 2:
                steps.append(_compare_numbers(inner, pairs[first:end]))
            steps += [_compare(inner, *pair) for pair in pairs[first:end]]
        before, _ = steps[-1]
        for ahead, equal in reversed(steps[:-1]):
            before = inner.same("or", ahead, inner.same("and", equal, before))
        return [before]

    types = list(itertools.chain.from_iterable([ArrayType((), p.dtype)] * 2 for p in parts))
    moved = w.write("sort", parts, [p.type for p in parts], f"dimension = {dimension} : i64, is_stable = true",
                    [w.region(types, less)])
    return [
        w.op("complex", moved[first:end], x.type) if end - first == 2 else moved[first]
        for x, (first, end) in zip(xs, spans, strict=True)
    ]


def _compare(w: Writer, a: Name, b: Name) -> tuple[Name, Name]:
    """Whether `a` comes before `b`, and whether they are equal; NaN comes last."""
    a, b = w.wide(a), w.wide(b)
    before, equal = w.compare("LT", a, b), w.compare("EQ", a, b)
    if not dtypes.is_float(a.dtype):
        return before, equal
    no_a, no_b = w.compare("NE", a, a), w.compare("NE", b, b)
    return (w.same("or", before, w.same("and", w.same("not", no_a), no_b)),
            w.same("or", equal, w.same("and", no_a, no_b)))


def _compare_numbers(w: Writer, pairs: Sequence[tuple[Name, Name]]) -> tuple[Name, Name]:
    """The same for complex numbers, of which those with NaN in a part come last."""
    no_a, no_b = (
        w.same("or", *(w.compare("NE", pair[side], pair[side]) for pair in pairs)) for side in (0, 1)
    )
    return w.same("and", w.same("not", no_a), no_b), w.compare("EQ", no_a, no_b)



