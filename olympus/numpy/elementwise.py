"""Functions index by index: arithmetic, comparisons, logic, rounding, elementary functions.

All promote element types and broadcast shapes as `promotion.py` says.
"""

from __future__ import annotations

import builtins
import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError
from olympus_core.program import OperationRecord

from .. import lax
from ..lax.operands import ArrayLike, broadcast, cast, convert, dtype_of, shape_of
from ..tracing import aval_of, bind, scalar_dtype
from ..transforms.jit import api
from .promotion import check_numbers, inexact_dtype, promote, promote_inexact

_MOST_MULTIPLICATIONS = 1024  # the greatest exponent that is taken apart


def _documented(function: Callable[..., Any], name: str, summary: str, names: str, example: str, result: str) -> None:
    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    arguments = "\n".join(f"    {n}: An array or number." for n in names.split())
    function.__doc__ = (
        f"{summary}\n\nArgs:\n{arguments}\n\nReturns:\n    The result, index by index.\n\nExample:\n"
        f"    >>> import olympus.numpy as jnp\n    >>> jnp.{name}({example}).tolist()\n    {result}\n"
    )


def _unary(name: str, summary: str, body: Callable[[Any], Any], example: str, result: str) -> Any:
    """A public function of one array."""

    def function(x: ArrayLike, /) -> Any:
        return body(x)

    _documented(function, name, summary, "x", example, result)
    return api(function)


def _binary(name: str, summary: str, body: Callable[[Any, Any], Any], example: str, result: str) -> Any:
    """A public function of two arrays; Python integers among them are checked before their value is out of sight."""

    def function(x: ArrayLike, y: ArrayLike, /) -> Any:
        return body(x, y)

    _documented(function, name, summary, "x y", example, result)
    compiled = api(function)

    @functools.wraps(function)
    def checked(x: ArrayLike, y: ArrayLike, /) -> Any:
        if type(x) is int or type(y) is int:
            check_numbers(name, x, y)
        return compiled(x, y)

    return checked


def _inexact(record: OperationRecord) -> Callable[[Any], Any]:
    """The operation on floats and complex numbers; others are made floats."""

    def body(x: Any) -> Any:
        (x,), weak = promote_inexact(record.name, x)
        return bind(record, x, weak=weak)

    return body


def _plain(record: OperationRecord) -> Callable[[Any], Any]:
    return lambda x: bind(record, x, weak=aval_of(x).weak)


def _of_floats(record: OperationRecord) -> Callable[[Any], Any]:
    """The operation on floats; integers and truth values stay as they are."""

    def body(x: Any) -> Any:
        return bind(record, x) if dtypes.is_float(dtype_of(x)) else as_array(x)

    return body


def _pair(
    name: str, record: OperationRecord, for_bool: OperationRecord | None = None, inexact: bool = False,
    compares: bool = False, needs: str = "",
) -> Callable[[Any, Any], Any]:
    def body(x: Any, y: Any) -> Any:
        (x, y), weak = promote_inexact(name, x, y) if inexact else promote(name, x, y)
        dtype = dtype_of(x)
        if needs == "bits" and not (dtypes.is_bool(dtype) or dtypes.is_integer(dtype)):
            raise ArgumentError(name, f"it does not take {dtype.name}", dtype.name, "integers or truth values")
        use = for_bool if for_bool is not None and dtypes.is_bool(dtype) else record
        return bind(use, x, y, weak=weak and not compares)

    return body


def as_array(x: ArrayLike) -> Any:
    """A number or NumPy array as an array of olympus, with the same element type."""
    aval = aval_of(x)
    return x if hasattr(x, "aval") else bind(ops.convert, x, dtype=aval.dtype, weak=aval.weak)


def like(x: ArrayLike, value: Any) -> Any:
    """An array of the type of another one, all of whose elements are one number."""
    aval = aval_of(x)
    return broadcast(convert(value, aval.dtype), aval.shape, weak=aval.weak)


sin = _unary("sin", "The sine.", _inexact(ops.sin), "0.0", "0.0")
cos = _unary("cos", "The cosine.", _inexact(ops.cos), "0.0", "1.0")
tan = _unary("tan", "The tangent.", _inexact(ops.tan), "0.0", "0.0")
arcsin = asin = _unary("arcsin", "The angle whose sine is given.", _inexact(ops.asin), "0.0", "0.0")
arccos = acos = _unary("arccos", "The angle whose cosine is given.", _inexact(ops.acos), "1.0", "0.0")
arctan = atan = _unary("arctan", "The angle whose tangent is given.", _inexact(ops.atan), "0.0", "0.0")
sinh = _unary("sinh", "The hyperbolic sine.", _inexact(ops.sinh), "0.0", "0.0")
cosh = _unary("cosh", "The hyperbolic cosine.", _inexact(ops.cosh), "0.0", "1.0")
tanh = _unary("tanh", "The hyperbolic tangent.", _inexact(ops.tanh), "0.0", "0.0")
arcsinh = asinh = _unary("arcsinh", "The inverse of the hyperbolic sine.", _inexact(ops.asinh), "0.0", "0.0")
arccosh = acosh = _unary("arccosh", "The inverse of the hyperbolic cosine.", _inexact(ops.acosh), "1.0", "0.0")
arctanh = atanh = _unary("arctanh", "The inverse of the hyperbolic tangent.", _inexact(ops.atanh), "0.0", "0.0")
exp = _unary("exp", "The exponential.", _inexact(ops.exp), "0.0", "1.0")
expm1 = _unary("expm1", "The exponential minus one, exact near zero.", _inexact(ops.expm1), "0.0", "0.0")
log = _unary("log", "The natural logarithm.", _inexact(ops.log), "1.0", "0.0")
log1p = _unary("log1p", "The logarithm of one plus x, exact near zero.", _inexact(ops.log1p), "0.0", "0.0")
sqrt = _unary("sqrt", "The square root.", _inexact(ops.sqrt), "4.0", "2.0")
cbrt = _unary("cbrt", "The cube root.", _inexact(ops.cbrt), "8.0", "2.0")
log2 = _unary("log2", "The logarithm to base 2.", lambda x: divide(log(x), math.log(2)), "8.0", "3.0")
log10 = _unary("log10", "The logarithm to base 10.", lambda x: divide(log(x), math.log(10)), "1.0", "0.0")
exp2 = _unary("exp2", "Two to the power of x.", lambda x: _power_of(2, x), "3.0", "8.0")

negative = _unary("negative", "The number with the other sign.", _plain(ops.neg), "1.5", "-1.5")
positive = _unary("positive", "The number itself.", as_array, "1.5", "1.5")
floor = _unary("floor", "The next whole number downwards.", _of_floats(ops.floor), "-1.5", "-2.0")
ceil = _unary("ceil", "The next whole number upwards.", _of_floats(ops.ceil), "-1.5", "-1.0")
rint = _unary("rint", "The nearest whole number; half-way the even one.", lambda x: bind(
    ops.round, promote_inexact("rint", x)[0][0]), "2.5", "2.0")


def _rational(x: Any) -> bool:
    return dtypes.is_float(dtype_of(x))


def _abs(x: Any) -> Any:
    dtype = dtype_of(x)
    return as_array(x) if dtypes.is_bool(dtype) or dtype in dtypes.UNSIGNED else bind(ops.abs, x)


def _sign(x: Any) -> Any:
    return as_array(x) if dtypes.is_bool(dtype_of(x)) else bind(ops.sign, x)


def _trunc(x: Any) -> Any:
    return lax.select(lax.lt(x, 0), lax.ceil(x), lax.floor(x)) if _rational(x) else as_array(x)


abs = absolute = _unary("absolute", "The distance from zero.", _abs, "-1.5", "1.5")
fabs = _unary("fabs", "The distance from zero, as a float.", lambda x: _abs(promote_inexact("fabs", x)[0][0]), "-1", "1.0")
sign = _unary("sign", "-1, 0 or 1, as the number is negative, zero or positive.", _sign, "-1.5", "-1.0")
trunc = fix = _unary("trunc", "The number without its fraction.", _trunc, "-1.5", "-1.0")
square = _unary("square", "The number times itself.", lambda x: multiply(x, x), "3.0", "9.0")
reciprocal = _unary("reciprocal", "One over the number.", lambda x: divide(1, x), "4.0", "0.25")
deg2rad = radians = _unary("deg2rad", "Degrees as radians.", lambda x: multiply(x, math.pi / 180), "0.0", "0.0")
rad2deg = degrees = _unary("rad2deg", "Radians as degrees.", lambda x: multiply(x, 180 / math.pi), "0.0", "0.0")


def _conj(x: Any) -> Any:
    return bind(ops.conj, x) if dtypes.is_complex(dtype_of(x)) else as_array(x)


def _real(x: Any) -> Any:
    return bind(ops.real, x) if dtypes.is_complex(dtype_of(x)) else as_array(x)


def _imag(x: Any) -> Any:
    return bind(ops.imag, x) if dtypes.is_complex(dtype_of(x)) else like(x, 0)


def _angle(x: Any) -> Any:
    (x,), _ = promote_inexact("angle", x)
    return bind(ops.atan2, _imag(x), _real(x))


conjugate = conj = _unary("conjugate", "The complex conjugate.", _conj, "1j", "-1j")
real = _unary("real", "The real part.", _real, "3 + 1j", "3.0")
imag = _unary("imag", "The imaginary part.", _imag, "3 + 1j", "1.0")
angle = _unary("angle", "The angle of a complex number.", _angle, "1.0", "0.0")


def _isnan(x: Any) -> Any:
    return bind(ops.ne, x, x, weak=False)


def _isinf(x: Any) -> Any:
    if dtypes.is_complex(dtype_of(x)):
        return logical_or(_isinf(_real(x)), _isinf(_imag(x)))
    return lax.eq(lax.abs(x), math.inf) if _rational(x) else _never(x)


def _never(x: Any) -> Any:
    return broadcast(np.asarray(False), shape_of(x))


def _isfinite(x: Any) -> Any:
    if dtypes.is_complex(dtype_of(x)):
        return logical_and(_isfinite(_real(x)), _isfinite(_imag(x)))
    return bind(ops.is_finite, x, weak=False) if _rational(x) else logical_not(_never(x))


def _signbit(x: Any) -> Any:
    dtype = dtype_of(x)
    if not dtypes.is_float(dtype):
        return _never(x) if dtypes.is_bool(dtype) or dtype in dtypes.UNSIGNED else lax.lt(x, 0)
    same_width = {1: dtypes.int8, 2: dtypes.int16, 4: dtypes.int32, 8: dtypes.int64}[dtype.itemsize]
    return lax.lt(bind(ops.bitcast_convert, x, dtype=same_width, weak=False), 0)


def truth(x: ArrayLike) -> Any:
    """Whether elements are true: for numbers, other than zero."""
    return x if dtypes.is_bool(dtype_of(x)) else bind(ops.ne, x, like(x, 0), weak=False)


def _logical(name: str, record: OperationRecord) -> Callable[[Any, Any], Any]:
    def body(x: Any, y: Any) -> Any:
        (x, y), _ = promote(name, truth(x), truth(y))
        return bind(record, x, y, weak=False)

    return body


isnan = _unary("isnan", "Whether a number is NaN.", _isnan, "jnp.nan", "True")
isinf = _unary("isinf", "Whether a number is infinite.", _isinf, "jnp.inf", "True")
isfinite = _unary("isfinite", "Whether a number is neither infinite nor NaN.", _isfinite, "jnp.inf", "False")
isposinf = _unary("isposinf", "Whether a number is positive infinity.", lambda x: lax.eq(
    x, math.inf) if _rational(x) else _never(x), "jnp.inf", "True")
isneginf = _unary("isneginf", "Whether a number is negative infinity.", lambda x: lax.eq(
    x, -math.inf) if _rational(x) else _never(x), "jnp.inf", "False")
isreal = _unary("isreal", "Whether the imaginary part is zero.", lambda x: lax.eq(_imag(x), 0), "1j", "False")
iscomplex = _unary("iscomplex", "Whether the imaginary part is not zero.", lambda x: lax.ne(_imag(x), 0), "1j", "True")
signbit = _unary("signbit", "Whether the sign is negative, for zeros too.", _signbit, "-0.0", "True")
logical_not = _unary(
    "logical_not", "Whether an element is false.", lambda x: bind(ops.not_, truth(x), weak=False), "0", "True")
bitwise_not = invert = bitwise_invert = _unary("bitwise_not", "Every bit turned.", _plain(ops.not_), "5", "-6")
bitwise_count = _unary("bitwise_count", "How many bits of the number's size are one.", lambda x: convert(
    bind(ops.population_count, _abs(x)), dtypes.uint8), "5", "2")

add = _binary("add", "The sum; of truth values, whether either is true.", _pair("add", ops.add, ops.or_), "1, 2.5", "3.5")
subtract = _binary("subtract", "The difference.", _pair("subtract", ops.sub), "1, 2.5", "-1.5")
multiply = _binary(
    "multiply", "The product; of truth values, whether both are true.", _pair("multiply", ops.mul, ops.and_), "2, 2.5", "5.0")
divide = true_divide = _binary("divide", "The quotient, as a float.", _pair("divide", ops.div, inexact=True), "1, 4", "0.25")
maximum = _binary("maximum", "The greater one; NaN where either is NaN.", _pair("maximum", ops.max), "1, 2", "2")
minimum = _binary("minimum", "The lesser one; NaN where either is NaN.", _pair("minimum", ops.min), "1, 2", "1")
arctan2 = atan2 = _binary(
    "arctan2", "The angle of the point (y, x), given y first.", _pair("arctan2", ops.atan2, inexact=True), "0.0, 1.0", "0.0")
nextafter = _binary(
    "nextafter", "The number next to x in the direction of y.", _pair("nextafter", ops.next_after, inexact=True),
    "0.0, 0.0", "0.0")
equal = _binary("equal", "Whether x equals y.", _pair("equal", ops.eq, compares=True), "1, 1.0", "True")
not_equal = _binary("not_equal", "Whether x differs from y.", _pair("not_equal", ops.ne, compares=True), "1, 2", "True")
less = _binary("less", "Whether x is less than y.", _pair("less", ops.lt, compares=True), "1, 2", "True")
less_equal = _binary("less_equal", "Whether x is at most y.", _pair("less_equal", ops.le, compares=True), "1, 2", "True")
greater = _binary("greater", "Whether x is greater than y.", _pair("greater", ops.gt, compares=True), "1, 2", "False")
greater_equal = _binary(
    "greater_equal", "Whether x is at least y.", _pair("greater_equal", ops.ge, compares=True), "1, 2", "False")
logical_and = _binary("logical_and", "Whether both are true.", _logical("logical_and", ops.and_), "1, 0", "False")
logical_or = _binary("logical_or", "Whether either is true.", _logical("logical_or", ops.or_), "1, 0", "True")
logical_xor = _binary("logical_xor", "Whether just one is true.", _logical("logical_xor", ops.xor), "1, 0", "True")
bitwise_and = _binary("bitwise_and", "The bits that both have.", _pair("bitwise_and", ops.and_, needs="bits"), "6, 3", "2")
bitwise_or = _binary("bitwise_or", "The bits that either has.", _pair("bitwise_or", ops.or_, needs="bits"), "6, 3", "7")
bitwise_xor = _binary(
    "bitwise_xor", "The bits that one has and the other has not.", _pair("bitwise_xor", ops.xor, needs="bits"), "6, 3", "5")
left_shift = bitwise_left_shift = _binary(
    "left_shift", "The bits moved up.", _pair("left_shift", ops.shift_left, needs="bits"), "3, 2", "12")


def _shift_down(x: Any, y: Any) -> Any:
    (x, y), weak = promote("right_shift", x, y)
    unsigned = dtype_of(x) in dtypes.UNSIGNED
    return bind(ops.shift_right_logical if unsigned else ops.shift_right_arithmetic, x, y, weak=weak)


right_shift = bitwise_right_shift = _binary("right_shift", "The bits moved down, the sign kept.", _shift_down, "12, 2", "3")


def _remainder(x: Any, y: Any) -> Any:
    """The remainder with the sign of the divisor."""
    rest = bind(ops.rem, x, y)
    if dtype_of(x) in dtypes.UNSIGNED:
        return rest
    zero = like(rest, 0)
    other_sign = bind(ops.ne, bind(ops.lt, rest, zero), bind(ops.lt, y, zero))
    wrong = bind(ops.and_, bind(ops.ne, rest, zero), other_sign)
    return bind(ops.select, wrong, bind(ops.add, rest, y), rest)


def _numbers(name: str, x: Any, y: Any) -> tuple[Any, Any, bool]:
    """Promoted operands, truth values as integers."""
    (x, y), weak = promote(name, x, y)
    if dtypes.is_bool(dtype_of(x)):
        x, y = (convert(v, scalar_dtype(int)) for v in (x, y))
    if dtypes.is_complex(dtype_of(x)):
        raise ArgumentError(name, "it does not take complex numbers", dtype_of(x).name, "integers or floats")
    return x, y, weak


def _mod(x: Any, y: Any) -> Any:
    x, y, weak = _numbers("remainder", x, y)
    return _weakly(_remainder(x, y), weak)


def _weakly(x: Any, weak: bool) -> Any:
    return x if not weak or aval_of(x).weak else convert(x, dtype_of(x), True)


def _floor_divide(x: Any, y: Any) -> Any:
    x, y, weak = _numbers("floor_divide", x, y)
    if dtypes.is_integer(dtype_of(x)):
        quotient = bind(ops.div, x, y)
        if dtype_of(x) in dtypes.UNSIGNED:
            return _weakly(quotient, weak)
        zero = like(x, 0)
        inexact = bind(ops.ne, bind(ops.rem, x, y), zero)
        signs_differ = bind(ops.ne, bind(ops.lt, x, zero), bind(ops.lt, y, zero))
        lower = bind(ops.and_, inexact, signs_differ)
        return _weakly(bind(ops.select, lower, bind(ops.sub, quotient, like(x, 1)), quotient), weak)
    # Through the remainder, since the plain quotient may round up to a whole number.
    quotient = bind(ops.div, bind(ops.sub, x, _remainder(x, y)), y)
    whole = bind(ops.round, quotient)
    return _weakly(bind(ops.select, bind(ops.eq, y, like(y, 0)), bind(ops.div, x, y), whole), weak)


def _fmod(x: Any, y: Any) -> Any:
    x, y, weak = _numbers("fmod", x, y)
    return bind(ops.rem, x, y, weak=weak)


def _power_of(x: Any, y: Any) -> Any:
    (x, y), weak = promote_inexact("power", x, y)
    return bind(ops.pow, x, y, weak=weak)


def _power(x: Any, y: Any) -> Any:
    (x, y), weak = promote("power", x, y)
    if dtypes.is_bool(dtype_of(x)):
        x, y = (convert(v, scalar_dtype(int)) for v in (x, y))
    return bind(ops.pow, x, y, weak=weak)


floor_divide = _binary("floor_divide", "The quotient, rounded downwards.", _floor_divide, "-7, 2", "-4")
remainder = mod = _binary("remainder", "The rest of `floor_divide`, with the sign of y.", _mod, "-7, 2", "1")
fmod = _binary("fmod", "The rest of the division cut towards zero, with the sign of x.", _fmod, "-7, 2", "-1")
float_power = _binary("float_power", "x to the power of y, as a float.", _power_of, "2, 3", "8.0")
_general_power = _binary("power", "x to the power of y.", _power, "2.0, 3.0", "8.0")


def power(x: ArrayLike, y: ArrayLike, /) -> Any:
    """X to the power of y.

    A Python integer as y becomes multiplications.

    Args:
        x: An array or number.
        y: An array or number.

    Returns:
        The powers.

    Raises:
        ArgumentError: For integers and a negative Python integer.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.power(2, 3).tolist(), jnp.power(2.0, -1).tolist()
        (8, 0.5)
    """
    if type(y) is int and -_MOST_MULTIPLICATIONS <= y <= _MOST_MULTIPLICATIONS and not (
        dtypes.is_bool(dtype_of(x))
    ):
        return lax.integer_pow(x, y=y)
    return _general_power(x, y)


pow = power


@api
def divmod(x: ArrayLike, y: ArrayLike, /) -> tuple[Any, Any]:
    """The quotient rounded downwards, and the rest.

    Args:
        x: An array or number.
        y: An array or number.

    Returns:
        Both.

    Example:
        >>> import olympus.numpy as jnp
        >>> [v.tolist() for v in jnp.divmod(-7, 2)]
        [-4, 1]
    """
    return floor_divide(x, y), remainder(x, y)


@api
def modf(x: ArrayLike, /) -> tuple[Any, Any]:
    """The fraction and the whole part of a number.

    Args:
        x: An array or number.

    Returns:
        Both, as floats.

    Example:
        >>> import olympus.numpy as jnp
        >>> [v.tolist() for v in jnp.modf(-1.5)]
        [-0.5, -1.0]
    """
    (x,), _ = promote_inexact("modf", x)
    whole = _trunc(x)
    return bind(ops.sub, x, whole), whole


def _either(name: str, record: OperationRecord) -> Callable[[Any, Any], Any]:
    def body(x: Any, y: Any) -> Any:
        (x, y), weak = promote(name, x, y)
        result = bind(record, x, y, weak=weak)
        if not _rational(x):
            return result
        return bind(ops.select, _isnan(x), y, bind(ops.select, _isnan(y), x, result), weak=weak)

    return body


def _logaddexp(x: Any, y: Any) -> Any:
    (x, y), weak = promote_inexact("logaddexp", x, y)
    difference = bind(ops.sub, x, y)
    greater = bind(ops.max, x, y)
    smooth = bind(ops.add, greater, bind(ops.log1p, bind(ops.exp, bind(ops.neg, bind(ops.abs, difference)))))
    # Equal infinities have no difference, and their sum is the result; so it is for a NaN.
    return bind(ops.select, _isnan(difference), bind(ops.add, x, y), smooth, weak=weak)


def _logaddexp2(x: Any, y: Any) -> Any:
    scale = math.log(2)
    return divide(_logaddexp(multiply(x, scale), multiply(y, scale)), scale)


def _hypot(x: Any, y: Any) -> Any:
    (x, y), weak = promote_inexact("hypot", x, y)
    x, y = bind(ops.abs, x), bind(ops.abs, y)
    greater, lesser = bind(ops.max, x, y), bind(ops.min, x, y)
    safe = bind(ops.select, bind(ops.eq, greater, like(x, 0)), like(x, 1), greater)
    ratio = bind(ops.div, lesser, safe)
    size = bind(ops.mul, greater, bind(ops.sqrt, bind(ops.add, like(x, 1), bind(ops.mul, ratio, ratio))))
    infinite = bind(ops.or_, _isinf(x), _isinf(y))
    return bind(ops.select, infinite, like(x, math.inf), size, weak=weak)


def _copysign(x: Any, y: Any) -> Any:
    (x, y), weak = promote_inexact("copysign", x, y)
    size = bind(ops.abs, x)
    return bind(ops.select, _signbit(y), bind(ops.neg, size), size, weak=weak)


def _heaviside(x: Any, y: Any) -> Any:
    (x, y), weak = promote_inexact("heaviside", x, y)
    step = bind(ops.select, bind(ops.lt, x, like(x, 0)), like(x, 0), like(x, 1))
    found = bind(ops.select, bind(ops.eq, x, like(x, 0)), y, step)
    return bind(ops.select, _isnan(x), x, found, weak=weak)


def _ldexp(x: Any, y: Any) -> Any:
    dtype = inexact_dtype(dtype_of(x))
    return multiply(cast(x, dtype), power(convert(2, dtype), cast(y, dtype)))


fmax = _binary("fmax", "The greater one; the other where one is NaN.", _either("fmax", ops.max), "1.0, jnp.nan", "1.0")
fmin = _binary("fmin", "The lesser one; the other where one is NaN.", _either("fmin", ops.min), "1.0, jnp.nan", "1.0")
logaddexp = _binary(
    "logaddexp", "The logarithm of the sum of exponentials.", _logaddexp, "-jnp.inf, 0.0", "0.0")
logaddexp2 = _binary("logaddexp2", "Likewise to base 2.", _logaddexp2, "-jnp.inf, 0.0", "0.0")
hypot = _binary("hypot", "The length of a vector of two components.", _hypot, "3.0, 4.0", "5.0")
copysign = _binary("copysign", "The size of x with the sign of y.", _copysign, "1.5, -0.0", "-1.5")
heaviside = _binary("heaviside", "0 for negative x, 1 for positive, y for zero.", _heaviside, "0.0, 0.5", "0.5")
ldexp = _binary("ldexp", "x times two to the power of y.", _ldexp, "1.5, 2", "6.0")


def _sinc(x: Any) -> Any:
    (x,), weak = promote_inexact("sinc", x)
    zero = bind(ops.eq, x, like(x, 0))
    angle = bind(ops.mul, bind(ops.select, zero, like(x, 1), x), like(x, math.pi))
    return bind(ops.select, zero, like(x, 1), bind(ops.div, bind(ops.sin, angle), angle), weak=weak)


sinc = _unary("sinc", "sin(pi x) / (pi x).", _sinc, "0.0", "1.0")


@api(static=("decimals",))
def round(a: ArrayLike, decimals: int = 0) -> Any:
    """Rounds to a number of decimals, half-way to the even one.

    Args:
        a: An array or number.
        decimals: How many decimals; negative ones count before the point.

    Returns:
        The rounded numbers.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.round(2.5).tolist(), jnp.round(1.26, 1).item() == jnp.float32(1.3)
        (2.0, Array(True, dtype=bool))
    """
    dtype = dtype_of(a)
    if dtypes.is_complex(dtype):
        return bind(ops.complex, round(_real(a), decimals), round(_imag(a), decimals))
    if not dtypes.is_float(dtype):
        if decimals >= 0 or dtypes.is_bool(dtype):
            return as_array(a)
        scale = 10 ** -decimals
        wide = scalar_dtype(float)
        return convert(multiply(bind(ops.round, divide(convert(a, wide), scale)), scale), dtype)
    if decimals == 0:
        return bind(ops.round, a)
    scale = like(a, 10.0 ** builtins.abs(decimals))
    if decimals < 0:
        return bind(ops.mul, bind(ops.round, bind(ops.div, a, scale)), scale)
    return bind(ops.div, bind(ops.round, bind(ops.mul, a, scale)), scale)


around = round


@api(static=("copy",))
def nan_to_num(
    x: ArrayLike, copy: bool = True, nan: ArrayLike = 0.0, posinf: ArrayLike | None = None,
    neginf: ArrayLike | None = None,
) -> Any:
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
        return bind(ops.complex, *(nan_to_num(part, copy, nan, posinf, neginf) for part in (_real(x), _imag(x))))
    if not _rational(x):
        return as_array(x)
    from .dtypes import finfo

    limits = finfo(dtype_of(x))
    found = _where(_isnan(x), nan, x)
    found = _where(isposinf(x), float(limits.max) if posinf is None else posinf, found)
    return _where(isneginf(x), float(limits.min) if neginf is None else neginf, found)


def _where(condition: Any, value: Any, x: Any) -> Any:
    return bind(ops.select, condition, broadcast(cast(value, dtype_of(x)), shape_of(x)), x, weak=aval_of(x).weak)


@api
def clip(arr: ArrayLike, /, min: ArrayLike | None = None, max: ArrayLike | None = None) -> Any:
    """Moves what lies outside of an interval to its nearer end.

    Args:
        arr: An array or number.
        min: The lower end; None where there is none.
        max: The upper end.

    Returns:
        Numbers inside the interval.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.clip(jnp.arange(4), 1, 2)
        Array([1, 1, 2, 2], dtype=int32)
    """
    if min is not None:
        arr = maximum(min, arr)
    if max is not None:
        arr = minimum(max, arr)
    return as_array(arr)


@api(static=("equal_nan",))
def isclose(a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-05, atol: ArrayLike = 1e-08, equal_nan: bool = False) -> Any:
    """Whether numbers are equal but for a tolerance of ``atol + rtol * abs(b)``.

    Args:
        a: An array or number.
        b: An array or number.
        rtol: The tolerance as a share of b.
        atol: The tolerance as a distance.
        equal_nan: Whether NaN equals NaN.

    Returns:
        Truth values.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.isclose(1.0, 1.000001).tolist()
        True
    """
    (a, b), _ = promote("isclose", a, b)
    dtype = dtype_of(a)
    same = bind(ops.eq, a, b, weak=False)
    if not (dtypes.is_float(dtype) or dtypes.is_complex(dtype)):
        a, b = (cast(v, scalar_dtype(float)) for v in (a, b))
        dtype = dtype_of(a)
    distance, size = _abs(subtract(a, b)), _abs(b)
    near = less_equal(distance, add(cast(atol, dtype_of(size)), multiply(cast(rtol, dtype_of(size)), size)))
    near = logical_and(near, logical_and(_isfinite(a), _isfinite(b)))
    found = logical_or(same, near)
    return logical_or(found, logical_and(_isnan(a), _isnan(b))) if equal_nan else found


def allclose(
    a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-05, atol: ArrayLike = 1e-08, equal_nan: bool = False
) -> Any:
    """Whether all numbers are equal but for a tolerance.

    Args:
        a: An array or number.
        b: An array or number.
        rtol: The tolerance as a share of b.
        atol: The tolerance as a distance.
        equal_nan: Whether NaN equals NaN.

    Returns:
        A truth value.

    Example:
        >>> import olympus.numpy as jnp
        >>> bool(jnp.allclose(jnp.ones(2), 1 + 1e-7))
        True
    """
    return _all(isclose(a, b, rtol, atol, equal_nan=equal_nan))


@api
def _all(x: ArrayLike) -> Any:
    return bind(ops.reduce_and, x, dimensions=tuple(range(len(shape_of(x)))))


@api(static=("equal_nan",))
def _equal_all(a: ArrayLike, b: ArrayLike, equal_nan: bool) -> Any:
    same = equal(a, b)
    if equal_nan:
        same = logical_or(same, logical_and(isnan(a), isnan(b)))
    return _all(same)


def array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan: bool = False) -> Any:
    """Whether arrays have one shape and equal elements.

    Args:
        a1: An array.
        a2: Another one.
        equal_nan: Whether NaN equals NaN.

    Returns:
        A truth value.

    Example:
        >>> import olympus.numpy as jnp
        >>> bool(jnp.array_equal(jnp.arange(3), jnp.arange(3)))
        True
    """
    from .creation import asarray

    a1, a2 = asarray(a1), asarray(a2)
    return asarray(False) if a1.shape != a2.shape else _equal_all(a1, a2, equal_nan=equal_nan)


def array_equiv(a1: ArrayLike, a2: ArrayLike) -> Any:
    """Whether arrays are equal once they are broadcast together.

    Args:
        a1: An array.
        a2: Another one.

    Returns:
        A truth value.

    Example:
        >>> import olympus.numpy as jnp
        >>> bool(jnp.array_equiv(jnp.ones(3), 1))
        True
    """
    from .creation import asarray

    a1, a2 = asarray(a1), asarray(a2)
    try:
        np.broadcast_shapes(a1.shape, a2.shape)
    except ValueError:
        return asarray(False)
    return _equal_all(a1, a2, equal_nan=False)


