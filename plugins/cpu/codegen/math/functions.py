# SPDX-License-Identifier: Apache-2.0
"""The functions by operation, and their error bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from olympus_core.dataclass import dataclass
from olympus_core.errors.base import OlympusInternalError

from ..builder import FunctionBuilder, Ir
from . import exponential, gamma, inverse, logarithm, normal, power, roots, trigonometric
from .math_builder import MathBuilder
from .slow_path import SlowPath, with_slow_path
from .special_functions import special


@dataclass(frozen=True, slots=True)
class _Function:
    """How a function is computed, and how precisely.

    Sines of float32 in float64 cost little more and are rounded right, as the documents' printed digits want them.

    Args:
        emit: Writes it.
        float32: The greatest error of float32, in units in the last place; the tests hold every target to it.
        float64: The same of float64.
        in_float: Whether float32 is computed in float32, where the machine multiplies and adds at once; the others,
            and all on machines without, are computed in float64 and rounded.
        precision: How many digits float64 is computed with for that.
    """

    emit: Callable[..., Ir]
    float32: float
    float64: float
    in_float: bool = False
    precision: Literal["short", "double"] = "short"


def _scalar(b: FunctionBuilder, operation: str, *operands: Ir) -> Ir:
    return emit_math(b, operation, *operands)


def _special(operation: str, float64: float) -> _Function:
    """A function that is computed in float64 whatever its type."""
    return _Function(special(operation, _scalar), 0.7, float64, precision="double")


_FUNCTIONS: dict[str, _Function] = {
    "exp": _Function(exponential.exp, 1.0, 1.1, in_float=True),
    "exp2": _Function(exponential.exp2, 1.0, 1.1, in_float=True),  # no operation of its own: pow with the base 2
    "expm1": _Function(exponential.expm1, 1.6, 1.6, in_float=True),
    "logistic": _Function(exponential.logistic, 2.6, 2.5, in_float=True),
    "tanh": _Function(exponential.tanh, 2.5, 4.3, in_float=True),  # of float64 2.8 with fused multiplication
    "sinh": _Function(exponential.sinh, 0.55, 2.1),
    "cosh": _Function(exponential.cosh, 0.55, 1.5),
    "log": _Function(logarithm.log, 0.85, 0.9, in_float=True),
    "log1p": _Function(logarithm.log1p, 1.5, 1.3, in_float=True),
    "asinh": _Function(logarithm.asinh, 0.55, 1.5),
    "acosh": _Function(logarithm.acosh, 0.55, 2.2),
    "atanh": _Function(logarithm.atanh, 0.55, 2.0),
    "sin": _Function(trigonometric.sin, 0.55, 2.1),
    "cos": _Function(trigonometric.cos, 0.55, 2.3),
    "tan": _Function(trigonometric.tan, 0.55, 2.3),
    "asin": _Function(inverse.asin, 0.55, 1.3),
    "acos": _Function(inverse.acos, 0.55, 1.3),
    "atan": _Function(inverse.atan, 0.55, 1.7),
    "atan2": _Function(inverse.atan2, 0.55, 1.6),
    "erf": _Function(normal.erf, 1.15, 1.3, in_float=True),
    "erfc": _Function(normal.erfc, 3.9, 3.4, in_float=True),
    "erf_inv": _Function(normal.erf_inv, 2.6, 2.7, in_float=True),
    "pow": _Function(power.pow_, 0.55, 1.1),
    "sqrt": _Function(roots.sqrt, 0.5, 0.5),
    "rsqrt": _Function(roots.rsqrt, 0.55, 1.5),
    "cbrt": _Function(roots.cbrt, 0.55, 0.55),
    "lgamma": _Function(gamma.lgamma, 0.7, 8.0, precision="double"),  # of positive arguments
    "digamma": _Function(gamma.digamma, 0.7, 8.0, precision="double"),  # of positive arguments
    # Where results are not below a thousandth; the exponentials of great sums lose some digits.
    "igamma": _special("igamma", 16.0),
    "igammac": _special("igammac", 16.0),
    "igamma_grad_a": _special("igamma_grad_a", 16.0),
    "random_gamma_grad": _special("random_gamma_grad", 16.0),
    "betainc": _special("betainc", 16.0),
    "bessel_i0e": _special("bessel_i0e", 6.0),
    "bessel_i1e": _special("bessel_i1e", 8.0),
    "zeta": _special("zeta", 8.0),
    "polygamma": _special("polygamma", 16.0),
}
ULP_BOUNDS: dict[str, tuple[float, float]] = {name: (f.float32, f.float64) for name, f in _FUNCTIONS.items()}


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
        return function.emit(MathBuilder(b, first.element, first.lanes, side_exit), *operands)
    if b.target.has_fma and function.in_float:
        return function.emit(MathBuilder(b, "float", first.lanes), *operands)
    wide = [b.convert(operand, "double") for operand in operands]
    return b.convert(function.emit(MathBuilder(b, function.precision, first.lanes, side_exit), *wide), "float")


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
