# SPDX-License-Identifier: Apache-2.0
"""Jitted functions of a class, bound to an instance."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from .stages import Lowered, Traced

P = ParamSpec("P")
R = TypeVar("R")


class JittedMethod(partial, Generic[P, R]):
    """A jitted function, bound to the instance that is its first argument."""

    func: Any  # the jitted function

    if TYPE_CHECKING:

        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
            """Calls the function with the instance."""

    def lower(self, *args: Any, **kwargs: Any) -> Lowered:
        """See `Jitted.lower`."""
        lowered: Lowered = self.func.lower(*self.args, *args, **kwargs)
        return lowered

    def trace(self, *args: Any, **kwargs: Any) -> Traced:
        """See `Jitted.trace`."""
        traced: Traced = self.func.trace(*self.args, *args, **kwargs)
        return traced
