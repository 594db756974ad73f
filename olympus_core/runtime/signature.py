"""What the runtime knows of an array apart from its content, interned: the key of every cache on the hot path."""

from __future__ import annotations

from weakref import WeakValueDictionary

from olympus_core.placement import Sharding
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

    __slots__ = ("__weakref__", "committed", "sharding", "type", "weak")
    type: ArrayType
    sharding: Sharding
    committed: bool
    weak: bool

    def __new__(cls, type: ArrayType, sharding: Sharding, committed: bool, weak: bool = False) -> Signature:
        """The signature with these facts."""
        key = (id(type), sharding, committed, weak)  # of a type that lives as long as what is found here
        found = _interned.get(key)
        if found is not None:
            return found
        self = object.__new__(cls)
        self.type, self.sharding, self.committed, self.weak = type, sharding, committed, weak
        return _interned.setdefault(key, self)

    def of_deleted(self) -> Signature:
        """The same facts as an object of its own, which no cache knows: calls with it take the path that checks."""
        twin = object.__new__(Signature)
        twin.type, twin.sharding, twin.committed, twin.weak = self.type, self.sharding, self.committed, self.weak
        return twin

    def __repr__(self) -> str:
        return f"{self.type} on {self.sharding}{' (committed)' if self.committed else ''}"
