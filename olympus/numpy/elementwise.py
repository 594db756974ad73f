# SPDX-License-Identifier: Apache-2.0
"""Elementwise functions of one array: elementary functions, rounding, tests."""

from __future__ import annotations

import builtins
import functools
import math
from typing import Any

from olympus_core import dtypes, ops

from .. import lax
from ..operands import as_array, broadcast, cast, convert, dtype_of, integer, shape_of, strong, weakly
from ..tracing import aval_of, bind, scalar_dtype
from ..transforms.jit import api
from ..typing import Array, ArrayLike
from .arithmetic import divide, multiply
from .dtypes import finfo
from .promotion import promote_inexact
from .ufuncs import (
    angle_of,
    as_bool,
    as_inexact,
    as_it_is,
    conj_of,
    imag_of,
    is_float_array,
    isfinite_of,
    isinf_of,
    isnan_of,
    like,
    never,
    on_floats_only,
    on_inexact,
    real_of,
    refuse_complex,
    refuse_out,
    sign_of,
    signbit_of,
    size_of,
    trunc_of,
    unary,
    with_methods,
)

__all__ = [
    "abs", "absolute", "acos", "acosh", "angle", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh",
    "around", "asin", "asinh", "atan", "atanh", "bitwise_count", "bitwise_invert", "bitwise_not", "cbrt", "ceil",
    "conj", "conjugate", "cos", "cosh", "deg2rad", "degrees", "exp", "exp2", "expm1", "fabs", "fix", "floor", "imag",
    "invert", "iscomplex", "isfinite", "isinf", "isnan", "isneginf", "isposinf", "isreal", "log", "log10", "log1p",
    "log2", "logical_not", "nan_to_num", "negative", "positive", "rad2deg", "radians", "real", "reciprocal", "rint",
    "round", "sign", "signbit", "sin", "sinc", "sinh", "sqrt", "square", "tan", "tanh", "trunc",
]

_unary = functools.partial(unary, __name__)
_by_name = functools.partial(unary, __name__, by_name=True)


def _tanh(x: Any) -> Any:
    (x,), weak = promote_inexact("tanh", x)
    found = bind(ops.tanh, x, weak=weak)
    if not dtypes.is_complex(dtype_of(x)):
        return found
    a, b = real_of(x), imag_of(x)  # at an infinite real part the limit has a zero of the imaginary part's sign
    limit = bind(ops.complex, sign_of(a), bind(ops.mul, b, like(b, 0)))
    return bind(ops.select, bind(ops.and_, isinf_of(a), isfinite_of(b)), limit, found, weak=weak)


def _expm1(x: Any) -> Any:
    (x,), weak = promote_inexact("expm1", x)
    found = bind(ops.expm1, x, weak=weak)
    if not dtypes.is_complex(dtype_of(x)):
        return found  # where a part is not finite nothing cancels, and the exponential knows the limits
    a = real_of(found)
    found = bind(ops.complex, bind(ops.add, a, like(a, 0)), imag_of(found))  # the standard's real part is no -0
    return bind(ops.select, isfinite_of(x), found, bind(ops.sub, bind(ops.exp, x), like(x, 1)), weak=weak)


def _rint(x: Any) -> Any:
    given = dtype_of(x)
    (x,), weak = promote_inexact("rint", x)
    if dtypes.is_complex(dtype_of(x)):
        return bind(ops.complex, bind(ops.round, real_of(x)), bind(ops.round, imag_of(x)))
    return bind(ops.round, x, weak=weak and dtypes.is_float(given))


def _bools_as_numbers(x: Any) -> Any:
    return convert(x, dtypes.uint8) if dtypes.is_bool(dtype_of(x)) else x


def _square(x: Any) -> Any:
    if dtypes.is_bool(dtype_of(x)):  # a power with an integer as exponent
        x = convert(x, dtypes.int32)
    return lax.square(x)


sin = _unary("sin", "The sine.", on_inexact(ops.sin), "0.0", "0.0")
cos = _unary("cos", "The cosine.", on_inexact(ops.cos), "0.0", "1.0")
tan = _unary("tan", "The tangent.", on_inexact(ops.tan), "0.0", "0.0")
arcsin = asin = _unary("arcsin", "The angle whose sine is given.", on_inexact(ops.asin), "0.0", "0.0")
arccos = acos = _unary("arccos", "The angle whose cosine is given.", on_inexact(ops.acos), "1.0", "0.0")
arctan = atan = _unary("arctan", "The angle whose tangent is given.", on_inexact(ops.atan), "0.0", "0.0")
sinh = _unary("sinh", "The hyperbolic sine.", on_inexact(ops.sinh), "0.0", "0.0")
cosh = _unary("cosh", "The hyperbolic cosine.", on_inexact(ops.cosh), "0.0", "1.0")
tanh = _unary("tanh", "The hyperbolic tangent.", _tanh, "0.0", "0.0")
arcsinh = asinh = _unary("arcsinh", "The inverse of the hyperbolic sine.", on_inexact(ops.asinh), "0.0", "0.0")
arccosh = acosh = _unary("arccosh", "The inverse of the hyperbolic cosine.", on_inexact(ops.acosh), "1.0", "0.0",
                           is_call=True)
arctanh = atanh = _unary("arctanh", "The inverse of the hyperbolic tangent.", on_inexact(ops.atanh), "0.0", "0.0")
exp = _unary("exp", "The exponential.", on_inexact(ops.exp), "0.0", "1.0")
expm1 = _unary("expm1", "The exponential minus one, exact near zero.", _expm1, "0.0", "0.0")
log = _unary("log", "The natural logarithm.", on_inexact(ops.log), "1.0", "0.0")
log1p = _unary("log1p", "The logarithm of one plus x, exact near zero.", on_inexact(ops.log1p), "0.0", "0.0")
sqrt = _unary("sqrt", "The square root.", on_inexact(ops.sqrt), "4.0", "2.0")
cbrt = _unary("cbrt", "The cube root.", on_inexact(ops.cbrt), "8.0", "2.0")


def _log_to(base: int) -> Any:
    """The logarithm to a base; a complex one's parts are divided one by one, so that infinite ones stay apart."""

    def body(x: ArrayLike) -> Any:
        found, scale = log(x), math.log(base)
        found = strong(found)
        if not dtypes.is_complex(dtype_of(found)):
            return divide(found, scale)
        return bind(ops.complex, divide(real_of(found), scale), divide(imag_of(found), scale))

    return body


log2 = _unary("log2", "The logarithm to base 2.", _log_to(2), "8.0", "3.0")
log10 = _unary("log10", "The logarithm to base 10.", _log_to(10), "1.0", "0.0")
exp2 = _unary("exp2", "Two to the power of x.", lambda x: lax.exp2(as_inexact("exp2", x)), "3.0", "8.0")
negative = with_methods(_unary(
    "negative", "The number with the other sign.", as_it_is(ops.neg), "1.5", "-1.5", methods=True), 1, None)
positive = _unary("positive", "The number itself.", as_array, "1.5", "1.5")
floor = _unary("floor", "The greatest integer that is not greater.", on_floats_only(ops.floor), "-1.5", "-2.0")
ceil = _unary("ceil", "The least integer that is not less.", on_floats_only(ops.ceil), "-1.5", "-1.0")
rint = _unary("rint", "The nearest integer; ties to even.", _rint, "2.5", "2.0", is_call=True)
abs = absolute = _unary("absolute", "The distance from zero.", size_of, "-1.5", "1.5")


def _fabs(x: Any) -> Any:
    refuse_complex("fabs", x)
    return size_of(as_inexact("fabs", x))


fabs = _unary(
    "fabs", "The distance from zero, as a float.", _fabs, "-1", "1.0")
sign = _unary("sign", "-1, 0 or 1, as the number is negative, zero or positive.", sign_of, "-1.5", "-1.0")
trunc = fix = _by_name("trunc", "The number without its fraction.", trunc_of, "-1.5", "-1.0", is_call=True)
square = _unary("square", "The number times itself.", _square, "3.0", "9.0")


def _reciprocal(x: Any) -> Any:
    (x,), weak = promote_inexact("reciprocal", x)
    return weakly(lax.reciprocal(x), weak)


reciprocal = _unary("reciprocal", "One over the number.", _reciprocal, "4.0", "0.25")
deg2rad = radians = _unary(
    "deg2rad", "Degrees as radians.", lambda x: multiply(as_inexact("deg2rad", x), math.pi / 180), "0.0", "0.0")
rad2deg = degrees = _unary(
    "rad2deg", "Radians as degrees.", lambda x: multiply(as_inexact("rad2deg", x), 180 / math.pi), "0.0", "0.0")
conjugate = conj = _unary("conjugate", "The complex conjugate.", conj_of, "1j", "-1j")
real = _unary("real", "The real part.", real_of, "3 + 1j", "3.0")
imag = _unary("imag", "The imaginary part.", lambda x: weakly(imag_of(x), aval_of(x).weak), "3 + 1j", "1.0")
isnan = _unary("isnan", "Whether a number is NaN.", isnan_of, "jnp.nan", "True")
isinf = _unary("isinf", "Whether a number is infinite.", isinf_of, "jnp.inf", "True", is_call=True)
isfinite = _unary("isfinite", "Whether a number is neither infinite nor NaN.", isfinite_of, "jnp.inf", "False")
isreal = _by_name("isreal", "Whether the imaginary part is zero.", lambda x: bind(
    ops.eq, imag_of(x), like(imag_of(x), 0), weak=aval_of(x).weak), "1j", "False", is_call=True)
iscomplex = _by_name("iscomplex", "Whether the imaginary part is not zero.", lambda x: bind(
    ops.ne, imag_of(x), like(imag_of(x), 0), weak=aval_of(x).weak), "1j", "True", is_call=True)
signbit = _unary("signbit", "Whether the sign is negative, for zeros too.", signbit_of, "-0.0", "True", is_call=True)
logical_not = _unary(
    "logical_not", "Whether an element is false.", lambda x: bind(
        ops.not_, as_bool(x), weak=aval_of(x).weak), "0", "True")
bitwise_not = invert = bitwise_invert = _unary("bitwise_not", "Every bit inverted.", as_it_is(ops.not_), "5", "-6")
bitwise_count = _unary("bitwise_count", "How many bits of the number's size are one.", lambda x: convert(
    bind(ops.population_count, size_of(_bools_as_numbers(x))), dtypes.uint8), "5", "2")


# Of sin(y) / y as a polynomial in y * y; the error for abs(y) < 1 is below the rounding of float64.
_SINC_SERIES = tuple((-1.0) ** k / math.factorial(2 * k + 1) for k in range(10))


def _sinc(x: Any) -> Any:
    (x,), weak = promote_inexact("sinc", x)
    # Near zero by the series, whose derivatives of every order are right there; those of the quotient cancel.
    angle = bind(ops.mul, x, like(x, math.pi))
    near = bind(ops.lt, bind(ops.abs, angle), like(real_of(x), 1))
    small = bind(ops.select, near, angle, like(x, 0))
    square_of_small, series = bind(ops.mul, small, small), like(x, _SINC_SERIES[-1])
    for coefficient in _SINC_SERIES[-2::-1]:
        series = bind(ops.add, bind(ops.mul, series, square_of_small), like(x, coefficient))
    angle = bind(ops.select, near, like(x, math.pi), angle)
    return bind(ops.select, near, series, bind(ops.div, bind(ops.sin, angle), angle), weak=weak)


sinc = _unary("sinc", "sin(pi x) / (pi x).", _sinc, "0.0", "1.0", is_call=True)


@api(static=("deg",), call="angle")
def angle(z: ArrayLike, deg: bool = False) -> Array:
    """The angle of a complex number.

    Args:
        z: An array or number.
        deg: Whether in degrees; else in radians.

    Returns:
        The angles.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.angle(-1.0, deg=True).tolist()
        180.0
    """
    found = angle_of(z)
    return bind(ops.mul, found, like(found, 180 / math.pi)) if deg else found


@api
def isposinf(x: ArrayLike, /, out: None = None) -> Array:
    """Whether a number is positive infinity.

    Args:
        x: An array or number.
        out: Not used: arrays never change.

    Returns:
        Bools.

    Raises:
        OperandError: For complex numbers.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.isposinf(jnp.inf).tolist()
        True
    """
    refuse_out("isposinf", out)
    refuse_complex("isposinf", x)
    return bind(ops.eq, x, like(x, math.inf), weak=False) if is_float_array(x) else never(x)


@api
def isneginf(x: ArrayLike, /, out: None = None) -> Array:
    """Whether a number is negative infinity.

    Args:
        x: An array or number.
        out: Not used: arrays never change.

    Returns:
        Bools.

    Raises:
        OperandError: For complex numbers.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.isneginf(jnp.inf).tolist()
        False
    """
    refuse_out("isneginf", out)
    refuse_complex("isneginf", x)
    return bind(ops.eq, x, like(x, -math.inf), weak=False) if is_float_array(x) else never(x)


@api(static=("decimals",), call="round")
def round(a: ArrayLike, decimals: int = 0, out: None = None) -> Array:
    """Rounds to a number of decimals, ties to even.

    Args:
        a: An array or number.
        decimals: How many decimals; negative ones count before the point.
        out: Not used: arrays never change.

    Returns:
        The rounded numbers.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.round(2.5).tolist(), jnp.round(1.26, 1).item() == jnp.float32(1.3)
        (2.0, Array(True, dtype=bool))
    """
    refuse_out("round", out)
    dtype, decimals = dtype_of(a), integer("round", decimals, "the number of decimals")
    if dtypes.is_complex(dtype):
        return bind(ops.complex, round(real_of(a), decimals), round(imag_of(a), decimals))
    if not dtypes.is_float(dtype):
        if decimals >= 0 or dtypes.is_bool(dtype):
            return as_array(a)
        if decimals < -19:  # greater than every integer
            return broadcast(convert(0, dtype), shape_of(a), weak=aval_of(a).weak)
        scale = 10 ** -decimals
        wide = scalar_dtype(float)
        return convert(multiply(bind(ops.round, divide(convert(a, wide), scale)), scale), dtype)
    if decimals == 0:
        return bind(ops.round, a)
    if builtins.abs(decimals) > math.log10(float(finfo(dtype).max)):  # no power of ten of this type
        return as_array(a) if decimals > 0 else bind(ops.mul, a, like(a, 0.0))
    scale = like(a, 10.0 ** builtins.abs(decimals))
    if decimals < 0:
        return bind(ops.mul, bind(ops.round, bind(ops.div, a, scale)), scale)
    scaled = bind(ops.mul, a, scale)  # where it overflows there are no such decimals to round
    return bind(ops.select, bind(ops.is_finite, scaled), bind(ops.div, bind(ops.round, scaled), scale), as_array(a))


around = round


@api(static=("copy",), call="nan_to_num")
def nan_to_num(
    x: ArrayLike, copy: bool = True, nan: ArrayLike = 0.0, posinf: ArrayLike | None = None,
    neginf: ArrayLike | None = None,
) -> Array:
    """Replaces NaN and infinities by numbers.

    Args:
        x: An array or number.
        copy: Not used: arrays never change.
        nan: What stands for NaN.
        posinf: What stands for infinity; the greatest number for None.
        neginf: What stands for negative infinity; the least number for None.

    Returns:
        The array of finite numbers.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.nan_to_num(jnp.nan).tolist()
        0.0
    """
    if dtypes.is_complex(dtype_of(x)):
        return bind(ops.complex, *(nan_to_num(part, copy, nan, posinf, neginf) for part in (real_of(x), imag_of(x))))
    if not is_float_array(x):
        return as_array(x)
    limits, x = finfo(dtype_of(x)), strong(x)
    found = _where(isnan_of(x), nan, x)
    found = _where(isposinf(x), float(limits.max) if posinf is None else posinf, found)
    return _where(isneginf(x), float(limits.min) if neginf is None else neginf, found)


def _where(condition: Any, value: Any, x: Any) -> Any:
    return bind(ops.select, condition, broadcast(cast(value, dtype_of(x)), shape_of(x)), x, weak=aval_of(x).weak)
