# SPDX-License-Identifier: Apache-2.0
"""Weak types as JAX carries them: through loops, derivatives and mapped functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax

ROWS = jnp.arange(3.0)
# What each gives, flat: a w after the element type for a weak one. Facts of JAX 0.10.
CASES: list[tuple[Callable[[], Any], str]] = [
    (lambda: olympus.grad(jnp.sin)(1.0), "float32w"),
    (lambda: olympus.grad(lambda x: x * jnp.float32(2))(1.0), "float32w"),
    (lambda: olympus.grad(lambda x: x.sum())(ROWS), "float32"),
    (lambda: olympus.grad(lambda d: d["a"] * d["b"])({"a": 1.0, "b": jnp.float32(2)}), "float32w float32"),
    (lambda: olympus.value_and_grad(lambda x: x**2)(1.0), "float32w float32w"),
    (lambda: olympus.jvp(jnp.sin, (1.0,), (1.0,)), "float32w float32w"),
    (lambda: olympus.jvp(lambda x: x + ROWS, (1.0,), (1.0,)), "float32 float32"),
    (lambda: olympus.vjp(jnp.sin, 1.0)[1](1.0), "float32w"),
    (lambda: olympus.linearize(jnp.sin, 1.0)[1](1.0), "float32w"),
    (lambda: olympus.linear_transpose(lambda x: 2.0 * x, 1.0)(1.0), "float32w"),
    (lambda: olympus.grad(olympus.checkpoint(lambda x: jnp.sin(x) * 2.0))(1.0), "float32w"),
    (lambda: olympus.jit(olympus.grad(jnp.sin))(1.0), "float32w"),
    (lambda: lax.scan(lambda c, x: (c + 1, c), 0, None, length=3), "int32w int32w"),
    (lambda: lax.scan(lambda c, x: (c * 2.0, c), 1.0, None, length=3), "float32w float32w"),
    (lambda: lax.scan(lambda c, x: (c + x, x), 0.0, ROWS), "float32 float32"),
    (lambda: lax.fori_loop(0, 3, lambda i, c: c + i, 0), "int32w"),
    (lambda: lax.fori_loop(0, jnp.int32(3), lambda i, c: c + 1.0, 0.0), "float32w"),
    (lambda: lax.while_loop(lambda c: c < 5, lambda c: c + 1, 0), "int32w"),
    (lambda: lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 1, c[1] * ROWS[1]), (0, 1.0)), "int32w float32"),
    (lambda: lax.map(lambda x: 1.0, ROWS), "float32w"),
    (lambda: olympus.jit(lambda n: lax.fori_loop(0, n, lambda i, c: c * 2.0, 1.0))(3), "float32w"),
    (lambda: olympus.vmap(lambda x: lax.fori_loop(0, 3, lambda i, c: c + 1, 0) * x)(ROWS), "float32"),
    (lambda: olympus.grad(lambda x: lax.scan(lambda c, _: (c * x, None), 1.0, None, length=2)[0])(2.0), "float32w"),
    (lambda: lax.cond(True, lambda: 1.0, lambda: 2.0), "float32w"),
    (lambda: lax.cond(True, lambda: 1.0, lambda: jnp.float32(2.0)), "float32"),
]


@pytest.mark.parametrize(("call", "expected"), CASES, ids=range(len(CASES)))
def test_weak_types(call: Callable[[], Any], expected: str) -> None:
    found = [f"{x.dtype}{'w' if x.weak_type else ''}" for x in olympus.tree.leaves(call())]
    assert " ".join(found) == expected


def test_a_weak_gradient_does_not_widen_narrow_parameters() -> None:
    rate = olympus.grad(lambda r: r * 2.0)(0.5)
    assert (jnp.ones(3, "bfloat16") * rate).dtype == jnp.bfloat16
    total = lax.fori_loop(0, 3, lambda i, c: c + 0.5, 0.0)
    assert (jnp.ones(3, "float16") + total).dtype == jnp.float16


def test_functions_of_scipy_give_weak_types_for_numbers() -> None:
    from olympus.scipy import special, stats

    for found in (stats.norm.logpdf(0.5), stats.cauchy.cdf(0.5, 0.0), stats.expon.ppf(0.5), stats.gamma.cdf(0.5, 2),
                  special.gammaln(1), special.erf(0.5), special.betainc(1, 2, 0.5)):
        assert found.weak_type and found.dtype == np.float32
    assert stats.norm.logpdf(np.float16(0.5), 0.0).dtype == np.float16
    assert not stats.norm.logpdf(np.float32(0.5)).weak_type
    convert, values = olympus.closure_convert(lambda x: (x + 1, jnp.float32(x)), 1.0)
    assert [x.weak_type for x in convert(1.0, *values)] == [True, False]
