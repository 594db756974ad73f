# SPDX-License-Identifier: Apache-2.0
"""Structures of trees: taking a tree apart and putting it together."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any

from olympus_core.errors import ArgumentError, TreeError, described
from olympus_core.interning import Interned

from .generated import packer, unpacker
from .kinds import (
    INSIDE,
    KINDS,
    OPAQUE,
    Kind,
    are_equal,
    exact_key,
    holds,
    keys_of,
    marks_of,
    snapshot,
)
from .paths import keystr

_USES_BEFORE_GENERATION = 30  # after so many traversals, a function for the structure has paid for its generation
_MOST_OUTLINES = 512  # containers' classes and sizes for which candidates are kept
_LARGEST_KEPT = 256  # nodes of a structure that is kept though nobody has it
_MOST_CANDIDATES = 4  # structures tried for each of them


class TreeDef:
    """The structure of a tree: hashable, comparable, printable.

    Made by `olympus.tree.structure` and `olympus.tree.flatten`.

    Attributes:
        num_leaves: How many leaves it has.
        num_nodes: How many leaves and containers.
        marks: What tells it from equal structures whose static data are not interchangeable, as 1 and 1.0 are not; part
            of the key wherever something is remembered that was traced for a structure.
    """

    # Interchangeable structures are one object, as far as that can be told; this class's are equal only then.
    __slots__ = ("__weakref__", "_children", "_data", "_has_objects", "_is_flat", "_is_interned", "_kind", "_pack",
                 "_unpack", "_uses", "num_leaves", "num_nodes")
    num_leaves: int
    num_nodes: int
    marks: Hashable = None

    def __init__(self, kind: Kind | None, data: Any, children: tuple[TreeDef, ...], interned: bool) -> None:
        self._kind, self._data, self._children, self._is_interned = kind, data, children, interned
        self._has_objects = not interned  # whether static data hold objects of users, which nothing here keeps alive
        is_flat, leaves, nodes = True, 0, 1
        for child in children:
            is_flat = is_flat and child is LEAF
            leaves += child.num_leaves
            nodes += child.num_nodes
        self._is_flat, self.num_leaves, self.num_nodes = is_flat, leaves if kind else 1, nodes
        # Traversals are counted, until functions that are generated for the structure do it.
        self._uses = 0
        self._pack: Callable[[list[Any]], Any] | None = None
        self._unpack: Callable[[Any], list[Any] | None] | None = None

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """Puts a tree of this structure together from its leaves."""
        if type(leaves) is list:
            given = leaves
        elif isinstance(leaves, Iterable):
            given = list(leaves)
        else:
            raise TreeError("The leaves are not a list.", described(leaves), f"{self.num_leaves} leaves for {self}")
        if len(given) != self.num_leaves:
            raise TreeError("The number of leaves is not that of the structure.", f"{len(given)} leaves",
                            f"{self.num_leaves} leaves for {self}")
        if self._pack is not None:
            return self._pack(given)
        if self._kind is None:
            return given[0]
        self._count()
        if self._is_flat:
            return self._kind.unflatten(self._data, given)
        return self._build(iter(given))

    def _build(self, leaves: Iterator[Any]) -> Any:
        if self._kind is None:
            return next(leaves)
        return self._kind.unflatten(self._data, [
            next(leaves) if child._kind is None else child._build(leaves) for child in self._children])

    def _count(self) -> None:
        """After many traversals of trees of this structure, lets generated functions do it."""
        uses = self._uses = self._uses + 1
        if uses == _USES_BEFORE_GENERATION:
            self._pack = packer(self)
            if self._is_interned:
                self._unpack = unpacker(self, is_exact=True)

    def flatten_up_to(self, tree: Any) -> list[Any]:
        """The parts of a tree that stand at this structure's leaves."""
        return flatten_up_to(self, tree)

    def children(self) -> list[TreeDef]:
        """The structures of the children."""
        return list(self._children)

    def node_data(self) -> tuple[type, Any] | None:
        """The container's class and its static data, which is all but the children; None for a leaf."""
        return None if self._kind is None else (self._kind.type, self._data)

    def known_data(self) -> Any:
        """The container's static data as they were when the structure was made."""
        return self._data

    def compose(self, inner: TreeDef) -> TreeDef:
        """This structure with `inner` instead of every leaf."""
        if self._kind is None:
            return inner
        return make_treedef(self._kind, self._data, tuple(child.compose(inner) for child in self._children))

    def walk(
        self, f_node: Callable[[Any, Any], Any], f_leaf: Callable[[Any], Any] | None, leaves: Iterable[Any]
    ) -> Any:
        """Folds a tree of this structure from its leaves up.

        Args:
            f_node: Takes a tuple of what was made of a container's children, and its static data.
            f_leaf: What is made of a leaf; None for the leaf itself.
            leaves: The leaves.

        Returns:
            What is made of the whole tree.
        """
        given = list(leaves)
        if len(given) != self.num_leaves:
            raise TreeError("The number of leaves is not that of the structure.", f"{len(given)} leaves",
                            f"{self.num_leaves} leaves for {self}")
        return self._fold(f_node, f_leaf, iter(given))

    def _fold(
        self, f_node: Callable[[Any, Any], Any], f_leaf: Callable[[Any], Any] | None, leaves: Iterator[Any]
    ) -> Any:
        if self._kind is None:
            return next(leaves) if f_leaf is None else f_leaf(next(leaves))
        return f_node(tuple(child._fold(f_node, f_leaf, leaves) for child in self._children), self._data)

    def _text(self) -> str:
        if self._kind is None:
            return "*"
        return self._kind.text(self._data, [child._text() for child in self._children])

    def __repr__(self) -> str:
        return f"PyTreeDef({self._text()})"

    def __reduce__(self) -> tuple[Any, ...]:
        if self._kind is None:
            return _leaf, ()
        return _unpickled, (self._kind.type, self._data, self._children)


class _ComparedTreeDef(TreeDef):
    """A structure that equals others by its static data: with a key 1, those with a key True.

    Static data that cannot be hashed, such as a dict, count by what they hold when the structure is made, so that a
    structure that is a cache's key does not change with them.
    """

    __slots__ = ("_hash", "_known", "_marks")

    def __init__(self, kind: Kind, data: Any, children: tuple[TreeDef, ...], interned: bool) -> None:
        super().__init__(kind, data, children, interned)
        self._known = data
        self._hash: int | None = None
        self._marks: Hashable = None
        if not interned:  # data that may change
            try:
                self._hash = hash((id(kind), data, children))
            except TypeError:
                self._known, self._hash = snapshot(data), hash((id(kind), children))

    @property
    def marks(self) -> Hashable:  # type: ignore[override]
        if self._marks is None:  # few ask, and of arrays they are the bytes
            self._marks = (marks_of(self._known), *[c.marks for c in self._children if c.marks is not None])
        return self._marks

    def known_data(self) -> Any:
        return self._known

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, TreeDef):
            return NotImplemented
        return (self._kind is other._kind and self.num_leaves == other.num_leaves
                and self._children == other._children and are_equal(self._known, other.known_data()))

    def __hash__(self) -> int:
        if self._hash is None:
            try:
                self._hash = hash((id(self._kind), self._data, self._children))
            except TypeError:  # an object that is equal to itself alone, and has no hash
                self._hash = hash((id(self._kind), self._children))
        return self._hash


LEAF = TreeDef(None, None, (), True)
_interned: Interned[TreeDef] = Interned()
# Who flattens trees again and again and keeps no structure need not have each made anew.
_recent: deque[TreeDef] = deque(maxlen=128)
_candidates: dict[Any, tuple[TreeDef, ...]] = {}  # by a container's class and size: structures that it had before
_inside_candidates: dict[Any, tuple[TreeDef, ...]] = {}  # the same for transformations, of which more is a container


def forget_structures() -> None:
    """Drops the structures that nobody has."""
    for known in (_recent, _candidates, _inside_candidates):
        known.clear()


def _leaf() -> TreeDef:
    return LEAF


def _unpickled(cls: type, data: Any, children: tuple[TreeDef, ...]) -> TreeDef:
    kind = INSIDE[cls]
    if kind is None:
        raise TreeError("A structure holds a class that is not registered as a container here.", cls.__qualname__)
    return make_treedef(kind, data, children)


def treedef_argument(function: str, treedef: Any) -> TreeDef:
    """An argument that must be a structure."""
    if not isinstance(treedef, TreeDef):
        raise ArgumentError(f"tree.{function}", "an argument is not a structure", described(treedef),
                            "what olympus.tree.structure gives")
    return treedef


def make_treedef(kind: Kind, data: Any, children: tuple[TreeDef, ...]) -> TreeDef:
    """The structure of a container."""
    own = None if data is None else exact_key(data)
    if own is not OPAQUE:
        # Of objects their identity: a structure keeps its data and children, and its key goes with it.
        key = (kind, own, *map(id, children))
        known = _interned.find(key)
        if known is not None and (found := known()) is not None:
            return found
        if all([child._is_interned for child in children]):
            has_numbers, has_objects = holds(data)
            is_plain = not has_numbers and _ComparedTreeDef not in map(type, children)
            made = (TreeDef if is_plain else _ComparedTreeDef)(kind, data, children, True)
            made._has_objects = has_objects or any([child._has_objects for child in children])
            return _interned.add(key, made)
    return _ComparedTreeDef(kind, data, children, False)


Kinds = Mapping[type, "Kind | None"]


def flatten_tree(
    tree: Any, is_leaf: Callable[[Any], bool] | None = None, kinds: Kinds = KINDS
) -> tuple[list[Any], TreeDef]:
    """The leaves of a tree, and its structure; `kinds` says what is a container."""
    if is_leaf is not None:
        if not callable(is_leaf):
            raise ArgumentError("tree", "is_leaf is not a function", described(is_leaf), "a function of a tree's part")
        found: list[Any] = []
        return found, _flatten_asking(tree, found, is_leaf, kinds)
    cls = type(tree)
    kind = kinds[cls]
    if kind is None:
        return [tree], LEAF
    outline = (cls, len(tree)) if cls is dict or cls is tuple or cls is list else cls
    known = _candidates if kinds is KINDS else _inside_candidates
    for candidate in known.get(outline, ()):  # each has its generated function
        leaves: list[Any] | None = candidate._unpack(tree)  # type: ignore[misc]
        if leaves is not None and not any(map(kinds.__getitem__, {*map(type, leaves)})):
            return leaves, candidate
    found = []
    structure = _flatten_container(tree, kind, found, kinds)
    if structure._unpack is None:
        if structure._uses == 0 and not structure._has_objects and structure.num_nodes <= _LARGEST_KEPT:
            _recent.append(structure)
        structure._count()
    elif structure not in (candidates := known.get(outline, ())):
        if len(known) >= _MOST_OUTLINES:
            known.clear()
        known[outline] = (structure, *candidates)[:_MOST_CANDIDATES]
    return found, structure


def _flatten_container(tree: Any, kind: Kind, found: list[Any], kinds: Kinds) -> TreeDef:
    """Appends the leaves of a container to a list and gives the structure."""
    children, data = kind.flatten(tree)
    definitions = []
    for child in children:
        below = kinds[type(child)]
        if below is None:
            found.append(child)
            definitions.append(LEAF)
        else:
            definitions.append(_flatten_container(child, below, found, kinds))
    return make_treedef(kind, data, tuple(definitions))


def _flatten_asking(tree: Any, found: list[Any], is_leaf: Callable[[Any], bool], kinds: Kinds) -> TreeDef:
    """Appends the leaves of a tree to a list and gives the structure; containers may be leaves."""
    if is_leaf(tree) or (kind := kinds[type(tree)]) is None:  # leaves are asked about, too: programs count on it
        found.append(tree)
        return LEAF
    children, data = kind.flatten(tree)
    return make_treedef(kind, data, tuple([_flatten_asking(child, found, is_leaf, kinds) for child in children]))


def with_data(treedef: TreeDef, kind: Kind, change: Callable[[Any], Any]) -> TreeDef:
    """A structure with other static data of its containers of one kind."""
    if treedef._kind is None:
        return treedef
    data = change(treedef._data) if treedef._kind is kind else treedef._data
    return make_treedef(treedef._kind, data, tuple(with_data(child, kind, change) for child in treedef._children))


def structure_of(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> TreeDef:
    """The structure of a tree."""
    return flatten_tree(tree, is_leaf)[1]


def flatten_up_to(treedef: TreeDef, tree: Any) -> list[Any]:
    """The parts of a tree that stand at a structure's leaves; raises `TreeError` where it differs."""
    if treedef._unpack is not None:
        parts = treedef._unpack(tree)
        if parts is not None:
            return parts
    found: list[Any] = []
    _collect(treedef, tree, found, ())
    if treedef._unpack is None:
        treedef._count()
    return found


def map_tree(
    f: Callable[..., Any], tree: Any, rest: tuple[Any, ...], is_leaf: Callable[[Any], bool] | None = None,
    kinds: Kinds = KINDS,
) -> Any:
    """The tree of what a function gives for every leaf, with the parts of further trees at its position."""
    found, treedef = flatten_tree(tree, is_leaf, kinds)
    if not rest:
        return treedef.unflatten([f(leaf) for leaf in found])
    columns = [flatten_up_to(treedef, other) for other in rest]
    return treedef.unflatten([f(*row) for row in zip(found, *columns, strict=True)])


def broadcast_tree(
    prefix_tree: Any, full_tree: Any, is_leaf: Callable[[Any], bool] | None = None, kinds: Kinds = KINDS
) -> Any:
    """A prefix's leaves, each for all leaves that the full tree has at its position."""
    found, treedef = flatten_tree(prefix_tree, is_leaf, kinds)
    repeated: list[Any] = []
    for leaf, subtree in zip(found, flatten_up_to(treedef, full_tree), strict=True):
        repeated.extend([leaf] * flatten_tree(subtree, None, kinds)[1].num_leaves)
    return flatten_tree(full_tree, None, kinds)[1].unflatten(repeated)


def _collect(treedef: TreeDef, tree: Any, found: list[Any], path: tuple[Any, ...]) -> None:
    kind = treedef._kind
    if kind is None:
        found.append(tree)
        return
    own = INSIDE[type(tree)]
    if own is not kind:
        raise _mismatch("another container", treedef, tree, path)
    children, data = kind.flatten(tree)
    children = list(children)
    if isinstance(tree, dict) and data != treedef._data:
        raise _mismatch("other keys (Dict key mismatch)", treedef, tree, path)
    if len(children) != len(treedef._children):
        raise _mismatch("another number of children", treedef, tree, path)
    if data is not treedef._data and not are_equal(data, treedef._data):
        raise _mismatch("other keys or other static data", treedef, tree, path)
    if treedef._is_flat:
        found.extend(children)
        return
    for i, (definition, child) in enumerate(zip(treedef._children, children, strict=True)):
        _collect(definition, child, found, (path, tree, i))


def _mismatch(what: str, treedef: TreeDef, tree: Any, path: tuple[Any, ...]) -> TreeError:
    keys: list[Any] = []
    while path:
        path, container, i = path
        keys.append(keys_of(container)[i])
    where = keystr(tuple(reversed(keys)))
    problem = f"At {where}, a tree has {what}." if where else f"A tree has {what}."
    return TreeError(problem, structure_of(tree), treedef)
