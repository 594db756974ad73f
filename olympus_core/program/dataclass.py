# SPDX-License-Identifier: Apache-2.0
"""Data classes that are made in a quarter of the time: a process makes more than a hundred before its first result.

For type checkers it is Python's own decorator. Python writes a text for each method and compiles it; here only
`__init__` is made so, and the others are closures that know the names of the fields. Frozen ones are so for type
checkers alone.
"""

from __future__ import annotations

from dataclasses import field, fields, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    import dataclasses
    from operator import attrgetter

    def dataclass(cls=None, /, *, frozen=False, eq=True, repr=True, **options):
        """As Python's `dataclasses.dataclass`.

        Args:
            cls: The class.
            frozen: Whether it has a hash, and no attributes that change.
            eq: Whether its objects are equal where their fields are.
            repr: Whether its objects are written as calls.
            **options: Others of Python's.
        """
        if cls is None:
            return lambda given: dataclass(given, frozen=frozen, eq=eq, repr=repr, **options)
        own = vars(cls)
        has_hash = own.get("__hash__") is not None or "__hash__" in own and "__eq__" not in own
        made = dataclasses.dataclass(repr=False, eq=False, **options)(cls)
        known = fields(made)
        if eq:
            if "__eq__" not in own:
                made.__eq__ = _equality(_values([f.name for f in known if f.compare]))
            if not has_hash:
                names = [f.name for f in known if (f.compare if f.hash is None else f.hash)]
                made.__hash__ = _hash(_values(names)) if frozen else None
        if repr and "__repr__" not in own:
            made.__repr__ = _text([f.name for f in known if f.repr])
        return made

    def _values(names):
        """What gives the fields of an object as a tuple: tuples compare identical items as equal."""
        if len(names) > 1:
            return attrgetter(*names)
        return (lambda x, get=attrgetter(names[0]): (get(x),)) if names else lambda x: ()

    def _equality(values):
        return lambda self, other: (
            values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented)

    def _hash(values):
        return lambda self: hash(values(self))

    def _text(names):
        return lambda self: "{}({})".format(
            self.__class__.__qualname__, ", ".join([f"{name}={getattr(self, name)!r}" for name in names]))


__all__ = ["dataclass", "field", "fields", "replace"]
