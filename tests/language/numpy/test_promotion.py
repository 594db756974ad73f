# SPDX-License-Identifier: Apache-2.0
"""The lattice of element types, against a table of constants; weakness; Python integers that do not fit."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus_core import dtypes
from olympus_core.errors import ArgumentError, LiteralRangeError

TABLE = """
      b1  u1  u2  u4  u8  i1  i2  i4  i8  bf  f2  f4  f8  c8 c16  i*  f*  c*
 b1   b1  u1  u2  u4  u8  i1  i2  i4  i8  bf  f2  f4  f8  c8 c16  i*  f*  c*
 u1   u1  u1  u2  u4  u8  i2  i2  i4  i8  bf  f2  f4  f8  c8 c16  u1  f*  c*
 u2   u2  u2  u2  u4  u8  i4  i4  i4  i8  bf  f2  f4  f8  c8 c16  u2  f*  c*
 u4   u4  u4  u4  u4  u8  i8  i8  i8  i8  bf  f2  f4  f8  c8 c16  u4  f*  c*
 u8   u8  u8  u8  u8  u8  f*  f*  f*  f*  bf  f2  f4  f8  c8 c16  u8  f*  c*
 i1   i1  i2  i4  i8  f*  i1  i2  i4  i8  bf  f2  f4  f8  c8 c16  i1  f*  c*
 i2   i2  i2  i4  i8  f*  i2  i2  i4  i8  bf  f2  f4  f8  c8 c16  i2  f*  c*
 i4   i4  i4  i4  i8  f*  i4  i4  i4  i8  bf  f2  f4  f8  c8 c16  i4  f*  c*
 i8   i8  i8  i8  i8  f*  i8  i8  i8  i8  bf  f2  f4  f8  c8 c16  i8  f*  c*
 bf   bf  bf  bf  bf  bf  bf  bf  bf  bf  bf  f4  f4  f8  c8 c16  bf  bf  c8
 f2   f2  f2  f2  f2  f2  f2  f2  f2  f2  f4  f2  f4  f8  c8 c16  f2  f2  c8
 f4   f4  f4  f4  f4  f4  f4  f4  f4  f4  f4  f4  f4  f8  c8 c16  f4  f4  c8
 f8   f8  f8  f8  f8  f8  f8  f8  f8  f8  f8  f8  f8  f8 c16 c16  f8  f8 c16
 c8   c8  c8  c8  c8  c8  c8  c8  c8  c8  c8  c8  c8 c16  c8 c16  c8  c8  c8
c16  c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16
 i*   i*  u1  u2  u4  u8  i1  i2  i4  i8  bf  f2  f4  f8  c8 c16  i*  f*  c*
 f*   f*  f*  f*  f*  f*  f*  f*  f*  f*  bf  f2  f4  f8  c8 c16  f*  f*  c*
 c*   c*  c*  c*  c*  c*  c*  c*  c*  c*  c8  c8  c8 c16  c8 c16  c*  c*  c*
"""
ROWS = [line.split() for line in TABLE.strip().splitlines()]
NAMES = ROWS[0]
TYPES = {
    "b1": dtypes.bool_, "u1": dtypes.uint8, "u2": dtypes.uint16, "u4": dtypes.uint32, "u8": dtypes.uint64,
    "i1": dtypes.int8, "i2": dtypes.int16, "i4": dtypes.int32, "i8": dtypes.int64, "bf": dtypes.bfloat16,
    "f2": dtypes.float16, "f4": dtypes.float32, "f8": dtypes.float64, "c8": dtypes.complex64, "c16": dtypes.complex128,
}
NUMBERS = {"i*": 1, "f*": 1.0, "c*": 1j}
WEAK = {"i": "i*", "f": "f*", "c": "c*"}
ENTRIES = {(row[0], column): entry for row in ROWS[1:] for column, entry in zip(NAMES, row[1:], strict=True)}


def operand(name: str) -> object:
    return NUMBERS[name] if name in NUMBERS else np.ones((), TYPES[name])


def short(x: object) -> str:
    if x.weak_type:
        return WEAK[x.dtype.kind]
    return next(name for name, dtype in TYPES.items() if dtype == x.dtype)


@pytest.mark.parametrize("left", NAMES)
def test_every_pair_of_types_in_64_bits(left: str) -> None:
    with olympus.enable_x64(True):
        found = {right: short(jnp.multiply(operand(left), operand(right))) for right in NAMES}
    assert found == {right: ENTRIES[left, right] for right in NAMES}


@pytest.mark.parametrize("left", NAMES)
def test_every_pair_of_types_in_32_bits(left: str) -> None:
    """Types of 64 bits stand for their kin of 32."""
    narrow = {"u8": "u4", "i8": "i4", "f8": "f4", "c16": "c8"}
    names = [name for name in NAMES if name not in narrow]
    if left in narrow:
        pytest.skip("there are no such arrays")
    found = {right: short(jnp.multiply(operand(left), operand(right))) for right in names}
    assert found == {right: narrow.get(ENTRIES[left, right], ENTRIES[left, right]) for right in names}


def test_promotion_is_the_same_for_types_and_for_arrays() -> None:
    with olympus.enable_x64(True):
        for a, ta in TYPES.items():
            for b, tb in TYPES.items():
                expected = {"f*": dtypes.float64}.get(ENTRIES[a, b], TYPES.get(ENTRIES[a, b]))
                assert jnp.promote_types(ta, tb) == expected
                assert jnp.result_type(ta, tb) == expected


def test_narrow_floats_have_no_common_type() -> None:
    with pytest.raises(ArgumentError, match="have no common one"):
        jnp.add(jnp.zeros(2, jnp.float8_e5m2), jnp.zeros(2, jnp.float32))


def test_results_of_numbers_alone_are_weak() -> None:
    assert (jnp.asarray(1) + 2.0).weak_type
    assert jnp.sqrt(4).weak_type
    assert not jnp.zeros(2).weak_type
    assert not (jnp.zeros(2) + 1).weak_type
    assert not jnp.asarray(True).weak_type
    assert (jnp.asarray(1.0) > 0).weak_type and not (jnp.zeros(2) > 0).weak_type
    assert not jnp.sum(jnp.asarray(1.0)).weak_type
    assert not jnp.asarray(1.0).astype(jnp.float32).weak_type


@pytest.mark.parametrize("use", [
    lambda x: x + 300, lambda x: 300 + x, lambda x: x - -1, lambda x: jnp.maximum(x, -1), lambda x: x == 1000,
    lambda x: x.at[0].set(256), lambda x: jnp.where(x > 1, x, 256),
])
@pytest.mark.parametrize("traced", [False, True])
def test_integers_that_do_not_fit(use: object, traced: bool) -> None:
    x = jnp.zeros(2, jnp.uint8)
    with pytest.raises(LiteralRangeError, match="does not fit uint8") as caught:
        (olympus.jit(use) if traced else use)(x)
    assert isinstance(caught.value, OverflowError)
    assert "to do" in str(caught.value)


def test_integers_beyond_the_default_type() -> None:
    with pytest.raises(OverflowError):
        jnp.asarray(2**40)
    with olympus.enable_x64(True):
        assert int(jnp.asarray(2**40)) == 2**40


def test_host_arrays_of_64_bits_become_32() -> None:
    assert jnp.asarray(np.arange(3)).dtype == jnp.int32
    assert jnp.asarray(np.arange(3.0)).dtype == jnp.float32
    assert (np.arange(3.0) * jnp.ones(3)).dtype == jnp.float32


def test_element_types_as_names() -> None:
    x = jnp.float32(3)
    assert x.dtype == jnp.float32 and jnp.float32 == x.dtype and jnp.float32 == np.float32
    assert x.dtype != jnp.int32
    assert np.dtype(jnp.bfloat16) == dtypes.bfloat16
    assert {jnp.int8: 1}[np.int8] == {np.int8: 1}[jnp.int8] == 1
    assert jnp.float32.__name__ == "float32" and isinstance(jnp.float32, type) and jnp.float32.dtype == np.float32
    assert isinstance(np.float32(1), jnp.float32) and not isinstance(1.0, jnp.float32)
    assert pickle.loads(pickle.dumps(jnp.bfloat16)) is jnp.bfloat16
    # Python's classes stand for types whose width the configuration says; anything else is no element type.
    assert not any(jnp.float64 == other for other in (float, int, None, {}, object(), "no such type"))
    assert not any(x == y for x, y in ((jnp.bool_, bool), (jnp.int64, int), (jnp.complex128, complex)))
    assert jnp.zeros(2, "float16").dtype == jnp.float16 == np.zeros(2, jnp.float16).dtype
    assert repr(jnp.int8) == "<class 'olympus.numpy.int8'>"
    with pytest.raises(ArgumentError, match="an element type is not known"):
        jnp.zeros(2, "no such type")


def test_kinds_of_element_types() -> None:
    assert jnp.issubdtype(jnp.bfloat16, jnp.floating) and jnp.issubdtype(jnp.bfloat16, jnp.inexact)
    assert not jnp.issubdtype(jnp.bfloat16, jnp.integer)
    assert jnp.issubdtype(jnp.uint8, jnp.unsignedinteger) and jnp.issubdtype(jnp.integer, jnp.number)
    assert jnp.issubdtype("float32", jnp.float32) and not jnp.issubdtype("float32", jnp.float16)
    assert jnp.isdtype(jnp.complex64, ("real floating", "complex floating"))
    assert not jnp.isdtype(jnp.bool_, "numeric")
    assert jnp.finfo(jnp.float16).max == 65504 and jnp.iinfo(jnp.int16).min == -(2**15)


def test_element_types_of_which_there_are_no_arrays() -> None:
    assert jnp.int4.dtype.name == "int4" and jnp.int4 != jnp.int8 and jnp.zeros(1).dtype != jnp.float8_e4m3fnuz
    assert jnp.issubdtype(jnp.uint4, jnp.unsignedinteger) and not jnp.issubdtype(jnp.uint4, jnp.signedinteger)
    assert jnp.issubdtype(jnp.float8_e5m2fnuz, jnp.floating) and not jnp.issubdtype(jnp.int2, jnp.inexact)
    assert jnp.iscomplexobj(jnp.complex64) and not jnp.iscomplexobj(np.dtype("float32"))
    assert jnp.iinfo(jnp.int4).max == 7 and jnp.finfo(jnp.float8_e4m3fnuz).bits == 8
    has_one_bit = hasattr(ml_dtypes, "int1")  # since 0.6, which Python 3.10 does not get
    assert hasattr(jnp, "int1") == hasattr(jnp, "uint1") == has_one_bit == ("int1" in dir(jnp))
    makes = (lambda: jnp.zeros(2, jnp.int1), lambda: jnp.ones(2).astype(jnp.uint1), lambda: jnp.int1(1))
    for make in makes if has_one_bit else ():
        with pytest.raises(ArgumentError, match="no arrays of this element type"):
            make()


def test_result_type_of_a_container_that_tells_its_own() -> None:
    class Named:
        dtype = np.dtype(np.float16)

    assert jnp.result_type(Named(), 1.0) == np.float16 and jnp.result_type(Named(), jnp.float32) == np.float32


@pytest.mark.parametrize("jitted", [False, True])
@pytest.mark.parametrize("f", [
    lambda x, n: jnp.append(x, n), lambda x, n: jnp.dot(x, n), lambda x, n: jnp.outer(x, n),
    lambda x, n: jnp.insert(x, 1, n), lambda x, n: jnp.pad(x, 1, constant_values=n), lambda x, n: lax.clamp(x, x, n),
    lambda x, n: jnp.take(x, jnp.array([9]), mode="fill", fill_value=n), lambda x, n: jnp.select([x > 1], [x], n),
    lambda x, n: jnp.diff(x, prepend=n), lambda x, n: jnp.diff(x, append=n), lambda x, n: jnp.ediff1d(x, to_begin=n),
    lambda x, n: jnp.max(x, initial=n), lambda x, n: jnp.searchsorted(x, n), lambda x, n: jnp.digitize(n, x),
    lambda x, n: jnp.unique(x, size=6, fill_value=n), lambda x, n: jnp.compress(x > 1, x, size=4, fill_value=n),
    lambda x, n: jnp.polyval(x, n), lambda x, n: jnp.union1d(x, n, size=5),
])
def test_python_integers_that_a_type_cannot_hold_are_refused_everywhere(f: Any, jitted: bool) -> None:
    """They became what is left of them modulo a power of two, without a word."""
    run = (lambda x, n: olympus.jit(lambda x: f(x, n))(x)) if jitted else f
    for dtype, beyond, fitting in (("uint8", 300, 250), ("uint8", -1, 130), ("int8", 200, -100), ("uint16", -2, 40000)):
        x = jnp.arange(4).astype(dtype)
        assert np.asarray(run(x, fitting)).size
        with pytest.raises(LiteralRangeError):
            run(x, beyond)


def test_python_integers_beyond_a_type_mean_themselves_where_they_are_no_element() -> None:
    x = jnp.arange(4).astype("uint8")
    assert np.array_equal(jnp.isin(x, 300), [False] * 4)
    assert jnp.sum(x, initial=300) == 306
    assert np.array_equal(jnp.clip(x, -1, 300), x)
    assert np.array_equal(jnp.take(x, -1), 3)
    assert np.array_equal(jnp.roll(x, -1), [1, 2, 3, 0]) and jnp.roll(x, 1001).shape == (4,)


@pytest.mark.parametrize("function", [jnp.logical_and, jnp.logical_or, jnp.logical_xor])
def test_truth_is_weak_only_of_two_weak_operands(function: Callable[..., Any]) -> None:
    strong = jnp.array([1, 0], "int8")
    assert not function(strong, 2.5).weak_type and not function(2.5, strong).weak_type
    assert function(2, 2.5).weak_type


def test_the_distance_of_numbers_at_equal_distances_is_not_weak() -> None:
    for count in (1, 3):
        assert not jnp.linspace(0, 3, count, retstep=True)[1].weak_type


@pytest.mark.parametrize("number", [256, 511, -1, -2**31])
def test_a_number_beyond_the_type_is_in_no_array(number: int) -> None:
    small = np.array([0, 1, 255], np.uint8)
    assert jnp.isin(small, number).tolist() == [False] * 3
    assert jnp.isin(small, number, invert=True).tolist() == [True] * 3
    assert jnp.isin(number, small).tolist() is False and jnp.isin(255, small).tolist() is True
