# SPDX-License-Identifier: Apache-2.0
"""A kernel in the making: its iteration space, its members and the phases in which they are there."""

from __future__ import annotations

import math
from collections.abc import Callable

from olympus_core.dataclass import dataclass, field
from olympus_core.program import Operation, Value

from ..loops import Affine, Index, Parameter, Scalar
from .coordinates import Coordinate, Position
from .elements import Elements
from .lowering import Domain, domain_of
from .options import FusionOptions


class Mismatch(Exception):  # not an error: the planner makes two kernels
    """A member is asked for at a position where the kernel does not have it."""


@dataclass(slots=True, eq=False)
class Group:
    """What one kernel computes.

    Args:
        number: Its position among the steps, in the order in which they were begun.
        space: The iteration space: number of elements and whether a reduction runs over them, major first.
        kind: ``"loops"``, ``"running"`` for a cumulative reduction, or ``"scatter"`` for updates of an array.
        members: The values that it computes for others or needs whole, with what makes them.
        phases: The phase before which a member is there.
        used: The phase in which it is computed: one less for a reduction.
        leaves: What each member is computed from: members and values that have memory.
        is_pointwise: Whether any iteration space of its size will do.
        operations: A bit for every operation that it computes.
    """

    number: int
    space: Domain
    kind: str = "loops"
    members: dict[Value, Operation] = field(default_factory=dict)
    phases: dict[Value, int] = field(default_factory=dict)
    used: dict[Value, int] = field(default_factory=dict)
    leaves: dict[Value, tuple[Value, ...]] = field(default_factory=dict)
    reads: set[Value] = field(default_factory=set)
    is_pointwise: bool = True
    operations: int = 0

    @property
    def size(self) -> int:
        """Number of elements of the iteration space."""
        return math.prod(n for n, _ in self.space)

    @property
    def rows(self) -> int:
        """Number of elements that its reductions leave."""
        return math.prod(n for n, gone in self.space if not gone)

    @property
    def is_flat(self) -> bool:
        """Whether nothing is reduced."""
        return self.kind == "loops" and not any(gone for _, gone in self.space)

    @property
    def domain(self) -> Domain:
        """The iteration space as a reduction knows it, before it was refined."""
        return domain_of([n for n, _ in self.space], [d for d, (_, gone) in enumerate(self.space) if gone])

    def is_column(self, options: FusionOptions) -> bool:
        """Whether neighbours in memory are rows of their own, so that lanes run over rows."""
        if not any(gone for _, gone in self.space):
            return False
        n, gone = self.domain[-1]
        return not gone or (n < options.short_row and self.rows > n)

    def is_streamed(self, options: FusionOptions) -> bool:
        """Whether long columns are summed a few rows at a time, all columns side by side: memory is read in order.

        Only where nothing but the sums' own columns comes after them.
        """
        if self.kind != "loops" or not self.is_column(options) or self.space[-1][1]:
            return False
        kept = [n for n, gone in self.space if not gone]
        one_pass = all(p == 0 or (p == 1 and v.type.size == self.rows) for v, p in self.phases.items())
        long = self.size // self.rows >= 4 * options.stream_rows and kept[-1] >= options.stream_columns
        return one_pass and long and len(kept) <= 2 and kept[-1] * 8 <= options.largest_local

    def phase_of(self, leaves: tuple[Value, ...]) -> int:
        """The first phase in which all leaves are there."""
        return max((self.phases.get(v, 0) for v in leaves), default=0)

    def add(self, operation: Operation, value: Value, leaves: tuple[Value, ...], phase: int, used: int) -> None:
        """Takes a member in."""
        self.members[value], self.phases[value], self.used[value] = operation, phase, used
        self.leaves[value] = leaves
        self.reads.update(v for v in leaves if v not in self.members)

    def split(self, position: int, inner: int) -> None:
        """Refines the iteration space."""
        n, gone = self.space[position]
        self.space = (*self.space[:position], (n // inner, gone), (inner, gone), *self.space[position + 1:])


class Body(Elements):
    """Writes a group's elements; members stand at the position of the iteration, or nowhere.

    Args:
        producer: The operation that makes a value, where the value is to be computed here.
        group: The group.
    """

    def __init__(self, producer: Callable[[Value], Operation | None], group: Group) -> None:
        self.group = group
        self.indices = [Index(f"i{d}") for d in range(len(group.space))]
        super().__init__(producer, {i: n for i, (n, _) in zip(self.indices, group.space, strict=True)})
        dims = [(Coordinate(Affine.of(i)), n, gone) for i, (n, gone) in zip(self.indices, group.space, strict=True)]
        self.whole = Position(tuple(n for _, n, _ in dims), tuple(c for c, _, _ in dims))
        self.rows = Position(tuple(n for _, n, g in dims if not g), tuple(c for c, _, g in dims if not g))
        self.row = Position(tuple(n for _, n, g in dims if g), tuple(c for c, _, g in dims if g))
        self.results: dict[Value, Scalar] | None = None  # while None, members are only looked for
        self.stashed: dict[Value, tuple[Parameter, Coordinate]] = {}

    def place_of(self, value: Value) -> Position:
        """Where a member stands."""
        return self.whole if value.type.size == self.group.size else self.rows

    def probe(self, value: Value, at: Position) -> None:
        """Writes a value's element, a member's too."""
        if value in self.group.members:
            self.computed(self.group.members[value], value, at, None)
        else:
            self.element(value, at)

    def member(self, value: Value, flat: Coordinate) -> Scalar | None:
        """A member of the group: made by an earlier phase, or None where it is computed here."""
        if value not in self.group.members:
            return None
        at = self.place_of(value)
        if (at.flat if value.type.size > 1 else Coordinate()).key != flat.key:
            raise Mismatch
        if self.results is None:
            return Scalar(value.type.dtype)
        if value in self.stashed:
            return self.load(*self.stashed[value])
        return self.results.get(value)
