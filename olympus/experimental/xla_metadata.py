# SPDX-License-Identifier: Apache-2.0
"""Advice for a compiler, attached to operations: accepted, and not followed, since no compiler here knows it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from olympus_core.deferred import listed

__all__ = ["set_xla_metadata"]
__dir__ = listed(__all__)


def set_xla_metadata(x: Any = None, **kwargs: Any) -> Any:
    """Attaches names and values to operations; what they compute stays the same.

    Args:
        x: A value or a function, which is given back as it is; None for a context manager, or a decorator.
        **kwargs: The names and values.

    Returns:
        The same; or the context manager.

    Example:
        >>> import olympus.numpy as jnp
        >>> with set_xla_metadata(group="first"):
        ...     jnp.arange(2) + 1
        Array([1, 2], dtype=int32)
    """
    return _nothing() if x is None else x


@contextmanager
def _nothing() -> Iterator[None]:
    yield
