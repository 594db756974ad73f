# SPDX-License-Identifier: Apache-2.0
"""Results of functions with rules of their own, and Jacobians, are weak where their arguments are."""

import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax

WEAK = {
    "custom_jvp": olympus.nn.relu, "logaddexp": lambda x: jnp.logaddexp(x, 0), "relu6": olympus.nn.relu6,
    "hard_sigmoid": olympus.nn.hard_sigmoid, "mish": olympus.nn.mish, "softplus": olympus.nn.softplus,
    "log_sigmoid": olympus.nn.log_sigmoid, "elu": olympus.nn.elu, "celu": olympus.nn.celu, "selu": olympus.nn.selu,
    "sparse_plus": olympus.nn.sparse_plus, "squareplus": olympus.nn.squareplus,
    "checkpoint": olympus.checkpoint(jnp.sin), "grad": olympus.grad(jnp.sin), "jacfwd": olympus.jacfwd(jnp.sin),
    "jacrev": olympus.jacrev(jnp.sin), "hessian": olympus.hessian(jnp.sin), "log1mexp": olympus.nn.log1mexp,
}


@pytest.mark.parametrize("name", WEAK)
def test_a_number_gives_a_weak_result(name):
    function = WEAK[name]
    assert function(0.5).weak_type and olympus.jit(function)(0.5).weak_type
    assert olympus.eval_shape(lambda: function(0.5)).weak_type
    assert (function(0.5) + jnp.ones(2, "bfloat16")).dtype == "bfloat16"
    strong = function(jnp.array(0.5, "float16"))
    assert strong.dtype == "float16" and not strong.weak_type
    column = jnp.broadcast_to(jnp.asarray(0.5), (3,))
    assert olympus.vmap(function)(column).weak_type


def test_activations_of_integers_are_weak_floats_where_a_float_number_made_them_so():
    for function in (olympus.nn.elu, olympus.nn.celu, olympus.nn.selu, olympus.nn.sparse_plus):
        found = function(jnp.array([1, -1], "int8"))
        assert found.weak_type and found.dtype == "float32"
    assert not olympus.nn.gelu(0.5).weak_type


def test_each_result_of_a_function_with_a_rule_keeps_its_own():
    @olympus.custom_jvp
    def f(x):
        return jnp.multiply(x, 2), jnp.multiply(x, jnp.float32(2))

    f.defjvp(lambda p, t: (f(*p), (t[0] * 2, t[0] * jnp.float32(2))))
    for found in (f(1.0), olympus.jit(f)(1.0), olympus.eval_shape(lambda: f(1.0))):
        assert [x.weak_type for x in found] == [True, False]


def test_jacobians_are_as_weak_as_result_and_argument():
    def mixed(x):
        return lax.mul(x, jnp.float32(2))

    assert not olympus.jacfwd(mixed)(1.0).weak_type
    assert olympus.jacrev(mixed)(1.0).weak_type
    assert not olympus.jacrev(mixed)(jnp.float32(1)).weak_type


def test_small_unsigned_numbers_and_scalars():
    assert olympus.nn.hard_tanh(jnp.array([0, 1, 7], "uint8")).tolist() == [0, 1, 1]
    assert olympus.nn.hard_tanh(jnp.array([-7, 1, 7], "int8")).tolist() == [-1, 1, 1]
    for function in (jnp.fft.fftshift, jnp.fft.ifftshift):
        assert function(jnp.asarray(2.0)).tolist() == 2.0
        assert function(jnp.zeros((0, 3))).shape == (0, 3)
        assert function(jnp.zeros((3, 0)), 1).shape == (3, 0)
    assert jnp.roll(jnp.arange(3), (), ()).tolist() == jnp.roll(jnp.arange(3), 1, ()).tolist() == [0, 1, 2]
