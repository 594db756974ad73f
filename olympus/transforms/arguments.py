"""The names of a call's arguments, as the called function knows them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .. import tree


def leaf_names(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], positions: Sequence[int] | None = None
) -> list[str]:
    """For each leaf of ``(args, kwargs)`` the parameter that it belongs to and its place in there, as users write it.

    Args:
        function: The function.
        args: Positional arguments.
        kwargs: Named arguments.
        positions: For each positional argument its number in the call, where some are left out of `args`.

    Example:
        >>> leaf_names(lambda x, *rest: None, [{"w": 1}, 2, 3], {})
        ["x['w']", 'rest[0]', 'rest[1]']
    """
    numbers = list(range(len(args))) if positions is None else list(positions)
    positional = _positional_names(function, max(numbers, default=-1) + 1)
    names = []
    for path, _ in tree.flatten_with_path((tuple(args), dict(kwargs)))[0]:
        side, argument, *inner = path
        name = positional[numbers[argument.idx]] if side.idx == 0 else str(argument.key)
        names.append(f"{name}{tree.keystr(inner)}")
    return names


def _positional_names(function: Callable[..., Any], count: int) -> list[str]:
    """Names of the first positional parameters; numbers where the function does not tell."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return [f"argument {i}" for i in range(count)]
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    rest = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), None)
    further = range(len(names), count)
    return [*names[:count], *(f"argument {i}" if rest is None else f"{rest}[{i - len(names)}]" for i in further)]
