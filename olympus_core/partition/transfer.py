# SPDX-License-Identifier: Apache-2.0
"""From one layout to another over any devices: which box goes from which device to which.

Every part of a target shard has an origin: the device that holds it and is nearest to the one that wants it (the
device itself, its process, its machine, then any). Where several devices want the same part, one of each process
gets it from outside, and hands it on to the others there; over many processes the part spreads like a broadcast, every
process that has it serving another one.

The steps of a plan are grouped in stages. A step reads what was there before its stage and writes what nobody reads
in it, so the steps of a stage may run in any order, all at once, and no cycle can wait.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from olympus_core.dataclass import dataclass
from olympus_core.placement import Device, Layout
from olympus_core.program import ArrayType

Box = tuple[tuple[int, int], ...]  # start and stop for each dimension


@dataclass(frozen=True, slots=True)
class TransferStep:
    """One box on its way from a device to a device.

    Args:
        source: The device that gives.
        target: The device that gets; the same one where the part is there already.
        source_box: What is read, relative to the source's shard (its target shard where `forwarded`).
        target_box: Where it is written, relative to the target's shard.
        bytes: The size of it.
        stage: Steps of a stage follow those of all earlier stages.
        forwarded: The source hands on what an earlier stage wrote into its target shard.
    """

    source: Device
    target: Device
    source_box: Box
    target_box: Box
    bytes: int
    stage: int = 0
    forwarded: bool = False

    @property
    def is_local(self) -> bool:
        """Whether it stays on its device."""
        return self.source is self.target

    @property
    def crosses_processes(self) -> bool:
        """Whether it goes from process to process."""
        return self.source.process_index != self.target.process_index


@dataclass(frozen=True, slots=True)
class TransferPlan:
    """All steps from one layout to another.

    Args:
        type: The whole array's type.
        source: How it lies.
        target: How it shall lie.
        steps: What is moved, by stage; every element of every target shard is written once.
    """

    type: ArrayType
    source: Layout
    target: Layout
    steps: tuple[TransferStep, ...]

    @property
    def stages(self) -> tuple[tuple[TransferStep, ...], ...]:
        """The steps of each stage."""
        groups = itertools.groupby(self.steps, key=lambda step: step.stage)
        return tuple(tuple(group) for _, group in groups)

    @property
    def bytes_moved(self) -> int:
        """Bytes that go from a device to another one."""
        return sum(step.bytes for step in self.steps if not step.is_local)

    @property
    def bytes_between_processes(self) -> int:
        """Bytes that go from a process to another one."""
        return sum(step.bytes for step in self.steps if step.crosses_processes)

    def __str__(self) -> str:
        lines = [f"transfer {self.type}: {len(self.steps)} steps in {len(self.stages)} stages"]
        for step in self.steps:
            how = "stays" if step.is_local else "between processes" if step.crosses_processes else "in the process"
            lines.append(
                f"  stage {step.stage}: {step.source} {_text(step.source_box)} -> {step.target} "
                f"{_text(step.target_box)}: {step.bytes} bytes, {how}{', handed on' if step.forwarded else ''}"
            )
        lines.append(f"  total: {self.bytes_moved} bytes moved, {self.bytes_between_processes} between processes")
        return "\n".join(lines)


def plan_transfer(
    type: ArrayType, source: Layout, target: Layout, machine_of: Callable[[Device], object] | None = None
) -> TransferPlan:
    """Plans how an array gets from one layout to another.

    Args:
        type: The whole array's type.
        source: How it lies; any devices, any order.
        target: How it shall lie; any devices, any order.
        machine_of: For each device what stands for its machine; equal means near. Every process is on a machine
            of its own when left out.

    Returns:
        The plan, the same in every process.

    Raises:
        IndivisibleError: If a dimension does not divide in one of the layouts.
    """
    planner = _Planner(type, source, target, machine_of or (lambda device: device.process_index))
    steps = [step for part in planner.parts() for step in planner.deliver(part)]
    steps.sort(key=lambda step: step.stage)  # stable: within a stage in the order of the parts
    return TransferPlan(type, source, target, tuple(steps))


@dataclass(frozen=True, slots=True)
class _Overlap:
    """A box that lies in one source shard and one target shard, with all that hold the one and want the other."""

    box: Box
    source_box: Box
    target_box: Box
    owners: tuple[Device, ...]
    wanting: tuple[Device, ...]


class _Planner:
    def __init__(
        self, type: ArrayType, source: Layout, target: Layout, machine_of: Callable[[Device], object]
    ) -> None:
        self.type, self.machine_of = type, machine_of
        self.sources = _holders(source, type)
        self.targets = _holders(target, type)
        self.sent: Counter[Device] = Counter()  # bytes that each device gives to others so far

    def parts(self) -> Iterator[_Overlap]:
        starts = _by_start(self.sources)
        for wanted, wanting in self.targets.items():
            for held in _overlapping(wanted, starts):
                box = tuple((max(a, c), min(b, d)) for (a, b), (c, d) in zip(held, wanted, strict=True))
                yield _Overlap(box, _relative(box, held), _relative(box, wanted), self.sources[held], wanting)

    def deliver(self, part: _Overlap) -> Iterator[TransferStep]:
        """The steps that bring a part to everybody who wants it."""
        size = math.prod(b - a for a, b in part.box) * self.type.dtype.itemsize
        owners = set(part.owners)
        remote: dict[int, list[Device]] = {}
        local_owners = {device.process_index for device in part.owners}
        for device in part.wanting:
            if device in owners:
                yield TransferStep(device, device, part.source_box, part.target_box, size)
            elif device.process_index in local_owners:
                origin = self._nearest(device, part.owners)
                yield self._step(part, origin, device, size, 0, False)
            else:
                remote.setdefault(device.process_index, []).append(device)
        yield from self._spread(part, size, remote)

    def _spread(self, part: _Overlap, size: int, remote: dict[int, list[Device]]) -> Iterator[TransferStep]:
        """To the processes that have nothing of it: in each stage every process that has it serves one more."""
        owners = set(part.owners)
        having: dict[int, list[Device]] = {}  # for each process that has it, who can give it
        for device in part.owners:
            having.setdefault(device.process_index, []).append(device)
        waiting = list(remote.values())
        stage = 0
        while waiting:
            free = dict(having)
            while free and waiting:
                devices = waiting.pop(0)
                first = devices[0]
                origin = self._nearest(first, [device for group in free.values() for device in group])
                del free[origin.process_index]
                yield self._step(part, origin, first, size, stage, origin not in owners)
                for device in devices[1:]:
                    yield self._step(part, first, device, size, stage + 1, True)
                having[first.process_index] = [first]
            stage += 1

    def _nearest(self, target: Device, candidates: Sequence[Device]) -> Device:
        """The nearest, of equally near ones the one that has given least so far, then the first."""
        return min(candidates, key=lambda device: (self._distance(device, target), self.sent[device]))

    def _distance(self, source: Device, target: Device) -> int:
        if source is target:
            return 0
        if source.process_index == target.process_index:
            return 1
        return 2 if self.machine_of(source) == self.machine_of(target) else 3

    def _step(
        self, part: _Overlap, source: Device, target: Device, size: int, stage: int, forwarded: bool
    ) -> TransferStep:
        self.sent[source] += size
        read = part.target_box if forwarded else part.source_box
        return TransferStep(source, target, read, part.target_box, size, stage, forwarded)


def _holders(layout: Layout, type: ArrayType) -> dict[Box, tuple[Device, ...]]:
    """For each different box of a layout the devices that hold it, in the mesh's order."""
    found: dict[Box, list[Device]] = {}
    for device, box in zip(layout.mesh.flat_devices, layout.boxes(type.shape).tolist(), strict=True):
        found.setdefault(tuple((a, b) for a, b in box), []).append(device)
    return {box: tuple(devices) for box, devices in found.items()}


def _by_start(boxes: Iterable[Box]) -> list[list[tuple[int, int]]]:
    """For each dimension the intervals into which a layout splits it."""
    columns = list(zip(*boxes, strict=True))
    return [sorted(set(column)) for column in columns]


def _overlapping(wanted: Box, intervals: Sequence[Sequence[tuple[int, int]]]) -> Iterator[Box]:
    """The boxes of a grid that share elements with a box; a layout's boxes are all combinations of its intervals."""
    choices = [
        [(c, d) for c, d in column if max(a, c) < min(b, d)] for (a, b), column in zip(wanted, intervals, strict=True)
    ]
    return itertools.product(*choices)


def _relative(box: Box, shard: Box) -> Box:
    return tuple((a - start, b - start) for (a, b), (start, _) in zip(box, shard, strict=True))


def _text(box: Box) -> str:
    return "[" + ", ".join(f"{a}:{b}" for a, b in box) + "]"
