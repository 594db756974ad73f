# SPDX-License-Identifier: Apache-2.0
"""Solutions of differential equations against SciPy's and exact ones, and their derivatives by the adjoint equation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.integrate

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError
from olympus.experimental.ode import odeint
from olympus.test_util import check_grads

TIMES = np.array([0.0, 0.3, 1.0, 2.5])


def swinging(y: Any, t: Any, k: Any) -> Any:
    """A tree of coupled states, driven by the time."""
    return {"a": y["b"] * k["w"] + 0.1 * t, "b": -y["a"] * k["w"] - 0.1 * y["b"]}


def test_solution_and_derivatives_of_a_tree() -> None:
    start, k = {"a": np.array([1.0, 2.0]), "b": np.array([0.0, 0.5])}, {"w": np.array(1.3)}

    def flat(t: float, y: np.ndarray) -> np.ndarray:
        return np.concatenate([1.3 * y[2:] + 0.1 * t, -1.3 * y[:2] - 0.1 * y[2:]])

    wanted = scipy.integrate.solve_ivp(
        flat, (0, 2.5), [1, 2, 0, 0.5], t_eval=TIMES, rtol=1e-11, atol=1e-12).y.T
    with olympus.enable_x64():
        found = odeint(swinging, start, TIMES, k)
        np.testing.assert_allclose(np.concatenate([found["a"], found["b"]], 1), wanted, atol=2e-7)
        check_grads(lambda y, t, k: odeint(swinging, y, t, k, rtol=1e-10, atol=1e-10), (start, TIMES, k), order=1,
                    modes=["rev"], atol=1e-5, rtol=1e-5)


def test_exact_solutions_mapped_and_complex() -> None:
    with olympus.enable_x64():
        rates = np.array([1.0, 2.0])
        found = olympus.jit(olympus.vmap(lambda a: odeint(lambda y, t, a: -a * y, 1.0, TIMES, a)))(rates)
        np.testing.assert_allclose(found, np.exp(-np.outer(rates, TIMES)), atol=1e-7)
        turned = odeint(lambda y, t: 1j * y, jnp.array(1 + 0j), TIMES)
        np.testing.assert_allclose(turned, np.exp(1j * TIMES), atol=1e-7)
        short = odeint(lambda y, t: y, 1.0, TIMES, hmax=0.01, rtol=1e-3)
        np.testing.assert_allclose(short, np.exp(TIMES), rtol=1e-8)
    single = odeint(lambda y, t: -y, jnp.array(1.0), jnp.array([0.0, 1.0]), rtol=1e-6, atol=1e-6)
    assert single.dtype == jnp.float32 and abs(float(single[1]) - np.exp(-1)) < 1e-5


def test_what_does_not_fit_is_refused() -> None:
    for call in (lambda: odeint(lambda y, t: y, 1.0, 2.0), lambda: odeint(lambda y, t: y, "one", TIMES),
                 lambda: odeint(3, 1.0, TIMES)):
        with pytest.raises((ArgumentError, TypeError)):
            call()


def test_nothing_is_known_before_the_first_time() -> None:
    found = odeint(lambda y, t: 2 * y, np.float32(1), np.array([1, 0.5, 2], np.float32))
    np.testing.assert_allclose(found, [1, np.nan, np.exp(2)], rtol=1e-5)
