# SPDX-License-Identifier: Apache-2.0
"""Densities estimated from samples, by a normal distribution around each."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from olympus_core.errors import ArgumentError, NotSupportedError, described

from ... import numpy as jnp
from ... import random
from ...operands import known
from ...random.keys import KeyLike
from ...trees.nodes import register_pytree_node_class
from ...typing import Array, ArrayLike
from ..special import logsumexp, ndtr

__all__ = ["gaussian_kde"]


@register_pytree_node_class
class gaussian_kde:
    """A density estimated from samples: the mean of normal distributions around them, of the samples' covariance.

    Args:
        dataset: The samples, of shape ``(dimensions, samples)``, or one dimension for numbers.
        bw_method: The width: ``"scott"`` (or None), ``"silverman"``, a number, or a function of this object.
        weights: How much each sample counts; equally for None.

    Attributes:
        dataset: The samples.
        weights: Their weights, of sum one.
        neff: How many equally weighted samples would say as much.
        covariance: That of the normal distributions.
        inv_cov: Its inverse.

    Raises:
        ArgumentError: If there are fewer than two samples, or width or weights do not fit.

    Example:
        >>> import olympus.numpy as jnp
        >>> density = gaussian_kde(jnp.array([0.0, 1.0, 3.0]))
        >>> density(1.0).round(3)
        Array([0.215], dtype=float32)

    References:
        Scott (1992), Multivariate density estimation.
    """

    neff: Any
    dataset: Any
    weights: Any
    covariance: Any
    inv_cov: Any

    def __init__(
        self, dataset: ArrayLike, bw_method: str | ArrayLike | Callable[[Any], ArrayLike] | None = None,
        weights: ArrayLike | None = None,
    ) -> None:
        samples = jnp.atleast_2d(jnp.asarray(dataset))
        samples = samples if jnp.issubdtype(samples.dtype, jnp.floating) else samples.astype(float)
        if samples.ndim != 2 or samples.shape[1] < 2:
            raise ArgumentError("gaussian_kde", "there are not enough samples", f"shape {samples.shape}",
                                "(dimensions, samples), two samples or more")
        self.dataset = samples
        count = samples.shape[1]
        given = jnp.ones(count, samples.dtype) if weights is None else jnp.asarray(weights, samples.dtype)
        if given.shape != (count,):
            raise ArgumentError("gaussian_kde", "the weights are not as many as the samples", given.shape, (count,))
        self.weights = given / jnp.sum(given)
        self.neff = 1 / jnp.sum(self.weights ** 2)
        factor = self._factor(bw_method)
        mean = jnp.sum(samples * self.weights, axis=1, keepdims=True)
        spread = (samples - mean) * self.weights @ (samples - mean).T / (1 - jnp.sum(self.weights ** 2))
        self.covariance = spread * factor ** 2
        self.inv_cov = jnp.linalg.inv(spread) / factor ** 2

    def _factor(self, method: Any) -> Any:
        if method is None or method == "scott":
            return jnp.power(self.neff, -1.0 / (self.d + 4))
        if isinstance(method, str):
            if method != "silverman":
                raise ArgumentError("gaussian_kde", "the width is not known", repr(method),
                                    "'scott', 'silverman', a number or a function")
            return jnp.power(self.neff * (self.d + 2) / 4.0, -1.0 / (self.d + 4))
        return method(self) if callable(method) else jnp.asarray(method)

    @property
    def d(self) -> int:
        """How many dimensions samples have."""
        return self.dataset.shape[0]

    @property
    def n(self) -> int:
        """How many samples there are."""
        return self.dataset.shape[1]

    def tree_flatten(self) -> tuple[tuple[Any, ...], None]:
        """The parts, for `olympus.tree`."""
        return (self.neff, self.dataset, self.weights, self.covariance, self.inv_cov), None

    @classmethod
    def tree_unflatten(cls, data: None, children: Any) -> gaussian_kde:
        """Puts an estimate together of whatever stands for its parts."""
        self = object.__new__(cls)
        self.neff, self.dataset, self.weights, self.covariance, self.inv_cov = children
        return self

    def _points(self, points: ArrayLike) -> Any:
        found = jnp.atleast_2d(jnp.asarray(points, self.dataset.dtype))
        if found.shape[0] != self.d and found.shape == (1, self.d):
            found = found.reshape(self.d, 1)  # one point
        if found.ndim != 2 or found.shape[0] != self.d:
            raise ArgumentError("gaussian_kde", "the points have another number of dimensions", found.shape,
                                f"({self.d}, points)")
        return found

    def _log_terms(self, points: Any, inverse: Any, log_norm: Any) -> Any:
        """The logarithm of each sample's normal density at each point: points, samples."""
        apart = points[:, :, None] - self.dataset[:, None, :]
        return log_norm - jnp.einsum("ipn,ij,jpn->pn", apart, inverse, apart) / 2

    def _log_norm(self, covariance: Any) -> Any:
        return -(self.d * math.log(2 * math.pi) + jnp.linalg.slogdet(covariance)[1]) / 2

    def logpdf(self, x: ArrayLike) -> Array:
        """The logarithm of the density at points of shape ``(dimensions, points)``."""
        terms = self._log_terms(self._points(x), self.inv_cov, self._log_norm(self.covariance))
        return logsumexp(terms, axis=1, b=self.weights)

    def evaluate(self, points: ArrayLike) -> Array:
        """The density at points of shape ``(dimensions, points)``."""
        return jnp.exp(self.logpdf(points))

    __call__ = evaluate

    def pdf(self, x: ArrayLike) -> Array:
        """As `evaluate`."""
        return self.evaluate(x)

    def integrate_gaussian(self, mean: ArrayLike, cov: ArrayLike) -> Array:
        """The integral of the product with a normal density."""
        middle = self._points(jnp.atleast_1d(jnp.asarray(mean)).reshape(-1, 1))
        spread = jnp.atleast_2d(jnp.asarray(cov, self.dataset.dtype))
        if spread.shape != (self.d, self.d):
            raise ArgumentError("gaussian_kde", "the covariance has another shape", spread.shape, (self.d, self.d))
        total = self.covariance + spread
        terms = self._log_terms(middle, jnp.linalg.inv(total), self._log_norm(total))
        return jnp.sum(jnp.exp(terms[0]) * self.weights)

    def integrate_kde(self, other: gaussian_kde) -> Array:
        """The integral of the product with another estimate."""
        if not isinstance(other, gaussian_kde) or other.d != self.d:
            raise ArgumentError("gaussian_kde", "it is no estimate of as many dimensions", described(other), self.d)
        total = self.covariance + other.covariance
        terms = self._log_terms(other.dataset, jnp.linalg.inv(total), self._log_norm(total))
        return jnp.sum(jnp.exp(terms) * self.weights * other.weights[:, None])

    def integrate_box_1d(self, low: ArrayLike, high: ArrayLike) -> Array:
        """The integral of a density of numbers over an interval."""
        if self.d != 1:
            raise ArgumentError("gaussian_kde", "the density is not one of numbers", f"{self.d} dimensions", 1)
        width = jnp.sqrt(self.covariance[0, 0])
        ends = [(jnp.asarray(end) - self.dataset[0]) / width for end in (low, high)]
        return jnp.sum(self.weights * (ndtr(ends[1]) - ndtr(ends[0])))

    def integrate_box(self, *args: Any, **kwargs: Any) -> Array:
        """Refused: integrals over boxes of several dimensions have no closed form."""
        raise NotSupportedError("gaussian_kde.integrate_box", "integrals over boxes of several dimensions need samples",
                                "Use integrate_box_1d for numbers.")

    def set_bandwidth(self, bw_method: Any = None) -> None:
        """Refused: an estimate does not change."""
        raise NotSupportedError("gaussian_kde.set_bandwidth", "an estimate does not change",
                                "Make another one with bw_method=...")

    def resample(self, key: KeyLike, shape: Sequence[int] = ()) -> Array:
        """Random numbers of the density, of shape ``(dimensions, *shape)``."""
        chosen, moved = random.split(key)
        sizes = tuple(int(n) for n in known("gaussian_kde.resample", list(shape), "the shape")) if len(shape) else ()
        places = random.choice(chosen, self.n, sizes, p=self.weights)
        noise = random.multivariate_normal(moved, jnp.zeros(self.d, self.dataset.dtype), self.covariance, sizes,
                                           self.dataset.dtype)
        return self.dataset[:, places] + jnp.moveaxis(noise, -1, 0)
