# SPDX-License-Identifier: Apache-2.0
"""Products of sparse arrays against those of dense ones."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import ArgumentError, NotSupportedError
from olympus.experimental import sparse
from olympus.experimental.sparse import BCOO, BCSR
from olympus.sharding import NamedSharding, PartitionSpec
from olympus.test_util import check_grads

from .support import LAYOUTS, few, forms, same

DENSE = few((2, 3, 4))
NUMBERS = [
    (contracted, batch) for k in range(3) for contracted in itertools.permutations(range(3), k)
    for j in range(4 - k) for batch in itertools.permutations([d for d in range(3) if d not in contracted], j)
]


@pytest.mark.parametrize(("n_batch", "n_dense"), LAYOUTS)
def test_with_dense_arrays(n_batch: int, n_dense: int) -> None:
    found = list(forms(DENSE, n_batch, n_dense))
    for i, (contracted, batch) in enumerate(NUMBERS):
        if (i + n_batch + 2 * n_dense) % 5:
            continue
        mat, dense = found[i // 5 % len(found)]
        j, k = len(batch), len(contracted)
        other = few((*(dense.shape[d] for d in batch), 2, *(dense.shape[d] for d in contracted)), seed=i)
        numbers = ((contracted, tuple(range(j + 1, j + 1 + k))), (batch, tuple(range(j))))
        wanted = np.asarray(lax.dot_general(jnp.asarray(dense), jnp.asarray(other), numbers))
        np.testing.assert_array_equal(
            np.asarray(sparse.bcoo_dot_general(mat, other, dimension_numbers=numbers)), wanted, repr(numbers))
        turned = ((numbers[0][1], numbers[0][0]), (numbers[1][1], numbers[1][0]))
        wanted = np.asarray(lax.dot_general(jnp.asarray(other), jnp.asarray(dense), turned))
        np.testing.assert_array_equal(
            np.asarray(sparse.bcoo_dot_general(other, mat, dimension_numbers=turned)), wanted, repr(turned))


@pytest.mark.parametrize(("shapes", "numbers"), [
    (((3, 4), (4, 5)), (((1,), (0,)), ((), ()))), (((3, 4), (5, 4)), (((1,), (1,)), ((), ()))),
    (((4,), (4,)), (((0,), (0,)), ((), ()))), (((3,), (2,)), (((), ()), ((), ()))),
    (((2, 3, 4), (2, 4, 2)), (((2,), (1,)), ((0,), (0,)))), (((3, 4, 2), (2, 4, 5)), (((1, 2), (1, 0)), ((), ()))),
])
def test_of_two_sparse_arrays(shapes: Any, numbers: Any) -> None:
    one, other = few(shapes[0], 1), few(shapes[1], 2)
    wanted = np.asarray(lax.dot_general(jnp.asarray(one), jnp.asarray(other), numbers))
    n = len(numbers[1][0])
    for (x, a), (y, b) in zip(forms(one, n, 0), forms(other, n, 0), strict=True):
        factor = (a.sum() / one.sum()) * (b.sum() / other.sum())
        same(sparse.bcoo_dot_general(x, y, dimension_numbers=numbers), wanted * factor, numbers)
        same(olympus.jit(lambda x, y: sparse.bcoo_dot_general(x, y, dimension_numbers=numbers))(x, y), wanted * factor)


def test_some_elements_of_a_product() -> None:
    one, other = few((2, 3, 4), 1), few((2, 4, 5), 2)
    numbers = (((2,), (1,)), ((0,), (0,)))
    whole = one @ other
    places = np.array([[[0, 4], [2, 1], [3, 0]], [[1, 1], [1, 2], [0, 0]]])
    found = np.asarray(sparse.bcoo_dot_general_sampled(one, other, places, dimension_numbers=numbers))
    wanted = [[whole[b, i, j] if i < 3 else 0 for i, j in rows] for b, rows in enumerate(places)]
    np.testing.assert_array_equal(found, wanted)
    found = np.asarray(sparse.bcoo_dot_general_sampled(one, other, places[..., :1], dimension_numbers=numbers))
    np.testing.assert_array_equal(found[1], whole[1][[1, 1, 0]])


@pytest.mark.parametrize(("n_batch", "n_dense"), LAYOUTS)
def test_element_by_element(n_batch: int, n_dense: int) -> None:
    other = few((2, 3, 4), 5)
    for mat, dense in forms(DENSE, n_batch, n_dense):
        for shape in [(2, 3, 4), (2, 1, 1), (4,), ()]:
            factor = few((2, 3, 4), 7)[tuple(slice(0, n) for n in shape)] if len(shape) == 3 else few(shape or (1,), 7)
            factor = factor.reshape(shape) + 1
            same(mat * factor, dense * factor, shape)
            same(factor * mat, dense * factor, shape)
            np.testing.assert_allclose(np.asarray((mat / factor).todense()), dense / factor, rtol=1e-6)
        second, values = list(forms(other, n_batch, n_dense))[-1]
        same(mat * second, dense * values)


def test_convolutions() -> None:
    lhs, rhs = few((2, 3, 7, 5), 1), few((4, 3, 3, 2), 2)
    for options in [
        {"window_strides": (1, 1), "padding": "VALID"}, {"window_strides": (2, 1), "padding": "SAME"},
        {"window_strides": (1, 2), "padding": [(2, 1), (0, 3)], "lhs_dilation": (2, 1), "rhs_dilation": (1, 2)},
        {"window_strides": (1, 1), "padding": [(-1, 1), (0, 0)]},
    ]:
        wanted = np.asarray(lax.conv_general_dilated(jnp.asarray(lhs), jnp.asarray(rhs), **options))
        found = sparse.bcoo_conv_general_dilated(BCOO.fromdense(lhs), BCOO.fromdense(rhs, n_batch=1), **options)
        np.testing.assert_array_equal(np.asarray(found.todense()), wanted)
    numbers = ("NHWC", "HWIO", "NHWC")
    turned = [lhs.transpose(0, 2, 3, 1), rhs.transpose(2, 3, 1, 0)]
    options = {"window_strides": (1, 1), "padding": "SAME_LOWER", "dimension_numbers": numbers}
    wanted = np.asarray(lax.conv_general_dilated(*map(jnp.asarray, turned), **options))
    found = sparse.bcoo_conv_general_dilated(*map(BCOO.fromdense, turned), **options)
    np.testing.assert_array_equal(np.asarray(found.todense()), wanted)
    # Steps follow the kernel's layout, or the order of the specs.
    turned = [lhs, rhs.transpose(0, 1, 3, 2)]
    for numbers in (("NCHW", "OIWH", "NCHW"), lax.ConvDimensionNumbers((0, 1, 2, 3), (0, 1, 3, 2), (0, 1, 2, 3))):
        options = {"window_strides": (1, 2), "padding": [(2, 1), (0, 3)], "dimension_numbers": numbers}
        wanted = np.asarray(lax.conv_general_dilated(*map(jnp.asarray, turned), **options))
        found = sparse.bcoo_conv_general_dilated(*map(BCOO.fromdense, turned), **options)
        np.testing.assert_array_equal(np.asarray(found.todense()), wanted)
    options = {"window_strides": (1, 1), "padding": "SAME", "dimension_numbers": ("NHWC", "HWIO", "NHWC")}
    turned = [lhs.transpose(0, 2, 3, 1), rhs.transpose(2, 3, 1, 0)]
    with pytest.raises(NotSupportedError, match="groups"):
        sparse.bcoo_conv_general_dilated(*map(BCOO.fromdense, turned), **options, feature_group_count=3)


def test_operators_of_all_formats() -> None:
    dense, vector = few((3, 4)), np.arange(4.0, dtype=np.float32)
    for form in (BCOO, BCSR, sparse.COO, sparse.CSR, sparse.CSC):
        mat = form.fromdense(dense)
        np.testing.assert_array_equal(np.asarray(mat @ vector), dense @ vector)
        np.testing.assert_array_equal(np.asarray(vector[:3] @ mat), vector[:3] @ dense)
        np.testing.assert_array_equal(np.asarray(mat @ dense.T), dense @ dense.T)
        np.testing.assert_array_equal(np.asarray((2 * mat).todense()), 2 * dense)
    mat = BCOO.fromdense(dense)
    same(mat + mat, 2 * dense)
    same(mat - mat, 0 * dense)
    same(-mat, -dense)
    same(abs(-mat), dense)
    same(mat ** 2, dense ** 2)
    np.testing.assert_array_equal(np.asarray(mat + dense), 2 * dense)
    np.testing.assert_array_equal(np.asarray(dense - mat), 0 * dense)
    same(mat[1], dense[1])
    same(mat[:, 1:3], dense[:, 1:3])
    assert float(mat.sum()) == dense.sum() and len(mat) == 3 and len(list(mat)) == 3
    same(mat.sum(0), dense.sum(0))
    assert sparse.coo_matvec(sparse.COO.fromdense(dense), vector[:3], transpose=True).tolist() == (
        vector[:3] @ dense).tolist()
    assert sparse.csr_matmat(sparse.CSR.fromdense(dense), dense.T).tolist() == (dense @ dense.T).tolist()
    for act in (lambda: mat == mat, lambda: mat > 0, lambda: 1 / mat):
        with pytest.raises(NotSupportedError, match="todense"):
            act()


def test_large_matrices_are_never_made_whole() -> None:
    mat = BCOO((jnp.ones(3), jnp.array([[1, 1], [5, 7], [99_999, 2]])), shape=(100_000, 100_000))
    assert (2 * mat * jnp.ones(100_000)).nse == 3
    assert float((mat @ jnp.ones(100_000)).sum()) == 3 and float((mat / 2).sum()) == 1.5


def test_functions_of_dense_arrays() -> None:
    dense = few((3, 4))
    mat = BCOO.fromdense(dense, nse=9)
    for f in (
        lambda x: jnp.expm1(jnp.sin(x)) * 2.0, lambda x: jnp.concatenate([x, x], axis=1), lambda x: x.T[1:],
        lambda x: jnp.einsum("ij,kj->ik", x, x), lambda x: jnp.squeeze(x[None]), lambda x: x.astype(int),
        lambda x: olympus.jit(jnp.tanh)(x), lambda x: olympus.vmap(jnp.sum)(x), lambda x: x.mean(), lambda x: x * x * x,
        lambda x: lax.cond(x.sum() > 0, lambda y: y, lambda y: -y, x), lambda x: jnp.stack([x, x]),
        lambda x: lax.scan(lambda c, _: (c * 2, None), x, None, length=3)[0], lambda x: x ** 1.5,
        lambda x: lax.fori_loop(0, 3, lambda i, c: c * 2, x), lambda x: jnp.dot(x, jnp.arange(4.0)),
    ):
        found = sparse.sparsify(f)(mat)
        whole = np.asarray(sparse.todense(found))
        wanted = np.asarray(f(jnp.asarray(dense)))
        assert whole.dtype == wanted.dtype
        np.testing.assert_allclose(whole, wanted, rtol=1e-6)
        np.testing.assert_allclose(np.asarray(sparse.todense(olympus.jit(sparse.sparsify(f))(mat))), wanted, rtol=1e-6)
    assert isinstance(sparse.sparsify(jnp.sin)(BCSR.fromdense(dense)), BCSR)
    with pytest.raises(NotSupportedError, match="cos of a sparse array"):
        sparse.sparsify(jnp.cos)(mat)


def test_derivatives() -> None:
    dense, vector = few((3, 4)), np.arange(4.0, dtype=np.float32)
    mat = BCOO.fromdense(dense)
    check_grads(lambda d, v: mat.with_parts(d) @ v, (mat.data, vector), order=2)
    check_grads(lambda d: sparse.bcoo_sum_duplicates(mat.with_parts(d), nse=3).todense(), (mat.data,), order=1)
    check_grads(lambda d: (mat.with_parts(d) @ mat.T).todense(), (mat.data,), order=2)
    slopes = olympus.grad(lambda x: (BCOO.fromdense(x, nse=mat.nse).todense() ** 2).sum())(jnp.asarray(dense))
    np.testing.assert_array_equal(np.asarray(slopes), 2 * dense)

    def loss(x: Any, v: Any) -> Any:
        return ((x @ v) ** 2).sum()

    for form in (BCOO, BCSR):
        own = form.fromdense(dense)
        value, slope = sparse.value_and_grad(loss)(own, vector)
        wanted = olympus.grad(loss)(jnp.asarray(dense), vector) * (dense != 0)
        np.testing.assert_allclose(np.asarray(slope.todense()), wanted, rtol=1e-6)
        assert type(slope) is form and float(value) == float(loss(dense, vector))
        both = sparse.grad(loss, argnums=(0, 1))(own, vector)
        np.testing.assert_allclose(np.asarray(both[1]), olympus.grad(loss, 1)(jnp.asarray(dense), vector), rtol=1e-6)
    (slope, aux) = sparse.grad(lambda x: (x.sum(), 7), has_aux=True)(mat)
    assert aux == 7 and slope.data.tolist() == [1] * mat.nse
    for transform in (sparse.jacfwd, sparse.jacrev):
        found = transform(lambda x: {"a": x @ vector, "b": x.sum()})(mat)
        whole = olympus.jacfwd(lambda x: x @ vector)(jnp.asarray(dense)) * (dense != 0)
        np.testing.assert_allclose(np.asarray(found["a"].todense()), whole, rtol=1e-6)
        assert found["b"].shape == (3, 4) and found["a"].n_batch == 1


def test_under_vmap_and_on_eight_devices() -> None:
    dense = few((16, 12), 3)
    mat = BCOO.fromdense(dense)
    many = np.arange(24.0, dtype=np.float32).reshape(2, 12)
    np.testing.assert_array_equal(np.asarray(olympus.vmap(lambda v: mat @ v)(many)), many @ dense.T)
    batched = BCOO.fromdense(dense.reshape(4, 4, 12), n_batch=1)
    found = olympus.vmap(lambda d, i: BCOO((d, i), shape=(4, 12)) @ many[0])(batched.data, batched.indices)
    np.testing.assert_array_equal(np.asarray(found).ravel(), dense @ many[0])
    mesh = olympus.make_mesh((8,), ("x",))
    rows = BCOO.fromdense(dense, n_batch=1)
    split = olympus.tree.map(lambda x: olympus.device_put(x, NamedSharding(mesh, PartitionSpec("x"))), rows)
    np.testing.assert_array_equal(np.asarray(olympus.jit(lambda m, v: m @ v)(split, many[0])), dense @ many[0])


def test_bad_arguments() -> None:
    mat = BCOO.fromdense(few((3, 4)))
    with pytest.raises(ArgumentError, match="differ in size"):
        sparse.bcoo_dot_general(mat, jnp.ones(3), dimension_numbers=(((1,), (0,)), ((), ())))
    with pytest.raises(ArgumentError, match="neither operand"):
        sparse.bcoo_dot_general(jnp.ones(3), jnp.ones(3), dimension_numbers=(((0,), (0,)), ((), ())))
    with pytest.raises(NotSupportedError, match="dense dimensions"):
        rows = BCOO.fromdense(few((3, 4)), n_dense=1)
        sparse.bcoo_dot_general(rows, rows, dimension_numbers=(((0,), (0,)), ((), ())))
    with pytest.raises(ArgumentError, match="shapes or layouts"):
        sparse.bcoo_multiply_sparse(mat, mat.T)
