# SPDX-License-Identifier: Apache-2.0
"""Functions of trees and of their structures."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from olympus_core.errors import ArgumentError, TreeError, described

from .kinds import KINDS, keys_of, kind_of
from .paths import FlattenedIndexKey
from .treedef import (
    LEAF,
    Kinds,
    TreeDef,
    broadcast_tree,
    flatten_tree,
    flatten_up_to,
    make_treedef,
    map_tree,
    structure_of,
    treedef_argument,
)

_all = all

IsLeaf = Callable[[Any], bool]
Path = tuple[Any, ...]


class _NotGiven:
    def __repr__(self) -> str:
        return "<not given>"


_NOTHING: Any = _NotGiven()


def _no_function(name: str, given: Any) -> ArgumentError:
    return ArgumentError(f"tree.{name}", "the argument that is to be called is not a function", described(given),
                         "a function")


def flatten(tree: Any, is_leaf: IsLeaf | None = None) -> tuple[list[Any], TreeDef]:
    """Takes a tree apart.

    Args:
        tree: The tree.
        is_leaf: Whether a container counts as a leaf.

    Returns:
        The leaves in order, and the structure, with which `unflatten` puts the tree together again.

    Example:
        >>> flatten({"b": [1, 2], "a": 3})
        ([3, 1, 2], PyTreeDef({'a': *, 'b': [*, *]}))
    """
    return flatten_tree(tree, is_leaf)


def unflatten(treedef: TreeDef, leaves: Iterable[Any]) -> Any:
    """Puts a tree together.

    Args:
        treedef: The structure.
        leaves: As many leaves as the structure has.

    Returns:
        The tree.

    Raises:
        TreeError: If the number of leaves is another.

    Example:
        >>> leaves, treedef = flatten({"a": 3, "b": [1, 2]})
        >>> unflatten(treedef, [10, 20, 30])
        {'a': 10, 'b': [20, 30]}
    """
    return treedef_argument("unflatten", treedef).unflatten(leaves)


def leaves(tree: Any, is_leaf: IsLeaf | None = None) -> list[Any]:
    """The leaves of a tree, in order.

    Args:
        tree: The tree.
        is_leaf: Whether a container counts as a leaf.

    Returns:
        The leaves.

    Example:
        >>> leaves({"b": [1, 2], "a": 3})
        [3, 1, 2]
    """
    return flatten_tree(tree, is_leaf)[0]


def structure(tree: Any, is_leaf: IsLeaf | None = None) -> TreeDef:
    """The structure of a tree, without its leaves.

    Args:
        tree: The tree.
        is_leaf: Whether a container counts as a leaf.

    Returns:
        The structure.

    Example:
        >>> structure((1, {"a": 2}))
        PyTreeDef((*, {'a': *}))
    """
    return structure_of(tree, is_leaf)


def map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: IsLeaf | None = None) -> Any:
    """Calls a function for every leaf and makes a tree of the results.

    Args:
        f: Takes a leaf of `tree` and the parts of the trees of `rest` at its position.
        tree: The tree that gives the structure.
        *rest: Trees with the same structure, or with more of it where `tree` has a leaf.
        is_leaf: Whether a container counts as a leaf.

    Returns:
        The tree of the results.

    Raises:
        TreeError: If a tree of `rest` has another structure.

    Example:
        >>> map(lambda x, y: x + y, {"a": 1, "b": 2}, {"a": 10, "b": 20})
        {'a': 11, 'b': 22}
    """
    if not callable(f):
        raise _no_function("map", f)
    return map_tree(f, tree, rest, is_leaf)


def reduce(
    function: Callable[[Any, Any], Any], tree: Any, initializer: Any = _NOTHING, is_leaf: IsLeaf | None = None
) -> Any:
    """Folds the leaves from left to right.

    Args:
        function: Takes what was folded so far and the next leaf.
        tree: The tree.
        initializer: What to begin with; the first leaf where it is not given.
        is_leaf: Whether a container counts as a leaf.

    Returns:
        The result.

    Example:
        >>> reduce(lambda x, y: x + y, {"a": 1, "b": [2, 3]})
        6
    """
    if not callable(function):
        raise _no_function("reduce", function)
    found = leaves(tree, is_leaf)
    if initializer is not _NOTHING:
        return functools.reduce(function, found, initializer)
    if not found:
        raise TreeError("A tree without leaves has nothing to reduce, and nothing to begin with was given.", given=tree,
                        expected="one leaf or more, or an initializer")
    return functools.reduce(function, found)


def reduce_associative(
    operation: Callable[[Any, Any], Any], tree: Any, *, identity: Any = _NOTHING, is_leaf: IsLeaf | None = None
) -> Any:
    """Folds the leaves pairwise, which keeps chains of dependence short.

    Args:
        operation: An associative function of two leaves.
        tree: The tree.
        identity: The result for a tree without leaves.
        is_leaf: Whether a container counts as a leaf.

    Returns:
        The result.

    Raises:
        TreeError: For a tree without leaves, if there is no identity.

    Example:
        >>> reduce_associative(lambda x, y: x + y, [1, 2, 3, 4])
        10
    """
    if not callable(operation):
        raise _no_function("reduce_associative", operation)
    level = leaves(tree, is_leaf)
    if not level:
        if identity is _NOTHING:
            raise TreeError("A tree without leaves has nothing to reduce, and no identity was given.", given=tree)
        return identity
    while len(level) > 1:
        pairs = [operation(a, b) for a, b in zip(level[::2], level[1::2], strict=False)]
        level = pairs + level[len(pairs) * 2:]
    return level[0]


def all(tree: Any, *, is_leaf: IsLeaf | None = None) -> bool:
    """Whether every leaf is true.

    Args:
        tree: The tree.
        is_leaf: Whether a container counts as a leaf.

    Returns:
        Whether every leaf is true; True for a tree without leaves.

    Example:
        >>> all({"a": True, "b": [True, False]})
        False
    """
    return _all(leaves(tree, is_leaf))


def transpose(outer_treedef: TreeDef, inner_treedef: TreeDef | None, pytree_to_transpose: Any) -> Any:
    """Transposes a tree of trees.

    Args:
        outer_treedef: The structure of the outer tree.
        inner_treedef: The structure of each inner tree; found from the first one where it is None.
        pytree_to_transpose: The tree of trees.

    Returns:
        A tree of structure `inner_treedef` whose leaves are trees of structure `outer_treedef`.

    Raises:
        TreeError: If the tree has another structure.

    Example:
        >>> transpose(structure([0, 0]), structure({"a": 0, "b": 0}), [{"a": 1, "b": 2}, {"a": 3, "b": 4}])
        {'a': [1, 3], 'b': [2, 4]}
    """
    treedef_argument("transpose", outer_treedef)
    if inner_treedef is not None:
        treedef_argument("transpose", inner_treedef)
    inner_trees = _inner_trees(outer_treedef, inner_treedef, pytree_to_transpose)
    if inner_treedef is None:
        if not inner_trees:
            raise TreeError("The inner structure is not known, since the outer one has no leaves.", outer_treedef)
        inner_treedef = structure_of(inner_trees[0])
    rows = [flatten_up_to(inner_treedef, inner) for inner in inner_trees]
    columns = zip(*rows, strict=True) if rows else ([] for _ in range(inner_treedef.num_leaves))
    return inner_treedef.unflatten([outer_treedef.unflatten(column) for column in columns])


def _inner_trees(outer: TreeDef, inner: TreeDef | None, tree: Any) -> list[Any]:
    """The trees at the leaves of the outer structure."""
    container = outer.node_data()
    if inner is None or container is None or container[0] is not type(tree) or isinstance(tree, (list, tuple, dict)):
        return flatten_up_to(outer, tree)
    found, own = flatten_tree(tree)
    if own == outer or own.num_leaves != len(own.children()) or len(found) != outer.num_leaves * inner.num_leaves:
        return flatten_up_to(outer, tree)
    # A container that gives the leaves of all below as its own children: the structures are its static data.
    size = inner.num_leaves
    return [inner.unflatten(found[i * size:(i + 1) * size]) for i in range(outer.num_leaves)]


def broadcast(prefix_tree: Any, full_tree: Any, is_leaf: IsLeaf | None = None) -> Any:
    """Repeats each leaf of a prefix for all leaves that the full tree has at its position.

    Args:
        prefix_tree: A tree that has leaves where `full_tree` may have containers.
        full_tree: The tree that gives the structure.
        is_leaf: Whether a container of the prefix counts as a leaf.

    Returns:
        A tree of the structure of `full_tree`.

    Example:
        >>> broadcast([1, 2], [{"a": 0, "b": 0}, 0])
        [{'a': 1, 'b': 1}, 2]
    """
    return broadcast_tree(prefix_tree, full_tree, is_leaf)


def leaves_with_path(
    tree: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False
) -> list[tuple[Path, Any]]:
    """The leaves of a tree, each with the keys that lead to it.

    Args:
        tree: The tree.
        is_leaf: Whether a container counts as a leaf.
        is_leaf_takes_path: Whether `is_leaf` is called with the path and the container.

    Returns:
        Pairs of path and leaf, in order.

    Example:
        >>> from olympus.tree import keystr
        >>> [(keystr(path), leaf) for path, leaf in leaves_with_path({"a": [1, 2]})]
        [("['a'][0]", 1), ("['a'][1]", 2)]
    """
    return flatten_with_path(tree, is_leaf, is_leaf_takes_path)[0]


def _collect(
    tree: Any, is_leaf: Callable[[Path, Any], bool] | None, path: Path, found: list[tuple[Path, Any]], kinds: Kinds
) -> TreeDef:
    """Appends the leaves of a tree to a list, with their paths, and gives the structure."""
    if (is_leaf is not None and is_leaf(path, tree)) or (kind := kinds[type(tree)]) is None:
        found.append((path, tree))
        return LEAF
    children, data = kind.flatten(tree)
    children = list(children)
    keys = keys_of(tree) if kind is kind_of(type(tree)) else [FlattenedIndexKey(i) for i in range(len(children))]
    return make_treedef(kind, data, tuple([
        _collect(child, is_leaf, (*path, key), found, kinds) for key, child in zip(keys, children, strict=True)]))


def paths_and_structure(
    tree: Any, is_leaf: Callable[..., bool] | None, is_leaf_takes_path: bool, kinds: Kinds
) -> tuple[list[tuple[Path, Any]], TreeDef]:
    """What `flatten_with_path` gives; `kinds` says what is a container."""
    asked: Callable[[Path, Any], bool] | None = is_leaf
    if is_leaf is not None and not is_leaf_takes_path:
        def asked(path: Path, x: Any) -> bool:
            return is_leaf(x)
    found: list[tuple[Path, Any]] = []
    return found, _collect(tree, asked, (), found, kinds)


def flatten_with_path(
    tree: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False
) -> tuple[list[tuple[Path, Any]], TreeDef]:
    """Takes a tree apart, with the keys that lead to each leaf.

    Args:
        tree: The tree.
        is_leaf: Whether a container counts as a leaf.
        is_leaf_takes_path: Whether `is_leaf` is called with the path and the container.

    Returns:
        Pairs of path and leaf, in order; and the structure.

    Example:
        >>> pairs, treedef = flatten_with_path({"a": 1})
        >>> pairs, treedef
        ([((DictKey(key='a'),), 1)], PyTreeDef({'a': *}))
    """
    return paths_and_structure(tree, is_leaf, is_leaf_takes_path, KINDS)


def map_with_path(
    f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: Callable[..., bool] | None = None,
    is_leaf_takes_path: bool = False,
) -> Any:
    """Calls a function for every leaf, with the keys that lead to it.

    Args:
        f: Takes the path, the leaf, and the parts of the trees of `rest` at its position.
        tree: The tree that gives the structure.
        *rest: Trees with the same structure.
        is_leaf: Whether a container counts as a leaf.
        is_leaf_takes_path: Whether `is_leaf` is called with the path and the container.

    Returns:
        The tree of the results.

    Example:
        >>> from olympus.tree import keystr
        >>> map_with_path(lambda path, x: keystr(path) + str(x), {"a": 1, "b": [2]})
        {'a': "['a']1", 'b': ["['b'][0]2"]}
    """
    if not callable(f):
        raise _no_function("map_with_path", f)
    pairs, treedef = flatten_with_path(tree, is_leaf, is_leaf_takes_path)
    columns: list[Sequence[Any]] = [flatten_up_to(treedef, other) for other in rest]
    paths, found = [p for p, _ in pairs], [leaf for _, leaf in pairs]
    return treedef.unflatten([f(*row) for row in zip(paths, found, *columns, strict=True)])


def treedef_is_leaf(treedef: TreeDef) -> bool:
    """Whether a structure is that of a single leaf.

    Args:
        treedef: The structure.

    Returns:
        Whether it is a leaf.

    Example:
        >>> treedef_is_leaf(structure(1)), treedef_is_leaf(structure([1]))
        (True, False)
    """
    return treedef is LEAF


def treedef_children(treedef: TreeDef) -> list[TreeDef]:
    """The structures of a container's children.

    Args:
        treedef: The container's structure.

    Returns:
        The children's structures.

    Example:
        >>> treedef_children(structure([1, (2, 3)]))
        [PyTreeDef(*), PyTreeDef((*, *))]
    """
    return treedef_argument("children", treedef).children()


def treedef_tuple(treedefs: tuple[TreeDef, ...]) -> TreeDef:
    """The structure of a tuple whose elements have the given structures.

    Args:
        treedefs: The elements' structures.

    Returns:
        The tuple's structure.

    Example:
        >>> treedef_tuple([structure(1), structure([1])])
        PyTreeDef((*, [*]))
    """
    if not isinstance(treedefs, Iterable):
        raise ArgumentError("treedef_tuple", "the argument is not a sequence", described(treedefs), "structures")
    children = tuple(treedef_argument("tuple", treedef) for treedef in treedefs)
    return make_treedef(KINDS.of_container(tuple), None, children)


def all_leaves(iterable: object, is_leaf: object = None) -> bool:
    """Whether none of the elements is a container.

    Args:
        iterable: The elements.
        is_leaf: Whether a container counts as a leaf.

    Returns:
        Whether all are leaves.

    Example:
        >>> all_leaves([1, 2]), all_leaves([1, [2]])
        (True, False)
    """
    if not isinstance(iterable, Iterable):
        raise ArgumentError("all_leaves", "the argument is not a sequence", described(iterable), "a sequence")
    return _all(
        (is_leaf is not None and is_leaf(x)) or kind_of(type(x)) is None for x in iterable)  # type: ignore[operator]


def is_tree_node(typ: type) -> bool:
    """Whether instances of a class are containers.

    Args:
        typ: The class.

    Returns:
        Whether they are; of Python's own containers, of named tuples, of registered classes.

    Example:
        >>> is_tree_node(dict), is_tree_node(set)
        (True, False)
    """
    return isinstance(typ, type) and kind_of(typ) is not None


def _one_level(function: str, tree: Any) -> tuple[list[Any], Any]:
    kind = kind_of(type(tree))
    if kind is None:
        raise TreeError(f"{function} takes a container.", described(tree),
                        "a list, tuple, dict, named tuple, None, or an instance of a registered class")
    children, data = kind.flatten(tree)
    return list(children), data


def flatten_one_level(tree: Any) -> tuple[list[Any], Any]:
    """The children of a container, and all else that makes it up.

    Args:
        tree: The container.

    Returns:
        The children, which may be containers themselves, and the static data.

    Raises:
        TreeError: For a leaf.

    Example:
        >>> flatten_one_level({"b": [1, 2], "a": 3})
        ([3, [1, 2]], ('a', 'b'))
    """
    return _one_level("flatten_one_level", tree)


def flatten_one_level_with_keys(tree: Any) -> tuple[list[tuple[Any, Any]], Any]:
    """As `flatten_one_level`, each child with the key that leads to it.

    Args:
        tree: The container.

    Returns:
        Pairs of key and child, and the static data.

    Raises:
        TreeError: For a leaf.

    Example:
        >>> flatten_one_level_with_keys([3, (1, 2)])
        ([(SequenceKey(idx=0), 3), (SequenceKey(idx=1), (1, 2))], None)
    """
    children, data = _one_level("flatten_one_level_with_keys", tree)
    return list(zip(keys_of(tree), children, strict=True)), data
