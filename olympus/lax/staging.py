# SPDX-License-Identifier: Apache-2.0
"""How a program is written down: values in a trace, named composites, code for one platform, tokens."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, TypeVar

from olympus_core.errors import ArgumentError, described
from olympus_core.runtime import get_world

from ..operands import function_of, integer
from ..tracing import is_evaluating
from ..trees import inside as tree
from ..trees.nodes import register_pytree_node_class
from ..typing import Array, ArrayLike
from .structure import from_host

__all__ = ["after_all", "composite", "create_token", "dce_sink", "platform_dependent", "stage"]

T = TypeVar("T")


def stage(x: ArrayLike, /) -> Array:
    """A number or host array as an array: a value of the program that is being traced, if one is.

    Args:
        x: An array or number.

    Returns:
        The array.

    Example:
        >>> from olympus import lax
        >>> lax.stage(1.5)
        Array(1.5, dtype=float32, weak_type=True)
    """
    return from_host(x)


def dce_sink(val: Any, *, prevent_mlir_dce: bool = False) -> None:
    """Takes a value that nobody needs; olympus leaves out what computed it where it has no effect.

    Args:
        val: An array or a tree of arrays.
        prevent_mlir_dce: Accepted.

    Example:
        >>> from olympus import lax
        >>> lax.dce_sink(1.0)
    """


def composite(decomposition: Callable[..., T], name: str, version: int = 0) -> Callable[..., T]:
    """A function that a compiler may know under a name; olympus's compilers see what it is composed of.

    Args:
        decomposition: What the function computes; positional arguments are arrays, keyword arguments its attributes.
        name: The name.
        version: A number that changes with what the function means.

    Returns:
        The function.

    Raises:
        ArgumentError: If it is given something that is no function, or a name that is no string.

    Example:
        >>> from olympus import lax
        >>> tangent = lax.composite(lambda x: lax.sin(x) / lax.cos(x), name="my.tangent")
        >>> float(tangent(0.0))
        0.0
    """
    function_of("composite", decomposition, "the decomposition")
    if not isinstance(name, str):
        raise ArgumentError("composite", "the name is no string", described(name), "such as 'my.tangent'")
    integer("composite", version, "the version")

    @functools.wraps(decomposition)
    def function(*args: Any, **attributes: Any) -> T:
        return decomposition(*args, **attributes)

    return function


def platform_dependent(*args: Any, default: Callable[..., T] | None = None, **per_platform: Callable[..., T]) -> T:
    """Calls one of several functions, chosen by the platform on which the program runs.

    That is the platform of the arguments where these are known when this is called, or else the preferred one.

    Args:
        *args: The arguments.
        default: The function for platforms that are not named.
        **per_platform: A function for each platform by its name: ``cpu=``, ``cuda=``, ``tpu=``.

    Returns:
        What the chosen function gives.

    Raises:
        ArgumentError: If there is no function for the platform.

    Example:
        >>> from olympus import lax
        >>> lax.platform_dependent(2, cpu=lambda x: x + 1, default=lambda x: x)
        3
    """
    for platform, function in per_platform.items():
        function_of("platform_dependent", function, f"that for {platform}")
    if default is not None:
        function_of("platform_dependent", default, "the default")
    platform = _platform_of(args)
    aliases = (platform, "gpu") if platform in ("cuda", "rocm") else (platform,)
    for name in aliases:
        if name in per_platform:
            return per_platform[name](*args)
    if default is None:
        raise ArgumentError("platform_dependent", f"there is no function for the platform {platform}",
                            ", ".join(per_platform) or "none", f"{platform}= or default=")
    return default(*args)


# The platform that a function is traced for, where it is exported: it need not be the present one.
traced_platform: ContextVar[str | None] = ContextVar("olympus_traced_platform", default=None)


def _platform_of(args: tuple[Any, ...]) -> str:
    if (exported := traced_platform.get()) is not None:
        return exported
    for leaf in tree.leaves(args):
        sharding = getattr(leaf, "sharding", None) if is_evaluating() and hasattr(leaf, "addressable_shards") else None
        for device in getattr(sharding, "devices", ()):
            return str(device.platform)
    return get_world().default_platform


@register_pytree_node_class
class Token:
    """What orders communication: it is handed from one function to the next, and holds what was sent.

    Args:
        sent: For each `psend` that it comes from, the arrays on their way.
        pairs: For each of these who sends to whom.
    """

    def __init__(self, sent: tuple[Any, ...] = (), pairs: tuple[Any, ...] = ()) -> None:
        self.sent, self.pairs = sent, pairs

    def tree_flatten(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The arrays, and who sends to whom."""
        return self.sent, self.pairs

    @classmethod
    def tree_unflatten(cls, pairs: tuple[Any, ...], sent: Any) -> Token:
        """The token with other arrays."""
        return cls(tuple(sent), pairs)


def create_token(_: Any = None) -> Any:
    """A token that comes from nothing; olympus keeps the order in which collectives are written by itself.

    Args:
        _: Not used.

    Returns:
        The token, a tree without arrays.

    Example:
        >>> import olympus
        >>> from olympus import lax
        >>> olympus.tree.leaves(lax.create_token())
        []
    """
    return Token()


def after_all(*operands: Any) -> Any:
    """One token of several.

    Args:
        *operands: Tokens.

    Returns:
        The token.

    Raises:
        ArgumentError: If something else is given.

    Example:
        >>> from olympus import lax
        >>> token = lax.after_all(lax.create_token(), lax.create_token())
    """
    for token in operands:
        if not isinstance(token, Token):
            raise ArgumentError("after_all", "it is no token", described(token), "what create_token or psend gave")
    return Token(tuple(x for t in operands for x in t.sent), tuple(p for t in operands for p in t.pairs))
