# SPDX-License-Identifier: Apache-2.0
"""The first derivatives of hypergeometric functions by their parameters.

Each term of a series is differentiated with it, by recurrences that no whole parameter makes infinite. Where too many
digits cancel, or the series does not end, the derivative is NaN.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from olympus_core.errors import NotSupportedError

from ... import lax
from ... import numpy as jnp
from ...config import enable_x64
from ...operands import dtype_of
from ...transforms.derivatives import custom_jvp

_MOST_TERMS, _NEAREST = 20000, 0.995
_EPS, _WORST = 2.0**-53, 1e-8


class _Sums(NamedTuple):
    """A series and its derivatives by each parameter, the sums of the terms' sizes, and whether they have ended."""

    totals: Sequence[Any]
    sizes: Sequence[Any]
    is_known: Any


def _sums(tops: Sequence[Any], bottoms: Sequence[Any], z: Any, possible: Any) -> _Sums:
    parameters = [jnp.where(possible, p, 1) for p in (*tops, *bottoms)]
    z = jnp.where(possible, z, 0)
    count, zero = len(tops), jnp.zeros_like(z)
    settled = functools.reduce(jnp.maximum, (jnp.abs(p) for p in parameters)) + 1  # from here on the terms fall

    def step(state: Any) -> Any:
        n, (term, *slopes), totals, sizes, _ = state
        factors = [p + n for p in parameters]
        below = z / (functools.reduce(lambda p, q: p * q, factors[count:]) * (n + 1))
        ratio = functools.reduce(lambda p, q: p * q, factors[:count], below)
        found = [term * ratio]
        for i, (slope, factor) in enumerate(zip(slopes, factors, strict=True)):
            if i < count:
                others = functools.reduce(lambda p, q: p * q, factors[:i] + factors[i + 1:count], below)
                found.append((slope * factor + term) * others)
            else:
                found.append((slope - term / factor) * ratio)
        totals = [total + v for total, v in zip(totals, found, strict=True)]
        sizes = [size + jnp.abs(v) for size, v in zip(sizes, found, strict=True)]
        small = functools.reduce(lambda p, q: p & q, (
            jnp.abs(v) <= 2.0**-60 * (1 + size) for v, size in zip(found, sizes, strict=True)))
        return n + 1, found, totals, sizes, ~(small & (n > settled))

    first = [jnp.ones_like(z), *(zero for _ in parameters)]
    _, _, totals, sizes, is_open = lax.while_loop(
        lambda state: jnp.any(state[-1]) & (state[0] < _MOST_TERMS), step,
        (jnp.zeros((), z.dtype), first, first, first, possible))
    return _Sums(totals, sizes, possible & ~is_open)


def _checked(value: Any, size: Any, scale: Any, is_known: Any) -> Any:
    return jnp.where(is_known & (_EPS * size <= _WORST * (jnp.abs(value) + jnp.abs(scale))), value, jnp.nan)


def _is_pole(b: Any) -> Any:
    return (b <= 0) & (jnp.floor(b) == b)


def _kummer(a: Any, b: Any, x: Any) -> list[Any]:
    turned = x < 0  # M(a, b, x) = exp(x) M(b - a, b, -x), DLMF 13.2.39: no signs that alternate
    possible = jnp.isfinite(a) & jnp.isfinite(b) & jnp.isfinite(x) & ~_is_pole(b)
    (total, top, bottom), (_, of_top, of_bottom), is_known = _sums(
        [jnp.where(turned, b - a, a)], [b], jnp.abs(x), possible)
    factor = jnp.where(turned, jnp.exp(jnp.minimum(x, 0)), 1)
    by_a = factor * jnp.where(turned, -top, top)
    by_b = factor * jnp.where(turned, top + bottom, bottom)
    return [_checked(by_a, factor * of_top, factor * total, is_known),
            _checked(by_b, factor * (jnp.where(turned, of_top, 0) + of_bottom), factor * total, is_known)]


def _gauss(a: Any, b: Any, c: Any, x: Any) -> list[Any]:
    turned = x < 0  # F(a, b, c, x) = (1 - x)^-a F(a, c - b, c, x / (x - 1)), DLMF 15.8.1
    z = jnp.where(turned, x / (jnp.where(turned, x, 0) - 1), x)
    finite = functools.reduce(lambda p, q: p & q, (jnp.isfinite(v) for v in (a, b, c, x)))
    possible = finite & ~_is_pole(c) & (z <= _NEAREST)
    (total, first, second, bottom), (size, of_first, of_second, of_bottom), is_known = _sums(
        [a, jnp.where(turned, c - b, b)], [c], z, possible)
    logarithm = jnp.log1p(-jnp.minimum(x, 0))
    factor = jnp.exp(-a * logarithm)
    scale = factor * total
    return [
        _checked(factor * (first - logarithm * total), factor * (of_first + logarithm * size), scale, is_known),
        _checked(factor * jnp.where(turned, -second, second), factor * of_second, scale, is_known),
        _checked(factor * (bottom + jnp.where(turned, second, 0)), factor * (
            of_bottom + jnp.where(turned, of_second, 0)), scale, is_known)]


@custom_jvp
def parameter_slopes(*operands: Any) -> list[Any]:
    """The derivatives of 1F1 (of three operands) or 2F1 (of four) by each parameter; of the operands' type.

    Args:
        *operands: The parameters and the argument, of one floating-point type and shape.

    Returns:
        A derivative for each parameter, to 1e-8 of the greater of itself and the function; NaN where the series leaves
        less, at poles, and for 2F1 where x is above 0.995 or below -199.

    References:
        DLMF 13.2.2, 15.2.1, term by term.
    """
    dtype = dtype_of(operands[0])
    algorithm = _kummer if len(operands) == 3 else _gauss
    with enable_x64():
        wide = [lax.convert_element_type(v, np.dtype(np.float64)) for v in operands]
        return [lax.convert_element_type(v, dtype) for v in algorithm(*wide)]


def _refused(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
    raise NotSupportedError(
        f"A second derivative of {'hyp1f1' if len(primals) == 3 else 'hyp2f1'} in which a parameter takes part",
        "by parameters there are first derivatives only",
        "Give the parameters as constants, or through olympus.lax.stop_gradient.")


parameter_slopes.defjvp(_refused)
