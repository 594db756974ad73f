"""Programs as platforms get them: keys of random numbers as the ordinary elements that carry their bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core import dtypes

from .program import Operation, Program, Value, operations_of


def carried(program: Program) -> Program:
    """The program on carriers in place of keys; itself where it has no keys.

    Whatever moves elements moves a carrier as well, with the same attributes: only types change. What takes the bits
    out of a key, and what puts them in, is nothing then.
    """
    values = [*program.inputs, *(v for operation in operations_of(program) for v in operation.results)]
    return _rewritten(program) if any(dtypes.is_key(v.type.dtype) for v in values) else program


def _rewritten(program: Program) -> Program:
    found: dict[Value, Value] = {v: Value(v.type.carried()) for v in program.inputs}
    operations: list[Operation] = []
    for operation in program.operations:
        operands = tuple(found[v] for v in operation.operands)
        if operation.name == "bitcast_convert" and operands[0].type is operation.results[0].type.carried():
            found[operation.results[0]] = operands[0]
            continue
        results = tuple(Value(v.type.carried()) for v in operation.results)
        found.update(zip(operation.results, results, strict=True))
        operations.append(Operation(
            operation.record, operands, {name: _value(value) for name, value in operation.attributes.items()},
            tuple(_rewritten(region) for region in operation.regions), results, operation.location))
    inputs, outputs = (tuple(found[v] for v in values) for values in (program.inputs, program.outputs))
    return Program(program.name, inputs, tuple(operations), outputs)


def _value(attribute: Any) -> Any:
    if isinstance(attribute, np.dtype):
        return dtypes.carrier(attribute)
    return dtypes.carried_array(attribute) if isinstance(attribute, np.ndarray) else attribute
