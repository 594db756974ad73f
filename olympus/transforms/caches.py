# SPDX-License-Identifier: Apache-2.0
"""What transformations keep in memory, so that it can be dropped: `clear_caches`."""

from __future__ import annotations

import threading
import weakref
from typing import Any, Protocol, TypeVar

from olympus_core.program.types import recent
from olympus_core.runtime import forget_all, trim

from ..trees.treedef import forget_structures


class Clearing(Protocol):
    """A cache of a module."""

    def clear(self) -> None:
        """Drops what is in it."""


class Remembering(Protocol):
    """A function that remembers what was traced and compiled for it."""

    def clear_cache(self) -> None:
        """Forgets it."""


Cache = TypeVar("Cache", bound=Clearing)
_functions: weakref.WeakSet[Any] = weakref.WeakSet()
_shared: list[Clearing] = []
_lock = threading.RLock()  # a set that grows cannot be walked through; what is dropped within may run anything


def kept(cache: Cache) -> Cache:
    """Notes a cache that lives as long as its module."""
    _shared.append(cache)
    return cache


def remembers(function: Remembering) -> None:
    """Notes a function that remembers programs as long as it lives."""
    with _lock:
        _functions.add(function)


def clear_caches() -> None:
    """Drops all programs that were traced and compiled, of every function, and returns their memory to the system.

    Arrays stay what they are, and functions can be called as before: the next call traces and compiles again. What lies
    on disk stays. For what a long-lived process compiled once and needs no more; while other threads call functions it
    does no harm. Without it the option `olympus_compiled_cache_bytes` says how much stays.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> double = olympus.jit(lambda x: 2 * x)
        >>> x = double(jnp.arange(3))
        >>> olympus.clear_caches()
        >>> print(double(x))
        [0 4 8]
    """
    with _lock:
        functions = list(_functions)
    for function in functions:
        function.clear_cache()
    for cache in _shared:
        cache.clear()
    forget_all()
    recent.clear()
    forget_structures()
    trim()
