# SPDX-License-Identifier: Apache-2.0
"""The stages of a jitted function before it is called, by name: traced, lowered, compiled."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from olympus_core.deferred import listed

from .transforms.stages import ArgInfo, Compiled, CompilerOptions, Lowered, MemoryStats, Traced

__all__ = ["ArgInfo", "Compiled", "CompilerOptions", "Lowered", "MemoryStats", "Traced", "Wrapped"]
__dir__ = listed(__all__)


@runtime_checkable
class Wrapped(Protocol):
    """A function that can be staged: what `olympus.jit` gives.

    Example:
        >>> import olympus
        >>> isinstance(olympus.jit(lambda x: x), olympus.stages.Wrapped), isinstance(len, olympus.stages.Wrapped)
        (True, False)
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the function."""

    def trace(self, *args: Any, **kwargs: Any) -> Traced:
        """Traces it for these arguments."""

    def lower(self, *args: Any, **kwargs: Any) -> Lowered:
        """Its program for these arguments."""
