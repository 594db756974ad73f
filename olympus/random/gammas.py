# SPDX-License-Identifier: Apache-2.0
"""The gamma distribution, and those that are made of it: beta, Dirichlet, chi-square, F, Student's t, and others.

An element is drawn by the rejection method of Marsaglia and Tsang ("A simple method for generating gamma variables",
ACM Transactions on Mathematical Software 26, 2000), with a key of its own. Its derivative by the shape parameter is
implicit, from the distribution's function (Figurnov, Mohamed and Mnih, "Implicit reparameterization gradients", 2018).

Floats narrower than float32 are made of uniform and normal numbers of their own type, as all distributions are; what is
computed of these is float32, and rounded once at the end.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from olympus_core.errors import ArgumentError

from .. import lax
from ..lax.structure import constrained
from ..numpy.arithmetic import divide, maximum, power
from ..numpy.elementwise import exp, isfinite, log, log1p, sqrt
from ..numpy.searching import where
from ..operands import broadcast, cast, convert, integer, shape_of
from ..transforms.derivatives import custom_jvp
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DTypeLike, ShardingLike
from .distributions import Shape, _float, _normal, _shape, _transformed, rademacher
from .elements import (
    element_keys,
    float_parameters,
    normal_elements,
    split_elements,
    unit_elements,
)
from .keys import KeyLike, given_key, split_keys

__all__ = ["ball", "beta", "chisquare", "dirichlet", "f", "gamma", "generalized_normal", "loggamma", "t"]


def _accepted(keys: Any, a: Any, drawn: np.dtype) -> Any:
    """For every element with a >= 1 the number v of the method: (a - 1/3) v is gamma distributed.

    One loop serves both of the method's: an element draws a normal number again where 1 + c x is not positive, and all
    again where it is rejected, with the same keys as two loops would use.
    """
    dtype = a.dtype
    d = a - np.asarray(1 / 3, dtype)
    c = np.asarray(1 / 3, dtype) / sqrt(d)
    idle = lax.full_like(d, 1)

    def step(state: tuple[Any, ...]) -> tuple[Any, ...]:
        outer, inner, last, fresh, done, found = state
        following, first, for_unit = split_elements(outer, 3)
        outer = tuple(where(fresh, new, old) for new, old in zip(following, outer, strict=True))
        last = tuple(where(fresh, new, old) for new, old in zip(for_unit, last, strict=True))
        inner = tuple(where(fresh, new, old) for new, old in zip(first, inner, strict=True))
        inner, drawing = split_elements(inner, 2)
        x = convert(normal_elements(drawing, drawn), dtype)
        root = 1 + x * c
        positive = root > 0
        v = root * root * root
        u, squared = convert(unit_elements(last, drawn), dtype), x * x
        quick = u < 1 - np.asarray(0.0331, dtype) * (squared * squared)
        accepted = positive & (quick | (log(u) < squared * 0.5 + d * (1 - v + log(v))))
        found = where(accepted & ~done, v, found)
        return outer, inner, last, positive, done | accepted, found

    started = split_elements(keys, 2)[0]  # the other half is for parameters below 1
    everywhere = lax.full_like(d, True, np.bool_)
    # Where the parameter is none, nothing would be accepted.
    state = (started, started, started, everywhere, ~(isfinite(d) & (d > 0)), idle)
    return lax.while_loop(lambda state: ~state[4].all(), step, state)[5]


def _drawn_gamma(key: Any, a: Any, drawn: np.dtype, in_logarithm: bool) -> Any:
    keys = element_keys(key, shape_of(a))
    dtype = a.dtype
    # A gamma number of a + 1 times a power of a uniform one is one of a; as logarithms, for it may be tiny.
    raised = a < 1
    d = where(raised, a + 1, a)
    v = _accepted(keys, d, drawn)
    d = d - np.asarray(1 / 3, dtype)
    logarithm = log1p(-convert(unit_elements(split_elements(keys, 2)[1], drawn), dtype))
    nothing = ~raised | (logarithm == 0)
    if in_logarithm:
        found = log(d) + log(v) + where(nothing, 0, logarithm * (1 / a))
        return where(a > 0, found, where(a == 0, -np.inf, np.nan))
    found = d * v * where(nothing, 1, exp(logarithm * (1 / a)))
    return where(a > 0, found, where(a == 0, 0, np.nan))


@partial(custom_jvp, nondiff_argnums=(2,))
def _gamma_numbers(key: Any, a: Any, drawn: np.dtype) -> Any:
    return _drawn_gamma(key, a, drawn, False)


@partial(custom_jvp, nondiff_argnums=(2,))
def _gamma_logarithms(key: Any, a: Any, drawn: np.dtype) -> Any:
    return _drawn_gamma(key, a, drawn, True)


@_gamma_numbers.defjvp
def _gamma_slope(drawn: np.dtype, primals: tuple[Any, Any], tangents: tuple[Any, Any]) -> tuple[Any, Any]:
    found = _gamma_numbers(*primals, drawn)
    return found, lax.random_gamma_grad(primals[1], found) * tangents[1]


@_gamma_logarithms.defjvp
def _gamma_logarithm_slope(drawn: np.dtype, primals: tuple[Any, Any], tangents: tuple[Any, Any]) -> tuple[Any, Any]:
    a, found = primals[1], _gamma_logarithms(*primals, drawn)
    # Where x is tiny, the distribution's function is x^a / Gamma(a + 1), and the implicit derivative follows from it.
    tiny = found < np.log(np.finfo(np.float64 if a.dtype == np.float64 else np.float32).eps) * 0.75
    x = exp(where(tiny, 0, found))
    slope = lax.random_gamma_grad(a, x) / x
    limit = (lax.digamma(a + 1) - found) / a
    return found, where(tiny, limit, slope) * tangents[1]


def _computed(dtype: np.dtype) -> np.dtype:
    """The type in which numbers are computed: floats narrower than float32 are rounded at the end."""
    return np.dtype(np.float32) if dtype.itemsize < 4 else dtype


def _wide_gamma(key: Any, a: Any, shape: tuple[int, ...], drawn: np.dtype, in_logarithm: bool = False) -> Any:
    """Numbers, or their logarithms, of the type in which those of the drawn type are computed."""
    a = broadcast(cast(a, _computed(drawn)), shape, weak=False)
    return (_gamma_logarithms if in_logarithm else _gamma_numbers)(key, a, drawn)


@api(static=("shape", "dtype", "in_logarithm"), call="_gamma")
def _gamma(key: ArrayLike, a: Any, shape: tuple[int, ...], dtype: np.dtype, in_logarithm: bool = False) -> Any:
    return convert(_wide_gamma(key, a, shape, dtype, in_logarithm), dtype)


def gamma(
    key: KeyLike, a: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Numbers of the gamma distribution, whose density at x is proportional to x^(a - 1) exp(-x).

    They have derivatives by `a`. With a small `a` many are zero where their logarithms are not: see `loggamma`.

    Args:
        key: A key.
        a: The shape parameter, positive; the number is NaN for negative ones.
        shape: The result's shape, to which `a` broadcasts; that of `a` for None.
        dtype: The element type; float32 for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The numbers.

    Example:
        >>> import olympus
        >>> olympus.random.gamma(olympus.random.key(0), 2.0, (2,)).round(3)
        Array([1.59, 1.76], dtype=float32)

    References:
        G. Marsaglia and W. W. Tsang, "A simple method for generating gamma variables", 2000.
    """
    sizes, kind, _ = float_parameters("gamma", shape, dtype, [a])
    return constrained(_gamma(given_key("random.gamma", key), a, shape=sizes, dtype=kind), out_sharding)


def loggamma(
    key: KeyLike, a: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Logarithms of numbers of the gamma distribution, exact also where these are too small for the element type.

    Args:
        key: A key.
        a: The shape parameter, positive.
        shape: The result's shape, to which `a` broadcasts; that of `a` for None.
        dtype: The element type; float32 for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The logarithms.

    Example:
        >>> import olympus
        >>> olympus.random.loggamma(olympus.random.key(0), 2.0, (2,)).round(3)
        Array([0.464, 0.565], dtype=float32)

    References:
        G. Marsaglia and W. W. Tsang, "A simple method for generating gamma variables", 2000.
    """
    sizes, kind, _ = float_parameters("loggamma", shape, dtype, [a])
    found = _gamma(given_key("random.loggamma", key), a, shape=sizes, dtype=kind, in_logarithm=True)
    return constrained(found, out_sharding)


@api(static=("shape", "dtype"), call="_beta")
def _beta(key: ArrayLike, a: Any, b: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    pair = split_keys(key, shape=(2,))
    la, lb = (_wide_gamma(pair[i], v, shape, dtype, True) for i, v in enumerate((a, b)))
    greatest = maximum(la, lb)
    xa, xb = exp(la - greatest), exp(lb - greatest)
    return convert(xa / (xa + xb), dtype)


def beta(
    key: KeyLike, a: ArrayLike, b: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Numbers of the beta distribution, whose density at x is proportional to x^(a - 1) (1 - x)^(b - 1).

    Args:
        key: A key.
        a: The first parameter, positive.
        b: The second one, positive.
        shape: The result's shape, to which the parameters broadcast; their common one for None.
        dtype: The element type; float32 for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The numbers, from 0 to 1.

    Example:
        >>> import olympus
        >>> olympus.random.beta(olympus.random.key(0), 2.0, 2.0).round(3)
        Array(0.285, dtype=float32)
    """
    sizes, kind, _ = float_parameters("beta", shape, dtype, [a, b])
    return constrained(_beta(given_key("random.beta", key), a, b, shape=sizes, dtype=kind), out_sharding)


@api(static=("shape", "dtype"), call="_dirichlet")
def _dirichlet(key: ArrayLike, alpha: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    logarithms = _wide_gamma(key, alpha, shape, dtype, True)
    parts = exp(logarithms - logarithms.max(axis=-1, keepdims=True))
    return convert(parts / parts.sum(axis=-1, keepdims=True), dtype)


def dirichlet(
    key: KeyLike, alpha: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Vectors of the Dirichlet distribution: positive numbers whose sum is 1.

    Args:
        key: A key.
        alpha: The parameters, positive, along the last dimension.
        shape: The result's shape but for the last dimension; that of `alpha` for None.
        dtype: The element type; float32 for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The vectors, along the last dimension.

    Raises:
        ArgumentError: When `alpha` is a scalar, or does not fit the shape.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.random.dirichlet(olympus.random.key(0), jnp.ones(3), (4,)).shape
        (4, 3)
    """
    own = shape_of(alpha)
    if not own:
        raise ArgumentError("random.dirichlet", "the parameters are a scalar", alpha,
                            "an array of one dimension or more")
    sizes = None if shape is None else (*_shape("dirichlet", shape), own[-1])
    sizes, kind, _ = float_parameters("dirichlet", sizes, dtype, [alpha])
    return constrained(_dirichlet(given_key("random.dirichlet", key), alpha, shape=sizes, dtype=kind), out_sharding)


@api(static=("shape", "dtype"), call="_chisquare")
def _chisquare(key: ArrayLike, df: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    return convert(2 * exp(_wide_gamma(key, cast(df, _computed(dtype)) / 2, shape, dtype, True)), dtype)


def chisquare(
    key: KeyLike, df: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Numbers of the chi-square distribution: sums of squares of normal numbers.

    Args:
        key: A key.
        df: How many squares; need not be whole.
        shape: The result's shape, to which `df` broadcasts; that of `df` for None.
        dtype: The element type; float32 for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The numbers.

    Example:
        >>> import olympus
        >>> olympus.random.chisquare(olympus.random.key(0), 3.0, (2,)).shape
        (2,)
    """
    sizes, kind, _ = float_parameters("chisquare", shape, dtype, [df])
    return constrained(_chisquare(given_key("random.chisquare", key), df, shape=sizes, dtype=kind), out_sharding)


@api(static=("shape", "dtype"), call="_f")
def _f(key: ArrayLike, dfnum: Any, dfden: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    pair = split_keys(key, shape=(2,))
    dfnum, dfden = (cast(df, _computed(dtype)) for df in (dfnum, dfden))
    # Of tiny parameters both numbers may be too small for the type; the logarithms are not.
    above, below = (_wide_gamma(pair[i], df / 2, shape, dtype, True) for i, df in ((1, dfnum), (0, dfden)))
    return convert(exp(above - below) * (dfden / dfnum), dtype)


def f(
    key: KeyLike, dfnum: ArrayLike, dfden: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Numbers of Fisher's F distribution: ratios of two means of squares of normal numbers.

    Args:
        key: A key.
        dfnum: How many squares are above.
        dfden: How many are below.
        shape: The result's shape, to which the parameters broadcast; their common one for None.
        dtype: The element type; float32 for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The numbers.

    Example:
        >>> import olympus
        >>> olympus.random.f(olympus.random.key(0), 3.0, 5.0, (2,)).shape
        (2,)
    """
    sizes, kind, _ = float_parameters("f", shape, dtype, [dfnum, dfden])
    return constrained(_f(given_key("random.f", key), dfnum, dfden, shape=sizes, dtype=kind), out_sharding)


@api(static=("shape", "dtype"), call="_t")
def _t(key: ArrayLike, df: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    wide = _computed(dtype)
    pair = split_keys(key, shape=(2,))
    half = broadcast(cast(df, wide) / 2, shape, weak=False)
    size = sqrt(half / _wide_gamma(pair[1], half, shape, dtype))
    return convert(convert(_normal(pair[0], shape, dtype), wide) * size, dtype)


def t(
    key: KeyLike, df: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Numbers of Student's t distribution.

    Args:
        key: A key.
        df: The degrees of freedom; need not be whole.
        shape: The result's shape, to which `df` broadcasts; that of `df` for None.
        dtype: The element type; float32 for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The numbers.

    Example:
        >>> import olympus
        >>> olympus.random.t(olympus.random.key(0), 4.0, (2,)).shape
        (2,)
    """
    sizes, kind, _ = float_parameters("t", shape, dtype, [df])
    return constrained(_t(given_key("random.t", key), df, shape=sizes, dtype=kind), out_sharding)


def _wide_generalized_normal(key: Any, p: Any, shape: tuple[int, ...], drawn: np.dtype) -> Any:
    pair = split_keys(key, shape=(2,))
    inverse = divide(1.0, cast(p, _computed(drawn)))
    size = power(_wide_gamma(pair[0], inverse, shape, drawn), inverse)
    return rademacher(pair[1], shape, _computed(drawn)) * size


@api(static=("shape", "dtype"), call="_generalized_normal")
def _generalized_normal(key: ArrayLike, p: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    return convert(_wide_generalized_normal(key, p, shape, dtype), dtype)


def generalized_normal(
    key: KeyLike, p: ArrayLike, shape: Shape = (), dtype: DTypeLike | None = None, *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Numbers whose density at x is proportional to exp(-abs(x)^p).

    Args:
        key: A key.
        p: The exponent, positive: 1 is Laplace's distribution, 2 a normal one.
        shape: The result's shape.
        dtype: The element type; float32 for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The numbers.

    Example:
        >>> import olympus
        >>> olympus.random.generalized_normal(olympus.random.key(0), 1.5, (2,)).shape
        (2,)
    """
    sizes, kind, _ = float_parameters("generalized_normal", shape, dtype, [p])
    found = _generalized_normal(given_key("random.generalized_normal", key), p, shape=sizes, dtype=kind)
    return constrained(found, out_sharding)


@api(static=("shape", "dtype"), call="_ball")
def _ball(key: ArrayLike, p: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    wide = _computed(dtype)
    pair = split_keys(key, shape=(2,))
    p = cast(p, wide)
    direction = _wide_generalized_normal(pair[0], p, shape, dtype)
    further = convert(_transformed(pair[1], shape[:-1], dtype, "exponential"), wide)
    size = power(power(abs(direction), p).sum(axis=-1) + further, divide(1.0, p))
    return convert(direction / size[..., None], dtype)


def ball(
    key: KeyLike, d: int, p: ArrayLike = 2, shape: Shape = (), dtype: DTypeLike | None = None, *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Points that are equally likely everywhere in the ball of radius 1.

    Args:
        key: A key.
        d: The number of coordinates.
        p: Which norm is at most 1: the sum of the coordinates' powers of `p`, to the power of 1 / p.
        shape: How many points, as a shape.
        dtype: The element type; float32 for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The points, whose coordinates stand along the last dimension.

    Example:
        >>> import olympus
        >>> olympus.random.ball(olympus.random.key(0), 3, shape=(5,)).shape
        (5, 3)

    References:
        F. Barthe, O. Guedon, S. Mendelson and A. Naor, "A probabilistic approach to the geometry of the l_p^n ball",
        Annals of Probability 33, 2005.
    """
    sizes = (*_shape("ball", shape), integer("random.ball", d, "the number of coordinates", 0))
    found = _ball(given_key("random.ball", key), p, shape=sizes, dtype=_float("ball", dtype))
    return constrained(found, out_sharding)
