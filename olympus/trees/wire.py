# SPDX-License-Identifier: Apache-2.0
"""A tree of shapes and element types as JSON, for other processes: nothing that is received is ever run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ReceivedError

from .kinds import KINDS
from .treedef import LEAF, TreeDef, make_treedef

_DEEPEST = 64  # levels of containers
_LARGEST = 64 << 20  # bytes of a message: more than a million leaves
_RANKS = 64  # dimensions, as many as NumPy has
_LIMIT = 1 << 63
_CONTAINERS: dict[str, type] = {"tuple": tuple, "list": list, "dict": dict, "none": type(None)}
_NAMES = {cls: name for name, cls in _CONTAINERS.items()}
_BY_NAME = {dtype.name: dtype for dtype in dtypes.KNOWN_IN_ORDER}


@dataclass(frozen=True, slots=True)
class ArrayFacts:
    """What is told of an array.

    Args:
        shape: Its shape.
        dtype: Type of its elements.
    """

    shape: tuple[int, ...]
    dtype: np.dtype


class Described(NamedTuple):
    """What one process tells of a tree.

    Args:
        outline: The structure; None where it has containers that only Python code can make, such as named tuples.
        digest: Equal in processes that have trees of the same structure, by its text.
        leaves: What is told of the leaves.
    """

    outline: TreeDef | None
    digest: str
    leaves: tuple[ArrayFacts, ...]


def encoded(structure: TreeDef, leaves: Sequence[ArrayFacts]) -> bytes:
    """A message that describes a tree.

    Args:
        structure: Its structure; what only Python code can make is left to the receivers.
        leaves: What is told of its leaves; empty where only the structure is compared.
    """
    return json.dumps({
        "outline": _outline(structure, _DEEPEST),
        "digest": hashlib.sha256(repr(structure).encode()).hexdigest(),
        "leaves": [[leaf.dtype.name, *leaf.shape] for leaf in leaves],
    }, separators=(",", ":")).encode()


def decoded(message: bytes, sender: int, what: str) -> Described:
    """What a message says.

    Args:
        message: What `encoded` gave in another process.
        sender: Index of that process.
        what: What the message is, for people.

    Raises:
        ReceivedError: It is anything else.
    """
    if len(message) > _LARGEST:
        raise ReceivedError(what, sender, f"it has {len(message):,} bytes", f"at most {_LARGEST:,} bytes")
    try:
        found = json.loads(message)
        if type(found) is not dict or set(found) != {"outline", "digest", "leaves"}:
            raise ValueError("it is no description of a tree")
        digest, leaves = found["digest"], found["leaves"]
        if type(digest) is not str or type(leaves) is not list:
            raise ValueError("its parts have other types")
        outline = None if found["outline"] is None else _structure(found["outline"], _DEEPEST)
        facts = tuple(map(_facts, leaves))
        if outline is not None and facts and outline.num_leaves != len(facts):
            raise ValueError(f"it has {len(facts)} leaves in a structure of {outline.num_leaves}")
    # Deep nesting ends in the second, and what is no text in a kind of the first.
    except (ValueError, RecursionError) as error:
        raise ReceivedError(what, sender, str(error), "a description of a tree, as olympus of this version makes it"
                            ) from None
    return Described(outline, digest, facts)


def _outline(structure: TreeDef, depth: int) -> Any:
    """The structure as plain data: ``"*"`` for a leaf, else a container's name, its keys and its parts."""
    node = structure.node_data()
    if node is None:
        return "*"
    cls, data = node
    keys = list(data) if cls is dict else []
    if cls not in _NAMES or not depth or not all(type(key) in (str, int) for key in keys):
        return None
    parts = [_outline(child, depth - 1) for child in structure.children()]
    return None if None in parts else [_NAMES[cls], keys, parts]


def _structure(outline: Any, depth: int) -> TreeDef:
    if outline == "*":
        return LEAF
    if type(outline) is not list or len(outline) != 3 or not depth:
        raise ValueError("its structure is none, or too deep")
    name, keys, parts = outline
    if type(name) is not str or name not in _CONTAINERS or type(keys) is not list or type(parts) is not list:
        raise ValueError("its structure has a container that is unknown")
    cls = _CONTAINERS[name]
    if cls is dict:
        if not all(type(key) in (str, int) for key in keys) or len(set(keys)) != len(keys) or len(keys) != len(parts):
            raise ValueError("its structure has a dict whose keys do not fit")
    elif keys or (cls is type(None) and parts):
        raise ValueError(f"its structure has a {name} with keys or parts")
    children = tuple(_structure(part, depth - 1) for part in parts)
    return make_treedef(KINDS.of_container(cls), tuple(keys) if cls is dict else None, children)


def _facts(leaf: Any) -> ArrayFacts:
    if type(leaf) is not list or not leaf or type(leaf[0]) is not str or leaf[0] not in _BY_NAME:
        raise ValueError("it has a leaf of an unknown type")
    name, *shape = leaf
    if len(shape) > _RANKS or not all(type(size) is int and 0 <= size < _LIMIT for size in shape):
        raise ValueError("it has a leaf whose shape is none")
    return ArrayFacts(tuple(shape), _BY_NAME[name])
