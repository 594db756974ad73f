# SPDX-License-Identifier: Apache-2.0
"""Trees: nested containers of arrays, taken apart into leaves and put together again.

A container is a list, tuple, dict, named tuple, `OrderedDict`, `defaultdict`, None (which is empty), or of a class that
was registered. Everything else is a leaf.
"""

from olympus_core.deferred import listed

from .trees.functions import (
    all,
    broadcast,
    flatten,
    flatten_with_path,
    leaves,
    leaves_with_path,
    map,
    map_with_path,
    reduce,
    reduce_associative,
    structure,
    transpose,
    unflatten,
)
from .trees.nodes import (
    Partial,
    register_dataclass,
    register_pytree_node,
    register_pytree_node_class,
    register_pytree_with_keys,
    register_pytree_with_keys_class,
    register_static,
    static,
)
from .trees.paths import DictKey, FlattenedIndexKey, GetAttrKey, SequenceKey, keystr
from .trees.treedef import TreeDef

__all__ = [
    "DictKey", "FlattenedIndexKey", "GetAttrKey", "Partial", "SequenceKey", "TreeDef", "all", "broadcast", "flatten",
    "flatten_with_path", "keystr", "leaves", "leaves_with_path", "map", "map_with_path", "reduce", "reduce_associative",
    "register_dataclass", "register_pytree_node", "register_pytree_node_class", "register_pytree_with_keys",
    "register_pytree_with_keys_class", "register_static", "static", "structure", "transpose", "unflatten",
]
__dir__ = listed(__all__)
