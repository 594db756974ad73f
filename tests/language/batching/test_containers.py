# SPDX-License-Identifier: Apache-2.0
"""Types of containers that say themselves how `vmap` takes one index of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError, MappedSizesError, NotSupportedError
from olympus.interpreters import batching


class Along:
    """Stands for a `Pair` in `in_axes`: where the mapped dimension stands in each of its arrays."""

    def __init__(self, first: int, second: int | None) -> None:
        self.first, self.second = first, second


@olympus.tree_util.register_pytree_node_class
class Pair:
    def __init__(self, first: Any, second: Any, name: str = "pair") -> None:
        self.first, self.second, self.name = first, second, name

    def tree_flatten(self) -> tuple[tuple[Any, Any], str]:
        return (self.first, self.second), self.name

    @classmethod
    def tree_unflatten(cls, name: str, leaves: tuple[Any, Any]) -> Pair:
        return cls(*leaves, name)


def _to(take: Any, index: None, pair: Pair, along: Along | None) -> Pair:
    assert index is None
    if along is None:
        return pair
    return Pair(take(pair.first, along.first), take(pair.second, along.second), pair.name)


def _from(put: Any, size: Any, pair: Pair, along: Along) -> Pair:
    return Pair(put(size, pair.first, along.first), put(size, pair.second, along.second), pair.name)


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    batching.register_vmappable(Pair, Along, int, _to, _from, None)
    yield
    batching.unregister_vmappable(Pair)


X, Y = np.arange(6.0, dtype=np.float32).reshape(2, 3), np.array([1.0, 2.0], np.float32)


@pytest.mark.parametrize("place", [lambda f: f, olympus.jit])
def test_arguments_and_results(place: Any) -> None:
    def f(pair: Pair, factor: Any) -> tuple[Pair, Any]:
        assert pair.first.shape == (2,) and pair.second.shape == (2,) and pair.name == "of mine"
        return Pair(pair.first * factor, pair.second.sum(), pair.name), pair.first.sum()

    mapped = olympus.vmap(f, in_axes=(Along(1, None), 0), out_axes=(Along(1, None), 0))
    found, total = place(mapped)(Pair(X, Y, "of mine"), np.arange(3, dtype=np.float32))
    np.testing.assert_array_equal(found.first, X * np.arange(3))
    assert float(found.second) == 3 and found.name == "of mine"
    np.testing.assert_array_equal(total, X.sum(0))


def test_shared_made_inside_and_nested() -> None:
    pair = Pair(X, Y)
    found = olympus.vmap(lambda pair, x: x + pair.first.sum(), in_axes=(None, 0))(pair, Y)
    np.testing.assert_array_equal(found, Y + X.sum())
    made = olympus.vmap(lambda x: Pair(x, x * jnp.ones(3)), out_axes=Along(0, 1))(Y)
    np.testing.assert_array_equal(made.first, Y)
    np.testing.assert_array_equal(made.second, np.outer(np.ones(3), Y))
    twice = olympus.vmap(olympus.vmap(lambda p: p.first * p.second, in_axes=Along(0, None)), in_axes=Along(0, 0))
    np.testing.assert_array_equal(twice(pair), X * Y[:, None])
    slope = olympus.vmap(olympus.grad(lambda p: (p.first ** 2 * p.second).sum()), in_axes=Along(0, 0),
                         out_axes=Along(0, 0))(pair)
    np.testing.assert_array_equal(slope.first, 2 * X * Y[:, None])
    np.testing.assert_array_equal(slope.second, (X ** 2).sum(1))
    np.testing.assert_array_equal(olympus.vmap(lambda x, *, k: x * k)(Y, k=Y), Y * Y)  # others are mapped as ever


def test_what_is_told() -> None:
    assert batching.is_vmappable(Pair(1, 2)) and not batching.is_vmappable((1, 2))
    with pytest.raises(MappedSizesError):
        olympus.vmap(lambda pair: pair.first, in_axes=Along(1, 0))(Pair(X, Y))
    with pytest.raises(ArgumentError):
        olympus.vmap(lambda pair: pair.first, in_axes="x")(Pair(X, Y))
    with pytest.raises(NotSupportedError):
        batching.register_vmappable(Pair, Along, int, _to, _from, lambda size: size)
    batching.unregister_vmappable(Pair)
    np.testing.assert_array_equal(olympus.vmap(lambda pair: pair.first + pair.second)(Pair(X, Y)), X + Y[:, None])


@pytest.mark.parametrize("place", [lambda f: f, olympus.jit])
def test_references_beside_them(place: Any) -> None:
    ref, seen = olympus.new_ref(jnp.zeros(2)), olympus.new_ref(jnp.asarray(X))

    def f(one: Any, row: Any, pair: Pair) -> Any:
        one[...] = pair.first.sum() + row[0]
        return one[...]

    mapped = olympus.vmap(f, in_axes=(0, 0, Along(0, None)))
    np.testing.assert_array_equal(place(mapped)(ref, seen, Pair(X, Y)), X.sum(1) + X[:, 0])
    np.testing.assert_array_equal(ref[...], X.sum(1) + X[:, 0])
