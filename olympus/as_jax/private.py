# SPDX-License-Identifier: Apache-2.0
"""What stands for private names of JAX that olympus has no other use for."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np

from olympus.devices import process_count, process_index
from olympus.dtypes import result_type
from olympus.extend.core import Primitive
from olympus.numpy.creation import asarray
from olympus.operands import convert
from olympus.tracing import aval_of
from olympus.tracing.trace import is_evaluating as trace_state_clean
from olympus.trees.functions import all_leaves, flatten_with_path
from olympus.trees.kinds import KINDS
from olympus.trees.nodes import default_registry
from olympus.trees.paths import keystr
from olympus_core.errors import NotSupportedError, described
from olympus_core.location import EXCLUDED_FILES
from olympus_core.runtime.world import opened_world

__all__ = [
    "ExtendedDType", "SupportsDType", "Unavailable", "api_boundary", "excluded_paths", "global_state",
    "infer_argnums_and_argnames", "opened_backends", "prefix_errors", "promote_dtypes_complex", "reconstruct_array",
    "registered_nodes", "stop_gradient_p", "supports_inf", "to_complex_dtype", "trace_state_clean",
]

# Neither JAX nor olympus binds it; libraries give it a rule.
stop_gradient_p = Primitive("stop_gradient")


def reconstruct_array(fun: Callable[..., Any], args: Any, state: Any, known: dict[str, Any]) -> Any:
    """The array that JAX has pickled.

    Args:
        fun: Makes a NumPy array without content.
        args: What it takes.
        state: The content.
        known: What is known of it besides: whether its type is weak.
    """
    host = fun(*args)
    host.__setstate__(state)
    found = asarray(host)
    return convert(found, aval_of(found).dtype, True) if known.get("weak_type") else found


class ExtendedDType:
    """The base of element types that libraries define; functions of olympus refuse them with an error of their own."""


class Unavailable:
    """What stands for a name that libraries only mention, and which olympus does not have: any use is an error.

    Args:
        name: The name.
        reason: Why olympus does not have it.
    """

    def __init__(self, name: str, reason: str) -> None:
        self._name, self._reason = name, reason

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        """Refuses."""
        raise NotSupportedError(self._name, self._reason, "Leave out the part of the library that needs it.")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Unavailable(f"{self._name}.{name}", self._reason)


class _ExcludedPaths:
    """The files of libraries that tracebacks leave out, as the list that JAX has of them."""

    def append(self, path: str) -> None:
        """Leaves a file out."""
        EXCLUDED_FILES.add(path)

    def remove(self, path: str) -> None:
        """Shows a file's frames again."""
        EXCLUDED_FILES.discard(path)

    def __contains__(self, path: str) -> bool:
        return path in EXCLUDED_FILES

    def __iter__(self) -> Iterator[str]:
        return iter(EXCLUDED_FILES)

    def __len__(self) -> int:
        return len(EXCLUDED_FILES)


excluded_paths = _ExcludedPaths()


def prefix_errors(
    prefix_tree: Any, full_tree: Any, is_leaf: Callable[[Any], bool] | None = None
) -> list[Callable[[str], ValueError]]:
    """Where one tree is no prefix of another: for each such place, what makes an error from the tree's name.

    Args:
        prefix_tree: The tree that should be a prefix.
        full_tree: The tree whose leaves it should speak of.
        is_leaf: What counts as a leaf of the first.
    """
    return list(_prefix_errors((), prefix_tree, full_tree, is_leaf))


def _prefix_errors(
    path: tuple[Any, ...], prefix: Any, full: Any, is_leaf: Callable[[Any], bool] | None
) -> Iterator[Callable[[str], ValueError]]:
    if all_leaves([prefix], is_leaf=is_leaf):
        return
    items, outer = flatten_with_path(prefix, is_leaf=lambda x: x is not prefix)
    parts, inner = flatten_with_path(full, is_leaf=lambda x: x is not full)
    if type(prefix) is not type(full) or outer != inner:
        yield lambda name: ValueError(
            f"{name}{keystr(path)} is no prefix of the values: {described(prefix)} for {described(full)}")
        return
    for (key, item), (_, part) in zip(items, parts, strict=True):
        yield from _prefix_errors((*path, *key), item, part, is_leaf)


class _GlobalState:
    """Which process this is, and how libraries would reach the others."""

    @property
    def process_id(self) -> int:
        """The process's number."""
        return process_index()

    @property
    def num_processes(self) -> int:
        """How many processes there are."""
        return process_count()

    @property
    def client(self) -> None:
        """JAX's key-value store, of which a single process has none.

        Raises:
            NotSupportedError: Where there are more processes.
        """
        if process_count() > 1:
            raise NotSupportedError("jax._src.distributed.global_state.client", "olympus's processes have none",
                                    "Use jax.experimental.multihost_utils.")


global_state = _GlobalState()


class _Node(NamedTuple):
    """How a class of containers is taken apart and put together.

    Args:
        to_iter: Gives the children and the static data.
        from_iter: Makes a container of the static data and the children.
    """

    to_iter: Callable[[Any], tuple[Iterable[Any], Any]]
    from_iter: Callable[[Any, Any], Any]


class _Nodes:
    """The classes whose instances are containers."""

    def __contains__(self, cls: type) -> bool:
        return default_registry.is_node(cls)

    def __getitem__(self, cls: type) -> _Node:
        if (kind := KINDS[cls]) is None:
            raise KeyError(cls)
        return _Node(kind.flatten, kind.unflatten)


registered_nodes = _Nodes()


class _Backends(Mapping[str, Any]):
    """The platforms whose devices are open, by name; looking does not open them."""

    def __getitem__(self, name: str) -> Any:
        world = opened_world()
        if world is None:
            raise KeyError(name)
        return world.clients[name]

    def __iter__(self) -> Iterator[str]:
        world = opened_world()
        return iter(() if world is None else world.clients)

    def __len__(self) -> int:
        return sum(1 for _ in self)


opened_backends = _Backends()


def api_boundary(function: Callable[..., Any], **_: Any) -> Callable[..., Any]:
    """The function itself: tracebacks leave out olympus's own frames by the option ``olympus_traceback_filtering``."""
    return function


def infer_argnums_and_argnames(
    sig: inspect.Signature, argnums: int | Iterable[int] | None, argnames: str | Iterable[str] | None
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The positions and the names of parameters of which the ones or the others are given.

    Args:
        sig: The parameters.
        argnums: Positions, or None.
        argnames: Names, or None.
    """
    positional = [name for name, parameter in sig.parameters.items()
                  if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)]
    numbers = None if argnums is None else (argnums,) if isinstance(argnums, int) else tuple(argnums)
    names = None if argnames is None else (argnames,) if isinstance(argnames, str) else tuple(argnames)
    if numbers is None:
        numbers = () if names is None else tuple(positional.index(name) for name in names if name in positional)
    if names is None:
        names = tuple(name for i, name in enumerate(positional) if i in numbers)
    return numbers, names


def promote_dtypes_complex(*args: Any) -> list[Any]:
    """The operands as complex numbers of one type that holds them all.

    Args:
        *args: Arrays and numbers.
    """
    dtype = result_type(*args, np.complex64)
    return [asarray(x, dtype) for x in args]


def to_complex_dtype(dtype: Any) -> Any:
    """The element type of complex numbers that holds an element type's numbers.

    Args:
        dtype: The element type.
    """
    return result_type(dtype, np.complex64)


class SupportsDType(Protocol):
    """What has an element type."""

    @property
    def dtype(self) -> Any:
        """The element type."""


def supports_inf(dtype: Any) -> bool:
    """Whether an element type has infinities.

    Args:
        dtype: The element type, of floating-point numbers.
    """
    with np.errstate(all="ignore"):
        return bool(np.isinf(np.array(np.inf, dtype).astype(np.float32)))
