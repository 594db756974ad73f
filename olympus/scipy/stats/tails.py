# SPDX-License-Identifier: Apache-2.0
"""Logarithms of the densities and the shares of gamma and beta distributions, also of shares too small to be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import numpy as jnp
from ...operands import dtype_of, weakly
from ...transforms.rules import weights
from .. import special
from ..documentation import all_weak

# So many terms of the continued fractions: taken nine deviations from the mean, or 26, more would not be seen.
_TERMS = 12


def log_gamma_density(a: Any, x: Any) -> Any:
    """The logarithm of the gamma distribution's density, weakly typed where both are.

    Args:
        a: The shape, positive.
        x: Where, not negative; an array of the same type and shape.
    """
    return weakly(weights.log_gamma_density(a, x), all_weak(a, x))


def log_beta_density(a: Any, b: Any, x: Any) -> Any:
    """The logarithm of the beta distribution's density, weakly typed where all are.

    Args:
        a: The first shape, positive.
        b: The second shape, positive.
        x: Where, from 0 to 1; arrays of one type and shape.
    """
    return weakly(weights.log_beta_density(a, b, x), all_weak(a, b, x))


def _log_share(found: Any, other: Any, near: Any, tail: Callable[[Any], Any]) -> Any:
    """The logarithm of a share: near 1 by the other, which completes it, and near 0 by a continued fraction."""
    far = ~near & (found < float(jnp.finfo(dtype_of(found)).tiny) ** 0.5)
    inner = jnp.log(jnp.where(near | far, 1, found))
    return jnp.where(far, tail(far), jnp.where(near, jnp.log1p(-jnp.where(near, other, 0)), inner))


def log_gamma_share(a: Any, x: Any, above: bool) -> Any:
    """The logarithm of the gamma distribution's share below a number, or above.

    References: DLMF 8.9.

    Args:
        a: The shape, positive.
        x: The number.
        above: Whether it is that above.
    """
    inside = (x > 0) & (x < np.inf)
    y = jnp.where(inside | jnp.isnan(x), x, 1)
    below_share, above_share = special.gammainc(a, y), special.gammaincc(a, y)
    found = (_log_share(above_share, below_share, below_share < 0.5, lambda far: _log_gamma_above(a, y, far))
             if above else
             _log_share(below_share, above_share, above_share < 0.5, lambda far: _log_gamma_below(a, y, far)))
    return jnp.where(inside | jnp.isnan(x), found, jnp.where((x > 0) == above, -np.inf, 0))


def _log_gamma_below(a: Any, x: Any, far: Any) -> Any:
    a, x = jnp.where(far, a, 20), jnp.where(far, x, 1)
    last = a + (2 * _TERMS + 1)
    for m in range(_TERMS, 0, -1):
        last = (a + 2 * m) - (a + m) * x / last
        last = (a + (2 * m - 1)) + m * x / last
    return log_gamma_density(a, x) + jnp.log(x / a * (last / (last - x)))


def _log_gamma_above(a: Any, x: Any, far: Any) -> Any:
    a, x = jnp.where(far, a, 1), jnp.where(far, x, 20)
    beyond = x - a
    last = beyond + (2 * _TERMS + 1)
    for k in range(_TERMS, 0, -1):
        last = beyond + (2 * k - 1) - k * (k - a) / last
    return log_gamma_density(a, x) + jnp.log(x / last)


def beta_share_above(a: Any, b: Any, x: Any) -> Any:
    """The beta distribution's share above a number between 0 and 1, by that below where it is the smaller.

    Args:
        a: The first shape, positive.
        b: The second shape, positive.
        x: The number.
    """
    below, found = _beta_shares(a, b, x)
    return jnp.where(below < 0.5, 1 - below, found)


def _beta_shares(a: Any, b: Any, x: Any) -> tuple[Any, Any]:
    """The share below a number, and that above where the first is not the smaller: its slope may be infinite there."""
    below = special.betainc(a, b, x)
    return below, special.betainc(b, a, 1 - jnp.where(below < 0.5, 0.5, x))


def log_beta_share(a: Any, b: Any, x: Any, above: bool) -> Any:
    """The logarithm of the beta distribution's share below a number, or above.

    References: DLMF 8.17(v).

    Args:
        a: The first shape, positive.
        b: The second shape, positive.
        x: The number.
        above: Whether it is that above.
    """
    inside = (x > 0) & (x < 1)
    y = jnp.where(inside | jnp.isnan(x), x, 0.5)
    below_share, above_share = _beta_shares(a, b, y)
    first = below_share < 0.5
    found = (_log_share(above_share, below_share, first, lambda far: _log_beta_below(b, a, 1 - y, far)) if above else
             _log_share(below_share, above_share, ~first, lambda far: _log_beta_below(a, b, y, far)))
    return jnp.where(inside | jnp.isnan(x), found, jnp.where((x > 0) == above, -np.inf, 0))


def _log_beta_below(a: Any, b: Any, x: Any, far: Any) -> Any:
    a, b, x = jnp.where(far, a, 2), jnp.where(far, b, 2), jnp.where(far, x, 0.1)
    last = jnp.ones_like(x)
    for m in range(_TERMS, -1, -1):
        last = 1 + (m + 1) * ((b - (m + 1)) * x / ((a + (2 * m + 1)) * (a + (2 * m + 2)))) / last
        last = 1 - (a + m) / (a + 2 * m) * ((a + b + m) * x / (a + (2 * m + 1))) / last
    return log_beta_density(a, b, x) + jnp.log(x / a) + jnp.log1p(-x) - jnp.log(last)
