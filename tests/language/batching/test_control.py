# SPDX-License-Identifier: Apache-2.0
"""Control flow and host calls under vmap: each index goes its own way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax, vmap
from olympus.errors import UnmappedResultError
from olympus.tracing import Aval, bind_all, stage
from olympus_core import ops
from olympus_core.program import ArrayType

X = np.arange(12, dtype=np.float32).reshape(4, 3) - 5
N = np.array([2, 0, 5, 1], np.int32)


def check(f: Any, in_axes: Any, *args: Any) -> None:
    """Compares with a loop: evaluated, under jit, and twice mapped."""
    axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(args)
    size = next(a.shape[x] for a, x in zip(args, axes, strict=True) if x is not None)
    each = [f(*(a if x is None else np.take(a, i, x) for a, x in zip(args, axes, strict=True))) for i in range(size)]
    expected = olympus.tree.map(lambda *parts: np.stack([np.asarray(p) for p in parts]), *each)

    def compare(got: Any, wanted: Any) -> None:
        got = np.asarray(got)
        assert got.dtype == wanted.dtype
        np.testing.assert_allclose(got, wanted, rtol=1e-6)

    olympus.tree.map(compare, olympus.jit(vmap(f, in_axes))(*args), expected)
    olympus.tree.map(compare, vmap(f, in_axes)(*args), expected)
    stacked = [a if x is None else np.stack([a, a], 0) for a, x in zip(args, axes, strict=True)]
    outer = tuple(None if x is None else 0 for x in axes)
    twice = olympus.jit(vmap(vmap(f, in_axes), outer))(*stacked)
    olympus.tree.map(lambda got, wanted: compare(got, np.stack([wanted, wanted])), twice, expected)


@pytest.mark.parametrize("axes", [(0, 0), (0, None), (None, 0)])
def test_cond_and_switch(axes: tuple[int | None, int | None]) -> None:
    scale = jnp.array([1.0, 2.0, 3.0])
    branches = [lambda v: (v * scale, 1), lambda v: (jnp.sin(v), 2), lambda v: (v.sum() + 0 * scale, 3)]

    def choose(n: Any, v: Any) -> Any:
        return lax.switch(n - 1, branches, v), lax.cond(n > 1, lambda: v + n, lambda: v - 1)

    check(choose, axes, N if axes[0] == 0 else np.int32(2), X if axes[1] == 0 else X[0])


def test_what_every_branch_hands_on_stays_the_same_for_all() -> None:
    def f(n: Any, v: Any, shared: Any) -> Any:
        return lax.cond(n > 1, lambda v, s: (v + 1, s, v), lambda v, s: (v * s, s, v), v, shared)

    for place in (lambda f: f, olympus.jit):
        results = place(vmap(f, (0, 0, None), (0, None, 0)))(N, X, np.float32(3))
        np.testing.assert_allclose(results[0], np.where((N > 1)[:, None], X + 1, X * 3), rtol=1e-6)
        assert float(results[1]) == 3
        np.testing.assert_array_equal(results[2], X)
    with pytest.raises(UnmappedResultError, match="out_axes has None for it"):  # one branch gives another operand
        vmap(lambda n, a, b: lax.cond(n > 1, lambda a, b: a, lambda a, b: b, a, b), (0, None, None), None)(N, 1.0, 2.0)


@pytest.mark.parametrize("axes", [(0, 0), (0, None), (None, 0)])
def test_while_with_conditions_of_each_index_and_of_all(axes: tuple[int | None, int | None]) -> None:
    def loop(n: Any, v: Any) -> Any:
        # The first value is the same for all, and differs after the first step.
        return lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, s[1] * 2 + v, s[2] + s[1]),
                              (0, jnp.ones(3), jnp.zeros(3)))

    check(loop, axes, N if axes[0] == 0 else np.int32(3), X if axes[1] == 0 else X[0])


def test_a_loop_that_the_other_indices_would_never_end() -> None:
    def collatz(n: Any) -> Any:
        step = lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1)
        return lax.while_loop(lambda s: s[0] != 1, step, (n, 0))[1]

    check(collatz, 0, np.array([1, 7, 27, 6], np.int32))
    assert vmap(collatz)(np.zeros(0, np.int32)).shape == (0,)


@pytest.mark.parametrize("axes", [(0, 0), (0, 1), (None, 0), (0, None)])
@pytest.mark.parametrize("reverse", [False, True])
def test_scan(axes: tuple[int | None, int | None], reverse: bool) -> None:
    xs = np.arange(24, dtype=np.float32).reshape(4, 2, 3)
    offset = jnp.array([10.0, 20.0, 30.0])

    def walk(start: Any, rows: Any) -> Any:
        def step(carry: Any, row: Any) -> Any:
            total, count = carry
            return (total * 0.5 + row, count + 1), (total.sum(), count, offset)

        return lax.scan(step, (start, 0), rows, reverse=reverse)

    given = xs if axes[1] == 0 else xs.transpose(1, 0, 2) if axes[1] == 1 else xs[0]
    check(walk, axes, X if axes[0] == 0 else X[0], given)


def test_loops_of_lax_and_loops_in_loops() -> None:
    def nested(n: Any, v: Any) -> Any:
        def outer(i: Any, total: Any) -> Any:
            return lax.fori_loop(0, i, lambda j, t: t + j * v, lax.cond(i > n, lambda t: t * 2, lambda t: t, total))

        return lax.fori_loop(0, n, outer, v), lax.map(lambda e: e * n, v)

    check(nested, 0, N, X)


def test_call() -> None:
    def region(v: Any, w: Any) -> Any:
        return [v * 2, w + 1]

    types = [Aval(ArrayType((), np.float32))] * 2
    program, _, _ = stage(region, types, "region")
    doubled, same = vmap(lambda v, w: bind_all(ops.call, [v, w], {}, (program,)), in_axes=(0, None), out_axes=0)(
        X[:, 0], np.float32(3))
    np.testing.assert_array_equal(doubled, 2 * X[:, 0])
    np.testing.assert_array_equal(same, np.full(4, 4.0))
    assert float(vmap(lambda v, w: bind_all(ops.call, [v, w], {}, (program,))[1], (0, None), None)(
        X[:, 0], np.float32(3))) == 4


@pytest.mark.parametrize("through", [lambda f: f, olympus.jit], ids=["evaluated", "jitted"])
def test_host_calls_come_once_for_each_index_and_in_order(through: Any) -> None:
    seen: list[Any] = []

    def host(v: Any, scale: Any) -> Any:
        seen.append(np.asarray(v).tolist())
        return np.asarray(v) * scale

    def f(v: Any) -> Any:
        return olympus.pure_callback(host, olympus.ShapeDtypeStruct((3,), "float32"), v, np.float32(3))

    np.testing.assert_array_equal(through(vmap(f))(X), 3 * X)
    assert seen == X.tolist()
    seen.clear()
    olympus.block_until_ready(through(vmap(lambda v: olympus.debug.callback(lambda e: seen.append(float(e)), v)))(X[0]))
    assert seen == X[0].tolist()


def test_python_decides_on_what_is_not_mapped() -> None:
    seen = []

    def power(v: Any, n: Any) -> Any:
        seen.append(n > 2)
        return v ** 3 if n > 2 else v

    np.testing.assert_array_equal(vmap(power, (0, None))(X, jnp.int32(3)), X ** 3)
    assert seen and bool(seen[0])
    with pytest.raises(olympus.errors.ConcretizationError, match=r"float32\[3\]"):
        vmap(lambda v: v if v else v)(X)
