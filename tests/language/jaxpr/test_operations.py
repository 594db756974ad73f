# SPDX-License-Identifier: Apache-2.0
"""Every operation: its equation, bound again, is the operation again; its name is the one that JAX has for it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
from olympus.extend.core import check_jaxpr, jaxpr_as_fun
from olympus.tracing import Aval, bind_all, stage
from olympus.transforms.jaxpr import PRIMITIVES, READINGS, closed_jaxpr
from olympus_core.ops import OPERATIONS
from olympus_core.program.interpreter import run

from ..batching.cases import all_cases

CASES = list(all_cases())
# What JAX 0.10 calls them, by its own tables: `jax.extend.core.primitives` and the equations of jax.make_jaxpr.
NAMES = """abs acos acosh add all_gather all_to_all and argmax argmin asin asinh atan atan2 atanh axis_index bessel_i0e
bessel_i1e bitcast_convert_type broadcast_in_dim cbrt ceil cholesky clamp clz complex concatenate cond conj
conv_general_dilated convert_element_type cos cosh cummax cummin cumprod cumsum custom_jvp_call
custom_vjp_call debug_callback digamma div dot_general dynamic_slice dynamic_update_slice eig eigh eq erf
erf_inv erfc exp expm1 fft floor gather ge geqp3 geqrf gt hessenberg householder_product igamma igamma_grad_a
igammac imag io_callback iota is_finite jit le lgamma linear_call log log1p logistic lt lu max min mul name ne
neg nextafter not or ormqr pad pbroadcast pmax pmin polygamma population_count pow ppermute psum pure_callback
random_bits random_gamma_grad real reduce_and reduce_max reduce_min reduce_or reduce_prod reduce_scatter
reduce_sum regularized_incomplete_beta rem remat2 reshape rev round rsqrt scan scatter scatter-add scatter-max
scatter-min scatter-mul schur select_n sharding_constraint shard_map shift_left shift_right_arithmetic
shift_right_logical sign sin sinh slice sort sqrt stop_gradient sub svd tan tanh threefry2x32 top_k transpose
triangular_solve tridiagonal tridiagonal_solve while xor zeta custom_vmap_call""".split()
OURS = {"pprod", "pand", "por"}  # JAX has no such collectives
NO_OPERATIONS = {"device_put", "random_key_use"}  # in programs these are regions and notes


@pytest.mark.parametrize(("name", "number", "case"), CASES, ids=[f"{n}-{i}" for n, i, _ in CASES])
def test_an_equation_bound_again_is_its_operation(name: str, number: int, case: Any) -> None:
    types, attributes = case
    if name == "dot_general":
        attributes = {"dtype": None, **attributes}
    program, _, _ = stage(lambda *xs: tuple(bind_all(OPERATIONS[name], xs, attributes)), [Aval(t) for t in types], "f")
    closed = closed_jaxpr(program)
    if program.operations[0].name != "constant":
        (eqn,) = closed.eqns
        assert eqn.primitive.multiple_results == (len(program.operations[0].results) != 1) or name in (
            "sort", "eig", "svd", "schur", "eigh")
    check_jaxpr(closed)
    again, _, captured = stage(jaxpr_as_fun(closed) if types else lambda: jaxpr_as_fun(closed), [
        Aval(t) for t in types], "f")
    assert not captured
    if name == "convolution":  # letters of layouts may have other names
        values = [np.random.default_rng(number).normal(size=t.shape).astype(t.dtype) for t in types]
        np.testing.assert_array_equal(run(again, values)[0], run(program, values)[0])
    else:
        assert again.text == program.text


def test_every_operation_has_an_equation_and_the_name_that_libraries_know() -> None:
    assert {record.name for record in READINGS} == set(OPERATIONS) - {"constant"}
    assert set(PRIMITIVES) == set(NAMES) | OURS | NO_OPERATIONS


def test_python_numbers_and_scalars_are_spread() -> None:
    add = olympus.extend.core.primitives.add_p
    np.testing.assert_array_equal(add.bind(np.ones(3, np.float32), 1), np.full(3, 2, np.float32))
    np.testing.assert_array_equal(add.bind(2.0, np.ones((2, 2), np.float32)), np.full((2, 2), 3, np.float32))


@pytest.mark.parametrize("name", ["add", "complex", "max", "eq"])
def test_dimensions_of_size_one_are_spread(name: str) -> None:
    primitive = getattr(olympus.extend.core.primitives, f"{name}_p")
    x, y = np.arange(6, dtype=np.float32).reshape(3, 2), np.array([[4], [1], [2]], np.float32)
    meaning = {"add": np.add, "complex": lambda a, b: a + 1j * b, "max": np.maximum, "eq": np.equal}[name]
    np.testing.assert_array_equal(primitive.bind(x, y), meaning(x, y))
    np.testing.assert_array_equal(primitive.bind(y, x), meaning(y, x))
    np.testing.assert_array_equal(primitive.bind(y.T, y), meaning(y.T, y))
    with pytest.raises(olympus.errors.OperandError):
        primitive.bind(x, y[0])


def test_derivatives_of_operands_that_are_spread() -> None:
    largest = olympus.extend.core.primitives.max_p
    x, y = np.array([[1, 3], [1, 5]], np.float32), np.array([[0, 4]], np.float32)
    dx, dy = olympus.grad(lambda x, y: largest.bind(x, y).sum(), argnums=(0, 1))(x, y)
    np.testing.assert_array_equal(dx, [[1, 0], [1, 1]])
    np.testing.assert_array_equal(dy, [[0, 1]])


def test_a_sort_may_be_asked_for_without_the_order_of_equal_keys() -> None:
    sort = olympus.extend.core.primitives.sort_p
    (found,) = sort.bind(np.array([3, 1, 2], np.int32), dimension=0, num_keys=1, is_stable=False)
    np.testing.assert_array_equal(found, [1, 2, 3])


def test_the_conjugate_of_real_numbers_is_complex() -> None:
    conj = olympus.extend.core.primitives.conj_p
    found = conj.bind(np.ones(2, np.float32), input_dtype=np.dtype(np.float32))
    assert found.dtype == np.complex64
    np.testing.assert_array_equal(conj.bind(np.array([1 + 2j], np.complex64)), np.array([1 - 2j], np.complex64))


def test_parameters_that_do_not_fit() -> None:
    primitives = olympus.extend.core.primitives
    with pytest.raises(olympus.errors.ArgumentError, match="the parameters do not fit"):
        primitives.transpose_p.bind(np.ones((2, 3)))
    with pytest.raises(olympus.errors.ArgumentError, match="the parameters do not fit"):
        primitives.sin_p.bind(1.0, unheard_of=1)
    with pytest.raises(olympus.errors.NotSupportedError, match="perturb_singular"):
        primitives.tridiagonal_solve_p.bind(*[np.ones(3)] * 3, np.ones((3, 1)), perturb_singular=True)
    with pytest.raises(olympus.errors.OperandError):
        primitives.add_p.bind(np.ones(3), np.ones(4))
    with pytest.raises(AttributeError, match="unheard_of_p"):
        primitives.unheard_of_p
