# SPDX-License-Identifier: Apache-2.0
"""Programs as platforms get them: elements that no platform has as the ordinary ones that carry them.

Keys of random numbers travel as their bits, 2- and 4-bit integers as 8-bit ones of equal value, the narrowest floats
as their bits. What only moves elements moves carriers as well, with the same attributes. What computes with numbers
takes values of an ordinary type, and its results become carriers again (`carried_arithmetic.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.dataclass import dataclass
from olympus_core.errors import NotSupportedError
from olympus_core.ops.indexing import fill_element
from olympus_core.program import Operation, Program, ProgramBuilder, Value
from olympus_core.program.program import operations_of

from .carried_arithmetic import Arithmetic, computed

_MOVES = frozenset({"gather", "select", "constant", "pad", "sharding_constraint", "dynamic_update_slice"})


def carried(program: Program) -> Program:
    """The program on carriers in place of the elements that platforms do not have; itself where it has none."""
    values = [*program.inputs, *(v for operation in operations_of(program) for v in operation.results)]
    return _Rewriter(program).program() if any(_is_carried(v.type.dtype) for v in values) else program


def refuse_sums(program: Program, in_terms: Sequence[Sequence[str]], out_terms: Sequence[Sequence[str]]) -> None:
    """Refuses values of which devices hold terms of a sum, where what carries the terms cannot be added.

    Raises:
        NotSupportedError: If an input, an output or a constraint has such a value.
    """
    sums = [v for values, terms in ((program.inputs, in_terms), (program.outputs, out_terms))
            for v, axes in zip(values, terms, strict=True) if axes]
    sums += [operation.results[0] for operation in operations_of(program) if operation.attributes.get("unreduced")]
    for value in sums:
        if _is_carried(value.type.dtype) and not dtypes.is_key(value.type.dtype):
            raise NotSupportedError(
                f"an unreduced value of {value.type.dtype.name}", "what carries such numbers cannot be added",
                "Convert it to a wider type first, or sum it.")


def _is_carried(dtype: np.dtype) -> bool:
    return dtypes.carrier(dtype) is not dtype


def _only_moves(operation: Operation) -> bool:
    """Whether an operation gives elements that it was given, and looks at none of those that are carried."""
    record, attributes = operation.record, operation.attributes
    if record is ops.scatter:
        return bool(attributes["combine"] == "set")
    return record.moves_only or record.name in _MOVES


class _Rewriter:
    """Writes a program again, operation by operation."""

    def __init__(self, source: Program) -> None:
        self._source = source
        self._builder = ProgramBuilder(source.name)
        self._found: dict[Value, Value] = {v: self._builder.input(v.type.carried()) for v in source.inputs}

    def program(self) -> Program:
        """The program on carriers."""
        for operation in self._source.operations:
            results = self._operation(operation, [self._found[v] for v in operation.operands])
            self._found.update(zip(operation.results, results, strict=True))
        outputs = tuple(self._found[v] for v in self._source.outputs)
        return Program(self._source.name, tuple(self._builder.inputs), tuple(self._builder.operations), outputs)

    def _operation(self, operation: Operation, operands: Sequence[Value]) -> Sequence[Value]:
        own = [v.type.dtype for v in operation.operands]
        made = [v.type.dtype for v in operation.results]
        numbers = any(_is_carried(t) and not dtypes.is_key(t) for t in (*own, *made))
        if operation.name == "bitcast_convert" and not numbers and operands[0].type is (
                operation.results[0].type.carried()):
            return operands  # the bits of a key
        if not numbers or operation.regions or _only_moves(operation) or operation.record is ops.host_callback:
            return self._moved(operation, operands)
        if operation.record is ops.next_after and own[0] in dtypes.CARRIED_FLOATS:
            raise NotSupportedError(f"the next {own[0].name} after another", "such numbers are computed as float32",
                                    "Add one to its bits: lax.bitcast_convert_type(x, ...).")
        here = Arithmetic(self._builder, operation.location)
        if operation.name == "convert":
            return [here.converted(operands[0], own[0], made[0])]
        if operation.name == "bitcast_convert":
            return [here.reinterpreted(operands[0], own[0], made[0])]
        values = [here.operand(operation.name, i, v, t) for i, (v, t) in enumerate(zip(operands, own, strict=True))]
        attributes = {name: computed(value) if isinstance(value, np.dtype) else value
                      for name, value in operation.attributes.items()}
        results = self._builder.emit(operation.record, values, attributes, (), operation.location)
        return [here.result(operation.name, v, t) for v, t in zip(results, made, strict=True)]

    def _moved(self, operation: Operation, operands: Sequence[Value]) -> Sequence[Value]:
        attributes = {name: _carried_attribute(value) for name, value in operation.attributes.items()}
        if operation.record is ops.gather and attributes["mode"] == "fill" and _is_carried(own := (
                operation.results[0].type.dtype)) and not dtypes.is_key(own):
            fill = fill_element(attributes.get("fill_value"), own)
            attributes["fill_value"] = int(dtypes.carried_array(fill))
        if operation.record is ops.host_callback:
            callback, given = attributes["callback"], tuple(v.type.dtype for v in operation.operands)
            attributes["callback"] = ops.HostFunction(callback.name, _CarriedFunction(callback.function, given))
            attributes["result_types"] = tuple(t.carried() for t in attributes["result_types"])
        regions = tuple(_Rewriter(region).program() for region in operation.regions)
        if any(dtypes.is_key(v.type.dtype) for v in (*operation.operands, *operation.results)):
            # Type rules know keys, and not what carries them: only the types change.
            results = tuple(Value(v.type.carried()) for v in operation.results)
            self._builder.operations.append(
                Operation(operation.record, tuple(operands), attributes, regions, results, operation.location))
            return results
        return self._builder.emit(operation.record, operands, attributes, regions, operation.location)


@dataclass(frozen=True, slots=True)
class _CarriedFunction:
    """A function of the host as programs on carriers call it.

    Args:
        function: It takes and gives arrays of the numbers themselves.
        operands: The element types that it takes.
    """

    function: Callable[..., Any]
    operands: tuple[np.dtype, ...]

    def __call__(self, *arrays: np.ndarray) -> list[np.ndarray]:
        given = self.function(*(
            dtypes.uncarried_array(array, dtype) if _is_carried(dtype) else array
            for array, dtype in zip(arrays, self.operands, strict=True)))
        return [dtypes.carried_array(np.asarray(v)) for v in (given if given is not None else ())]


def _carried_attribute(attribute: Any) -> Any:
    if isinstance(attribute, np.dtype):
        return dtypes.carrier(attribute)
    return dtypes.carried_array(attribute) if isinstance(attribute, np.ndarray) else attribute
