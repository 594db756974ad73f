"""Programs as the CPU would rather have them: products that its kernels know, in the layouts they read."""

from __future__ import annotations

import math

from olympus_core import dtypes, ops
from olympus_core.program import Operation
from olympus_core.toolkit import Flat
from olympus_core.toolkit.rewriting import Rewriting

from ..contractions.convolution import is_rewritable, rewritten_convolution
from ..contractions.parts import IN_PARTS, parts_of
from ..contractions.steps import CONTRACTIONS, made_step

_NARROW = frozenset({dtypes.float16, dtypes.bfloat16, *dtypes.NARROW_FLOATS})


def rewritten(flat: Flat) -> Flat:
    """The same program.

    Products of narrow floats are summed in float32 and rounded once, as their reference does; those with few results
    and very many contracted elements are sums of parts; products with a vector become sums, which fuse with what is
    around them; convolutions have their features last and no padding.
    """
    if not any(operation.name in CONTRACTIONS for operation in flat.operations):
        return flat
    operations: list[Operation] = []
    for operation in flat.operations:
        operations += _rewritten(operation) or [operation]
    return Flat(flat.inputs, tuple(operations), flat.outputs)


def _rewritten(operation: Operation) -> list[Operation] | None:
    if operation.name == "convolution":
        return rewritten_convolution(operation) if is_rewritable(operation) else None
    if operation.name != "dot_general":
        return None
    x, y = (v.type for v in operation.operands)
    if dtypes.is_complex(x.dtype) or 0 in (x.size, y.size):
        return None
    shared = math.prod(x.shape[d] for d in operation.attributes["lhs_batch"])
    contracted = math.prod(x.shape[d] for d in operation.attributes["lhs_contracting"])
    if shared * contracted in (x.size, y.size) and contracted > 1:
        return _with_vector(operation, int(x.size == shared * contracted))
    return _of_matrices(operation)


def _of_matrices(operation: Operation) -> list[Operation] | None:
    """A product of narrow floats as one that is summed in float32, a long one as the sum of its parts."""
    new, result = Rewriting(operation.location), operation.results[0]
    attributes = dict(operation.attributes)
    if operation.operands[0].type.dtype in _NARROW and result.type.dtype in _NARROW:
        attributes["dtype"] = dtypes.float32
    product = new.apply(operation.record, *operation.operands, **attributes)
    parts = parts_of(new.operations[0])
    if parts > 1:
        in_parts = Rewriting(operation.location)
        each = in_parts.apply(IN_PARTS, *operation.operands, **attributes, parts=parts)
        if made_step(in_parts.operations[0]) is not None:
            new, product = in_parts, in_parts.apply(ops.reduce_sum, each, dimensions=(0,))
    new.convert(product, result.type.dtype)
    return new.last_is(result) if len(new.operations) > 1 else None


def _with_vector(operation: Operation, large: int) -> list[Operation]:
    """A product whose one operand has nothing but batch and contracted dimensions, or others of size 1: a sum."""
    new, result = Rewriting(operation.location), operation.results[0]
    sides = ("lhs", "rhs") if large == 0 else ("rhs", "lhs")
    wide = dtypes.float32 if result.type.dtype in _NARROW else result.type.dtype
    matrix, vector = (new.convert(operation.operands[i], wide) for i in (large, 1 - large))
    (batch, inner), (batch_vector, inner_vector) = (
        (operation.attributes[f"{side}_batch"], operation.attributes[f"{side}_contracting"]) for side in sides
    )
    place = dict(zip((*batch_vector, *inner_vector), (*batch, *inner), strict=True))
    ones = [d for d in range(vector.type.ndim) if d not in place]
    if ones:
        vector = new.apply(ops.reshape, vector, shape=tuple(vector.type.shape[d] for d in place_order(place)))
    dimensions = tuple(place[d] for d in place_order(place))
    rising = tuple(sorted(range(len(dimensions)), key=lambda i: dimensions[i]))
    vector = new.transpose(vector, rising)
    vector = new.broadcast(vector, matrix.type.shape, tuple(sorted(dimensions)))
    product = new.apply(ops.mul, matrix, vector)
    total = new.apply(ops.reduce_sum, product, dimensions=tuple(sorted(inner)))
    left = [d for d in range(matrix.type.ndim) if d not in inner]
    free = [d for d in left if d not in batch]
    total = new.transpose(total, tuple(left.index(d) for d in (*batch, *free)))
    if total.type.shape != result.type.shape:
        total = new.apply(ops.reshape, total, shape=result.type.shape)
    new.convert(total, result.type.dtype)
    return new.last_is(result)


def place_order(place: dict[int, int]) -> list[int]:
    """A vector's dimensions in their order."""
    return sorted(place)
