"""Partition specs: for each dimension the mesh axes that split it."""

from __future__ import annotations

from collections.abc import Iterator
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

    Raises:
        SpecError: For an entry of another kind, or an axis named twice.

    Example:
        >>> PartitionSpec("x", None, ("y", "z"))
        PartitionSpec('x', None, ('y', 'z'))
    """

    __slots__ = ("_entries", "_hash", "canonical")
    UNCONSTRAINED = UNCONSTRAINED
    _entries: tuple[SpecEntry, ...]
    _hash: int
    canonical: tuple[SpecEntry, ...]
    """The entries without the trailing whole dimensions: what equality compares."""

    def __init__(self, *entries: Any) -> None:
        entries = tuple(_entry(e) for e in entries)
        canonical = entries
        while canonical and canonical[-1] is None:
            canonical = canonical[:-1]
        object.__setattr__(self, "_entries", entries)
        object.__setattr__(self, "canonical", canonical)
        object.__setattr__(self, "_hash", hash(canonical))
        names = [axis for axes in self.dims(len(entries)) for axis in axes]
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
        return PartitionSpec(*self, *other)

    def __radd__(self, other: Any) -> PartitionSpec:
        return PartitionSpec(*other, *self) if isinstance(other, tuple) else NotImplemented

    def __iter__(self) -> Iterator[SpecEntry]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, index: Any) -> Any:
        return self._entries[index]

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, PartitionSpec) and self.canonical == other.canonical)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"PartitionSpec{self._entries!r}"

    def __reduce__(self) -> tuple[Any, ...]:
        return PartitionSpec, self._entries


def spec_of(dims: tuple[tuple[str, ...], ...]) -> PartitionSpec:
    """The shortest spec with these axes for each dimension."""
    entries = [None if not axes else axes[0] if len(axes) == 1 else axes for axes in dims]
    while entries and entries[-1] is None:
        entries.pop()
    return PartitionSpec(*entries)


def _entry(entry: Any) -> SpecEntry:
    if entry is None or isinstance(entry, (str, _Unconstrained)):
        return entry
    if isinstance(entry, (tuple, list)) and all(isinstance(axis, str) for axis in entry):
        axes = tuple(entry)
        return None if not axes else axes[0] if len(axes) == 1 else axes
    raise SpecEntryError(entry)
