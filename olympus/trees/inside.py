# SPDX-License-Identifier: Apache-2.0
"""The functions of `olympus.tree` as transformations use them: values of libraries' own types are containers of arrays.

For everybody else such values are leaves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .functions import IsLeaf, Path, paths_and_structure, unflatten
from .kinds import INSIDE, KINDS
from .nodes import register_pytree_node
from .paths import keystr
from .treedef import Kinds, TreeDef, broadcast_tree, flatten_tree, make_treedef, map_tree

__all__ = [
    "TreeDef", "broadcast", "flatten", "flatten_with_path", "keystr", "leaves", "leaves_with_path", "map",
    "pair", "register_pytree_node", "structure", "unflatten",
]


def _kinds() -> Kinds:
    return INSIDE if INSIDE.differs else KINDS


def flatten(tree: Any, is_leaf: IsLeaf | None = None) -> tuple[list[Any], TreeDef]:
    """As `olympus.tree.flatten`."""
    return flatten_tree(tree, is_leaf, _kinds())


def leaves(tree: Any, is_leaf: IsLeaf | None = None) -> list[Any]:
    """As `olympus.tree.leaves`."""
    return flatten(tree, is_leaf)[0]


def structure(tree: Any, is_leaf: IsLeaf | None = None) -> TreeDef:
    """As `olympus.tree.structure`."""
    return flatten(tree, is_leaf)[1]


def pair(first: TreeDef, second: TreeDef) -> TreeDef:
    """The structure of a tuple of two."""
    return make_treedef(KINDS.of_container(tuple), None, (first, second))


def map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: IsLeaf | None = None) -> Any:
    """As `olympus.tree.map`."""
    return map_tree(f, tree, rest, is_leaf, _kinds())


def broadcast(prefix_tree: Any, full_tree: Any, is_leaf: IsLeaf | None = None) -> Any:
    """As `olympus.tree.broadcast`."""
    return broadcast_tree(prefix_tree, full_tree, is_leaf, _kinds())


def flatten_with_path(
    tree: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False
) -> tuple[list[tuple[Path, Any]], TreeDef]:
    """As `olympus.tree.flatten_with_path`."""
    return paths_and_structure(tree, is_leaf, is_leaf_takes_path, INSIDE)


def leaves_with_path(
    tree: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False
) -> list[tuple[Path, Any]]:
    """As `olympus.tree.leaves_with_path`."""
    return flatten_with_path(tree, is_leaf, is_leaf_takes_path)[0]
