# SPDX-License-Identifier: Apache-2.0
"""Activations, softmax and related functions; the public names are in `olympus.nn`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError, described

from .. import lax
from ..numpy.arithmetic import add, divide, logaddexp, maximum, minimum, multiply, subtract
from ..numpy.comparison import equal, greater, greater_equal, less
from ..numpy.creation import asarray
from ..numpy.dtypes import finfo
from ..numpy.elementwise import absolute, exp, expm1, log, log1p, negative, sqrt, square, tanh
from ..numpy.promotion import promote_inexact
from ..numpy.reductions import any as numpy_any
from ..numpy.reductions import folded
from ..numpy.reductions import max as numpy_max
from ..numpy.reductions import mean as numpy_mean
from ..numpy.reductions import sum as numpy_sum
from ..numpy.reductions import var as numpy_var
from ..numpy.searching import where as numpy_where
from ..numpy.shapes import broadcast_to
from ..numpy.ufuncs import as_inexact, imag_of, isfinite_of, like, real_of
from ..operands import axis_of, broadcast_shape, convert, dtype_of, element_type, integer, shape_of
from ..tracing import aval_of, bind, scalar_dtype
from ..transforms.derivatives import custom_jvp
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DTypeLike

if TYPE_CHECKING:
    from ..signatures import Activation

__all__ = [
    "celu", "elu", "gelu", "glu", "hard_sigmoid", "hard_silu", "hard_swish", "hard_tanh", "identity", "leaky_relu",
    "log1mexp", "log_sigmoid", "log_softmax", "logmeanexp", "logsumexp", "mish", "one_hot", "relu", "relu6", "selu",
    "sigmoid", "silu", "soft_sign", "softmax", "softplus", "softsign", "sparse_plus", "sparse_sigmoid", "squareplus",
    "standardize", "swish",
]

Axis = Any


def _float(x: Any) -> Any:
    return as_inexact("nn", x)


def _activation(
    name: str, summary: str, body: Callable[[Any], Any], example: str, result: str, is_call: bool = True
) -> Activation:
    """A public function of one array, which is a call for those who look at calls or not."""

    def function(x: ArrayLike) -> Array:
        return body(x)

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__doc__ = (
        f"{summary}\n\nArgs:\n    x: An array.\n\nReturns:\n    The result, elementwise.\n\nExample:\n"
        f"    >>> import olympus\n    >>> olympus.nn.{name}({example}).tolist()\n    {result}\n"
    )
    return api(function, call=name if is_call else "")


def _logistic(x: Any) -> Any:
    return bind(ops.logistic, _float(x), weak=aval_of(x).weak)


@custom_jvp
def _relu(x: Any) -> Any:
    return maximum(x, 0)


@_relu.defjvp
def _relu_slope(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    """The derivative at zero is 0; every number from 0 to 1 is a subgradient there."""
    (x,), (t,) = primals, tangents
    return _relu(x), numpy_where(lax.gt(x, 0), t, 0)


@custom_jvp
def _relu6(x: Any) -> Any:
    return minimum(maximum(x, 0), 6.0)


@_relu6.defjvp
def _relu6_slope(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    """The derivative at both ends is 0."""
    (x,), (t,) = primals, tangents
    return _relu6(x), numpy_where(lax.bitwise_and(lax.gt(x, 0), lax.lt(x, 6)), t, 0)


@custom_jvp
def _log1mexp(x: Any) -> Any:
    return numpy_where(lax.lt(x, math.log(2)), log(negative(expm1(negative(x)))), log1p(negative(exp(negative(x)))))


@_log1mexp.defjvp
def _log1mexp_slope(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    """The derivative is 1 / (exp(x) - 1) everywhere; that of the branch that is not taken may be NaN."""
    (x,), (t,) = primals, tangents
    return _log1mexp(x), divide(t, expm1(x))


relu = _activation("relu", "x, or 0 where x is negative.", _relu, "-1.5", "0.0")
relu6 = _activation(
    "relu6", "x, moved into the interval from 0 to 6.", _relu6, "7.5", "6.0")
sigmoid = _activation("sigmoid", "1 / (1 + exp(-x)).", _logistic, "0.0", "0.5", is_call=False)
silu = swish = _activation("silu", "x * sigmoid(x).", lambda x: multiply(x, _logistic(x)), "0.0", "0.0")
softplus = _activation("softplus", "log(1 + exp(x)).", lambda x: logaddexp(x, 0), "-200.0", "0.0")
soft_sign = _activation("soft_sign", "x / (1 + |x|).", lambda x: divide(x, add(absolute(x), 1)), "1.0", "0.5")
log_sigmoid = _activation(
    "log_sigmoid", "The logarithm of sigmoid(x).", lambda x: negative(logaddexp(negative(x), 0)), "200.0", "-0.0")
hard_tanh = _activation(
    "hard_tanh", "x, moved into the interval from -1 to 1.", lambda x: numpy_where(
        greater(x, 1), 1, x if dtypes.is_unsigned(dtype_of(x)) else numpy_where(less(x, -1), -1, x)), "3.5", "1.0")
hard_sigmoid = _activation("hard_sigmoid", "relu6(x + 3) / 6.", lambda x: divide(relu6(add(x, 3.0)), 6.0), "0.0", "0.5")
hard_silu = hard_swish = _activation(
    "hard_silu", "x * hard_sigmoid(x).", lambda x: multiply(x, hard_sigmoid(x)), "3.0", "3.0")
mish = _activation("mish", "x * tanh(softplus(x)).", lambda x: multiply(x, tanh(softplus(x))), "0.0", "0.0")
sparse_plus = _activation(
    "sparse_plus", "0 up to -1, x from 1 on, (x + 1)^2 / 4 between.",
    lambda x: numpy_where(lax.le(_float(x), -1.0), 0.0, numpy_where(
        lax.ge(_float(x), 1.0), x, divide(square(add(x, 1.0)), 4.0))), "1.0", "1.0")
sparse_sigmoid = _activation(
    "sparse_sigmoid", "(clip(x, -1, 1) + 1) / 2.", lambda x: multiply(
        add(minimum(maximum(x, -1.0), 1.0), 1.0), 0.5), "0.0", "0.5")
identity = _activation("identity", "x itself.", lambda x: bind(
    ops.convert, x, dtype=dtype_of(x), weak=aval_of(x).weak), "1.5", "1.5")
log1mexp = _activation(
    "log1mexp", "log(1 - exp(-x)), exact near zero.", lambda x: _log1mexp(_float(x)), "200.0", "-0.0", is_call=False)


def softsign(x: ArrayLike) -> Array:
    """X / (1 + |x|): another name of `soft_sign`.

    Args:
        x: An array.

    Returns:
        The result, elementwise.

    Example:
        >>> import olympus
        >>> olympus.nn.softsign(1.0).tolist()
        0.5
    """
    return soft_sign(x)


@api(static=("approximate",))
def gelu(x: ArrayLike, approximate: bool = True) -> Array:
    """X times the normal distribution's probability of a lesser number.

    Args:
        x: An array.
        approximate: Whether to take a formula with tanh instead of the error function.

    Returns:
        The result, elementwise.

    Example:
        >>> import olympus
        >>> olympus.nn.gelu(0.0).tolist()
        0.0
    """
    x = _float(x)
    if aval_of(x).weak:  # the result never is
        x = lax.convert_element_type(x, dtype_of(x))
    if not approximate:
        scaled = multiply(negative(x), math.sqrt(0.5))
        return multiply(multiply(x, 0.5), bind(ops.erfc, scaled, weak=aval_of(x).weak))
    inner = multiply(math.sqrt(2 / math.pi), add(x, multiply(0.044715, lax.integer_pow(x, y=3))))
    return multiply(x, multiply(0.5, add(1.0, tanh(inner))))


def _safe_exp(x: Any) -> Any:
    """exp(x) - 1 where x is not positive; elsewhere of zero, so that nothing overflows."""
    return expm1(numpy_where(greater(x, 0.0), 0.0, x))


@api(call="elu")
def elu(x: ArrayLike, alpha: ArrayLike = 1.0) -> Array:
    """x, or alpha * (exp(x) - 1) where x is negative.

    Args:
        x: An array.
        alpha: A factor.

    Returns:
        The result, elementwise.

    Example:
        >>> import olympus
        >>> olympus.nn.elu(2.0).tolist()
        2.0
    """
    return numpy_where(greater(x, 0.0), x, multiply(alpha, _safe_exp(x)))


@api(call="selu")
def selu(x: ArrayLike) -> Array:
    """The scaled `elu` that keeps mean and variance.

    Args:
        x: An array.

    Returns:
        The result, elementwise.

    Example:
        >>> import olympus
        >>> olympus.nn.selu(0.0).tolist()
        0.0
    """
    return multiply(1.0507009873554804934193349852946, elu(x, 1.6732632423543772848170429916717))


@api(call="celu")
def celu(x: ArrayLike, alpha: ArrayLike = 1.0) -> Array:
    """max(x, 0) + min(alpha * (exp(x / alpha) - 1), 0).

    Args:
        x: An array.
        alpha: A factor.

    Returns:
        The result, elementwise.

    Example:
        >>> import olympus
        >>> olympus.nn.celu(2.0).tolist()
        2.0
    """
    positive = greater(x, 0.0)
    below = numpy_where(positive, 0.0, x)
    return numpy_where(positive, x, multiply(alpha, expm1(divide(below, alpha))))


@api(call="leaky_relu")
def leaky_relu(x: ArrayLike, negative_slope: ArrayLike = 1e-2) -> Array:
    """x, or x times a slope where x is negative.

    Args:
        x: An array.
        negative_slope: The slope.

    Returns:
        The result, elementwise.

    Example:
        >>> import olympus
        >>> olympus.nn.leaky_relu(-2.0, 0.5).tolist()
        -1.0
    """
    return numpy_where(greater_equal(x, 0), x, multiply(negative_slope, x))


@api(call="squareplus")
def squareplus(x: ArrayLike, b: ArrayLike = 4) -> Array:
    """(x + sqrt(x^2 + b)) / 2.

    Args:
        x: An array.
        b: How smooth it is at zero.

    Returns:
        The result, elementwise.

    Example:
        >>> import olympus
        >>> olympus.nn.squareplus(0.0).tolist()
        1.0
    """
    return divide(add(x, sqrt(add(square(x), b))), 2)


@api(static=("axis",))
def glu(x: ArrayLike, axis: int = -1) -> Array:
    """The first half of a dimension times the sigmoid of the second.

    Args:
        x: An array.
        axis: The dimension, of even size.

    Returns:
        An array half as large.

    Raises:
        ArgumentError: If the size is odd.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.nn.glu(jnp.array([2.0, 0.0]))
        Array([1.], dtype=float32)
    """
    d = axis_of("glu", axis, len(shape_of(x)))
    n = shape_of(x)[d]
    if n % 2:
        raise ArgumentError("glu", f"axis {d} does not divide into two halves", n, "an even size")
    return multiply(lax.slice_in_dim(x, 0, n // 2, axis=d), sigmoid(lax.slice_in_dim(x, n // 2, n, axis=d)))


def _masked_max(x: Any, axis: Axis, where: Any) -> Any:
    """The maximum, subtracted before the exponential against overflow and added again; a constant for derivatives."""
    x = lax.stop_gradient(x)
    least = ops.reduce_max.nothing(dtype_of(x))
    if where is None:
        return numpy_max(x, axis=axis, keepdims=True, initial=least)
    return numpy_max(x, axis=axis, keepdims=True, initial=least, where=where)


def _finite(x: Any) -> Any:
    return numpy_where(lax.is_finite(x), x, like(x, 0))


def _where_some_count(name: str, x: Any, axis: Axis, where: Any, top: Any) -> tuple[Any, Any, Any]:
    """What counts, in the shape of the array; whether anything does; and the maximum, or 0 where nothing does.

    With these everything is finite where nothing counts, so that derivatives are zero there and not NaN.
    """
    everywhere = broadcast_to(where, broadcast_shape(name, [shape_of(x), shape_of(where)]))
    some = numpy_any(everywhere, axis=axis, keepdims=True)
    return everywhere, some, numpy_where(some, top, 0)


@api(static=("axis",))
def _softmax(x: ArrayLike, where: ArrayLike | None, axis: Axis) -> Any:
    x = _float(x)
    top = _masked_max(x, axis, where)
    if where is None:
        scaled = exp(subtract(x, top))
        return divide(scaled, numpy_sum(scaled, axis=axis, keepdims=True))
    where, some, top = _where_some_count("softmax", x, axis, where, top)
    scaled = numpy_where(where, exp(subtract(numpy_where(where, x, top), top)), 0)
    total = numpy_sum(scaled, axis=axis, keepdims=True)
    return divide(scaled, numpy_where(some, total, 1))


def softmax(x: ArrayLike, axis: Axis = -1, where: ArrayLike | None = None, initial: Any = None) -> Array:
    """Exponentials, scaled so that their sum is one.

    Args:
        x: An array.
        axis: The dimensions that are summed over.
        where: Bools; elements where they are false count nothing.
        initial: Not used.

    Returns:
        The shares.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.nn.softmax(jnp.zeros(4))
        Array([0.25, 0.25, 0.25, 0.25], dtype=float32)
    """
    return _softmax(x, where, axis=tuple(axis) if isinstance(axis, list) else axis)


@api(static=("axis",), call="log_softmax")
def _log_softmax(x: ArrayLike, where: ArrayLike | None, axis: Axis) -> Any:
    x = _float(x)
    top = _masked_max(x, axis, where)
    if where is None:
        shifted = subtract(x, top)
        return subtract(shifted, log(numpy_sum(exp(shifted), axis=axis, keepdims=True)))
    where, some, top = _where_some_count("log_softmax", x, axis, where, top)
    shifted = subtract(numpy_where(where, x, top), top)
    total = numpy_sum(exp(shifted), axis=axis, keepdims=True, where=where)
    return numpy_where(where, subtract(shifted, log(numpy_where(some, total, 1))), -np.inf)


def log_softmax(x: ArrayLike, axis: Axis = -1, where: ArrayLike | None = None, initial: Any = None) -> Array:
    """The logarithm of `softmax`, exact for small shares.

    Args:
        x: An array.
        axis: The dimensions that are summed over.
        where: Bools; elements where they are false count nothing.
        initial: Not used.

    Returns:
        The logarithms.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.nn.log_softmax(jnp.zeros(1))
        Array([0.], dtype=float32)
    """
    return _log_softmax(x, where, axis=tuple(axis) if isinstance(axis, list) else axis)


@api(static=("axis", "keepdims", "signed"))
def _logsumexp(a: ArrayLike, b: Any, where: Any, axis: Axis, keepdims: bool, signed: bool) -> Any:
    a = _float(a)
    if b is not None:
        (a, b), _ = promote_inexact("logsumexp", a, b)
        shape = broadcast_shape("logsumexp", [shape_of(a), shape_of(b)])
        a, b = broadcast_to(a, shape), broadcast_to(b, shape)
    exponents = real_of(a)
    if b is not None:
        exponents = numpy_where(lax.ne(b, 0.0), exponents, -np.inf)
    top = convert(_finite(_masked_max(exponents, axis, where)), dtype_of(a))
    if where is not None:  # what does not count is finite, so that derivatives are zero there and not NaN
        a = numpy_where(where, a, top)
    shifted = subtract(a, top)
    if b is not None:
        # What has the weight 0 counts nothing, but its power is the slope by the weight: only an infinite one goes.
        end = math.log(float(finfo(dtypes.real_part(dtype_of(a))).max))
        fits = bind(ops.and_, lax.lt(real_of(shifted), end), isfinite_of(imag_of(a)))
        shifted = numpy_where(bind(ops.or_, fits, lax.ne(b, 0.0)), shifted, ops.reduce_max.nothing(dtype_of(a)))
    scaled = exp(shifted)
    if b is not None:
        scaled = multiply(b, scaled)
    total = numpy_sum(scaled, axis=axis, keepdims=True, where=where)
    sign = lax.sign(total)
    found = add(log(lax.abs(total)), lax.real(top) if dtypes.is_complex(dtype_of(top)) else top) if signed else (
        add(log(total), top))
    if not keepdims:
        axes, _ = folded("logsumexp", axis, len(shape_of(a)))
        found, sign = lax.squeeze(found, axes), lax.squeeze(sign, axes)
    return (found, sign) if signed else found


def logsumexp(
    a: ArrayLike, axis: Axis = None, b: ArrayLike | None = None, keepdims: bool = False, return_sign: bool = False,
    where: ArrayLike | None = None,
) -> Any:
    """The logarithm of the sum of exponentials, without overflow.

    Args:
        a: An array of exponents.
        axis: The dimensions that are summed over; all for None.
        b: Factors of the exponentials.
        keepdims: Whether the folded dimensions stay, with size one.
        return_sign: Whether to give the sum's sign too, and the logarithm of its size.
        where: Bools; elements where they are false do not count.

    Returns:
        The logarithms; and the signs, if they are asked for.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.nn.logsumexp(jnp.array([1000.0, -jnp.inf]))
        Array(1000., dtype=float32)
    """
    axis = tuple(axis) if isinstance(axis, list) else axis
    return _logsumexp(a, b, where, axis=axis, keepdims=bool(keepdims), signed=bool(return_sign))


def logmeanexp(
    x: ArrayLike, axis: Axis = None, where: ArrayLike | None = None, keepdims: bool = False
) -> Array:
    """The logarithm of the mean of exponentials.

    Args:
        x: An array of exponents.
        axis: The dimensions that are folded; all for None.
        where: Bools; elements where they are false do not count.
        keepdims: Whether the folded dimensions stay, with size one.

    Returns:
        The logarithms.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.nn.logmeanexp(jnp.array([2.0, 2.0])).round(3)
        Array(2., dtype=float32)
    """
    total = logsumexp(x, axis, keepdims=keepdims, where=where)
    ones = broadcast_to(True if where is None else where, shape_of(x))
    count = numpy_sum(ones, axis=axis, keepdims=keepdims, dtype=scalar_dtype(float))
    return subtract(total, convert(log(count), dtype_of(total)))


@api(static=("axis",), call="standardize")
def standardize(
    x: ArrayLike, axis: Axis = -1, mean: ArrayLike | None = None, variance: ArrayLike | None = None,
    epsilon: ArrayLike = 1e-5, where: ArrayLike | None = None, *, algorithm: str = "fast",
) -> Array:
    """Moves and scales numbers so that their mean is zero and their variance one.

    Args:
        x: An array.
        axis: The dimensions over which mean and variance are taken.
        mean: The mean, if it is known.
        variance: The variance, if it is known.
        epsilon: What is added to the variance.
        where: Bools; elements where they are false do not count.
        algorithm: ``"fast"`` or ``"stable"``; the variance is always that of the differences from the mean.

    Returns:
        The array.

    Raises:
        ArgumentError: If the algorithm is not known.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.nn.standardize(jnp.array([1.0, 3.0]), epsilon=0.0)
        Array([-1.,  1.], dtype=float32)
    """
    if algorithm not in ("fast", "stable"):
        raise ArgumentError("standardize", "the algorithm is not known", described(algorithm), "'fast' or 'stable'")
    x = _float(x)
    if mean is None:
        mean = numpy_mean(x, axis=axis, keepdims=True, where=where)
    if variance is None:
        variance = numpy_var(x, axis=axis, keepdims=True, where=where)
    return multiply(subtract(x, mean), bind(ops.rsqrt, _float(add(variance, epsilon))))


def one_hot(x: ArrayLike, num_classes: int, *, dtype: DTypeLike | None = None, axis: int = -1) -> Array:
    """Rows of zeros with a one at the index that a number names.

    Args:
        x: Integers; for those outside the row is all zeros.
        num_classes: The rows' length.
        dtype: The element type; float32 for None.
        axis: The new dimension's index.

    Returns:
        The rows.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.nn.one_hot(jnp.array([0, 2]), 3).tolist()
        [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    kind = scalar_dtype(float) if dtype is None else element_type("one_hot", dtype)
    count = integer("one_hot", num_classes, "the number of classes", 0)
    x = asarray(x)
    d = axis_of("one_hot", axis, len(shape_of(x)) + 1)
    return _one_hot(x, count=count, dtype=kind, axis=d)


@api(static=("count", "dtype", "axis"), call="_one_hot")
def _one_hot(x: ArrayLike, count: int, dtype: np.dtype, axis: int) -> Any:
    wide = lax.expand_dims(x, axis)
    shape = tuple(count if d == axis else n for d, n in enumerate(shape_of(wide)))
    own = dtype_of(x)
    if dtypes.is_bool(own):
        wide, own = convert(wide, dtypes.int32), dtypes.int32
    if dtypes.is_integer(own) and own.itemsize < 4:
        wide, own = convert(wide, dtypes.int32), dtypes.int32
    positions = lax.broadcasted_iota(own, shape, axis)
    return convert(equal(wide, positions), dtype)
