# SPDX-License-Identifier: Apache-2.0
"""Trees as one array, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError
from olympus.flatten_util import ravel_pytree
from olympus.test_util import check_grads


def test_the_elements_in_the_order_of_the_leaves() -> None:
    tree = {"b": np.arange(4.0, dtype=np.float32).reshape(2, 2), "a": (jnp.float32(9), jnp.zeros((0, 3)))}
    flat, unravel = ravel_pytree(tree)
    assert flat.tolist() == [9, 0, 1, 2, 3] and flat.dtype == np.float32
    again = unravel(flat + 1)
    assert again["b"].tolist() == [[1, 2], [3, 4]] and again["a"][0] == 10 and again["a"][1].shape == (0, 3)


@pytest.mark.parametrize(("leaves", "dtype"), [
    ([np.int8(1), np.float32(2)], "float32"), ([np.int32(1), jnp.bfloat16(2)], "bfloat16"),
    ([np.complex64(1j), np.float32(2)], "complex64"), ([True, 2], "int32"), ([], "float32"), ([None], "float32"),
])
def test_each_leaf_gets_its_type_again(leaves: list[Any], dtype: str) -> None:
    flat, unravel = ravel_pytree(leaves)
    assert flat.dtype == dtype and flat.ndim == 1
    again = unravel(flat)
    kinds = [jnp.asarray(x).dtype for x in olympus.tree.leaves(leaves)]
    assert [x.dtype for x in olympus.tree.leaves(again)] == kinds
    assert olympus.tree.all(olympus.tree.map(lambda a, b: a == b, leaves, again))


def test_under_transforms() -> None:
    tree = {"a": jnp.arange(3.0), "b": jnp.ones((2, 2))}
    check_grads(lambda t: ravel_pytree(t)[0] ** 2, (tree,), order=2)
    flat, unravel = ravel_pytree(tree)
    check_grads(lambda x: unravel(x)["b"] * 3, (flat,), order=1)
    assert olympus.vmap(unravel)(jnp.stack([flat, flat]))["b"].shape == (2, 2, 2)
    assert olympus.jit(lambda x, u: u(x), static_argnums=1)(flat, unravel)["a"].tolist() == [0, 1, 2]
    assert unravel == ravel_pytree(tree)[1] and hash(unravel) == hash(ravel_pytree(tree)[1])


def test_what_does_not_fit_is_refused() -> None:
    _, unravel = ravel_pytree({"a": jnp.arange(2), "b": 1.0})
    with pytest.raises(ArgumentError, match="size of the tree"):
        unravel(jnp.ones(4))
    with pytest.raises(ArgumentError, match="another element type"):
        unravel(jnp.ones(3, int))
    assert ravel_pytree({"a": jnp.ones(2)})[1](jnp.array([1, 2]))["a"].dtype == np.int32  # one type takes any
