# SPDX-License-Identifier: Apache-2.0
"""Branches, and loops that end by a condition: conditional nodes of graphs, so that the host waits for nothing.

A work is captured with its group. Where the group is not captured, the work is a graph of its own. Where the driver
refuses that, as it may for what a library enqueues, the host decides at every turn.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from olympus_core.errors.platform import PlatformError
from olympus_core.program import Operation
from olympus_core.toolkit.regions import RegionPlan, carried

from ..compiled.graphs import captured
from ..memory import ALIGNMENT, rounded
from ..waiting import until_done
from .conditional_nodes import GOES_ON, IF, TAKES, WHILE, ConditionalNodes
from .regions import Compiling, RegionCode, RegionLaunches, can_be_captured, copied, launches_of

if TYPE_CHECKING:
    from ..compiled.code import CodeStore
    from ..compiled.work import Enqueue
    from ..gpu import Gpu, Graph, Pinned, Stream

_MOST_GRAPHS = 4
_MOST_BRANCHES = 16
_NODES = 2  # of a conditional node, and the kernel that sets it
_LONGEST = 4  # bytes of what decides

logger = logging.getLogger("olympus.cuda")


class ConditionalWork:
    """A `while` or a `cond` whose regions are kernels and other works.

    Args:
        operation: The operation.
        regions: Its planned regions.
        compiling: What compiles them.
        nodes: The driver's conditional nodes.

    Attributes:
        alternates: Where in the scratch the carries lie that a loop's body does not write in place.
        arena: Where the regions' own scratch begins.
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
        self.compiling = compiling
        self._codes: dict[int, tuple[RegionCode, ...]] = {}
        # The scratch: the condition, the carries that a loop's body does not write in place, the regions' own.
        self.alternates, self.arena = dict[int, int](), ALIGNMENT
        for i in range(len(self.carries)):
            if i not in body.in_place:
                self.alternates[i] = self.arena
                self.arena += rounded(self.outputs[i].type.nbytes)

    @property
    def is_loop(self) -> bool:
        """Whether it is a loop."""
        return self.operation.name == "while"

    def scratch_on(self, gpu: Gpu, ordinal: int) -> int:
        """See `Work.scratch_on`."""
        return self.arena + max(code.arena for code in self.codes(gpu, ordinal))

    def prepare(self, gpu: Gpu, ordinal: int, code: CodeStore) -> Enqueue:
        """See `Work.prepare`."""
        return (_Loop if self.is_loop else _Branches)(self, gpu, ordinal, code)

    def codes(self, gpu: Gpu, ordinal: int) -> tuple[RegionCode, ...]:
        """The regions, compiled for a GPU."""
        found = self._codes.get(ordinal)
        if found is None:
            found = self._codes[ordinal] = tuple(
                RegionCode(region, self.compiling, gpu, ordinal) for region in self.regions)
        return found


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


class _Captured(ABC):
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
        self._context, self._is_driven = work.compiling.on(ordinal), False
        self._pinned: Pinned | None = None

    def __call__(self, stream: Stream, addresses: Sequence[int], scratch: int) -> None:
        """Enqueues it; see `Enqueue`."""
        if stream.is_captured:
            self._capture(stream, addresses, scratch)
            return
        graph = None if self._is_driven else self._graph(addresses, scratch)
        if graph is None:
            self._drive(stream, addresses, scratch)
        else:
            graph.launch(stream)

    def _graph(self, addresses: Sequence[int], scratch: int) -> Graph | None:
        """The work as a graph of its own; None where it cannot be one."""
        key = (*addresses, scratch)
        graph = self._graphs.get(key)
        if graph is None:
            refusals: tuple[type[Exception], ...] = (*self._gpu.errors, PlatformError)
            try:
                graph = captured(self._gpu, self._stream, lambda own: self._capture(own, addresses, scratch))
            except refusals as error:
                logger.warning("%s is decided by the host: it cannot be captured into a graph: %s",
                               self._work.operation.name, error)
                self._is_driven = True
                return None
            self._graphs[key] = graph
            if len(self._graphs) > _MOST_GRAPHS:
                self._graphs.popitem(last=False)
        return graph

    @abstractmethod
    def _capture(self, stream: Stream, addresses: Sequence[int], scratch: int) -> None:
        """Captures it into the stream's graph."""

    @abstractmethod
    def _drive(self, stream: Stream, addresses: Sequence[int], scratch: int) -> None:
        """Enqueues it in turns, and waits for what decides."""

    def _read(self, stream: Stream, address: int, dtype: np.dtype) -> int:
        """A number on the GPU, once it is there."""
        if self._pinned is None:
            self._pinned = self._gpu.pinned(_LONGEST)
        self._gpu.download(self._pinned.ptr, address, dtype.itemsize, stream)
        event = self._context.new_event()
        event.record(stream)
        until_done(event, f"what decides in {self._work.operation.name}", self._context)
        self._context.events.append(event)
        return int(np.frombuffer(self._pinned.view(), dtype, 1)[0])

    def _set(self, stream: Stream, address: int, *numbers: int) -> None:
        self._gpu.launch(self._setting, 1, 1, 0, stream.ptr, [address, *numbers])


class _Loop(_Captured):
    """A loop: the carries lie in its results."""

    def _capture(self, stream: Stream, addresses: Sequence[int], scratch: int) -> None:
        self._begin(stream, addresses)
        handle = self._nodes.handle(stream)
        self._decide(stream, addresses, scratch)
        self._set(stream, scratch, handle)
        self._nodes.begin(stream, handle, WHILE, self._inner)
        try:
            self._turn(self._inner, addresses, scratch)
            self._decide(self._inner, addresses, scratch)
            self._set(self._inner, scratch, handle)
        finally:
            self._nodes.end(self._inner)

    def _drive(self, stream: Stream, addresses: Sequence[int], scratch: int) -> None:
        self._begin(stream, addresses)
        self._decide(stream, addresses, scratch)
        while self._read(stream, scratch, np.dtype(np.bool_)):
            self._turn(stream, addresses, scratch)
            self._decide(stream, addresses, scratch)

    def _begin(self, stream: Stream, addresses: Sequence[int]) -> None:
        """What is carried into the first turn."""
        work, count = self._work, len(self._work.inputs)
        for i, place in enumerate(work.carries):
            copied(self._gpu, addresses[count + i], addresses[place], work.outputs[i].type.nbytes, stream)

    def _inputs(self, addresses: Sequence[int]) -> list[int]:
        """The addresses of a region's inputs: constants, and the carries, which lie in the results."""
        return [*addresses[:self._work.carries.start], *addresses[len(self._work.inputs):]]

    def _decide(self, stream: Stream, addresses: Sequence[int], scratch: int) -> None:
        """Whether there is another turn."""
        self._regions[0].enqueue(stream, self._inputs(addresses), [scratch], scratch + self._work.arena)

    def _turn(self, stream: Stream, addresses: Sequence[int], scratch: int) -> None:
        work, results = self._work, addresses[len(self._work.inputs):]
        then = [scratch + work.alternates[i] if i in work.alternates else result for i, result in enumerate(results)]
        self._regions[1].enqueue(stream, self._inputs(addresses), then, scratch + work.arena)
        for i in work.alternates:
            copied(self._gpu, results[i], then[i], work.outputs[i].type.nbytes, stream)


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

    def _drive(self, stream: Stream, addresses: Sequence[int], scratch: int) -> None:
        work = self._work
        wanted = self._read(stream, addresses[0], np.dtype(np.int32))
        region = self._regions[min(max(wanted, 0), len(self._regions) - 1)]
        region.enqueue(stream, addresses[1:len(work.inputs)], addresses[len(work.inputs):], scratch + work.arena)
