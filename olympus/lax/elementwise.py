# SPDX-License-Identifier: Apache-2.0
"""Elementwise operations.

All are strict: operands have one element type and one shape, but for Python numbers and arrays of no dimensions, which
take the others' element type and shape, and for dimensions of size 1, which take the size of the others' where all have
as many dimensions. `olympus.numpy` has the functions that promote and broadcast.
"""

from __future__ import annotations

import builtins
import functools
import math
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError, described
from olympus_core.program import OperationRecord

from ..operands import (
    Shape,
    as_array,
    broadcast,
    check_numbers,
    convert,
    dtype_of,
    element_type,
    integer,
    is_number,
    same_keys,
    warn_narrowed,
    weakly,
)
from ..tracing import aval_of, bind
from ..tracing.aval import float0
from ..tracing.trace import kept_calls
from ..transforms.complex_order import bind_ordered
from ..transforms.jit import Jitted, api
from ..transforms.traces.annotations import constants
from ..trees import inside as tree
from ..typing import Array, ArrayLike, DTypeLike
from .types import RoundingMethod

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

if TYPE_CHECKING:
    from ..signatures import Approximated, Binary, Unary

__all__ = [
    "abs", "acos", "acosh", "add", "asin", "asinh", "atan", "atan2", "atanh", "bitcast_convert_type", "bitwise_and",
    "bitwise_not", "bitwise_or", "bitwise_xor", "cbrt", "ceil", "clamp", "clz", "complex", "conj",
    "convert_element_type", "cos", "cosh", "digamma", "div", "eq", "erf", "erf_inv", "erfc", "exp", "exp2", "expm1",
    "floor", "ge", "gt", "imag", "integer_pow", "is_finite", "le", "lgamma", "log", "log1p", "logistic", "lt", "max",
    "min", "mul", "ne", "neg", "nextafter", "optimization_barrier", "population_count", "pow", "real", "reciprocal",
    "rem", "round", "rsqrt", "select", "select_n", "shift_left", "shift_right_arithmetic", "shift_right_logical",
    "sign", "sin", "sinh", "sqrt", "square", "stop_gradient", "sub", "tan", "tanh",
]

_ORDER = (bool, int, float, builtins.complex)


def mul(x: ArrayLike, y: ArrayLike, *, out_dtype: DTypeLike | None = None) -> Array:
    """The product.

    Args:
        x: An array or number.
        y: Likewise.
        out_dtype: The element type in which to multiply, and of the result; None for that of the operands.

    Returns:
        The result, elementwise.

    Example:
        >>> from olympus import lax
        >>> lax.mul(1.5, 2.0).shape
        ()
    """
    if out_dtype is not None:
        wanted = element_type("mul", out_dtype)
        x, y = (convert(v, wanted) for v in (x, y))
    return _mul(x, y)


def pow(x: ArrayLike, y: ArrayLike) -> Array:
    """The power: x to the y.

    Args:
        x: An array or number.
        y: Likewise; of floats and complex numbers also integers.

    Returns:
        The result, elementwise.

    Example:
        >>> from olympus import lax
        >>> lax.pow(1.5, 2.0).shape
        ()
    """
    own, exponent = aval_of(x), aval_of(y)
    if dtypes.is_integer(exponent.dtype) and not is_number(y) and _kind(own.dtype) > 1:
        return _integer_powers(x, y)
    return _pow(x, y)


@api
def _integer_powers(x: ArrayLike, y: ArrayLike) -> Array:
    """Powers of floats and complex numbers by integers, which are odd also where no float is."""
    dtype = aval_of(x).dtype
    wide = np.dtype(np.float32) if dtypes.is_float(dtype) and dtype.itemsize < 4 else dtype
    base, exponent = convert(x, wide), convert(y, wide)
    found = _pow(base, exponent)
    if dtypes.is_float(wide):
        one = np.ones((), aval_of(y).dtype)
        all_even = ge(abs(exponent), np.array(2.0 ** (np.finfo(wide).nmant + 1), wide))
        lost = bitwise_and(eq(bitwise_and(y, one), one), all_even)
        x_is_negative = lt(base, np.zeros((), wide))
        turned = bitwise_and(*(broadcast(v, aval_of(found).shape) for v in (lost, x_is_negative)))
        found = bind(ops.select, turned, neg(found), found)
    return convert(found, dtype)


def strict_operands(
    function: str, operands: Sequence[ArrayLike], stretched: bool = True
) -> tuple[list[Any], bool]:
    """Operands of one element type and shape, and whether all are weak.

    Only numbers and scalars adapt, and dimensions of size 1 where they are `stretched`.
    """
    avals = [aval_of(x) for x in operands]
    strong = [a.dtype for a in avals if not a.weak]
    dtype = strong[0] if strong else builtins.max((a.dtype for a in avals), key=_kind)
    shape = _common_shape([a.shape for a in avals], stretched)
    out = []
    for x, aval in zip(operands, avals, strict=True):
        if aval.weak and aval.dtype != dtype:
            x = convert(_fitting(function, x, dtype), dtype, True, function)
        elif is_number(x):
            x = convert(x, dtype, True, function)
        adapts = not aval.shape or (stretched and aval.shape != shape and _fits(aval.shape, shape))
        out.append(broadcast(x, shape) if adapts else x)
    return out, all(a.weak for a in avals)


def _common_shape(shapes: Sequence[Shape], stretched: bool) -> Shape:
    """The longest shape; stretched, 1 takes the size of the others where all have as many dimensions."""
    longest = builtins.max(shapes, key=len)
    others = [shape for shape in shapes if shape and shape != longest]
    if not stretched or not others or any(len(shape) != len(longest) for shape in others):
        return longest
    return tuple(next((n for n in sizes if n != 1), 1) for sizes in zip(longest, *others, strict=True))


def _fits(own: Shape, shape: Shape) -> bool:
    """Whether a shape becomes another by stretching dimensions of size 1."""
    return len(own) == len(shape) and all(n in (1, m) for n, m in zip(own, shape, strict=True))


def _kind(dtype: np.dtype) -> int:
    """A rank in the order of bool, integers, floats, complex numbers."""
    kinds = (dtypes.is_bool, dtypes.is_integer, dtypes.is_float, dtypes.is_complex)
    return next(i for i, kind in enumerate(kinds) if kind(dtype))


def _fitting(function: str, x: Any, dtype: np.dtype) -> Any:
    own = aval_of(x).dtype
    if _kind(own) > _kind(dtype):
        raise ArgumentError(function, f"a {own.name} number does not go with {dtype.name}", own.name,
                            f"a number that {dtype.name} holds",
                            "Convert the array first, or use the function of olympus.numpy, which promotes.")
    return x


def _documented(
    function: Callable[..., Any], name: str, summary: str, arguments: Sequence[str], example: str,
    static: Sequence[str] = (),
) -> Any:
    lines = [f"    {argument}: An array or number." for argument in arguments]
    function.__name__ = function.__qualname__ = name
    function.__module__ = "olympus.lax"
    function.__doc__ = (
        f"{summary}\n\nArgs:\n" + "\n".join(lines) + "\n\nReturns:\n    The result, elementwise.\n\n"
        f"Example:\n    >>> from olympus import lax\n    >>> lax.{name}({example}).shape\n    ()\n"
    )
    return api(function, static=static)


def unary(record: OperationRecord, name: str, summary: str, example: str = "0.5") -> Unary:
    """The function for an operation on one operand."""

    def function(x: ArrayLike) -> Array:
        aval = aval_of(x)
        return bind(record, x, weak=aval.weak)

    return _documented(function, name, summary, ["x"], example)


def with_accuracy(
    record: OperationRecord, name: str, summary: str, example: str = "0.5", body: Callable[[Any], Any] | None = None
) -> Approximated:
    """The function for an operation on one operand whose accuracy a user may ask for: it has one form, the best."""

    def function(x: ArrayLike, *, accuracy: Any = None) -> Array:
        return bind(record, x, weak=aval_of(x).weak) if body is None else body(x)

    made = _documented(function, name, summary, ["x"], example, static=("accuracy",))
    made.__doc__ = made.__doc__.replace(
        "\n\nReturns:", "\n    accuracy: An `AccuracyMode` or a `Tolerance`, accepted.\n\nReturns:", 1)
    return made


def binary(
    record: OperationRecord, name: str, summary: str, example: str = "1.5, 2.0",
    body: Callable[[Any, Any, bool], Any] | None = None,
) -> Binary:
    """The function for an operation on two operands."""

    def function(x: ArrayLike, y: ArrayLike) -> Array:
        operands, weak = strict_operands(name, (x, y))
        if record in (ops.eq, ops.ne) and dtypes.is_key(dtype_of(operands[0])):
            return same_keys(record, *operands)
        return bind_ordered(record, *operands, weak=weak) if body is None else body(operands[0], operands[1], weak)

    compiled = _documented(function, name, summary, ["x", "y"], example)

    @functools.wraps(function)
    def checked(x: ArrayLike, y: ArrayLike) -> Array:
        if type(x) is int or type(y) is int:  # inside they are traced values
            check_numbers(name, x, y)
        return compiled(x, y)

    return checked


abs = unary(ops.abs, "abs", "The distance from zero.", "-1.5")
acos = unary(ops.acos, "acos", "The angle whose cosine is given.")
acosh = unary(ops.acosh, "acosh", "The inverse of the hyperbolic cosine.", "1.5")
asin = unary(ops.asin, "asin", "The angle whose sine is given.")
asinh = unary(ops.asinh, "asinh", "The inverse of the hyperbolic sine.")
atan = unary(ops.atan, "atan", "The angle whose tangent is given.")
atanh = unary(ops.atanh, "atanh", "The inverse of the hyperbolic tangent.")
bitwise_not = unary(ops.not_, "bitwise_not", "Every bit inverted; of bools the negation.", "5")
cbrt = with_accuracy(ops.cbrt, "cbrt", "The cube root.")
ceil = unary(ops.ceil, "ceil", "The least integer that is not less.")
clz = unary(ops.count_leading_zeros, "clz", "How many leading bits are zero.", "5")
cos = with_accuracy(ops.cos, "cos", "The cosine.")
cosh = unary(ops.cosh, "cosh", "The hyperbolic cosine.")
digamma = unary(ops.digamma, "digamma", "The derivative of the logarithm of the gamma function.")
erf = unary(ops.erf, "erf", "The error function.")
erf_inv = unary(ops.erf_inv, "erf_inv", "The inverse of the error function.")
erfc = unary(ops.erfc, "erfc", "One minus the error function.")
exp = with_accuracy(ops.exp, "exp", "The exponential.")


def _exp2(x: Any) -> Any:
    (two, x), weak = strict_operands("exp2", (2.0, x))
    if dtypes.is_complex(dtype_of(x)):  # part by part, so that infinite ones stay apart
        parts = [bind(ops.mul, part, _filled(part, math.log(2))) for part in (bind(ops.real, x), bind(ops.imag, x))]
        return bind(ops.exp, bind(ops.complex, *parts), weak=weak)
    return bind(ops.pow, two, x, weak=weak)


exp2 = with_accuracy(ops.pow, "exp2", "Two to the power of x.", "3.0", _exp2)
expm1 = with_accuracy(ops.expm1, "expm1", "The exponential minus one, exact near zero.")
floor = unary(ops.floor, "floor", "The greatest integer that is not greater.")
imag = unary(ops.imag, "imag", "The imaginary part.", "1j")
is_finite = unary(ops.is_finite, "is_finite", "Whether a number is neither infinite nor NaN.")
lgamma = unary(ops.lgamma, "lgamma", "The logarithm of the size of the gamma function.")
log = with_accuracy(ops.log, "log", "The natural logarithm.")
log1p = with_accuracy(ops.log1p, "log1p", "The logarithm of one plus x, exact near zero.")
logistic = with_accuracy(ops.logistic, "logistic", "The logistic function, 1 / (1 + exp(-x)).")
neg = unary(ops.neg, "neg", "The number with the other sign.")
population_count = unary(ops.population_count, "population_count", "How many bits are one.", "5")
real = unary(ops.real, "real", "The real part.", "1j")
rsqrt = with_accuracy(ops.rsqrt, "rsqrt", "One over the square root.")
sign = unary(ops.sign, "sign", "-1, 0 or 1, as the number is negative, zero or positive.")
sin = with_accuracy(ops.sin, "sin", "The sine.")
sinh = unary(ops.sinh, "sinh", "The hyperbolic sine.")
sqrt = with_accuracy(ops.sqrt, "sqrt", "The square root.")
tan = with_accuracy(ops.tan, "tan", "The tangent.")
tanh = with_accuracy(ops.tanh, "tanh", "The hyperbolic tangent.")

add = binary(ops.add, "add", "The sum.")
atan2 = binary(ops.atan2, "atan2", "The angle of the point (y, x), given y first; of complex numbers the logarithm's.",
               body=lambda y, x, weak: angle_of(y, x, weak))
bitwise_and = binary(ops.and_, "bitwise_and", "The bits that both have.", "6, 3")
bitwise_or = binary(ops.or_, "bitwise_or", "The bits that either has.", "6, 3")
bitwise_xor = binary(ops.xor, "bitwise_xor", "The bits that one has and the other has not.", "6, 3")
complex = binary(ops.complex, "complex", "A complex number of its two parts.")
div = binary(ops.div, "div", "The quotient; that of integers is cut towards zero.")
eq = binary(ops.eq, "eq", "Whether x equals y.")
ge = binary(ops.ge, "ge", "Whether x is at least y.")
gt = binary(ops.gt, "gt", "Whether x is greater than y.")
le = binary(ops.le, "le", "Whether x is at most y.")
lt = binary(ops.lt, "lt", "Whether x is less than y.")
max = binary(ops.max, "max", "The greater one; NaN where either is NaN.")
min = binary(ops.min, "min", "The lesser one; NaN where either is NaN.")
_mul = binary(ops.mul, "mul", "The product.")
ne = binary(ops.ne, "ne", "Whether x differs from y.")
_pow = binary(ops.pow, "pow", "x to the power of y.")
rem = binary(ops.rem, "rem", "The remainder of the division, with the sign of x.")
shift_left = binary(ops.shift_left, "shift_left", "The bits moved up.", "6, 1")
shift_right_arithmetic = binary(
    ops.shift_right_arithmetic, "shift_right_arithmetic", "The bits moved down, the sign kept.", "6, 1")
shift_right_logical = binary(
    ops.shift_right_logical, "shift_right_logical", "The bits moved down, zeros following.", "6, 1")
sub = binary(ops.sub, "sub", "The difference.")


@api
def nextafter(x1: ArrayLike, x2: ArrayLike) -> Array:
    """The number next to one in the direction of another.

    Args:
        x1: An array of floats.
        x2: Another one, of the same type and shape.

    Returns:
        The neighbours.

    Example:
        >>> from olympus import lax
        >>> float(lax.nextafter(1.0, 2.0)) - 1.0
        1.1920928955078125e-07
    """
    operands, weak = strict_operands("nextafter", (x1, x2))
    return bind_ordered(ops.next_after, *operands, weak=weak)


class Named(Jitted[..., Array]):
    """A jitted function whose operations join the programs that are compiled, like any other's.

    Where calls of jitted functions stay calls, it is the equation of a primitive.
    """

    _is_api = _is_inline = True
    primitive: Any = None  # known once primitives are loaded

    def inline(self, args: tuple[Any, ...], kwargs: dict[str, Any], as_given: bool = False) -> Any:
        """Calls the function, or binds the primitive."""
        return self.plain(*args, **kwargs) if kept_calls.get() is None else self.as_equation(args, kwargs)

    def as_equation(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Binds the primitive."""
        if self.primitive is None:
            import_module("olympus.lax.primitives")  # most programs are only compiled
        return self.primitive.equation(args, kwargs)

    def plain(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the function, so that the operations are bound that it is made of."""
        return super().inline(args, kwargs)


def _named(*, static: Sequence[str] = ()) -> Callable[[F], F]:
    """As `api`, for a function that is the primitive of its name in `primitives.py`.

    Args:
        static: Names of the parameters that are Python values.
    """
    def made(function: Any) -> Any:
        return Named(function, static_argnames=tuple(static))

    return made


@_named()
def square(x: ArrayLike) -> Array:
    """The number times itself.

    Args:
        x: An array.

    Returns:
        The squares.

    Example:
        >>> from olympus import lax
        >>> float(lax.square(3.0))
        9.0
    """
    return mul(x, x)


def angle_of(y: Any, x: Any, weak: bool) -> Any:
    """The body of `atan2`: for complex numbers ``-1j * log((x + 1j * y) / sqrt(x**2 + y**2))``."""
    if not dtypes.is_complex(dtype_of(x)):
        return bind(ops.atan2, y, x, weak=weak)
    turned = bind(ops.add, x, bind(ops.complex, bind(ops.neg, bind(ops.imag, y)), bind(ops.real, y)))
    size = bind(ops.sqrt, bind(ops.add, bind(ops.mul, x, x), bind(ops.mul, y, y)))
    found = bind(ops.log, bind(ops.div, turned, size))
    return bind(ops.complex, bind(ops.imag, found), bind(ops.neg, bind(ops.real, found)), weak=weak)


def log_add_exp(x: Any, y: Any, weak: bool, base: float = math.e) -> Any:
    """The logarithm of the sum of the powers of a base, of two arrays of floats or complex numbers of one shape.

    Of complex numbers it is the principal value: its imaginary part, times log(base), is from -pi to pi.
    """
    return _with_slopes_of_log_add_exp()(x, y, weak, math.log(base))


def _principal(x: Any, scale: Any) -> Any:
    """Complex numbers whose powers are the same, with the imaginary part from -pi to pi over the base's logarithm."""
    angle = bind(ops.mul, bind(ops.imag, x), scale)
    turned = bind(ops.atan2, bind(ops.sin, angle), bind(ops.cos, angle))
    outside = bind(ops.gt, bind(ops.abs, angle), _filled(angle, math.pi), weak=False)
    return bind(ops.complex, bind(ops.real, x),
                bind(ops.select, outside, bind(ops.div, turned, scale), bind(ops.imag, x)))


def _filled(like: Any, number: float) -> Any:
    aval = aval_of(like)
    return broadcast(convert(number, aval.dtype), aval.shape)


@functools.cache
def _with_slopes_of_log_add_exp() -> Callable[..., Any]:
    from ..transforms.derivatives import custom_jvp  # loaded when asked for: most programs have no derivatives

    def times(record: OperationRecord, x: Any, scale: float) -> Any:
        return x if scale == 1 else bind(record, x, _filled(x, scale))

    def of_complex(x: Any, y: Any, scale: float) -> Any:
        left, right = bind(ops.real, x), bind(ops.real, y)
        # Two infinite parts have no difference: the sum of the powers is infinite as their product is, or zero.
        same = bind(ops.and_, bind(ops.eq, left, right, weak=False),
                    bind(ops.eq, bind(ops.abs, left), _filled(left, math.inf), weak=False))
        first = bind(ops.ge, left, right, weak=False)
        greater, less = bind(ops.select, first, x, y), bind(ops.select, first, y, x)
        power = bind(ops.exp, times(ops.mul, bind(ops.sub, less, greater), scale))
        step = times(ops.div, bind(ops.log1p, power), scale)
        # A part that is zero, infinite or NaN must not spoil the other one.
        total = bind(ops.complex, *(bind(ops.add, bind(part, greater), bind(part, step))
                                    for part in (ops.real, ops.imag)))
        found = _principal(total, _filled(left, scale))
        zero = bind(ops.lt, left, _filled(left, 0.0), weak=False)
        angle = bind(ops.select, zero, _filled(left, 0.0), bind(ops.imag, _principal(bind(ops.add, x, y), _filled(
            left, scale))))
        return bind(ops.select, same, bind(ops.complex, left, angle), found)

    @functools.partial(custom_jvp, nondiff_argnums=(2, 3))
    def log_add_exp(x: Any, y: Any, weak: bool, scale: float) -> Any:
        if dtypes.is_complex(aval_of(x).dtype):
            return weakly(of_complex(x, y, scale), weak)
        difference = bind(ops.sub, x, y)
        greater = bind(ops.max, x, y)
        power = bind(ops.exp, times(ops.mul, bind(ops.neg, bind(ops.abs, difference)), scale))
        smooth = bind(ops.add, greater, times(ops.div, bind(ops.log1p, power), scale))
        # Equal infinities have no difference, and their sum is the result; so it is for a NaN.
        unequal = bind(ops.ne, difference, difference, weak=False)
        return bind(ops.select, unequal, bind(ops.add, x, y), smooth, weak=weak)

    @log_add_exp.defjvp
    def _(weak: bool, scale: float, primals: tuple[Any, Any], tangents: tuple[Any, Any]) -> tuple[Any, Any]:
        """The slopes are the shares of the two powers in their sum; equal infinities have half each."""
        (x, y), (t, u) = primals, tangents
        aval = aval_of(x)
        nothing = broadcast(convert(0, aval.dtype), aval.shape)
        difference = bind(ops.sub, x, y)
        # Only equal infinities: where finite numbers are equal the difference is 0, and has slopes itself.
        unequal = bind(ops.ne, difference, difference, weak=False)
        infinite = bind(ops.and_, bind(ops.eq, x, y, weak=False), unequal)
        difference = times(ops.mul, bind(ops.select, infinite, nothing, difference), scale)
        first = bind(ops.mul, t, bind(ops.logistic, difference))
        second = bind(ops.mul, u, bind(ops.logistic, bind(ops.neg, difference)))
        return log_add_exp(x, y, weak, scale), bind(ops.add, first, second)

    return log_add_exp


@api
def conj(x: ArrayLike) -> Array:
    """The complex conjugate.

    Args:
        x: An array of complex numbers; of float32 or float64, which become complex.

    Returns:
        The conjugates, complex.

    Example:
        >>> from olympus import lax
        >>> float(lax.conj(1j).imag)
        -1.0
    """
    aval = aval_of(x)
    if aval.dtype in (dtypes.float32, dtypes.float64):
        return bind(ops.complex, x, broadcast(convert(0, aval.dtype), aval.shape), weak=aval.weak)
    return bind(ops.conj, x, weak=aval.weak)


def reciprocal(x: ArrayLike) -> Array:
    """One over the number.

    Args:
        x: An array.

    Returns:
        The reciprocals.

    Example:
        >>> from olympus import lax
        >>> float(lax.reciprocal(4.0))
        0.25
    """
    dtype = aval_of(x).dtype
    return integer_pow(x, y=-1) if dtypes.is_float(dtype) or dtypes.is_complex(dtype) else div(1, x)


@_named(static=("y",))
def integer_pow(x: ArrayLike, y: int) -> Array:
    """An integer power that is known beforehand, by multiplications.

    Args:
        x: An array.
        y: The exponent.

    Returns:
        The powers.

    Raises:
        ArgumentError: For a negative power of integers.

    Example:
        >>> from olympus import lax
        >>> float(lax.integer_pow(2.0, 10))
        1024.0
    """
    dtype = aval_of(x).dtype
    y = checked_exponent(dtype, y)
    if y == 0:
        return broadcast(convert(1, dtype), aval_of(x).shape, weak=aval_of(x).weak)
    if y < -1:
        return _with_slopes_of_negative_power()(x, y)
    return div(1, x) if y < 0 else _as_value(_product_of(x, y))


def checked_exponent(dtype: np.dtype, y: Any) -> int:
    """The exponent of `integer_pow`, looked at."""
    y = integer("integer_pow", y, "the exponent")
    if y < 0 and not (dtypes.is_float(dtype) or dtypes.is_complex(dtype)):
        raise ArgumentError("integer_pow", "integers have no negative powers", y, "an exponent of zero or more",
                            "Convert x to a float type first.")
    return y


def _product_of(x: Any, count: int) -> Any:
    """So many times the number itself, multiplied; one time or more."""
    result: Any = None
    while True:
        if count & 1:
            result = x if result is None else mul(result, x)
        count >>= 1
        if not count:
            return result
        x = mul(x, x)


@functools.cache
def _with_slopes_of_negative_power() -> Callable[..., Any]:
    from ..transforms.derivatives import custom_jvp  # loaded when asked for: most programs have no derivatives

    @functools.partial(custom_jvp, nondiff_argnums=(1,))
    def negative_power(x: Any, y: int) -> Any:
        if dtypes.is_complex(aval_of(x).dtype):  # the product of two infinite numbers has parts that are NaN
            return _product_of(div(1, x), -y)
        return div(1, _product_of(x, -y))

    @negative_power.defjvp
    def _(y: int, primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
        """A power itself: the slope of the quotient is infinity times zero where the product overflows."""
        (x,), (t,) = primals, tangents
        return negative_power(x, y), mul(t, mul(negative_power(x, y - 1), convert(y, aval_of(x).dtype)))

    return negative_power


def _as_value(x: Any) -> Any:
    return convert(x, aval_of(x).dtype) if is_number(x) else x


@api(static=("rounding_method",))
def round(x: ArrayLike, rounding_method: Any = RoundingMethod.AWAY_FROM_ZERO) -> Array:
    """The nearest integer.

    Args:
        x: An array of floats.
        rounding_method: `RoundingMethod.AWAY_FROM_ZERO` (0, the default) or `RoundingMethod.TO_NEAREST_EVEN` (1), for
            numbers half-way.

    Returns:
        The rounded numbers.

    Example:
        >>> from olympus import lax
        >>> float(lax.round(2.5)), float(lax.round(2.5, lax.RoundingMethod.TO_NEAREST_EVEN))
        (3.0, 2.0)
    """
    methods = [RoundingMethod.AWAY_FROM_ZERO, RoundingMethod.TO_NEAREST_EVEN]
    if rounding_method not in methods:
        raise ArgumentError("round", "the rounding method is not known", described(rounding_method),
                            "lax.RoundingMethod.AWAY_FROM_ZERO or TO_NEAREST_EVEN")
    if rounding_method == RoundingMethod.TO_NEAREST_EVEN:
        return bind(ops.round, x)
    aval = aval_of(x)
    if dtypes.is_float(aval.dtype) and aval.dtype.itemsize == 1:  # which may hold neither the distance nor a zero
        wide = round(bind(ops.convert, x, dtype=dtypes.float32), rounding_method)
        return bind(ops.convert, wide, dtype=aval.dtype, weak=aval.weak)
    size = bind(ops.abs, x)
    whole = bind(ops.floor, size)
    up = ge(sub(size, whole), 0.5)
    return mul(sign(x), select(up, add(whole, 1.0), whole))


def select(pred: ArrayLike, on_true: ArrayLike, on_false: ArrayLike) -> Array:
    """Takes each element from one of two arrays.

    Args:
        pred: Bools, of the arrays' shape or a single one.
        on_true: The elements where `pred` is true.
        on_false: The others, of the same type.

    Returns:
        The chosen elements.

    Example:
        >>> from olympus import lax
        >>> float(lax.select(True, 1.0, 2.0))
        1.0
    """
    (on_true, on_false), weak = strict_operands("select", (on_true, on_false), stretched=False)
    return bind(ops.select, broadcast(pred, aval_of(on_true).shape), on_true, on_false, weak=weak)


def select_n(which: ArrayLike, *cases: ArrayLike) -> Array:
    """Takes each element from one of several arrays.

    Args:
        which: For each element the number of an array; bools for two arrays.
        *cases: The arrays, all of one type.

    Returns:
        The chosen elements.

    Example:
        >>> from olympus import lax
        >>> float(lax.select_n(False, 1.0, 2.0))
        1.0
    """
    if not cases:
        raise ArgumentError("select_n", "there is nothing to select from", "none", expected="one array or more")
    if dtypes.is_bool(aval_of(which).dtype):
        if len(cases) > 2:
            raise ArgumentError("select_n", "bools choose between two arrays", len(cases), "one or two arrays")
        only: Any = cases[0]
        return only if len(cases) == 1 else select(which, cases[1], only)
    result: Any = cases[-1]
    for i in range(len(cases) - 2, -1, -1):
        result = select(le(which, i), cases[i], result)
    return result


@api
def clamp(min: ArrayLike, x: ArrayLike, max: ArrayLike) -> Array:
    """Moves what lies outside of an interval to its nearer end.

    Args:
        min: The lower end.
        x: An array.
        max: The upper end.

    Returns:
        Numbers inside the interval.

    Example:
        >>> from olympus import lax
        >>> float(lax.clamp(0.0, 1.5, 1.0))
        1.0
    """
    operands, weak = strict_operands("clamp", (min, x, max), stretched=False)
    return bind_ordered(ops.clamp, *operands, weak=weak)


def convert_element_type(operand: ArrayLike, new_dtype: DTypeLike) -> Array:
    """The elements in another type.

    Floats become integers by cutting towards zero; NaN becomes 0 and what is too great the greatest number.

    Args:
        operand: An array.
        new_dtype: The element type.

    Returns:
        The converted array.

    Raises:
        ArgumentError: For a complex Python number in a real type, and an integer beyond the greatest float.

    Example:
        >>> from olympus import lax
        >>> lax.convert_element_type(2.75, "int32")
        Array(2, dtype=int32)
    """
    dtype = element_type("convert_element_type", new_dtype)
    if isinstance(operand, builtins.complex) or (isinstance(operand, int) and not dtypes.is_integer(dtype)):
        operand = convert(operand, dtype, True, "convert_element_type")  # integers of any size, rounded once
    warn_narrowed(dtype_of(operand), dtype)
    weak = isinstance(new_dtype, type) and new_dtype in _ORDER[1:] and aval_of(operand).weak
    return bind(ops.convert, operand, dtype=dtype, weak=weak)


def bitcast_convert_type(operand: ArrayLike, new_dtype: DTypeLike) -> Array:
    """The same bits read as another element type.

    Args:
        operand: An array.
        new_dtype: An element type.

    Returns:
        The array of that type. Elements of fewer bits have a further dimension at the end, for the parts of each of the
        operand's elements, the one of the lowest bits first; elements of more bits take the operand's last dimension.

    Raises:
        ArgumentError: If the bits of the last dimension are not those of one wider element.

    Example:
        >>> from olympus import lax
        >>> hex(lax.bitcast_convert_type(1.0, "int32"))
        '0x3f800000'
    """
    from .reinterpret import reinterpreted

    return reinterpreted("bitcast_convert_type", operand, element_type("bitcast_convert_type", new_dtype))


def stop_gradient(x: T) -> T:
    """The value itself, which derivatives take for a constant.

    Args:
        x: An array or a tree of arrays.

    Returns:
        The same; of NumPy's arrays such of olympus.

    Example:
        >>> from olympus import lax
        >>> lax.stop_gradient(1.0)
        1.0
        >>> import olympus
        >>> float(olympus.grad(lambda x: x * lax.stop_gradient(x))(3.0))
        3.0
    """
    def stopped(leaf: Any) -> Any:
        if _is_no_tangent(leaf):
            return leaf
        return constants(as_array(leaf) if isinstance(leaf, (np.ndarray, np.generic)) else leaf)

    return tree.map(stopped, x)


def _is_no_tangent(leaf: Any) -> bool:
    """Whether a leaf is the tangent of what has none, which stays as it is."""
    return isinstance(leaf, np.ndarray) and leaf.dtype == float0


def optimization_barrier(operand: T) -> T:
    """The value itself; a mark for compilers not to move work across, which changes no result.

    Args:
        operand: An array or a tree of arrays.

    Returns:
        The same, as arrays.

    Example:
        >>> from olympus import lax
        >>> lax.optimization_barrier(1.0)
        Array(1., dtype=float32, weak_type=True)
    """
    return tree.map(lambda leaf: leaf if _is_no_tangent(leaf) else as_array(leaf), operand)
