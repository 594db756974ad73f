# SPDX-License-Identifier: Apache-2.0
"""Interleaved accesses: strided loads or stores that together touch every element of a range.

Vectorized one by one, each lane of a strided access costs an instruction or two. A group of n accesses at stride n that
covers every element is loaded as n contiguous vectors and deinterleaved by shuffles (or interleaved and stored), one
level of shuffles for each prime factor of n. LLVM's loop vectorizer calls these interleave groups (Nuzman, Rosen, Zaks:
"Auto-vectorization of interleaved data for SIMD", PLDI 2006).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from olympus_core.dataclass import dataclass, field
from olympus_core.toolkit.loops import Load, Loop, Store

from ..builder import FunctionBuilder, Ir

A = TypeVar("A", Load, Store)

_LARGEST_STRIDE = 16  # elements from one lane to the next


@dataclass(slots=True)
class InterleaveGroups:
    """The interleaved accesses of a lanes loop: each with its whole group, in the loop's order."""

    loads: dict[Load, Sequence[Load]] = field(default_factory=dict)
    stores: dict[Store, Sequence[Store]] = field(default_factory=dict)


def interleave_groups(loop: Loop) -> InterleaveGroups:
    """The interleaved accesses of a lanes loop."""
    found = InterleaveGroups()
    if any(isinstance(s, Loop) for s in loop.body):
        return found
    loads = [s for s in loop.body if isinstance(s, Load)]
    stores = [s for s in loop.body if isinstance(s, Store)]
    read, written = {a.parameter for a in loads}, {a.parameter for a in stores}
    for parameter in read - written:
        own = [a for a in loads if a.parameter is parameter and a.when is None and not a.dynamic]
        if parameter.role == "input":
            found.loads.update(_groups(own, loop))
    for parameter in written - read:
        all_stores = [a for a in stores if a.parameter is parameter]
        plain = all(a.when is None and not a.dynamic and a.combine is None for a in all_stores)
        if plain and len({frozenset(a.at.terms) for a in all_stores}) == 1:  # otherwise their order matters
            found.stores.update(_groups(all_stores, loop))
    return found


def _groups(accesses: Sequence[A], loop: Loop) -> dict[A, Sequence[A]]:
    """The groups among accesses to one parameter."""
    found: dict[A, Sequence[A]] = {}
    for terms in {frozenset(a.at.terms) for a in accesses}:
        stride = dict(terms).get(loop.index, 0)
        if not 2 <= stride <= _LARGEST_STRIDE:
            continue
        by_offset = {a.at.constant: a for a in accesses if frozenset(a.at.terms) == terms}
        remaining = sorted(by_offset)
        while remaining:
            group = [c for c in range(remaining[0], remaining[0] + stride) if c in by_offset]
            remaining = remaining[len(group):]
            if len(group) == stride:
                members = {by_offset[c] for c in group}
                ordered = [a for a in accesses if a in members]
                found.update((a, ordered) for a in ordered)
    return found


def interleave(b: FunctionBuilder, vectors: Sequence[Ir]) -> list[Ir]:
    """Vectors that hold the first elements of the given n vectors, then their second elements, and so on."""
    count = len(vectors)
    if count == 1:
        return list(vectors)
    factor = _least_factor(count)
    parts = [interleave(b, vectors[i::factor]) for i in range(factor)]
    width = vectors[0].lanes
    return [
        _permuted(b, [part[j] for part in parts], [divmod(i * width + lane, factor)[::-1] for lane in range(width)])
        for j in range(count // factor) for i in range(factor)
    ]


def deinterleave(b: FunctionBuilder, vectors: Sequence[Ir]) -> list[Ir]:
    """The inverse of `interleave`."""
    count = len(vectors)
    if count == 1:
        return list(vectors)
    factor = _least_factor(count)
    width = vectors[0].lanes
    parts = [
        deinterleave(b, [
            _permuted(b, vectors[j:j + factor], [divmod(factor * lane + i, width) for lane in range(width)])
            for j in range(0, count, factor)])
        for i in range(factor)
    ]
    return [parts[i % factor][i // factor] for i in range(count)]


def _permuted(b: FunctionBuilder, sources: Sequence[Ir], lanes: Sequence[tuple[int, int]]) -> Ir:
    """A vector given by the source and the lane of each of its elements."""
    width = sources[0].lanes
    used = sorted({source for source, _ in lanes})
    first, others = used[0], used[1:] or used[:1]
    found = sources[first]
    at = [lane if source == first else -1 for source, lane in lanes]  # -1: filled by a later shuffle
    for source in others:
        at = [width + lane if here == source else before for (here, lane), before in zip(lanes, at, strict=True)]
        found = b.shuffle(found, [max(lane, 0) for lane in at], sources[source])
        at = [lane if index >= 0 else -1 for lane, index in enumerate(at)]
    return found


def _least_factor(count: int) -> int:
    return next(n for n in range(2, count + 1) if count % n == 0)
