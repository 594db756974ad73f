# SPDX-License-Identifier: Apache-2.0
"""Derivatives where a function has a corner, a pole or nothing to count: the conventions that programs rely on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax, nn


@pytest.mark.parametrize("function, at, slope", [
    (jnp.abs, 0.0, 1.0), (lambda x: jnp.abs(-x), 0.0, -1.0), (nn.relu6, 0.0, 0.0), (nn.relu6, 6.0, 0.0),
    (nn.hard_sigmoid, -3.0, 0.0), (nn.hard_silu, 3.0, 1.0), (jnp.cbrt, 0.0, np.inf), (jnp.cbrt, 8.0, 1 / 12),
    (lambda x: jnp.fmax(x, 0.0), 0.0, 0.0), (lambda x: jnp.fmin(0.0, x), 0.0, 1.0), (nn.log1mexp, 0.0, np.inf),
    (nn.log1mexp, 1.0, 1 / np.expm1(1.0)), (nn.softplus, 0.0, 0.5), (lambda x: jnp.logaddexp(x, -jnp.inf), 0.0, 1.0),
    (lambda x: jnp.logaddexp(x, x), -np.inf, 1.0), (lambda x: jnp.copysign(x, 1.0), 0.0, 1.0),
    (lambda x: jnp.maximum(x, 0), 0.0, 0.5), (lambda x: jnp.hypot(x, x), 0.0, 1.0),
])
def test_slopes_at_edges(function: object, at: float, slope: float) -> None:
    np.testing.assert_allclose(olympus.grad(function)(at), slope, rtol=1e-6)
    np.testing.assert_allclose(olympus.jvp(function, (at,), (1.0,))[1], slope, rtol=1e-6)


def test_softmax_of_rows_that_count_nothing() -> None:
    x = np.array([[1.0, 2.0, -np.inf], [3.0, 4.0, 5.0]], np.float32)
    where = np.array([[True, True, False], [False, False, False]])
    found, back = olympus.vjp(lambda x: nn.softmax(x, where=where), x)
    shares = np.exp([1.0, 2.0]) / np.exp([1.0, 2.0]).sum()
    np.testing.assert_allclose(found, [[*shares, 0], [0, 0, 0]], rtol=1e-6)
    slopes = back(np.array([[1, 0, 0], [1, 2, 3]], np.float32))[0]
    product = shares[0] * shares[1]
    np.testing.assert_allclose(slopes, [[product, -product, 0], [0, 0, 0]], rtol=1e-5)


def test_a_bool_times_a_number_is_the_number_or_zero() -> None:
    mask = jnp.array([True, False])
    assert olympus.jit(lambda m: m * float("-inf"))(mask).tolist() == [-np.inf, 0]
    assert (mask * jnp.array([[2, 3], [4, 5]])).tolist() == [[2, 0], [4, 0]]
    product = mask * jnp.float32(jnp.nan)
    assert np.isnan(product[0]) and product[1] == 0
    assert (mask * 2).dtype == jnp.int32 and (mask * 2).weak_type and (mask * True).dtype == bool
    assert olympus.grad(lambda y: (mask * y).sum())(jnp.array([5.0, 7.0])).tolist() == [1, 0]
    assert lax.mul(mask.astype(jnp.float32), jnp.array([2.0, 3.0])).tolist() == [2, 0]


def test_slopes_of_negative_powers_where_the_product_overflows() -> None:
    x = np.array([1e20, -1e25, 0.0, -0.0, np.inf, 2.0], np.float32)
    found = olympus.vmap(olympus.grad(lambda v: v**-3))(x)
    np.testing.assert_allclose(found, [0, 0, -np.inf, -np.inf, 0, -3 / 16])
    found = olympus.vmap(olympus.grad(olympus.grad(lambda v: v**-2)))(x)
    np.testing.assert_allclose(found, [0, 0, np.inf, np.inf, 0, 6 / 16])
    far = lax.integer_pow(np.array([1e20, np.inf], np.complex64), -3)
    np.testing.assert_array_equal(far, [0, 0])


def test_second_derivatives_of_cbrt() -> None:
    x = np.array([0.0, -0.0, np.inf, 8.0, -8.0], np.float32)
    found = olympus.vmap(olympus.grad(olympus.grad(jnp.cbrt)))(x)
    np.testing.assert_allclose(found, [-np.inf, np.inf, 0, -1 / 144, 1 / 144], rtol=1e-6)


@pytest.mark.parametrize("transform", [lambda f: f, olympus.jit])
def test_a_branch_that_an_index_does_not_take_gives_its_derivatives_nothing(transform: Any) -> None:
    x, w = np.array([0.0, 4.0, -1.0], np.float32), np.float32(2)

    def root(x: Any, w: Any) -> Any:
        return olympus.vmap(lambda x: lax.cond(x > 0, lambda: w * jnp.sqrt(x), lambda: w * x))(x).sum()

    def share(w: Any) -> Any:
        return olympus.vmap(lambda i, x: lax.switch(i, [lambda v: w, lambda v: w / v, jnp.copy], x))(
            np.array([-1, 1, 9]), x).sum()

    slopes, slope = transform(olympus.grad(root, argnums=(0, 1)))(x, w)
    np.testing.assert_allclose(slopes, [2, 0.5, 2])
    np.testing.assert_allclose(slope, 1)
    np.testing.assert_allclose(transform(olympus.grad(share))(w), 1.25)
    np.testing.assert_allclose(transform(lambda w: olympus.jvp(share, (w,), (w,))[1])(w), 2.5)
    np.testing.assert_allclose(transform(olympus.hessian(lambda x: root(x, w)))(x), np.diag([0, -1 / 16, 0]))


def test_a_conditional_of_mapped_index_that_is_linear_is_transposed() -> None:
    x = np.array([1.0, 2.0, 3.0], np.float32)
    linear = olympus.vmap(lambda i, x: lax.cond(i, lambda a: 2 * a, lambda a: 3 * a, x))
    back = olympus.linear_transpose(lambda x: linear(np.array([True, False, True]), x), x)
    np.testing.assert_allclose(back(x)[0], [2, 6, 6])


@pytest.mark.parametrize("wrap", [lambda f: f, olympus.jit, olympus.checkpoint])
def test_what_depends_on_no_element_has_derivatives_of_zero(wrap: Any) -> None:
    matrix = np.zeros((0, 0), np.float32)
    assert olympus.grad(wrap(lambda a: jnp.linalg.slogdet(a)[1]))(matrix).shape == (0, 0)
    x = np.arange(3, dtype=np.float32)
    function = wrap(lambda x: (jnp.sum(x[:0]), 2 * x))
    primals, tangents = olympus.jvp(function, (x,), (x,))
    assert primals[0] == tangents[0] == 0
    np.testing.assert_array_equal(olympus.linearize(function, x)[1](x)[1], 2 * x)
    np.testing.assert_array_equal(olympus.vjp(function, x)[1]((np.float32(1), x))[0], 2 * x)


def test_the_direction_of_a_complex_zero_has_the_slope_zero() -> None:
    x, t = np.array([0, 1 + 1j, -0.0 - 0.0j], np.complex64), np.full(3, 1 + 2j, np.complex64)
    slope = olympus.jvp(jnp.sign, (x,), (t,))[1]
    np.testing.assert_allclose(slope, [0, (-1 + 1j) / 8**0.5, 0], rtol=1e-6)
    slopes = olympus.grad(lambda x: jnp.sum(jnp.abs(x) * jnp.real(jnp.sign(x))))(x)
    np.testing.assert_allclose(slopes, [0, 1, 0], atol=1e-6)


@pytest.mark.parametrize("function", [jnp.maximum, jnp.minimum, lax.max, lax.min])
@pytest.mark.parametrize("x, y", [(np.nan, 1.0), (1.0, np.nan), (np.nan, np.nan)])
def test_beside_a_nan_no_operand_of_an_extreme_has_a_slope(function: Callable[..., Any], x: float, y: float) -> None:
    assert [float(slope) for slope in olympus.grad(function, (0, 1))(np.float32(x), np.float32(y))] == [0.0, 0.0]
    _, tangent = olympus.jvp(function, (np.float32(x), np.float32(y)), (np.float32(2), np.float32(3)))
    assert float(tangent) == 0


@pytest.mark.parametrize("base, exponent, slope, mixed", [
    (2.0, 0.0, 0.0, 0.5), (0.5, 0.0, 0.0, 2.0), (3.0, 1.0, 1.0, 1 + np.log(3)), (np.inf, 0.0, 0.0, None),
    (0.0, 0.0, 0.0, None), (-2.0, 0.0, 0.0, None),
])
def test_powers_to_zero_and_how_their_slopes_change(base: float, exponent: float, slope: float, mixed: Any) -> None:
    by_base = olympus.grad(lambda x, y: x**y)
    np.testing.assert_allclose(by_base(base, exponent), slope, atol=1e-7)
    if mixed is not None:  # d/dy of y x^(y-1) is (1 + y log x) x^(y-1)
        np.testing.assert_allclose(olympus.grad(by_base, 1)(base, exponent), mixed, rtol=1e-6)
        by_exponent = olympus.grad(lambda x, y: x**y, 1)
        np.testing.assert_allclose(olympus.grad(by_exponent)(base, exponent), mixed, rtol=1e-6)


@pytest.mark.parametrize("name, turned", [("asin", False), ("acos", False), ("acosh", False), ("asinh", True)])
def test_slopes_on_both_sides_of_a_branch_cut(name: str, turned: bool) -> None:
    """Along the cut the function is smooth on either side, which the sign of a zero says."""
    along, across = np.repeat([2.0, -3.0, 0.5], 2), np.tile([0.0, -0.0], 3)
    step = 1e-3

    def points(along: np.ndarray) -> np.ndarray:
        out = np.empty(len(along), np.complex64)
        out.real, out.imag = (-across, along) if turned else (along, across)
        return out

    function = getattr(lax, name)
    direction = np.full(len(along), 1j if turned else 1, np.complex64)
    _, slope = olympus.jvp(function, (points(along),), (direction,))
    exact = {"asin": np.arcsin, "acos": np.arccos, "acosh": np.arccosh, "asinh": np.arcsinh}[name]
    ends = [exact(points(along + s).astype(np.complex128)) for s in (-step, step)]
    np.testing.assert_allclose(slope, (ends[1] - ends[0]) / (2 * step), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("function, second", [
    (lambda z: jnp.var(jnp.stack([z, -z])), 2.0), (lambda z: jnp.var(jnp.stack([z, -z]), mean=0j), 2.0),
    (lambda z: jnp.linalg.norm(jnp.stack([z, z * 0 + 2])), 0.5),
    (lambda z: jnp.linalg.lstsq(jnp.ones((2, 1), np.complex64), jnp.stack([z, -z]))[1][0], 4.0),
])
def test_second_derivatives_of_squared_sizes_at_a_complex_zero(function: Callable[..., Any], second: float) -> None:
    def along(t: Any) -> Any:
        return function(lax.complex(t * 0.6, t * 0.8))

    np.testing.assert_allclose(olympus.grad(olympus.grad(along))(0.0), second, rtol=1e-5)


def test_slopes_of_a_sum_of_exponentials_by_weights_that_are_zero() -> None:
    a, b = np.array([1, 2, 3, 200, np.inf, np.nan], np.float32), np.array([1, 0, 2, 0, 0, 0], np.float32)
    total = np.exp(1.0) + 2 * np.exp(3.0)
    by_a, by_b = olympus.grad(lambda a, b: nn.logsumexp(a, b=b), (0, 1))(a, b)
    np.testing.assert_allclose(by_a, [np.exp(1) / total, 0, 2 * np.exp(3) / total, 0, 0, 0], rtol=1e-5)
    np.testing.assert_allclose(by_b[:3], np.exp(a[:3]) / total, rtol=1e-5)
    z, w = np.array([1 + 1j, 0.5j], np.complex64), np.array([2, 0], np.complex64)
    _, slope = olympus.jvp(lambda w: nn.logsumexp(z, b=w), (w,), (np.array([0, 1], np.complex64),))
    np.testing.assert_allclose(slope, np.exp(z[1]) / (2 * np.exp(z[0])), rtol=1e-5)
