"""Code for bodies that were cut into several loops: each is a function of the module's own.

LLVM takes longer than in proportion for the registers of a long function, and equal loops are written once.
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
from .state import State
from .strips import STRIP, Stage
from .weaving import Turns


class Emitter(Protocol):
    """What writes statements."""

    state: State

    def statement(self, statement: Statement) -> None:
        """Writes one statement."""

    def apart(self, state: State) -> Emitter:
        """One like this for another function."""


def emit_strips(emitter: Emitter, loop: Loop, low: Ir, high: Ir, stages: Sequence[Stage], aligned: bool) -> None:
    """Writes whole vectors from low to high: strip by strip, each by one loop after the other.

    Args:
        emitter: What writes statements, in the function that calls the loops.
        loop: The lanes loop.
        low: Its first iteration.
        high: The first that does not take place.
        stages: The loops.
        aligned: Whether vectors lie at multiples of their size.
    """
    state, b = emitter.state, emitter.state.builder
    # While one strip is computed on, memory would be idle, and the next one waited for.
    loads = [s for s in loop.body if isinstance(s, Load) and memory.is_far(state, s)]
    busy = [s for s in stages if any(isinstance(x, Compute) for x in s.statements)][-1]
    slots = _Slots(b, stages)
    with b.for_loop(low, high, STRIP) as strip:
        end = b.add(strip.index, state.number(STRIP))
        end = b.select(b.icmp("slt", end, high), end, high)
        for stage in stages:
            fetched = loads if stage is busy else ()
            _Stage(emitter, loop, stage, slots, fetched, aligned).call(strip.index, end, slots)
        strip.next([])


class _Slots:
    """Memory for what goes from one loop to later ones; what is not wanted any more leaves its place to others."""

    def __init__(self, b: FunctionBuilder, stages: Sequence[Stage]) -> None:
        self._b = b
        self._last = {id(x): stage for stage in stages for x in stage.taken}
        self._kept: dict[int, tuple[Ir, Ir, int]] = {}  # the place, a vector of the kind that lies there, its number
        self._free: list[int] = []
        self._count = 0

    def __getitem__(self, scalar: Scalar) -> tuple[Ir, Ir]:
        return self._kept[id(scalar)][:2]

    def free(self, stage: Stage) -> None:
        """Gives up what is taken for the last time; a loop may write over what it has read."""
        for scalar in stage.taken:
            if self._last[id(scalar)] is stage:
                self._free.append(self._kept[id(scalar)][2])

    def take(self, scalar: Scalar, part: Ir) -> Ir:
        """A place for vectors of a kind."""
        if not self._free:
            self._free.append(self._count)
            self._count += 1
        number = self._free.pop()
        place = self._b.scratch(part.element, STRIP, number)
        self._kept[id(scalar)] = place, part, number
        return place


class _Written(NamedTuple):
    """A function."""

    name: str
    text: str
    declarations: Mapping[str, str]
    definitions: Mapping[str, str]
    left: Sequence[Ir]  # a vector of the kind that it leaves, for each value
    has_streamed: bool


# By all that it depends on: a chain is the same few functions over and over, and so are the versions of a program.
_written: dict[Hashable, _Written] = {}
_MOST_WRITTEN = 512


class _Stage:
    """One of the loops, on its way to a function."""

    def __init__(
        self, emitter: Emitter, loop: Loop, stage: Stage, slots: _Slots, fetched: Sequence[Load], aligned: bool
    ) -> None:
        self._outer, self._loop, self._stage, self._fetched = emitter, loop, stage, fetched
        self._state = emitter.state
        self._streams = aligned and not any(isinstance(s, Compute) for s in stage.statements)
        accesses = [s for s in (*stage.statements, *fetched) if isinstance(s, (Load, Store))]
        self._buffers = list({id(a.parameter): a.parameter for a in accesses}.values())
        self._invariant = list(self._from_before())
        self._taken = [slots[x] for x in stage.taken]
        self._turns = _within(self._state.turns, stage.statements)

    def call(self, low: Ir, high: Ir, slots: _Slots) -> None:
        """Writes the function if it is a new one, and the call for iterations from low up to high."""
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
        slots.free(self._stage)
        left = [slots.take(x, part) for x, part in zip(self._stage.left, found.left, strict=True)]
        buffers = [state.parameters[id(p)] for p in self._buffers]
        values = [part for x in self._invariant for part in state.values[id(x)][0]]
        given = [low, high, *buffers, *values, *(place for place, _ in self._taken), *left]
        b.emit(f"call void @{found.name}({', '.join(value.typed for value in given)})")

    def _key(self) -> Hashable:
        """All that the function depends on; None where that is more than is written down here."""
        state, stage = self._state, self._stage
        if self._turns.loads or self._turns.stores:
            return None
        names = {id(x): place for place, x in enumerate((*self._invariant, *stage.taken))}
        buffers = {id(p): place for place, p in enumerate(self._buffers)}

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
            state.builder.target, state.shape, self._loop.extent, self._streams, tuple(lines),
            tuple((p.dtype, p.size, p.role) for p in self._buffers),
            tuple((x.dtype, *(part.type for part in state.values[id(x)][0])) for x in self._invariant),
            tuple((x.dtype, part.type) for x, (_, part) in zip(stage.taken, self._taken, strict=True)),
            tuple(names[id(x)] for x in stage.left),
            tuple((buffers[id(a.parameter)], a.result.dtype, _numbers(a.at)) for a in self._fetched),
        )

    def _function(self, counter: str) -> _Written:
        outer, stage = self._state, self._stage
        parameters: list[Ir] = []

        def parameter(element: str) -> Ir:
            parameters.append(Ir(f"%p{len(parameters)}", element))
            return parameters[-1]

        start, stop = parameter(counter), parameter(counter)
        buffers = {id(p): parameter("ptr") for p in self._buffers}
        values = {id(x): (tuple(parameter(part.element) for part in outer.values[id(x)][0]),) for x in self._invariant}
        taken, left = ([parameter("ptr") for _ in some] for some in (stage.taken, stage.left))
        b = FunctionBuilder(outer.builder.target, "", parameters, attributes="noinline", internal=True)
        state = State(b, outer.extents, outer.constants, buffers)
        state.values.update(values)
        state.lanes, state.streams, state.turns = outer.lanes, self._streams, self._turns
        state.prepare(replace(self._loop, body=stage.statements), state.shape.width)
        emitter, known, parts = self._outer.apart(state), state.known, []
        with b.for_loop(start, stop, state.shape.width) as turn:
            state.known = dict(known)
            state.indices[self._loop.index] = turn.index
            place = b.sub(turn.index, start)
            for scalar, slot, (_, part) in zip(stage.taken, taken, self._taken, strict=True):
                vector = b.load(b.gep(slot, place, part.element), part.element, part.lanes)
                state.values[id(scalar)] = ((vector,),)
            for load in self._fetched:
                memory.prefetch(state, load, STRIP)
            for statement in stage.statements:
                emitter.statement(statement)
            for scalar, slot in zip(stage.left, left, strict=True):
                (part,) = state.vector(scalar, 0)
                parts.append(part)
                b.store(b.gep(slot, place, part.element), part)
            turn.next([])
        b.ret()
        b.name = f"olympus.loop.{hashlib.sha1(b.function_text().encode(), usedforsecurity=False).hexdigest()[:16]}"
        return _Written(b.name, b.function_text(), b.declarations, b.definitions, parts, state.has_streamed)

    def _from_before(self) -> Iterable[Scalar]:
        """Elements from before the loop, which are the same in all lanes."""
        stage, constants = self._stage, self._state.constants
        inside = {id(x) for s in stage.statements for x in results_of(s)} | {id(x) for x in stage.taken}
        wanted = {id(x): x for s in stage.statements for x in _operands(s)}
        return (x for key, x in wanted.items() if key not in inside and key not in constants)


def _numbers(affine: Affine) -> Hashable:
    """An affine of the lanes loop's index, of which there is one at most."""
    return (affine.constant, *(stride for _, stride in affine.terms))


def _within(turns: Turns, statements: Sequence[Statement]) -> Turns:
    """Of accesses that take turns, those whose whole group is among some statements."""
    here = {id(s) for s in statements}
    return Turns({a: group for a, group in turns.loads.items() if here.issuperset(map(id, group))},
                 {a: group for a, group in turns.stores.items() if here.issuperset(map(id, group))})


def _operands(statement: Statement) -> Sequence[Scalar]:
    if isinstance(statement, Compute):
        return statement.operands
    return (statement.value,) if isinstance(statement, Store) else ()
