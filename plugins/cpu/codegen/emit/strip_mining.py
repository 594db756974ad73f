# SPDX-License-Identifier: Apache-2.0
"""Strip mining: runs the loops of `loop_distribution.py` one after the other over each strip of iterations.

Each loop is a function of the module, because LLVM's register allocation takes more than linear time in the length of a
function, and because equal loops are then written once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

import numpy as np

from olympus_core.toolkit.loops import Affine, Compute, IndexValue, Load, Loop, Scalar, Statement, Store, results_of

from ..builder import FunctionBuilder, Ir
from . import memory
from .interleaved_access import InterleaveGroups
from .loop_distribution import STRIP, Stage
from .state import State


class Emitter(Protocol):
    """Writes statements: the loop emitter."""

    state: State

    def statement(self, statement: Statement) -> None:
        """Writes one statement."""

    def for_function(self, state: State) -> Emitter:
        """An emitter like this one for another function."""


def emit_strip_mined(emitter: Emitter, loop: Loop, low: Ir, high: Ir, stages: Sequence[Stage], aligned: bool) -> None:
    """Writes whole vectors of iterations from low to high: for each strip one loop after the other.

    Args:
        emitter: Writes statements, in the function that calls the loops.
        loop: The lanes loop.
        low: Its first iteration.
        high: The end of its iterations.
        stages: The distributed loops.
        aligned: Whether vectors are aligned to their size.
    """
    state, b = emitter.state, emitter.state.builder
    # The last loop that computes prefetches the next strip, since it leaves memory bandwidth unused.
    loads = [s for s in loop.body if isinstance(s, Load) and memory.is_far(state, s)]
    computing = [s for s in stages if any(isinstance(x, Compute) for x in s.statements)][-1]
    buffers = _StripBuffers(b, stages)
    with b.for_loop(low, high, STRIP) as strip:
        end = b.add(strip.index, state.number(STRIP))
        end = b.select(b.icmp("slt", end, high), end, high)
        for stage in stages:
            fetched = loads if stage is computing else ()
            _StageFunction(emitter, loop, stage, buffers, fetched, aligned).call(strip.index, end, buffers)
        strip.next([])


class _StripBuffers:
    """Buffers of one strip for values that are live between loops; a buffer is reused when its value is dead."""

    def __init__(self, b: FunctionBuilder, stages: Sequence[Stage]) -> None:
        self._b = b
        self._last = {id(x): stage for stage in stages for x in stage.live_in}
        self._live: dict[int, tuple[Ir, Ir, int]] = {}  # the buffer, a vector of its type, the buffer's number
        self._free: list[int] = []
        self._count = 0

    def __getitem__(self, scalar: Scalar) -> tuple[Ir, Ir]:
        return self._live[id(scalar)][:2]

    def free(self, stage: Stage) -> None:
        """Frees the buffers whose last use is in this loop, which may overwrite what it has read."""
        for scalar in stage.live_in:
            if self._last[id(scalar)] is stage:
                self._free.append(self._live[id(scalar)][2])

    def take(self, scalar: Scalar, part: Ir) -> Ir:
        """A buffer for vectors of the type of `part`."""
        if not self._free:
            self._free.append(self._count)
            self._count += 1
        number = self._free.pop()
        buffer = self._b.scratch(part.element, STRIP, number)
        self._live[id(scalar)] = buffer, part, number
        return buffer


class _LoopFunction(NamedTuple):
    """The function of one loop."""

    name: str
    text: str
    declarations: Mapping[str, str]
    definitions: Mapping[str, str]
    live_out: Sequence[Ir]  # a vector of the type of each value that it stores
    has_streamed: bool


# By all that they depend on: chains and versions of a program consist of the same few functions.
_written: dict[Hashable, _LoopFunction] = {}
_MOST_WRITTEN = 512


class _StageFunction:
    """Writes one of the loops as a function, and the call."""

    def __init__(
        self, emitter: Emitter, loop: Loop, stage: Stage, buffers: _StripBuffers, fetched: Sequence[Load], aligned: bool
    ) -> None:
        self._outer, self._loop, self._stage, self._fetched = emitter, loop, stage, fetched
        self._state = emitter.state
        self._may_stream = aligned and not any(isinstance(s, Compute) for s in stage.statements)
        accesses = [s for s in (*stage.statements, *fetched) if isinstance(s, (Load, Store))]
        self._buffers = list({id(a.parameter): a.parameter for a in accesses}.values())
        self._invariant = list(self._invariants())
        self._live_in = [buffers[x] for x in stage.live_in]
        self._interleaved = _within(self._state.interleaved, stage.statements)

    def call(self, low: Ir, high: Ir, buffers: _StripBuffers) -> None:
        """Writes the function unless it exists, and the call for iterations from low up to high."""
        state, b, key = self._state, self._state.builder, self._key()
        found = _written.get(key) if key is not None else None
        if found is None:
            found = self._function(low.element)
            if key is not None:
                if len(_written) >= _MOST_WRITTEN:
                    _written.clear()
                _written[key] = found
        b.declarations.update(found.declarations)
        b.definitions.update({**found.definitions, found.name: found.text})
        state.has_streamed = state.has_streamed or found.has_streamed
        buffers.free(self._stage)
        live_out = [buffers.take(x, part) for x, part in zip(self._stage.live_out, found.live_out, strict=True)]
        pointers = [state.parameters[id(p)] for p in self._buffers]
        values = [part for x in self._invariant for part in state.values[id(x)][0]]
        given = [low, high, *pointers, *values, *(buffer for buffer, _ in self._live_in), *live_out]
        b.emit(f"call void @{found.name}({', '.join(value.typed for value in given)})")

    def _key(self) -> Hashable:
        """All that the function depends on; None where the key would not say all."""
        state, stage = self._state, self._stage
        if self._interleaved.loads or self._interleaved.stores:
            return None
        names = {id(x): i for i, x in enumerate((*self._invariant, *stage.live_in))}
        buffers = {id(p): i for i, p in enumerate(self._buffers)}

        def name(x: Scalar) -> Hashable:
            constant = state.constants.get(id(x))
            if constant is None:
                return names[id(x)]
            return x.dtype, repr(constant.value), np.asarray(constant.value).tobytes()

        lines: list[Hashable] = []
        for s in stage.statements:
            for x in results_of(s):
                names[id(x)] = len(names)
            if isinstance(s, Compute):
                attributes = repr(s.attributes) if s.attributes else ""
                lines.append((s.record.name, attributes, *map(name, s.operands), *(x.dtype for x in s.results)))
            elif isinstance(s, Load):
                lines.append((buffers[id(s.parameter)], s.result.dtype, _numbers(s.at)))
            elif isinstance(s, Store):
                lines.append((buffers[id(s.parameter)], s.combine, name(s.value), s.value.dtype, _numbers(s.at)))
            elif isinstance(s, IndexValue):
                lines.append((s.result.dtype, _numbers(s.of)))
            else:
                return None
        return (
            state.builder.target, state.shape, self._loop.extent, self._may_stream, tuple(lines),
            tuple((p.dtype, p.size, p.role) for p in self._buffers),
            tuple((x.dtype, *(part.type for part in state.values[id(x)][0])) for x in self._invariant),
            tuple((x.dtype, part.type) for x, (_, part) in zip(stage.live_in, self._live_in, strict=True)),
            tuple(names[id(x)] for x in stage.live_out),
            tuple((buffers[id(a.parameter)], a.result.dtype, _numbers(a.at)) for a in self._fetched),
        )

    def _function(self, counter: str) -> _LoopFunction:
        outer, stage = self._state, self._stage
        parameters: list[Ir] = []

        def parameter(element: str) -> Ir:
            parameters.append(Ir(f"%p{len(parameters)}", element))
            return parameters[-1]

        start, stop = parameter(counter), parameter(counter)
        buffers = {id(p): parameter("ptr") for p in self._buffers}
        values = {id(x): (tuple(parameter(part.element) for part in outer.values[id(x)][0]),) for x in self._invariant}
        live_in, live_out = ([parameter("ptr") for _ in some] for some in (stage.live_in, stage.live_out))
        b = FunctionBuilder(outer.builder.target, "", parameters, attributes="noinline", internal=True)
        state = State(b, outer.extents, outer.constants, buffers)
        state.values.update(values)
        state.vector_loop, state.may_stream, state.interleaved = outer.vector_loop, self._may_stream, self._interleaved
        state.prepare(replace(self._loop, body=stage.statements), state.shape.width)
        emitter, known, parts = self._outer.for_function(state), state.known, []
        with b.for_loop(start, stop, state.shape.width) as iteration:
            state.known = dict(known)
            state.indices[self._loop.index] = iteration.index
            offset = b.sub(iteration.index, start)
            for scalar, buffer, (_, part) in zip(stage.live_in, live_in, self._live_in, strict=True):
                vector = b.load(b.gep(buffer, offset, part.element), part.element, part.lanes)
                state.values[id(scalar)] = ((vector,),)
            for load in self._fetched:
                memory.prefetch(state, load, STRIP)
            for statement in stage.statements:
                emitter.statement(statement)
            for scalar, buffer in zip(stage.live_out, live_out, strict=True):
                (part,) = state.vector(scalar, 0)
                parts.append(part)
                b.store(b.gep(buffer, offset, part.element), part)
            iteration.next([])
        b.ret()
        b.name = f"olympus.loop.{hashlib.sha1(b.function_text().encode(), usedforsecurity=False).hexdigest()[:16]}"
        return _LoopFunction(b.name, b.function_text(), b.declarations, b.definitions, parts, state.has_streamed)

    def _invariants(self) -> Iterable[Scalar]:
        """Loop-invariant elements, which are the same in all lanes."""
        stage, constants = self._stage, self._state.constants
        inside = {id(x) for s in stage.statements for x in results_of(s)} | {id(x) for x in stage.live_in}
        wanted = {id(x): x for s in stage.statements for x in _operands(s)}
        return (x for key, x in wanted.items() if key not in inside and key not in constants)


def _numbers(affine: Affine) -> Hashable:
    """The numbers of an affine expression, which has no index but the lanes loop's."""
    return (affine.constant, *(stride for _, stride in affine.terms))


def _within(groups: InterleaveGroups, statements: Sequence[Statement]) -> InterleaveGroups:
    """The interleave groups that are wholly among some statements."""
    here = {id(s) for s in statements}
    return InterleaveGroups({a: group for a, group in groups.loads.items() if here.issuperset(map(id, group))},
                            {a: group for a, group in groups.stores.items() if here.issuperset(map(id, group))})


def _operands(statement: Statement) -> Sequence[Scalar]:
    if isinstance(statement, Compute):
        return statement.operands
    return (statement.value,) if isinstance(statement, Store) else ()
