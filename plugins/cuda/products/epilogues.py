# SPDX-License-Identifier: Apache-2.0
"""Products that become an operation of the plugin, which `made_step` knows.

The pass `EPILOGUES` fuses what follows into them: a bias for each column, then ReLU or GELU. The pass `TF32` marks
those whose operands have no more bits than TensorFloat-32, as `precision="TF32_TF32_F32"` asks: tensor cores read all
of these bits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from olympus_core import dtypes, ops
from olympus_core.errors import OlympusInternalError
from olympus_core.program import ArrayType, Operation, OperationRecord, Program, Value
from olympus_core.program.record import FactorRule
from olympus_core.toolkit.passes import Builder, Match, Rule, anything, op, rewriting_pass, splat

from .gelu import gelu_of
from .low_bits import are_zero
from .matrices import roles_of
from .tiled import Epilogue

NAME = "product_with_epilogue"
_HALVES = (dtypes.float16, dtypes.bfloat16)
_TYPES = (*_HALVES, dtypes.float32)
_DROPPED = 13  # bits of a float32's mantissa that tensor cores do not read
_DOT = ("lhs_contracting", "rhs_contracting", "lhs_batch", "rhs_batch", "dtype")


def epilogue_of(operation: Operation) -> Epilogue | None:
    """What is fused into a product, if anything is."""
    found = [operation.attributes[key] for key in ("bias", "relu", "gelu")]
    return Epilogue(*found) if any(found) else None


def product_of(operation: Operation) -> Operation:
    """The product of a fused operation, with the same result."""
    attributes = {key: operation.attributes[key] for key in _DOT}
    return Operation(ops.dot_general, operation.operands[:2], attributes, (), operation.results, operation.location)


def _biased(new: Builder, match: Match) -> Value | None:
    """The fused operation of an addition to a product."""
    product = match.producer("product")
    vector = _vector(match, product)
    return None if vector is None else _joined(new, product, [vector])


def _limited(new: Builder, match: Match) -> Value | None:
    """The fused operation of a maximum with zero (ReLU)."""
    return _with(new, match.producer("product"), relu=True) if match.number("zero") == 0 else None


def _curved(new: Builder, match: Match) -> Value | None:
    """The fused operation of a GELU.

    Only for 16-bit elements: the accuracy of the library's tanh is not documented.
    """
    product = gelu_of(match.operation, match.operands, new)
    producer = None if product is None else new.producer(product)
    return None if producer is None else _with(new, producer, gelu=True)


def _with(new: Builder, producer: Operation, **function: bool) -> Value | None:
    """A product, with or without a bias, with an activation fused into it."""
    if producer.name == NAME and not (producer.attributes["relu"] or producer.attributes["gelu"]):
        return _joined(new, producer, producer.operands[2:], **function)
    if producer.name == "dot_general" and _fits(producer):
        return _joined(new, producer, [], **function)
    return None


def _vector(match: Match, dot: Operation) -> Value | None:
    """The vector that a value repeats for each row of a product, if it has an element for each column."""
    broadcast, vector = match.producer("broadcast"), match["vector"]
    shape = match["broadcast"].type.shape
    free = dot.operands[1].type.ndim - len(dot.attributes["rhs_contracting"]) - len(dot.attributes["rhs_batch"])
    wanted = [(d, n) for d, n in enumerate(shape) if d >= len(shape) - free and n > 1]
    given = [(d, n) for d, n in zip(broadcast.attributes["dimensions"], vector.type.shape, strict=True) if n > 1]
    return vector if given == wanted and wanted else None


def _untransposed(new: Builder, dot: Operation) -> Operation:
    """The product of the operands before their transposes, as lowering would simplify a `dot_general`."""
    attributes, operands = dict(dot.attributes), list(dot.operands)
    for i, side in enumerate(("lhs", "rhs")):
        producer, keys = new.producer(operands[i]), (f"{side}_contracting", f"{side}_batch")
        if producer is None or producer.name != "transpose":
            continue
        order = producer.attributes["permutation"]
        gone = {d for key in keys for d in attributes[key]}
        free = [source for d, source in enumerate(order) if d not in gone]
        if free == sorted(free):
            attributes.update((key, tuple(order[d] for d in attributes[key])) for key in keys)
            operands[i] = producer.operands[0]
    return Operation(dot.record, tuple(operands), attributes, (), dot.results, dot.location)


def _fits(dot: Operation) -> bool:
    """Whether cuBLASLt supports epilogues for a product: one matrix, of floats that it rounds itself."""
    source, result = dot.operands[0].type, dot.results[0].type
    batch = math.prod(source.shape[d] for d in dot.attributes["lhs_batch"])
    return source.dtype in _TYPES and result.dtype == source.dtype and batch == 1 and result.size > 0 and (
        0 not in (v.type.size for v in dot.operands)) and roles_of(dot).sizes[2] > 1


def _joined(
    new: Builder, product: Operation, vectors: Sequence[Value], relu: bool = False, gelu: bool = False
) -> Value | None:
    if not new.varies(product.operands):
        return None  # constant subprograms are computed once by the operation table, which does not know RECORD
    product = _untransposed(new, product) if product.name == "dot_general" else product
    attributes = {key: product.attributes.get(key) for key in _DOT}
    fused = {"bias": bool(vectors), "relu": relu, "gelu": gelu, "tf32": False}
    return new.apply(RECORD, *product.operands[:2], *vectors, **attributes, **fused)


def _marked(new: Builder, match: Match) -> Value | None:
    """A product by tensor cores, where both operands have no more bits than these read."""
    product, operands = match.operation, match.operands
    if product.attributes.get("tf32") or not all(are_zero(x, _DROPPED, new) for x in operands[:2]):
        return None
    if product.name == NAME:
        return new.apply(RECORD, *operands, **{**product.attributes, "tf32": True})
    if not new.varies(operands):
        return None
    attributes = {key: product.attributes.get(key) for key in _DOT}
    return new.apply(RECORD, *operands, **attributes, bias=False, relu=False, gelu=False, tf32=True)


def _is_single(operation: Operation) -> bool:
    return {v.type.dtype for v in (*operation.operands, *operation.results)} == {dtypes.float32}


def _type_rule(
    types: Sequence[ArrayType], attributes: Mapping[str, Any], regions: Sequence[Program]
) -> Sequence[ArrayType]:
    return ops.dot_general.type_rule(types[:2], {key: attributes[key] for key in _DOT}, regions)


def _factor_rule(
    operands: Sequence[ArrayType], results: Sequence[ArrayType], attributes: Mapping[str, Any]
) -> FactorRule:
    rule = ops.dot_general.factor_rule
    if rule is None:
        raise OlympusInternalError("dot_general has no factors")
    return rule(operands[:2], results, attributes)


RECORD = OperationRecord(NAME, "contraction", _type_rule, _factor_rule)


def _is_narrow(operation: Operation) -> bool:
    return operation.results[0].type.dtype in _HALVES


# Results are rounded once, not after each of the fused operations.
EPILOGUES = rewriting_pass(
    "epilogues",
    Rule(op("add", op("dot_general", bind="product", uses=1, where=_fits),
            op("broadcast_in_dim", anything("vector"), bind="broadcast"), commutes=True), _biased),
    Rule(op("max", op(("dot_general", NAME), bind="product", uses=1), splat("zero"), commutes=True), _limited),
    Rule(op("mul", where=_is_narrow), _curved),
)
# After the epilogues, which look for products as they were written.
TF32 = rewriting_pass("tf32", Rule(op(("dot_general", NAME), where=_is_single), _marked))
