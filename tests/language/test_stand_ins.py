# SPDX-License-Identifier: Apache-2.0
"""What stands for an array may be used from outside where only types matter, and is refused where a value is needed."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import ArgumentError

STRUCT = olympus.ShapeDtypeStruct((3,), "float32")


@pytest.mark.parametrize("function, shapes", [
    (lambda x: STRUCT, (3,)),
    (lambda x: (STRUCT, x), ((3,), (2, 3))),
    (lambda x: jnp.sin(STRUCT) + x, (2, 3)),
    (lambda x: olympus.jit(lambda y: y @ STRUCT)(x), (2,)),
    (lambda x: olympus.vmap(lambda row: row * STRUCT)(x), (2, 3)),
    (olympus.grad(lambda x: (x * STRUCT).sum()), (2, 3)),
    (lambda x: lax.scan(lambda carry, row: (carry + STRUCT, row), x[0], x)[1], (2, 3)),
])
def test_types_are_found_of_what_stands_outside(function: Callable[..., Any], shapes: Any) -> None:
    found = olympus.eval_shape(function, jnp.ones((2, 3)))
    assert (found.shape if isinstance(found, olympus.ShapeDtypeStruct) else tuple(f.shape for f in found)) == shapes


def test_weak_types_and_shardings_of_what_stands_outside_are_kept() -> None:
    weak = olympus.ShapeDtypeStruct((), "float32", weak_type=True)
    assert olympus.eval_shape(lambda: weak * jnp.ones(2, jnp.float16)).dtype == jnp.float16
    assert str(olympus.make_jaxpr(lambda: STRUCT)()) == "{ lambda a:f32[3]; . let  in (a,) }"


@pytest.mark.parametrize("call", [
    lambda: olympus.jit(lambda: STRUCT)(),
    lambda: olympus.jit(lambda x: x + STRUCT)(jnp.ones(3)),
    lambda: olympus.jit(lambda: STRUCT).lower().compile(),
    lambda: olympus.export.export(olympus.jit(lambda: STRUCT))(),
    lambda: jnp.sin(STRUCT),
    lambda: olympus.vmap(lambda x: x + STRUCT)(jnp.ones((2, 3))),
    lambda: olympus.grad(lambda x: (x * STRUCT).sum())(jnp.ones(3)),
    lambda: lax.scan(lambda carry, x: (carry + STRUCT, x), jnp.ones(3), jnp.ones(2)),
    lambda: olympus.pmap(lambda x: x + STRUCT)(jnp.ones((8, 3))),
])
def test_a_call_needs_a_value(call: Callable[[], Any]) -> None:
    with pytest.raises(ArgumentError, match="a call needs a value"):
        call()


class Described:
    """Tells a shape and an element type, and is no array."""

    def __init__(self, shape: tuple[int, ...], dtype: Any) -> None:
        self.shape, self.dtype = shape, dtype


def test_whatever_has_a_shape_and_an_element_type_stands_for_an_array() -> None:
    def product(a: Any, b: Any) -> Any:
        return a["weights"] @ b

    given = {"weights": Described((3, 4), "float32")}, Described((4, 5), jnp.float32)
    assert olympus.eval_shape(product, *given) == olympus.ShapeDtypeStruct((3, 5), "float32")
    assert olympus.jit(product).lower(*given).out_info.shape == (3, 5)
    assert olympus.jit(product).trace(*given).out_info.shape == (3, 5)
    with pytest.raises(ArgumentError, match="is not an array"):
        olympus.jit(product)(*given)
    ref = olympus.new_ref(jnp.ones(3))  # which has both, and is itself
    assert olympus.eval_shape(lambda: ref[...] * 2).shape == (3,)


def test_the_element_type_is_kept_and_narrowed_where_functions_are_traced() -> None:
    for given, kept, traced in (("float64", "float64", "float32"), (int, "int64", "int32"),
                                ("uint64", "uint64", "uint32"),
                                (complex, "complex128", "complex64"), (">f8", "float64", "float32"),
                                ("float16", "float16", "float16"), (bool, "bool", "bool")):
        struct = olympus.ShapeDtypeStruct((2,), given)
        assert struct.dtype == np.dtype(kept)
        assert struct == olympus.ShapeDtypeStruct((2,), kept)
        assert pickle.loads(pickle.dumps(struct)) == struct
        assert struct.update(shape=()).dtype == struct.dtype
        assert olympus.eval_shape(lambda x: x, struct).dtype == traced
        assert olympus.jit(lambda x: x).lower(struct).out_info.dtype == traced
        assert jnp.zeros_like(struct).dtype == traced
        with olympus.enable_x64(True):
            assert olympus.eval_shape(lambda x: x, struct).dtype == kept
    key = olympus.random.key(0)
    assert olympus.ShapeDtypeStruct((), key.dtype).dtype == key.dtype
    (back,) = olympus.linear_transpose(lambda x: 2 * x, olympus.ShapeDtypeStruct((2,), "float64"))(jnp.ones(2))
    assert back.dtype == jnp.float32
