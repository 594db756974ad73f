# SPDX-License-Identifier: Apache-2.0
"""disable_jit: jitted functions, loops and branches run step by step, and give the same."""

from __future__ import annotations

from typing import Any

import numpy as np

import olympus
import olympus.numpy as jnp
from olympus import lax


def test_values_are_there_in_jitted_functions() -> None:
    seen: list[Any] = []

    @olympus.jit
    def f(x: Any) -> Any:
        seen.append(hasattr(x, "addressable_shards"))
        return jnp.sin(x) + 1

    x = jnp.arange(3.0)
    expected = f(x)
    f(x)
    with olympus.disable_jit():
        np.testing.assert_allclose(f(x), expected, rtol=1e-6)
        f(x)
        assert olympus.jit(lambda x: float(x) + 1)(1.0) == 2.0
        with olympus.disable_jit(False):
            f(x)
    f(x)
    assert seen == [False, True, True]  # traced once; then by values, each time


def test_loops_and_branches_are_pythons() -> None:
    @olympus.disable_jit()
    def walked(x: Any) -> Any:
        steps: list[float] = []

        def body(c: Any, y: Any) -> Any:
            steps.append(float(c))
            return c + y, c * 2

        last = lax.scan(body, 0.0, x)
        back = lax.scan(body, 0.0, {"a": x}["a"], reverse=True)
        count = lax.while_loop(lambda n: float(n) < 10, lambda n: n * 3, 2)
        total = lax.fori_loop(0, 4, lambda i, t: t + int(i), 0)
        chosen = lax.cond(x[0] > 1, lambda: 1, lambda: 2), lax.switch(7, [lambda: 0, lambda: 5])
        return last, back, count, total, chosen, lax.map(lambda v: float(v) * 2, x), steps

    x = jnp.arange(4.0)
    last, back, count, total, chosen, mapped, steps = walked(x)
    np.testing.assert_array_equal(last[1], [0, 0, 2, 6])
    np.testing.assert_array_equal(back[1], [12, 10, 6, 0])
    assert float(last[0]) == 6 and int(count) == 18 and int(total) == 6 and chosen == (2, 5)
    np.testing.assert_array_equal(mapped, [0, 2, 4, 6])
    assert steps == [0, 0, 1, 3, 0, 3, 5, 6]


def test_derivatives_and_mapped_functions() -> None:
    @olympus.jit
    def f(x: Any) -> Any:
        return lax.scan(lambda c, y: (c * jnp.sin(y), None), 1.0, x)[0] * lax.cond(x[0] > 0, lambda: 2.0, lambda: 3.0)

    x = jnp.linspace(0.5, 1.0, 4)
    expected = olympus.grad(f)(x)
    rows = jnp.stack([x, -x])
    mapped = olympus.vmap(f)(rows)
    with olympus.disable_jit():
        np.testing.assert_allclose(olympus.grad(f)(x), expected, rtol=1e-5)
        np.testing.assert_allclose(olympus.vmap(f)(rows), mapped, rtol=1e-5)  # the branch depends on the index
        np.testing.assert_allclose(lax.while_loop(lambda n: n < 10, lambda n: n * 3, jnp.asarray(2)), 18)
    assert olympus.config.read("olympus_disable_jit") is False and olympus.config.x64_enabled is False


def test_named_calls() -> None:
    @olympus.named_call
    def encoder(x: Any) -> Any:
        """Encodes."""
        return olympus.named_call(jnp.sin, name="wave")(x)

    program = olympus.make_program(encoder)(1.0)
    assert program.operations[0].location.endswith("(encoder/wave)") and encoder.__doc__ == "Encodes."
    assert float(olympus.named_call(name="two")(lambda x: 2 * x)(1.0)) == 2.0
    assert olympus.__version_info__ == tuple(map(int, olympus.__version__.split(".")))
