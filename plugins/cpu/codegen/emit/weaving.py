"""Elements that take turns in memory: accesses whose lanes lie apart and fill each other's gaps.

Single lanes take an instruction or two each. Accesses at a distance of n elements that together touch all of them are
n whole vectors in memory; what lies between is a few shuffles, by the prime factors of n.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from olympus_core.toolkit.loops import Load, Loop, Store

from ..builder import FunctionBuilder, Ir

A = TypeVar("A", Load, Store)

_MOST = 16  # elements from one lane to the next


@dataclass(slots=True)
class Turns:
    """Accesses of a lanes loop that fill each other's gaps: each with its group, in the loop's order."""

    loads: dict[Load, Sequence[Load]] = field(default_factory=dict)
    stores: dict[Store, Sequence[Store]] = field(default_factory=dict)


def taking_turns(loop: Loop) -> Turns:
    """The accesses of a lanes loop that take turns."""
    turns = Turns()
    if any(isinstance(s, Loop) for s in loop.body):
        return turns
    loads = [s for s in loop.body if isinstance(s, Load)]
    stores = [s for s in loop.body if isinstance(s, Store)]
    read, written = {a.parameter for a in loads}, {a.parameter for a in stores}
    for parameter in read - written:
        own = [a for a in loads if a.parameter is parameter and a.when is None and not a.dynamic]
        if parameter.role == "input":
            turns.loads.update(_groups(own, loop))
    for parameter in written - read:
        all_stores = [a for a in stores if a.parameter is parameter]
        plain = all(a.when is None and not a.dynamic and a.combine is None for a in all_stores)
        if plain and len({frozenset(a.at.terms) for a in all_stores}) == 1:  # else it matters which comes first
            turns.stores.update(_groups(all_stores, loop))
    return turns


def _groups(accesses: Sequence[A], loop: Loop) -> dict[A, Sequence[A]]:
    """The groups among accesses to one parameter."""
    found: dict[A, Sequence[A]] = {}
    for alike in {frozenset(a.at.terms) for a in accesses}:
        gap = dict(alike).get(loop.index, 0)
        if not 2 <= gap <= _MOST:
            continue
        places = {a.at.constant: a for a in accesses if frozenset(a.at.terms) == alike}
        waiting = sorted(places)
        while waiting:
            group = [c for c in range(waiting[0], waiting[0] + gap) if c in places]
            waiting = waiting[len(group):]
            if len(group) == gap:
                members = {places[c] for c in group}
                ordered = [a for a in accesses if a in members]
                found.update((a, ordered) for a in ordered)
    return found


def woven(b: FunctionBuilder, vectors: Sequence[Ir]) -> list[Ir]:
    """Vectors of which the elements are by turns the given vectors' first ones, then their second ones."""
    count = len(vectors)
    if count == 1:
        return list(vectors)
    turns = _least_factor(count)
    parts = [woven(b, vectors[turn::turns]) for turn in range(turns)]
    width = vectors[0].lanes
    return [
        _picked(b, [part[place] for part in parts], [divmod(i * width + lane, turns)[::-1] for lane in range(width)])
        for place in range(count // turns) for i in range(turns)
    ]


def parted(b: FunctionBuilder, vectors: Sequence[Ir]) -> list[Ir]:
    """The inverse: the vectors that are woven into the given ones."""
    count = len(vectors)
    if count == 1:
        return list(vectors)
    turns = _least_factor(count)
    width = vectors[0].lanes
    parts = [
        parted(b, [
            _picked(b, vectors[place:place + turns], [divmod(turns * lane + turn, width) for lane in range(width)])
            for place in range(0, count, turns)])
        for turn in range(turns)
    ]
    return [parts[i % turns][i // turns] for i in range(count)]


def _picked(b: FunctionBuilder, sources: Sequence[Ir], lanes: Sequence[tuple[int, int]]) -> Ir:
    """A vector by the source and the lane of each element."""
    width = sources[0].lanes
    used = sorted({source for source, _ in lanes})
    first, others = used[0], used[1:] or used[:1]
    # Lanes of which nothing is known yet stay where they will be filled.
    found = sources[first]
    at = [lane if source == first else -1 for source, lane in lanes]
    for source in others:
        at = [width + lane if here == source else before for (here, lane), before in zip(lanes, at, strict=True)]
        found = b.shuffle(found, [max(lane, 0) for lane in at], sources[source])
        at = [lane if place >= 0 else -1 for lane, place in enumerate(at)]
    return found


def _least_factor(count: int) -> int:
    return next(n for n in range(2, count + 1) if count % n == 0)
