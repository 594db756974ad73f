# SPDX-License-Identifier: Apache-2.0
"""Incomplete gamma and beta functions, Bessel functions, zeta functions, index by index."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import numpy as np

from olympus_core.program.exactness import Exactness, Samples

from .rules import FLOAT, elementwise


def _reference(name: str) -> Callable[..., np.ndarray]:
    """A function of `special_references`, which is imported when one is needed: few programs do."""

    def run(*operands: np.ndarray) -> np.ndarray:
        function: Callable[..., np.ndarray] = getattr(import_module(f"{__package__}.special_references"), name)
        return function(*operands)

    return run


# Where an operand is outside of a function's domain the result is NaN; limits at the ends of the domain are SciPy's.
# Exponentials of sums of terms that cancel, the more of them the further the result is from one; or one less another.
# The reference is off by 36 units of one for some a above one half.
_SIZES = (1e-30, 1e30)
_OF_EXPONENTIAL = Exactness("function", 4, 16, near=4, reference_sizes=_SIZES)
_SHAPES = Samples(((0.1, 30.0), (0.05, 40.0)))

# Of (a, x): the share of the gamma distribution of shape a that lies below x, and above x.
igamma = elementwise(
    "igamma", 2, FLOAT, _reference("igamma"), _OF_EXPONENTIAL, precise=True, cost=100, samples=_SHAPES)
igammac = elementwise(
    "igammac", 2, FLOAT, _reference("igammac"), _OF_EXPONENTIAL, precise=True, cost=100, samples=_SHAPES)
# The derivative of igamma by a, and that of a quantile x of the distribution by its shape a.
igamma_grad_a = elementwise(
    "igamma_grad_a", 2, FLOAT, _reference("igamma_grad_a"),
    Exactness("function", 4, 16, near=1, reference_sizes=_SIZES), precise=True, cost=100, samples=_SHAPES)
random_gamma_grad = elementwise(
    "random_gamma_grad", 2, FLOAT, _reference("random_gamma_grad"),
    Exactness("function", 4, 64, near=4, reference_sizes=_SIZES),  # the reference is off by 30 far in the tail
    precise=True, cost=100, samples=Samples(((0.1, 20.0), (0.05, 25.0))))
# Of (a, b, x): the share of the beta distribution of shapes a and b that lies below x.
betainc = elementwise(
    "betainc", 3, FLOAT, _reference("betainc"), _OF_EXPONENTIAL, precise=True, cost=100,
    samples=Samples(((0.1, 20.0), (0.1, 20.0), (0.0, 1.0))))
# exp(-|x|) I(x), of the modified Bessel functions of the first kind.
bessel_i0e = elementwise(
    "bessel_i0e", 1, FLOAT, _reference("bessel_i0e"), Exactness("function", 2, 8), precise=True, cost=30,
    samples=Samples(((-40.0, 40.0),)))
bessel_i1e = elementwise(
    "bessel_i1e", 1, FLOAT, _reference("bessel_i1e"), Exactness("function", 2, 8), precise=True, cost=30,
    samples=Samples(((-40.0, 40.0),)))
# Of (s, q): the sum over n of (q + n)^-s, Hurwitz' zeta function.
zeta = elementwise(
    "zeta", 2, FLOAT, _reference("zeta"), Exactness("function", 4, 32, reference_sizes=_SIZES),
    precise=True, cost=100, samples=Samples(((1.1, 12.0), (0.2, 20.0))))
# Of (m, x): the derivative of order m of digamma, for whole m.
polygamma = elementwise(
    "polygamma", 2, FLOAT, _reference("polygamma"),
    Exactness("function", 4, 16, near=1, signed_zero=False, reference_sizes=_SIZES),
    precise=True, cost=100, samples=Samples(((1.0, 1.0), (0.2, 20.0))))
