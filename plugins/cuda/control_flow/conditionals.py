# SPDX-License-Identifier: Apache-2.0
"""Branches, and loops that end by a condition: conditional nodes of graphs, so that the host waits for nothing.

A work is captured with its group. Where the group is not captured, the work is a graph of its own.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from olympus_core.program import Operation
from olympus_core.toolkit.regions import RegionPlan, carried

from ..compiled.graphs import captured
from ..memory import ALIGNMENT, rounded
from .conditional_nodes import GOES_ON, IF, TAKES, WHILE, ConditionalNodes
from .regions import Compiling, RegionCode, RegionLaunches, can_be_captured, copied, launches_of

if TYPE_CHECKING:
    from ..compiled.code import CodeStore
    from ..compiled.work import Enqueue
    from ..gpu import Gpu, Graph, Stream

_MOST_GRAPHS = 4
_MOST_BRANCHES = 16
_NODES = 2  # of a conditional node, and the kernel that sets it


class ConditionalWork:
    """A `while` or a `cond` whose regions are kernels and other works.

    Args:
        operation: The operation.
        regions: Its planned regions.
        compiling: What compiles them.
        nodes: The driver's conditional nodes.
    """

    capturable = True

    def __init__(
        self, operation: Operation, regions: Sequence[RegionPlan], compiling: Compiling, nodes: ConditionalNodes
    ) -> None:
        self.inputs, self.outputs = tuple(operation.operands), tuple(operation.results)
        self.operation, self.regions, self.nodes = operation, tuple(regions), nodes
        self.carries = carried(operation)
        body = regions[-1]
        self.reusable = tuple((self.carries.start + i, i) for i in sorted(body.in_place)) if self.is_loop else ()
        self.launches = sum(launches_of(region) + _NODES for region in regions)
        self._compiling = compiling
        self._codes: dict[int, tuple[RegionCode, ...]] = {}

    @property
    def is_loop(self) -> bool:
        """Whether it is a loop."""
        return self.operation.name == "while"

    def scratch_on(self, gpu: Gpu, ordinal: int) -> int:
        """See `Work.scratch_on`: the condition, carries that are not written in place, the regions' own scratch."""
        return self.arena + max(code.arena for code in self.codes(gpu, ordinal))

    def prepare(self, gpu: Gpu, ordinal: int, code: CodeStore) -> Enqueue:
        """See `Work.prepare`."""
        return (_Loop if self.is_loop else _Branches)(self, gpu, ordinal, code)

    def codes(self, gpu: Gpu, ordinal: int) -> tuple[RegionCode, ...]:
        """The regions, compiled for a GPU."""
        found = self._codes.get(ordinal)
        if found is None:
            found = self._codes[ordinal] = tuple(
                RegionCode(region, self._compiling, gpu, ordinal) for region in self.regions)
        return found

    @property
    def alternates(self) -> dict[int, int]:
        """Where in the scratch the carries lie that a loop's body does not write in place."""
        found, start = {}, ALIGNMENT
        for i in range(len(self.carries)):
            if i not in self.regions[-1].in_place:
                found[i] = start
                start += rounded(self.outputs[i].type.nbytes)
        return found

    @property
    def arena(self) -> int:
        """Where in the scratch the regions' own begins."""
        return ALIGNMENT + sum(rounded(self.outputs[i].type.nbytes) for i in self.alternates)


def conditional_work(
    operation: Operation, regions: Sequence[RegionPlan], compiling: Compiling, nodes: ConditionalNodes | None
) -> ConditionalWork | None:
    """The work of a `while` or a `cond`, or None where it has to be the host's.

    Args:
        operation: The operation.
        regions: Its planned regions.
        compiling: What compiles them.
        nodes: The driver's conditional nodes; None where it has none.
    """
    if nodes is None or len(regions) > _MOST_BRANCHES or not all(map(can_be_captured, regions)):
        return None
    return ConditionalWork(operation, regions, compiling, nodes)


class _Captured:
    """What is enqueued by being captured: into the graph of the stream, or as a graph of its own.

    Args:
        work: The work.
        gpu: The driver interface.
        ordinal: The GPU.
        code: Compiles the kernels that set conditions.
    """

    def __init__(self, work: ConditionalWork, gpu: Gpu, ordinal: int, code: CodeStore) -> None:
        self._work, self._gpu, self._nodes = work, gpu, work.nodes
        self._ordinal = ordinal
        self._regions: tuple[RegionLaunches, ...] = tuple(each.launches() for each in work.codes(gpu, ordinal))
        module = GOES_ON if work.is_loop else TAKES
        ((launch,),) = module.launches.values()
        self._setting = code.functions(module, ordinal, launch.function)(launch.function)
        self._inner, self._stream = gpu.stream(ordinal), gpu.stream(ordinal)
        self._graphs: OrderedDict[tuple[int, ...], Graph] = OrderedDict()

    def __call__(self, stream: Stream, addresses: Sequence[int], scratch: int) -> None:
        """Enqueues it; see `Enqueue`."""
        if stream.is_captured:
            self._capture(stream, addresses, scratch)
            return
        key = (*addresses, scratch)
        graph = self._graphs.get(key)
        if graph is None:
            graph = self._graphs[key] = captured(
                self._gpu, self._stream, lambda own: self._capture(own, addresses, scratch))
            if len(self._graphs) > _MOST_GRAPHS:
                self._graphs.popitem(last=False)
        graph.launch(stream)

    def _capture(self, stream: Stream, addresses: Sequence[int], scratch: int) -> None:
        raise NotImplementedError

    def _set(self, stream: Stream, address: int, *numbers: int) -> None:
        self._gpu.launch(self._setting, 1, 1, 0, stream.ptr, [address, *numbers])


class _Loop(_Captured):
    """A loop: the carries lie in its results."""

    def _capture(self, stream: Stream, addresses: Sequence[int], scratch: int) -> None:
        work, gpu, nodes = self._work, self._gpu, self._nodes
        given, results = addresses[:len(work.inputs)], addresses[len(work.inputs):]
        for i, place in enumerate(work.carries):
            copied(gpu, results[i], given[place], work.outputs[i].type.nbytes, stream)
        handle = nodes.handle(stream)
        inputs, arena = [*given[:work.carries.start], *results], scratch + work.arena
        condition, body = self._regions

        def decide(where: Stream) -> None:
            condition.enqueue(where, inputs, [scratch], arena)
            self._set(where, scratch, handle)

        decide(stream)
        nodes.begin(stream, handle, WHILE, self._inner)
        try:
            then = [scratch + work.alternates[i] if i in work.alternates else result
                    for i, result in enumerate(results)]
            body.enqueue(self._inner, inputs, then, arena)
            for i in work.alternates:
                copied(gpu, results[i], then[i], work.outputs[i].type.nbytes, self._inner)
            decide(self._inner)
        finally:
            nodes.end(self._inner)


class _Branches(_Captured):
    """Branches: each is a node that its own condition guards."""

    def _capture(self, stream: Stream, addresses: Sequence[int], scratch: int) -> None:
        work, nodes = self._work, self._nodes
        given, results = addresses[:len(work.inputs)], addresses[len(work.inputs):]
        handles = [nodes.handle(stream) for _ in self._regions]
        for branch, handle in enumerate(handles):
            self._set(stream, given[0], branch, len(handles) - 1, handle)
        for region, handle in zip(self._regions, handles, strict=True):
            nodes.begin(stream, handle, IF, self._inner)
            try:
                region.enqueue(self._inner, given[1:], results, scratch + work.arena)
            finally:
                nodes.end(self._inner)
