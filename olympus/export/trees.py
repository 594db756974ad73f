# SPDX-License-Identifier: Apache-2.0
"""Structures of containers as data, and which classes of users may stand in them."""

from __future__ import annotations

import collections
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from olympus_core.errors import ArgumentError, ArtefactError, NotExportableError

from .. import tree
from ..trees.kinds import KINDS
from .encoding import Decoder, Encoder, entries, text

T = TypeVar("T", bound=type)
_BUILT_IN: dict[str, type] = {"tuple": tuple, "list": list, "dict": dict, "None": type(None),
                              "OrderedDict": collections.OrderedDict}
_NAMES = {kind: name for name, kind in _BUILT_IN.items()}


@dataclass(frozen=True)
class _Stored:
    """How a class of users is stored.

    Args:
        name: Its name in artefacts.
        type: The class.
        write: Its static data to bytes.
        read: The bytes to the static data.
        make: Static data and children to an object.
    """

    name: str
    type: type
    write: Callable[[Any], bytes]
    read: Callable[[bytes], Any]
    make: Callable[[Any, Any], Any]


_of_type: dict[type, _Stored] = {}
_of_name: dict[str, _Stored] = {}


def register_pytree_node_serialization(
    nodetype: T, *, serialized_name: str, serialize_auxdata: Callable[[Any], bytes],
    deserialize_auxdata: Callable[[bytes], Any], from_children: Callable[[Any, Any], Any] | None = None,
) -> T:
    """Lets a class that is registered as a container stand in what an exported function takes and gives.

    Args:
        nodetype: The class.
        serialized_name: Its name in artefacts, which must mean the same class where they are read.
        serialize_auxdata: The static data of its flattened form to bytes.
        deserialize_auxdata: The bytes to the static data. It must not run what the bytes say: they may be a stranger's.
        from_children: Static data and children to an object; for None as the class is registered to.

    Returns:
        The class.

    Raises:
        ArgumentError: When the class or the name is registered already.

    Example:
        >>> import olympus
        >>> from olympus import export
        >>> @olympus.tree_util.register_pytree_node_class
        ... class Pair:
        ...     def __init__(self, a, b): self.a, self.b = a, b
        ...     def tree_flatten(self): return (self.a, self.b), None
        ...     @classmethod
        ...     def tree_unflatten(cls, data, children): return cls(*children)
        >>> kind = export.register_pytree_node_serialization(
        ...     Pair, serialized_name="examples.Pair", serialize_auxdata=lambda data: b"",
        ...     deserialize_auxdata=lambda stored: None)
    """
    if nodetype in _of_type or serialized_name in _of_name:
        raise ArgumentError("register_pytree_node_serialization", "the class or the name is registered already",
                            f"{nodetype.__name__} as {serialized_name!r}", "one registration of each")
    kind = KINDS.get(nodetype)
    make = from_children or getattr(nodetype, "tree_unflatten", None) or (None if kind is None else kind.unflatten)
    if make is None:
        raise ArgumentError("register_pytree_node_serialization", "it is not known how to make an object",
                            nodetype.__name__, "from_children=, or a class that is registered as a container",
                            "Call olympus.tree_util.register_pytree_node first.")
    stored = _Stored(serialized_name, nodetype, serialize_auxdata, deserialize_auxdata, make)
    _of_type[nodetype] = stored
    _of_name[serialized_name] = stored
    return nodetype


def register_namedtuple_serialization(nodetype: T, *, serialized_name: str) -> T:
    """Lets a class of named tuples stand in what an exported function takes and gives.

    Args:
        nodetype: The class.
        serialized_name: Its name in artefacts, which must mean the same class where they are read.

    Returns:
        The class.

    Example:
        >>> import collections
        >>> from olympus import export
        >>> Point = collections.namedtuple("Point", "x y")
        >>> kind = export.register_namedtuple_serialization(Point, serialized_name="examples.Point")
    """
    return register_pytree_node_serialization(
        nodetype, serialized_name=serialized_name, serialize_auxdata=lambda data: b"",
        deserialize_auxdata=lambda stored: None, from_children=lambda data, children: nodetype(*children))


def encoded(structure: Any, encoder: Encoder, function: str) -> Any:
    """A structure as data."""
    known = structure.node_data()
    if known is None:
        return "*"
    kind, data = known
    children = [encoded(child, encoder, function) for child in structure.children()]
    if kind in _NAMES:
        return [_NAMES[kind], encoder.value(tuple(data) if isinstance(data, (list, tuple)) else data), children]
    stored = _of_type.get(kind)
    if stored is None:
        raise NotExportableError(
            function, "it takes or gives a container whose class has no stored form", kind.__name__,
            "Call olympus.export.register_pytree_node_serialization, or register_namedtuple_serialization.")
    return [stored.name, bytes(stored.write(data)).hex(), children]


def decoded(data: Any, decoder: Decoder) -> Any:
    """The structure that data stand for."""
    try:
        return tree.structure(_example(data, decoder, 0), is_leaf=lambda x: x is _LEAF)
    except ArtefactError:
        raise
    except Exception as error:  # what a class of the user's makes of a stranger's bytes
        raise ArtefactError(f"a structure is none ({type(error).__name__}: {error})") from error


def made_of(data: Any) -> Any:
    """The structure of data that were read: ``"*"`` for a leaf, else a container's name, its data, what is in it.

    Args:
        data: That; a container's data are its keys, or the bytes of a class of the user's.
    """
    try:
        return tree.structure(_made(data), is_leaf=lambda x: x is _LEAF)
    except ArtefactError:
        raise
    except Exception as error:  # what a class of the user's makes of a stranger's bytes
        raise ArtefactError(f"a structure is none ({type(error).__name__}: {error})") from error


def _made(data: Any) -> Any:
    return _LEAF if data == "*" else _container(data[0], data[1], [_made(child) for child in data[2]])


_LEAF = object()


def _example(data: Any, decoder: Decoder, depth: int) -> Any:
    if data == "*":
        return _LEAF
    if depth > 256:
        raise ArtefactError("its structures are nested too deep")
    name, static, below = entries(data, "a structure", 3)
    children = [_example(child, decoder, depth + 1) for child in entries(below, "children")]
    if text(name, "a container's name") in _BUILT_IN:
        return _container(name, entries(list(decoder.value(static) or ()), "keys"), children)
    return _container(name, bytes.fromhex(text(static, "static data")), children)


def _container(name: str, static: Any, children: list[Any]) -> Any:
    kind = _BUILT_IN.get(name)
    if kind is None:
        stored = _of_name.get(name)
        if stored is None:
            raise ArtefactError(f"it has a container {name!r} that is not registered here (olympus.export."
                                "register_pytree_node_serialization)")
        return stored.make(stored.read(static), children)
    if kind in (tuple, list):
        return kind(children)
    if kind is type(None):
        return None
    return kind(zip(entries(static, "keys", len(children)), children, strict=True))


__all__ = ["decoded", "encoded", "made_of", "register_namedtuple_serialization",
           "register_pytree_node_serialization"]
