# SPDX-License-Identifier: Apache-2.0
"""The modified Bessel functions of the first kind, of orders 0 and 1, smooth at zero and finite as far as they are.

References:
    DLMF 10.25, 10.29.
"""

from __future__ import annotations

import math
from typing import Any

from .. import lax
from ..transforms.derivatives import custom_jvp


def _grown(scaled: Any, x: Any, at_infinity: Any) -> Any:
    """What is scaled by exp(-|x|) without that: in halves, for the exponential is infinite before the function is."""
    half, absolute = lax.exp(lax.abs(x) * 0.5), lax.abs(x)
    return lax.select(lax.eq(absolute, lax.full_like(x, math.inf)), at_infinity, scaled * half * half)


@custom_jvp
def order_0(x: Any) -> Any:
    """I_0 of an array of floats."""
    return _grown(lax.bessel_i0e(x), x, lax.abs(x))


@order_0.defjvp
def _slope_0(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    (x,), (t,) = primals, tangents
    return order_0(x), t * order_1(x)


@custom_jvp
def order_1(x: Any) -> Any:
    """I_1 of an array of floats."""
    return _grown(lax.bessel_i1e(x), x, x)


@order_1.defjvp
def _slope_1(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    (x,), (t,) = primals, tangents
    # The quotient by x, near zero by its series: of the other it would have no second derivative.
    near = lax.lt(lax.abs(x), lax.full_like(x, 1))
    inner, outer = lax.select(near, x, lax.full_like(x, 0)), lax.select(near, lax.full_like(x, 1), x)
    square, quotient = inner * inner * 0.25, lax.full_like(x, 0)
    for k in range(12, -1, -1):
        quotient = quotient * square + 0.5 / (math.factorial(k) * math.factorial(k + 1))
    return order_1(x), t * (order_0(x) - lax.select(near, quotient, order_1(outer) / outer))
