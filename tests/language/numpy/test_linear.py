# SPDX-License-Identifier: Apache-2.0
"""Products, einsum and norms, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import olympus
import olympus.numpy as jnp
from olympus_core.errors import ArgumentError

RNG = np.random.default_rng(1)


def array(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype(np.float32)


def check(found: object, expected: object, tolerance: float = 1e-5) -> None:
    assert found.shape == np.shape(expected)
    np.testing.assert_allclose(np.asarray(found), expected, rtol=tolerance, atol=tolerance)


matmul_shapes = hnp.mutually_broadcastable_shapes(signature=np.matmul.signature, max_dims=3, min_side=1, max_side=4)


@given(matmul_shapes)
@settings(max_examples=60)
def test_matmul_of_any_shapes(found: hnp.BroadcastableShapes) -> None:
    x, y = (np.asarray(np.arange(np.prod(s, dtype=int)) % 7 - 3, np.float32).reshape(s) for s in found.input_shapes)
    check(jnp.matmul(x, y), np.matmul(x, y))
    assert (jnp.asarray(x) @ y).shape == found.result_shape


@pytest.mark.parametrize("dtype", [np.int32, np.int8, np.bool_, np.complex64, np.float16])
def test_matmul_of_other_types(dtype: type) -> None:
    x = (np.arange(6).reshape(2, 3) % 3).astype(dtype)
    found = jnp.matmul(x, x.T)
    assert found.dtype == dtype
    check(found, np.matmul(x, x.T), 1e-3)


def test_wider_results() -> None:
    x = jnp.full((1, 4096), 1, jnp.bfloat16)
    found = jnp.matmul(x, x.T, preferred_element_type=jnp.float32)
    assert found.dtype == jnp.float32 and float(found[0, 0]) == 4096
    eight = jnp.full((2, 100), 100, jnp.int8)
    assert int(jnp.matmul(eight, eight.T, preferred_element_type=jnp.int32)[0, 0]) == 1_000_000
    assert jnp.dot(jnp.arange(3), jnp.ones(3)).dtype == jnp.float32


@pytest.mark.parametrize("shapes", [((3,), (3,)), ((2, 3), (3,)), ((2, 3), (3, 4)), ((2, 3, 4), (5, 4, 6)), ((),
(2, 3)),
                                    ((4,), (2, 4, 3))])
def test_dot(shapes: tuple[tuple[int, ...], ...]) -> None:
    x, y = (array(*s) for s in shapes)
    check(jnp.dot(x, y), np.dot(x, y))


def test_other_products() -> None:
    x, y, z = array(2, 3), array(4, 3), array(3)
    check(jnp.inner(x, y), np.inner(x, y))
    check(jnp.inner(x, 2.0), np.inner(x, 2.0))
    check(jnp.outer(x, z), np.outer(x, z))
    check(jnp.vdot(x + 1j * x, x), np.vdot(x + 1j * x, x))
    check(jnp.kron(x, z), np.kron(x, z))
    check(jnp.kron(x, y), np.kron(x, y))
    a, b = array(5, 3), array(5, 3)
    check(jnp.cross(a, b), np.cross(a, b))
    check(jnp.cross(a.T, b.T, axis=0), np.cross(a.T, b.T, axis=0))
    check(jnp.vecdot(a, b), np.sum(a * b, -1))
    for axes in (0, 1, 2, ((0, 1), (0, 1)), ((-1,), (1,)), ([0], [1])):
        p, q = array(3, 3), array(3, 3)
        check(jnp.tensordot(p, q, axes), np.tensordot(p, q, axes))


EINSUM = [
    ("ij,jk->ik", (2, 3), (3, 4)), ("ij,jk", (2, 3), (3, 4)), ("ij->ji", (2, 3)), ("ij->", (2, 3)), ("ij->j", (2, 3)),
    ("ii", (3, 3)), ("ii->i", (3, 3)), ("iij->ij", (3, 3, 2)), ("i,j->ij", (2,), (3,)), ("i,i", (3,), (3,)),
    ("bij,bjk->bik", (4, 2, 3), (4, 3, 5)), ("...ij,...jk->...ik", (4, 2, 3), (4, 3, 5)), ("...i,i->...", (2, 3, 4),
    (4,)),
    ("...ij,jk->...ik", (5, 4, 2, 3), (3, 2)), ("i...->...", (2, 3, 4)), ("bqhd,bkhd->bhqk", (2, 3, 4, 5),
    (2, 6, 4, 5)),
    ("ij,jk,kl->il", (2, 3), (3, 4), (4, 5)), ("a,b,c->abc", (2,), (3,), (4,)), ("ab,cd,bc->ad", (2, 3), (4, 5),
    (3, 4)),
    ("ij,ij->ij", (2, 3), (2, 3)), ("ij,i->ij", (2, 3), (2,)), ("ij,kl->", (2, 3), (4, 5)), ("abc,cd->dab", (2, 3, 4),
    (4, 2)),
    ("...,...->...", (2, 3), (1, 3)), ("i...j,j->i...", (2, 3, 4, 5), (5,)), ("bxx,bx->b", (2, 3, 3), (2, 3)),
    ("ij,jk,kl,lm->im", (2, 3), (3, 2), (2, 4), (4, 2)), ("ik,jk->kij", (2, 3), (4, 3)), ("ab->ba", (1, 4)),
]


@pytest.mark.parametrize("case", EINSUM, ids=lambda case: case[0])
def test_einsum(case: tuple) -> None:
    subscripts, *shapes = case
    operands = [array(*s) for s in shapes]
    expected = np.einsum(subscripts, *operands)
    check(jnp.einsum(subscripts, *operands), expected, 1e-4)
    check(jnp.einsum(subscripts, *operands, optimize=False), expected, 1e-4)
    check(olympus.jit(lambda *x: jnp.einsum(subscripts, *x))(*operands), expected, 1e-4)


@given(st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=3), min_size=1, max_size=3), st.data())
@settings(max_examples=60)
def test_any_einsum(words: list[list[str]], data: st.DataObject) -> None:
    letters = sorted({c for word in words for c in word})
    output = data.draw(st.permutations(data.draw(st.lists(st.sampled_from(letters), unique=True))))
    subscripts = ",".join("".join(word) for word in words) + "->" + "".join(output)
    sizes = dict(zip("abcd", (2, 3, 1, 4), strict=True))
    operands = [np.asarray(np.arange(np.prod([sizes[c] for c in word])) % 5 - 2, np.float32).reshape(
        [sizes[c] for c in word]) for word in words]
    check(jnp.einsum(subscripts, *operands), np.einsum(subscripts, *operands), 1e-4)


def test_einsum_in_its_other_form_and_types() -> None:
    x, y = array(2, 3), array(3, 4)
    check(jnp.einsum(x, [0, 1], y, [1, 2], [0, 2]), np.einsum(x, [0, 1], y, [1, 2], [0, 2]))
    assert jnp.einsum("ij,jk", x.astype(jnp.bfloat16), y.astype(jnp.bfloat16),
                      preferred_element_type=jnp.float32).dtype == jnp.float32
    assert jnp.einsum("ij,jk", x.astype(np.int8), y).dtype == jnp.float32
    check(jnp.einsum("ij->j", np.ones((2, 3), bool)), np.ones(3, bool))
    assert jnp.einsum("ij->j", jnp.ones((2, 3), jnp.int8)).dtype == jnp.int8
    assert jnp.einsum_path("ij,jk", x, y)[0] == np.einsum_path("ij,jk", x, y)[0]


@pytest.mark.parametrize("use, message", [
    (lambda: jnp.matmul(jnp.ones((2, 3)), jnp.ones((4, 2))), "differ in size"),
    (lambda: jnp.matmul(jnp.ones(3), 2.0), "no dimensions"),
    (lambda: jnp.matmul(jnp.ones((2, 3, 4)), jnp.ones((3, 4, 2))), "do not broadcast|Incompatible shapes"),
    (lambda: jnp.dot(jnp.ones(3), jnp.ones(4)), "differ in size"),
    (lambda: jnp.tensordot(jnp.ones((2, 3)), jnp.ones((2, 3)), 1), "differ"),
    (lambda: jnp.einsum("ij,jk", jnp.ones((2, 3))), "differ in number"),
    (lambda: jnp.einsum("ij", jnp.ones(3)), "do not fit an operand"),
    (lambda: jnp.einsum("ij,jk", jnp.ones((2, 3)), jnp.ones((4, 5))), "different sizes"),
    (lambda: jnp.einsum("ij->k", jnp.ones((2, 3))), "result's subscripts"),
    (lambda: jnp.cross(jnp.ones(4), jnp.ones(4)), "no cross product"),
])
def test_mistakes_teach(use: object, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        use()


@pytest.mark.parametrize("keepdims", [False, True])
def test_norms(keepdims: bool) -> None:
    v, m, t = array(5), array(3, 4), array(2, 3, 4)
    for order in (None, 0, 1, 2, 3, 0.5, np.inf, -np.inf):
        check(jnp.linalg.norm(v, order, keepdims=keepdims), np.linalg.norm(v, order, keepdims=keepdims), 1e-4)
        check(jnp.linalg.norm(t, order, axis=1, keepdims=keepdims),
              np.linalg.norm(t, order, axis=1, keepdims=keepdims), 1e-4)
    for order in (None, "fro", 1, -1, np.inf, -np.inf):
        check(jnp.linalg.norm(m, order, keepdims=keepdims), np.linalg.norm(m, order, keepdims=keepdims))
        for axes in ((0, 1), (2, 0), (-1, -2)):
            check(jnp.linalg.norm(t, order, axis=axes, keepdims=keepdims),
                  np.linalg.norm(t, order, axis=axes, keepdims=keepdims))
    check(jnp.linalg.norm(t), np.linalg.norm(t))
    check(jnp.linalg.vector_norm(t, axis=(0, 2), keepdims=keepdims),
          np.sqrt((t * t).sum(axis=(0, 2), keepdims=keepdims)))
    check(jnp.linalg.matrix_norm(t, keepdims=keepdims), np.linalg.norm(t, axis=(-2, -1), keepdims=keepdims))


def test_powers_and_chains_of_matrices() -> None:
    m = array(2, 3, 3)
    for n in (0, 1, 2, 5):
        check(jnp.linalg.matrix_power(m, n), np.linalg.matrix_power(m, n), 1e-3)
    chain = [array(2, 3), array(3, 5), array(5, 2), array(2)]
    check(jnp.linalg.multi_dot(chain), np.linalg.multi_dot(chain), 1e-4)


def test_einsum_by_lists_takes_any_labels() -> None:
    x, y = np.arange(6.0, dtype=np.float32).reshape(2, 3), np.arange(12.0, dtype=np.float32).reshape(3, 4)
    for b, a, c in (("b", "a", "c"), (70, 5, 90), ((1,), (0,), (2,)), ("batch", "inner", "outer")):
        np.testing.assert_array_equal(jnp.einsum(x, [b, a], y, [a, c], [c, b]), (x @ y).T)
        np.testing.assert_array_equal(jnp.einsum(x, [..., a], y, [a, c], [..., c]), x @ y)
    np.testing.assert_array_equal(jnp.einsum(x, ["z", "a"]), x.T)  # the result's dimensions are in order
    np.testing.assert_array_equal(jnp.einsum(x, ["b", 1], y, [1, None], ["b", None]), x @ y)  # labels without an order


@pytest.mark.parametrize(("name", "wanted"), [
    ("complex64", "complex128"), ("bfloat16", "float32"), ("int8", "int32"), ("float32", "complex64")])
def test_equations_of_several_arrays_in_a_wanted_type(name: str, wanted: str) -> None:
    # The first product has the wanted type already, the other factors have their own.
    with olympus.enable_x64(True):
        arrays = [(np.arange(6).reshape(shape) % 4 - 1).astype(jnp.dtype(name)) for shape in ((2, 3), (3, 2), (2, 3))]
        found = jnp.einsum("ij,jk,kl->il", *arrays, preferred_element_type=wanted)
        assert found.dtype == wanted
        np.testing.assert_array_equal(found, np.linalg.multi_dot([a.astype(wanted) for a in arrays]))
