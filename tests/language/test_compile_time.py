# SPDX-License-Identifier: Apache-2.0
"""`ensure_compile_time_eval`: what is known runs at once, what is traced joins the program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import ConcretizationError

TABLE = jnp.arange(5)


def total() -> int:
    """Of what is known; an error where it is traced."""
    return int(jnp.sum(jnp.where(TABLE > 1, TABLE, 0)) + jnp.arange(3)[1] + lax.cond(True, lambda: 1, lambda: 2))


@pytest.mark.parametrize("wrap", [
    lambda f: f, olympus.jit, olympus.grad, lambda f: olympus.jit(olympus.grad(f)), olympus.checkpoint,
    lambda f: lambda x: olympus.vmap(f)(jnp.stack([x, x]))[0],
    lambda f: lambda x: lax.fori_loop(0, 1, lambda i, c: f(c), x),
    lambda f: lambda x: olympus.jit(olympus.vmap(olympus.grad(f)))(jnp.stack([x, x]))[1],
])
def test_under_every_transformation(wrap: Any) -> None:
    def f(x: Any) -> Any:
        with olympus.ensure_compile_time_eval():
            size = total()
            assert size == 11
            y = x * size  # of a traced value: part of the program
            weights = olympus.grad(lambda v: jnp.sum(v**2))(jnp.ones(2))
            assert weights.tolist() == [2, 2] and olympus.vmap(lambda v: v + 1)(TABLE).tolist() == [1, 2, 3, 4, 5]
        return y + weights[0]

    found = float(wrap(f)(jnp.asarray(3.0)))
    assert found == (11 if found < 30 else 35)


def test_what_is_computed_is_a_constant_of_the_program() -> None:
    def f(x: Any) -> Any:
        with olympus.ensure_compile_time_eval():
            size = jnp.prod(jnp.array([2.0, 3.0])) + 1
        return x * size

    text = str(olympus.make_jaxpr(f)(1.0))
    assert "mul" in text and "reduce_prod" not in text and "add" not in text
    assert float(olympus.jit(f)(2.0)) == 14


def test_traced_values_stay_traced_and_blocks_end() -> None:
    @olympus.jit
    def inside(x: Any) -> Any:
        with olympus.ensure_compile_time_eval():
            y = jnp.sum(x)
        return int(y)

    with pytest.raises(ConcretizationError):
        inside(jnp.ones(2))

    @olympus.jit
    def after(x: Any) -> Any:
        with olympus.ensure_compile_time_eval():
            pass
        return int(jnp.sum(TABLE)) + x

    with pytest.raises(ConcretizationError):
        after(1)
    with olympus.ensure_compile_time_eval():
        assert int(jnp.sum(TABLE)) == 10
    mesh = olympus.make_mesh((2,), ("i",), devices=olympus.devices()[:2])

    def local(x: Any) -> Any:
        with olympus.ensure_compile_time_eval():
            factor = int(jnp.max(TABLE))
        return lax.psum(x * factor, "i")

    spec = olympus.P("i")
    mapped = olympus.jit(olympus.shard_map(local, mesh=mesh, in_specs=spec, out_specs=olympus.P()))
    np.testing.assert_array_equal(mapped(jnp.arange(2.0)), [4])
