# SPDX-License-Identifier: Apache-2.0
"""What stands for an array: types where only types matter, objects and classes that say which array they mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.interpreters import xla
from olympus.tracing.values import array_classes, array_methods
from olympus_core.errors import ArgumentError

TYPE = olympus.core.ShapedArray((2, 3), jnp.float32)


def test_a_type_stands_for_an_array_where_only_types_matter() -> None:
    def product(x: Any, y: Any) -> Any:
        return x @ y.T

    struct = olympus.ShapeDtypeStruct((2, 3), jnp.float32)
    assert olympus.eval_shape(product, TYPE, struct).shape == (2, 2)
    assert olympus.eval_shape(product, TYPE, jnp.ones((4, 3))).shape == (2, 4)
    assert olympus.eval_shape(olympus.grad(jnp.sum), TYPE) == struct
    assert olympus.eval_shape(olympus.vmap(jnp.sum), TYPE).shape == (2,)
    assert olympus.make_jaxpr(jnp.sin)(TYPE).out_avals[0] == TYPE
    assert TYPE.at_least_vspace() == TYPE
    assert olympus.jit(jnp.sin).lower(TYPE).compile()(jnp.zeros((2, 3))).shape == (2, 3)
    assert olympus.jit(jnp.sin).trace(TYPE).out_info == struct
    weak = olympus.core.ShapedArray((), jnp.float32, weak_type=True)
    assert olympus.eval_shape(lambda x: x + jnp.float16(1), weak).dtype == jnp.float16


@pytest.mark.parametrize("call", [
    lambda: olympus.jit(lambda x: x)(TYPE), lambda: jnp.ones((2, 3)) + TYPE, lambda: jnp.sin(TYPE),
    lambda: olympus.jit(lambda: jnp.sin(TYPE))(), lambda: olympus.vmap(jnp.sin)(TYPE),
])
def test_a_type_has_no_value(call: Any) -> None:
    with pytest.raises((ArgumentError, TypeError)):
        call()


class Meant:
    """Stands for an array by a method; a reflected operator of its own would come second."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __meant_array__(self) -> Any:
        return self.value


@pytest.fixture
def meaning() -> Iterator[None]:
    array_methods.append("__meant_array__")
    yield
    array_methods.remove("__meant_array__")


@pytest.mark.parametrize("jitted", [False, True])
def test_the_names_of_the_method_can_be_added_to(meaning: None, jitted: bool) -> None:
    def f(x: Any) -> Any:
        w = Meant(x)
        return (x + w, w * x, jnp.sin(w), lax.add(w, x), jnp.stack([w, w]), jnp.asarray(w), jnp.array([w, w]),
                jnp.dot(w, w), jnp.where(x > 1, w, 0.0), jnp.asarray(w, jnp.int32), w == x)

    x = np.array([1.0, 2.0], np.float32)
    found = (olympus.jit(f) if jitted else f)(jnp.asarray(x))
    expected = (2 * x, x * x, np.sin(x), 2 * x, np.stack([x, x]), x, np.stack([x, x]), 5.0, [0, 2], [1, 2], [True] * 2)
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6)
    assert float(olympus.grad(lambda v: jnp.sum(jnp.sin(Meant(v))))(1.0)) == pytest.approx(np.cos(1.0))


def test_what_the_method_gives_is_an_array(meaning: None) -> None:
    assert isinstance(jnp.asarray(Meant(np.ones(2, np.float32))), olympus.Array)
    assert jnp.asarray(Meant(2)).dtype == jnp.int32
    with pytest.raises(ArgumentError):
        jnp.sin(Meant("no array"))


class Constant:
    """An array by its class."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.arange(3.0, dtype=np.float32)


def test_classes_can_be_registered_as_arrays() -> None:
    with pytest.raises(ArgumentError):
        jnp.sin(Constant())  # type: ignore[arg-type]
    types: Any = olympus.core.pytype_aval_mappings
    try:
        types[Constant] = types[np.ndarray]
        assert types[Constant](Constant()).shape == (3,)
        assert list(xla.canonicalize_dtype_handlers) == [np.ndarray, Constant] and len(types) == 2
        np.testing.assert_allclose(jnp.sin(Constant()), np.sin(np.arange(3)), rtol=1e-6)  # type: ignore[arg-type]
        np.testing.assert_allclose(olympus.jit(lambda x: x + Constant())(1.0), np.arange(3) + 1)
        xla.canonicalize_dtype_handlers[Constant] = lambda value: np.zeros(2, np.float32)
        assert jnp.cos(Constant()).tolist() == [1, 1]  # type: ignore[arg-type]
    finally:
        del xla.canonicalize_dtype_handlers[Constant]
    assert Constant not in array_classes
    with pytest.raises(ArgumentError):
        xla.canonicalize_dtype_handlers[Constant] = None  # type: ignore[assignment]


def test_keys_are_compared_by_all_functions_of_equality() -> None:
    key, keys = olympus.random.key(0), olympus.random.split(olympus.random.key(0), 3)
    other = keys.at[1].set(key)
    expected = [False, True, False]
    for f in (jnp.equal, jnp.isclose):
        assert f(other, key).tolist() == expected and olympus.jit(f)(other, key).tolist() == expected
    assert lax.eq(other, keys).tolist() == [True, False, True] and lax.ne(other, keys).tolist() == expected
    assert bool(jnp.allclose(keys, keys)) and not bool(jnp.allclose(other, keys))
    assert olympus.vmap(lambda k: lax.eq(k, key))(other).tolist() == expected
    with pytest.raises(ArgumentError):
        jnp.isclose(key, olympus.random.key(0, impl="rbg"))
