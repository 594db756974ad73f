# SPDX-License-Identifier: Apache-2.0
"""The narrowest floats: conversions of every element and across every tie, and arithmetic that rounds once."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import ArgumentError, ExportError, NotSupportedError, TypePromotionError
from olympus.sharding import AxisType, Mesh, NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus.tracing.values import number_as

NAMES = ("float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu",
         "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn")


def elements(name: str) -> np.ndarray:
    """All elements of a type."""
    return np.arange(2 ** ml_dtypes.finfo(name).bits, dtype=np.uint8).view(name)


def between(name: str) -> np.ndarray:
    """Numbers of which elements are made: the elements, what lies half way between two, the neighbours of both."""
    exact = elements(name).astype(np.float32)
    exact = np.unique(exact[np.isfinite(exact)])
    half = ((exact[1:].astype(np.float64) + exact[:-1]) / 2).astype(np.float32)
    with np.errstate(over="ignore"):
        top = exact[-1] * np.float32([1.01, 1.02, 1.04, 1.06, 1.1, 1.5, 3])
    special = np.float32([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 1e30, -1e30, 1e-30, -1e-30, 1e-42])
    drawn = np.random.default_rng(2).integers(0, 2**32, 5000, dtype=np.uint32).view(np.float32)
    both = np.concatenate([exact, half])
    return np.concatenate([both, np.nextafter(both, np.float32(np.inf)), np.nextafter(both, -np.float32(np.inf)), top,
                           -top, special, drawn])


def check(found: Any, wanted: np.ndarray) -> None:
    """The same element type and bits, but for NaN."""
    host = np.asarray(found)
    assert host.dtype == wanted.dtype and host.shape == wanted.shape
    same = (host.view(np.uint8) == wanted.view(np.uint8)) | (np.isnan(host) & np.isnan(wanted))
    assert same.all(), (host[~same][:5], wanted[~same][:5])


@pytest.mark.parametrize("name", NAMES)
def test_conversions(name: str) -> None:
    own, floats = elements(name), between(name)
    with np.errstate(all="ignore"):
        rounded = floats.astype(name)
        integers = np.arange(-300, 300, dtype=np.int32)
        of_integers = integers.astype(np.float32).astype(name)
    found = olympus.jit(lambda x, y, z: (x.astype("float32"), y.astype(name), z.astype(name), x.astype("bfloat16")))(
        own, floats, integers)
    np.testing.assert_array_equal(found[0], own.astype(np.float32))
    numbers = ~np.isnan(own.astype(np.float32))
    np.testing.assert_array_equal(np.signbit(found[0])[numbers], np.signbit(own.astype(np.float32))[numbers])
    assert (np.asarray(found[1]).view(np.uint8) == rounded.view(np.uint8)).all()
    check(found[2], of_integers)
    np.testing.assert_array_equal(np.asarray(found[3]).astype(np.float32), own.astype(np.float32))
    assert (np.asarray(jnp.asarray(own)).view(np.uint8) == own.view(np.uint8)).all()


def test_float64_is_rounded_once() -> None:
    """Just beside half way, where float32 is half way."""
    with olympus.enable_x64(True):
        beside = np.float64([14.75 - 1e-12, 14.75 + 1e-12, -14.75 + 1e-12, 1e300, np.nan, -1e-300])
        found = jnp.asarray(beside).astype("float8_e3m4")
    np.testing.assert_array_equal(np.asarray(found).astype(np.float32), [14.5, 15, -14.5, np.inf, np.nan, 0])


NARROW = ("bfloat16", "float16", "float8_e4m3fn", "float8_e5m2", *(n for n in NAMES if n != "float8_e8m0fnu"))


def beside_a_tie(name: str) -> tuple[float, float]:
    """A float64 that lies so little beside a tie that it is one in float32, and what is nearest to it."""
    eps = float(ml_dtypes.finfo(name).eps)
    low, high = (1.0, 1 + eps) if float(np.float32(1 + eps / 2).astype(name)) == 1 else (1 + eps, 1.0)
    return float(np.nextafter(1 + eps / 2, high)), high


@pytest.mark.parametrize("name", NARROW)
def test_python_numbers_are_rounded_once(name: str) -> None:
    number, wanted = beside_a_tie(name)
    with olympus.enable_x64(True):
        one = jnp.ones(2, name)
        found = {
            "asarray": jnp.asarray(number, name), "array of a list": jnp.array([number], name),
            "array of an array": jnp.asarray(np.full(2, number), name), "full": jnp.full(2, number, name),
            "in jit": olympus.jit(lambda: jnp.full(2, number, name))(),
            "NumPy's number": lax.convert_element_type(np.float64(number), name),
            "the array's own conversion": np.asarray(jnp.asarray([number]), name),
            "arange": jnp.arange(number, 9, 9, dtype=name), "times a weak number": lax.mul(one, number),
            "in a loop": lax.fori_loop(0, 1, lambda i, c: lax.mul(c, number), one),
            "pad": lax.pad(one, number, [(1, 0, 0)]), "update": one.at[0].set(number),
            "gather": one.at[jnp.array([7])].get(mode="fill", fill_value=number),
            "reduction": lax.reduce(-one, number, lax.max, (0,)),
            "cotangent": olympus.linear_transpose(lambda x: x * 1, one[0])(number)[0],
            "callback": olympus.pure_callback(lambda: number, olympus.ShapeDtypeStruct((), name)),
            "callback of a shard": olympus.make_array_from_callback(
                (1,), one.sharding, lambda index: np.full(1, number)[index], dtype=name),
        }
    for how, value in found.items():
        assert np.asarray(value).dtype == name, how
        assert float(np.asarray(value).ravel()[0].astype(np.float64)) == wanted, how


@pytest.mark.parametrize(("name", "number", "wanted"), [
    ("float32", 2**60 + 2**36 + 1, 2.0**60 + 2.0**37), ("float32", -(2**60 + 2**36 + 1), -(2.0**60 + 2.0**37)),
    ("float32", 2**60 + 2**36, 2.0**60), ("bfloat16", 2**70 + 2**62 + 1, 2.0**70 + 2.0**63),
    ("bfloat16", 2**70 + 2**62, 2.0**70), ("float64", 2**60 + 2**7 + 1, 2.0**60 + 2.0**8),
    ("complex64", 2**60 + 2**36 + 1, 2.0**60 + 2.0**37), ("float16", 2049, 2048.0), ("float16", True, 1.0),
])
def test_great_python_integers_are_rounded_once(name: str, number: int, wanted: float) -> None:
    assert number_as(number, np.dtype(name)).astype(np.complex128) == wanted


@pytest.mark.parametrize("name", ["float8_e4m3", "float8_e4m3b11fnuz", "float4_e2m1fn", "float6_e3m2fn"])
def test_arithmetic_rounds_once(name: str) -> None:
    own = elements(name)
    own = own[np.isfinite(own)]
    x, y = (v.reshape(-1) for v in np.meshgrid(own, own))
    xs, ys = x.astype(np.float32), y.astype(np.float32)
    with np.errstate(all="ignore"):
        wanted = [v.astype(name) for v in (xs + ys, xs - ys, xs * ys, np.maximum(xs, ys), -xs, np.abs(xs))]
    *found, less, equal = olympus.jit(
        lambda x, y: (x + y, x - y, x * y, jnp.maximum(x, y), -x, jnp.abs(x), x < y, x == y))(x, y)
    for number, (one, expected) in enumerate(zip(found, wanted, strict=True)):
        if number == 3:
            one, expected = (np.asarray(v).astype(np.float32) for v in (one, expected))
            np.testing.assert_array_equal(one, expected)  # either zero
        else:
            check(one, expected)
    np.testing.assert_array_equal(less, xs < ys)
    np.testing.assert_array_equal(equal, xs == ys)


def test_folds_moves_and_devices() -> None:
    values = np.random.default_rng(1).normal(size=(8, 6)).astype("float8_e4m3")
    wide = values.astype(np.float32)
    mesh = Mesh(np.array(olympus.devices()[:8]), ("x",))
    compute = olympus.jit(lambda x: (
        jnp.sum(x, 0), jnp.max(x, 0), x @ x.T, jnp.sort(x, 0), x[2:5, ::2], jnp.concatenate([x, x]), x.at[0].set(1),
        jnp.take(x, jnp.asarray([9]), axis=0, mode="fill"), jnp.exp(x), jnp.zeros_like(x), lax.dot(
            x, x.T, preferred_element_type=jnp.float32)))
    changed = wide.copy()
    changed[0] = 1
    wanted = (wide.sum(0), wide.max(0), wide @ wide.T, np.sort(wide, 0), wide[2:5, ::2], np.concatenate([wide, wide]),
              changed, np.full((1, 6), np.nan), np.exp(wide), 0 * np.abs(wide))
    for x in (values, olympus.device_put(values, NamedSharding(mesh, P("x")))):
        *found, product = compute(x)
        for one, expected in zip(found, wanted, strict=True):
            np.testing.assert_allclose(np.asarray(one).astype(np.float32), expected, rtol=0.07, atol=2e-3)
            assert one.dtype == "float8_e4m3"
        np.testing.assert_allclose(product, wide @ wide.T, rtol=1e-5)
    gradient = olympus.grad(lambda s: jnp.sum((s * wide).astype("float8_e4m3").astype("float32")))(1.0)
    np.testing.assert_allclose(gradient, wide.sum(), rtol=0.1)


def test_bits_types_and_limits() -> None:
    x = jnp.asarray([1.5, -2.0, 0.5, 6.0]).astype("float4_e2m1fn")
    assert lax.bitcast_convert_type(x, "uint4").tolist() == [3, 12, 1, 7]
    assert lax.bitcast_convert_type(x.reshape(2, 2), "uint8").tolist() == x.view("uint8").tolist() == [0xC3, 0x71]
    assert x.view("uint8").view("float4_e2m1fn").tolist() == x.tolist()
    assert jnp.ones((2, 3)).view("uint8").shape == (2, 12)
    with pytest.raises(ArgumentError, match="do not make up"):
        jnp.ones(3, "uint8").view("uint16")
    assert (x + 1).dtype == (x * 2.0).dtype == (x + jnp.ones(4, "int8")).dtype == "float4_e2m1fn"
    with pytest.raises(TypePromotionError):
        x + jnp.ones(4, "float8_e4m3")
    with pytest.raises(TypePromotionError):
        x + jnp.ones(4, "bfloat16")
    assert jnp.finfo("float6_e2m3fn").bits == 6 and jnp.finfo("float4_e2m1fn").max == 6
    assert jnp.signbit(x).tolist() == [False, True, False, False]
    with pytest.raises(ExportError, match="no such elements"):
        np.from_dlpack(x)
    with pytest.raises(NotSupportedError, match="computed as float32"):
        jnp.nextafter(x, x + 1)
    with pytest.raises(ArgumentError, match="so few bits"):
        olympus.random.uniform(olympus.random.key(0), (3,), "float4_e2m1fn")
    drawn = olympus.random.uniform(olympus.random.key(3), (5,), "float8_e4m3")
    assert drawn.tolist() == [0.375, 0.75, 0.75, 0.125, 0.625]  # what the peer draws
    assert repr(x) == "Array([1.5, -2, 0.5, 6], dtype=float4_e2m1fn)"


def test_terms_of_sums_are_refused() -> None:
    """What carries such numbers cannot be added."""
    mesh = olympus.make_mesh((8,), ("x",), axis_types=(AxisType.Explicit,))
    for name in ("int4", "float8_e4m3"):
        spread = olympus.device_put(jnp.ones((8, 4)).astype(name), NamedSharding(mesh, P("x")))
        with pytest.raises(NotSupportedError, match="cannot be added"):
            olympus.shard_map(lambda v: v[0], mesh=mesh, in_specs=P("x"), out_specs=P(unreduced={"x"}))(spread)


@pytest.mark.parametrize(("name", "low", "high"), [
    ("bfloat16", 1.0, 1.0078125), ("float8_e4m3fn", 8.0, 9.0), ("float8_e5m2", 8.0, 10.0), ("float8_e3m4", 8.0, 8.5)])
def test_host_values_are_rounded_once_as_arrays_are(name: str, low: float, high: float) -> None:
    above = np.nextafter((low + high) / 2, high)  # float32 has only the tie, which goes to `low`
    host, wanted = np.array([above, -above]), [high, -high]
    with olympus.enable_x64(True):
        for found in (jnp.asarray(host, name), jnp.asarray(host).astype(name), jnp.asarray([above, -above], name)):
            assert np.asarray(found).astype(np.float64).tolist() == wanted
    whole = np.array([(1 << 24) + (1 << 16) + 1])
    assert int(jnp.asarray(whole, "bfloat16")[0]) == (1 << 24) + (1 << 17)


@pytest.mark.parametrize("name", NAMES)
def test_extremes_of_no_elements_are_the_ends_of_the_type(name: str) -> None:
    exact = elements(name).astype(np.float32)
    least, greatest = np.nanmin(exact), np.nanmax(exact)  # infinities, where the type has them
    nothing = np.zeros((0, 2), name)
    assert [float(v) for v in lax.reduce_min(nothing, (0,))] == [greatest] * 2
    assert [float(v) for v in lax.reduce_max(nothing, (0,))] == [least] * 2
    x = np.array([1, 2, 4], name)
    found = olympus.ops.segment_max(x, np.array([0, 0, 2]), 3)
    assert [float(v) for v in found] == [2, least, 4]


@pytest.mark.parametrize("name", [*NARROW, "float8_e8m0fnu"])
def test_rounding_and_fewer_bits(name: str) -> None:
    x = np.array([0.5, 1.5, 2.5, 0.25, 3.0]).astype(name)
    wide = x.astype(np.float32)
    away = np.floor(wide + 0.5).astype(name)
    for found in (lax.round(x), olympus.jit(lax.round)(x)):
        np.testing.assert_array_equal(np.asarray(found).astype(np.float32), away.astype(np.float32))
        assert found.dtype == name
    reduced = lax.reduce_precision(wide, 3, 2)
    np.testing.assert_array_equal(np.asarray(lax.reduce_precision(x, 3, 2)).astype(np.float32),
                                  np.asarray(reduced).astype(name).astype(np.float32))


def test_numbers_that_fill_are_rounded_once() -> None:
    # Without 64-bit types, too: of float32, 1e-300 would be 0, which this type lacks, and the other number a tie.
    for found in (jnp.full(2, 1e-300, "float8_e8m0fnu"), lax.full((2,), 1e-300, "float8_e8m0fnu")):
        assert (np.asarray(found).astype(np.float64) == 2.0**-127).all()
    assert jnp.full((), 1 + 2**-11 + 2**-30, np.float16) == np.float16(1 + 2**-10)


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2", "bfloat16", "float16"])
def test_what_sums_begin_with_is_rounded_with_them(name: str) -> None:
    rows = (np.random.default_rng(3).normal(size=(60, 5)) * 2).astype(name)
    wide = rows.astype(np.float64)
    for function, wanted in ((jnp.sum, wide.sum(1) + 1), (jnp.prod, wide.prod(1) * 3)):
        initial = 1 if function is jnp.sum else 3
        found = function(rows, 1, initial=initial)
        assert found.dtype == name
        np.testing.assert_array_equal(np.asarray(found).astype(np.float64), wanted.astype(name).astype(np.float64))
