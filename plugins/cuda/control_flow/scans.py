# SPDX-License-Identifier: Apache-2.0
"""Loops of a known number of iterations: everything is enqueued at once, and captured with its group.

Each iteration enqueues the same launches with other addresses: slices of sequences are places in them, and a carry
alternates between the result and a block of scratch, or is written in place. Nothing is copied for an iteration but
slices that are not aligned.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from olympus_core.program import Operation
from olympus_core.toolkit.regions import RegionPlan, carried, sliced

from ..compiled.graphs import captured
from ..memory import ALIGNMENT, rounded
from .regions import Compiling, RegionCode, can_be_captured, copied, launches_of

if TYPE_CHECKING:
    from ..compiled.code import CodeStore
    from ..compiled.work import Enqueue
    from ..gpu import Gpu, Graph, Stream

MOST_CAPTURED = 8192  # launches of a loop that are captured with its group
_CHUNK = 64  # iterations of a graph that longer loops without sequences replay; even, since carries alternate
_MOST_GRAPHS = 2
_VECTOR = 16  # bytes: the alignment that kernels rely on; other works may rely on that of allocations


class ScanWork:
    """A `scan` whose body is kernels and other works.

    Args:
        operation: The operation.
        body: Its planned region.
        compiling: What compiles it.
    """

    def __init__(self, operation: Operation, body: RegionPlan, compiling: Compiling) -> None:
        self.inputs, self.outputs = tuple(operation.operands), tuple(operation.results)
        self.length, self.carries, self.slices = operation.attributes["length"], carried(operation), sliced(operation)
        self.body, self._compiling = body, compiling
        self.reusable = tuple((self.carries.start + i, i) for i in sorted(body.in_place))
        self._memory: dict[int, _Memory] = {}
        self._can_be_captured = can_be_captured(body)
        self.launches = self.length * launches_of(body)

    @property
    def capturable(self) -> bool:
        """Whether it may be captured with its group: only where that makes no huge graph."""
        return self._can_be_captured and self.launches <= MOST_CAPTURED

    @property
    def repeats(self) -> bool:
        """Whether it is long, and its iterations differ in nothing, so that a graph of some may be replayed."""
        return self._can_be_captured and not self.capturable and not self.slices

    def scratch_on(self, gpu: Gpu, ordinal: int) -> int:
        """See `Work.scratch_on`."""
        return self._on(gpu, ordinal).scratch

    def prepare(self, gpu: Gpu, ordinal: int, code: CodeStore) -> Enqueue:
        """See `Work.prepare`."""
        return _Iterations(self, self._on(gpu, ordinal), gpu, ordinal)

    def _on(self, gpu: Gpu, ordinal: int) -> _Memory:
        found = self._memory.get(ordinal)
        if found is None:
            found = self._memory[ordinal] = _Memory(self, RegionCode(self.body, self._compiling, gpu, ordinal))
        return found


class _Memory:
    """Where the values of a loop lie in its scratch on one GPU.

    Args:
        loop: The loop.
        code: Its body's code.
    """

    def __init__(self, loop: ScanWork, code: RegionCode) -> None:
        self.code, self.scratch = code, 0
        self.alternates = {i: self._taken(loop.outputs[i].type.nbytes)
                           for i in range(len(loop.carries)) if i not in loop.body.in_place}
        alignment = _VECTOR if code.relies_on_vectors else ALIGNMENT
        self.apart = {place: self._taken(abs(stride)) for place, (_, stride) in loop.slices.items()
                      if stride % alignment}
        self.arena = self.scratch
        self.scratch += code.arena

    def _taken(self, nbytes: int) -> int:
        start, self.scratch = self.scratch, self.scratch + rounded(nbytes)
        return start


class _Iterations:
    """Enqueues a loop in one stream.

    Args:
        loop: The loop.
        memory: Where its values lie.
        gpu: The driver interface.
        ordinal: The GPU.
    """

    def __init__(self, loop: ScanWork, memory: _Memory, gpu: Gpu, ordinal: int) -> None:
        self._loop, self._memory, self._gpu, self._ordinal = loop, memory, gpu, ordinal
        self._body = memory.code.launches()
        self._stream: Stream | None = None
        self._graphs: OrderedDict[tuple[int, ...], Graph] = OrderedDict()

    def __call__(self, stream: Stream, addresses: Sequence[int], scratch: int) -> None:
        """Enqueues all iterations; see `Enqueue`."""
        loop, count = self._loop, len(self._loop.inputs)
        given, results = addresses[:count], addresses[count:]
        state = [given[place] for place in loop.carries]
        for i, start in enumerate(state):
            # What is written in place, and what no iteration writes, is there before the first.
            if i in loop.body.in_place or not loop.length:
                copied(self._gpu, results[i], start, loop.outputs[i].type.nbytes, stream)
                state[i] = results[i]
        turn = 0
        if loop.repeats:
            turn = 1 + (loop.length - 1) % _CHUNK
            state = self._some(stream, range(turn), given, results, state, scratch)
            graph = self._graph(given, results, state, scratch) if turn < loop.length else None
            while graph is not None and turn < loop.length:
                graph.launch(stream)
                turn += _CHUNK
        self._some(stream, range(turn, loop.length), given, results, state, scratch)

    def _some(
        self, stream: Stream, turns: range, given: Sequence[int], results: Sequence[int], state: list[int],
        scratch: int,
    ) -> list[int]:
        """Enqueues some iterations; returns where the carries are then."""
        loop, memory, gpu = self._loop, self._memory, self._gpu
        first, in_place = len(loop.inputs), loop.body.in_place
        read = [place for place in loop.slices if place < first]
        made = [place for place in loop.slices if place >= first]
        for turn in turns:
            last = (loop.length - 1 - turn) % 2 == 0  # so that the last iteration writes the results
            then = [results[i] if last or i in in_place else scratch + memory.alternates[i]
                    for i in range(len(loop.carries))]
            at = {place: (given[place] if place < first else results[place - first]) + start + turn * stride
                  for place, (start, stride) in loop.slices.items()}
            used = {**at, **{place: scratch + offset for place, offset in memory.apart.items()}}
            for place in read:
                copied(gpu, used[place], at[place], abs(loop.slices[place][1]), stream)
            inputs = [*given[:loop.carries.start], *state, *(used[place] for place in read)]
            self._body.enqueue(stream, inputs, [*then, *(used[place] for place in made)], scratch + memory.arena)
            for place in made:
                copied(gpu, at[place], used[place], abs(loop.slices[place][1]), stream)
            state = then
        return state

    def _graph(self, given: Sequence[int], results: Sequence[int], state: list[int], scratch: int) -> Graph:
        """A graph of iterations that end where they begin."""
        key = (*given, *results, scratch)
        graph = self._graphs.get(key)
        if graph is None:
            if self._stream is None:
                self._stream = self._gpu.stream(self._ordinal)
            turns = range(self._loop.length - _CHUNK, self._loop.length)

            def enqueue(stream: Stream) -> None:
                self._some(stream, turns, given, results, state, scratch)

            graph = self._graphs[key] = captured(self._gpu, self._stream, enqueue)
            if len(self._graphs) > _MOST_GRAPHS:
                self._graphs.popitem(last=False)
        return graph
