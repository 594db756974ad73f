# SPDX-License-Identifier: Apache-2.0
"""Functions whose kind of result depends on values, differentiated: the values are known, and the rest carries on."""

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.experimental import sparse
from olympus.test_util import check_grads
from olympus_core.errors import ConcretizationError

X = np.array([3.0, -1.0, 0.0, 2.0, 3.0], "float32")
W = np.arange(1.0, 9.0, dtype="float32")


def weighted(values):
    return (values * W[:values.shape[0]]).sum()


# The function, and its derivative at X by hand.
CASES = {
    "unique": (lambda x: weighted(jnp.unique(x)), [4, 1, 2, 3, 0]),
    "nonzero": (lambda x: weighted(x[jnp.nonzero(x)]), [1, 2, 0, 3, 4]),
    "flatnonzero": (lambda x: weighted(x[jnp.flatnonzero(x)]), [1, 2, 0, 3, 4]),
    "argwhere": (lambda x: weighted(x[jnp.argwhere(x)[:, 0]]), [1, 2, 0, 3, 4]),
    "compress": (lambda x: weighted(jnp.compress(x, x)), [1, 2, 0, 3, 4]),
    "extract": (lambda x: weighted(jnp.extract(x > 0, x)), [1, 0, 0, 2, 3]),
    "trim_zeros": (lambda x: weighted(jnp.trim_zeros(x * np.float32([0, 1, 1, 1, 0]))), [0, 1, 2, 3, 0]),
    "union1d": (lambda x: weighted(jnp.union1d(x, np.float32([0.5]))), [5, 1, 2, 4, 0]),
    "intersect1d": (lambda x: weighted(jnp.intersect1d(x, np.float32([-1, 2]))), [0, 1, 0, 2, 0]),
    "setdiff1d": (lambda x: weighted(jnp.setdiff1d(x, np.float32([-1, 2]))), [2, 0, 1, 0, 0]),
    "setxor1d": (lambda x: weighted(jnp.setxor1d(x, np.float32([-1, 2, 7]))), [2, 0, 1, 0, 0]),
    "bcoo_fromdense": (lambda x: weighted(sparse.BCOO.fromdense(x).data), [1, 2, 0, 3, 4]),
}


@pytest.mark.parametrize("name", CASES)
def test_values_that_are_known_decide_and_are_differentiated(name):
    function, expected = CASES[name]
    assert olympus.grad(function)(X).tolist() == expected
    tangent = np.float32([1, 2, 3, 4, 5])
    for slope in (olympus.jvp(function, (X,), (tangent,))[1], olympus.linearize(function, X)[1](tangent)):
        assert slope == np.dot(expected, tangent)
    assert olympus.grad(lambda x: olympus.grad(function)(x).sum() + function(x))(X).tolist() == expected
    with pytest.raises(ConcretizationError):
        olympus.jit(olympus.grad(function))(X)


def test_roots_and_quotients_of_polynomials():
    with olympus.enable_x64():
        p = jnp.array([0.0, 1.0, -6.0, 11.0, -6.0, 0.0])
        check_grads(lambda c: (jnp.sort(jnp.roots(p.at[1:5].set(c)).real) * W[:4]).sum(), (p[1:5],), order=1)
        assert olympus.grad(lambda c: jnp.roots(jnp.array([1.0, -3.0, 2.0]) * c).real.sum())(1.0) == 0
        for trimmed in (False, True):
            check_grads(lambda c: jnp.polymul(c, c, trim_leading_zeros=trimmed).sum(), (p[1:],), order=2)
            check_grads(lambda c: jnp.polydiv(c, c[:2], trim_leading_zeros=trimmed)[0].sum(), (p[1:],), order=2)
