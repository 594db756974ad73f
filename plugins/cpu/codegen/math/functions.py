"""The functions by operation, and how precise they are."""

from __future__ import annotations

from collections.abc import Callable

from olympus_core.errors.base import OlympusInternalError

from ..builder import FunctionBuilder, Ir
from . import exponential, inverse, logarithm, normal, power, roots, trigonometric
from .kit import Kit

_FUNCTIONS: dict[str, Callable[..., Ir]] = {
    "exp": exponential.exp,
    "expm1": exponential.expm1,
    "logistic": exponential.logistic,
    "tanh": exponential.tanh,
    "sinh": exponential.sinh,
    "cosh": exponential.cosh,
    "log": logarithm.log,
    "log1p": logarithm.log1p,
    "asinh": logarithm.asinh,
    "acosh": logarithm.acosh,
    "atanh": logarithm.atanh,
    "sin": trigonometric.sin,
    "cos": trigonometric.cos,
    "tan": trigonometric.tan,
    "asin": inverse.asin,
    "acos": inverse.acos,
    "atan": inverse.atan,
    "atan2": inverse.atan2,
    "erf": normal.erf,
    "erfc": normal.erfc,
    "erf_inv": normal.erf_inv,
    "pow": power.pow_,
    "sqrt": roots.sqrt,
    "rsqrt": roots.rsqrt,
    "cbrt": roots.cbrt,
}

# What float32 computes in float32, where the machine multiplies and adds at once; the rest, and all of it on machines
# without, is computed in float64 and rounded.
# Sines of float32 in float64 cost a third more and are rounded right, as the documents' printed digits want them.
_IN_FLOAT = frozenset({"exp", "log", "tanh", "logistic", "erf", "expm1", "log1p"})

# The greatest error in units of the last digit, on targets with fused multiplication: of float32 and of float64.
ULP_BOUNDS: dict[str, tuple[float, float]] = {}


def has_math(operation: str, element: str) -> bool:
    """Whether `emit_math` writes an operation on elements of this type."""
    return operation in _FUNCTIONS and element in ("float", "double")


def emit_math(builder: FunctionBuilder, operation: str, *operands: Ir) -> Ir:
    """Writes a mathematical function.

    Args:
        builder: Where the code goes.
        operation: The operation's name.
        operands: Values of "float" or of "double", of any number of lanes.

    Returns:
        The result, of the operands' type.
    """
    first = operands[0]
    if not has_math(operation, first.element):
        raise OlympusInternalError(f"no mathematics for {operation} of {first.element}")
    function = _FUNCTIONS[operation]
    if operation == "sqrt" or first.element == "double":
        return function(Kit(builder, "float" if first.element == "float" else "double", first.lanes), *operands)
    if builder.target.has_fma and operation in _IN_FLOAT:
        return function(Kit(builder, "float", first.lanes), *operands)
    wide = [builder.convert(operand, "double") for operand in operands]
    return builder.convert(function(Kit(builder, "short", first.lanes), *wide), "float")
