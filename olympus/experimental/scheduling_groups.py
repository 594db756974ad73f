# SPDX-License-Identifier: Apache-2.0
"""Operations that a compiler should put together in time: accepted, for the order here follows from the data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from olympus_core.deferred import listed

__all__ = ["scheduling_group", "xla_metadata_call"]
__dir__ = listed(__all__)

F = TypeVar("F", bound=Callable[..., Any])


def scheduling_group(name: str) -> Callable[[F], F]:
    """A decorator that names the group of a function's operations; the function stays the same.

    Args:
        name: The group.

    Returns:
        The decorator.

    Example:
        >>> scheduling_group("first")(lambda x: x + 1)(1)
        2
    """
    return xla_metadata_call(scheduling_group=name)


def xla_metadata_call(f: F | None = None, **meta: Any) -> Any:
    """A function whose call carries names and values for a compiler; it stays the same.

    Args:
        f: The function; None for a decorator.
        **meta: The names and values.

    Returns:
        The function, or the decorator.

    Example:
        >>> xla_metadata_call(lambda x: x + 1, group="first")(1)
        2
    """
    return (lambda function: function) if f is None else f
