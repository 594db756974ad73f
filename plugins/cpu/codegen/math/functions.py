"""The functions by operation, and their error bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from olympus_core.errors.base import OlympusInternalError

from ..builder import FunctionBuilder, Ir
from . import exponential, gamma, inverse, logarithm, normal, power, roots, trigonometric
from .math_builder import MathBuilder
from .slow_path import SlowPath, with_slow_path

_FUNCTIONS: dict[str, Callable[..., Ir]] = {
    "exp": exponential.exp,
    "exp2": exponential.exp2,  # no operation of its own: pow with the base 2
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
    "lgamma": gamma.lgamma,
    "digamma": gamma.digamma,
}

# Functions of float32 that are computed in float32 on targets with FMA; all others, and all on targets without FMA,
# are computed in float64 and rounded. A float32 sine costs little more in float64 and is rounded correctly.
_IN_FLOAT = frozenset({"exp", "exp2", "log", "tanh", "logistic", "erf", "erfc", "erf_inv", "expm1", "log1p"})

# The greatest error in units of the last digit, of float32 and of float64; the tests hold every target to it.
ULP_BOUNDS: dict[str, tuple[float, float]] = {
    "exp": (1.0, 1.1),
    "exp2": (1.0, 1.1),
    "expm1": (1.6, 1.6),
    "logistic": (2.6, 2.5),
    "tanh": (2.5, 4.3),  # of float64 2.8 with fused multiplication
    "sinh": (0.55, 2.1),
    "cosh": (0.55, 1.5),
    "log": (0.85, 0.9),
    "log1p": (1.5, 1.3),
    "asinh": (0.55, 1.5),
    "acosh": (0.55, 2.2),
    "atanh": (0.55, 2.0),
    "sin": (0.55, 2.1),
    "cos": (0.55, 2.3),
    "tan": (0.55, 2.3),
    "asin": (0.55, 1.3),
    "acos": (0.55, 1.3),
    "atan": (0.55, 1.7),
    "atan2": (0.55, 1.6),
    "erf": (1.15, 1.3),
    "erfc": (3.9, 3.4),
    "erf_inv": (2.6, 2.7),
    "pow": (0.55, 1.1),
    "sqrt": (0.5, 0.5),
    "rsqrt": (0.55, 1.5),
    "cbrt": (0.55, 0.55),
    "lgamma": (0.7, 8.0),  # of positive arguments
    "digamma": (0.7, 8.0),  # of positive arguments
}


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
    if not operands or not has_math(operation, operands[0].element):
        raise OlympusInternalError(f"no mathematics for {operation} of {[x.type for x in operands]}")
    path = _SLOW_PATHS.get((operation, operands[0].element))
    if path is None:
        return _computed(builder, operation, operands)
    return with_slow_path(builder, path, operands, lambda side_exit: _computed(builder, operation, operands, side_exit))


def _computed(
    b: FunctionBuilder, operation: str, operands: Sequence[Ir], side_exit: Callable[[], None] | None = None
) -> Ir:
    """A function's value, in the precision that the operation is computed in."""
    first, function = operands[0], _FUNCTIONS[operation]
    if operation == "sqrt" or first.element == "double":
        return function(MathBuilder(b, first.element, first.lanes, side_exit), *operands)
    if b.target.has_fma and operation in _IN_FLOAT:
        return function(MathBuilder(b, "float", first.lanes), *operands)
    wide = [b.convert(operand, "double") for operand in operands]
    precision = "double" if operation in ("lgamma", "digamma") else "short"
    return b.convert(function(MathBuilder(b, precision, first.lanes, side_exit), *wide), "float")


def _slow_path(operation: str, element: str, needs_slow_path: Callable[..., Ir], one_by_one: bool = False) -> SlowPath:
    return SlowPath(f"{operation}.{element}", needs_slow_path, lambda b, *x: _computed(b, operation, x), one_by_one)


# Functions that branch to a slow path. Sines of float64 do not, and are faster so: they return to the common code.
_SLOW_PATHS = {
    ("sin", "float"): _slow_path("sin", "float", trigonometric.is_far, one_by_one=True),
    ("cos", "float"): _slow_path("cos", "float", trigonometric.is_far, one_by_one=True),
    ("tan", "float"): _slow_path("tan", "float", trigonometric.is_far, one_by_one=True),
    ("pow", "float"): _slow_path("pow", "float", power.needs_slow_path),
    ("pow", "double"): _slow_path("pow", "double", power.needs_slow_path),
}
