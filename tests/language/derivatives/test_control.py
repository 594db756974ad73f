# SPDX-License-Identifier: Apache-2.0
"""Control flow there and back, against the same written out in Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import olympus
import olympus.numpy as jnp
from olympus import errors, lax


@pytest.fixture(autouse=True)
def wide() -> Iterator[None]:
    with olympus.enable_x64(True):
        yield


W = np.random.RandomState(0).randn(3, 3) / 2
X = np.random.RandomState(1).randn(5, 3)
H = np.random.RandomState(2).randn(3)


def scanned(w: Any, h: Any, xs: Any, reverse: bool = False) -> Any:
    def step(carry: Any, x: Any) -> Any:
        h, n = carry
        new = jnp.tanh(w @ h + x * 2.0)
        return (new, n + 1), (new.sum(), n)

    (h, n), (ys, ns) = lax.scan(step, (h, 0), xs, reverse=reverse)
    return (h ** 2).sum() + (ys * jnp.arange(5.0)).sum() + n


def written_out(w: Any, h: Any, xs: Any, reverse: bool = False) -> Any:
    total = 0.0
    for i in reversed(range(5)) if reverse else range(5):
        h = jnp.tanh(w @ h + xs[i] * 2.0)
        total = total + h.sum() * i
    return (h ** 2).sum() + total + 5


def same(a: Any, b: Any) -> None:
    olympus.tree.map(lambda x, y: np.testing.assert_allclose(x, y, rtol=1e-8, atol=1e-10), a, b)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("argnums", [0, 1, 2, (0, 1, 2)])
def test_scan(argnums: Any, reverse: bool) -> None:
    f = lambda *args: scanned(*args, reverse=reverse)
    g = lambda *args: written_out(*args, reverse=reverse)
    expected = olympus.jit(olympus.grad(g, argnums))(W, H, X)
    same(olympus.grad(f, argnums)(W, H, X), expected)
    same(olympus.jit(olympus.grad(f, argnums))(W, H, X), expected)


def test_scan_forward_and_twice() -> None:
    args, changes = (W, H, X), (W[::-1], H[::-1], X[::-1])
    same(olympus.jit(lambda: olympus.jvp(scanned, args, changes))(), olympus.jvp(written_out, args, changes))
    along = lambda f: olympus.jit(lambda: olympus.jvp(olympus.grad(f), args, changes)[1])()
    same(along(scanned), along(written_out))
    twice = lambda f: olympus.jit(olympus.grad(lambda w: (olympus.grad(f)(w, H, X) ** 2).sum()))(W)
    same(twice(scanned), twice(written_out))


def test_scan_keeps_constants_as_constants() -> None:
    """What a step needs of a constant is not stacked, step for step."""
    program = olympus.make_program(olympus.grad(scanned))(W, H, X)
    loops = [operation for operation in program.operations if operation.name == "scan"]
    assert len(loops) == 2
    stacked = [v.type.shape for v in loops[0].results]
    assert (5, 3, 3) not in stacked
    assert all(len(shape) < 3 for shape in stacked)


def test_tangents_that_begin_as_zero() -> None:
    def f(x: Any) -> Any:
        return lax.scan(lambda c, _: ((c[0] * 2 + c[1], c[1]), None), (jnp.zeros(()), x), None, length=3)[0][0]

    assert float(olympus.grad(f)(5.0)) == 7.0
    assert float(olympus.jvp(f, (5.0,), (1.0,))[1]) == 7.0
    assert float(olympus.grad(lambda x: lax.scan(lambda c, _: (c, None), x, None, length=0)[0])(1.0)) == 1.0


@pytest.mark.parametrize("x", [0.7, -0.7])
def test_cond(x: float) -> None:
    k = jnp.asarray(3.0)

    def f(x: Any, y: Any) -> Any:
        return lax.cond(x > 0, lambda a, b: jnp.sin(a) * b * k, lambda a, b: a * jnp.exp(y) * x, x, y)

    def g(x: Any, y: Any) -> Any:
        return jnp.sin(x) * y * k if float(x) > 0 else x * jnp.exp(y) * x

    for argnums in (0, 1, (0, 1)):
        expected = olympus.grad(g, argnums)(x, 2.0)
        same(olympus.grad(f, argnums)(x, 2.0), expected)
        same(olympus.jit(olympus.grad(f, argnums))(x, 2.0), expected)
    same(olympus.grad(olympus.grad(f))(x, 2.0), olympus.grad(olympus.grad(g))(x, 2.0))
    same(olympus.jvp(f, (x, 2.0), (1.0, -1.0)), olympus.jvp(g, (x, 2.0), (1.0, -1.0)))


def test_branches_of_which_some_are_constant() -> None:
    f = lambda i, x: lax.switch(i, [lambda v: jnp.zeros(3), lambda v: v ** 2, lambda v: v * 1.5], x)
    for i, slope in enumerate((0 * H, 2 * H, 1.5 + 0 * H)):
        np.testing.assert_allclose(olympus.jit(olympus.grad(lambda x, i: f(i, x).sum()))(H, i), slope)


def test_cond_in_scan_in_cond() -> None:
    def f(x: Any) -> Any:
        def step(c: Any, i: Any) -> Any:
            return lax.cond(i % 2 == 0, lambda v: jnp.sin(v) * x, lambda v: v * v, c), c

        return lax.cond(x.sum() > -100, lambda v: lax.scan(step, v, jnp.arange(4))[0].sum(), lambda v: v.sum(), x)

    def g(x: Any) -> Any:
        c = x
        for i in range(4):
            c = jnp.sin(c) * x if i % 2 == 0 else c * c
        return c.sum()

    same(olympus.grad(f)(H), olympus.grad(g)(H))
    same(olympus.jit(olympus.grad(f))(H), olympus.grad(g)(H))


def test_loops() -> None:
    def f(x: Any, n: Any) -> Any:
        return lax.fori_loop(0, n, lambda i, c: jnp.sin(c) * x + i, x)

    def g(x: Any) -> Any:
        c = x
        for i in range(4):
            c = jnp.sin(c) * x + i
        return c

    same(olympus.grad(lambda x: f(x, 4))(0.3), olympus.grad(g)(0.3))
    # Of unknown length: forward only.
    unknown = lambda x: olympus.jit(f)(x, 4)
    same(olympus.jvp(unknown, (0.3,), (2.0,)), olympus.jvp(g, (0.3,), (2.0,)))
    y, change = olympus.linearize(unknown, 0.3)
    same(change(2.0), olympus.jvp(g, (0.3,), (2.0,))[1])
    same(olympus.jit(lambda x: olympus.jvp(lambda y: olympus.jvp(unknown, (y,), (1.0,))[1], (x,), (1.0,)))(0.3)[1],
         olympus.grad(olympus.grad(g))(0.3))
    with pytest.raises(errors.LoopReverseError, match="scan"):
        olympus.grad(unknown)(0.3)
    with pytest.raises(errors.LoopReverseError):
        olympus.jit(olympus.grad(f))(0.3, 4)


def test_loops_over_what_is_constant_are_no_obstacle() -> None:
    def f(x: Any) -> Any:
        n = lax.while_loop(lambda n: n < 100, lambda n: n * 2, 3)
        return x * n

    assert float(olympus.grad(f)(1.0)) == 192.0


def test_while_with_constants_and_unchanged_values() -> None:
    def f(x: Any, y: Any) -> Any:
        a, n, b = lax.while_loop(lambda s: s[1] < 3, lambda s: (s[0] * y + s[2], s[1] + 1, s[2]), (x, 0, jnp.ones(())))
        return a * b + n

    same(olympus.jvp(f, (2.0, 3.0), (0.0, 1.0))[1], olympus.jvp(
        lambda x, y: x * y ** 3 + y ** 2 + y + 1, (2.0, 3.0), (0.0, 1.0))[1])


def test_map_and_associative_scan() -> None:
    same(olympus.grad(lambda x: lax.map(lambda r: (r ** 3).sum(), x).sum())(X), 3 * X ** 2)
    prefix = lambda x: (lax.associative_scan(jnp.multiply, x) * jnp.arange(1.0, 4.0)).sum()
    a, b, c = H
    np.testing.assert_allclose(olympus.grad(prefix)(H), [1 + 2 * b + 3 * b * c, 2 * a + 3 * a * c, 3 * a * b])


@settings(max_examples=15)
@given(st.integers(0, 4), st.booleans(), st.lists(st.booleans(), min_size=3, max_size=3), st.integers(0, 9))
def test_scans_of_any_form(length: int, reverse: bool, uses: list[bool], seed: int) -> None:
    random = np.random.RandomState(seed)
    c, h, xs = random.randn(2), random.randn(2), random.randn(length, 2)

    def body(constant: Any, h: Any, x: Any) -> Any:
        new = h * 0.5 if not uses[0] else jnp.sin(h) * constant
        new = new + x * h if uses[1] else new
        return new, (new * x if uses[2] else h * constant)

    def looped(c: Any, h: Any, xs: Any) -> Any:
        h, ys = lax.scan(lambda h, x: body(c, h, x), h, xs, reverse=reverse)
        return h.sum() + (ys ** 2).sum()

    def unrolled(c: Any, h: Any, xs: Any) -> Any:
        total: Any = 0.0
        for i in reversed(range(length)) if reverse else range(length):
            h, y = body(c, h, xs[i])
            total = total + (y ** 2).sum()
        return h.sum() + total

    found, expected = (olympus.jit(olympus.grad(f, (0, 1, 2)))(c, h, xs) for f in (looped, unrolled))
    same(found, expected)


def eliminated(a: Any, b: Any) -> Any:
    """Solves a bidiagonal system step by step; what is carried beside the right side is not linear in it."""
    def down(i: Any, carry: Any) -> Any:
        diagonal, right, factor = carry
        factor = factor * 0.5 + 1 / diagonal[i]
        return diagonal.at[i + 1].add(-factor), right.at[i + 1].add(-right[i] * factor), factor

    diagonal, right, _ = lax.fori_loop(0, a.shape[0] - 1, down, (a, b, jnp.float32(1)))
    return right / diagonal


@olympus.custom_jvp
def solution(a: Any, b: Any) -> Any:
    return eliminated(a, b)


@solution.defjvp
def _(primals: Any, tangents: Any) -> Any:
    a, b = primals
    x = eliminated(a, b)
    return x, eliminated(a, tangents[1]) + tangents[0] * x


def test_a_rule_whose_loop_carries_values_beside_tangents() -> None:
    a, b = np.array([2.0, 3.0, 4.0, 5.0], np.float32), np.array([1.0, -1.0, 2.0, 0.5], np.float32)
    columns = np.stack([np.asarray(eliminated(a, column)) for column in np.eye(4, dtype=np.float32)], axis=1)
    back = olympus.jacrev(solution, 1)
    for transformed in (back, olympus.jit(back), olympus.jacfwd(solution, 1)):
        np.testing.assert_allclose(transformed(a, b), columns, rtol=1e-5)
    np.testing.assert_allclose(olympus.jacrev(solution)(a, b), np.diag(columns @ b), rtol=1e-5)
    many = np.stack([b, 2 * b, b[::-1]])
    gradient = olympus.vmap(olympus.grad(lambda b: solution(a, b).sum()))(many)
    np.testing.assert_allclose(gradient, np.tile(columns.sum(0), (3, 1)), rtol=1e-5)
    (product,) = olympus.linear_transpose(lambda b: eliminated(a, b), b)(b)
    np.testing.assert_allclose(product, columns.T @ b, rtol=1e-5)


@pytest.mark.parametrize("reverse", [False, True])
def test_values_that_a_linear_loop_gives_too(reverse: bool) -> None:
    scale = np.array([1.0, 2.0, 3.0], np.float32)

    def linear(b: Any) -> Any:
        def step(carry: Any, at: Any) -> Any:
            factor, total = carry
            return (factor * at + 1, total * factor + b), (factor * 2, total)

        (factor, total), (factors, totals) = lax.scan(step, (jnp.float32(2), b), scale, reverse=reverse)
        return total * factor + (factors * totals).sum()

    wanted = float(linear(jnp.float32(1)))
    assert wanted == pytest.approx(float(olympus.linear_transpose(linear, jnp.float32(0))(jnp.float32(1))[0]), rel=1e-6)


@pytest.mark.parametrize("chosen", [0, 1])
def test_values_that_a_linear_choice_gives_too(chosen: int) -> None:
    def mixed(i: Any, b: Any) -> Any:
        kept, moved = lax.switch(i, [lambda a, b: (a * 2, b * a), lambda a, b: (a + 1, b)], jnp.float32(3), b)
        return kept * moved

    def back(i: Any) -> Any:
        return olympus.linear_transpose(lambda b: mixed(i, b), jnp.float32(0))(jnp.float32(1))[0]

    wanted = (18.0, 4.0)[chosen]
    assert float(back(chosen)) == float(olympus.jit(back)(chosen)) == wanted
