# SPDX-License-Identifier: Apache-2.0
"""What the runtime knows of an array apart from its content, interned: the key of every cache on the hot path."""

from __future__ import annotations

from collections import Counter
from weakref import WeakValueDictionary

from olympus_core.placement import Index, Sharding
from olympus_core.plugin import Device
from olympus_core.program import ArrayType

# Weak, so that signatures do not keep the devices of a world that ended alive.
_interned: WeakValueDictionary[tuple[int, Sharding, bool, bool], Signature] = WeakValueDictionary()


class Signature:
    """Type and placement of an array; equal signatures are the same object.

    Args:
        type: Shape and element type.
        sharding: Where its parts are.
        committed: Whether the user chose the placement.
        weak: Whether the language lets the element type give way in promotion.
    """

    __slots__ = ("__weakref__", "_parts", "committed", "sharding", "type", "weak")
    type: ArrayType
    sharding: Sharding
    committed: bool
    weak: bool
    _parts: tuple[tuple[Device, Index, int], ...] | None

    def __new__(cls, type: ArrayType, sharding: Sharding, committed: bool, weak: bool = False) -> Signature:
        """The signature with these facts."""
        key = (id(type), sharding, committed, weak)  # of a type that lives as long as what is found here
        found = _interned.get(key)
        if found is not None:
            return found
        self = object.__new__(cls)
        self.type, self.sharding, self.committed, self.weak = type, sharding, committed, weak
        self._parts = None
        return _interned.setdefault(key, self)

    def of_deleted(self) -> Signature:
        """The same facts as an object of its own, which no cache knows: calls with it take the path that checks."""
        twin = object.__new__(Signature)
        twin.type, twin.sharding, twin.committed, twin.weak = self.type, self.sharding, self.committed, self.weak
        twin._parts = self._parts
        return twin

    def parts(self) -> tuple[tuple[Device, Index, int], ...]:
        """Each device, the slices of its part, and how many devices before it hold the same; computed once."""
        if self._parts is None:
            seen: Counter[str] = Counter()
            parts = []
            indices = self.sharding.layout(self.type.ndim).indices(self.type.shape)
            for device, index in zip(self.sharding.devices, indices, strict=True):
                parts.append((device, index, seen[repr(index)]))
                seen[repr(index)] += 1
            self._parts = tuple(parts)
        return self._parts

    def __repr__(self) -> str:
        return f"{self.type} on {self.sharding}{' (committed)' if self.committed else ''}"
