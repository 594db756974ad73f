"""Names that users give to parts of their programs, which stand beside the source lines; the mesh in use."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

mesh_in_use: ContextVar[Any] = ContextVar("olympus_mesh", default=None)  # a mesh that may have no devices, or None
_scope: ContextVar[str] = ContextVar("olympus_scope", default="")


@contextlib.contextmanager
def named_scope(name: str) -> Iterator[None]:
    """Names a part of a program: the name stands beside the source lines of its operations.

    It shows in `olympus.explain`, in program texts with locations, and in errors. Works as a context manager and as
    a decorator; scopes nest.

    Args:
        name: The name.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> def layer(x):
        ...     with olympus.named_scope("encoder"):
        ...         return jnp.sin(x)
        >>> olympus.make_program(layer)(1.0).operations[0].location.endswith("(encoder)")
        True
    """
    outer = _scope.get()
    token = _scope.set(f"{outer}/{name}" if outer else name)
    try:
        yield
    finally:
        _scope.reset(token)


def scoped(location: str) -> str:
    """A source line with the scope in which it stands."""
    scope = _scope.get()
    return f"{location} ({scope})" if scope else location
