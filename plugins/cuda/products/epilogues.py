"""Products that a bias is added to and that relu or gelu is taken of, as one operation of the plugin's own.

A maker hands its program through `with_epilogues` before it is planned; `made_step` knows the operation.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from olympus_core import dtypes, ops
from olympus_core.errors import OlympusInternalError
from olympus_core.program import ArrayType, Operation, OperationRecord, Program, Value
from olympus_core.program.record import FactorRule
from olympus_core.toolkit import Flat
from olympus_core.toolkit.rewriting import splat_of, varying_values

from .gelu import gelu_of
from .matrices import roles_of
from .tiled import Epilogue

NAME = "product_with_epilogue"
_HALVES = (dtypes.float16, dtypes.bfloat16)
_TYPES = (*_HALVES, dtypes.float32)
_DOT = ("lhs_contracting", "rhs_contracting", "lhs_batch", "rhs_batch", "dtype")


def with_epilogues(flat: Flat) -> Flat:
    """The same program, with products that take on what follows them: a bias for each column, then relu or gelu.

    What they took on stays in the program, unused, for planning to leave out. Results are rounded once, not at each of
    these operations.
    """
    if not any(operation.name == "dot_general" for operation in flat.operations):
        return flat
    return Flat(flat.inputs, tuple(_Epilogues(flat).operations), flat.outputs)


def epilogue_of(operation: Operation) -> Epilogue:
    """What an operation of this kind does after the product."""
    return Epilogue(*(operation.attributes[key] for key in ("bias", "relu", "gelu")))


def product_of(operation: Operation) -> Operation:
    """The product alone, with the same result."""
    attributes = {key: operation.attributes[key] for key in _DOT}
    return Operation(ops.dot_general, operation.operands[:2], attributes, (), operation.results, operation.location)


class _Epilogues:
    def __init__(self, flat: Flat) -> None:
        self.makers = {v: operation for operation in flat.operations for v in operation.results}
        self.uses = Counter([*flat.outputs, *(v for operation in flat.operations for v in operation.operands)])
        self.varying = varying_values(flat)
        self.operations: list[Operation] = []
        self.written: dict[Value, Operation] = {}
        for operation in flat.operations:
            found = self._biased(operation) or self._limited(operation) or self._curved(operation)
            if found is not None:
                self.written[found.results[0]] = found
            self.operations.append(found or operation)

    def _biased(self, operation: Operation) -> Operation | None:
        """An addition to a product, as one operation."""
        if operation.name != "add":
            return None
        for product, other in (operation.operands, operation.operands[::-1]):
            dot = self.makers.get(product)
            if dot is None or dot.name != "dot_general" or self.uses[product] != 1 or not _fits(dot):
                continue
            vector = self._vector(other, dot)
            # What depends on constants alone is computed once, by the table, which does not know this operation.
            if vector is not None and not self.varying.isdisjoint(dot.operands):
                return _joined(self._untransposed(dot), [vector], operation)
        return None

    def _limited(self, operation: Operation) -> Operation | None:
        """The greater of zero and a product, with a bias or without, as one operation."""
        if operation.name != "max":
            return None
        for product, zero in (operation.operands, operation.operands[::-1]):
            if self.uses[product] == 1 and self._is_zero(zero):
                found = self._with(product, operation, relu=True)
                if found is not None:
                    return found
        return None

    def _curved(self, operation: Operation) -> Operation | None:
        """The GELU of a product, with a bias or without, as one operation.

        Of 16-bit elements alone: how exact the library's tanh is, it does not say.
        """
        if operation.name != "mul" or operation.results[0].type.dtype not in _HALVES:
            return None
        product = gelu_of(operation, self.makers, self.uses)
        return None if product is None else self._with(product, operation, gelu=True)

    def _with(self, product: Value, last: Operation, **function: bool) -> Operation | None:
        """A product, with a bias or without, and the function that is taken of it."""
        maker = self.written.get(product) or self.makers.get(product)
        if maker is None:
            return None
        if maker.name == NAME and not (maker.attributes["relu"] or maker.attributes["gelu"]):
            return _joined(maker, maker.operands[2:], last, **function)
        if maker.name == "dot_general" and _fits(maker) and not self.varying.isdisjoint(maker.operands):
            return _joined(self._untransposed(maker), [], last, **function)
        return None

    def _vector(self, value: Value, dot: Operation) -> Value | None:
        """What is repeated for each row of a product, if a value is that: as many elements as there are columns."""
        broadcast = self.makers.get(value)
        if broadcast is None or broadcast.name != "broadcast_in_dim":
            return None
        (vector,), shape = broadcast.operands, value.type.shape
        free = dot.operands[1].type.ndim - len(dot.attributes["rhs_contracting"]) - len(dot.attributes["rhs_batch"])
        wanted = [(d, n) for d, n in enumerate(shape) if d >= len(shape) - free and n > 1]
        given = [(d, n) for d, n in zip(broadcast.attributes["dimensions"], vector.type.shape, strict=True) if n > 1]
        return vector if given == wanted and wanted else None

    def _untransposed(self, dot: Operation) -> Operation:
        """The product of what its operands are transposes of, as planning would have it of a `dot_general`."""
        attributes, operands = dict(dot.attributes), list(dot.operands)
        for i, side in enumerate(("lhs", "rhs")):
            maker, keys = self.makers.get(operands[i]), (f"{side}_contracting", f"{side}_batch")
            if maker is None or maker.name != "transpose":
                continue
            order = maker.attributes["permutation"]
            gone = {d for key in keys for d in attributes[key]}
            free = [source for d, source in enumerate(order) if d not in gone]
            if free == sorted(free):
                attributes.update((key, tuple(order[d] for d in attributes[key])) for key in keys)
                operands[i] = maker.operands[0]
        return Operation(dot.record, tuple(operands), attributes, (), dot.results, dot.location)

    def _is_zero(self, value: Value) -> bool:
        number = splat_of(value, self.makers)
        return number is not None and bool(number == 0)


def _fits(dot: Operation) -> bool:
    """Whether cuBLASLt has epilogues for a product: one matrix, of floats that it rounds itself."""
    source, result = dot.operands[0].type, dot.results[0].type
    batch = math.prod(source.shape[d] for d in dot.attributes["lhs_batch"])
    return source.dtype in _TYPES and result.dtype == source.dtype and batch == 1 and result.size > 0 and (
        0 not in (v.type.size for v in dot.operands)) and roles_of(dot).sizes[2] > 1


def _joined(
    product: Operation, vectors: Sequence[Value], last: Operation, relu: bool = False, gelu: bool = False
) -> Operation:
    own = {"bias": bool(vectors), "relu": relu, "gelu": gelu}
    attributes = {**{key: product.attributes.get(key) for key in _DOT}, **own}
    operands = (*product.operands[:2], *vectors)
    return Operation(RECORD, operands, attributes, (), last.results, last.location)


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
