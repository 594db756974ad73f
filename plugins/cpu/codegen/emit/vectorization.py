# SPDX-License-Identifier: Apache-2.0
"""Vectorization of a lanes loop: the width of its vectors and how many vectors one iteration processes.

LLVM's loop vectorizer calls these the vectorization factor and the interleave count.
"""

from __future__ import annotations

from collections.abc import Iterator

from olympus_core.dataclass import dataclass
from olympus_core.program import OperationRecord
from olympus_core.toolkit.loops import Compute, IndexValue, Inside, Load, Loop, Statement, Store, results_of

from .hoist import loops_in
from .interleaved_access import interleave_groups
from .storage import storage

_SCALE = 1.6  # how much more than their records say operations cost here, where additions are cheapest
LIGHT = 15  # a body up to this weight is memory-bound
MODERATE = 20  # a body up to this weight, with one expensive operation, is balanced
# A body beyond this weight takes too long to compile for vectors four times as wide as the machine's.
_HEAVY = 64
# From this extent on vectors wider than the machine's pay at all.
LONG = 1 << 15
_ACCUMULATORS = 8  # of all copies together, so that registers remain for other values
# Accesses of lanes one by one whose vectors are too much code; of fewer they are a seventh faster (CNN's step).
_SEVERAL = 4
_WIDEST = 64  # lanes; chunks of a loop are multiples of it
# Vectors by which floats are reduced, whatever the machine's are, so that sums have the same bits on all.
REDUCTION_BITS = 256


@dataclass(frozen=True, slots=True)
class VectorShape:
    """The vectorization of a lanes loop.

    Args:
        width: Lanes of one vector, which may exceed the machine's; 1 for scalar code.
        copies: Independent vectors in one iteration of the main loop (the interleave count).
    """

    width: int
    copies: int

    @property
    def step(self) -> int:
        """Scalar iterations in one iteration of the main loop."""
        return self.width * self.copies


SCALAR = VectorShape(1, 1)


def is_ordered(loop: Loop) -> bool:
    """Whether a loop reduces floats, whose bits depend on the order."""
    return any(storage(r.contribution.dtype).kind in ("float", "complex") for r in loop.reductions)


def wider(shape: VectorShape, loop: Loop, vector_bits: int) -> VectorShape:
    """The same steps in fewer vectors, where the machine's are wider than those of `vector_shape_of`.

    Args:
        shape: The vectorization of a loop that reduces floats.
        loop: The loop.
        vector_bits: Width of the machine's vectors.
    """
    factor = 1
    while 2 * factor * REDUCTION_BITS <= vector_bits and shape.copies % (2 * factor) == 0:
        factor *= 2
    return VectorShape(shape.width * factor, shape.copies // factor) if is_ordered(loop) else shape


def weight_of(loop: Loop) -> int:
    """The cost of one iteration in additions; inner loops count once."""
    total = 0
    for statement in loop.body:
        if isinstance(statement, Loop):
            total += weight_of(statement)
        elif isinstance(statement, Compute):
            times = 2 if storage(statement.operands[0].dtype).kind == "complex" else 1
            total += times * operation_weight(statement.record)
    return total


def operation_weight(record: OperationRecord) -> int:
    """What one element of an operation costs, in additions."""
    return max(1, int(record.cost * _SCALE))


def vector_shape_of(loop: Loop, vector_bits: int, exact: bool, has_locals: bool) -> VectorShape:
    """The vectorization of a lanes loop; of one that reduces floats the same on every machine.

    Args:
        loop: The loop.
        vector_bits: Width of the machine's vectors.
        exact: Whether it runs from zero to its extent.
        has_locals: Whether scratch memory belongs to each single iteration of it.
    """
    if has_locals or not _is_uniform(loop) or _is_bound_by_lanes(loop):
        return SCALAR
    vector_bits = REDUCTION_BITS if is_ordered(loop) else vector_bits
    width = _power_of_two_to(min(vector_bits // _bits(loop), loop.extent))
    if width < 2:
        return SCALAR
    weight = weight_of(loop)
    copies, vectors = _copies(loop, weight), loop.extent // width
    if copies == 1 and _is_long(loop, exact):
        width *= _widening(loop.extent, width, 4 if weight <= _HEAVY else 2)
    if any(_is_scattered(statement, loop) for statement in _statements(loop)):
        copies = min(copies, 2)  # lanes are accessed one by one
    if exact and vectors <= copies:
        return VectorShape(width, vectors)  # one iteration: there is no loop
    return VectorShape(width, min(copies, _power_of_two_to(vectors)))


def short_shape(shape: VectorShape, loop: Loop, vector_bits: int) -> VectorShape:
    """One of the machine's vectors in an iteration of code that is to compile fast; none where lanes are scattered."""
    own = {id(result) for s in _statements(loop) if not isinstance(s, Loop) for result in results_of(s)}
    apart = any(_is_scattered(s, loop) and not _is_row(s, loop, own) for s in _statements(loop))
    if weight_of(loop) <= MODERATE and apart:
        return SCALAR
    return VectorShape(min(shape.width, _power_of_two_to(vector_bits // _bits(loop))), 1)


def is_update(loop: Loop) -> bool:
    """Whether a serial loop only loads from inputs and combines single elements, wherever data say, with an output.

    Lanes are stored one by one, in their order, so such a loop may be vectorized: what it stores, and where, is known
    for many iterations before the first of them stores, and no load waits for a store that it might depend on.
    """
    if loop.kind != "serial" or loop.reductions or loop.recurrences or loop.until is not None or not loop.body:
        return False
    *before, last = loop.body
    return (isinstance(last, Store) and bool(last.dynamic) and last.combine is not None and loop.extent >= LONG
            and all(isinstance(s, Compute) or (isinstance(s, Load) and s.parameter.role == "input") for s in before))


def transposed_width(loop: Loop, vector_bits: int) -> int:
    """The size of square tiles for a serial loop with a lanes loop inside that reads transposed; 0 if it does not."""
    *before, inner = loop.body or [None]
    if loop.kind != "serial" or loop.reductions or loop.recurrences:
        return 0
    if not isinstance(inner, Loop) or inner.kind != "lanes" or inner.reductions:
        return 0
    if inner.until is not None and inner.until[0].stride(loop.index):
        return 0
    # What stands before it, such as whether a padded element is inside, must be the same for the whole tile.
    if not all(isinstance(s, Compute) or (isinstance(s, (IndexValue, Inside)) and not s.of.stride(loop.index))
               for s in before):
        return 0
    width = _power_of_two_to(min(vector_bits // _bits(inner), 16, inner.extent, loop.extent))
    own = {id(result) for s in inner.body for result in results_of(s)}
    across = False
    for statement in inner.body:
        if isinstance(statement, Load):
            if statement.parameter.role != "input" or statement.dynamic or id(statement.when) in own:
                return 0
            stride = statement.at.stride(inner.index)
            transposed = statement.at.stride(loop.index) == 1 and abs(stride) > 1
            if transposed and statement.when is not None and not 0 < (width - 1) * stride + width <= (
                    statement.parameter.size):
                return 0
            across = across or (transposed and storage(statement.parameter.dtype).parts == 1)
        elif isinstance(statement, Store):
            if statement.dynamic or statement.when is not None or statement.combine is not None:
                return 0
        elif not isinstance(statement, Compute):
            return 0
    return width if across and width > 1 and weight_of(inner) <= 16 else 0


def _is_uniform(loop: Loop) -> bool:
    """Whether inner loops have the same trip count in all lanes."""
    return all(inner is loop or inner.until is None or not inner.until[0].stride(loop.index)
               for inner in loops_in(loop))


def _is_scattered(statement: Statement, loop: Loop) -> bool:
    """Whether lanes may be non-contiguous in memory."""
    if not isinstance(statement, (Load, Store)):
        return False
    return bool(statement.dynamic) or statement.at.stride(loop.index) not in (-1, 0, 1)


def _is_row(statement: Statement, loop: Loop, own: set[int]) -> bool:
    """Whether lanes are neighbours in a row that all of them have in common, even one that data choose.

    Args:
        statement: An access.
        loop: The lanes loop.
        own: The values that the loop computes, by identity.
    """
    return (isinstance(statement, Load | Store) and statement.at.stride(loop.index) in (-1, 0, 1)
            and not any(id(chosen) in own for chosen, _ in statement.dynamic))


def _is_bound_by_lanes(loop: Loop) -> bool:
    """Whether what vectors save of a body is less than what it costs to gather and scatter their lanes one by one.

    The machine has the same loads and stores to do either way, and the code of a vector is as long as it has lanes.
    """
    if loop.reductions or any(isinstance(s, Loop) for s in loop.body):
        return False
    scattered = [s for s in loop.body if isinstance(s, Load | Store) and _is_scattered(s, loop)]
    if len(scattered) < _SEVERAL:
        return False
    grouped = interleave_groups(loop)
    alone = [s for s in scattered if s not in grouped.loads and s not in grouped.stores]
    if any(s.dynamic or s.at.stride(loop.index) == 2 for s in alone):
        return False
    return len(alone) >= _SEVERAL and weight_of(loop) <= 2 * len(alone)


def _is_long(loop: Loop, exact: bool) -> bool:
    """Whether vectors wider than the machine's pay.

    LLVM splits such a vector into independent adjacent instructions. Out-of-order execution does not overlap iterations
    of a long body by itself, least where a hardware thread shares the reorder buffer.
    """
    return not exact and loop.extent >= LONG and not any(
        isinstance(statement, Loop) or _is_scattered(statement, loop) for statement in loop.body)


def _widening(extent: int, width: int, most: int) -> int:
    """The factor by which vectors are widened, such that an extent of whole vectors stays one, without a remainder."""
    while most > 1 and (width * most > _WIDEST or extent % width == 0 and extent % (width * most)):
        most //= 2
    return most


def _copies(loop: Loop, weight: int) -> int:
    inner = any(isinstance(s, Loop) for s in loop.body)
    if loop.reductions or inner:
        # Every copy has its own accumulator, which hides the latency of dependent additions.
        copies = 8 if weight <= 2 and len(loop.reductions) <= 1 else 4 if weight <= 12 else 2
        return max(1, min(copies, _ACCUMULATORS // max(1, len(loop.reductions))))
    return 4 if weight <= 10 else 2 if weight <= LIGHT else 1


def _bits(loop: Loop) -> int:
    """Width of the widest elements that at least a quarter of the body's operations work on."""
    counts: dict[int, int] = {}
    for statement in _statements(loop):
        for bits in _widths(statement):
            counts[bits] = counts.get(bits, 0) + 1
    total = sum(counts.values())
    return max((bits for bits, count in counts.items() if 4 * count >= total), default=32)


def _statements(loop: Loop) -> Iterator[Statement]:
    for inner in loops_in(loop):
        yield from inner.body


def _widths(statement: Statement) -> list[int]:
    if isinstance(statement, (Load, Store)):
        return [storage(statement.parameter.dtype).bits]
    if isinstance(statement, (IndexValue, Inside)):
        return []
    if isinstance(statement, Compute):
        return [storage(s.dtype).bits for s in statement.results if storage(s.dtype).kind != "bool"]
    return []


def _power_of_two_to(limit: int) -> int:
    return 1 << (max(limit, 1).bit_length() - 1)
