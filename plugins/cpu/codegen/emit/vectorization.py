"""How a lanes loop is cut: how many lanes a vector has, and how many vectors one turn of the loop takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from olympus_core.program import OperationRecord
from olympus_core.toolkit.loops import Compute, IndexValue, Inside, Load, Loop, Statement, Store

from .hoist import loops_in
from .storage import storage

_SCALE = 4 / 3  # how much more than their records say operations cost here, where additions are cheapest
LIGHT = 15  # a body up to this weight waits for memory, not for its operations
MODERATE = 20  # one up to this, with one heavy operation, for both
# Of a body beyond this weight, vectors four times as wide as the machine's take too long to compile.
_HEAVY = 64
# And from this extent on wider ones are worth it at all.
LONG = 1 << 15
_ACCUMULATORS = 8  # of all copies: beside them values need registers, too
_WIDEST = 64  # lanes; pieces of a loop are multiples of it


@dataclass(frozen=True, slots=True)
class VectorShape:
    """The cut of a lanes loop.

    Args:
        width: VectorLoop of one vector, which may be more than the machine's vectors have; 1 for scalar code.
        copies: Vectors that one turn of the main loop takes, independent of each other.
    """

    width: int
    copies: int

    @property
    def step(self) -> int:
        """Iterations that one turn takes."""
        return self.width * self.copies


SCALAR = VectorShape(1, 1)


def weight_of(loop: Loop) -> int:
    """What one iteration costs, in additions; inner loops count as a few iterations."""
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
    """The cut of a lanes loop.

    Args:
        loop: The loop.
        vector_bits: Width of the machine's vectors.
        exact: Whether it goes from zero to its extent.
        has_locals: Whether scratch memory belongs to each single iteration of it.
    """
    if has_locals or not _is_even(loop):
        return SCALAR
    width = _power_of_two_to(min(vector_bits // _bits(loop), loop.extent))
    if width < 2:
        return SCALAR
    weight = weight_of(loop)
    copies, whole = _copies(loop, weight), loop.extent // width
    if copies == 1 and _is_long(loop, exact):
        width *= _widening(loop.extent, width, 4 if weight <= _HEAVY else 2)
    if any(_is_scattered(statement, loop) for statement in _statements(loop)):
        copies = min(copies, 2)  # every lane is written by itself
    if exact and whole <= copies:
        return VectorShape(width, whole)  # one turn does it all, and there is no loop
    return VectorShape(width, min(copies, _power_of_two_to(whole)))


def transposed_width(loop: Loop, vector_bits: int) -> int:
    """How many lanes squares have where a serial loop and the lanes loop in it read across each other; 0 if not."""
    inner = loop.body[0] if len(loop.body) == 1 else None
    if loop.kind != "serial" or loop.reductions or loop.recurrences:
        return 0
    if not isinstance(inner, Loop) or inner.kind != "lanes" or inner.reductions:
        return 0
    if inner.until is not None and inner.until[0].stride(loop.index):
        return 0
    across = False
    for statement in inner.body:
        if isinstance(statement, Load):
            if statement.parameter.role != "input" or statement.dynamic or statement.when is not None:
                return 0
            turned = statement.at.stride(loop.index) == 1 and abs(statement.at.stride(inner.index)) > 1
            across = across or (turned and storage(statement.parameter.dtype).parts == 1)
        elif isinstance(statement, Store):
            if statement.dynamic or statement.when is not None or statement.combine is not None:
                return 0
        elif not isinstance(statement, Compute):
            return 0
    width = _power_of_two_to(min(vector_bits // _bits(inner), 16, inner.extent, loop.extent))
    return width if across and width > 1 and weight_of(inner) <= 16 else 0


def _is_even(loop: Loop) -> bool:
    """Whether all lanes go through inner loops equally often."""
    return all(inner is loop or inner.until is None or not inner.until[0].stride(loop.index)
               for inner in loops_in(loop))


def _is_scattered(statement: Statement, loop: Loop) -> bool:
    """Whether lanes may lie apart in memory."""
    if not isinstance(statement, (Load, Store)):
        return False
    return bool(statement.dynamic) or statement.at.stride(loop.index) not in (-1, 0, 1)


def _is_long(loop: Loop, exact: bool) -> bool:
    """Whether vectors wider than the machine's are worth their code.

    What becomes of such a vector are instructions that do not wait for each other, side by side: where the processor
    shares what it holds in flight with another program, it cannot overlap turns of a long body by itself.
    """
    return not exact and loop.extent >= LONG and not any(
        isinstance(statement, Loop) or _is_scattered(statement, loop) for statement in loop.body)


def _widening(extent: int, width: int, most: int) -> int:
    """By how much vectors become wider: never so that an extent of whole vectors has a rest, which wants code too."""
    while most > 1 and (width * most > _WIDEST or extent % width == 0 and extent % (width * most)):
        most //= 2
    return most


def _copies(loop: Loop, weight: int) -> int:
    inner = any(isinstance(s, Loop) for s in loop.body)
    if loop.reductions or inner:
        # Every copy has its own accumulator: a chain of additions waits for its own last one.
        copies = 8 if weight <= 2 and len(loop.reductions) <= 1 else 4 if weight <= 12 else 2
        return max(1, min(copies, _ACCUMULATORS // max(1, len(loop.reductions))))
    return 4 if weight <= 10 else 2 if weight <= LIGHT else 1


def _bits(loop: Loop) -> int:
    """Width of the widest elements that a fair part of the body works on."""
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
