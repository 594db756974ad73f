# SPDX-License-Identifier: Apache-2.0
"""Collectives: what the devices of a group tell each other.

Their meaning is written for all devices at once: all devices' values in, by position, and all devices' values out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import OperandError
from olympus_core.program import (
    ArrayType,
    Attributes,
    AxisGroup,
    DeviceGroups,
    Groups,
    OperationRecord,
    Program,
    axis_groups,
)
from olympus_core.program.exactness import SUM

from .reduce import UFUNCS
from .rules import check

Types = Sequence[ArrayType]
MemberValues = Sequence[np.ndarray]


def _group(name: str, attributes: Attributes) -> Groups:
    group = attributes["group"]
    if isinstance(group, AxisGroup):
        if len(set(group.axes)) != len(group.axes) or not set(group.axes) <= {axis for axis, _ in group.mesh_shape}:
            raise OperandError(name, "the group's axes are not axes of its mesh, each once", group.axes,
                               group.mesh_shape)
        if group.parts is not None:
            members = len(axis_groups(group.mesh_shape, group.axes)[0])
            if len({len(part) for part in group.parts}) != 1 or sorted(
                    i for part in group.parts for i in part) != list(range(members)):
                raise OperandError(name, "the parts of a group are not of equal size, with each member once", group)
        return group
    if not isinstance(group, DeviceGroups):
        raise OperandError(name, "attribute group is not a group", group, "an AxisGroup or DeviceGroups")
    positions = [p for members in group.groups for p in members]
    if not positions or len(set(positions)) != len(positions) or len({len(g) for g in group.groups}) != 1:
        raise OperandError(name, "the groups are not disjoint, of equal size and not empty", group)
    return group


def _dimension(name: str, type: ArrayType, attributes: Attributes, attribute: str = "dimension") -> int:
    dimension: int = attributes[attribute]
    if not isinstance(dimension, int) or not 0 <= dimension < type.ndim:
        raise OperandError(name, f"attribute {attribute} is not a dimension of the operand", f"{dimension} of {type}",
                           f"0 to {type.ndim - 1}" if type.ndim else "an operand with dimensions")
    return dimension


def _divided(name: str, type: ArrayType, dimension: int, parts: int) -> tuple[int, ...]:
    if type.shape[dimension] % parts:
        raise OperandError(name, f"dimension {dimension} does not divide among the group's {parts} members", type,
                           f"a multiple of {parts}")
    return _resized(type, dimension, type.shape[dimension] // parts)


def _resized(type: ArrayType, dimension: int, size: int) -> tuple[int, ...]:
    return (*type.shape[:dimension], size, *type.shape[dimension + 1:])


def _reduction(name: str, type: ArrayType, attributes: Attributes) -> None:
    reduction = attributes["reduction"]
    if reduction not in UFUNCS:
        raise OperandError(name, "attribute reduction is none of the reductions", reduction, ", ".join(UFUNCS))
    dtype = type.dtype
    if reduction in ("sum", "prod"):
        fits = not dtypes.is_bool(dtype)
    elif reduction in ("max", "min"):
        fits = not dtypes.is_complex(dtype)
    else:
        fits = dtypes.is_bool(dtype) or dtypes.is_integer(dtype)
    if not fits:
        raise OperandError(name, f"the reduction {reduction} is not defined for {dtype.name}", type)


def _all_reduce_types(operands: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("all_reduce", operands, attributes, regions, 1, ("reduction", "group"))
    type = operands[0]
    _group("all_reduce", attributes)
    _reduction("all_reduce", type, attributes)
    return [type]


def _all_gather_types(operands: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("all_gather", operands, attributes, regions, 1, ("dimension", "group"))
    type = operands[0]
    size = _group("all_gather", attributes).size
    dimension = _dimension("all_gather", type, attributes)
    return [type.with_shape(_resized(type, dimension, type.shape[dimension] * size))]


def _reduce_scatter_types(operands: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("reduce_scatter", operands, attributes, regions, 1, ("dimension", "reduction", "group"))
    type = operands[0]
    size = _group("reduce_scatter", attributes).size
    _reduction("reduce_scatter", type, attributes)
    dimension = _dimension("reduce_scatter", type, attributes)
    return [type.with_shape(_divided("reduce_scatter", type, dimension, size))]


def _all_to_all_types(operands: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("all_to_all", operands, attributes, regions, 1, ("split_dimension", "concat_dimension", "group"))
    type = operands[0]
    size = _group("all_to_all", attributes).size
    split = _dimension("all_to_all", type, attributes, "split_dimension")
    concat = _dimension("all_to_all", type, attributes, "concat_dimension")
    part = type.with_shape(_divided("all_to_all", type, split, size))
    return [part.with_shape(_resized(part, concat, part.shape[concat] * size))]


def _permute_types(operands: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("permute", operands, attributes, regions, 1, ("pairs", "group"))
    type = operands[0]
    size = _group("permute", attributes).size
    pairs = attributes["pairs"]
    for ends, what in (([s for s, _ in pairs], "source"), ([t for _, t in pairs], "target")):
        if len(set(ends)) != len(ends) or not all(0 <= p < size for p in ends):
            raise OperandError("permute", f"a {what} stands twice or is no position in the group", pairs,
                               f"positions 0 to {size - 1}, each once as source and once as target at most")
    return [type]


def _broadcast_types(operands: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("broadcast", operands, attributes, regions, 1, ("source", "group"))
    type = operands[0]
    size = _group("broadcast", attributes).size
    if not 0 <= attributes["source"] < size:
        raise OperandError("broadcast", "attribute source is no position in the group", attributes["source"],
                           f"0 to {size - 1}")
    return [type]


def _axis_index_types(operands: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("axis_index", operands, attributes, regions, 0, ("group",))
    _group("axis_index", attributes)
    return [ArrayType((), dtypes.int32)]


def _folded(values: MemberValues, reduction: str) -> np.ndarray:
    """The reduction in the order of the group; narrow floats are widened and rounded once."""
    dtype = values[0].dtype
    wide = np.dtype(np.float32) if dtypes.is_float(dtype) and dtype.itemsize < 4 else dtype
    with np.errstate(all="ignore"):
        total = values[0].astype(wide)
        for value in values[1:]:
            total = UFUNCS[reduction](total, value.astype(wide))
        return np.asarray(total).astype(dtype)


def _each_group(
    rule: Callable[[list[np.ndarray], Attributes], Sequence[np.ndarray]],
) -> Callable[[MemberValues, Attributes], MemberValues]:
    """The meaning for all devices out of the meaning for one group."""

    def group_reference(values: MemberValues, attributes: Attributes) -> MemberValues:
        results: dict[int, np.ndarray] = {}
        for members in attributes["group"].groups:
            results.update(zip(members, rule([values[p] for p in members], attributes), strict=True))
        return [results[p] for p in range(len(values))]

    return group_reference


def _all_reduce(values: list[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    return [_folded(values, attributes["reduction"])] * len(values)


def _all_gather(values: list[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    return [np.concatenate(values, axis=attributes["dimension"])] * len(values)


def _reduce_scatter(values: list[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    return np.split(_folded(values, attributes["reduction"]), len(values), axis=attributes["dimension"])


def _all_to_all(values: list[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    parts = [np.split(value, len(values), axis=attributes["split_dimension"]) for value in values]
    return [np.concatenate([row[i] for row in parts], axis=attributes["concat_dimension"]) for i in range(len(values))]


def _permute(values: list[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    sources = {target: source for source, target in attributes["pairs"]}
    return [values[sources[i]] if i in sources else np.zeros_like(value) for i, value in enumerate(values)]


def _broadcast(values: list[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    return [values[attributes["source"]]] * len(values)


def _axis_index(values: MemberValues, attributes: Attributes) -> MemberValues:
    """Takes no values: the groups say how many devices there are."""
    groups = attributes["group"].groups
    indices = {position: i for members in groups for i, position in enumerate(members)}
    return [np.asarray(indices[p], dtypes.int32) for p in range(len(indices))]


all_reduce = OperationRecord(
    "all_reduce", "collective", _all_reduce_types, group_reference=_each_group(_all_reduce), is_uniform=True,
    communicates=True, exactness=SUM,
)
all_gather = OperationRecord(
    "all_gather", "collective", _all_gather_types, group_reference=_each_group(_all_gather), is_uniform=True,
    communicates=True,
)
reduce_scatter = OperationRecord(
    "reduce_scatter", "collective", _reduce_scatter_types, group_reference=_each_group(_reduce_scatter),
    communicates=True, exactness=SUM,
)
all_to_all = OperationRecord(
    "all_to_all", "collective", _all_to_all_types, group_reference=_each_group(_all_to_all), communicates=True)
permute = OperationRecord(
    "permute", "collective", _permute_types, group_reference=_each_group(_permute), communicates=True)
broadcast = OperationRecord(
    "broadcast", "collective", _broadcast_types, group_reference=_each_group(_broadcast), is_uniform=True,
    communicates=True,
)
axis_index = OperationRecord("axis_index", "collective", _axis_index_types, group_reference=_axis_index)
