# SPDX-License-Identifier: Apache-2.0
"""2- and 4-bit integers: every pair of numbers against wide integers, of which the low bits are kept."""

from __future__ import annotations

import itertools
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import ArgumentError, LiteralRangeError, TypePromotionError
from olympus.sharding import Mesh, NamedSharding
from olympus.sharding import PartitionSpec as P

NAMES = ("int2", "int4", "uint2", "uint4")


def numbers(name: str) -> np.ndarray:
    """All numbers of a type, as wide integers."""
    limits = ml_dtypes.iinfo(name)
    return np.arange(int(limits.min), int(limits.max) + 1)


def wrapped(values: Any, name: str) -> np.ndarray:
    """The low bits of wide integers, as elements of the type."""
    bits = int(ml_dtypes.iinfo(name).bits)
    low = np.asarray(values) & ((1 << bits) - 1)
    return np.where((low >> (bits - 1) == 1) & (name[0] == "i"), low - (1 << bits), low).astype(name)


def check(found: Any, values: Any, name: str) -> None:
    """The array has these wide integers' low bits."""
    host = np.asarray(found)
    assert host.dtype == name
    np.testing.assert_array_equal(host.astype(int), wrapped(values, name).astype(int))


@pytest.mark.parametrize("name", NAMES)
def test_arithmetic_of_every_pair(name: str) -> None:
    own = numbers(name)
    x, y = (np.array(v) for v in zip(*itertools.product(own, own), strict=True))
    bits = int(ml_dtypes.iinfo(name).bits)
    mask, shift = (1 << bits) - 1, np.abs(y) % bits

    @olympus.jit
    def compute(x: Any, y: Any, shift: Any) -> Any:
        arithmetic = (x + y, x - y, x * y, -x, ~x, x & y, x | y, x ^ y, jnp.maximum(x, y), jnp.minimum(x, y),
                      lax.shift_left(x, shift), lax.shift_right_arithmetic(x, shift),
                      lax.shift_right_logical(x, shift), lax.population_count(x), lax.clz(x), jnp.abs(x),
                      lax.integer_pow(x, 3), jnp.where(x > y, x, y), x // y, x % y)
        return arithmetic, (x < y, x == y, x >= y)

    found, compared = compute(*(v.astype(name) for v in (x, y, shift)))
    signed = x if name[0] == "i" else wrapped(x, f"int{bits}").astype(int)
    divisor = np.where(y == 0, 1, y)
    wanted = (x + y, x - y, x * y, -x, ~x, x & y, x | y, x ^ y, np.maximum(x, y), np.minimum(x, y), x << shift,
              x >> shift, (x & mask) >> shift, [bin(v & mask).count("1") for v in x.tolist()],
              [bits - int(v & mask).bit_length() for v in x.tolist()], np.abs(x), x**3, np.where(x > y, x, y),
              x // divisor, x % divisor)
    assert name[0] == "u" or (signed == x).all()
    for number, (one, expected) in enumerate(zip(found, wanted, strict=True)):
        if number == 11 and name[0] == "u":
            expected = signed >> shift  # the highest bit is the sign of an arithmetic shift
        keep = y != 0 if number >= 18 else slice(None)
        check(np.asarray(one)[keep], np.asarray(expected)[keep], name)
    for one, expected in zip(compared, (x < y, x == y, x >= y), strict=True):
        np.testing.assert_array_equal(one, expected)


@pytest.mark.parametrize("name", NAMES)
def test_conversions(name: str) -> None:
    own, limits = numbers(name), ml_dtypes.iinfo(name)
    floats = np.float32([100, -100, 1.75, -1.75, 0.5, np.nan, np.inf, -np.inf, -0.0])
    saturated = np.clip(np.trunc(np.nan_to_num(floats, posinf=99, neginf=-99)), int(limits.min), int(limits.max))
    check(jnp.asarray(floats).astype(name), saturated.astype(int), name)
    wide = np.arange(-300, 300, dtype=np.int32)
    check(jnp.asarray(wide).astype(name), wide, name)
    check(jnp.asarray([True, False]).astype(name), [1, 0], name)
    x = jnp.asarray(own.astype(name))
    for target in ("float32", "int8", "uint32", "bfloat16", "float8_e4m3fn", "complex64", "bool"):
        np.testing.assert_array_equal(np.asarray(x.astype(target)), own.astype(np.int32).astype(target))
    for other in NAMES:
        check(x.astype(other), own, other)
    assert x.nbytes == own.size and x.itemsize == 1 and x.tolist() == own.tolist()
    check(np.asarray(x), own, name)
    assert str(jnp.iinfo(name).max) == str(limits.max)


def test_folds_and_moves() -> None:
    values = np.random.default_rng(3).integers(-8, 8, (5, 7))
    x = jnp.asarray(values.astype("int4"))

    @olympus.jit
    def compute(x: Any) -> Any:
        return (jnp.sum(x, 0, dtype="int4"), jnp.prod(x, 1, dtype="int4"), jnp.max(x, 0), jnp.min(x), jnp.sort(x, 0),
                jnp.cumsum(x, 0, dtype="int4"), x @ x.T, x[::2, 1:], jnp.concatenate([x, x]), x.at[0].add(3),
                jnp.pad(x, 1), lax.reduce_max(x[:0], (0,)), lax.reduce_min(x[:0], (0,)),
                jnp.take(x, jnp.asarray([9]), axis=0, mode="fill"), lax.scan(lambda c, row: (c + row, c), x[0], x)[0])

    wanted = (values.sum(0), values.prod(1), values.max(0), values.min(), np.sort(values, 0), values.cumsum(0),
              values @ values.T, values[::2, 1:], np.concatenate([values, values]),
              np.concatenate([values[:1] + 3, values[1:]]), np.pad(values, 1), np.full(7, -8), np.full(7, 7),
              np.full((1, 7), -8), values[0] + values.sum(0))
    for found, expected in zip(compute(x), wanted, strict=True):
        check(found, expected, "int4")
    assert int(jnp.argmax(x)) == values.argmax() and jnp.sum(x).dtype == np.int32
    np.testing.assert_array_equal(lax.dot(x, x.T, preferred_element_type=jnp.int32), values @ values.T)
    np.testing.assert_allclose(jnp.mean(x), values.mean(), rtol=1e-6)


def test_bits_of_other_widths() -> None:
    x = jnp.asarray([0x12, -100], "int8")
    nibbles = lax.bitcast_convert_type(x, "int4")
    check(nibbles, [[2, 1], [0xC, 9]], "int4")
    check(lax.bitcast_convert_type(nibbles, "uint4"), [[2, 1], [12, 9]], "uint4")
    assert lax.bitcast_convert_type(nibbles, "int8").tolist() == x.tolist()
    halves = lax.bitcast_convert_type(np.float32([1.5, -2.0]), "uint16")
    np.testing.assert_array_equal(halves, np.float32([1.5, -2.0]).view(np.uint16).reshape(2, 2))
    np.testing.assert_array_equal(lax.bitcast_convert_type(halves, "float32"), [1.5, -2.0])
    with pytest.raises(ArgumentError, match="do not make up"):
        lax.bitcast_convert_type(jnp.zeros(3, "int4"), "int8")


def test_they_go_into_no_other_type_unasked() -> None:
    x = jnp.ones(3, "int4")
    assert (x + 1).dtype == "int4" and (x + True).dtype == "int4"
    for other in ("int8", "uint4", "int2", "float32"):
        with pytest.raises(TypePromotionError):
            x + jnp.ones(3, other)
    with pytest.raises(LiteralRangeError):
        x + 8
    assert [10, 20, 30][jnp.asarray(1, "uint4")] == 20


def test_over_devices_and_on_the_host() -> None:
    values = np.random.default_rng(5).integers(-8, 8, (8, 6))
    mesh = Mesh(np.array(olympus.devices()[:8]), ("x",))
    x = olympus.device_put(values.astype("int4"), NamedSharding(mesh, P("x")))
    total = olympus.jit(lambda x: (jnp.sum(x, 0, dtype="int4"), x * x, jnp.max(x, 0)))(x)
    for found, expected in zip(total, (values.sum(0), values * values, values.max(0)), strict=True):
        check(found, expected, "int4")
    summed = olympus.shard_map(lambda v: lax.psum(v, "x"), mesh=mesh, in_specs=P("x"), out_specs=P())(x)
    check(summed, values.sum(0, keepdims=True), "int4")
    check(x.addressable_shards[2].data, values[2:3], "int4")

    def on_host(v: np.ndarray) -> np.ndarray:
        assert v.dtype == "int4"
        return v[::-1]

    kind = olympus.ShapeDtypeStruct((6,), jnp.dtype("int4"))
    check(olympus.pure_callback(on_host, kind, x[1] + 1), values[1, ::-1] + 1, "int4")
