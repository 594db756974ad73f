# SPDX-License-Identifier: Apache-2.0
"""Mantissas, exponents, spacings, packed bits and histograms of points, against NumPy's."""

import ml_dtypes
import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError

_RNG = np.random.default_rng(0)
_BITS = _RNG.integers(0, 3, (3, 11))
_POINTS = _RNG.normal(size=(50, 2)).astype(np.float32)


def _numbers(dtype):
    info = np.finfo(dtype)
    special = [0.0, -0.0, 1.0, -1.0, 3.0, 0.3, np.inf, -np.inf, np.nan, info.max, info.tiny, info.smallest_subnormal,
               -info.smallest_subnormal * 3, info.tiny - info.smallest_subnormal]
    spread = np.exp2(_RNG.uniform(info.minexp, info.maxexp - 1, 40)) * _RNG.choice([-1, 1], 40)
    return np.concatenate([np.array(special, dtype), spread.astype(dtype)])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_frexp_and_spacing(dtype):
    x = _numbers(dtype)
    with olympus.enable_x64(dtype == np.float64):
        mantissa, exponent = jnp.frexp(x)
        wanted, power = np.frexp(x)
        assert mantissa.dtype == dtype and exponent.dtype == np.int32
        np.testing.assert_array_equal(np.asarray(mantissa), wanted)
        np.testing.assert_array_equal(np.signbit(mantissa), np.signbit(wanted))
        np.testing.assert_array_equal(np.asarray(exponent)[np.isfinite(x)], power[np.isfinite(x)])
        assert not np.asarray(exponent)[~np.isfinite(x)].any()
        inside = np.abs(x) != np.finfo(dtype).max
        x = np.abs(x) if dtype == np.float16 else x  # whose negative numbers NumPy gives the distance above
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(np.asarray(jnp.spacing(x))[inside], np.spacing(x)[inside])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_ldexp_rounds_once(dtype):
    powers = np.concatenate([np.arange(-2200, 2200, 7), [2**31 - 1, -(2**31), 0, 1, -1]]).astype(np.int32)
    x, exponent = np.meshgrid(_numbers(dtype), powers)
    with olympus.enable_x64(dtype == np.float64), np.errstate(all="ignore"):
        found, wanted = np.asarray(jnp.ldexp(x, exponent)), np.ldexp(x, exponent)
        np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(np.signbit(found)[~np.isnan(x)], np.signbit(wanted)[~np.isnan(x)])
        assert found.dtype == dtype
        slope = np.asarray(olympus.jit(olympus.vmap(olympus.grad(jnp.ldexp)))(np.ones(9, dtype), np.arange(-4, 5)))
        np.testing.assert_array_equal(slope, 2.0 ** np.arange(-4, 5))


def test_ldexp_of_other_types():
    assert jnp.ldexp(jnp.bfloat16(1.5), 4) == 24 and jnp.ldexp(jnp.bfloat16(1.5), 4).dtype == jnp.bfloat16
    assert jnp.ldexp(np.uint8(3), np.uint8(200)) == np.inf and jnp.ldexp(3, -2) == 0.75
    assert jnp.ldexp(ml_dtypes.float8_e4m3fn(1.5), 2) == 6
    with pytest.raises(ArgumentError, match="no integers"):
        jnp.ldexp(1.0, 2.0)
    with pytest.raises(ArgumentError, match="complex"):
        jnp.ldexp(1j, 2)


def test_frexp_of_other_types_and_its_derivative():
    mantissa, exponent = jnp.frexp(np.array([3, 8], np.int32))
    assert mantissa.tolist() == [0.75, 0.5] and exponent.tolist() == [2, 4]
    x = np.array([3.0, 1e-38, -0.1], ml_dtypes.bfloat16)
    mantissa, exponent = jnp.frexp(x)
    wanted = np.frexp(x.astype(np.float32))
    assert mantissa.dtype == ml_dtypes.bfloat16
    np.testing.assert_array_equal(np.asarray(mantissa).astype(np.float32), wanted[0])
    assert exponent.tolist() == wanted[1].tolist()
    assert float(olympus.grad(lambda x: jnp.frexp(x)[0])(3.0)) == 0.25


@pytest.mark.parametrize("order", ["big", "little"])
@pytest.mark.parametrize("axis", [None, 0, -1])
def test_packed_bits(order, axis):
    packed = np.packbits(_BITS != 0, axis=axis, bitorder=order)
    found = jnp.packbits(_BITS, axis, order)
    assert found.dtype == np.uint8
    np.testing.assert_array_equal(found, packed)
    np.testing.assert_array_equal(jnp.packbits(_BITS != 0, axis, order), packed)
    for count in (None, 5, 20, -3):
        wanted = np.unpackbits(packed, axis, count, order)
        np.testing.assert_array_equal(jnp.unpackbits(packed, axis, count, order), wanted)


def test_histograms_of_points():
    ends = np.array([-1.0, 0.0, 0.5, 2.0], np.float32)
    weights = _RNG.uniform(size=50).astype(np.float32)
    for bins in (4, [3, 5], [ends, 4], [ends, ends]):
        for how in ({}, {"weights": weights}, {"density": True}, {"weights": weights, "density": True},
                    {"range": [(-1, 1), None]}):
            wanted, edges = np.histogramdd(_POINTS, bins, **how)
            found, ours = jnp.histogramdd(_POINTS, bins, **how)
            np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
            for one, other in zip(ours, edges, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
    assert jnp.histogramdd(_POINTS, 3)[0].dtype == np.int32
    wanted, *edges = np.histogram2d(_POINTS[:, 0], _POINTS[:, 1], ends)
    found, *ours = jnp.histogram2d(_POINTS[:, 0], _POINTS[:, 1], ends)
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(ours[1], ends)
    pair = jnp.histogramdd([_POINTS[:, 0], _POINTS[:, 1]], [ends, ends])[0]
    np.testing.assert_array_equal(pair, wanted)


@pytest.mark.parametrize("call", [
    lambda: jnp.frexp(1j), lambda: jnp.spacing(1j), lambda: jnp.packbits(np.ones(3)),
    lambda: jnp.packbits(_BITS, bitorder="x"), lambda: jnp.unpackbits(_BITS),
    lambda: jnp.unpackbits(np.ones(1, np.uint8), count=-9), lambda: jnp.histogramdd(np.ones(3)),
    lambda: jnp.histogramdd(_POINTS, [1, 2, 3]), lambda: jnp.histogramdd(_POINTS, 3, [(0, 1)]),
    lambda: jnp.histogramdd(_POINTS, weights=np.ones(3)), lambda: jnp.histogram2d(np.ones(2), np.ones(3)),
])
def test_mistakes_are_explained(call):
    with pytest.raises(ArgumentError):
        call()


def test_ends_of_intervals_that_are_given_and_keys_that_are_numbers() -> None:
    x = jnp.arange(5)
    for ends in ([0, 1, 2, 4], jnp.array([0, 1, 2, 4]), np.array([0.0, 1.0, 2.0, 4.0])):
        found = jnp.histogram_bin_edges(x, ends)
        assert found.dtype == jnp.float32 and found.tolist() == [0, 1, 2, 4]
    assert jnp.histogram_bin_edges(x, 2, range=(jnp.array(0), jnp.array(3))).tolist() == [0, 1.5, 3]
    assert jnp.histogram_bin_edges(x, 2, range=jnp.array([1, 1])).tolist() == [0.5, 1, 1.5]
    assert olympus.jit(lambda v: jnp.histogram_bin_edges(x, v))(jnp.array([0, 2, 3])).tolist() == [0, 2, 3]
    assert int(jnp.lexsort(jnp.array([3, 1, 2]))) == 0
    assert jnp.lexsort(jnp.array([[3, 1, 2]])).tolist() == [1, 2, 0]
