# SPDX-License-Identifier: Apache-2.0
"""How containers of each class are taken apart and put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from olympus_core.errors import OlympusInternalError

from .paths import FlattenedIndexKey, GetAttrKey


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


KINDS = _Kinds()
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
