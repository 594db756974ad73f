# SPDX-License-Identifier: Apache-2.0
"""Rules for products and convolutions: forms that the CPU's kernels know, in the layouts that they read."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.ops.rules import sum_dtype
from olympus_core.program import Operation, Value
from olympus_core.toolkit.passes import Builder, Match, Rule, op

from ..contractions.byte_products import BYTE_DOT, narrow_operands
from ..contractions.convolution import is_rewritable, rewritten_convolution
from ..contractions.gemm_steps import made_step
from ..contractions.split_k import SPLIT_K, split_count

# Up to so many contracted elements their sum is written out: measured, in a half to a tenth of the product's time.
_FEW = 4
# And up to so many, beside as few rows or columns, where the time is worth a longer compilation.
_TINY = 10
_LEAST_WORK = 1 << 13  # multiplications
_MANY_RESULTS = 1 << 11  # of one long product: by AMX it need not be split

_NARROW = frozenset({dtypes.float16, dtypes.bfloat16, *dtypes.NARROW_FLOATS})


def product_sizes(operation: Operation) -> tuple[int, int, int, int]:
    """Numbers of matrices, rows, columns and contracted elements of a product; zeros where it is empty."""
    x, y = (v.type for v in operation.operands)
    if 0 in (x.size, y.size):
        return 0, 0, 0, 0
    shared = math.prod(x.shape[d] for d in operation.attributes["lhs_batch"])
    contracted = math.prod(x.shape[d] for d in operation.attributes["lhs_contracting"])
    return shared, x.size // (shared * contracted), y.size // (shared * contracted), contracted


def _is_small(operation: Operation) -> bool:
    """Whether there is little to contract, or little of everything in many matrices."""
    shared, rows, columns, contracted = product_sizes(operation)
    tiny = max(contracted, min(rows, columns)) <= _TINY and shared * rows * columns * contracted >= _LEAST_WORK
    return 0 < contracted <= _FEW or (tiny and 1 not in (rows, columns))


def _is_with_vector(operation: Operation) -> bool:
    """Whether one operand has nothing but batch and contracted dimensions, or others of size 1."""
    return 1 in product_sizes(operation)[1:3]


def _is_of_floats(operation: Operation) -> bool:
    return all(product_sizes(operation)) and not dtypes.is_complex(operation.operands[0].type.dtype)


def _is_of_complexes(operation: Operation) -> bool:
    if not dtypes.is_complex(operation.operands[0].type.dtype) or not all(v.type.size for v in (
            *operation.operands, *operation.results)):
        return False
    return operation.name == "convolution" or not (_is_small(operation) or _is_with_vector(operation))


def _wide(operation: Operation) -> np.dtype:
    """The type in which the reference multiplies and sums."""
    return sum_dtype(operation.operands[0].type.dtype, operation.results[0].type.dtype)


def _of_few(new: Builder, match: Match) -> Value:
    """A product with little or nothing to contract: the sum of products of broadcasts, which fuses."""
    operation = match.operation
    result, attributes = operation.results[0].type, operation.attributes
    wide = _wide(operation)
    stack = len(attributes["lhs_batch"])
    sides: list[list[Value]] = []
    free = stack
    for value, side in zip(match.operands, ("lhs", "rhs"), strict=True):
        value = new.convert(value, wide)
        batch, inner = attributes[f"{side}_batch"], attributes[f"{side}_contracting"]
        positions = {d: position for position, d in enumerate(batch)}
        for d in range(value.type.ndim):
            if d not in positions and d not in inner:
                positions[d], free = free, free + 1
        sides.append([_spread(new, part, positions, result.shape) for part in _parts(new, value, inner)])
    products = [new.apply(ops.mul, x, y) for x, y in zip(*sides, strict=True)]
    return new.convert(functools.reduce(functools.partial(new.apply, ops.add), products), result.dtype)


def _parts(new: Builder, value: Value, inner: Sequence[int]) -> list[Value]:
    """A value at each position of some dimensions, which stay with one element."""
    shape = value.type.shape
    if all(shape[d] == 1 for d in inner):
        return [value]
    found = []
    for at in itertools.product(*(range(shape[d]) for d in inner)):
        position = dict(zip(inner, at, strict=True))
        starts = tuple(position.get(d, 0) for d in range(len(shape)))
        limits = tuple(position[d] + 1 if d in position else n for d, n in enumerate(shape))
        found.append(new.apply(ops.slice, value, starts=starts, limits=limits, strides=(1,) * len(shape)))
    return found


def _spread(new: Builder, value: Value, positions: Mapping[int, int], shape: tuple[int, ...]) -> Value:
    """A value in a larger shape, where its dimension d is `positions[d]`; its others have one element, and go."""
    kept = sorted(positions)
    if len(kept) < value.type.ndim:
        value = new.apply(ops.reshape, value, shape=tuple(value.type.shape[d] for d in kept))
    value = new.transpose(value, tuple(sorted(range(len(kept)), key=lambda i: positions[kept[i]])))
    return new.broadcast(value, shape, tuple(sorted(positions.values())))


def _with_vector(new: Builder, match: Match) -> Value:
    """A product with a vector: a sum."""
    operation, result = match.operation, match.operation.results[0].type
    large = int(product_sizes(operation)[1] == 1)
    sides = ("lhs", "rhs") if large == 0 else ("rhs", "lhs")
    matrix, vector = (new.convert(match.operands[i], _wide(operation)) for i in (large, 1 - large))
    (batch, inner), (batch_vector, inner_vector) = (
        (operation.attributes[f"{side}_batch"], operation.attributes[f"{side}_contracting"]) for side in sides
    )
    positions = dict(zip((*batch_vector, *inner_vector), (*batch, *inner), strict=True))
    product = new.apply(ops.mul, matrix, _spread(new, vector, positions, matrix.type.shape))
    total = new.apply(ops.reduce_sum, product, dimensions=tuple(sorted(inner)))
    left = [d for d in range(matrix.type.ndim) if d not in inner]
    free = [d for d in left if d not in batch]
    total = new.transpose(total, tuple(left.index(d) for d in (*batch, *free)))
    if total.type.shape != result.shape:
        total = new.apply(ops.reshape, total, shape=result.shape)
    return new.convert(total, result.dtype)


def _of_complexes(new: Builder, match: Match) -> Value:
    """A product of complex matrices as one of real ones, whose last contracted elements are a number's two parts.

    (a + bi)(c + di) has the parts (a, b) (c, -d) and (a, b) (d, c). NumPy's library is not asked, whose sums are in
    another order on another processor.
    """
    operation, (x, y) = match.operation, match.operands
    attributes, wide = dict(operation.attributes), _wide(operation)
    (a, b), (c, d) = ([new.apply(part, v) for part in (ops.real, ops.imag)] for v in (
        new.convert(x, wide), new.convert(y, wide)))
    attributes["lhs_contracting"] = (*attributes["lhs_contracting"], x.type.ndim)
    attributes["rhs_contracting"] = (*attributes["rhs_contracting"], y.type.ndim)
    attributes.pop("dtype", None)
    rows = _stacked(new, [_stacked(new, [c, d]), _stacked(new, [new.apply(ops.neg, d), c])], y.type.ndim)
    parts = new.apply(operation.record, _stacked(new, [a, b]), rows, **attributes)
    found = [new.apply(ops.reshape, part, shape=operation.results[0].type.shape) for part in _parts(
        new, parts, (parts.type.ndim - 1,))]
    return new.convert(new.apply(ops.complex, *found), operation.results[0].type.dtype)


def _of_complex_windows(new: Builder, match: Match) -> Value:
    """A complex convolution as four real ones."""
    result, record, attributes = match.operation.results[0].type, match.operation.record, match.operation.attributes
    (a, b), (c, d) = ([new.apply(part, v) for part in (ops.real, ops.imag)] for v in match.operands)
    attributes = {k: dtypes.real_part(v) if k == "dtype" and v is not None else v for k, v in attributes.items()}
    ac, bd, ad, bc = (new.apply(record, *pair, **attributes) for pair in ((a, c), (b, d), (a, d), (b, c)))
    parts = new.apply(ops.sub, ac, bd), new.apply(ops.add, ad, bc)
    return new.convert(new.apply(ops.complex, *parts), result.dtype)


def _stacked(new: Builder, values: Sequence[Value], dimension: int | None = None) -> Value:
    """Values beside each other in a new dimension, the last one where none is named."""
    shape = values[0].type.shape
    at = len(shape) if dimension is None else dimension
    each = [new.apply(ops.reshape, v, shape=(*shape[:at], 1, *shape[at:])) for v in values]
    return new.apply(ops.concatenate, *each, dimension=at)


def _of_matrices(new: Builder, match: Match) -> Value | None:
    """A product of narrow floats as one summed in float32, of widened bytes as one of bytes, a long one by split-K."""
    operation, result = match.operation, match.operation.results[0].type
    attributes = dict(operation.attributes)
    operands = match.operands
    narrow = narrow_operands(new, operands, result.dtype)
    if narrow is not None:
        of_bytes = new.make(BYTE_DOT, *narrow, **{**attributes, "dtype": result.dtype})
        if made_step(of_bytes) is not None:
            return new.emit(of_bytes)[0]
    if operands[0].type.dtype in _NARROW and result.dtype in _NARROW:
        attributes["dtype"] = dtypes.float32
    if operands[0].type.dtype in dtypes.NARROW_FLOATS:  # which no kernel reads
        operands = tuple(new.convert(v, dtypes.float32) for v in operands)
    product = new.make(operation.record, *operands, **attributes)
    splits = split_count(product)
    if splits > 1 and not _is_by_amx(product):
        split = new.make(SPLIT_K, *operands, **attributes, splits=splits)
        if made_step(split) is not None:
            (each,) = new.emit(split)
            return new.convert(new.apply(ops.reduce_sum, each, dimensions=(0,)), result.dtype)
    is_new = attributes != operation.attributes or operands != match.operands
    return new.convert(new.emit(product)[0], result.dtype) if is_new else None


def _is_by_amx(operation: Operation) -> bool:
    """Whether AMX multiplies a long product, with so many results in one thread faster than several do without it."""
    if operation.operands[0].type.dtype != dtypes.bfloat16 or operation.results[0].type.size < _MANY_RESULTS:
        return False
    step = made_step(operation)
    return step is not None and step.gemm.variant.uses_amx


def _of_windows(new: Builder, match: Match) -> Value | None:
    return rewritten_convolution(new, match, lambda operation: made_step(operation) is not None)


def _is_conjugated(operation: Operation) -> bool:
    attributes = operation.attributes
    return attributes["conjugate"] and not attributes["transpose"] and dtypes.is_complex(
        operation.operands[0].type.dtype)


def _of_conjugate(new: Builder, match: Match) -> Value:
    """Equations with a conjugated matrix that is not transposed, a choice that BLAS does not have."""
    a, b = match.operands
    return new.apply(match.operation.record, new.apply(ops.conj, a), b, **{
        **match.operation.attributes, "conjugate": False})


# Before the others, which know what comes of them.
COMPLEX_PRODUCT_RULES = (
    Rule(op("dot_general", where=_is_of_complexes), _of_complexes),
    Rule(op("convolution", where=_is_of_complexes), _of_complex_windows),
    Rule(op("triangular_solve", where=_is_conjugated), _of_conjugate),
)
# The first that applies: products with vectors are sums unless so little is contracted that they are written out.
PRODUCT_RULES = (
    Rule(op("dot_general", where=_is_small), _of_few),
    Rule(op("dot_general", where=_is_with_vector), _with_vector),
    Rule(op("dot_general", where=_is_of_floats), _of_matrices),
    Rule(op("convolution", where=is_rewritable), _of_windows),
)
