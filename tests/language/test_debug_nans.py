# SPDX-License-Identifier: Apache-2.0
"""`debug_nans` and `debug_infs`: results that hold NaN or infinity name the operation and the line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import NotFiniteError
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P


def inner(x: Any) -> Any:
    y = x - 2
    return jnp.log(y)  # the line


LINE = f"{__file__}:{inner.__code__.co_firstlineno + 2}"

CALLS: dict[str, Any] = {
    "eager": lambda x: inner(x),
    "jit": olympus.jit(inner),
    "jit in jit": olympus.jit(lambda x: olympus.jit(inner)(x) * 2),
    "grad": lambda x: olympus.grad(lambda v: inner(v).sum())(x) * 0 + inner(x),
    "jitted grad": olympus.jit(olympus.value_and_grad(lambda v: inner(v).sum())),
    "vmap": olympus.jit(olympus.vmap(inner)),
    "scan": olympus.jit(lambda x: lax.scan(lambda c, v: (c + inner(v), None), 0.0, x)[0]),
    "cond": olympus.jit(lambda x: lax.cond(x.sum() < 100, inner, lambda v: v, x)),
    "tree": olympus.jit(lambda tree: {"a": inner(tree["a"]), "b": 1}),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_operation_and_its_line_are_named(name: str) -> None:
    good, bad = jnp.array([3.0, 4.0]), jnp.array([3.0, 1.0])
    if name == "tree":
        good, bad = {"a": good}, {"a": bad}
    call = CALLS[name]
    assert np.isnan(np.asarray(olympus.tree.leaves(call(bad))[0])).any()  # off: as ever
    with olympus.debug_nans(True):
        for _ in range(2):
            call(good)
            with pytest.raises(FloatingPointError, match="log gave NaN") as caught:
                call(bad)
            assert isinstance(caught.value, NotFiniteError) and caught.value.location == LINE
    call(bad)


def test_infinity_is_another_matter() -> None:
    divide = olympus.jit(lambda x: 1 / x)
    with olympus.debug_nans(True):
        divide(jnp.zeros(2))
    with olympus.debug_infs(True):
        with pytest.raises(NotFiniteError, match="div.* gave infinity"):
            divide(jnp.zeros(2))
        with pytest.raises(NotFiniteError, match="infinity"):
            jnp.exp(jnp.float32(1000))
        divide(jnp.ones(2))
        assert jnp.max(jnp.ones(3)) == 1  # begins with minus infinity, inside


def test_what_is_selected_away_is_allowed() -> None:
    @olympus.jit
    def safe(x: Any) -> Any:
        return jnp.where(x > 0, jnp.log(x), 0.0), jnp.nansum(x), jnp.arange(3), x > 0

    with olympus.debug_nans(True):
        assert safe(jnp.array([-1.0, 1.0]))[0].tolist() == [0, 0]
        assert int(jnp.sum(jnp.arange(3))) == 3 and jnp.zeros((0,)).size == 0


def test_of_arrays_that_are_split_and_of_other_types() -> None:
    mesh = olympus.make_mesh((2,), ("i",), devices=olympus.devices()[:2])
    x = olympus.device_put(np.array([1.0, -1.0], np.float32), NamedSharding(mesh, P("i")))
    with olympus.debug_nans(True):
        with pytest.raises(NotFiniteError, match="sqrt gave NaN"):
            olympus.jit(jnp.sqrt)(x)
        for dtype in ("bfloat16", "float16", "complex64"):
            with pytest.raises(NotFiniteError):
                jnp.asarray([np.nan]).astype(dtype) * 2


def test_donated_arguments_and_values_that_no_operation_gives() -> None:
    with olympus.debug_nans(True):
        with pytest.raises(NotFiniteError, match="donated"):
            olympus.jit(lambda x: jnp.log(x), donate_argnums=0)(jnp.array([-1.0]))
    with pytest.raises(NotFiniteError):
        olympus.debug_nans(True)(lambda: jnp.log(jnp.array(-1.0)))()
    assert np.isnan(jnp.log(jnp.array(-1.0)))
