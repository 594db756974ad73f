# SPDX-License-Identifier: Apache-2.0
"""Contractions: `dot_general` and convolution."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import NotSupportedError
from olympus_core.ops.rules import sum_dtype
from olympus_core.program import Attributes, Operation

from .elementwise import converted
from .literals import integers, table
from .structure import pad
from .table import emits
from .writer import Name, Writer, wide_dtype

Names = Sequence[Name]


def _precision(w: Writer) -> str:
    word = f"#stablehlo<precision {w.module.policy.precision.upper()}>"
    return f"precision_config = [{word}, {word}]"


def _factors(w: Writer, xs: Names, wide: np.dtype) -> Names:
    """The operands in types that hardware multiplies: float16 and bfloat16 stay, with sums of type `wide`."""
    if xs[0].dtype in dtypes.NARROW_FLOATS:
        xs = [w.convert(x, dtypes.bfloat16) for x in xs]  # which represents them exactly
    if xs[0].dtype in (dtypes.float16, dtypes.bfloat16) and wide == dtypes.float32:
        return xs
    return [w.convert(x, wide) for x in xs]


@emits("dot_general")
def _dot(w: Writer, operation: Operation, xs: Names) -> Names:
    attributes, result = operation.attributes, operation.results[0].type
    wide = sum_dtype(xs[0].dtype, result.dtype)
    left, right = _factors(w, xs, wide)
    if wide in (dtypes.int64, dtypes.uint64) and not w.module.policy.wide_integers:
        return [converted(w, _summed_products(w, left, right, operation), result.dtype)]
    numbers = ", ".join(
        f"{side}_{what} = [{', '.join(map(str, attributes[f'{side}_{key}']))}]"
        for what, key in (("batching_dimensions", "batch"), ("contracting_dimensions", "contracting"))
        for side in ("lhs", "rhs")
    )
    total = w.op("dot_general", [left, right], result.with_dtype(wide),
                 f"dot_dimension_numbers = #stablehlo.dot<{numbers}>, {_precision(w)}")
    return [converted(w, total, result.dtype)]


def _summed_products(w: Writer, left: Name, right: Name, operation: Operation) -> Name:
    """A product as multiplication and sum, for element types without hardware for matrix products."""
    attributes, result = operation.attributes, operation.results[0].type
    sides = []
    for side, x in (("lhs", left), ("rhs", right)):
        taken = (*attributes[f"{side}_batch"], *attributes[f"{side}_contracting"])
        sides.append([d for d in range(len(x.shape)) if d not in taken])
    inner = [left.shape[d] for d in attributes["lhs_contracting"]]
    shape = (*result.shape, *inner)
    batches = len(attributes["lhs_batch"])
    positions = []
    for side, first, free in (("lhs", batches, sides[0]), ("rhs", batches + len(sides[0]), sides[1])):
        order = {d: i for i, d in enumerate(attributes[f"{side}_batch"])}
        order.update({d: first + i for i, d in enumerate(free)})
        order.update({d: result.ndim + i for i, d in enumerate(attributes[f"{side}_contracting"])})
        positions.append([order[d] for d in range(len(order))])
    spread = [w.op("broadcast_in_dim", [x], x.type.with_shape(shape), f"broadcast_dimensions = {integers(order)}")
              for x, order in zip((left, right), positions, strict=True)]
    return w.reduce(w.same("multiply", *spread), w.scalar(0, left.dtype), range(result.ndim, len(shape)), "add")


@emits("convolution")
def _convolution(w: Writer, operation: Operation, xs: Names) -> Names:
    attributes, result = operation.attributes, operation.results[0].type
    wide = wide_dtype(result.dtype)
    policy = w.module.policy
    if wide in (dtypes.int64, dtypes.uint64) and not policy.wide_integers:
        raise NotSupportedError(
            f"convolution of {wide.name}", f"{policy.name} has no convolution of 64-bit integers.",
            f"Convert the operands to {dtypes.narrowed(wide).name}.",
        )
    left, right = _factors(w, xs, wide)
    letters = [c for c in attributes["rhs_layout"] if c not in "OI"]
    count = len(letters)
    left, padding, dilation = _trimmed(w, left, attributes, [attributes["lhs_layout"].index(c) for c in letters])
    layouts = [
        [names[c] if c in names else str(letters.index(c)) for c in attributes[key]]
        for key, names in (("lhs_layout", {"N": "b", "C": "f"}), ("rhs_layout", {"O": "o", "I": "i"}),
                           ("out_layout", {"N": "b", "C": "f"}))
    ]
    numbers = "[{}]x[{}]->[{}]".format(*(", ".join(layout) for layout in layouts))
    parts = [f"window_strides = {integers(attributes['window_strides'])}",
             f"lhs_dilation = {integers(dilation)}",
             f"rhs_dilation = {integers(attributes['rhs_dilation'])}"]
    if count:
        parts.append(f"padding = {table(padding)}")
    parts += [f"dimension_numbers = #stablehlo.conv<{numbers}>",
              f"feature_group_count = {attributes['feature_groups']} : i64",
              f"batch_group_count = {attributes['batch_groups']} : i64", _precision(w)]
    total = w.op("convolution", [left, right], result.with_dtype(wide), ", ".join(parts))
    return [w.convert(total, result.dtype)]


def _trimmed(
    w: Writer, x: Name, attributes: Attributes, dimensions: Sequence[int]
) -> tuple[Name, Sequence[tuple[int, int]], Sequence[int]]:
    """The operand, its padding and dilation; negative padding, which some libraries get wrong, is applied before."""
    padding, dilation = attributes["padding"], attributes["lhs_dilation"]
    if all(n >= 0 for pair in padding for n in pair):
        return x, padding, dilation
    low, high, interior = ([0] * len(x.shape) for _ in range(3))
    for d, (before, after), spread in zip(dimensions, padding, dilation, strict=True):
        low[d], high[d], interior[d] = before, after, spread - 1
    return pad(w, x, w.scalar(0, x.dtype), low, high, interior), [(0, 0)] * len(dimensions), [1] * len(dimensions)
