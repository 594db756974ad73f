"""Long bodies in several loops over a strip, so that the processor overlaps what one after the other would wait.

A processor looks only so many instructions ahead. A chain of transcendental functions on one vector is longer than
that, and nothing fills the time that its instructions wait for each other. Function by function over a strip whose
intermediate values stay in the first-level cache, the next vectors are near enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from olympus_core.toolkit.loops import Compute, IndexValue, Load, Loop, Scalar, Statement, Store

from .shape import LONG, WEIGHTS, weight_of
from .storage import storage

STRIP = 512  # iterations; a multiple of every vector's lanes
_HEAVY = 16  # the weight of an operation that is worth a loop of its own
_BEFORE = 4  # and of what may stand before it in the same loop
_KEPT = 3  # values that go from one loop to the next
# Bodies beyond this weight are cut in short loops, too, from this extent on. A chain of ten functions on 1000 elements
# takes 0.4 of the time then, one of three 0.8, for 4 ms of LLVM's more.
_LONG_BODY = 128
_SHORT = 128


@dataclass(frozen=True, slots=True)
class Stage:
    """One of the loops.

    Args:
        statements: What runs in it.
        taken: Values that earlier ones left.
        left: Values for later ones.
    """

    statements: tuple[Statement, ...]
    taken: tuple[Scalar, ...]
    left: tuple[Scalar, ...]


def is_long(loop: Loop) -> bool:
    """Whether a loop is worth to be cut."""
    return loop.extent >= LONG or loop.extent >= _SHORT and weight_of(loop) > _LONG_BODY


def stages_of(loop: Loop, apart: bool = False) -> Sequence[Stage]:
    """A body cut into loops; nothing where that does not pay.

    Args:
        loop: The loop.
        apart: Whether the stores have a loop of their own.
    """
    if any(not isinstance(s, (Compute, Load, Store, IndexValue)) for s in loop.body):
        return ()
    if any(isinstance(s, (Load, Store)) and (s.dynamic or s.when is not None) for s in loop.body):
        return ()
    parts = _cut(loop)
    if apart and parts[0]:  # what computes nothing has no long computations between its stores
        parts.append([])
    if len(parts) < 2:
        return ()
    place = {id(result): number for number, part in enumerate(parts) for s in part for result in s.results}
    again = {id(s.result): s for s in loop.body if isinstance(s, (Load, IndexValue))}
    stores = [s for s in loop.body if isinstance(s, Store)]
    needed = [{id(x): x for s in part for x in s.operands} for part in parts]
    # An output may lie over an input, which later loops read again: all stores are in the last one.
    needed[-1] |= {id(s.value): s.value for s in stores}
    last_needed = {key: number for number, ids in enumerate(needed) for key in ids}
    stages = []
    for number, part in enumerate(parts):
        taken = tuple(x for key, x in needed[number].items() if place.get(key, number) < number)
        left = tuple(x for s in part for x in s.results if last_needed.get(id(x), 0) > number)
        if len(left) > _KEPT or any(storage(x.dtype).parts > 1 or storage(x.dtype).kind == "bool" for x in left):
            return ()
        first = tuple(again[key] for key in needed[number] if key in again)
        stored = tuple(stores) if number == len(parts) - 1 else ()
        stages.append(Stage((*first, *part, *stored), taken, left))
    return stages


def _cut(loop: Loop) -> list[list[Compute]]:
    """The operations: each heavy one with the light ones after it."""
    parts: list[list[Compute]] = [[]]
    weight = 0
    for statement in loop.body:
        if not isinstance(statement, Compute):
            continue
        own = WEIGHTS.get(statement.record.name, 1)
        if own >= _HEAVY and weight >= _BEFORE:
            parts.append([])
            weight = 0
        parts[-1].append(statement)
        weight += own
    return parts
