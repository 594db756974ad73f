# SPDX-License-Identifier: Apache-2.0
"""The works of a group on one GPU: the machine code of its kernels, and what each work enqueues."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from olympus_core.toolkit.aliasing import StepAliasing
from olympus_core.toolkit.dumps import Dump
from olympus_core.toolkit.fusion import KernelStep, ViewStep

from .launch_sequence import AddressTable, Enqueuing, kernel_launch, work_launch

if TYPE_CHECKING:
    from ..codegen.module import Launch
    from ..gpu import Gpu
    from .buffer_assignment import BufferAssignment
    from .code import CodeStore


class GroupCode:
    """The works of a group, compiled for one GPU.

    Args:
        updated: Works and views, in order.
        store: The client's machine code.
        gpu: The driver interface.
        ordinal: The GPU.
        name: The group's name in errors.
        dump: Receives the text.

    Attributes:
        works: Kernels and other works.
        scratches: For each the bytes of scratch that it needs.
        capturable: Whether all of it may be captured into a graph.
    """

    def __init__(
        self, updated: StepAliasing, store: CodeStore, gpu: Gpu, ordinal: int, name: str, dump: Dump
    ) -> None:
        self.updated, self._store, self._gpu, self._ordinal = updated, store, gpu, ordinal
        self.works = [step for step in updated.steps if not isinstance(step, ViewStep)]
        kernels = [step.kernel for step in self.works if isinstance(step, KernelStep)]
        writes = dump.is_wanted

        def dumped(text: str) -> None:
            dump.kernels(name, kernels, text, "cu")

        self._function: Callable[[str], int] = lambda function: 0
        launches: list[tuple[Launch, ...]] = []
        if kernels:
            self._function, launches = store.kernels(kernels, ordinal, name, dumped if writes else None)
        of_kernels = iter(launches)
        self._each = [next(of_kernels) if isinstance(step, KernelStep) else None for step in self.works]
        self.scratches = [
            step.scratch_on(gpu, ordinal) if found is None else max(x.scratch for x in found)
            for step, found in zip(self.works, self._each, strict=True)]
        self.capturable = all(getattr(step, "capturable", True) for step in self.works)

    def launches(self, slots: AddressTable, assignment: BufferAssignment) -> list[list[Enqueuing]]:
        """For each work what enqueues it, with the addresses that the slots hold when it is called."""
        made: list[list[Enqueuing]] = []
        for step, found, (slots_of_work, scratch) in zip(
                self.works, self._each, assignment.slots_of_work, strict=True):
            if found is None:
                enqueue = step.prepare(self._gpu, self._ordinal, self._store)
                made.append([work_launch(enqueue, slots, slots_of_work, scratch)])
                continue
            made.append([
                kernel_launch(
                    self._gpu, self._function(launch.function), launch.grid, launch.block, launch.shared,
                    slots.table(_arguments(slots_of_work, scratch if launch.scratch else None)))
                for launch in found])
        return made


def _arguments(slots_of_work: Sequence[int], scratch: int | None) -> list[int]:
    return [*slots_of_work, *([scratch] if scratch is not None else [])]
