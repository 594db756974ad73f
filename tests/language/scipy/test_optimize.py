# SPDX-License-Identifier: Apache-2.0
"""minimize on functions whose minima are known, jitted and mapped, and how it ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError
from olympus.scipy.optimize import LBFGS, minimize

METHODS = ["BFGS", LBFGS]


def rosenbrock(x: Any) -> Any:
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


def himmelblau(x: Any) -> Any:
    return (x[0] ** 2 + x[1] - 11) ** 2 + (x[0] + x[1] ** 2 - 7) ** 2


def valley(x: Any, middle: Any, level: Any) -> Any:
    """Badly scaled, and flat beside its level."""
    return ((x - middle) ** 2 * np.array([1, 10, 100], np.float32)).sum() + level


@pytest.mark.parametrize("method", METHODS)
def test_minima(method: str) -> None:
    with olympus.enable_x64(True):
        for function, start, expected in ((rosenbrock, np.zeros(5), np.ones(5)), (himmelblau, np.ones(2), [3, 2])):
            options = {"ftol": 0.0} if method == LBFGS else {}
            found = minimize(function, start, method=method, tol=1e-7, options=options)
            np.testing.assert_allclose(found.x, expected, atol=1e-6)
            assert found.success and found.status == 0 and found.njev == found.nfev >= found.nit > 0
            np.testing.assert_allclose(found.jac, olympus.grad(function)(found.x))
            assert found.fun == function(found.x)


@pytest.mark.parametrize("method", METHODS)
def test_rounding_and_further_arguments(method: str) -> None:
    middle = np.array([1, 2, 3], np.float32)
    found = minimize(valley, np.zeros(3, np.float32), (middle, np.float32(10)), method=method, tol=1e-3)
    np.testing.assert_allclose(found.x, middle, atol=2e-3)
    assert found.x.dtype == np.float32


def test_inverse_of_the_second_derivative() -> None:
    with olympus.enable_x64(True):
        found = minimize(himmelblau, np.array([3.2, 2.2]), method="bfgs", tol=1e-9)
        inverse = np.linalg.inv(olympus.hessian(himmelblau)(found.x))
        np.testing.assert_allclose(found.hess_inv, inverse, rtol=0.2, atol=1e-3)
        assert minimize(himmelblau, np.array([3.2, 2.2]), method=LBFGS).hess_inv is None


def test_jitted_and_mapped() -> None:
    starts = np.array([[0, 0], [2, 2], [-1, 1]], np.float32)
    found = olympus.jit(olympus.vmap(lambda x: minimize(rosenbrock, x, method="BFGS")))(starts)
    np.testing.assert_allclose(found.x, np.ones((3, 2)), atol=1e-3)
    assert found.success.all() and len(set(found.nit.tolist())) > 1


def test_how_it_ends() -> None:
    start = np.zeros(4)
    assert minimize(rosenbrock, start, method="BFGS", options={"maxiter": 2}).status == 1
    assert minimize(rosenbrock, start, method=LBFGS, options={"maxfun": 3}).status == 2
    assert minimize(rosenbrock, start, method=LBFGS, options={"ftol": 10.0, "gtol": 0.0}).status == 4
    unbounded = minimize(lambda x: jnp.log(x).sum(), np.ones(1), method="BFGS", options={"maxiter": 5})
    assert not unbounded.success
    at_once = minimize(rosenbrock, np.ones(3), method="BFGS")
    assert at_once.success and at_once.nit == 0 and at_once.nfev == 1


def test_refused() -> None:
    for start, options, pattern in (
            (np.zeros((2, 2)), {"method": "BFGS"}, "vector"), (np.zeros(2), {"method": "Newton"}, "method"),
            (np.zeros(2) * 1j, {"method": "BFGS"}, "complex"),
            (np.zeros(2), {"method": "BFGS", "options": {"step": 1}}, "option")):
        with pytest.raises(ArgumentError, match=pattern):
            minimize(rosenbrock, start, **options)
