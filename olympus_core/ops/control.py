# SPDX-License-Identifier: Apache-2.0
"""Control flow: operations whose regions are programs of their own.

The meaning of each is written as steps: a generator that asks for one region after another. One device's run and
the interpreter of many devices (`olympus_core.program.interpreter`) are both driven from it. `manual` has no steps: it
is about many devices, and its meaning is the interpreter's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from olympus_core.dtypes import bool_, int32
from olympus_core.errors import OperandError
from olympus_core.program import ArrayType, Attributes, OperationRecord, Program, Steps, SymbolicSize

from .rules import check

Types = Sequence[ArrayType]
Arrays = Sequence[np.ndarray]


def _expect_regions(name: str, regions: Sequence[Program], count: int) -> None:
    if len(regions) != count:
        raise OperandError(name, "has another number of regions than it needs", len(regions), count)


def _expect_types(name: str, what: str, given: Types, expected: Types) -> None:
    if tuple(given) != tuple(expected):
        raise OperandError(name, f"{what} are of other types than they must be", tuple(given), tuple(expected))


def _count(name: str, attributes: Attributes, attribute: str, most: int) -> int:
    count = attributes[attribute]
    if not isinstance(count, int) or not 0 <= count <= most:
        raise OperandError(name, f"attribute {attribute} is not a number of operands", count, f"0 to {most}")
    return count


def _cond_types(operands: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("cond", operands, attributes, (), required=())
    if not operands or operands[0] != ArrayType((), int32):
        raise OperandError("cond", "the index is not an int32 scalar", tuple(operands), "int32[], then the arguments")
    if not regions:
        raise OperandError("cond", "there is no branch", 0, "one region or more")
    for i, region in enumerate(regions):
        _expect_types("cond", f"the inputs of branch {i}", region.input_types, operands[1:])
        _expect_types("cond", f"the outputs of branch {i}", region.output_types, regions[0].output_types)
    return regions[0].output_types


def _cond_steps(values: Arrays, attributes: Attributes, regions: Sequence[Program]) -> Steps:
    index = min(max(int(values[0]), 0), len(regions) - 1)
    return (yield regions[index], values[1:])


def _while_types(operands: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("while", operands, attributes, (), required=("constants",))
    _expect_regions("while", regions, 2)
    constants = _count("while", attributes, "constants", len(operands))
    condition, body = regions
    _expect_types("while", "the condition's inputs", condition.input_types, operands)
    _expect_types("while", "the condition's outputs", condition.output_types, [ArrayType((), bool_)])
    _expect_types("while", "the body's inputs", body.input_types, operands)
    _expect_types("while", "the body's outputs", body.output_types, operands[constants:])
    return body.output_types


def _while_steps(values: Arrays, attributes: Attributes, regions: Sequence[Program]) -> Steps:
    condition, body = regions
    constants, carry = values[: attributes["constants"]], values[attributes["constants"]:]
    while True:
        (goes_on,) = yield condition, [*constants, *carry]
        if not goes_on:
            return carry
        carry = yield body, [*constants, *carry]


def _scan_types(operands: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("scan", operands, attributes, (), required=("constants", "carry", "length", "reverse"))
    _expect_regions("scan", regions, 1)
    constants = _count("scan", attributes, "constants", len(operands))
    carried = _count("scan", attributes, "carry", len(operands) - constants)
    length = attributes["length"]
    if not isinstance(length, SymbolicSize) and (not isinstance(length, int) or length < 0):
        raise OperandError("scan", "attribute length is not a number of steps", length, "0 or more")
    scanned = operands[constants + carried:]
    for i, type in enumerate(scanned):
        if not type.ndim or type.shape[0] != length:
            raise OperandError("scan", f"scanned operand {i} has another first dimension than the scan's length",
                               type, f"first dimension {length}")
    (body,) = regions
    carry = tuple(operands[constants : constants + carried])
    slices = [type.with_shape(type.shape[1:]) for type in scanned]
    _expect_types("scan", "the body's inputs", body.input_types, [*operands[: constants + carried], *slices])
    _expect_types("scan", "the body's carried outputs", body.output_types[:carried], carry)
    return (*carry, *(type.with_shape((length, *type.shape)) for type in body.output_types[carried:]))


def _scan_steps(values: Arrays, attributes: Attributes, regions: Sequence[Program]) -> Steps:
    (body,) = regions
    carried, length = attributes["carry"], attributes["length"]
    first = attributes["constants"] + carried
    constants, carry, scanned = values[: first - carried], values[first - carried : first], values[first:]
    stacked = [np.zeros((length, *type.shape), type.dtype) for type in body.output_types[carried:]]
    for i in reversed(range(length)) if attributes["reverse"] else range(length):
        outputs = yield body, [*constants, *carry, *(np.asarray(x[i]) for x in scanned)]
        carry = outputs[:carried]
        for stack, value in zip(stacked, outputs[carried:], strict=True):
            stack[i] = value
    return [*carry, *stacked]


def _call_types(operands: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("call", operands, attributes, (), required=())
    _expect_regions("call", regions, 1)
    _expect_types("call", "the region's inputs", regions[0].input_types, operands)
    return regions[0].output_types


def _call_steps(values: Arrays, attributes: Attributes, regions: Sequence[Program]) -> Steps:
    return (yield regions[0], values)


def _manual_types(operands: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("manual", operands, attributes, (), required=("mesh", "axes", "in_dims", "out_dims"))
    _expect_regions("manual", regions, 1)
    (region,) = regions
    sizes = dict(attributes["mesh"].shape_tuple)
    axes, in_dims, out_dims = attributes["axes"], attributes["in_dims"], attributes["out_dims"]
    if len(set(axes)) != len(axes) or not set(axes) <= set(sizes):
        raise OperandError("manual", "attribute axes does not name axes of the mesh, each once", axes, tuple(sizes))
    if len(in_dims) != len(operands):
        raise OperandError("manual", "in_dims are not one for each operand", len(in_dims), len(operands))
    if len(out_dims) != len(region.outputs):
        raise OperandError("manual", "out_dims are not one for each output", len(out_dims), len(region.outputs))
    local: list[ArrayType] = []
    for i, (type, dims) in enumerate(zip(operands, in_dims, strict=True)):
        parts = _parts(f"operand {i}", type, dims, axes, sizes)
        if any(n % p for n, p in zip(type.shape, parts, strict=True)):
            raise OperandError("manual", f"operand {i} does not divide over its axes", type,
                               f"multiples of {parts}")
        local.append(type.with_shape(n // p for n, p in zip(type.shape, parts, strict=True)))
    _expect_types("manual", "the region's inputs", region.input_types, local)
    results: list[ArrayType] = []
    for i, (type, dims) in enumerate(zip(region.output_types, out_dims, strict=True)):
        parts = _parts(f"output {i}", type, dims, axes, sizes)
        results.append(type.with_shape(n * p for n, p in zip(type.shape, parts, strict=True)))
    return results


def _parts(
    what: str, type: ArrayType, dims: Sequence[Sequence[str]], axes: Sequence[str], sizes: dict[str, int]
) -> tuple[int, ...]:
    used = [axis for dim in dims for axis in dim]
    if len(dims) != type.ndim or len(set(used)) != len(used) or not set(used) <= set(axes):
        raise OperandError("manual", f"the dims of {what} do not fit it", f"{dims} for {type}",
                           f"for each dimension a tuple of axes out of {tuple(axes)}, each axis once")
    return tuple(math.prod(sizes[axis] for axis in dim) for dim in dims)


cond = OperationRecord("cond", "control", _cond_types, control_steps=_cond_steps)
while_ = OperationRecord("while", "control", _while_types, control_steps=_while_steps)
scan = OperationRecord("scan", "control", _scan_types, control_steps=_scan_steps)
call = OperationRecord("call", "control", _call_types, control_steps=_call_steps)
manual = OperationRecord("manual", "control", _manual_types)
