"""Who touches which memory: what can go as vectors, what stays in registers, where barriers have to stand."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from olympus_core.toolkit.loops import (
    Affine,
    Index,
    Kernel,
    Load,
    Loop,
    Parameter,
    Scalar,
    Statement,
    Store,
    results_of,
)

from .nests import Nest, accesses, same

VECTOR_BYTES = 16


def made_in(statements: Iterable[Statement]) -> set[Scalar]:
    """The elements that statements make, in loops too."""
    found: set[Scalar] = set()
    for statement in statements:
        found.update(results_of(statement))
        if isinstance(statement, Loop):
            found |= made_in(statement.body)
            found.update(r.inside for r in statement.recurrences)
    return found


def steady(nest: Nest) -> list[Load | Store]:
    """What every iteration touches at a place that is known before: once, and nothing else in the nest in its way."""
    made = made_in(nest.statements)
    every = list(accesses(nest.statements))
    found: list[Load | Store] = []
    for access in nest.statements:
        if not isinstance(access, (Load, Store)) or (isinstance(access, Store) and access.combine is not None):
            continue
        if any(s in made for s, _ in access.dynamic) or access.when in made:
            continue
        others = [a for a in every if a.parameter is access.parameter and a is not access]
        writes = isinstance(access, Store) or any(isinstance(a, Store) for a in others)
        if writes and any(not same(a.at, access.at) or a.dynamic != access.dynamic or a.when is not access.when
                          for a in others):
            continue
        if isinstance(access, Store) and any(isinstance(a, Store) for a in others):
            continue
        place = nest.statements.index(access)
        before, after = nest.statements[:place], nest.statements[place + 1:]
        if isinstance(access, Load) and any(isinstance(a, Store) for a in before if a in others):
            continue
        if isinstance(access, Store) and any(isinstance(a, Load) for a in after if a in others):
            continue
        found.append(access)
    return found


def is_aligned(access: Load | Store, nest: Nest, width: int) -> bool:
    """Whether `width` neighbouring iterations touch one vector."""
    last = nest.levels[-1].index
    rest = [stride for index, stride in access.at.terms if index is not last]
    rest += [stride for _, stride in access.dynamic]
    return access.at.stride(last) == 1 and not any(n % width for n in (access.at.constant, *rest))


def width_of(nest: Nest, tail: bool) -> int:
    """How many neighbouring iterations one thread should take as a vector.

    Args:
        nest: The nest.
        tail: Whether the last iterations may be fewer, which takes text of their own.
    """
    last = nest.levels[-1]
    if any(isinstance(s, Loop) for s in nest.body) or any(isinstance(s, Store) and s.combine for s in nest.body):
        return 1
    known = steady(nest)
    along = [a for a in accesses(nest.statements) if a.at.stride(last.index) or a not in known]
    if not along:
        return 1
    width = VECTOR_BYTES // max(a.parameter.dtype.itemsize for a in along)
    width = max(1, min(width, 8))
    while width > 1:
        even = last.extent % width == 0 or (tail and len(nest.levels) == 1 and last.extent > 4 * width)
        if even and all(_is_even(level.until, last.index, width) for level in nest.levels):
            good = sum(a.parameter.dtype.itemsize for a in along if a in known and is_aligned(a, nest, width))
            if 2 * good > sum(a.parameter.dtype.itemsize for a in along):
                break
        width //= 2
    return width


def _is_even(until: tuple[Affine, int] | None, last: Index, width: int) -> bool:
    """Whether a limit takes vectors as a whole."""
    if until is None or not until[0].stride(last):
        return True
    affine, limit = until
    rest = [stride for index, stride in affine.terms if index is not last]
    return affine.stride(last) == 1 and not any(n % width for n in (limit, affine.constant, *rest))


def is_overwritten(parameter: Parameter, kernel: Kernel) -> bool:
    """Whether an output may lie over an input."""
    size = parameter.size, parameter.dtype.itemsize
    return any(p.role == "output" and (p.size, p.dtype.itemsize) == size for p in kernel.parameters)


@dataclass(frozen=True, slots=True)
class Sharing:
    """How threads share the iterations of a nest.

    Args:
        team: Number of threads.
        width: Neighbouring iterations that one takes together.
    """

    team: int
    width: int


def owner(access: Load | Store, nest: Nest, sharing: Sharing) -> Hashable | None:
    """What two accesses must have in common for every thread to touch only places that no other one touches.

    None where an access gives no place to one thread alone.
    """
    made = made_in(nest.statements)
    strides = tuple(access.at.stride(index) for index in nest.indices)
    if any(s in made for s, _ in access.dynamic):
        return None
    if access not in nest.statements:
        return None
    places = sorted((abs(s), level.extent) for s, level in zip(strides, nest.levels, strict=True) if level.extent > 1)
    reach = 0
    for stride, extent in places:
        if stride <= reach:
            return None
        reach += stride * (extent - 1)
    rest = [(index, stride) for index, stride in access.at.terms if index not in nest.indices]
    modulus = math.gcd(*(stride for _, stride in rest), *(stride for _, stride in access.dynamic))
    if modulus and reach >= modulus:
        return None
    constant = access.at.constant % modulus if modulus else access.at.constant
    extents = tuple(level.extent for level in nest.levels)
    return extents, strides, modulus, constant, sharing


ALL = "all threads read"
FIRST = "the first thread writes"
MANY = "nobody knows which thread"


class Hazards:
    """What has been touched since the last barrier.

    Args:
        kernel: The kernel; an output may be written over an input of its size.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.read: dict[Hashable, set[Hashable]] = {}
        self.written: dict[Hashable, set[Hashable]] = {}
        self._over: dict[Parameter, list[Parameter]] = {}
        inputs = [p for p in kernel.parameters if p.role == "input"]
        for output in kernel.parameters:
            if output.role == "output":
                self._over[output] = [p for p in inputs if p.size == output.size and
                                      p.dtype.itemsize == output.dtype.itemsize]

    def copy(self) -> tuple[dict[Hashable, set[Hashable]], dict[Hashable, set[Hashable]]]:
        """What is known, to be taken up again."""
        return {k: set(v) for k, v in self.read.items()}, {k: set(v) for k, v in self.written.items()}

    def restore(self, state: tuple[Mapping[Hashable, set[Hashable]], Mapping[Hashable, set[Hashable]]]) -> None:
        """Goes back to what was known."""
        self.read, self.written = ({k: set(v) for k, v in part.items()} for part in state)

    def merge(self, state: tuple[Mapping[Hashable, set[Hashable]], Mapping[Hashable, set[Hashable]]]) -> None:
        """Adds what is known on another way to the same place."""
        for mine, other in zip((self.read, self.written), state, strict=True):
            for key, owners in other.items():
                mine.setdefault(key, set()).update(owners)

    def clear(self) -> None:
        """A barrier."""
        self.read, self.written = {}, {}

    def conflicts(self, touched: Sequence[tuple[Hashable, bool, Hashable]]) -> bool:
        """Whether a barrier has to stand before accesses: memory, whether it is written, by whom."""
        for memory, writes, who in touched:
            before = set(self.written.get(memory, ()))
            if writes:
                before |= self.read.get(memory, set())
                if isinstance(memory, Parameter):
                    for source in self._over.get(memory, ()):
                        before |= self.read.get(source, set())
            if before and (who == MANY or before != {who}):
                return True
        return False

    def note(self, touched: Sequence[tuple[Hashable, bool, Hashable]]) -> None:
        """Remembers accesses."""
        for memory, writes, who in touched:
            (self.written if writes else self.read).setdefault(memory, set()).add(who)
