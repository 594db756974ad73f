"""The functions of `olympus.tree` under their older names, and the keys of paths."""

from __future__ import annotations

from collections.abc import Iterable

from olympus_core.errors import ArgumentError, described

from .tree import (
    DictKey,
    FlattenedIndexKey,
    GetAttrKey,
    Partial,
    SequenceKey,
    _structure,
    keystr,
    register_dataclass,
    register_pytree_node,
    register_pytree_node_class,
    register_pytree_with_keys,
    register_pytree_with_keys_class,
    register_static,
)
from .tree import TreeDef as PyTreeDef
from .tree import all as tree_all
from .tree import broadcast as tree_broadcast
from .tree import flatten as tree_flatten
from .tree import flatten_with_path as tree_flatten_with_path
from .tree import leaves as tree_leaves
from .tree import leaves_with_path as tree_leaves_with_path
from .tree import map as tree_map
from .tree import map_with_path as tree_map_with_path
from .tree import reduce as tree_reduce
from .tree import reduce_associative as tree_reduce_associative
from .tree import structure as tree_structure
from .tree import transpose as tree_transpose
from .tree import unflatten as tree_unflatten
from .trees.treedef import KINDS as _KINDS
from .trees.treedef import LEAF, kind_of, make_treedef
from .trees.treedef import TreeDef as _TreeDef

_TUPLE = _KINDS.of_container(tuple)

__all__ = [
    "DictKey", "FlattenedIndexKey", "GetAttrKey", "Partial", "PyTreeDef", "SequenceKey", "all_leaves", "keystr",
    "register_dataclass", "register_pytree_node", "register_pytree_node_class", "register_pytree_with_keys",
    "register_pytree_with_keys_class", "register_static", "tree_all", "tree_broadcast", "tree_flatten",
    "tree_flatten_with_path", "tree_leaves", "tree_leaves_with_path", "tree_map", "tree_map_with_path", "tree_reduce",
    "tree_reduce_associative", "tree_structure", "tree_transpose", "tree_unflatten", "treedef_children",
    "treedef_is_leaf", "treedef_tuple",
]


def treedef_is_leaf(treedef: _TreeDef) -> bool:
    """Whether a structure is that of a single leaf.

    Args:
        treedef: The structure.

    Returns:
        Whether it is a leaf.

    Example:
        >>> treedef_is_leaf(tree_structure(1)), treedef_is_leaf(tree_structure([1]))
        (True, False)
    """
    return treedef is LEAF


def treedef_children(treedef: _TreeDef) -> list[_TreeDef]:
    """The structures of a container's children.

    Args:
        treedef: The container's structure.

    Returns:
        The children's structures.

    Example:
        >>> treedef_children(tree_structure([1, (2, 3)]))
        [PyTreeDef(*), PyTreeDef((*, *))]
    """
    return _structure("children", treedef).children()


def treedef_tuple(treedefs: tuple[_TreeDef, ...]) -> _TreeDef:
    """The structure of a tuple whose elements have the given structures.

    Args:
        treedefs: The elements' structures.

    Returns:
        The tuple's structure.

    Example:
        >>> treedef_tuple([tree_structure(1), tree_structure([1])])
        PyTreeDef((*, [*]))
    """
    if not isinstance(treedefs, Iterable):
        raise ArgumentError("treedef_tuple", "the argument is not a sequence", described(treedefs), "structures")
    return make_treedef(_TUPLE, None, tuple(_structure("tuple", treedef) for treedef in treedefs))


def all_leaves(iterable: object, is_leaf: object = None) -> bool:
    """Whether none of the elements is a container.

    Args:
        iterable: The elements.
        is_leaf: Says of a container that it is to be taken as a leaf.

    Returns:
        Whether all are leaves.

    Example:
        >>> all_leaves([1, 2]), all_leaves([1, [2]])
        (True, False)
    """
    if not isinstance(iterable, Iterable):
        raise ArgumentError("all_leaves", "the argument is not a sequence", described(iterable), "a sequence")
    return all(
        kind_of(type(x)) is None or (is_leaf is not None and is_leaf(x)) for x in iterable)  # type: ignore[operator]
