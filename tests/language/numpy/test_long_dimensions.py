# SPDX-License-Identifier: Apache-2.0
"""Dimensions longer than int32 counts: places in them are int64, whatever `olympus_enable_x64` says.

The arrays are only traced: what the programs do is the same as for short ones, in another element type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus_core.errors import LiteralRangeError

LONG = 2**31 + 5


def struct(shape: tuple[int, ...], dtype: str = "int8") -> olympus.ShapeDtypeStruct:
    return olympus.ShapeDtypeStruct(shape, np.dtype(dtype))


X, FLAT, INDEX, MANY = struct((LONG,)), struct((2**16, 2**16)), struct((), "int32"), struct((3,), "int32")


@pytest.fixture(params=[False, True], ids=["narrow", "wide"], autouse=True)
def width(request: pytest.FixtureRequest) -> Iterator[None]:
    with olympus.enable_x64(request.param):
        yield


@pytest.mark.parametrize("find", [
    jnp.argmax, jnp.argmin, jnp.argsort, lambda x: jnp.argsort(x, descending=True), lambda x: jnp.lexsort((x, x)),
    lambda x: jnp.nonzero(x, size=3)[0], lambda x: jnp.searchsorted(x, 3), lambda x: jnp.digitize(3, x),
    lambda x: lax.top_k(x, 3)[1], lambda x: jnp.nanargmax(x.astype("float32")),
])
def test_places_are_wide(find: Callable[[Any], Any]) -> None:
    assert olympus.eval_shape(find, X).dtype == np.int64


@pytest.mark.parametrize("find", [
    jnp.argmax, jnp.nanargmin, lambda x: jnp.nonzero(x, size=3)[0], jnp.argmin, lambda x: jnp.argsort(x, axis=None)])
def test_places_in_flat_arrays_are_wide(find: Callable[[Any], Any]) -> None:
    assert olympus.eval_shape(find, struct(FLAT.shape, "float32")).dtype == np.int64


def test_places_in_short_dimensions_stay() -> None:
    default = np.int64 if olympus.config.olympus_enable_x64 else np.int32
    assert olympus.eval_shape(lambda x: jnp.argmax(x, 1), FLAT).dtype == default
    assert olympus.eval_shape(jnp.argsort, FLAT).dtype == default
    assert olympus.eval_shape(lambda x: lax.top_k(x, 3)[1], FLAT).dtype == np.int32


def index_types(function: Callable[..., Any], *arguments: Any) -> set[str]:
    """The element types of the indices in a program."""
    found = set()
    for operation in olympus.make_program(function)(*arguments).operations:
        first = {"gather": 1, "scatter": 1, "dynamic_slice": 1, "dynamic_update_slice": 2}.get(operation.name)
        if first is not None:
            last = first + 1 if operation.name in ("gather", "scatter") else None
            found |= {v.type.dtype.name for v in operation.operands[first:last]}
    return found


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint32"])
@pytest.mark.parametrize("shape", [(), (3,)], ids=["one", "many"])
def test_indices_are_wide(shape: tuple[int, ...], dtype: str) -> None:
    i = struct(shape, dtype)
    assert index_types(lambda x, i: x[i], X, i) == {"int64"}
    assert index_types(lambda x, i: x.at[i].get(mode="wrap"), X, i) == {"int64"}
    assert index_types(lambda x, i: x.at[i].set(1), X, i) == {"int64"}
    assert index_types(lambda x, i: x.at[i].add(1, mode="clip"), X, i) == {"int64"}
    assert index_types(jnp.take, X, i) == {"int64"}
    assert index_types(lambda x, i: jnp.take(x, i, mode="wrap"), X, i) == {"int64"}
    if shape:
        assert index_types(lambda x, i: jnp.take_along_axis(x, i, 0), X, i) == {"int64"}
        assert index_types(lambda x, i: x[i, i], struct((LONG, 4)), i) == {"int64"}
        assert index_types(lambda x, i: olympus.vmap(lambda k: x[k])(i), X, i) == {"int64"}
    else:
        holding = {dtype} if dtype == "uint32" else {"int64"}
        assert index_types(lambda x, i: lax.dynamic_slice(x, (i,), (3,)), X, i) == holding
        assert index_types(lambda x, i: lax.dynamic_update_slice(x, x[:3], (i,)), X, i) == holding


def test_numbers_as_indices() -> None:
    """They are no arguments of a program, but in it."""
    (cut, _) = olympus.make_program(lambda x: x[-1])(X).operations
    assert cut.attributes["starts"] == (LONG - 1,)
    program = str(olympus.make_program(lambda x: x.at[LONG - 2].set(1))(X))
    assert f"int64[]({LONG - 2})" in program
    program = str(olympus.make_program(lambda x: x.at[LONG + 7].set(1))(X))
    assert "mode='drop'" in program and f"({LONG + 7})" in program
    program = str(olympus.make_program(lambda x: lax.dynamic_slice(x, (LONG - 5,), (3,)))(X))
    assert f"int64[]({LONG - 5})" in program


def test_derivatives() -> None:
    x = struct((LONG,), "float32")
    for f in (lambda x: jnp.sort(x)[0], lambda x: x[jnp.array([1, 2])].sum(), lambda x: x.at[LONG - 3].set(3.0).sum(),
              lambda x: x.at[np.array([LONG - 3])].mul(2.0).sum(), lambda x: x[np.array([LONG - 3])].sum(),
              lambda x: lax.dynamic_slice(x, (LONG - 3,), (1,))[0], lambda x: lax.top_k(x, 2)[0].sum()):
        assert "(-2" not in str(olympus.make_program(olympus.grad(f))(x))
        assert olympus.eval_shape(olympus.grad(f), x).shape == x.shape
        assert index_types(olympus.grad(f), x) == {"int64"}


def test_places_of_long_shapes() -> None:
    """The arrays of indices themselves are short."""
    i = jnp.array([2**20 + 3, -1], jnp.int32)
    rows, columns = jnp.unravel_index(i, (2**20, 2**20))
    assert rows.tolist() == [1, 2**20 - 1] and columns.tolist() == [3, 2**20 - 1]
    j = jnp.array([2**20 - 1, 5], jnp.int32)
    assert jnp.ravel_multi_index((j, j), (2**20, 2**20)).tolist() == [2**40 - 1, 5 * 2**20 + 5]


def test_numbers_that_int32_does_not_hold() -> None:
    """A range in the default type; who names the type gets it."""
    if olympus.config.olympus_enable_x64:
        assert olympus.eval_shape(lambda: jnp.arange(LONG)).dtype == np.int64
        assert jnp.arange(2**31 - 1, 2**31 + 1).tolist() == [2**31 - 1, 2**31]
        return
    for f in (lambda: jnp.arange(LONG), lambda: jnp.arange(2**31 - 1, 2**31 + 1)):
        with pytest.raises(LiteralRangeError, match="arange"):
            olympus.eval_shape(f)
    assert olympus.eval_shape(lambda: jnp.arange(LONG, dtype="int32")).dtype == np.int32


def test_wide_arrays_outside_of_the_setting() -> None:
    """Made where it held: as indices and beside numbers they stay what they are."""
    with olympus.enable_x64(True):
        i = jnp.arange(-2, 2)
        starts = jnp.array([2**63 + 1, 2], jnp.uint64)
    x = jnp.arange(5)
    assert x[i].tolist() == [3, 4, 0, 1] and x.at[i].set(7).tolist() == [7, 7, 2, 7, 7]
    assert lax.sub(5, i).tolist() == [7, 6, 5, 4]
    assert olympus.vmap(lambda k: lax.dynamic_slice(x, (k,), (2,)))(starts).tolist() == [[3, 4], [2, 3]]
