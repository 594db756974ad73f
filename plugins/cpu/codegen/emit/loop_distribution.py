# SPDX-License-Identifier: Apache-2.0
"""Loop distribution (fission): a lanes loop with a long body becomes several loops, one for each expensive operation.

A chain of transcendental functions on one vector has more instructions than the processor's reorder buffer holds, and
each waits for the one before. In a loop over a single function the instructions of neighbouring iterations overlap.
`strip_mining.py` runs the loops over strips whose intermediate values stay in the first-level cache (Allen, Kennedy:
"Optimizing Compilers for Modern Architectures", 2001, chapters 5 and 6).
"""

from __future__ import annotations

from collections.abc import Sequence

from olympus_core.dataclass import dataclass
from olympus_core.toolkit.loops import Compute, IndexValue, Load, Loop, Scalar, Statement, Store

from .storage import storage
from .vectorization import LONG, operation_weight, weight_of

STRIP = 512  # iterations; a multiple of every vector's lanes
_EXPENSIVE = 16  # least weight of an operation that gets a loop of its own
_BEFORE = 4  # least weight of the operations before it for which it begins a new loop
_MOST_LIVE = 3  # values that one loop passes to later ones
# Bodies beyond this weight are distributed from this extent on, others only in long loops. A chain of ten functions on
# 1000 elements then takes 0.4 of the time, one of three functions 0.8, for 4 ms more of code generation.
_LONG_BODY = 128
_SHORT_LOOP = 128


@dataclass(frozen=True, slots=True)
class Stage:
    """One of the loops.

    Args:
        statements: Its body.
        live_in: Values that earlier loops compute.
        live_out: Values that later loops use.
    """

    statements: tuple[Statement, ...]
    live_in: tuple[Scalar, ...]
    live_out: tuple[Scalar, ...]


def is_worth_distributing(loop: Loop) -> bool:
    """Whether the loop is long enough."""
    return loop.extent >= LONG or loop.extent >= _SHORT_LOOP and weight_of(loop) > _LONG_BODY


def distribute(loop: Loop, separate_stores: bool = False) -> Sequence[Stage]:
    """The loops that a body is distributed into; empty where that does not pay.

    Args:
        loop: The loop.
        separate_stores: Whether the stores get a loop of their own.
    """
    if any(not isinstance(s, (Compute, Load, Store, IndexValue)) for s in loop.body):
        return ()
    if any(isinstance(s, (Load, Store)) and (s.dynamic or s.when is not None) for s in loop.body):
        return ()
    parts = _cut(loop)
    if separate_stores and parts[0]:  # without computations there is nothing to separate the stores from
        parts.append([])
    if len(parts) < 2:
        return ()
    made_in = {id(result): number for number, part in enumerate(parts) for s in part for result in s.results}
    reloadable = {id(s.result): s for s in loop.body if isinstance(s, (Load, IndexValue))}
    stores = [s for s in loop.body if isinstance(s, Store)]
    needed = [{id(x): x for s in part for x in s.operands} for part in parts]
    # An output may alias an input that later loops load again, so all stores are in the last loop.
    needed[-1] |= {id(s.value): s.value for s in stores}
    last_needed = {key: number for number, ids in enumerate(needed) for key in ids}
    stages = []
    for number, part in enumerate(parts):
        live_in = tuple(x for key, x in needed[number].items() if made_in.get(key, number) < number)
        live_out = tuple(x for s in part for x in s.results if last_needed.get(id(x), 0) > number)
        storages = [storage(x.dtype) for x in live_out]
        if len(live_out) > _MOST_LIVE or any(s.parts > 1 or s.kind == "bool" for s in storages):
            return ()
        first = tuple(reloadable[key] for key in needed[number] if key in reloadable)
        stored = tuple(stores) if number == len(parts) - 1 else ()
        stages.append(Stage((*first, *part, *stored), live_in, live_out))
    return stages


def _cut(loop: Loop) -> list[list[Compute]]:
    """The operations of each loop: an expensive one with the cheap ones after it."""
    parts: list[list[Compute]] = [[]]
    weight = 0
    for statement in loop.body:
        if not isinstance(statement, Compute):
            continue
        own = operation_weight(statement.record)
        if own >= _EXPENSIVE and weight >= _BEFORE:
            parts.append([])
            weight = 0
        parts[-1].append(statement)
        weight += own
    return parts
