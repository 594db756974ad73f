# SPDX-License-Identifier: Apache-2.0
"""Writing the program of one device: operations, positions, and the collectives of a reshard plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from olympus_core import ops
from olympus_core.dtypes import index_dtype, int32
from olympus_core.errors import OlympusInternalError
from olympus_core.placement import Dims
from olympus_core.program import (
    ArrayType,
    DeviceGroups,
    OperationRecord,
    Program,
    ProgramBuilder,
    Value,
    axis_groups,
)

from .explain import CollectiveUse
from .reshard import ReshardPlan, ReshardStep, permute_pairs
from .value_sharding import MeshShape, ValueSharding, local_shape, parts


@lru_cache(maxsize=1024)
def device_groups(mesh_shape: MeshShape, axes: tuple[str, ...]) -> DeviceGroups:
    """The groups that some axes make, as positions in the mesh's devices."""
    return DeviceGroups(axis_groups(mesh_shape, axes))


class DeviceEmitter:
    """Collects the operations of one device's program, or of one of its regions.

    Args:
        mesh_shape: Name and size of each mesh axis.
        name: The program's name.
        uses: Where every collective is written down, for `explain`.
        times: How often the operations run in one call; None where that is not known beforehand.
    """

    def __init__(
        self, mesh_shape: MeshShape, name: str, uses: list[tuple[Value, CollectiveUse]], times: int | None = 1
    ) -> None:
        self.mesh_shape = mesh_shape
        self.builder = ProgramBuilder(name)
        self.uses = uses
        self.times = times
        self.location: str | None = None
        self._indices: dict[tuple[str, ...], Value] = {}
        self._offsets: dict[tuple[tuple[str, ...], int], Value] = {}
        self._scalars: dict[tuple[int, np.dtype], Value] = {}

    @property
    def devices(self) -> int:
        """How many devices run the program."""
        return parts(self.mesh_shape, [name for name, _ in self.mesh_shape])

    def region(self, name: str, times: int | None) -> DeviceEmitter:
        """An emitter for a region that runs so many times for each time of this one."""
        together = None if times is None or self.times is None else times * self.times
        return DeviceEmitter(self.mesh_shape, name, self.uses, together)

    def emit(
        self, record: OperationRecord, operands: Sequence[Value], attributes: Mapping[str, Any] | None = None,
        regions: Sequence[Program] = (),
    ) -> tuple[Value, ...]:
        """Appends an operation."""
        return self.builder.emit(record, operands, attributes, regions, self.location)

    def collective(
        self, record: OperationRecord, value: Value, attributes: Mapping[str, Any], axes: tuple[str, ...],
        bytes_per_device: int, why: str,
    ) -> Value:
        """Appends a collective and writes it down."""
        (result,) = self.emit(record, [value], attributes)
        use = CollectiveUse(record.name, self.location, axes, bytes_per_device, self.devices, why, self.times)
        self.uses.append((result, use))
        return result

    def scalar(self, number: int, dtype: np.dtype = int32) -> Value:
        """An integer constant."""
        key = (number, dtype)
        if key not in self._scalars:
            (self._scalars[key],) = self.emit(ops.constant, [], {"value": np.array(number, dtype)})
        return self._scalars[key]

    def zeros(self, type: ArrayType) -> Value:
        """An array of zeros."""
        (zero,) = self.emit(ops.constant, [], {"value": np.zeros((), type.dtype)})
        return self.emit(ops.broadcast_in_dim, [zero], {"shape": type.shape, "dimensions": ()})[0]

    def first_term(self, value: Value, axes: tuple[str, ...]) -> Value:
        """The value on the devices that are first along some axes, and zeros on the others: terms of it."""
        shape = {"shape": value.type.shape, "dimensions": ()}
        (first,) = self.emit(ops.eq, [self.axis_index(axes), self.scalar(0)])
        (chosen,) = self.emit(ops.broadcast_in_dim, [first], shape)
        return self.emit(ops.select, [chosen, value, self.zeros(value.type)])[0]

    def axis_index(self, axes: tuple[str, ...]) -> Value:
        """The device's position along some axes."""
        if axes not in self._indices:
            group = device_groups(self.mesh_shape, axes)
            (self._indices[axes],) = self.emit(ops.axis_index, [], {"group": group})
        return self._indices[axes]

    def offset(self, axes: tuple[str, ...], size: int) -> Value:
        """Where the device's part begins in a dimension that `axes` split into parts of `size`."""
        if not axes:
            return self.scalar(0)
        if (axes, size) not in self._offsets:
            index, dtype = self.axis_index(axes), index_dtype(size * parts(self.mesh_shape, axes))
            if dtype != int32:
                (index,) = self.emit(ops.convert, [index], {"dtype": dtype})
            (self._offsets[axes, size],) = self.emit(ops.mul, [index, self.scalar(size, dtype)])
        return self._offsets[axes, size]

    def reshard(self, value: Value, plan: ReshardPlan, why: str) -> Value:
        """Appends the steps of a plan to a local value."""
        before = plan.source
        for step in plan.steps:
            value = self._step(value, plan, before, step, why)
            before = step.after
        return value

    def _step(self, value: Value, plan: ReshardPlan, before: ValueSharding, step: ReshardStep, why: str) -> Value:
        if step.kind == "slice":
            return self._slice(value, plan.shape, before.dims, step.after.dims)
        group = device_groups(self.mesh_shape, step.axes)
        attributes: dict[str, Any] = {"group": group}
        if step.kind in ("all_gather", "reduce_scatter"):
            attributes["dimension"] = step.dimension
        if step.kind in ("all_reduce", "reduce_scatter"):
            attributes["reduction"] = before.reduction
        if step.kind == "all_to_all":
            attributes |= {"split_dimension": step.split_dimension, "concat_dimension": step.dimension}
        if step.kind == "permute":
            axes, pairs = permute_pairs(self.mesh_shape, before.dims, step.after.dims)
            if axes != step.axes:
                raise OlympusInternalError(f"a permute over {axes} was planned over {step.axes}")
            attributes["pairs"] = pairs
        return self.collective(_RECORDS[step.kind], value, attributes, step.axes, step.bytes, why)

    def _slice(self, value: Value, shape: Sequence[int], before: Dims, after: Dims) -> Value:
        sizes = local_shape(self.mesh_shape, shape, after)
        starts = [
            self.offset(new[len(old):], size) for old, new, size in zip(before, after, sizes, strict=True)
        ]
        return self.emit(ops.dynamic_slice, [value, *starts], {"sizes": sizes})[0]


_RECORDS = {
    "all_gather": ops.all_gather, "all_to_all": ops.all_to_all, "permute": ops.permute,
    "all_reduce": ops.all_reduce, "reduce_scatter": ops.reduce_scatter,
}


class LocalPart:
    """What a record's `localize` sees: the emitter, and where the results lie (a `LocalEmitter`).

    Args:
        emitter: Where operations go.
        types: The results' types, whole.
        shardings: Where the results will be.
        operand_types: The operands' types, whole.
        operands_placed: Where the operands are.
    """

    def __init__(
        self, emitter: DeviceEmitter, types: Sequence[ArrayType], shardings: Sequence[ValueSharding],
        operand_types: Sequence[ArrayType], operands_placed: Sequence[ValueSharding],
    ) -> None:
        self._emitter, self._types, self._placed = emitter, types, shardings
        self._operand_types, self._operands_placed = operand_types, operands_placed

    def emit(
        self, record: OperationRecord, operands: Sequence[Value], attributes: Mapping[str, Any],
        regions: Sequence[Program] = (),
    ) -> tuple[Value, ...]:
        """Appends an operation to the device's program."""
        return self._emitter.emit(record, operands, attributes, regions)

    def local_shape(self, result: int) -> tuple[int, ...]:
        """The shape of this device's part of a result."""
        return local_shape(self._emitter.mesh_shape, self._types[result].shape, self._placed[result].dims)

    def offset(self, result: int, dimension: int) -> Value:
        """Where this device's part of a result begins: a scalar, int32 unless the dimension is longer."""
        return self._emitter.offset(self._placed[result].dims[dimension], self.local_shape(result)[dimension])

    def is_split(self, result: int, dimension: int) -> bool:
        """Whether a result's dimension is split."""
        return bool(self._placed[result].dims[dimension])

    def operand_offset(self, operand: int, dimension: int) -> Value:
        """Where this device's part of an operand begins: a scalar, int32 unless the dimension is longer."""
        dims = self._operands_placed[operand].dims
        sizes = local_shape(self._emitter.mesh_shape, self._operand_types[operand].shape, dims)
        return self._emitter.offset(dims[dimension], sizes[dimension])

    def operand_is_split(self, operand: int, dimension: int) -> bool:
        """Whether an operand's dimension is split."""
        return bool(self._operands_placed[operand].dims[dimension])
