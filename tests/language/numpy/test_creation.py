# SPDX-License-Identifier: Apache-2.0
"""New arrays, against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus_core.errors import ArgumentError, ConcretizationError, OutOfMemoryError


def same(found: object, expected: object) -> None:
    expected = np.asarray(expected)
    assert found.shape == expected.shape
    np.testing.assert_array_equal(np.asarray(found), expected)


@pytest.mark.parametrize("value, dtype", [
    (3, "int32"), (2.5, "float32"), (True, "bool"), (1j, "complex64"), ([1, 2], "int32"), ([1, 2.5], "float32"),
    ([[True], [False]], "bool"), ([], "float32"), ([[], []], "float32"), (np.int8(3), "int8"), (np.float64(3),
    "float32"),
    (np.arange(3, dtype=np.uint16), "uint16"), (np.arange(3), "int32"), ((1, 2), "int32"), ([1, 1j], "complex64"),
    ([np.float16(1), np.float16(2)], "float16"), (np.zeros((2, 0), np.float32), "float32"),
])
def test_array_of_host_values(value: object, dtype: str) -> None:
    for found in (jnp.array(value), jnp.asarray(value), olympus.jit(lambda: jnp.array(value))()):
        assert found.dtype.name == dtype
        same(found, np.asarray(value).astype(dtype))


@pytest.mark.parametrize("made", [
    jnp.array, lambda x: jnp.array(x, x.dtype, copy=True), lambda x: jnp.astype(x, x.dtype, copy=True),
    lambda x: x.astype(x.dtype, copy=True), lambda x: x.flatten(), lambda x: olympus.device_put(x, may_alias=False),
    lambda x: jnp.array(x, ndmin=1),
])
@pytest.mark.parametrize("donated", ["the copy", "the original"])
def test_copies_outlive_what_they_are_of(made: Callable[[Any], Any], donated: str) -> None:
    x = jnp.arange(1.0, 5.0)
    fresh = made(x)
    given, kept = (fresh, x) if donated == "the copy" else (x, fresh)
    olympus.jit(jnp.negative, donate_argnums=0)(given)
    assert given.is_deleted()
    assert kept.tolist() == [1, 2, 3, 4]
    assert fresh.weak_type == x.weak_type and fresh.sharding == x.sharding and fresh.committed == x.committed


def test_copies_of_keys_and_split_arrays_are_what_these_are() -> None:
    key = olympus.random.key(0)
    assert jnp.array(key) is not key and jnp.array(key) == key
    x = olympus.device_put(jnp.arange(4), olympus.sharding.NamedSharding(
        olympus.make_mesh((2,), ("i",)), olympus.sharding.PartitionSpec("i")))
    for fresh in (jnp.array(x), x.flatten(), olympus.device_put(x, may_alias=False)):
        assert fresh is not x and fresh.sharding == x.sharding and fresh.committed


def test_what_is_known_in_a_trace_stays_known() -> None:
    known = jnp.array(3)
    assert olympus.jit(lambda x: x * int(jnp.array(known)))(2) == 6
    assert jnp.array(known, copy=False) is known


def test_array_of_arrays() -> None:
    x = jnp.arange(2)
    same(jnp.array([x, [5, 6]]), [[0, 1], [5, 6]])
    same(jnp.array([x[0], 2.5]), [0, 2.5])
    same(olympus.jit(lambda v: jnp.array([[1, 2], [3, v]]))(4), [[1, 2], [3, 4]])
    same(olympus.jit(lambda v: jnp.asarray((v, v + 1, np.float32(3))))(1.0), [1, 2, 3])
    assert jnp.array([jnp.asarray(1.0), 2]).weak_type is False
    same(jnp.array(x, dtype=jnp.float16, ndmin=2), [[0, 1]])
    assert jnp.asarray(x) is x


class Color(IntEnum):
    RED = 1


def test_array_of_odd_things() -> None:
    same(jnp.asarray(Color.RED), 1)
    same(jnp.array(range(3)), [0, 1, 2])
    same(jnp.array(memoryview(b"ab")), [97, 98])
    for wrong in ("text", object(), [1, "a"], [[1, 2], [3]], np.array(["a"])):
        with pytest.raises(ArgumentError):
            jnp.array(wrong)
    with pytest.raises(OverflowError):
        jnp.array([300], dtype=jnp.uint8)


def test_conversions() -> None:
    x = np.array([1.9, -1.9, 300.0, np.nan, np.inf], np.float32)
    assert jnp.asarray(x, jnp.uint8).tolist() == [1, 0, 255, 0, 255]
    assert jnp.asarray(x[:2]).astype(int).tolist() == [1, -1]
    assert jnp.asarray([0.0, 0.5]).astype(bool).tolist() == [False, True]
    assert jnp.astype(jnp.arange(2), None).dtype == jnp.float32


@pytest.mark.parametrize("name", ["zeros", "ones", "empty"])
def test_constant_arrays(name: str) -> None:
    for shape in ((2, 3), 4, (), (0, 2), [1, 2], np.int64(3)):
        found = getattr(jnp, name)(shape)
        assert found.dtype == jnp.float32 and not found.weak_type
        same(found, np.zeros(shape) if name == "empty" else getattr(np, name)(shape))
    assert getattr(jnp, name)(2, jnp.int8).dtype == jnp.int8
    like = getattr(jnp, name + "_like")(np.zeros((2, 3), np.int16))
    assert like.dtype == jnp.int16 and like.shape == (2, 3)


def test_full() -> None:
    same(jnp.full((2, 2), 7), np.full((2, 2), 7))
    same(jnp.full((2, 3), np.arange(3)), np.full((2, 3), np.arange(3)))
    same(jnp.full_like(np.arange(3), 2.7), np.full_like(np.arange(3), 2.7))
    same(jnp.full_like(np.arange(3), 2.5, dtype=float, shape=(2,)), [2.5, 2.5])
    assert jnp.full((), 1).weak_type and not jnp.full((), 1, int).weak_type
    fill = olympus.jit(lambda v: jnp.full((2,), v, jnp.float32))
    same(fill(3), [3, 3])
    with pytest.raises(OverflowError):
        jnp.full((2,), 300, jnp.uint8)


@pytest.mark.parametrize("like", [jnp.zeros_like, jnp.ones_like, jnp.empty_like, lambda a: jnp.full_like(a, 2)])
def test_what_is_like_a_number_is_weakly_typed_as_it_is(like: Callable[[Any], Any]) -> None:
    for number in (3, 1.5, 2j, jnp.asarray(1.5)):
        assert like(number).weak_type
    for array in (np.float32(1.5), [1.5, 2.5], jnp.asarray(1.5, jnp.float32)):
        assert not like(array).weak_type
    assert (like(1.5) + jnp.ones(2, jnp.bfloat16)).dtype == jnp.bfloat16


bounds = st.integers(-20, 20)


@given(bounds, bounds, st.integers(-5, 5).filter(bool))
@settings(max_examples=60)
def test_arange_of_integers(start: int, stop: int, step: int) -> None:
    same(jnp.arange(start, stop, step), np.arange(start, stop, step))
    same(jnp.arange(stop), np.arange(stop))


def test_arange_of_other_things() -> None:
    same(jnp.arange(0, 1, 0.1), np.arange(0, 1, 0.1).astype(np.float32))
    same(jnp.arange(2.5), np.arange(2.5))
    assert jnp.arange(3, dtype=jnp.bfloat16).dtype == jnp.bfloat16
    assert jnp.arange(3.0).dtype == jnp.float32 and jnp.arange(3).dtype == jnp.int32
    assert jnp.arange(np.uint8(3)).dtype == jnp.uint8
    same(jnp.arange(jnp.asarray(3)), [0, 1, 2])
    with pytest.raises(ConcretizationError):
        olympus.jit(jnp.arange)(3)
    with pytest.raises(ArgumentError, match="step is zero"):
        jnp.arange(0, 3, 0)


@pytest.mark.parametrize("args, kwargs", [
    ((0, 1, 5), {}), ((0, 1, 5, False), {}), ((3, -2, 4), {}), ((0, 1, 1), {}), ((0, 1, 0), {}),
    ((np.array([0.0, 1.0]), np.array([2.0, 5.0]), 3), {}), ((np.zeros(2), np.ones(2), 3), {"axis": 1}),
    ((0, 10, 4), {"dtype": int}), ((0, 1j, 3), {}),
])
def test_linspace(args: tuple, kwargs: dict) -> None:
    found, expected = jnp.linspace(*args, **kwargs), np.linspace(*args, **kwargs)
    assert found.shape == expected.shape
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-6, atol=1e-6)


def test_other_ranges() -> None:
    found, step = jnp.linspace(0, 1, 5, retstep=True)
    assert float(step) == 0.25 and float(found[-1]) == 1
    np.testing.assert_allclose(np.asarray(jnp.logspace(0, 3, 4)), np.logspace(0, 3, 4), rtol=1e-5)
    np.testing.assert_allclose(np.asarray(jnp.geomspace(1, 1000, 4)), np.geomspace(1, 1000, 4), rtol=1e-5)
    assert float(jnp.linspace(0.1, 0.7, 33)[-1]) == np.float32(0.7)


def test_fromfunction_and_dlpack() -> None:
    same(jnp.fromfunction(lambda i, j: i * 10 + j, (2, 3), dtype=int), np.fromfunction(lambda i, j: i * 10 + j, (2, 3)))
    same(jnp.from_dlpack(np.arange(3, dtype=np.float32)), [0, 1, 2])
    same(jnp.copy(jnp.arange(3)), [0, 1, 2])


def test_placement() -> None:
    device = olympus.devices()[3]
    for x in (jnp.zeros(2, device=device), jnp.arange(3, device=device), jnp.array([1], device=device),
              jnp.ones(2, out_sharding=None, device=device)):
        assert x.devices() == {device} and x.committed
    mesh = olympus.make_mesh((8,), "x")
    sharding = olympus.NamedSharding(mesh, olympus.P("x"))
    assert jnp.zeros((16, 2), device=sharding).sharding.shard_shape((16, 2)) == (2, 2)
    with pytest.raises(ArgumentError, match="both device and out_sharding"):
        jnp.zeros(2, device=device, out_sharding=sharding)


@pytest.mark.parametrize("dtype", [">f4", ">f2", ">f8", ">i4", ">i8", ">u2", ">c8"])
def test_host_arrays_in_another_byte_order(dtype: str) -> None:
    """Are converted wherever a host array comes in; the order of bytes is no part of an element type."""
    x = np.arange(3).astype(dtype)
    double = olympus.jit(lambda a: a + a)
    for found in (jnp.asarray(x), jnp.array(x), olympus.device_put(x), jnp.array([x])[0], olympus.jit(lambda: x)(),
                  olympus.jit(lambda a: a)(x), olympus.vmap(lambda a: a + 0)(x), jnp.where(True, x, 0)):
        same(found, np.arange(3))
        assert found.dtype == jnp.asarray(x.astype(x.dtype.newbyteorder("="))).dtype
        assert found.dtype.isnative
    for order in ("<", ">", "<"):  # the same compiled program for both
        same(double(x.astype(x.dtype.newbyteorder(order))), [0, 2, 4])
    same(jnp.arange(3) + x, [0, 2, 4])
    same(olympus.jit(lambda a: a + x[2])(jnp.arange(3)), [2, 3, 4])
    with olympus.enable_x64(True):
        assert jnp.asarray(x).dtype == x.dtype.newbyteorder("=")


def test_element_types_and_indices_in_another_byte_order() -> None:
    same(jnp.arange(5)[np.array([3], ">i8")], [3])
    same(jnp.arange(3).at[np.array([1], ">u4")].set(np.array([7], ">i4")), [0, 7, 2])
    assert jnp.zeros(2, ">f4").dtype == jnp.arange(2).astype(">f4").dtype == jnp.float32
    assert jnp.promote_types(">f4", ">i4") == jnp.result_type(">f4", np.zeros(1, ">i4")) == np.float32


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("shape", [(1 << 40, 1 << 40), (1 << 31, 1 << 31), (1 << 62,)])
def test_more_than_any_memory_is_refused_as_such(shape: tuple[int, ...]) -> None:
    """Sizes that no address can tell get the error of those that the system does not have."""
    with pytest.raises(MemoryError, match="Out of memory"):
        jnp.zeros(shape).block_until_ready()
    with pytest.raises(MemoryError, match="Out of memory"):
        olympus.jit(lambda x: jnp.full(shape, x))(2.0).block_until_ready()


def test_more_than_any_memory_is_refused_on_the_way_too() -> None:
    """While tracing, whatever becomes of it."""
    for function in (
        lambda x: jnp.broadcast_to(x, (1 << 40, 1 << 40))[:2, :2], lambda x: jnp.zeros((1 << 62,)).sum() + x,
    ):
        for entry in (olympus.jit(function), function, lambda x, f=function: olympus.eval_shape(f, x)):
            with pytest.raises(OutOfMemoryError, match="more than any memory"):
                entry(2.0)
    column, row = (olympus.ShapeDtypeStruct(shape, np.float32) for shape in ((1 << 32, 1), (1, 1 << 32)))
    with pytest.raises(OutOfMemoryError, match="more than any memory"):
        olympus.eval_shape(lambda x, y: (x + y).max(), column, row)


def test_memory_of_devices_that_are_not_open_is_refused() -> None:
    class Elsewhere:
        def __dlpack_device__(self) -> tuple[int, int]:
            return (2, 7)

        def __dlpack__(self, **options: object) -> object:
            raise AssertionError

    with pytest.raises(ArgumentError, match=r"no device that is open has the value's memory"):
        jnp.from_dlpack(Elsewhere())
    with pytest.raises(ArgumentError, match=r"DLPack's device \(2, 7\)"):
        jnp.asarray(Elsewhere())


@pytest.mark.parametrize("narrow", [
    lambda x: x.astype(jnp.float32), lambda x: x.astype(int), lambda x: jnp.asarray(x, jnp.float32),
    lambda x: jnp.array(np.asarray(x), jnp.float32), lambda x: lax.convert_element_type(x, jnp.float32),
    lambda x: jnp.sum(x, dtype=jnp.float32), lambda x: jnp.cumsum(x, dtype=jnp.float32),
], ids=["astype", "int", "asarray", "host", "lax", "sum", "cumsum"])
def test_complex_numbers_that_lose_their_imaginary_part_are_told_of(narrow: Any) -> None:
    with pytest.warns(jnp.ComplexWarning, match="imaginary"):
        found = narrow(jnp.array([1 + 2j, 3 - 1j]))
    assert not jnp.iscomplexobj(found) and float(jnp.ravel(found)[0]) in (1, 4)


def test_complex_numbers_of_a_list_are_no_real_ones() -> None:
    with pytest.raises(TypeError, match="complex numbers do not fit float32"):
        jnp.array([1 + 2j], jnp.float32)
    x = jnp.array([1 + 2j, 0])  # what says so itself, and bools, warn of nothing
    assert x.astype(bool).tolist() == [True, False]
    assert x.real.tolist() == [1, 0] and float(jnp.abs(x)[1]) == 0


@pytest.mark.parametrize("kind", ["float16", "bfloat16", "float32", "int8"])
def test_logspace_has_the_type_of_its_ends(kind: str) -> None:
    start = jnp.asarray(1, kind)
    found = jnp.logspace(start, 2, 3)
    assert found.dtype == jnp.linspace(start, 2, 3).dtype
    np.testing.assert_allclose(np.asarray(found).astype(float), [10, 31.6228, 100], rtol=1e-2)
    assert jnp.logspace(start, 2, 3, base=jnp.float32(2)).dtype == np.float32
    assert jnp.linspace(start, 3, 1, retstep=True)[1].dtype == jnp.linspace(start, 3, 2, retstep=True)[1].dtype


@pytest.mark.parametrize("make", [lambda v, t: lax.full((2,), v, t), lambda v, t: jnp.full((2,), v, t),
                                  lambda v, t: jnp.full_like(np.ones(2, np.float32), v, dtype=t)])
def test_full_of_floats_saturates_in_integers_and_rounds_once_in_floats(make: Any) -> None:
    for value, dtype, expected in ((np.inf, "int32", 2**31 - 1), (np.nan, "int32", 0), (-1.5, "uint8", 0),
                                   (300.0, "uint8", 255), (1.5, "int32", 1), (1e-300, "bool", True),
                                   (1 + 2**-11 + 2**-30, "float16", np.float16(1.001))):
        found = make(value, dtype)
        assert found.dtype == dtype and found.tolist() == [expected] * 2
