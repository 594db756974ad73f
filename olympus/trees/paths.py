# SPDX-License-Identifier: Apache-2.0
"""The keys that a path to a leaf consists of, and their text."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, TypeAlias

from olympus_core.dataclass import public_dataclass
from olympus_core.errors import ArgumentError, described


@public_dataclass(frozen=True, slots=True)
class SequenceKey:
    """An index of a list or tuple."""

    idx: int

    def __str__(self) -> str:
        return f"[{self.idx!r}]"


@public_dataclass(frozen=True, slots=True)
class DictKey:
    """A key of a dict."""

    key: Any

    def __str__(self) -> str:
        return f"[{self.key!r}]"


@public_dataclass(frozen=True, slots=True)
class GetAttrKey:
    """A field of a named tuple or dataclass."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}"


@public_dataclass(frozen=True, slots=True)
class FlattenedIndexKey:
    """The index of a child of a container that names its children in no other way."""

    key: int

    def __str__(self) -> str:
        return f"[<flat index {self.key}>]"


KeyEntry: TypeAlias = Hashable  # one key of a path; containers of users may have keys of their own
KeyPath: TypeAlias = tuple[KeyEntry, ...]


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
