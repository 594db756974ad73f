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
from .treedef import TreeDef, flatten_tree, flatten_up_to, make_treedef

__all__ = [
    "TreeDef", "broadcast", "flatten", "flatten_with_path", "keystr", "leaves", "leaves_with_path", "map",
    "pair", "register_pytree_node", "structure", "unflatten",
]


def flatten(tree: Any, is_leaf: IsLeaf | None = None) -> tuple[list[Any], TreeDef]:
    """As `olympus.tree.flatten`."""
    return flatten_tree(tree, is_leaf, INSIDE if INSIDE.differs else KINDS)


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
    found, treedef = flatten(tree, is_leaf)
    columns = [flatten_up_to(treedef, other) for other in rest]
    return treedef.unflatten([f(*row) for row in zip(found, *columns, strict=True)])


def broadcast(prefix_tree: Any, full_tree: Any, is_leaf: IsLeaf | None = None) -> Any:
    """As `olympus.tree.broadcast`."""
    found, treedef = flatten(prefix_tree, is_leaf)
    repeated: list[Any] = []
    for leaf, subtree in zip(found, flatten_up_to(treedef, full_tree), strict=True):
        repeated.extend([leaf] * structure(subtree).num_leaves)
    return structure(full_tree).unflatten(repeated)


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
