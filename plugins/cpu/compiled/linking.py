# SPDX-License-Identifier: Apache-2.0
"""`Linker`: from groups and the addresses of their code to native calls: tables, modes, plans of loops."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from olympus_core.dataclass import dataclass, replace
from olympus_core.errors import OlympusInternalError
from olympus_core.plugin import KernelDescription
from olympus_core.toolkit.fusion import KernelStep, arithmetic, estimate
from olympus_core.toolkit.loops import Loop

from ..contractions.gemm import Gemm
from ..contractions.gemm_steps import GemmStep, gemm_calls, multiply_call, packing_calls
from ..native.cache import ObjectCache
from ..native.entry import INLINE, PARALLEL, RELEASED, Entry, Step, make_entry
from ..native.linker import Library
from ..native.loops import LoopPlan, branch_words
from ..native.routines import RoutineStep
from ..native.runtime import runtime
from ..native.schedule import GRANULE, schedule
from .group import GroupStep, KernelGroup
from .loops import UNKNOWN_TRIP_COUNT, LoopStep, Region, carries_of, sliced_slots
from .stored_calls import Memory, stored_call

_SECONDS = 0.25e-9  # of an addition in one thread, averaged over all kinds of kernels
_BYTE_SECONDS = 1e-10  # of copying a byte
# What baseline code takes longer: a share of a kernel's estimated time, and additions for each element in turn.
_LOST, _LOST_IN_TURN = 0.2, 20.0
_MANY = 20_000  # iterations that a loop with a condition may well have: it would run in baseline code to its end


def groups_of(
    group: KernelGroup, iterations: float = 1.0, unknown: int = UNKNOWN_TRIP_COUNT
) -> Iterator[tuple[KernelGroup, float]]:
    """A group and the groups of its loops' regions, each with its estimated number of executions.

    Args:
        group: The group.
        iterations: How often it runs.
        unknown: The iterations of loops with a condition.
    """
    yield group, iterations
    for step in group.steps:
        if isinstance(step, LoopStep):
            count = unknown if step.trip_count is None else step.trip_count
            for region in step.regions:
                yield from groups_of(region.group, iterations * count, unknown)


def work_of(group: KernelGroup) -> float:
    """The cost of a group's kernels in additions, loops with their iterations."""
    return sum(iterations * estimate(step.kernel) for inner, iterations in groups_of(group)
               for step in inner.steps if isinstance(step, KernelStep))


def baseline_loss(group: KernelGroup) -> float:
    """About how many seconds longer one execution on all devices takes with baseline code, in one thread."""
    return group.count * _SECONDS * sum(
        iterations * (_LOST * estimate(step.kernel) + _LOST_IN_TURN * _turns(step.kernel.loop))
        for inner, iterations in groups_of(group, unknown=_MANY) for step in inner.steps
        if isinstance(step, KernelStep))


def _turns(loop: Loop) -> int:
    """Single elements that wait for those before them: baseline code hands values on through memory."""
    if loop.kind == "lanes":
        return 0
    return loop.extent * (bool(loop.recurrences) + sum(_turns(s) for s in loop.body if isinstance(s, Loop)))


def _routine_seconds(group: KernelGroup) -> float:
    """The time of a group's routines in one thread, loops with their iterations."""
    return sum(iterations * step.routine.seconds for inner, iterations in groups_of(group)
               for step in inner.steps if isinstance(step, RoutineStep))


@dataclass(frozen=True, slots=True)
class Linker:
    """Makes native calls of groups.

    Args:
        addresses: The address of each kernel's code, by the kernel's identity.
        libraries: Keep that code loaded.
        cache: Object code on disk.
        called_level: The level of the code of GEMMs and routines.
        memory: Told what its constants are addresses of, where the call is to be kept.
    """

    addresses: Mapping[int, int]
    libraries: Sequence[Library]
    cache: ObjectCache | None
    called_level: int
    memory: Memory | None = None

    def entry(self, group: KernelGroup) -> Entry:
        """The native call of a group."""
        return self.entry_and_data(group)[0]

    def entry_and_data(self, group: KernelGroup) -> tuple[Entry, bytes | None]:
        """The native call of a group, and its data for later processes, where they are wanted and can be had."""
        steps, mode, keep, constants, _ = self._steps(group)
        slots = replace(group.slots, constants=constants)
        entry = make_entry(steps, slots, mode, keep=(self.libraries, keep))
        return entry, None if self.memory is None else stored_call(steps, slots, mode, self.memory)

    def _steps(self, group: KernelGroup) -> tuple[list[Step], int, list[Any], tuple[int, ...], list[Step]]:
        """A group's steps, their mode, what must be kept alive, and the constants, which include the loops' plans.

        The last are the steps of a loop's body that only its first iteration needs.
        """
        steps: list[Step] = []
        first: list[Step] = []
        mode, keep, constants = INLINE, list[Any](), list(group.slots.constants)
        chained: dict[GroupStep, int] = {}
        for step in group.steps:
            if step in group.chains:
                chain = group.chains[step]
                chained = dict(zip(chain.steps, chain.chunks, strict=True))
                gemms = [s for s in chain.steps if isinstance(s, GemmStep)]
                told = [_about(s, group.count) for s in gemms]
                for once, into in ((False, steps), (True, first)):
                    packed = [s for s in gemms if (s in group.packed_once) == once]
                    made, own, kept = packing_calls(group, packed, self.cache, self.called_level)
                    self._note(*kept)
                    into += [replace(one, about=told[0]._replace(name="packing", work=0.0)) for one in made]
                    keep.append((chain, kept))
                mode = PARALLEL
            begins, about = step in group.chains, _about(step, group.count)
            if isinstance(step, LoopStep):
                constants[group.constant(step)], loop, own, kept = self._loop(group, step, _can_join(steps))
                made = [loop]
                keep.append((step, kept))
            elif isinstance(step, RoutineStep):
                routine, own = self._routine(group, step, _can_join(steps))
                made = [routine]
                keep.append(step)
            elif isinstance(step, GemmStep):
                self._note(step.gemm)
                if step in chained:
                    multiply, own, library_of_step = multiply_call(group, step, self.cache, self.called_level)
                    self._note(library_of_step)
                    made = [multiply]
                    keep.append((step, library_of_step))
                else:
                    made, own, kept = gemm_calls(group, step, self.cache, self.called_level, bool(steps))
                    self._note(*kept[1], kept[2])
                    keep.append((step, kept))
            else:
                kernel, own = self._kernel(group, step, _can_join(steps))
                made = [kernel]
            if step in chained:
                made = [replace(made[0], chunk=chained[step], joined=False, piecewise=not begins)]
            packing = about._replace(name=f"{about.name} (packing)", work=0.0)
            told_of = [replace(one, about=about if one is made[-1] else packing) for one in made]
            if step in group.packed_once:
                first += told_of[:-1]
                del told_of[:-1]
            steps += told_of
            mode = max(mode, own)
        return steps, mode, keep, tuple(constants), first

    def _note(self, *things: Gemm | Library) -> None:
        if self.memory is None:
            return
        for thing in things:
            if isinstance(thing, Gemm):
                self.memory.add_gemm(thing)
            else:
                self.memory.add_library(thing)

    def _kernel(self, group: KernelGroup, step: KernelStep, follows: bool) -> tuple[Step, int]:
        """The step of one kernel, and its mode."""
        loop, seconds = step.kernel.loop, estimate(step.kernel) * group.count * _SECONDS
        mode, chunk = schedule(loop.extent, seconds, group.count, GRANULE if loop.kind == "lanes" else 1)
        if loop.kind == "serial":
            chunk = loop.extent
        tables = tuple(group.table(step, device) for device in range(group.count))
        joined = follows and group.count > 1 and chunk == loop.extent
        return Step(self.addresses[id(step.kernel)], loop.extent, chunk, tables, joined), mode

    def _routine(self, group: KernelGroup, step: RoutineStep, follows: bool) -> tuple[Step, int]:
        """The step of a routine, and its mode."""
        routine = step.routine
        if self.memory is not None:
            self.memory.add_routine(routine, self.called_level)
        tables = tuple(group.routine_table(step, device) for device in range(group.count))
        joined = follows and group.count > 1 and routine.chunk >= routine.total
        address = routine.kernel(self.called_level)
        return Step(address, routine.total, routine.chunk, tables, joined), routine.mode(group.count)

    def _loop(self, group: KernelGroup, step: LoopStep, follows: bool) -> tuple[int, Step, int, Any]:
        """The address of a loop's plan, the step that runs it, its mode, and what must be kept alive."""
        if step.operation.name == "cond":
            plans = [self._plan(step, (region,)) for region in step.regions]
            words, kernel = branch_words([own for own, _, _ in plans]), runtime()["branch"]
            if self.memory is not None:
                self.memory.known[words.buffer_info()[0]] = tuple(own.buffer_info()[0] for own, _, _ in plans)
        else:
            plans = [self._plan(step, step.regions)]
            words, kernel = plans[0][0], runtime()["loop"]
        work = step.estimated_trip_count * sum(work_of(region.group) for region in step.regions)
        routines = step.estimated_trip_count * sum(_routine_seconds(region.group) for region in step.regions)
        seconds = (work * _SECONDS + routines) * group.count
        mode = max(schedule(1, seconds, group.count).mode, *(mode for _, mode, _ in plans))
        if mode == PARALLEL and group.count == 1 and all(own < PARALLEL for _, own, _ in plans):
            mode = RELEASED  # long, but single-threaded
        if step.trip_count is None:
            mode = max(mode, RELEASED)  # it may not terminate: other Python threads must run
        tables = tuple(group.loop_table(step, device) for device in range(group.count))
        joined = follows and group.count > 1
        return words.buffer_info()[0], Step(kernel, 1, 1, tables, joined), mode, (words, plans)

    def _plan(self, step: LoopStep, regions: Sequence[Region]) -> tuple[array[int], int, Any]:
        """The words of a loop's plan, the mode of its iterations, and what must be kept alive."""
        state, temporaries = len(step.state), step.temporaries(regions)
        first_constant = state + len(temporaries)
        results = state - len(step.outputs)
        condition_slot = first_constant - 1
        constants: list[int] = []
        bodies: list[list[Step]] = []
        first: list[Step] = []
        mode, keep, temporary = INLINE, list[Any](), state
        total = sum(len(r.constants) + len(r.group.slots.constants) for r in regions)
        for region in regions:
            is_condition = region is not regions[-1]
            steps, own, kept, of_group, once = self._steps(region.group)
            mode = max(mode, own)
            keep.append((region, kept))
            slots = region.group.slots
            known = [first_constant + len(constants) + i for i in range(len(region.constants))]
            constants += [int(a.ctypes.data) for a in region.constants]
            if self.memory is not None:
                self.memory.known.update({int(a.ctypes.data): a for a in region.constants})
            left = [condition_slot if is_condition else results + i for i in region.left]
            spare = [temporary + len(slots.temporaries) + i for i in range(len(region.spares))]
            slot_of = [
                *range(slots.arguments - len(known)), *known, *left, *spare,
                *range(temporary, temporary + len(slots.temporaries)),
                *range(first_constant + len(constants), first_constant + len(constants) + len(of_group)),
                first_constant + total,
            ]
            constants += of_group
            temporary += len(slots.temporaries) + len(spare)
            moved, once = ([replace(s, tables=tuple(tuple(slot_of[i] for i in t) for t in s.tables)) for s in some]
                           for some in (steps, once))
            first += once
            for i, source in region.copied:
                target = condition_slot if is_condition else results + i
                copy, own = self._copy(slot_of[region.group.slot(source)], target, source.type.nbytes)
                moved.append(copy)
                mode = max(mode, own)
            bodies.append(moved)
        *conditions, body = bodies
        plan = LoopPlan(
            step.trip_count, state, temporaries, tuple(constants), body, carries_of(step, temporary),
            sliced_slots(step), mode,
            conditions[0] if conditions else (), condition_slot, first,
        )
        words = plan.words()
        if self.memory is not None:
            self.memory.known[words.buffer_info()[0]] = plan
        if plan.scratch > step.memory[0]:
            raise OlympusInternalError(f"a loop needs {plan.scratch} bytes of memory and has {step.memory[0]}")
        return words, mode, (words, keep)

    @staticmethod
    def _copy(source: int, target: int, size: int) -> tuple[Step, int]:
        mode, chunk = schedule(size, size * _BYTE_SECONDS, 1, GRANULE)
        return Step(runtime()["copy_bytes"], size, chunk, ((source, target),)), mode


def _about(step: GroupStep, count: int) -> KernelDescription:
    """What profiles tell of a step on so many devices."""
    size = count * sum(v.type.nbytes for v in {*step.inputs, *step.outputs})
    if isinstance(step, KernelStep):
        return KernelDescription(step.kernel.name, step.kernel.location or "", size, count * arithmetic(step.kernel))
    if isinstance(step, GemmStep):
        multiplications = step.gemm.layout.multiplications * step.gemm.members
        return KernelDescription(step.name, step.location or "", size, 2.0 * count * multiplications)
    if isinstance(step, LoopStep):
        work = step.estimated_trip_count * sum(_arithmetic(region.group) for region in step.regions)
        return KernelDescription(step.operation.name, step.operation.location or "", size, count * work)
    return KernelDescription(step.name, step.location or "", size, 0.0)


def _arithmetic(group: KernelGroup) -> float:
    """The arithmetic of one execution on one device, loops with their iterations."""
    return sum(iterations * _about(step, 1).work for inner, iterations in groups_of(group) for step in inner.steps
               if not isinstance(step, LoopStep))


def _can_join(steps: Sequence[Step]) -> bool:
    return bool(steps) and not steps[-1].piecewise
