# SPDX-License-Identifier: Apache-2.0
"""What the CPU platform gives the planned compiler: kernels and products as native entries, blocks as allocations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np

from olympus_core import ops
from olympus_core.plugin import Device, PlatformSettings
from olympus_core.program import ArrayType, Operation, OperationRecord, Value
from olympus_core.toolkit import Flat
from olympus_core.toolkit.dumps import Dump
from olympus_core.toolkit.exclusive import are_exclusive, is_exclusive
from olympus_core.toolkit.flatten import CONTROL
from olympus_core.toolkit.fusion import FusionOptions, Plan, plan
from olympus_core.toolkit.kept_plans import PlanStore, StoredStep

from ..buffer import CpuBuffer, allocation_of, array_of
from ..contractions.gemm import forget_gemm_code
from ..contractions.gemm_steps import made_step, made_sum
from ..fallback.log import note_fallback
from ..fallback.sorting import SORT_FACTORIES
from ..machine.choice import choice
from ..native.cache import ObjectCache
from ..native.linker import plan_identity
from ..native.memory import MemoryFigures, figures, trim
from ..native.routines import Routine, routine_step
from ..native.settings import apply_settings
from .arrays import settled
from .concatenations import concatenation_step
from .group import GroupStep, KernelGroup
from .kernels import KernelStore
from .loops import LoopPlanner
from .passes import cpu_passes


@lru_cache(maxsize=4096)
def _supports(record: OperationRecord, dtypes: tuple[np.dtype, ...]) -> bool:
    """What the emitter says; planning asks three times for each operation of a program."""
    from ..codegen.emit.operations import supports

    return supports(record, dtypes)


def _routine_of(operation: Operation, is_in_loop: bool) -> Routine | None:
    """The routine of an operation; None where it has none."""
    if operation.record.category == "linear_algebra":
        from ..linear_algebra import routine_of  # with the first decomposition

        return routine_of(operation)
    if operation.name in SORT_FACTORIES:
        from ..sorting import routine_of as sorting_routine_of

        return sorting_routine_of(operation, is_in_loop)
    return None


class CpuKernelGenerator:
    """The generator of one client.

    Args:
        store: Where kernels become machine code.
        cache: Where that and plans are kept for later processes.
    """

    def __init__(self, store: KernelStore, cache: ObjectCache | None = None) -> None:
        self._store = store
        # The same on every machine: how sums are cut must not depend on the number of threads. Longer blocks are no
        # faster, and less exact: tests/cpu/compiled/test_accuracy.py.
        self.options = FusionOptions(parallelism=8, lane_block=1024, updates_in_place=True, sections=48)
        self.passes = cpu_passes(
            self.supports, self.options, partial(store.start_calls, routine_of=partial(_routine_of, is_in_loop=False)))
        self.dump = store.dump
        self._plans = PlanStore(cache, plan_identity)
        self._loops = LoopPlanner(self._planned, partial(self._made_step, is_in_loop=True))

    @property
    def plans(self) -> PlanStore:
        """Where plans are kept, beside the code."""
        return self._plans

    def supports(self, record: OperationRecord | None, dtypes: tuple[np.dtype, ...]) -> bool:
        """Whether kernels can hold this elementwise operation on these types; None: whether they can move them."""
        return _supports(record or ops.convert, dtypes)

    def make(
        self, steps: Sequence[GroupStep], inputs: Sequence[Value], outputs: Sequence[Value],
        reused: Mapping[Value, Value], count: int, name: str, renew: Callable[[Callable[..., Any]], None],
        on_stored: Callable[[bytes], None] | None = None, is_hot: bool = False,
    ) -> Callable[..., Any]:
        """Kernels that run one after the other, as one native call for `count` devices."""
        for step in steps:
            if isinstance(step, StoredStep):
                return self._store.stored_entry(*step.call(reused), renew, step.lines)
        group = KernelGroup(steps, inputs, outputs, reused, count)
        return self._store.entry(group, name, renew, on_stored, is_hot)

    def code_bytes(self, made: Callable[..., Any]) -> int:
        """About how much memory a group's code takes."""
        return self._store.code_bytes(made)

    def scratch_bytes(self, made: Callable[..., Any]) -> int:
        """How much temporary memory a call of a group takes."""
        return self._store.scratch_bytes(made)

    def array(self, allocation: Any, type: ArrayType) -> np.ndarray:
        """An allocation as a NumPy array."""
        return array_of(allocation, type)

    def allocation(self, array: np.ndarray) -> Any:
        """An array's block, or the array."""
        return allocation_of(array)

    wrap_allocation = staticmethod(CpuBuffer.of_block)

    def wrap_array(self, array: np.ndarray, device: Device) -> CpuBuffer:
        """A buffer of an array."""
        return CpuBuffer(array, device)

    settled = staticmethod(settled)
    is_exclusive = staticmethod(is_exclusive)
    are_exclusive = staticmethod(are_exclusive)

    def _planned(self, region: Flat) -> Plan:
        return plan(region, self.supports, self.options, self.passes, self.dump.observer("region", region))

    def made_step(self, operation: Operation) -> Any:
        """A product, a loop or a routine among kernels."""
        return self._made_step(operation, is_in_loop=False)

    def _made_step(self, operation: Operation, is_in_loop: bool) -> Any:
        if operation.name in CONTROL:
            return self._loops.step_of(operation)
        if operation.record.category == "linear_algebra" or operation.name in SORT_FACTORIES:
            return routine_step(operation, _routine_of(operation, is_in_loop))
        if operation.name == "concatenate" and self.supports(None, (operation.results[0].type.dtype,)):
            return concatenation_step(operation)
        return made_step(operation)

    made_sum = staticmethod(made_sum)
    note_fallback = staticmethod(note_fallback)

    def made_collective(self, operation: Operation, groups: Sequence[Sequence[int]]) -> None:
        """Kernels do it: all devices' memory is one."""

    def memory(self) -> MemoryFigures:
        """What the allocator holds."""
        return figures()

    def trim(self) -> None:
        """Returns what the allocator and the products keep for later use."""
        forget_gemm_code()
        trim()

    def close(self) -> None:
        """Ends the optimiser's thread."""
        self._store.close()


def open_generator(settings: PlatformSettings) -> CpuKernelGenerator:
    """The kernel generator of one client; loads and starts nothing before the first kernel."""
    if settings.reproducible != choice().is_reproducible:
        forget_gemm_code()  # of a client before
    cache = apply_settings(settings)
    return CpuKernelGenerator(KernelStore(cache, Dump(settings.dump_folder)), cache)
