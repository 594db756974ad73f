# SPDX-License-Identifier: Apache-2.0
"""The structure of a tree as JSON, and trees that are made of it or compared with it."""

from __future__ import annotations

import base64
import functools
import hashlib
from collections import OrderedDict, namedtuple
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from olympus_core.errors import described
from olympus_core.errors.checkpoints import CheckpointLeafError

from ..trees.kinds import KINDS, keys_of
from ..trees.paths import DictKey, FlattenedIndexKey, GetAttrKey, SequenceKey, keystr

_DEEPEST = 200  # levels of containers: JSON's reader and this file's functions call themselves
_LONGEST = 120  # letters of a folder's name
_RESERVED = {"zarr.json"}

Path = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A leaf of a tree.

    Args:
        path: The keys that lead to it.
        name: The names of the folders that lead to its array.
        value: What it is.
    """

    path: Path
    name: tuple[str, ...]
    value: Any


def outline_of(tree: Any) -> tuple[Any, list[Leaf]]:
    """A tree's structure as plain data, where a number stands for a leaf; and its leaves.

    Raises:
        CheckpointLeafError: When a dict has a key that cannot be written.
    """
    found: list[Leaf] = []
    return _outline(tree, (), (), found), found


def _outline(tree: Any, path: Path, name: tuple[str, ...], found: list[Leaf]) -> Any:
    kind = KINDS[type(tree)]
    if kind is None:
        found.append(Leaf(path, name, tree))
        return len(found) - 1
    if len(path) >= _DEEPEST:
        raise CheckpointLeafError(f"The tree has more than {_DEEPEST} levels of containers.", [keystr(path[:3])],
                                  "Save a flatter tree.")
    children = list(kind.flatten(tree)[0])
    keys = list(keys_of(tree))
    names = _names(keys)
    parts = [_outline(child, (*path, key), (*name, own), found)
             for child, key, own in zip(children, keys, names, strict=True)]
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return {"namedtuple": type(tree).__name__, "fields": list(tree._fields), "parts": parts}
    if type(tree) in (dict, OrderedDict):
        return {"dict" if type(tree) is dict else "ordered dict": [_key(key.key, path) for key in keys], "parts": parts}
    if tree is None:
        return {"none": None}
    if type(tree) in (tuple, list):
        return {type(tree).__name__: None, "parts": parts}
    return {"node": type(tree).__qualname__, "keys": [_path_key(key, path) for key in keys], "parts": parts}


def _names(keys: Sequence[Any]) -> list[str]:
    """Names of folders for the keys of a container, different also where letters' case does not count."""
    found: list[str] = []
    taken: set[str] = set()
    for key in keys:
        name = _safe(keystr((key,), simple=True))
        unique, number = name, 1
        while unique.lower() in taken:
            unique, number = f"{name}~{number}", number + 1
        taken.add(unique.lower())
        found.append(unique)
    return found


def _safe(text: str) -> str:
    """A name that every file system and Zarr take: letters, digits and a few signs; others as ``%XX``."""
    name = quote(text, safe="", errors="backslashreplace") or "%"
    if len(name) > _LONGEST:
        name = f"{name[:_LONGEST - 20]}~{hashlib.sha256(name.encode()).hexdigest()[:16]}"
    if name.startswith(".") or name.startswith("__") or name.lower() in _RESERVED:
        name = f"%{ord(name[0]):02X}{name[1:]}"
    return name


def encoded(value: Any) -> list[Any] | None:
    """A Python number, text or tuple as plain data that gives exactly it; None for anything else."""
    kind = type(value)
    if kind is bool or kind is str:
        return [kind.__name__, value]
    if kind is int:
        return ["int", hex(value)]  # decimal digits have a limit in Python
    if kind is float:
        return ["float", value.hex()]
    if kind is complex:
        return ["complex", value.real.hex(), value.imag.hex()]
    if kind is bytes:
        return ["bytes", base64.b64encode(value).decode()]
    if value is None:
        return ["none"]
    if kind is tuple:
        parts = [encoded(part) for part in value]
        return None if None in parts else ["tuple", *parts]
    return None


def decoded(data: Any) -> Any:
    """What `encoded` was given; raises ValueError where the data are none of its."""
    try:
        kind, *rest = data
        if kind == "tuple":
            return tuple(decoded(part) for part in rest)
        if kind == "none":
            return None
        if kind == "complex":
            return complex(*map(float.fromhex, rest))
        (text,) = rest
        if kind in ("bool", "str") and type(text).__name__ == kind:
            return text
        if kind == "bytes":
            return base64.b64decode(text, validate=True)
        if kind == "int":
            return int(text, 16)
        if kind == "float":
            return float.fromhex(text)
        raise ValueError(kind)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{described(data)} is no value") from None


def _key(key: Any, path: Path) -> list[Any]:
    found = encoded(key)
    if found is None:
        raise CheckpointLeafError(f"A dict has a key that cannot be saved: {described(key)}.",
                                  [keystr(path) or "the root"], "Take texts, numbers or tuples of them as keys.")
    return found


def _path_key(key: Any, path: Path) -> list[Any]:
    """The key of a container that a user registered."""
    if isinstance(key, DictKey):
        return ["key", _key(key.key, path)]
    if isinstance(key, SequenceKey):
        return ["index", key.idx]
    if isinstance(key, FlattenedIndexKey):
        return ["flat", key.key]
    return ["field", key.name if isinstance(key, GetAttrKey) else str(key)]


def keys_in(outline: Any) -> list[Any]:
    """The path keys of a container's parts, by its outline."""
    if "namedtuple" in outline:
        return [GetAttrKey(name) for name in outline["fields"]]
    for kind in ("dict", "ordered dict"):
        if kind in outline:
            return [DictKey(decoded(key)) for key in outline[kind]]
    if "node" in outline:
        return [
            DictKey(decoded(value)) if kind == "key" else SequenceKey(value) if kind == "index"
            else FlattenedIndexKey(value) if kind == "flat" else GetAttrKey(value)
            for kind, value in outline["keys"]
        ]
    return [SequenceKey(i) for i in range(len(outline.get("parts", ())))]


def paths_in(outline: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """The path of every leaf of an outline, with its number; and of every empty container, with its outline."""
    if type(outline) is int:
        yield path, outline
        return
    parts = outline.get("parts", ())
    if not parts:
        yield path, outline
    for key, part in zip(keys_in(outline), parts, strict=True):
        yield from paths_in(part, (*path, key))


def kind_in(outline: Any) -> str:
    """What stands at a place of an outline, in words."""
    if type(outline) is int:
        return "a leaf"
    for kind in ("namedtuple", "node"):
        if kind in outline:
            return f"{'a named tuple' if kind == 'namedtuple' else 'a container'} {outline[kind]}"
    return {"none": "None"}.get(kind := next(iter(outline)), f"a {kind}")


def built(outline: Any, leaves: Sequence[Any]) -> Any:
    """A tree of an outline.

    Args:
        outline: The structure.
        leaves: The leaves, by number.

    Raises:
        CheckpointLeafError: When the tree has containers that only a user's code can make.
    """
    foreign = [(keystr(path) or "the root", name) for path, name in _foreign(outline, ())]
    if foreign:
        raise CheckpointLeafError(
            f"The tree has containers that only your code can make: {', '.join(sorted({n for _, n in foreign}))}.",
            [where for where, _ in foreign], "Give restore a tree of the same structure: like=.")
    return _built(outline, leaves)


def _foreign(outline: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if type(outline) is int:
        return
    if "node" in outline:
        yield path, outline["node"]
    for key, part in zip(keys_in(outline), outline.get("parts", ()), strict=True):
        yield from _foreign(part, (*path, key))


def _built(outline: Any, leaves: Sequence[Any]) -> Any:
    if type(outline) is int:
        return leaves[outline]
    parts = [_built(part, leaves) for part in outline.get("parts", ())]
    if "namedtuple" in outline:
        return _named_tuple(outline["namedtuple"], tuple(outline["fields"]))(*parts)
    if "none" in outline:
        return None
    if "tuple" in outline:
        return tuple(parts)
    if "list" in outline:
        return parts
    pairs = zip([key.key for key in keys_in(outline)], parts, strict=True)
    return dict(pairs) if "dict" in outline else OrderedDict(pairs)


@functools.lru_cache(maxsize=256)
def _named_tuple(name: str, fields: tuple[str, ...]) -> Any:
    """A class of named tuples; the same one for the same name and fields. Its maker refuses what is no name."""
    return namedtuple(name, fields)


@dataclass(slots=True)
class Compared:
    """An outline beside a tree.

    Args:
        pairs: For each leaf of the tree, in order, its path, the number of the saved leaf, and the tree's leaf.
        differences: Where the structures differ, in words.
    """

    pairs: list[tuple[Path, int, Any]]
    differences: list[str]


def compared(outline: Any, like: Any) -> Compared:
    """Compares a saved structure with a tree's."""
    found = Compared([], [])
    _compare(outline, like, (), found)
    return found


def _compare(outline: Any, like: Any, path: Path, found: Compared) -> None:
    where = keystr(path) or "the root"
    kind = KINDS[type(like)]
    is_a_leaf = kind is None
    if type(outline) is int:
        if is_a_leaf:
            found.pairs.append((path, outline, like))
        else:
            found.differences.append(f"{where}: saved a leaf, like has {_kind_of(like)}")
        return
    if is_a_leaf or not _is_alike(outline, like):
        found.differences.append(f"{where}: saved {kind_in(outline)}, like has {_kind_of(like)}")
        return
    children = list(kind.flatten(like)[0]) if kind is not None else []
    own = dict(zip(map(_hashable, keys_of(like)), children, strict=True))
    saved = dict(zip(map(_hashable, keys_in(outline)), outline.get("parts", ()), strict=True))
    for key, part in saved.items():
        if key not in own:
            for deeper, _ in paths_in(part, (*path, key[1])):
                found.differences.append(f"{keystr(deeper)}: saved, not in like")
    for key, child in own.items():
        if key in saved:
            _compare(saved[key], child, (*path, key[1]), found)
        else:
            found.differences.append(f"{keystr((*path, key[1]))}: not saved, in like")


def _hashable(key: Any) -> tuple[Any, Any]:
    """A path key that differs from another one where 1, 1.0 and True do."""
    return type(getattr(key, "key", None)), key


def _is_alike(outline: Any, like: Any) -> bool:
    if isinstance(like, tuple) and hasattr(like, "_fields"):
        return "namedtuple" in outline
    if like is None:
        return "none" in outline
    names: dict[type, str] = {dict: "dict", OrderedDict: "ordered dict", tuple: "tuple", list: "list"}
    return names.get(type(like), "node") in outline


def _kind_of(like: Any) -> str:
    if KINDS[type(like)] is None:
        return f"a leaf, {described(like)}" if len(described(like)) < 60 else f"a leaf of type {type(like).__name__}"
    if like is None:
        return "None"
    if isinstance(like, tuple) and hasattr(like, "_fields"):
        return f"a named tuple {type(like).__name__}"
    return f"a {type(like).__name__}"
