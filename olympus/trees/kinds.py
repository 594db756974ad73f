# SPDX-License-Identifier: Apache-2.0
"""How containers of each class are taken apart, and when the static data of two are equal or interchangeable."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from olympus_core.dataclass import dataclass
from olympus_core.errors import OlympusInternalError, TreeError, described

from .paths import FlattenedIndexKey, GetAttrKey

TEXT = {str}
BY_IDENTITY: Any = object.__eq__  # of classes whose instances equal themselves alone
_NUMBERS = frozenset([bool, int, float, complex])
PLAIN = frozenset([bool, int, str, type(None)])
# The files of the functions that are made for them: Python's, and those of `olympus_core.dataclass`.
_OF_DATACLASSES = ("<string>", dataclass.__code__.co_filename)
_MOST_CLASSES = 512
_fields: dict[type, tuple[str, ...]] = {}  # of classes that were asked about
OPAQUE = object()  # the exact key of data of which equal ones may differ


class Kind:
    """How a class of containers is taken apart.

    Args:
        type: The class.
        flatten: Gives the children and the static data.
        unflatten: Makes a container of the static data and the children.
        keys: Gives the path keys of the children; None for keys that count them.
        text: Makes the text of the structure of the static data and the children's texts.
    """

    __slots__ = ("flatten", "keys", "text", "type", "unflatten")

    def __init__(
        self, type: type, flatten: Callable[[Any], tuple[Iterable[Any], Any]], unflatten: Callable[[Any, Any], Any],
        keys: Callable[[Any], Sequence[Any]] | None, text: Callable[[Any, list[str]], str],
    ) -> None:
        self.type, self.flatten, self.unflatten, self.keys, self.text = type, flatten, unflatten, keys, text


class _Kinds(dict[type, Kind | None]):
    """How instances of each class are taken apart; None for leaves. Filled when a class is first seen."""

    def __missing__(self, cls: type) -> Kind | None:
        return self.setdefault(cls, _named_tuple(cls) if issubclass(cls, tuple) and hasattr(cls, "_fields") else None)

    def of_container(self, cls: type) -> Kind:
        """How instances of a class that is known to be a container are taken apart."""
        kind = self[cls]
        if kind is None:
            raise OlympusInternalError(f"{cls.__name__} is taken for a container and is none")
        return kind


class _Inside(dict[type, Kind | None]):
    """The same for transformations, for which values of libraries' own types consist of arrays, too.

    Attributes:
        differs: Whether there are any: otherwise transformations see what everybody sees.
    """

    differs = False

    def __missing__(self, cls: type) -> Kind | None:
        return self.setdefault(cls, KINDS[cls])

    def enter(self, cls: type, kind: Kind) -> None:
        """Makes the values of a class containers here."""
        self[cls], self.differs = kind, True


KINDS = _Kinds()
INSIDE = _Inside()
kind_of: Callable[[type], Kind | None] = KINDS.__getitem__


def _named_tuple(cls: Any) -> Kind:
    keys = tuple(GetAttrKey(name) for name in cls._fields)
    return Kind(
        cls, lambda x: (x, None), lambda data, children: cls(*children), lambda x: keys,
        lambda data, texts: f"CustomNode(namedtuple[{cls.__name__}], [{', '.join(texts)}])",
    )


def keys_of(container: Any) -> Sequence[Any]:
    """The keys of a container's children."""
    kind = kind_of(type(container))
    if kind is None:
        return ()
    if kind.keys is not None:
        return kind.keys(container)
    return [FlattenedIndexKey(i) for i in range(len(list(kind.flatten(container)[0])))]


def are_equal(data: Any, other: Any) -> bool:
    """Whether static data are equal; raises `TreeError` where they cannot be compared."""
    try:
        return bool(data == other)
    except (TypeError, ValueError):  # arrays of NumPy in it
        data, other = snapshot(data), snapshot(other)
    try:
        return bool(data == other)
    except (TypeError, ValueError) as error:
        raise TreeError("The static data of a container cannot be compared, nor the structure with others.",
                        described(data), "data whose == gives True or False; arrays belong to the children") from error


def snapshot(data: Any) -> Any:
    """Data that no one can change, as far as they consist of Python's containers and NumPy's arrays."""
    if type(data) is dict:
        return {key: snapshot(value) for key, value in data.items()}
    if type(data) in (list, tuple, set):
        return type(data)([part if type(part) is str else snapshot(part) for part in data])
    return (data.shape, data.dtype, data.tobytes()) if type(data) is np.ndarray and not data.dtype.hasobject else data


def exact_key(data: Any) -> Any:
    """What two static data have in common only where they are interchangeable, which 1, 1.0 and True are not.

    Args:
        data: The data of a container.

    Returns:
        Something hashable that holds no object of a user's; what no other data have where that is not known.
    """
    if data is None:
        return None
    cls = type(data)
    if cls is str:
        return data
    if cls is tuple:
        if {*map(type, data)} == TEXT:
            return data
        keys: list[Any] = []
        for part in data:
            key = part if part is None or type(part) is str else exact_key(part)
            if key is OPAQUE:
                return OPAQUE
            keys.append(key)
        return tuple, tuple(keys)
    if cls is int or cls is bool:
        return cls, data
    if cls in _NUMBERS:
        return (cls, repr(data)) if data == data else OPAQUE  # 0.0 is not -0.0, and NaNs are many
    return (cls, id(data)) if cls.__eq__ is BY_IDENTITY else OPAQUE


def marks_of(data: Any) -> Hashable:
    """What tells equal values apart that are not interchangeable: numbers of several classes, zeros of both signs.

    Containers of Python and frozen dataclasses are looked into; of others the class counts.

    Args:
        data: The value.

    Returns:
        Something hashable, for a key beside the value.

    Example:
        >>> marks_of((1, "a")) == marks_of((1.0, "a"))
        False
    """
    cls: Any = type(data)
    if cls in PLAIN:
        return cls
    if cls is float:
        return cls if data else repr(data)
    if cls is complex:
        return cls if data.real and data.imag else repr(data)
    if isinstance(data, (tuple, list)):
        kinds = {*map(type, data)}
        return (cls, *(kinds if len(kinds) == 1 and kinds <= PLAIN else map(marks_of, data)))
    if isinstance(data, dict):
        return (cls, marks_of([*data]), marks_of([*data.values()])) if data else cls
    if isinstance(data, (set, frozenset)):
        return cls, frozenset(map(marks_of, data))
    if isinstance(data, np.generic) and cls is not np.void:
        return cls, data.tobytes()
    if names := fields_of(cls):
        return (cls, *[marks_of(getattr(data, name, None)) for name in names])
    return _marks_of_array(data) if hasattr(cls, "__array__") else cls


def _marks_of_array(data: Any) -> Hashable:
    """Of arrays of one element, which are compared as numbers are; equal types, too, may stand for other programs."""
    try:
        value = np.asarray(data)
    except Exception:  # noqa: BLE001  # one whose value is not known, or not here
        return type(data), id(data)
    return type(data), str(value.dtype), value.shape, value.tobytes(), getattr(data, "weak_type", False)


def fields_of(cls: Any) -> tuple[str, ...]:
    """The names of the fields by which a frozen dataclass is compared; none for other classes."""
    names = _fields.get(cls)
    if names is None:
        parameters = getattr(cls, "__dataclass_params__", None)
        # Where the comparison is that of dataclasses: a class's own may know better.
        is_plain = (parameters is not None and parameters.frozen and parameters.eq
                    and getattr(getattr(cls.__eq__, "__code__", None), "co_filename", None) in _OF_DATACLASSES)
        names = tuple([field.name for field in fields(cls) if field.compare]) if is_plain else ()
        if len(_fields) >= _MOST_CLASSES:
            _fields.clear()
        _fields[cls] = names
    return names


def holds(data: Any) -> tuple[bool, bool]:
    """What data with an exact key hold.

    Args:
        data: The data of a container.

    Returns:
        Whether they have numbers, with which they may be equal to data with another key; and whether they have objects
        that might live longer for it.
    """
    if data is None or type(data) is str:
        return False, False
    if type(data) is not tuple:
        return (True, False) if type(data) in _NUMBERS else (False, not _lives_anyway(data))
    if {*map(type, data)} == TEXT:
        return False, False
    parts = [holds(part) for part in data]
    return any([numbers for numbers, _ in parts]), any([objects for _, objects in parts])


class _Marker:
    """Of such a class's size are objects that hold nothing but what their dictionary has."""


def _lives_anyway(data: Any) -> bool:
    """Whether a module has an object under its own name, or it is nothing but itself, as markers are."""
    try:
        name, module, own = (getattr(data, each, None) for each in ("__qualname__", "__module__", "__dict__"))
    except Exception:  # noqa: BLE001  # an object that looks attributes up in its own way
        return False
    if isinstance(name, str) and isinstance(module, str):
        return getattr(sys.modules.get(module), "__dict__", {}).get(name) is data
    return type(own) is dict and not own and type(data).__basicsize__ <= _Marker.__basicsize__
