# SPDX-License-Identifier: Apache-2.0
"""The interpreters of `examples/interpreters`: they find what NumPy finds, and run by themselves."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax

FOLDER = Path(__file__).parents[3] / "examples" / "interpreters"


@pytest.fixture(scope="module")
def inverse() -> Any:
    return runpy.run_path(str(FOLDER / "inverse.py"))


FUNCTIONS = {
    "chain": lambda x: jnp.exp(jnp.tanh(x) * 2 + 1), "reversed operands": lambda x: 3 - 2 / (1 + jnp.exp(x)),
    "powers": lambda x: (jnp.exp(x) + 1) ** 1.5, "constants": lambda x: jnp.sinh(x) * jnp.arange(1.0, 5.0) - 1,
    "calls": lambda x: olympus.checkpoint(jnp.exp)(olympus.jit(jnp.tanh)(x)), "sigmoid": olympus.nn.sigmoid,
    "exponent": lambda x: 2.0 ** (x - 1),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_inverse(inverse: Any, name: str) -> None:
    f = FUNCTIONS[name]
    x = np.linspace(-0.9, 0.9, 4, dtype=np.float32)
    y = f(x)
    back = inverse["inverse"](f)
    np.testing.assert_allclose(olympus.jit(back)(y), x, atol=2e-6)
    slopes = olympus.vmap(olympus.grad(lambda v: f(v * jnp.ones(4))[2] if name == "constants" else f(v)))(x)
    if name != "constants":
        np.testing.assert_allclose(olympus.vmap(olympus.grad(back))(y) * slopes, np.ones(4), rtol=1e-4)


def test_what_has_no_inverse(inverse: Any) -> None:
    for f, message in [(lambda x: x + jnp.exp(x), "two operands"), (jnp.sin, "no inverse of sin"),
                       (lambda x: jnp.ones(()), "does not depend")]:
        with pytest.raises(inverse["NotInvertibleError"], match=message):
            inverse["inverse"](f)(1.0)


def test_the_costs() -> None:
    found = runpy.run_path(str(FOLDER / "costs.py"))

    def network(w: Any, xs: Any) -> Any:
        return lax.scan(lambda h, x: (jnp.tanh(h @ w + x), h.sum()), jnp.zeros(8), xs)

    parts = found["costs"](network, jnp.ones((8, 8)), jnp.ones((10, 8)))
    assert parts["dot_general"] == (10, 10 * 2 * 64, 10 * 4 * (8 + 64 + 8))
    assert parts["tanh"][:2] == parts["add"][:2] == (10, 80) and parts["reduce_sum"][:2] == (10, 80)
    branches = found["costs"](lambda x: lax.cond(x[0] > 0, jnp.sin, lambda v: v * v * v, x), jnp.ones(6))
    assert branches["mul"][:2] == (2, 12) and "sin" not in branches
    jitted = olympus.jit(network).lower(jnp.ones((8, 8)), jnp.ones((10, 8))).cost_analysis()
    assert jitted["flops"] + jitted["transcendentals"] == found["flops"](parts)
    assert found["table"](parts).splitlines()[1].startswith("dot_general")


def test_the_differences() -> None:
    differences = runpy.run_path(str(FOLDER / "differ.py"))["differences"]
    x = jnp.ones(8)

    def first(v: Any) -> Any:
        return jnp.sin(v) * jnp.cos(v)

    def second(v: Any) -> Any:
        c, s = jnp.cos(v), jnp.sin(v)
        return s * c

    assert differences(first, first, x) == []
    moved = differences(first, second, x)  # the same equations in another order: one was moved
    assert [line.split(" = ")[1].split("(")[0] for line in moved] in (["cos"] * 2, ["sin"] * 2)
    changed = differences(lambda v: jnp.tanh(v + 1), lambda v: jnp.tanh(v + 2), x)
    assert [line[0] for line in changed] == list("--++") and "tanh" in changed[-1]
    inner = differences(lambda v: lax.scan(lambda c, a: (c + a, ()), 0.0, v)[0],
                        lambda v: lax.scan(lambda c, a: (c - a, ()), 0.0, v)[0], x)
    assert any("  f32[] = add" in line for line in inner) and any("  f32[] = sub" in line for line in inner)


@pytest.mark.parametrize("name", ["inverse", "costs", "differ"])
def test_each_runs_by_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
    assert {"inverse": "lambda", "costs": "dot_general", "differ": "reduce_max"}[name] in capsys.readouterr().out
