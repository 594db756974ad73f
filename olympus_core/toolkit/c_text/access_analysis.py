# SPDX-License-Identifier: Apache-2.0
"""Analysis of memory accesses: which can be vectors, which can stay in registers, and where barriers are needed."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence

from olympus_core.dataclass import dataclass

from ..loops import Affine, Index, Kernel, Load, Loop, Parameter, Scalar, Statement, Store, results_of
from .nests import Nest, accesses, same

VECTOR_BYTES = 16


def made_in(statements: Iterable[Statement]) -> set[Scalar]:
    """The scalars that statements define, including those in loops."""
    found: set[Scalar] = set()
    for statement in statements:
        found.update(results_of(statement))
        if isinstance(statement, Loop):
            found |= made_in(statement.body)
            found.update(r.inside for r in statement.recurrences)
    return found


def steady(nest: Nest) -> list[Load | Store]:
    """The accesses that can be moved to the start or end of an iteration.

    Their address does not depend on the iteration's own results, they occur once, and no other access of the nest
    conflicts with them.
    """
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
        position = nest.statements.index(access)
        before, after = nest.statements[:position], nest.statements[position + 1:]
        if isinstance(access, Load) and any(isinstance(a, Store) for a in before if a in others):
            continue
        if isinstance(access, Store) and any(isinstance(a, Load) for a in after if a in others):
            continue
        found.append(access)
    return found


def is_aligned(access: Load | Store, nest: Nest, width: int) -> bool:
    """Whether `width` consecutive iterations access one aligned vector."""
    last = nest.levels[-1].index
    rest = [stride for index, stride in access.at.terms if index is not last]
    rest += [stride for _, stride in access.dynamic]
    return access.at.stride(last) == 1 and not any(n % width for n in (access.at.constant, *rest))


def width_of(nest: Nest, tail: bool) -> int:
    """How many consecutive iterations one thread should take as a vector.

    Args:
        nest: The nest.
        tail: Whether a remainder of fewer iterations is allowed; it is written as a loop of its own.
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
    """Whether a loop limit never cuts through a vector."""
    if until is None or not until[0].stride(last):
        return True
    affine, limit = until
    rest = [stride for index, stride in affine.terms if index is not last]
    return affine.stride(last) == 1 and not any(n % width for n in (limit, affine.constant, *rest))


def is_overwritten(parameter: Parameter, kernel: Kernel) -> bool:
    """Whether an output may alias an input."""
    size = parameter.size, parameter.dtype.itemsize
    return any(p.role == "output" and (p.size, p.dtype.itemsize) == size for p in kernel.parameters)


@dataclass(frozen=True, slots=True)
class Sharing:
    """How the iterations of a nest are divided among threads.

    Args:
        threads: Number of threads.
        width: Consecutive iterations that one thread takes as a vector.
    """

    threads: int
    width: int


def owner(access: Load | Store, nest: Nest, sharing: Sharing) -> Hashable | None:
    """A key that is equal for two accesses if each element is accessed by the same single thread in both.

    None where an access does not give each element to one thread alone.
    """
    made = made_in(nest.statements)
    strides = tuple(access.at.stride(index) for index in nest.indices)
    if any(s in made for s, _ in access.dynamic):
        return None
    if access not in nest.statements:
        return None
    digits = sorted((abs(s), level.extent) for s, level in zip(strides, nest.levels, strict=True) if level.extent > 1)
    reach = 0
    for stride, extent in digits:
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


# Owners of accesses in `Hazards` beside the keys of `owner`.
ALL = "all threads read"
FIRST = "the first thread writes"
MANY = "any thread"


class Hazards:
    """The accesses since the last barrier, by memory and owner: where two conflict, a barrier is needed.

    Args:
        kernel: The kernel; an output may alias an input of its size.
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
        """The current state, for `restore` and `merge`."""
        return {k: set(v) for k, v in self.read.items()}, {k: set(v) for k, v in self.written.items()}

    def restore(self, state: tuple[Mapping[Hashable, set[Hashable]], Mapping[Hashable, set[Hashable]]]) -> None:
        """Returns to a state."""
        self.read, self.written = ({k: set(v) for k, v in part.items()} for part in state)

    def merge(self, state: tuple[Mapping[Hashable, set[Hashable]], Mapping[Hashable, set[Hashable]]]) -> None:
        """Adds the accesses of another path through the program to this point."""
        for mine, other in zip((self.read, self.written), state, strict=True):
            for key, owners in other.items():
                mine.setdefault(key, set()).update(owners)

    def clear(self) -> None:
        """Forgets all accesses, at a barrier."""
        self.read, self.written = {}, {}

    def conflicts(self, touched: Sequence[tuple[Hashable, bool, Hashable]]) -> bool:
        """Whether accesses, each as (memory, whether it is written, owner), need a barrier before them."""
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
        """Adds accesses."""
        for memory, writes, who in touched:
            (self.written if writes else self.read).setdefault(memory, set()).add(who)
