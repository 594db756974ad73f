# SPDX-License-Identifier: Apache-2.0
"""What all functions of a program of generated kernels share: its buffers, its plans, its local collectives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core.plugin import Device
from olympus_core.program import ArrayType, Operation, Program, Value

from .basic_blocks import BasicBlockCompiler, Positions, control_kernel
from .flatten import CONTROL, Flat
from .fused_collectives import local_program
from .fusion import KernelStep, OperationStep, Plan, ViewStep, plan
from .kernel_generator import KernelGenerator
from .local import LOCAL_COLLECTIVES
from .optable import Kernel, OperationTable
from .queues import resolved


class FusedBase(BasicBlockCompiler):
    """Everything of `FusedCompiler` but the functions themselves, whose host code is generated.

    Args:
        table: The platform's operations, for what is not generated.
        positions: For each local device its position among the program's devices.
        generator: The platform's generator.
        devices: The local devices.
        program: The whole program, where one is compiled.
    """

    wants_guard = False

    def __init__(
        self, table: OperationTable, positions: Positions, generator: KernelGenerator, devices: Sequence[Device],
        program: Program | None = None,
    ) -> None:
        super().__init__(table, positions)
        self.generator, self.devices, self.program = generator, tuple(devices), program
        self.plans: list[Plan] = []
        self.code_bytes = 0  # of what was made
        self._donated: set[Value] = set()

    # Elements, which are passed between stages, are buffers.

    def entering(self, buffer: Any) -> Any:
        """The buffer, waited for, as the program's own: deleting the caller's does not disturb the program."""
        found = resolved(buffer)
        return found.copy_to(found.device)

    def leaving(self, element: Any, device: Device) -> Any:
        """The buffer, on this device."""
        return element if element.device is device else element.copy_to(device)

    def to_host(self, element: Any) -> np.ndarray:
        """The content of a buffer."""
        host: np.ndarray = element.to_host()
        return host

    def from_host(self, array: np.ndarray) -> Any:
        """A buffer of a new array."""
        return self.generator.wrap_array(self.generator.settled(self.table.from_host(array)), self.devices[0])

    def part(self, element: Any, index: int) -> Any:
        """A buffer of the part at an index of the first dimension."""
        return self.generator.wrap_array(element.array[index, ...], self.devices[0])

    def stack(self, type: ArrayType) -> Any:
        """What is filled with buffers along its first dimension; the table's own stack where it has one."""
        if self.table.stack is None:
            return super().stack(type)
        return _BufferStack(self.table.stack(type), self)

    def planned(self, flat: Flat, name: str) -> Plan:
        """The plan of a program; remembered for those who want to read it."""
        generator = self.generator
        observe = generator.dump.observer(name, flat)
        found = plan(flat, generator.supports, generator.options, generator.passes, observe)
        self.plans.append(found)
        return found

    def local_groups(self, operation: Operation) -> list[tuple[int, ...]]:
        """The groups of a local collective, by the devices' local indices."""
        index_of = {position: local_index for local_index, position in enumerate(self.positions)}
        return [tuple(index_of[p] for p in group) for group in operation.attributes["group"].groups]

    def made_collective(
        self, operation: Operation, groups: Sequence[Sequence[int]]
    ) -> Callable[[Sequence[Any]], list[Any]] | None:
        """A collective of all devices' allocations by the platform's own means, if it has any."""
        made = self.generator.made_collective(operation, groups)
        order = [local_index for group in groups for local_index in group]
        if made is None or order == list(range(len(order))):
            return made
        member_at = sorted(range(len(order)), key=order.__getitem__)  # of each local index

        def ordered(allocations: Sequence[Any]) -> list[Any]:
            results = made([allocations[local_index] for local_index in order])
            return [results[member] for member in member_at]

        return ordered

    def collective_kernels(
        self, operation: Operation, count: int
    ) -> tuple[Sequence[KernelStep | ViewStep], Sequence[Value], Sequence[Value]] | None:
        """Kernels, inputs and output that make of a group's arrays the one all get; None for other collectives."""
        flat = local_program(operation, count)
        found = self.planned(flat, operation.name) if flat is not None else None
        steps = [step for step in found.steps if not isinstance(step, OperationStep)] if found is not None else []
        if found is None or len(steps) < len(found.steps):
            return None
        made = [v for step in steps if isinstance(step, KernelStep) for v in step.outputs]
        return (steps, found.inputs, found.outputs) if found.outputs[0] in made else None

    def collective_of_arrays(
        self, operation: Operation, groups: Sequence[Sequence[int]]
    ) -> Callable[[Sequence[Any]], list[Any]]:
        """A local collective as a function of all devices' arrays; what is only moved stays where it is."""
        attributes = {k: v for k, v in operation.attributes.items() if k != "group"}
        if operation.name in ("permute", "broadcast"):
            return self._moving(operation, groups)
        run, to_host, from_host = LOCAL_COLLECTIVES[operation.name], self.table.to_host, self.table.from_host
        settled, guard = self.generator.settled, self.table.guard

        def together(arrays: Sequence[Any]) -> list[Any]:
            results = list(arrays)
            for group in groups:
                parts = guard(run, [to_host(arrays[p]) for p in group], attributes)
                for local_index, array in zip(group, parts, strict=True):
                    results[local_index] = settled(from_host(array))
            return results

        return together

    def _moving(self, operation: Operation, groups: Sequence[Sequence[int]]) -> Callable[[Sequence[Any]], list[Any]]:
        """A collective whose results are members' arrays, or zeros."""
        sources: list[int | None] = [None] * len(self.devices)  # of each local index
        for group in groups:
            if operation.name == "broadcast":
                pairs = [(operation.attributes["source"], i) for i in range(len(group))]
            else:
                pairs = operation.attributes["pairs"]
            for source, target in pairs:
                sources[group[target]] = group[source]
        type = operation.operands[0].type
        zeros: Any = None
        if None in sources:
            zeros = self.generator.settled(self.table.from_host(np.zeros(type.shape, type.dtype)))
        return lambda arrays: [zeros if source is None else arrays[source] for source in sources]

    def kernel(self, operation: Operation) -> Kernel:
        """The kernel of an operation that stays one."""
        if operation.name in CONTROL:
            return control_kernel(operation, self)
        return super().kernel(operation)


class _BufferStack:
    """The table's stack, filled with buffers and given as one."""

    def __init__(self, stack: Any, compiler: FusedBase) -> None:
        self._stack, self._compiler = stack, compiler

    def put(self, i: int, part: Any) -> None:
        self._stack.put(i, part.array)

    def array(self) -> Any:
        compiler = self._compiler
        return compiler.generator.wrap_array(self._stack.array(), compiler.devices[0])
