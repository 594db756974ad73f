# SPDX-License-Identifier: Apache-2.0
"""Partition specs: for each dimension the mesh axes that split it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any

from olympus_core.errors import RepeatedAxisError, SpecEntryError

from .axes import Immutable


class _Unconstrained:
    """Marks a dimension that the partitioner may split as it likes."""

    def __repr__(self) -> str:
        return "UNCONSTRAINED"

    # Compared by identity, so every copy must be the one object.
    def __reduce__(self) -> str:
        return "UNCONSTRAINED"


UNCONSTRAINED = _Unconstrained()
SpecEntry = None | str | tuple[str, ...] | _Unconstrained


class PartitionSpec(Immutable):
    """For each dimension of an array the mesh axes that split it; dimensions left out are whole.

    Args:
        *entries: For each dimension None (whole), an axis name, a tuple of axis names (major first), or
            `PartitionSpec.UNCONSTRAINED`.
        unreduced: The axes along which each device holds one term of a sum that is the array's value.
        reduced: The axes along which the array is whole and its cotangent unreduced.

    Raises:
        SpecError: For an entry of another kind, or an axis named twice.

    Example:
        >>> PartitionSpec("x", None, ("y", "z"))
        PartitionSpec('x', None, ('y', 'z'))
    """

    __slots__ = ("_entries", "_hash", "canonical", "reduced", "unreduced")
    UNCONSTRAINED = UNCONSTRAINED
    _entries: tuple[SpecEntry, ...]
    _hash: int
    canonical: tuple[SpecEntry, ...]
    """The entries without the trailing whole dimensions: what equality compares."""
    unreduced: frozenset[str]
    reduced: frozenset[str]

    def __init__(
        self, *entries: Any, unreduced: AbstractSet[str] = frozenset(), reduced: AbstractSet[str] = frozenset()
    ) -> None:
        entries = tuple(_entry(e) for e in entries)
        canonical = entries
        while canonical and canonical[-1] is None:
            canonical = canonical[:-1]
        object.__setattr__(self, "_entries", entries)
        object.__setattr__(self, "canonical", canonical)
        for what, axes in (("unreduced", unreduced), ("reduced", reduced)):
            if not isinstance(axes, (set, frozenset)) or not all(isinstance(axis, str) for axis in axes):
                raise SpecEntryError(axes, f"a set of axis names for {what}")
            object.__setattr__(self, what, frozenset(axes))
        object.__setattr__(self, "_hash", hash((canonical, self.unreduced, self.reduced) if unreduced or reduced
                                               else canonical))
        names = [axis for axes in self.dims(len(entries)) for axis in axes]
        names += [*self.unreduced, *self.reduced]
        if len(set(names)) != len(names):
            raise RepeatedAxisError(sorted({n for n in names if names.count(n) > 1}), entries)

    def dims(self, ndim: int) -> tuple[tuple[str, ...], ...]:
        """For each of `ndim` dimensions the tuple of axes that split it."""
        dims = tuple(
            () if e is None or isinstance(e, _Unconstrained) else (e,) if isinstance(e, str) else e
            for e in self._entries
        )
        return dims + ((),) * (ndim - len(dims))

    @property
    def partitions(self) -> tuple[SpecEntry, ...]:
        """The entries, one for each dimension that was given."""
        return self._entries

    def index(self, value: Any) -> int:
        """The first dimension with this entry; raises `ValueError` where there is none."""
        return self._entries.index(_entry(value))

    def count(self, value: Any) -> int:
        """How many dimensions have this entry."""
        return self._entries.count(_entry(value))

    def __add__(self, other: Any) -> PartitionSpec:
        if not isinstance(other, (PartitionSpec, tuple)):
            return NotImplemented
        if not isinstance(other, PartitionSpec):
            other = PartitionSpec(*other)
        return PartitionSpec(*self, *other, unreduced=self.unreduced | other.unreduced,
                             reduced=self.reduced | other.reduced)

    def __radd__(self, other: Any) -> PartitionSpec:
        return PartitionSpec(*other) + self if isinstance(other, tuple) else NotImplemented

    def update(
        self, partitions: Iterable[Any] | None = None, unreduced: AbstractSet[str] | None = None,
        reduced: AbstractSet[str] | None = None,
    ) -> PartitionSpec:
        """The spec with other entries or axes.

        Args:
            partitions: The entries; the same when left out.
            unreduced: The axes over which it is unreduced; the same when left out.
            reduced: The axes over which its cotangent is; the same when left out.
        """
        return PartitionSpec(
            *(self._entries if partitions is None else partitions),
            unreduced=self.unreduced if unreduced is None else unreduced,
            reduced=self.reduced if reduced is None else reduced)

    def to_ct_spec(self) -> PartitionSpec:
        """The spec of the cotangent: what is reduced here is unreduced there, and the other way round."""
        return self.update(unreduced=self.reduced, reduced=self.unreduced)

    def to_tangent_spec(self) -> PartitionSpec:
        """The spec of the tangent: the same."""
        return self

    def __iter__(self) -> Iterator[SpecEntry]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, index: Any) -> Any:
        return self._entries[index]

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, PartitionSpec) and self.canonical == other.canonical
            and self.unreduced == other.unreduced and self.reduced == other.reduced)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        sets = [f"{name}={{{', '.join(map(repr, sorted(axes)))}}}" for name, axes in (
            ("unreduced", self.unreduced), ("reduced", self.reduced)) if axes]
        if not sets:
            return f"PartitionSpec{self._entries!r}"
        return f"PartitionSpec({', '.join([*map(repr, self._entries), *sets])})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self._entries, self.unreduced, self.reduced)


def _unpickled(entries: tuple[Any, ...], unreduced: frozenset[str], reduced: frozenset[str]) -> PartitionSpec:
    return PartitionSpec(*entries, unreduced=unreduced, reduced=reduced)


def spec_of(
    dims: tuple[tuple[str, ...], ...], unreduced: Iterable[str] = (), reduced: Iterable[str] = ()
) -> PartitionSpec:
    """The shortest spec with these axes for each dimension."""
    entries = [None if not axes else axes[0] if len(axes) == 1 else axes for axes in dims]
    while entries and entries[-1] is None:
        entries.pop()
    return PartitionSpec(*entries, unreduced=frozenset(unreduced), reduced=frozenset(reduced))


def _entry(entry: Any) -> SpecEntry:
    if entry is None or isinstance(entry, (str, _Unconstrained)):
        return entry
    if isinstance(entry, (tuple, list)) and all(isinstance(axis, str) for axis in entry):
        axes = tuple(entry)
        return None if not axes else axes[0] if len(axes) == 1 else axes
    raise SpecEntryError(entry)
