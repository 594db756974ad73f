"""The registry of containers as one object, for code that passes registries around."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .functions import flatten, flatten_one_level, flatten_one_level_with_keys, flatten_with_path, is_tree_node
from .nodes import Flatten, register_pytree_node
from .treedef import TreeDef

__all__ = ["PyTreeRegistry", "default_registry"]


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
