# SPDX-License-Identifier: Apache-2.0
"""What a decorator gives has the signature, the name and the documentation of the function."""

import inspect
import pydoc
from functools import partial

import pytest

import olympus
import olympus.numpy as jnp
from olympus.sharding import PartitionSpec as P


def scaled(x: olympus.Array, *, by: float = 2.0) -> olympus.Array:
    """Some numbers, scaled."""
    return x * by


DECORATORS = {
    "jit": olympus.jit, "jit with options": olympus.jit(static_argnames="by"), "grad": olympus.grad,
    "value_and_grad": olympus.value_and_grad, "vmap": olympus.vmap, "pmap": olympus.pmap,
    "checkpoint": olympus.checkpoint, "checkpoint with options": olympus.checkpoint(static_argnums=()),
    "custom_jvp": olympus.custom_jvp, "custom_vjp": olympus.custom_vjp, "hessian": olympus.hessian,
    "jacfwd": olympus.jacfwd, "jacrev": olympus.jacrev, "vectorize": jnp.vectorize,
    "shard_map": partial(olympus.shard_map, in_specs=P(), out_specs=P()),
    "xmap": partial(olympus.xmap, in_axes=["i"], out_axes=["i"]),
}


@pytest.mark.parametrize("name", DECORATORS)
def test_a_decorated_function_is_described_as_the_function(name):
    decorated = DECORATORS[name](scaled)
    assert inspect.signature(decorated) == inspect.signature(scaled)
    assert decorated.__name__ == "scaled"
    shown = pydoc.plain(pydoc.render_doc(decorated))
    assert "scaled(x: " in shown and "by: float = 2.0" in shown
    assert "Some numbers, scaled." in shown


@pytest.mark.parametrize("name", [name for name in DECORATORS if name not in ("shard_map", "xmap", "vectorize")])
def test_a_decorated_method_is_described_without_self(name):
    class Layer:
        """One layer."""

        def call(self, x: olympus.Array) -> olympus.Array:
            """Calls it."""
            return x

        decorated = DECORATORS[name](call) if name != "jit with options" else olympus.jit(static_argnums=0)(call)

    assert inspect.signature(Layer().decorated) == inspect.signature(Layer().call)
    assert inspect.signature(Layer.decorated) == inspect.signature(Layer.call)


def test_a_mapped_method_knows_its_instance():
    class Layer:
        factor = 3

        @partial(olympus.pmap, static_broadcasted_argnums=0)
        def scaled(self, x):
            return x * self.factor

    assert Layer().scaled(jnp.ones(1)).tolist() == [3]


@pytest.mark.parametrize("name", ["shard_map", "xmap"])
def test_what_counts_positions_refuses_names(name):
    with pytest.raises(olympus.errors.ArgumentError, match="taken by position"):
        DECORATORS[name](scaled)(x=jnp.ones(1))
