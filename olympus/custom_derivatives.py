# SPDX-License-Identifier: Apache-2.0
"""Functions whose derivative the user says."""

from __future__ import annotations

from typing import Any

from olympus_core.deferred import listed

from .transforms.derivatives import closure_convert, custom_gradient, custom_jvp, custom_vjp
from .transforms.derivatives.linear_calls import linear_call
from .transforms.derivatives.symbolic_zeros import (
    CustomVJPPrimal,
    SymbolicZero,
    custom_vjp_primal_tree_values,
    zero_from_primal,
)

__all__ = [
    "CustomVJPPrimal", "SymbolicZero", "closure_convert", "custom_gradient", "custom_jvp", "custom_vjp",
    "custom_vjp_primal_tree_values", "linear_call", "zero_from_primal",
]
__dir__ = listed(__all__)


def __getattr__(name: str) -> Any:
    if name in ("custom_jvp_call_p", "custom_vjp_call_p"):  # as libraries know the equations of such functions
        from .extend.core import primitives  # all of lax, which nothing else here needs

        return getattr(primitives, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
