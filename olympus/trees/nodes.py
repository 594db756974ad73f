# SPDX-License-Identifier: Apache-2.0
"""Which classes are containers: Python's own, and those that users register."""

from __future__ import annotations

import dataclasses
import functools
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from olympus_core.errors import ArgumentError, TreeError, described

from .functions import flatten, flatten_one_level, flatten_one_level_with_keys, flatten_with_path, is_tree_node
from .kinds import INSIDE, KINDS, Kind
from .paths import DictKey, GetAttrKey, SequenceKey
from .treedef import TreeDef

Class = TypeVar("Class", bound=type)
Flatten = Callable[[Any], tuple[Iterable[Any], Any]]


def _sorted_keys(x: dict[Any, Any]) -> tuple[Any, ...]:
    try:
        return tuple(sorted(x))
    except TypeError as error:
        raise TreeError("The keys of a dict cannot be compared with each other.", given=list(x),
                        expected="keys of one type") from error


def _flatten_dict(x: dict[Any, Any]) -> tuple[list[Any], Any]:
    keys = _sorted_keys(x)
    return [x[key] for key in keys], keys


def _flatten_default_dict(x: defaultdict[Any, Any]) -> tuple[list[Any], Any]:
    keys = _sorted_keys(x)
    return [x[key] for key in keys], (x.default_factory, keys)


def _sequence_keys(x: Sequence[Any]) -> list[SequenceKey]:
    return [SequenceKey(i) for i in range(len(x))]


def _tuple_text(data: Any, texts: list[str]) -> str:
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"


def _dict_text(keys: tuple[Any, ...], texts: list[str]) -> str:
    return "{" + ", ".join(f"{key!r}: {text}" for key, text in zip(keys, texts, strict=True)) + "}"


def _custom_text(cls: type) -> Callable[[Any, list[str]], str]:
    return lambda data, texts: f"CustomNode({cls.__name__}[{data}], [{', '.join(texts)}])"


def _add(cls: type, *parts: Any) -> None:
    KINDS[cls] = Kind(cls, *parts)


_add(tuple, lambda x: (x, None), lambda data, children: tuple(children), _sequence_keys, _tuple_text)
_add(list, lambda x: (x, None), lambda data, children: list(children), _sequence_keys,
     lambda data, texts: f"[{', '.join(texts)}]")
_add(dict, _flatten_dict, lambda keys, children: dict(zip(keys, children, strict=True)),
     lambda x: [DictKey(key) for key in _sorted_keys(x)], _dict_text)
_add(type(None), lambda x: ((), None), lambda data, children: None, lambda x: (), lambda data, texts: "None")
_add(OrderedDict, lambda x: (list(x.values()), tuple(x)),
     lambda keys, children: OrderedDict(zip(keys, children, strict=True)),
     lambda x: [DictKey(key) for key in x], _custom_text(OrderedDict))
_add(defaultdict, _flatten_default_dict,
     lambda data, children: defaultdict(data[0], zip(data[1], children, strict=True)),
     lambda x: [DictKey(key) for key in _sorted_keys(x)], _custom_text(defaultdict))


def _check_class(cls: Any, *methods: str) -> None:
    if not isinstance(cls, type) or not all(callable(getattr(cls, method, None)) for method in methods):
        having = f" with {' and '.join(methods)}" if methods else ""
        raise ArgumentError("tree_util", f"what is registered is no class{having}", described(cls), f"a class{having}")


def _register(
    cls: type, flatten: Flatten, unflatten: Callable[[Any, Any], Any], keys: Callable[[Any], Sequence[Any]] | None
) -> None:
    _check_class(cls)
    for function in (flatten, unflatten):
        if not callable(function):
            raise ArgumentError("tree_util", "what is registered is not a function", described(function),
                                "functions that take an instance apart and put one together")
    if KINDS.get(cls) is not None:
        raise TreeError(f"Class {cls.__qualname__} is registered as a container already.", cls, "one registration")
    KINDS[cls] = Kind(cls, flatten, unflatten, keys, _custom_text(cls))
    INSIDE.pop(cls, None)


def register_pytree_node(
    nodetype: type, flatten_func: Flatten, unflatten_func: Callable[[Any, Any], Any],
    flatten_with_keys_func: Callable[[Any], tuple[Iterable[tuple[Any, Any]], Any]] | None = None,
) -> None:
    """Makes a class a container.

    Args:
        nodetype: The class.
        flatten_func: Takes an instance; gives its children and what else makes it up, which should be hashable.
        unflatten_func: Takes the latter and the children; gives an instance.
        flatten_with_keys_func: As `flatten_func`, with pairs of path key and child.

    Raises:
        TreeError: If the class is a container already.

    Example:
        >>> import olympus
        >>> class Pair:
        ...     def __init__(self, a, b):
        ...         self.a, self.b = a, b
        >>> register_pytree_node(Pair, lambda p: ((p.a, p.b), None), lambda data, children: Pair(*children))
        >>> olympus.tree.leaves(Pair(1, 2))
        [1, 2]
    """
    if not callable(unflatten_func):
        raise ArgumentError("tree_util", "unflatten_func is not a function", described(unflatten_func), "a function")
    keys = None
    if flatten_with_keys_func is not None:
        keys = _keys_function(flatten_with_keys_func)
    _register(nodetype, flatten_func, lambda data, children: unflatten_func(data, tuple(children)), keys)


def _keys_function(flatten_with_keys: Callable[[Any], tuple[Iterable[tuple[Any, Any]], Any]]) -> Callable[[Any], Any]:
    return lambda x: [key for key, _ in flatten_with_keys(x)[0]]


def register_pytree_with_keys(
    nodetype: type, flatten_with_keys: Callable[[Any], tuple[Iterable[tuple[Any, Any]], Any]],
    unflatten_func: Callable[[Any, Any], Any], flatten_func: Flatten | None = None,
) -> None:
    """Makes a class a container whose children have path keys.

    Args:
        nodetype: The class.
        flatten_with_keys: Takes an instance; gives pairs of path key and child, and what else makes it up.
        unflatten_func: Takes the latter and the children; gives an instance.
        flatten_func: As `flatten_with_keys`, without the keys: quicker.

    Raises:
        TreeError: If the class is a container already.

    Example:
        >>> import olympus
        >>> class Box:
        ...     def __init__(self, item):
        ...         self.item = item
        >>> register_pytree_with_keys(
        ...     Box, lambda b: ([(GetAttrKey("item"), b.item)], None), lambda data, children: Box(*children))
        >>> olympus.tree.leaves_with_path(Box(3))
        [((GetAttrKey(name='item'),), 3)]
    """

    def flatten(x: Any) -> tuple[Iterable[Any], Any]:
        pairs, data = flatten_with_keys(x)
        return [child for _, child in pairs], data

    register_pytree_node(nodetype, flatten_func or flatten, unflatten_func, flatten_with_keys)


def register_pytree_node_class(cls: Class) -> Class:
    """Makes a class with methods `tree_flatten` and `tree_unflatten` (a class method) a container; a decorator.

    Args:
        cls: The class.

    Returns:
        The class.

    Example:
        >>> import olympus
        >>> @register_pytree_node_class
        ... class Single:
        ...     def __init__(self, item):
        ...         self.item = item
        ...     def tree_flatten(self):
        ...         return (self.item,), None
        ...     @classmethod
        ...     def tree_unflatten(cls, data, children):
        ...         return cls(*children)
        >>> olympus.tree.map(lambda x: x + 1, Single(1)).item
        2
    """
    _check_class(cls, "tree_flatten", "tree_unflatten")
    register_pytree_node(cls, lambda x: x.tree_flatten(), cls.tree_unflatten)  # type: ignore[attr-defined]
    return cls


def register_pytree_with_keys_class(cls: Class) -> Class:
    """Makes a class with methods `tree_flatten_with_keys` and `tree_unflatten` a container; a decorator.

    Args:
        cls: The class; a method `tree_flatten` is used where there is one.

    Returns:
        The class.

    Example:
        >>> import olympus
        >>> @register_pytree_with_keys_class
        ... class Labelled:
        ...     def __init__(self, item):
        ...         self.item = item
        ...     def tree_flatten_with_keys(self):
        ...         return [(GetAttrKey("item"), self.item)], None
        ...     @classmethod
        ...     def tree_unflatten(cls, data, children):
        ...         return cls(*children)
        >>> olympus.tree.leaves(Labelled(1))
        [1]
    """
    _check_class(cls, "tree_flatten_with_keys", "tree_unflatten")
    flatten = (lambda x: x.tree_flatten()) if hasattr(cls, "tree_flatten") else None
    register_pytree_with_keys(
        cls, lambda x: x.tree_flatten_with_keys(), cls.tree_unflatten, flatten)  # type: ignore[attr-defined]
    return cls


def register_dataclass(
    nodetype: Class | None = None, data_fields: Sequence[str] | None = None, meta_fields: Sequence[str] | None = None,
    drop_fields: Sequence[str] = (),
) -> Any:
    """Makes a dataclass a container; works as a decorator too.

    Args:
        nodetype: The class.
        data_fields: Names of the fields that are children; None: all that are not declared with
            ``field(metadata=dict(static=True))``.
        meta_fields: Names of the fields that are part of the structure, with hashable values.
        drop_fields: Names of fields that are left out.

    Returns:
        The class.

    Raises:
        TreeError: If the names are not those of the class's fields, or the class is a container already.

    Example:
        >>> import dataclasses, olympus
        >>> @register_dataclass
        ... @dataclasses.dataclass
        ... class Layer:
        ...     weights: float
        ...     name: str = dataclasses.field(metadata=dict(static=True))
        >>> olympus.tree.map(lambda x: 2 * x, Layer(1.5, "first"))
        Layer(weights=3.0, name='first')
    """
    if nodetype is None:
        return functools.partial(
            register_dataclass, data_fields=data_fields, meta_fields=meta_fields, drop_fields=drop_fields)
    _check_class(nodetype)
    data, meta = _dataclass_fields(nodetype, data_fields, meta_fields, drop_fields)
    keys = [GetAttrKey(name) for name in data]

    def flatten(x: Any) -> tuple[list[Any], Any]:
        return [getattr(x, name) for name in data], tuple(getattr(x, name) for name in meta)

    def unflatten(values: Any, children: Iterable[Any]) -> Any:
        return nodetype(**dict(zip(meta, values, strict=True)), **dict(zip(data, children, strict=True)))

    _register(nodetype, flatten, unflatten, lambda x: keys)
    return nodetype


def static(**kwargs: Any) -> Any:
    """A dataclass field that is part of the structure: `dataclasses.field` with ``metadata={"static": True}``.

    Args:
        **kwargs: Arguments of `dataclasses.field`.

    Returns:
        The field.

    Example:
        >>> import dataclasses, olympus
        >>> @register_dataclass
        ... @dataclasses.dataclass
        ... class Layer:
        ...     weights: float
        ...     name: str = static(default="first")
        >>> olympus.tree.leaves(Layer(1.5))
        [1.5]
    """
    return dataclasses.field(**{**kwargs, "metadata": {**(kwargs.get("metadata") or {}), "static": True}})


def _dataclass_fields(
    cls: type, data: Sequence[str] | None, meta: Sequence[str] | None, drop: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    for names in (data, meta, drop):
        if names is not None and not (isinstance(names, (list, tuple, set, frozenset)) and all(
            isinstance(name, str) for name in names)
        ):
            raise ArgumentError("register_dataclass", "the fields are not a list of names", described(names),
                                "names of the class's fields, in a list")
    if (data is None) != (meta is None):
        raise TreeError("data_fields and meta_fields belong together.", given=(data, meta), expected="both, or neither")
    fields = [f for f in dataclasses.fields(cls) if f.init] if dataclasses.is_dataclass(cls) else None
    if data is None or meta is None:
        if fields is None:
            raise TreeError(f"Class {cls.__qualname__} is not a dataclass.",
                            expected="a dataclass, or data_fields and meta_fields")
        kept = [f for f in fields if f.name not in drop]
        return (tuple(f.name for f in kept if not f.metadata.get("static", False)),
                tuple(f.name for f in kept if f.metadata.get("static", False)))
    if fields is not None and {*data, *meta, *drop} != {f.name for f in fields} | set(drop):
        raise TreeError(f"The names are not those of the fields of {cls.__qualname__}.", given=[*data, *meta],
                        expected=[f.name for f in fields if f.name not in drop])
    return tuple(data), tuple(meta)


def register_static(cls: Class) -> Class:
    """Makes the instances of a class part of the structure: containers without children; a decorator.

    Args:
        cls: The class; its instances must be hashable and comparable.

    Returns:
        The class.

    Example:
        >>> import olympus
        >>> @register_static
        ... class Name(str):
        ...     pass
        >>> olympus.tree.leaves([Name("a"), 1])
        [1]
    """
    _register(cls, lambda x: ((), x), lambda data, children: data, lambda x: ())
    return cls


class Partial(functools.partial):
    """A `functools.partial` whose arguments are children of a container, so that it can cross jit.

    Args:
        func: The function.
        *args: Its first arguments.
        **keywords: Its keyword arguments.

    Example:
        >>> import olympus
        >>> add_one = Partial(lambda x, y: x + y, 1)
        >>> add_one(2), olympus.tree.leaves(add_one)
        (3, [1])
    """

    def __new__(cls, func: Callable[..., Any], /, *args: Any, **keywords: Any) -> Partial:
        """Says the parameters, which `functools.partial` does not tell."""
        return super().__new__(cls, func, *args, **keywords)


_register(
    Partial, lambda x: ((x.args, x.keywords), x.func),
    lambda func, children: Partial(func, *children[0], **children[1]),
    lambda x: (GetAttrKey("args"), GetAttrKey("keywords")),
)


class PyTreeRegistry:
    """What is registered in this process: there is one, `default_registry`.

    Example:
        >>> default_registry.flatten_one_level([1, (2,)]), default_registry.is_node(set)
        (([1, (2,)], None), False)
    """

    __slots__ = ()

    def flatten(self, tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> tuple[list[Any], TreeDef]:
        """As `olympus.tree.flatten`."""
        return flatten(tree, is_leaf)

    def flatten_with_path(
        self, tree: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False
    ) -> tuple[list[tuple[tuple[Any, ...], Any]], TreeDef]:
        """As `olympus.tree.flatten_with_path`."""
        return flatten_with_path(tree, is_leaf, is_leaf_takes_path)

    def flatten_one_level(self, tree: Any) -> tuple[list[Any], Any] | None:
        """The children of a container and its static data; None for a leaf."""
        return flatten_one_level(tree) if is_tree_node(type(tree)) else None

    def flatten_one_level_with_keys(self, tree: Any) -> tuple[list[tuple[Any, Any]], Any] | None:
        """The same with the children's keys; None for a leaf."""
        return flatten_one_level_with_keys(tree) if is_tree_node(type(tree)) else None

    def is_node(self, typ: type) -> bool:
        """Whether instances of a class are containers."""
        return is_tree_node(typ)

    def register_node(
        self, nodetype: type, to_iterable: Flatten, from_iterable: Callable[[Any, Any], Any],
        to_iterable_with_keys: Callable[[Any], tuple[Iterable[tuple[Any, Any]], Any]] | None = None,
    ) -> None:
        """As `olympus.tree_util.register_pytree_node`."""
        register_pytree_node(nodetype, to_iterable, from_iterable, to_iterable_with_keys)


default_registry = PyTreeRegistry()
