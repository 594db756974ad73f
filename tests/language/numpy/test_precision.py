# SPDX-License-Identifier: Apache-2.0
"""`precision` of products: what `olympus.lax.dot_general` does with it."""

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import ArgumentError

_RNG = np.random.default_rng(0)
_A = _RNG.normal(size=(4, 16)).astype(np.float32)
_B = _RNG.normal(size=(16, 4)).astype(np.float32)
_NARROW = "BF16_BF16_F32"
_PRODUCTS = {
    "dot": lambda **how: jnp.dot(_A, _B, **how),
    "matmul": lambda **how: jnp.matmul(_A, _B, **how),
    "inner": lambda **how: jnp.inner(_A, _B.T, **how),
    "tensordot": lambda **how: jnp.tensordot(_A, _B, 1, **how),
    "einsum": lambda **how: jnp.einsum("ij,jk->ik", _A, _B, **how),
    "multi_dot": lambda **how: jnp.linalg.multi_dot([_A, _B], **how),
    "vdot": lambda **how: jnp.vdot(_A, _B.T, **how),
    "vecdot": lambda **how: jnp.vecdot(_A, _B.T, **how),
}


@pytest.mark.parametrize("name", _PRODUCTS)
def test_an_algorithm_rounds_operands(name):
    product = _PRODUCTS[name]
    exact = lax.dot(_A, _B)
    rounded = np.asarray(lax.dot(_A, _B, precision=_NARROW))
    wanted = {"vdot": np.trace(rounded), "vecdot": np.diagonal(rounded)}.get(name, rounded)
    algorithm = lax.DotAlgorithm("bfloat16", "bfloat16", "float32")
    for precision in (_NARROW, lax.DotAlgorithmPreset.BF16_BF16_F32, algorithm):
        np.testing.assert_allclose(product(precision=precision), wanted, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(olympus.jit(lambda: product(precision=_NARROW))(), wanted, rtol=1e-5, atol=1e-5)
    whole = {"vdot": np.trace(exact), "vecdot": np.diagonal(exact)}.get(name, np.asarray(exact))
    assert np.abs(wanted - whole).max() > 1e-3
    for precision in (None, "highest", "default", lax.Precision.HIGH, ("high", "highest")):
        np.testing.assert_allclose(product(precision=precision), whole, rtol=1e-5, atol=1e-5)
    with pytest.raises(ArgumentError, match="precision is not known"):
        product(precision="none")


def test_an_algorithm_with_batches_and_another_result():
    x = _RNG.normal(size=(3, 2, 5)).astype(np.float32)
    found = jnp.matmul(x, x[0].T, precision=_NARROW, preferred_element_type=jnp.float32)
    short = np.asarray(jnp.asarray(x, jnp.bfloat16).astype(np.float32))
    np.testing.assert_allclose(found, short @ short[0].T, rtol=1e-5, atol=1e-5)
