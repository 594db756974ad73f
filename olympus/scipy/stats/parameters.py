# SPDX-License-Identifier: Apache-2.0
"""What the parameters of distributions are, for their docstrings, and the ends of where they lie."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ... import nn
from ... import numpy as jnp

PARAMETERS = {
    "x": "Where it is taken.",
    "k": "The counts.",
    "q": "Shares, from 0 to 1.",
    "p": "The probability.",
    "loc": "How far the distribution is moved.",
    "scale": "How much it is stretched, positive.",
    "a": "The first shape, or lower end.",
    "b": "The second shape, exponent or upper end.",
    "df": "The degrees of freedom, positive.",
    "beta": "The exponent, positive.",
    "kappa": "The concentration, not negative.",
    "c": "The concentration, from 0 to 1.",
    "mu": "The mean, not negative.",
    "n": "The number of trials.",
    "alpha": "The shapes, positive, a vector.",
    "mean": "The mean, a vector or number.",
    "cov": "The covariance, a matrix or number.",
    "allow_singular": "Not used.",
}


def positive(x: Any) -> Any:
    """Whether a parameter is positive."""
    return x > 0


def not_negative(x: Any) -> Any:
    """Whether a parameter is not negative."""
    return x >= 0


def probability(x: Any) -> Any:
    """Whether a parameter is a probability."""
    return (x >= 0) & (x <= 1)


def some_probability(x: Any) -> Any:
    """Whether a parameter is a probability above 0."""
    return (x > 0) & (x <= 1)


def concentration(x: Any) -> Any:
    """Whether a parameter is a concentration below 1."""
    return (x >= 0) & (x < 1)


def inside(possible: Any, found: Any, x: Any) -> Any:
    """A logarithm where values are possible, minus infinity elsewhere, NaN for what is no number."""
    return jnp.where(possible, found, jnp.where(jnp.isnan(x), x, -jnp.inf))


def share(q: Any) -> Any:
    """A share as it is, NaN for what is none."""
    return jnp.where((q >= 0) & (q <= 1), q, jnp.nan)


def log_of_share_below(y: Any) -> Any:
    """log(1 - exp(-y)), whose slope is 0 and not NaN where y was cut to 0."""
    return inside(y > 0, nn.log1mexp(jnp.where(y > 0, y, 1)), y)


def log_of_rest(logarithm: Any) -> Any:
    """log(1 - exp(-y)) of the logarithm of y: far out that logarithm, for y itself may be too small to be."""
    far = logarithm < -18
    near = nn.log1mexp(jnp.exp(jnp.where(far, 0, logarithm)))
    return jnp.where(far, logarithm - 0.5 * jnp.exp(jnp.where(far, logarithm, 0)), near)


def between(y: Any, low: float, high: float, inner: float, found: Callable[[Any], Any], below: int = 0) -> Any:
    """A share that is 0 up to an end and 1 from the other, or 1 and 0, whose slopes beyond them are 0 and not NaN.

    Args:
        y: Where the share is asked for.
        low: The lower end.
        high: The upper end.
        inner: Some number between them, at which the function is finite.
        found: The share between the ends.
        below: What it is up to the lower end.
    """
    under, over = y <= low, y >= high
    return jnp.where(under, below, jnp.where(over, 1 - below, found(jnp.where(under | over, inner, y))))
