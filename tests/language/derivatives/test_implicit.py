# SPDX-License-Identifier: Apache-2.0
"""custom_linear_solve and custom_root: derivatives from the equations, in both modes, mapped and in programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import ArgumentError, CustomRuleError
from olympus.test_util import check_grads

MATRIX = np.array([[2.0, 0.5], [0.1, 3.0]], np.float32)
RIGHT = np.array([1.0, 2.0], np.float32)
SEVERAL = np.stack([MATRIX, MATRIX.T, MATRIX + 1])


def iterated(multiply: Any, b: Any) -> Any:
    """A while loop, which has no reverse mode of its own."""
    def unfinished(state: Any) -> Any:
        return (state[1] < 200) & (jnp.abs(multiply(state[0]) - b).max() > 1e-6)

    return lax.while_loop(unfinished, lambda s: (s[0] + 0.2 * (b - multiply(s[0])), s[1] + 1), (b, 0))[0]


def solution(a: Any, b: Any) -> Any:
    return lax.custom_linear_solve(lambda x: a @ x, b, iterated, iterated)


def cube_root(a: Any) -> Any:
    """Where x^3 = a x + 1."""
    def newton(f: Any, x: Any) -> Any:
        return lax.while_loop(lambda x: jnp.abs(f(x)) > 1e-5, lambda x: x - f(x) / olympus.grad(f)(x), x)

    return lax.custom_root(lambda x: x * x * x - a * x - 1.0, 2.0, newton, lambda g, y: y / g(1.0))


def test_linear_solve() -> None:
    np.testing.assert_allclose(solution(MATRIX, RIGHT), np.linalg.solve(MATRIX, RIGHT), atol=1e-5)
    check_grads(olympus.jit(solution), (MATRIX, RIGHT), 2)


def test_linear_solve_evaluated() -> None:
    check_grads(solution, (MATRIX, RIGHT), 1)


def test_mapped_over_matrices() -> None:
    def mapped(a: Any, b: Any) -> Any:
        return olympus.vmap(solution, (0, None))(a, b)

    np.testing.assert_allclose(mapped(SEVERAL, RIGHT), np.linalg.solve(SEVERAL, RIGHT[:, None])[..., 0], atol=1e-5)
    check_grads(olympus.jit(mapped), (SEVERAL, RIGHT), 2)


def test_mapped_over_right_sides() -> None:
    check_grads(lambda a, b: olympus.vmap(olympus.jit(solution), (None, 0))(a, b), (MATRIX, SEVERAL[:, 0]), 1)


def test_symmetric_trees_and_auxiliary_results() -> None:
    def solve(scale: Any, b: Any) -> Any:
        def divided(multiply: Any, b: Any) -> Any:
            ones = multiply(olympus.tree.map(jnp.ones_like, b))
            return olympus.tree.map(lambda x, one: x / one, b, ones), {"steps": 3}

        return lax.custom_linear_solve(
            lambda x: {"u": scale * x["u"], "v": 2 * x["v"]}, b, divided, symmetric=True, has_aux=True)

    b = {"u": RIGHT, "v": np.float32(3)}
    (x, aux), tangents = olympus.jvp(solve, (np.float32(4), b), (np.float32(1), b))
    np.testing.assert_allclose(x["u"], RIGHT / 4)
    np.testing.assert_allclose(tangents[0]["u"], RIGHT / 4 - RIGHT / 16)
    assert int(aux["steps"]) == 3 and float(x["v"]) == 1.5
    check_grads(lambda s, b: solve(s, b)[0], (np.float32(4), b), 2, rtol=5e-3)


def test_reverse_mode_needs_a_transpose() -> None:
    def forward_only(b: Any) -> Any:
        return lax.custom_linear_solve(lambda x: MATRIX @ x, b, iterated).sum()

    np.testing.assert_allclose(
        olympus.jvp(forward_only, (RIGHT,), (RIGHT,))[1], np.linalg.solve(MATRIX, RIGHT).sum(), rtol=1e-5)
    with pytest.raises(CustomRuleError, match="transpose_solve"):
        olympus.grad(forward_only)(RIGHT)


def test_root() -> None:
    check_grads(olympus.jit(cube_root), (2.0,), 2)
    slopes = olympus.vmap(olympus.grad(cube_root))(jnp.array([1.0, 2.0]))
    roots = np.array([max(np.roots([1, 0, -a, -1]).real) for a in (1.0, 2.0)])
    np.testing.assert_allclose(slopes, roots / (3 * roots**2 - [1, 2]), rtol=1e-5)
    np.testing.assert_allclose(
        olympus.grad(lambda a: olympus.vmap(cube_root)(a).sum())(jnp.array([1.0, 2.0])), slopes, rtol=1e-6)


def test_the_guess_has_no_derivative_and_auxiliary_results_are_given() -> None:
    def root(a: Any, guess: Any) -> Any:
        x, steps = lax.custom_root(
            lambda x: x - 2 * a, guess, lambda f, x: (x - f(x), 1), lambda g, y: y / g(jnp.ones_like(y)), has_aux=True)
        return x.sum() + steps

    found = olympus.grad(root, (0, 1))(RIGHT, RIGHT)
    np.testing.assert_array_equal(found[0], [2, 2])
    np.testing.assert_array_equal(found[1], [0, 0])


def test_refused() -> None:
    with pytest.raises(ArgumentError, match="other types"):
        lax.custom_linear_solve(lambda x: x, RIGHT, lambda f, b: b[:1])
    with pytest.raises(ArgumentError, match="another structure"):
        olympus.jit(lambda x: lax.custom_root(lambda x: (x, x), x, lambda f, x: x, lambda g, y: y))(RIGHT)
    with pytest.raises(ArgumentError, match="no pair"):
        lax.custom_root(lambda x: x, RIGHT, lambda f, x: x, lambda g, y: y, has_aux=True)
