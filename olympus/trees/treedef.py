"""Structures of trees: taking a tree apart and putting it together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from olympus_core.errors import TreeError


class Kind:
    """How a class of containers is taken apart.

    Args:
        type: The class.
        flatten: Gives the children and what else makes up the container.
        unflatten: Makes a container of that and the children.
        keys: Gives the path keys of the children; None for keys that count them.
        text: Makes the text of the structure from what `flatten` gave and the children's texts.
    """

    __slots__ = ("flatten", "keys", "text", "type", "unflatten")

    def __init__(
        self, type: type, flatten: Callable[[Any], tuple[Iterable[Any], Any]], unflatten: Callable[[Any, Any], Any],
        keys: Callable[[Any], Sequence[Any]] | None, text: Callable[[Any, list[str]], str],
    ) -> None:
        self.type, self.flatten, self.unflatten, self.keys, self.text = type, flatten, unflatten, keys, text


_UNKNOWN: Any = object()
KINDS: dict[type, Kind | None] = {}  # None: the class's instances are leaves


def kind_of(cls: type) -> Kind | None:
    """How instances of a class are taken apart; None when they are leaves."""
    kind = KINDS.get(cls, _UNKNOWN)
    if kind is _UNKNOWN:
        kind = KINDS[cls] = _named_tuple(cls) if issubclass(cls, tuple) and hasattr(cls, "_fields") else None
    return kind


def _named_tuple(cls: Any) -> Kind:
    from .paths import GetAttrKey

    keys = tuple(GetAttrKey(name) for name in cls._fields)
    return Kind(
        cls, lambda x: (x, None), lambda data, children: cls(*children), lambda x: keys,
        lambda data, texts: f"CustomNode(namedtuple[{cls.__name__}], [{', '.join(texts)}])",
    )


class TreeDef:
    """The structure of a tree: hashable, comparable, printable.

    Made by `olympus.tree.structure` and `olympus.tree.flatten`.
    """

    __slots__ = ("_children", "_data", "_hash", "_is_flat", "_is_interned", "_kind", "num_leaves", "num_nodes")
    num_leaves: int
    num_nodes: int

    def __init__(self, kind: Kind | None, data: Any, children: tuple[TreeDef, ...], interned: bool) -> None:
        self._kind, self._data, self._children, self._is_interned = kind, data, children, interned
        self._is_flat = all(child is LEAF for child in children)
        self.num_leaves = sum(child.num_leaves for child in children) if kind else 1
        self.num_nodes = 1 + sum(child.num_nodes for child in children)
        self._hash: int | None = None

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """Puts a tree of this structure together from its leaves."""
        given = leaves if isinstance(leaves, list) else list(leaves)
        if len(given) != self.num_leaves:
            raise TreeError("The number of leaves is not that of the structure.", f"{len(given)} leaves",
                            f"{self.num_leaves} leaves for {self}")
        if self._kind is None:
            return given[0]
        if self._is_flat:
            return self._kind.unflatten(self._data, given)
        return self._build(iter(given))

    def _build(self, leaves: Iterator[Any]) -> Any:
        if self._kind is None:
            return next(leaves)
        return self._kind.unflatten(self._data, [child._build(leaves) for child in self._children])

    def flatten_up_to(self, tree: Any) -> list[Any]:
        """The parts of a tree that stand at the places of this structure's leaves."""
        return flatten_up_to(self, tree)

    def children(self) -> list[TreeDef]:
        """The structures of the children."""
        return list(self._children)

    def node_data(self) -> tuple[type, Any] | None:
        """The container's class and what makes it up besides the children; None for a leaf."""
        return None if self._kind is None else (self._kind.type, self._data)

    def compose(self, inner: TreeDef) -> TreeDef:
        """This structure with `inner` in the place of every leaf."""
        if self._kind is None:
            return inner
        return make_treedef(self._kind, self._data, tuple(child.compose(inner) for child in self._children))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, TreeDef):
            return NotImplemented
        if self._is_interned and other._is_interned:
            return False
        return (self._kind is other._kind and self.num_leaves == other.num_leaves
                and self._children == other._children and bool(self._data == other._data))

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = id(self) if self._is_interned else hash((id(self._kind), self._data, self._children))
        return self._hash

    def _text(self) -> str:
        if self._kind is None:
            return "*"
        return self._kind.text(self._data, [child._text() for child in self._children])

    def __repr__(self) -> str:
        return f"PyTreeDef({self._text()})"

    def __reduce__(self) -> tuple[Any, ...]:
        if self._kind is None:
            return _leaf, ()
        return _restored, (self._kind.type, self._data, self._children)


LEAF = TreeDef(None, None, (), True)
_interned: dict[tuple[Kind, Any, tuple[TreeDef, ...]], TreeDef] = {}


def _leaf() -> TreeDef:
    return LEAF


def _restored(cls: type, data: Any, children: tuple[TreeDef, ...]) -> TreeDef:
    kind = kind_of(cls)
    if kind is None:
        raise TreeError("A structure holds a class that is not registered as a container here.", cls.__qualname__)
    return make_treedef(kind, data, children)


def _is_exact(data: Any) -> bool:
    """Whether equal data are surely interchangeable: 1, 1.0 and True are equal and are not."""
    if data is None or type(data) is str:
        return True
    return type(data) is tuple and all(item is None or type(item) is str or _is_exact(item) for item in data)


def make_treedef(kind: Kind, data: Any, children: tuple[TreeDef, ...]) -> TreeDef:
    """The structure of a container."""
    if data is None or _is_exact(data):
        key = (kind, data, children)
        found = _interned.get(key)
        if found is not None:
            return found
        if all(child._is_interned for child in children):
            return _interned.setdefault(key, TreeDef(kind, data, children, True))
    return TreeDef(kind, data, children, False)


def flatten_leaves(tree: Any, found: list[Any], is_leaf: Callable[[Any], bool] | None = None) -> TreeDef:
    """Appends the leaves of a tree to a list and gives the structure."""
    kind = KINDS.get(type(tree), _UNKNOWN)
    if kind is _UNKNOWN:
        kind = kind_of(type(tree))
    if kind is None or (is_leaf is not None and is_leaf(tree)):
        found.append(tree)
        return LEAF
    children, data = kind.flatten(tree)
    definitions = []
    if is_leaf is None:
        for child in children:
            if KINDS.get(type(child), _UNKNOWN) is None:
                found.append(child)
                definitions.append(LEAF)
            else:
                definitions.append(flatten_leaves(child, found))
    else:
        for child in children:
            definitions.append(flatten_leaves(child, found, is_leaf))
    return make_treedef(kind, data, tuple(definitions))


def structure_of(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> TreeDef:
    """The structure of a tree."""
    return flatten_leaves(tree, [], is_leaf)


def flatten_up_to(treedef: TreeDef, tree: Any) -> list[Any]:
    """The parts of a tree that stand at the places of a structure's leaves; raises `TreeError` where it differs."""
    found: list[Any] = []
    _collect(treedef, tree, found, ())
    return found


def _collect(treedef: TreeDef, tree: Any, found: list[Any], path: tuple[Any, ...]) -> None:
    kind = treedef._kind
    if kind is None:
        found.append(tree)
        return
    own = kind_of(type(tree))
    if own is not kind:
        raise _mismatch("another container", treedef, tree, path)
    children, data = kind.flatten(tree)
    children = list(children)
    if len(children) != len(treedef._children):
        raise _mismatch("another number of children", treedef, tree, path)
    if data is not treedef._data and data != treedef._data:
        raise _mismatch("other keys or other static data", treedef, tree, path)
    if treedef._is_flat:
        found.extend(children)
        return
    for i, (definition, child) in enumerate(zip(treedef._children, children, strict=True)):
        _collect(definition, child, found, (path, tree, i))


def _mismatch(what: str, treedef: TreeDef, tree: Any, path: tuple[Any, ...]) -> TreeError:
    from .paths import keys_of, keystr

    keys: list[Any] = []
    while path:
        path, container, i = path
        keys.append(keys_of(container)[i])
    where = keystr(tuple(reversed(keys)))
    place = f"At {where}, a tree has {what}." if where else f"A tree has {what}."
    return TreeError(place, structure_of(tree), treedef)
