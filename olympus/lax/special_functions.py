# SPDX-License-Identifier: Apache-2.0
"""Incomplete gamma and beta functions, Bessel and zeta functions: strict, elementwise, of floats.

They are off by at most the units in the last place that their records promise; see `olympus_core/ops`.
"""

from __future__ import annotations

from olympus_core import ops
from olympus_core.deferred import listed

from ..tracing import bind
from ..transforms.jit import api
from ..typing import Array, ArrayLike
from .elementwise import strict_operands, unary

__all__ = [
    "bessel_i0e", "bessel_i1e", "betainc", "igamma", "igamma_grad_a", "igammac", "polygamma", "random_gamma_grad",
    "zeta",
]
__dir__ = listed(__all__)

bessel_i0e = unary(ops.bessel_i0e, "bessel_i0e", "The modified Bessel function of order 0, times exp(-abs(x)).")
bessel_i1e = unary(ops.bessel_i1e, "bessel_i1e", "The modified Bessel function of order 1, times exp(-abs(x)).")


@api
def betainc(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Array:
    """The regularised incomplete beta function: the share of the beta distribution that lies below x.

    Args:
        a: The first shape, positive.
        b: The second shape, positive.
        x: Numbers from 0 to 1.

    Returns:
        The result, elementwise; NaN outside of the domain.

    Example:
        >>> from olympus import lax
        >>> float(lax.betainc(2.0, 2.0, 0.5))
        0.5

    References:
        DLMF 8.17.
    """
    operands, weak = strict_operands("betainc", (a, b, x))
    return bind(ops.betainc, *operands, weak=weak)


@api
def igamma(a: ArrayLike, x: ArrayLike) -> Array:
    """The regularised lower incomplete gamma function: the share of the gamma distribution below x.

    Args:
        a: The shape, positive.
        x: Numbers that are not negative.

    Returns:
        The result, elementwise; NaN outside of the domain.

    Example:
        >>> from olympus import lax
        >>> float(lax.igamma(1.0, 0.0))
        0.0

    References:
        DLMF 8.2.
    """
    operands, weak = strict_operands("igamma", (a, x))
    return bind(ops.igamma, *operands, weak=weak)


@api
def igammac(a: ArrayLike, x: ArrayLike) -> Array:
    """The regularised upper incomplete gamma function: the share of the gamma distribution above x.

    Args:
        a: The shape, positive.
        x: Numbers that are not negative.

    Returns:
        The result, elementwise; NaN outside of the domain.

    Example:
        >>> from olympus import lax
        >>> float(lax.igammac(1.0, 0.0))
        1.0

    References:
        DLMF 8.2.
    """
    operands, weak = strict_operands("igammac", (a, x))
    return bind(ops.igammac, *operands, weak=weak)


@api
def igamma_grad_a(a: ArrayLike, x: ArrayLike) -> Array:
    """The derivative of `igamma` by the shape a.

    Args:
        a: The shape, positive.
        x: Numbers that are not negative.

    Returns:
        The result, elementwise; NaN outside of the domain.

    Example:
        >>> from olympus import lax
        >>> float(lax.igamma_grad_a(1.0, 0.0))
        0.0

    References:
        R. J. Moore, Algorithm AS 187: Derivatives of the incomplete gamma integral, Applied Statistics 31 (1982).
    """
    operands, weak = strict_operands("igamma_grad_a", (a, x))
    return bind(ops.igamma_grad_a, *operands, weak=weak)


@api
def random_gamma_grad(a: ArrayLike, x: ArrayLike) -> Array:
    """How a sample of the gamma distribution changes with the distribution's shape.

    Args:
        a: The shape, positive.
        x: The samples.

    Returns:
        The result, elementwise; NaN outside of the domain.

    Example:
        >>> from olympus import lax
        >>> float(lax.random_gamma_grad(1.0, 0.0))
        0.0

    References:
        M. Figurnov, S. Mohamed, A. Mnih, Implicit reparameterization gradients, NeurIPS 2018.
    """
    operands, weak = strict_operands("random_gamma_grad", (a, x))
    return bind(ops.random_gamma_grad, *operands, weak=weak)


@api
def polygamma(m: ArrayLike, x: ArrayLike) -> Array:
    """The derivative of order m of `digamma`.

    Args:
        m: The order, a whole number that is not negative; its element type is that of x.
        x: Where it is taken.

    Returns:
        The result, elementwise; NaN outside of the domain.

    Example:
        >>> from olympus import lax
        >>> round(float(lax.polygamma(0.0, 1.0)), 4)
        -0.5772

    References:
        DLMF 5.15.
    """
    operands, weak = strict_operands("polygamma", (m, x))
    return bind(ops.polygamma, *operands, weak=weak)


@api
def zeta(x: ArrayLike, q: ArrayLike) -> Array:
    """Hurwitz' zeta function: the sum over n from 0 of (q + n) to the power of -x.

    Args:
        x: The exponent, at least 1.
        q: The first base.

    Returns:
        The result, elementwise; NaN outside of the domain.

    Example:
        >>> from olympus import lax
        >>> round(float(lax.zeta(2.0, 1.0)), 4)
        1.6449

    References:
        DLMF 25.11.
    """
    operands, weak = strict_operands("zeta", (x, q))
    return bind(ops.zeta, *operands, weak=weak)
