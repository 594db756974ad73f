# SPDX-License-Identifier: Apache-2.0
"""Results of functions with rules of their own, and Jacobians, are weak where their arguments are."""

import numpy as np
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


NUMBER = 2.5


@pytest.mark.parametrize("function", [
    jnp.equal, jnp.not_equal, jnp.less, jnp.greater_equal, jnp.logical_and, jnp.logical_xor, lax.eq, lax.gt,
])
def test_comparisons_of_numbers_are_weak(function):
    for found in (function(1, 2), function(jnp.asarray(1.0), 2.0), olympus.jit(function)(1.0, 2.0)):
        assert found.dtype == bool and found.weak_type
    assert not function(jnp.float32(1), 2.0).weak_type
    assert not function(True, False).weak_type


@pytest.mark.parametrize("function, flag", [
    (jnp.isnan, True), (jnp.isfinite, True), (jnp.isreal, True), (jnp.iscomplex, True), (jnp.logical_not, True),
    (jnp.isinf, False), (jnp.isposinf, False), (jnp.isneginf, False), (jnp.signbit, False),
    (lambda x: jnp.isclose(x, x), False), (lambda x: jnp.array_equal(x, x), False), (lambda x: jnp.any(x > 1), False),
])
def test_questions_about_numbers(function, flag):
    assert function(NUMBER).weak_type == olympus.jit(function)(NUMBER).weak_type == flag
    assert not function(jnp.float32(NUMBER)).weak_type


@pytest.mark.parametrize("function", [
    jnp.abs, jnp.real, jnp.positive, jnp.invert, jnp.zeros_like, jnp.squeeze, olympus.device_put, jnp.reciprocal,
    lambda x: olympus.jit(lambda: x)(), lambda x: lax.convert_element_type(2, type(x)), lambda x: jnp.full((2,), x),
    lambda x: lax.cond(x, lambda: x, lambda: x), lambda x: olympus.vmap(lambda _: x)(jnp.arange(2)),
    lambda x: lax.max(x, x), lambda x: jnp.repeat(x, 2), lambda x: jnp.power(x, 2),
])
def test_bools_of_python_are_not_weak(function):
    assert not function(True).weak_type


def test_weak_bools_give_way_as_other_bools_do():
    weak = jnp.asarray(2) > 1
    assert weak.weak_type and repr(weak) == "Array(True, dtype=bool, weak_type=True)"
    assert (weak + jnp.ones(2, "int8")).dtype == "int8" and (weak & np.array([True])).dtype == bool
    assert (weak + 1).dtype == "int32" and jnp.sum(weak).dtype == "int32"
    count, last = lax.while_loop(lambda c: c[1], lambda c: (c[0] + 1, c[0] < 3), (0, True))
    assert (int(count), bool(last)) == (4, False)
    assert lax.scan(lambda c, x: (c & (x > 1), c), weak, jnp.arange(3.0))[1].tolist() == [True, False, False]


def test_what_sorts_and_fills_keeps_weak_elements():
    column = jnp.broadcast_to(jnp.asarray(0.5), (3,))
    strong = jnp.ones(3, "bfloat16")
    assert column.weak_type and lax.sort(column).weak_type and lax.top_k(column, 2)[0].weak_type
    first, second = lax.sort((strong, column), num_keys=1)
    assert not first.weak_type and second.weak_type and (lax.sort(column) * strong).dtype == "bfloat16"
    assert lax.full_like(column, 2).weak_type and not lax.full_like(column, 2, "float32").weak_type
    assert not lax.full_like(strong, 2).weak_type and not lax.sort(strong).weak_type
    column, first = olympus.jit(lambda x: (lax.sort(x), lax.full_like(x, 1)))(column)
    assert column.weak_type and first.weak_type
