"""Programs as the CPU would rather have them: products that its kernels know, in the layouts they read."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.ops.rules import compute_dtype
from olympus_core.program import Operation, Value
from olympus_core.toolkit import Flat
from olympus_core.toolkit.rewriting import Rewriting

from ..contractions.convolution import is_rewritable, rewritten_convolution
from ..contractions.gemm_steps import CONTRACTIONS, made_step
from ..contractions.split_k import SPLIT_K, split_count
from .powers import power_by_constant

# Up to so many contracted elements their sum is written out: measured, in a half to a tenth of the product's time.
_FEW = 4
# And up to so many, beside as few rows or columns, where the time is worth a longer compilation.
_TINY = 10
_LEAST_WORK = 1 << 13  # multiplications

_NARROW = frozenset({dtypes.float16, dtypes.bfloat16, *dtypes.NARROW_FLOATS})


def rewritten(flat: Flat) -> Flat:
    """The same program.

    Products of narrow floats are summed in float32 and rounded once, as their reference does; those with few results
    and very many contracted elements are sums of parts; products with a vector become sums, and those with little to
    contract multiplications, which fuse with what is around them; convolutions have their features last and no
    padding; powers by constants are multiplications and roots.
    """
    if not any(operation.name in CONTRACTIONS or operation.name == "pow" for operation in flat.operations):
        return flat
    makers = {value: operation for operation in flat.operations for value in operation.results}
    operations: list[Operation] = []
    for operation in flat.operations:
        new = power_by_constant(operation, makers) if operation.name == "pow" else _rewritten(operation)
        operations += new or [operation]
    return Flat(flat.inputs, tuple(operations), flat.outputs)


def _rewritten(operation: Operation) -> list[Operation] | None:
    if operation.name == "convolution":
        return rewritten_convolution(operation) if is_rewritable(operation) else None
    if operation.name != "dot_general":
        return None
    x, y = (v.type for v in operation.operands)
    if 0 in (x.size, y.size):
        return None
    shared = math.prod(x.shape[d] for d in operation.attributes["lhs_batch"])
    contracted = math.prod(x.shape[d] for d in operation.attributes["lhs_contracting"])
    rows, columns = x.size // (shared * contracted), y.size // (shared * contracted)
    if contracted <= _FEW:
        return _of_few(operation)
    if 1 in (rows, columns):
        return _with_vector(operation, int(rows == 1))
    if max(contracted, min(rows, columns)) <= _TINY and shared * rows * columns * contracted >= _LEAST_WORK:
        return _of_few(operation)
    return None if dtypes.is_complex(x.dtype) else _of_matrices(operation)


def _wide(operation: Operation) -> np.dtype:
    """The type in which the reference multiplies and sums."""
    return np.promote_types(*(compute_dtype(v.type.dtype) for v in (operation.operands[0], operation.results[0])))


def _of_few(operation: Operation) -> list[Operation]:
    """A product with little or nothing to contract: the sum of products of broadcasts, which fuses."""
    new, result, attributes = Rewriting(operation.location), operation.results[0], operation.attributes
    shape, wide = result.type.shape, _wide(operation)
    stack = len(attributes["lhs_batch"])
    sides: list[list[Value]] = []
    free = stack
    for value, side in zip(operation.operands, ("lhs", "rhs"), strict=True):
        value = new.convert(value, wide)
        batch, inner = attributes[f"{side}_batch"], attributes[f"{side}_contracting"]
        places = {d: place for place, d in enumerate(batch)}
        for d in range(value.type.ndim):
            if d not in places and d not in inner:
                places[d], free = free, free + 1
        sides.append([_spread(new, part, places, shape) for part in _parts(new, value, inner)])
    products = [new.apply(ops.mul, x, y) for x, y in zip(*sides, strict=True)]
    total = functools.reduce(functools.partial(new.apply, ops.add), products)
    new.convert(total, result.type.dtype)
    return new.last_is(result)


def _parts(new: Rewriting, value: Value, inner: Sequence[int]) -> list[Value]:
    """A value at each place of some dimensions, which stay with one element."""
    shape = value.type.shape
    if all(shape[d] == 1 for d in inner):
        return [value]
    found = []
    for at in itertools.product(*(range(shape[d]) for d in inner)):
        place = dict(zip(inner, at, strict=True))
        starts = tuple(place.get(d, 0) for d in range(len(shape)))
        limits = tuple(place[d] + 1 if d in place else n for d, n in enumerate(shape))
        found.append(new.apply(ops.slice, value, starts=starts, limits=limits, strides=(1,) * len(shape)))
    return found


def _spread(new: Rewriting, value: Value, places: Mapping[int, int], shape: tuple[int, ...]) -> Value:
    """A value in a larger shape, where its dimension d is `places[d]`; its others have one element, and go."""
    kept = sorted(places)
    if len(kept) < value.type.ndim:
        value = new.apply(ops.reshape, value, shape=tuple(value.type.shape[d] for d in kept))
    value = new.transpose(value, tuple(sorted(range(len(kept)), key=lambda i: places[kept[i]])))
    return new.broadcast(value, shape, tuple(sorted(places.values())))


def _of_matrices(operation: Operation) -> list[Operation] | None:
    """A product of narrow floats as one that is summed in float32, a long one by split-K."""
    new, result = Rewriting(operation.location), operation.results[0]
    attributes = dict(operation.attributes)
    if operation.operands[0].type.dtype in _NARROW and result.type.dtype in _NARROW:
        attributes["dtype"] = dtypes.float32
    product = new.apply(operation.record, *operation.operands, **attributes)
    splits = split_count(new.operations[0])
    if splits > 1:
        split = Rewriting(operation.location)
        each = split.apply(SPLIT_K, *operation.operands, **attributes, splits=splits)
        if made_step(split.operations[0]) is not None:
            new, product = split, split.apply(ops.reduce_sum, each, dimensions=(0,))
    new.convert(product, result.type.dtype)
    return new.last_is(result) if len(new.operations) > 1 else None


def _with_vector(operation: Operation, large: int) -> list[Operation]:
    """A product whose one operand has nothing but batch and contracted dimensions, or others of size 1: a sum."""
    new, result = Rewriting(operation.location), operation.results[0]
    sides = ("lhs", "rhs") if large == 0 else ("rhs", "lhs")
    matrix, vector = (new.convert(operation.operands[i], _wide(operation)) for i in (large, 1 - large))
    (batch, inner), (batch_vector, inner_vector) = (
        (operation.attributes[f"{side}_batch"], operation.attributes[f"{side}_contracting"]) for side in sides
    )
    places = dict(zip((*batch_vector, *inner_vector), (*batch, *inner), strict=True))
    product = new.apply(ops.mul, matrix, _spread(new, vector, places, matrix.type.shape))
    total = new.apply(ops.reduce_sum, product, dimensions=tuple(sorted(inner)))
    left = [d for d in range(matrix.type.ndim) if d not in inner]
    free = [d for d in left if d not in batch]
    total = new.transpose(total, tuple(left.index(d) for d in (*batch, *free)))
    if total.type.shape != result.type.shape:
        total = new.apply(ops.reshape, total, shape=result.type.shape)
    new.convert(total, result.type.dtype)
    return new.last_is(result)
