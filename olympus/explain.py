"""explain: the communication that a call would make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .transforms.jit import Jitted


def explain(function: Callable[..., Any], *args: Any, **kwargs: Any) -> str:
    """Lists each collective that a call makes: operation, source line, axes, bytes, and why.

    Nothing runs; the arguments' shardings decide.

    Args:
        function: A function of arrays, jitted or not.
        *args: Its arguments.
        **kwargs: Its named arguments.

    Returns:
        A table as text.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.sharding import NamedSharding, PartitionSpec as P
        >>> mesh = olympus.make_mesh((8,), ("x",))
        >>> x = olympus.device_put(jnp.arange(8.0), NamedSharding(mesh, P("x")))
        >>> "all_reduce" in olympus.explain(jnp.sum, x)
        True
    """
    jitted = function if isinstance(function, Jitted) else Jitted(function)
    return jitted.lower(*args, **kwargs).compile().collectives_text()
