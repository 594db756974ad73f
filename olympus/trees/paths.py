"""The keys that lead to the leaves of a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from olympus_core.errors import ArgumentError, described

from .treedef import kind_of


@dataclass(frozen=True, slots=True)
class SequenceKey:
    """An index of a list or tuple."""

    idx: int

    def __str__(self) -> str:
        return f"[{self.idx!r}]"


@dataclass(frozen=True, slots=True)
class DictKey:
    """A key of a dict."""

    key: Any

    def __str__(self) -> str:
        return f"[{self.key!r}]"


@dataclass(frozen=True, slots=True)
class GetAttrKey:
    """A field of a named tuple or dataclass."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}"


@dataclass(frozen=True, slots=True)
class FlattenedIndexKey:
    """The place of a child of a container that names its children in no other way."""

    key: int

    def __str__(self) -> str:
        return f"[<flat index {self.key}>]"


def keystr(keys: Sequence[Any], *, simple: bool = False, separator: str = "") -> str:
    """The text of a path.

    Args:
        keys: The path.
        simple: Whether to write the bare names and numbers.
        separator: What to write between them.

    Returns:
        The text.

    Example:
        >>> keystr((DictKey("a"), SequenceKey(0)))
        "['a'][0]"
        >>> keystr((DictKey("a"), SequenceKey(0)), simple=True, separator="/")
        'a/0'
    """
    if not isinstance(keys, Iterable):
        raise ArgumentError("keystr", "the path is not a sequence of keys", described(keys), "a tuple of keys")
    return separator.join(_bare(key) if simple else str(key) for key in keys)


def _bare(key: Any) -> str:
    for name in ("key", "idx", "name"):
        if hasattr(key, name):
            return str(getattr(key, name))
    return str(key)


def keys_of(container: Any) -> Sequence[Any]:
    """The keys of a container's children."""
    kind = kind_of(type(container))
    if kind is None:
        return ()
    if kind.keys is not None:
        return kind.keys(container)
    return [FlattenedIndexKey(i) for i in range(len(list(kind.flatten(container)[0])))]


def leaves_with_paths(tree: Any, is_leaf: Callable[[Any], bool] | None) -> list[tuple[tuple[Any, ...], Any]]:
    """Pairs of path and leaf, in order."""
    found: list[tuple[tuple[Any, ...], Any]] = []
    _collect(tree, is_leaf, (), found)
    return found


def _collect(
    tree: Any, is_leaf: Callable[[Any], bool] | None, path: tuple[Any, ...], found: list[tuple[tuple[Any, ...], Any]]
) -> None:
    kind = kind_of(type(tree))
    if kind is None or (is_leaf is not None and is_leaf(tree)):
        found.append((path, tree))
        return
    children, _ = kind.flatten(tree)
    for key, child in zip(keys_of(tree), children, strict=True):
        _collect(child, is_leaf, (*path, key), found)
