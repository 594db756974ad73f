# SPDX-License-Identifier: Apache-2.0
"""Programs as generated kernels: a plan of fused kernels and table operations, written out as host code in Python.

`BasicBlockCompiler` runs one operation after the other; this compiler asks `fusion` for a plan, has the platform turn
neighbouring kernels into one callable, and generates a function that calls them and drops each value after its last
use. What the platform cannot generate stays an operation of its table.

A value is held as an *allocation*, which kernels take and give (a block of memory, an array of a GPU library), or as an
*array*, which the table's functions take and give. The host code tracks which of the two it has and converts on
demand. Whoever holds an allocation holds the memory: another thread may delete a buffer while a function runs
that read it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from olympus_core.errors import OlympusInternalError
from olympus_core.plugin import Device
from olympus_core.program import Operation, Value

from .basic_blocks import Positions
from .flatten import CONTROL, Flat
from .fused_base import FusedBase
from .fused_collectives import local_program
from .fusion import KernelStep, OperationStep, estimate
from .host_code import HostCodeWriter
from .kept_plans import PlanRecorder, StoredStep, lines_of
from .local import LOCAL_COLLECTIVES
from .loops import Kernel as LoopKernel
from .queues import operation_seconds
from .stored_data import UnfitData

_ADDITION_SECONDS = 3e-11  # what an operation that costs like an addition takes in a fused kernel
_ELEMENT_SECONDS = 1e-10  # an operation of any kind there, of which no more is known


class FusedCompiler(FusedBase):
    """Turns basic blocks into functions that call generated kernels; takes what `FusedBase` takes."""

    _unplanned: tuple[Flat, str] | None = None  # what runs by a plan that was kept

    def function(
        self, operations: Sequence[Operation], inputs: Sequence[Value], outputs: Sequence[Value], name: str
    ) -> Callable[..., tuple[Any, ...]]:
        """The function of a block, for one device at a time: local index and arrays in, arrays out."""
        flat = Flat(tuple(inputs), tuple(operations), tuple(outputs))
        writer = HostCodeWriter(self, self.planned(flat, name), 1, name, kind="array")
        results = "".join(writer.array(v) + ", " for v in writer.plan.outputs)
        return writer.define(["local_index", *writer.parameters], f"({results})")

    def columns_function(
        self, operations: Sequence[Operation], inputs: Sequence[Value], outputs: Sequence[Value], name: str,
        count: int,
    ) -> Callable[..., tuple[Any, ...]]:
        """The function of a block for `count` devices: local indices and columns of buffers in, columns out."""
        flat = Flat(tuple(inputs), tuple(operations), tuple(outputs))
        writer = HostCodeWriter(self, self.planned(flat, name), count, name)
        results = "".join(writer.column(v) + ", " for v in writer.plan.outputs)
        return writer.define(["local_indices", *writer.columns], f"({results})")

    def execute_function(self, flat: Flat, devices: Sequence[Device], name: str, donated: Sequence[int] = ()) -> Any:
        """The whole program as a function ``execute(inputs) -> outputs`` of buffers, all devices together."""
        self._donated.update(flat.inputs[i] for i in donated)
        writer = self._written(flat, len(devices), name, donated)
        writer.code.namespace.update(local_indices=tuple(range(len(devices))), device=devices[0])
        writer.device = "device"
        results = ", ".join(writer.column(v) for v in writer.plan.outputs)
        unpack = [f"{''.join(c + ', ' for c in writer.columns)}= inputs"] if writer.columns else []
        return writer.define(["inputs"], f"[{results}]", unpack)

    def _written(self, flat: Flat, count: int, name: str, donated: Sequence[int]) -> HostCodeWriter:
        """The host code of a whole program: of the plan that an earlier process has made, or of a new one."""
        store = getattr(self.generator, "plans", None)  # a platform need not keep any
        whole = self.program
        if store is None or whole is None or count > 1 or self.generator.dump.is_wanted or not store.keeps(whole):
            return HostCodeWriter(self, self.planned(flat, name), count, name, donated)
        key, lines = store.key(whole.fingerprint, donated), lines_of(whole)

        def again(over: Any) -> Callable[..., Any]:
            planned = self.planned(flat, name)
            remaker = PlanRecorder(store, key, planned, self.seconds() or 0.0, lines, is_hot=True)
            HostCodeWriter(self, planned, count, name, donated, recorder=remaker)
            if over not in remaker.made:
                raise OlympusInternalError("a program is planned otherwise than an earlier process has planned it")
            return remaker.made[over]

        kept = store.load(key, flat, again, lines)
        if kept is not None:
            with suppress(UnfitData):  # or its code is gone: it is planned again
                writer = HostCodeWriter(self, kept, count, name, donated)
                self.plans.append(kept)
                self._unplanned = (flat, name)
                return writer
        plan = self.planned(flat, name)
        recorder = PlanRecorder(store, key, plan, self.seconds() or 0.0, lines)
        return HostCodeWriter(self, plan, count, name, donated, recorder=recorder)

    def seconds(self) -> float | None:
        """A guess at how long the plans take."""
        steps: list[Any] = [step for found in self.plans for step in found.steps]
        kernels = [self._likely(step) for step in steps if isinstance(step, KernelStep)]
        stored = sum(step.seconds for step in steps if isinstance(step, StoredStep))
        return stored + sum(_ADDITION_SECONDS * estimate(kernel) for kernel in kernels) + sum(
            operation_seconds(step.operation, *((_ELEMENT_SECONDS, True) if step.operation.name in CONTROL else ()))
            for step in steps if isinstance(step, OperationStep))

    def _likely(self, step: KernelStep) -> LoopKernel:
        """The kernel that runs: updates alone, where the memory that they are made in is donated."""
        in_place = step.updating is not None and any(step.inputs[i] in self._donated for i, _ in step.reusable)
        return step.updating if in_place and step.updating is not None else step.kernel

    def described(self, source: str) -> str:
        """The functions, then the plans with their kernels; what was kept is planned now, to be read."""
        if self._unplanned is not None:
            (flat, name), self._unplanned = self._unplanned, None
            self.plans.clear()
            self.planned(flat, name)
        return "\n".join([source, *(found.text() for found in self.plans)])

    def runs_together(self, operation: Operation) -> bool:
        """Whether an operation that needs other devices can stand in a generated function: a local collective can."""
        if operation.name not in LOCAL_COLLECTIVES or len(self.devices) < 2:
            return False
        members = [p for group in operation.attributes["group"].groups for p in group]
        return sorted(members) == sorted(self.positions)

    def local_collective(self, operation: Operation, local_indices: Positions) -> Callable[[Sequence[Any]], list[Any]]:
        """A collective among devices of this process, buffers in and out; reductions and gathers are kernels."""
        made, count = self.generator.made_collective(operation, [local_indices]), len(local_indices)
        if made is not None:
            run, type_, devices = made, operation.results[0].type, [self.devices[i] for i in local_indices]
            wrap = self.generator.wrap_allocation
            return lambda members: [
                wrap(allocation, type_, device)
                for allocation, device in zip(run([m.allocation for m in members]), devices, strict=True)]
        flat = local_program(operation, count)
        if flat is None:
            return super().local_collective(operation, local_indices)
        whole = self.columns_function(flat.operations, flat.inputs, flat.outputs, operation.name, 1)
        return lambda members: whole((0,), *[(m,) for m in members])[0] * count
