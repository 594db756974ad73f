# SPDX-License-Identifier: Apache-2.0
"""Helpers of functions that transform functions: trees to flat values and back, static arguments, names."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described

from . import tree
from .extend.linear_util import WrappedFun, transformation2, transformation_with_aux2
from .tracing import Aval, aval_of
from .transforms.arguments import source_of
from .transforms.jaxpr import DebugInfo
from .trees.treedef import TreeDef


@transformation_with_aux2
def flatten_fun(f: Callable[..., Any], store: Any, in_tree: TreeDef, *args_flat: Any) -> list[Any]:
    """The function of flat arguments that calls one of trees; and the structure of its results, once it was called.

    Args:
        f: A `WrappedFun`.
        store: Left out by the caller.
        in_tree: The structure of the arguments, a pair of positional and named ones.
        *args_flat: Left out by the caller.

    Example:
        >>> import olympus
        >>> from olympus.api_util import flatten_fun
        >>> from olympus.extend.linear_util import wrap_init
        >>> f, structure = flatten_fun(wrap_init(lambda x, y: {"z": x + y}), olympus.tree.structure(((1,), {"y": 2})))
        >>> f.call_wrapped(1, 2), structure()
        ([3], PyTreeDef({'z': *}))
    """
    args, kwargs = tree.unflatten(in_tree, args_flat)
    found, structure = tree.flatten(f(*args, **kwargs))
    store.store(structure)
    return found


@transformation_with_aux2
def flatten_fun_nokwargs(f: Callable[..., Any], store: Any, in_tree: TreeDef, *args_flat: Any) -> list[Any]:
    """As `flatten_fun`, of a function without named arguments.

    Args:
        f: A `WrappedFun`.
        store: Left out by the caller.
        in_tree: The structure of the arguments.
        *args_flat: Left out by the caller.

    Example:
        >>> import olympus
        >>> from olympus.api_util import flatten_fun_nokwargs
        >>> from olympus.extend.linear_util import wrap_init
        >>> f, structure = flatten_fun_nokwargs(wrap_init(lambda x, y: (x, y)), olympus.tree.structure((1, 2)))
        >>> f.call_wrapped(1, 2), structure()
        ([1, 2], PyTreeDef((*, *)))
    """
    found, structure = tree.flatten(f(*tree.unflatten(in_tree, args_flat)))
    store.store(structure)
    return found


@transformation2
def _with_static(
    f: Callable[..., Any], positions: tuple[int, ...], count: int, static: tuple[Any, ...], *args: Any, **kwargs: Any
) -> Any:
    dynamic, fixed = iter(args), iter(static)
    return f(*(next(dynamic) if i in positions else next(fixed) for i in range(count)), **kwargs)


def argnums_partial(
    f: WrappedFun, dyn_argnums: int | Sequence[int], args: Sequence[Any], require_static_args_hashable: bool = True
) -> tuple[WrappedFun, tuple[Any, ...]]:
    """The function of some of its arguments, the others being fixed.

    Args:
        f: The function.
        dyn_argnums: Which arguments stay arguments.
        args: All arguments.
        require_static_args_hashable: Whether the others must have a hash.

    Returns:
        The function, and the arguments that stay.

    Raises:
        ArgumentError: When an argument that is fixed has no hash.

    Example:
        >>> from olympus.api_util import argnums_partial
        >>> from olympus.extend.linear_util import wrap_init
        >>> f, args = argnums_partial(wrap_init(lambda a, b, c: (a, b, c)), (0, 2), (1, 2, 3))
        >>> args, f.call_wrapped(*args)
        ((1, 3), (1, 2, 3))
    """
    given = (dyn_argnums,) if isinstance(dyn_argnums, int) else tuple(dyn_argnums)
    count = len(args)
    if any(not -count <= n < count for n in given):
        raise ArgumentError("argnums_partial", "there is no such argument", given, f"numbers of {count} arguments")
    positions = tuple(sorted(n % count for n in given))
    static = tuple(x for i, x in enumerate(args) if i not in positions)
    if require_static_args_hashable:
        for x in static:
            try:
                hash(x)
            except TypeError:
                raise ArgumentError("argnums_partial", "a static argument has no hash", described(x),
                                    "a value with __hash__ and __eq__", "Pass a tuple in place of a list.") from None
    return _with_static(f, positions, count, static), tuple(args[i] for i in positions)


def shaped_abstractify(x: Any) -> Aval:
    """What is known of a value before it exists: its type.

    Args:
        x: An array, a number, or what has a shape and a dtype.

    Example:
        >>> import numpy as np
        >>> from olympus.api_util import shaped_abstractify
        >>> shaped_abstractify(np.ones((2, 3), np.float32))
        float32[2,3]
    """
    return aval_of(x)


def debug_info(
    traced_for: str, fun: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], *,
    static_argnums: Sequence[int] = (), static_argnames: Sequence[str] = (), result_paths_thunk: Any = None,
    sourceinfo: str | None = None, signature: inspect.Signature | None = None,
) -> DebugInfo:
    """Where a function comes from, and the names of its flat arguments.

    Args:
        traced_for: The function that traces it.
        fun: The function.
        args: Its arguments.
        kwargs: Its named arguments.
        static_argnums: Which arguments are static: they have no name.
        static_argnames: Likewise, of named ones.
        result_paths_thunk: Accepted for compatibility.
        sourceinfo: What is told of the function; found out when left out.
        signature: Its signature; found out when left out.

    Example:
        >>> from olympus.api_util import debug_info
        >>> debug_info("jit", lambda x, *y, z: x, (1, (2, 3)), {"z": 4}).arg_names
        ('x', 'y[0][0]', 'y[0][1]', 'z')
    """
    if sourceinfo is None:
        sourceinfo = source_of(fun)
    fixed = {n % len(args) for n in static_argnums if -len(args) <= n < len(args)}
    dynamic = [x for i, x in enumerate(args) if i not in fixed]
    named = {key: x for key, x in kwargs.items() if key not in static_argnames}
    try:
        bound = (signature or inspect.signature(fun)).bind(*dynamic, **named)
        paths = [(key, x) for key, x in bound.arguments.items()]
        variadic = {p.name for p in bound.signature.parameters.values() if p.kind is p.VAR_KEYWORD}
    except (TypeError, ValueError):
        paths, variadic = [("args", tuple(dynamic)), *named.items()], set()
    names = []
    for key, x in paths:
        entries = x.items() if key in variadic else [(key, x)]
        names += [f"{entry}{tree_path}" for entry, value in entries for tree_path in _paths(value)]
    return DebugInfo(traced_for, sourceinfo, tuple(names))


def _paths(value: Any) -> list[str]:
    return [tree.keystr(path) for path, _ in tree.leaves_with_path(value)]


def rebase_donate_argnums(donate_argnums: Sequence[int], static_argnums: Sequence[int]) -> tuple[int, ...]:
    """The numbers of donated arguments among those that are not static.

    Args:
        donate_argnums: Their numbers among all.
        static_argnums: The static ones.

    Raises:
        ArgumentError: For an argument that is both.

    Example:
        >>> from olympus.api_util import rebase_donate_argnums
        >>> rebase_donate_argnums((0, 2), (1,))
        (0, 1)
    """
    if both := sorted(set(donate_argnums) & set(static_argnums)):
        raise ArgumentError("rebase_donate_argnums", "arguments are static and donated", both)
    return tuple(sorted(n - sum(s < n for s in static_argnums) for n in donate_argnums))


def donation_vector(
    donate_argnums: Sequence[int], donate_argnames: Sequence[str], in_tree: TreeDef, kws: bool = True
) -> tuple[bool, ...]:
    """For each flat argument whether it is donated.

    Args:
        donate_argnums: The numbers of donated arguments.
        donate_argnames: The names of donated ones.
        in_tree: The structure of the arguments.
        kws: Whether that is a pair of positional and named ones.

    Example:
        >>> import olympus
        >>> from olympus.api_util import donation_vector
        >>> donation_vector((0,), (), olympus.tree.structure(((1, (2, 3)), {"a": 1})))
        (True, False, False, False)
    """
    whole = tree.unflatten(in_tree, [0] * in_tree.num_leaves)
    args, kwargs = whole if kws else (whole, {})
    found: list[bool] = []
    for i, x in enumerate(args):
        found += [i in donate_argnums] * len(tree.leaves(x))
    for key in sorted(kwargs):
        found += [key in donate_argnames] * len(tree.leaves(kwargs[key]))
    return tuple(found)


def flatten_axes(
    name: str, treedef: TreeDef, axis_tree: Any, *, kws: bool = False, tupled_args: bool = False
) -> list[Any]:
    """For each leaf of a structure its entry in a prefix of it.

    Args:
        name: What the entries are, for errors.
        treedef: The structure.
        axis_tree: The prefix; None is an entry.
        kws: Accepted for compatibility.
        tupled_args: Accepted for compatibility.

    Raises:
        ArgumentError: When it is no prefix.

    Example:
        >>> import olympus
        >>> from olympus.api_util import flatten_axes
        >>> flatten_axes("in_axes", olympus.tree.structure((1, (2, 3))), (0, None))
        [0, None, None]
    """
    full = tree.unflatten(treedef, [0] * treedef.num_leaves)
    try:
        spread = tree.broadcast(axis_tree, full, is_leaf=lambda x: x is None)
    except ValueError as error:
        raise ArgumentError("flatten_axes", f"{name} is no prefix of the structure", described(axis_tree),
                            str(treedef)) from error
    return tree.leaves(spread, is_leaf=lambda x: x is None)


def safe_map(f: Callable[..., Any], *args: Iterable[Any]) -> list[Any]:
    """Calls a function for each position of sequences, which have to be equally long.

    Args:
        f: The function.
        *args: The sequences, at least one.

    Returns:
        The list of its results.

    Raises:
        ArgumentError: When there is no sequence, or one is longer than another.

    Example:
        >>> from olympus.api_util import safe_map
        >>> safe_map(lambda x, y: x + y, (1, 2), [3, 4])
        [4, 6]
    """
    columns = [list(values) for values in args]
    lengths = [len(values) for values in columns]
    if not columns or len(set(lengths)) > 1:
        raise ArgumentError("safe_map", "the sequences are not equally long" if columns else "there is no sequence",
                            lengths or None, "one length, that of the first sequence")
    return list(map(f, *columns))


__all__ = [
    "argnums_partial", "debug_info", "donation_vector", "flatten_axes", "flatten_fun", "flatten_fun_nokwargs",
    "rebase_donate_argnums", "safe_map", "shaped_abstractify",
]
__dir__ = listed(__all__)
