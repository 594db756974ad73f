# SPDX-License-Identifier: Apache-2.0
"""The error function and the normal distribution: shares, their logarithms, quantiles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.deferred import listed

from ... import lax
from ... import numpy as jnp
from ...numpy.promotion import promote_inexact
from ...operands import dtype_of, strong
from ...tracing import bind
from ...transforms.derivatives import custom_jvp
from ...typing import Array, ArrayLike
from ..documentation import floats
from .faddeeva import wofz
from .parameters import function

__all__ = ["erf", "erfc", "erfcx", "erfinv", "log_ndtr", "ndtr", "ndtri", "owens_t"]
__dir__ = listed(__all__)

_ROOT_HALF = math.sqrt(0.5)
_LOG_ROOT_TWO_PI = 0.5 * math.log(2 * math.pi)

# exp(x^2) erfc(x) as quotients of polynomials: in x up to 4, and in 1 / x^2 beyond, where it is
# (1 / sqrt(pi) - quotient / x^2) / x.
_MIDDLE_TOP = (2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594, 6.61191906371416295e1,
               2.98635138197400131e2, 8.81952221241769090e2, 1.71204761263407058e3, 2.05107837782607147e3,
               1.23033935479799725e3)
_MIDDLE_BOTTOM = (1.0, 1.57449261107098347e1, 1.17693950891312499e2, 5.37181101862009858e2, 1.62138957456669019e3,
                  3.29079923573345963e3, 4.36261909014324716e3, 3.43936767414372164e3, 1.23033935480374942e3)
_TAIL_TOP = (1.63153871373020978e-2, 3.05326634961232344e-1, 3.60344899949804439e-1, 1.25781726111229246e-1,
             1.60837851487422766e-2, 6.58749161529837803e-4)
_TAIL_BOTTOM = (1.0, 2.56852019228982242, 1.87295284992346725, 5.27905102951428412e-1, 6.05183413124413191e-2,
                2.33520497626869185e-3)

# The quantile as quotients: in 0.180625 - (p - 0.5)^2 near one half, in sqrt(-log p) less 1.6, less 5 beyond.
_CENTRAL = (
    (2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4, 4.5921953931549871457e4,
     1.3731693765509461125e4, 1.9715909503065514427e3, 1.3314166789178437745e2, 3.3871328727963666080),
    (5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4, 2.1213794301586595867e4,
     5.3941960214247511077e3, 6.8718700749205790830e2, 4.2313330701600911252e1, 1.0))
_OUTER = (
    (7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258,
     3.64784832476320460504, 5.76949722146069140550, 4.63033784615654529590, 1.42343711074968357734),
    (1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
     6.89767334985100004550e-1, 1.67638483018380384940, 2.05319162663775882187, 1.0))
_FAR = (
    (2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2,
     2.96560571828504891230e-1, 1.78482653991729133580, 5.46378491116411436990, 6.65790464350110377720),
    (2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
     1.48753612908506148525e-2, 1.36929880922735805310e-1, 5.99832206555887937690e-1, 1.0))
# In 32 bits the quotients correct what is exact but for a rounding: their own errors count little. They are near one
# half (x / d - 2.5066282746) / d^2 in 0.180625 - d^2, where d = p - 0.5, else sqrt(-2 log p) - x in sqrt(-log p) less
# 1.6; off by less than a hundredth of a float32's unit of x, for d up to 0.425 and for p from the least number on.
_CENTRAL_32 = (
    (3.6955493332878e2, 3.9735014762012e2, 8.754753551340e1, 4.874765935557972),
    (2.0718002474551e2, 4.0795653476927e2, 1.7449706414076e2, 2.3983646857224e1, 1.0))
_OUTER_32 = (
    (1.054640729850e-5, 5.769675162613e-3, 1.306750261758e-1, 6.635428485634e-1, 8.393045883244e-1),
    (1.40745267e-3, 4.8851359271e-2, 4.07877997934e-1, 1.140322517101, 1.0))


def polynomial(coefficients: Sequence[float], x: Any) -> Any:
    """A polynomial, from its highest coefficient on."""
    total = jnp.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        total = total * x + coefficient
    return total


def _quotient(coefficients: tuple[Sequence[float], Sequence[float]], x: Any) -> Any:
    return polynomial(coefficients[0], x) / polynomial(coefficients[1], x)


@function("erf(0.0)", "0.0", references="DLMF 7.2.")
def erf(x: ArrayLike) -> Array:
    """The error function; off by at most 8 units in the last place."""
    return bind(ops.erf, *floats("erf", x))


@function("erfc(0.0)", "1.0", references="DLMF 7.2.")
def erfc(x: ArrayLike) -> Array:
    """One minus the error function; off by at most 16 units in the last place."""
    return bind(ops.erfc, *floats("erfc", x))


@function("erfinv(0.0)", "0.0", references="DLMF 7.17.")
def erfinv(x: ArrayLike) -> Array:
    """The inverse of the error function; off by at most 16 units in the last place."""
    return bind(ops.erf_inv, *floats("erfinv", x))


@custom_jvp
def _erfcx(x: Any) -> Any:
    size = jnp.abs(x)
    near = size < 0.5
    middle = jnp.where(near, 1, jnp.minimum(size, 4))
    far = jnp.maximum(size, 4)
    inverse = 1 / (far * far)
    tail = (1 / math.sqrt(math.pi) - inverse * _quotient((_TAIL_TOP, _TAIL_BOTTOM), inverse)) / far
    small = jnp.where(near, x, 0)
    found = jnp.where(size <= 4, _quotient((_MIDDLE_TOP, _MIDDLE_BOTTOM), middle), tail)
    square = jnp.where(x < 0, size, 0)
    found = jnp.where(x < 0, 2 * _exp_of_square(square) - found, found)
    return jnp.where(near, jnp.exp(small * small) * bind(ops.erfc, small), found)


def _exp_of_square(x: Any) -> Any:
    """exp(x^2), with what the square is rounded by."""
    coarse = jnp.trunc(jnp.minimum(x, 1e3) * 16) / 16
    return jnp.exp(coarse * coarse) * jnp.exp((x - coarse) * (x + coarse))


@_erfcx.defjvp
def _erfcx_slope(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    (x,), (t,) = primals, tangents
    y = _erfcx(x)
    # Far out 2 x erfcx(x) is near 2 / sqrt(pi); its difference from that is the asymptotic series, DLMF 7.12.1.
    far = x >= 8
    inverse = 0.5 / jnp.square(jnp.where(far, x, 8))
    rest = jnp.zeros_like(x)
    for k in range(18, 0, -1):
        rest = (1 - rest) * ((2 * k - 1) * inverse)
    near = 2 * jnp.where(far, 0, x) * y - 2 / math.sqrt(math.pi)
    return y, t * jnp.where(far, -2 / math.sqrt(math.pi) * rest, near)


@function("erfcx(0.0)", "1.0", references="W. J. Cody, Mathematics of Computation 23 (1969).")
def erfcx(x: ArrayLike) -> Array:
    """The scaled complement exp(x^2) erfc(x), which does not vanish before 1 / x does; of complex numbers by `wofz`."""
    (z,), _ = promote_inexact("erfcx", x)
    return wofz(lax.complex(-jnp.imag(z), jnp.real(z))) if dtypes.is_complex(dtype_of(z)) else strong(_erfcx(z))


@custom_jvp
def _ndtr(x: Any) -> Any:
    # In the lower tail the exponential is taken of x^2 / 2 itself, not of the square of a rounded quotient.
    low = x < -1
    size = jnp.where(low, jnp.minimum(-x, 1e3), 1)
    coarse = jnp.trunc(size * 16) / 16
    falling = jnp.exp(-0.5 * coarse * coarse) * jnp.exp(-0.5 * (size - coarse) * (size + coarse))
    # Elsewhere half of erf is added to a half: erfc of a negative number would lose a bit of it.
    return jnp.where(low, 0.5 * _erfcx(size * _ROOT_HALF) * falling,
                     0.5 + 0.5 * bind(ops.erf, jnp.where(low, 0, x) * _ROOT_HALF))


@_ndtr.defjvp
def _ndtr_slope(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    (x,), (t,) = primals, tangents
    return _ndtr(x), t * jnp.exp(-0.5 * x * x - _LOG_ROOT_TWO_PI)


@function("ndtr(0.0)", "0.5", references="DLMF 7.2.")
def ndtr(x: ArrayLike) -> Array:
    """The share of the standard normal distribution below x; off by at most 16 units in the last place."""
    return strong(_ndtr(*floats("ndtr", jnp.asarray(x))))


@custom_jvp
def _log_ndtr(x: Any) -> Any:
    low, high = x < -1, x > 1
    down = jnp.where(low, x, -1)
    tail = jnp.log(0.5 * _erfcx(down * -_ROOT_HALF)) - 0.5 * down * down
    share = _ndtr(jnp.where(low, 0, jnp.where(high, -x, x)))
    return jnp.where(low, tail, jnp.where(high, jnp.log1p(-share), jnp.log(jnp.where(high, 1, share))))


@_log_ndtr.defjvp
def _log_ndtr_slope(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    (x,), (t,) = primals, tangents
    y = _log_ndtr(x)
    # The density over the share: in the lower tail both vanish, and their ratio is one over erfcx.
    low = x < 0
    ratio = math.sqrt(2 / math.pi) / _erfcx(jnp.where(low, x, 0) * -_ROOT_HALF)
    ahead = jnp.where(low, 0, x)
    return y, t * jnp.where(low, ratio, jnp.exp(-0.5 * ahead * ahead - _LOG_ROOT_TWO_PI - jnp.where(low, 0, y)))


@function("log_ndtr(0.0)", "-0.6931", static=("series_order",))
def log_ndtr(x: ArrayLike, series_order: int = 3) -> Array:
    """The logarithm of the share of the standard normal distribution below x, exact in both tails."""
    return strong(_log_ndtr(*floats("log_ndtr", jnp.asarray(x))))


@custom_jvp
def _ndtri(p: Any) -> Any:
    away = p - 0.5
    central = jnp.abs(away) <= 0.425
    middle = jnp.where(central, away, 0)
    square = middle * middle
    lesser = jnp.where(central, 0.05, jnp.where(away < 0, p, 1 - p))
    logarithm = -jnp.log(lesser)
    root = jnp.sqrt(logarithm)
    if dtype_of(p).itemsize > 4:
        found = middle * _quotient(_CENTRAL, 0.180625 - square)
        outer = jnp.where(root <= 5, _quotient(_OUTER, jnp.minimum(root, 5) - 1.6),
                          _quotient(_FAR, jnp.minimum(jnp.maximum(root, 5), 40) - 5))
    else:
        found = 2 * middle + middle * (0.5066282746310002 + square * _quotient(_CENTRAL_32, 0.180625 - square))
        outer = jnp.sqrt(2 * logarithm) - _quotient(_OUTER_32, jnp.minimum(root, 11) - 1.6)
    outer = jnp.where(lesser == 0, jnp.inf, outer)
    found = jnp.where(central, found, jnp.where(away < 0, -outer, outer))
    return jnp.where((p >= 0) & (p <= 1), found, jnp.nan)


@_ndtri.defjvp
def _ndtri_slope(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    (p,), (t,) = primals, tangents
    y = _ndtri(p)
    return y, t * jnp.exp(0.5 * y * y + _LOG_ROOT_TWO_PI)


@function("ndtri(0.5)", "0.0", references="M. J. Wichura, Algorithm AS 241, Applied Statistics 37 (1988).")
def ndtri(p: ArrayLike) -> Array:
    """The quantile of the standard normal distribution: where `ndtr` is p."""
    return strong(_ndtri(*floats("ndtri", p)))


def _owens_integral(h: Any, a: Any) -> Any:
    """Owen's T for h of at least 0 and a from 0 to 1, by the rule of Gauss and Legendre over where it is not gone."""
    wide = dtype_of(h).itemsize > 4
    nodes, weights = np.polynomial.legendre.leggauss(32 if wide else 16)
    end = jnp.minimum(a, (9 if wide else 6) / jnp.where(h > 0, h, 1e-6))
    square, total = -0.5 * h * h, jnp.zeros_like(h)
    for node, weight in zip(nodes.tolist(), weights.tolist(), strict=True):
        x = end * (0.5 + 0.5 * node)
        total = total + weight * jnp.exp(square * x * x) / (1 + x * x)
    return total * end * jnp.exp(square) / (4 * math.pi)


@custom_jvp
def _owens_t(h: Any, a: Any) -> Any:
    nothing = jnp.isnan(h) | jnp.isnan(a)
    size, slope = jnp.abs(h), jnp.abs(a)
    steep = slope > 1
    # T(h, a) + T(a h, 1 / a) is known; in shares above, for these do not cancel.
    other = jnp.where(steep & (size > 0), size * jnp.where(steep, slope, 1), 0)
    inner = jnp.where(steep, other, size)
    gone = inner > 1e4
    found = _owens_integral(jnp.where(gone, 0, inner), jnp.where(steep, 1 / jnp.where(steep, slope, 1), slope))
    found = jnp.where(gone, 0, found)
    first, second = _ndtr(-size), _ndtr(-other)
    found = jnp.where(steep, 0.5 * (first + second) - first * second - found, found)
    return jnp.where(nothing, jnp.nan, jnp.copysign(found, a))


@_owens_t.defjvp
def _owens_t_slope(primals: tuple[Any, Any], tangents: tuple[Any, Any]) -> tuple[Any, Any]:
    (h, a), (s, t) = primals, tangents
    along = jnp.exp(-0.5 * h * h) * bind(ops.erf, a * h * _ROOT_HALF) * (-0.5 / math.sqrt(2 * math.pi))
    across = jnp.exp(-0.5 * h * h * (1 + a * a)) / (2 * math.pi * (1 + a * a))
    return _owens_t(h, a), s * along + t * across


@function("owens_t(0.0, 1.0)", "0.125", references="D. B. Owen, Annals of Mathematical Statistics 27 (1956).")
def owens_t(h: ArrayLike, a: ArrayLike) -> Array:
    """The share of two normal numbers of which the first is above h, and the second from 0 to a times the first.

    This is Owen's T, off by at most 16 + h^2 units in the last place.
    """
    first, second = floats("owens_t", h, a)
    dtype, single = dtype_of(first), np.dtype(np.float32)
    if dtype.itemsize >= 4:
        return strong(_owens_t(first, second))  # as JAX's, also of Python's numbers
    return _owens_t(first.astype(single), second.astype(single)).astype(dtype)
