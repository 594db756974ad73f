# SPDX-License-Identifier: Apache-2.0
"""The functions of `olympus.tree` under their older names, and the keys of paths."""

from olympus_core.deferred import listed

from .trees.functions import all as tree_all
from .trees.functions import (
    all_leaves,
    flatten_one_level,
    flatten_one_level_with_keys,
    is_tree_node,
    treedef_children,
    treedef_is_leaf,
    treedef_tuple,
)
from .trees.functions import broadcast as tree_broadcast
from .trees.functions import flatten as tree_flatten
from .trees.functions import flatten_with_path as tree_flatten_with_path
from .trees.functions import leaves as tree_leaves
from .trees.functions import leaves_with_path as tree_leaves_with_path
from .trees.functions import map as tree_map
from .trees.functions import map_with_path as tree_map_with_path
from .trees.functions import reduce as tree_reduce
from .trees.functions import reduce_associative as tree_reduce_associative
from .trees.functions import structure as tree_structure
from .trees.functions import transpose as tree_transpose
from .trees.functions import unflatten as tree_unflatten
from .trees.nodes import (
    Partial,
    default_registry,
    register_dataclass,
    register_pytree_node,
    register_pytree_node_class,
    register_pytree_with_keys,
    register_pytree_with_keys_class,
    register_static,
)
from .trees.paths import DictKey, FlattenedIndexKey, GetAttrKey, KeyEntry, KeyPath, SequenceKey, keystr
from .trees.treedef import TreeDef as PyTreeDef

__all__ = [
    "DictKey", "FlattenedIndexKey", "GetAttrKey", "KeyEntry", "KeyPath", "Partial", "PyTreeDef", "SequenceKey",
    "all_leaves", "default_registry", "flatten_one_level", "flatten_one_level_with_keys", "is_tree_node", "keystr",
    "register_dataclass", "register_pytree_node", "register_pytree_node_class", "register_pytree_with_keys",
    "register_pytree_with_keys_class", "register_static", "tree_all", "tree_broadcast", "tree_flatten",
    "tree_flatten_with_path", "tree_leaves", "tree_leaves_with_path", "tree_map", "tree_map_with_path", "tree_reduce",
    "tree_reduce_associative", "tree_structure", "tree_transpose", "tree_unflatten", "treedef_children",
    "treedef_is_leaf", "treedef_tuple",
]
__dir__ = listed(__all__)
