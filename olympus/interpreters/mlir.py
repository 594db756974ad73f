# SPDX-License-Identifier: Apache-2.0
"""What operations that libraries add are made of, where they are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from olympus_core.deferred import listed

from ..transforms.jaxpr import primitive
from ..transforms.jaxpr.primitive import Primitive
from ..transforms.jaxpr.writing import Lowering, LoweringRuleContext


def lower_fun(fun: Callable[..., Any], multiple_results: bool = True) -> Lowering:
    """A lowering rule: a function of arrays, which is traced in place of the operation.

    Args:
        fun: Takes the operands and the parameters.
        multiple_results: Whether it gives a sequence of results.

    Returns:
        The rule, for `register_lowering`.

    Example:
        >>> from olympus.interpreters import mlir
        >>> mlir.lower_fun(lambda x: x + x, multiple_results=False).multiple_results
        False
    """
    return Lowering(fun, multiple_results)


def register_lowering(
    prim: Primitive, rule: Any, platform: str | None = None, inline: bool = True, cacheable: bool = True
) -> None:
    """Registers what a primitive is made of, where it is compiled.

    Args:
        prim: The primitive.
        rule: What `lower_fun`, or `olympus.ffi.ffi_lowering`, gives; or a function of a `LoweringRuleContext` and
            the operands that gives some of these. One that writes MLIR is refused where a program with the primitive
            is compiled.
        platform: The platform that the rule is for, such as ``"cpu"``; None for those that have none of their own.
        inline: Accepted for compatibility.
        cacheable: Accepted for compatibility.

    Raises:
        NotSupportedError: For one of olympus's own primitives.

    Example:
        >>> import olympus
        >>> from olympus.extend.core import Primitive
        >>> from olympus.interpreters import mlir
        >>> twice_p = Primitive("twice")
        >>> aval = twice_p.def_abstract_eval(lambda x: x)
        >>> mlir.register_lowering(twice_p, mlir.lower_fun(lambda x: x + x, multiple_results=False))
        >>> float(olympus.jit(twice_p.bind)(2.0))
        4.0
    """
    primitive.register_lowering(prim, rule, platform)


__all__ = ["LoweringRuleContext", "lower_fun", "register_lowering"]
__dir__ = listed(__all__)
