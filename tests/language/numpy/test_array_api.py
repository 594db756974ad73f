# SPDX-License-Identifier: Apache-2.0
"""Rules of the array API standard beside NumPy's: special values, inspection, copies, exchange of memory."""

import pickle

import ml_dtypes
import numpy as np
import pytest

import olympus
import olympus.dlpack
import olympus.numpy as jnp
from olympus.errors import ArgumentError

INF, NAN = np.inf, np.nan


def _same_with_signs(found: object, expected: list[float]) -> None:
    found, wanted = np.asarray(found), np.asarray(expected)
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(np.signbit(found[wanted == 0]), np.signbit(wanted[wanted == 0]))


def test_zeros_and_infinities_of_divisions() -> None:
    x = np.array([-0.0, 0.0, 0.0, -0.0, 1, -1, INF, -INF, 7, -7, INF, 1, 0], "f")
    y = np.array([1, -1, 1, -1, -INF, INF, -2, -2, 2, 2, INF, 0, 0], "f")
    _same_with_signs(jnp.floor_divide(x, y), [-0.0, -0.0, 0, 0, -0.0, -0.0, -INF, INF, 3, -4, NAN, INF, NAN])
    x, y = np.array([-0.0, 0, -0.0, 0, -4, 4, 5, -5], "f"), np.array([1, -1, -1, 1, 2, -2, -3, 3], "f")
    _same_with_signs(jnp.remainder(x, y), [0, -0.0, -0.0, 0, 0, -0.0, -1, 1])
    _same_with_signs(jnp.remainder(x, y), list(np.remainder(x, y)))


def test_derivatives_of_divisions_do_not_see_the_signs_of_zeros() -> None:
    for divisor in (2.0, -2.0):
        assert olympus.grad(jnp.remainder)(4.0, divisor) == 1
        assert olympus.grad(jnp.remainder, 1)(4.0, divisor) == -np.trunc(4 / divisor)
        assert olympus.grad(jnp.floor_divide)(0.0, divisor) == 0


def test_complex_limits_and_the_sign_of_zero() -> None:
    _same_with_signs(jnp.sign(np.array([-0.0, 0.0, -2, 3], "f")), [0, 0, -1, 1])
    at = jnp.tanh(np.array([complex(INF, 2), complex(-INF, -2), complex(INF, -2)], "F"))
    _same_with_signs(at.real, [1, -1, 1])
    _same_with_signs(at.imag, [0, -0.0, -0.0])
    at = jnp.expm1(np.array([complex(INF, 0), complex(-INF, NAN), complex(1e-6, 1e-6)], "F"))
    assert at[0] == complex(INF, 0)
    assert at[1] == -1
    _same_with_signs(jnp.expm1(np.array([complex(-0.0, 0), complex(0, -0.0)], "F")).real, [0, 0])
    np.testing.assert_allclose(at[2], np.expm1(complex(1e-6, 1e-6)), rtol=1e-6)


def test_dtypes_compare_with_anything() -> None:
    for other in ({}, {"a": 1}, [3], "no type", object(), 3):
        assert jnp.float32 != other
    assert jnp.float32 == np.float32


def test_the_namespace_says_what_it_has() -> None:
    info = jnp.ones(1).__array_namespace__(api_version="2025.12").__array_namespace_info__()
    assert info.default_device() in info.devices()
    assert info.devices() == tuple(olympus.devices())
    assert set(info.dtypes(kind="integral")) == {"int8", "int16", "int32", "uint8", "uint16", "uint32"}
    assert set(info.dtypes(kind=("bool", "complex floating"))) == {"bool", "complex64"}
    with olympus.enable_x64(True):
        assert set(info.dtypes(kind="real floating")) == {"float32", "float64"}
        assert info.default_dtypes()["indexing"] == np.int64
    assert info.default_dtypes()["indexing"] == np.int32
    assert info.capabilities()["max dimensions"] == 64
    with pytest.raises(ArgumentError, match="kind is not known"):
        info.dtypes(kind="float")
    with pytest.raises(ArgumentError, match="version"):
        jnp.ones(1).__array_namespace__(api_version="1999.12")


def test_limits_are_python_numbers() -> None:
    for dtype in (jnp.float16, jnp.bfloat16, jnp.float32, jnp.complex64):
        info = jnp.finfo(dtype)
        for name in ("eps", "max", "min", "tiny", "smallest_normal"):
            limit = getattr(info, name)
            assert isinstance(limit, float) and limit.dtype == info.dtype and pickle.loads(pickle.dumps(limit)) == limit
            assert limit.astype(info.dtype) == getattr(ml_dtypes.finfo(info.dtype), name)
            assert jnp.result_type(limit, jnp.bfloat16) == jnp.bfloat16  # as any Python number
    assert jnp.finfo(jnp.complex64).dtype == np.float32
    assert jnp.finfo(jnp.float32) == jnp.finfo(np.float32)
    assert jnp.finfo(jnp.float32).eps == np.finfo(np.float32).eps


def test_running_folds_may_begin_with_nothing() -> None:
    x = np.array([[1, 2], [3, 4]], np.int8)
    found = jnp.cumulative_prod(x, axis=1, include_initial=True)
    assert found.tolist() == [[1, 1, 2], [1, 3, 12]]
    assert found.dtype == jnp.cumulative_sum(x, axis=0).dtype == np.int32
    y = np.array([1, NAN, 3], "f")
    assert jnp.nancumsum(y).tolist() == np.nancumsum(y).tolist()
    assert jnp.nancumprod(y).tolist() == np.nancumprod(y).tolist()


def test_sets_with_counts_and_places() -> None:
    x = np.array([[3, NAN], [NAN, 3]], "f")
    values, first, inverse, counts = jnp.unique_all(x)
    np.testing.assert_array_equal(values, [3, NAN, NAN])
    assert counts.tolist() == [2, 1, 1]
    assert inverse.shape == x.shape
    np.testing.assert_array_equal(np.asarray(values)[np.asarray(inverse)], x)
    np.testing.assert_array_equal(x.reshape(-1)[np.asarray(first)], values)
    assert jnp.unique_counts(np.array([5, 5]), size=2, fill_value=0).counts.tolist() == [2, 0]
    assert jnp.unique_inverse(np.array([5, 4])).inverse_indices.tolist() == [1, 0]


def test_a_single_bool_is_a_mask_of_no_dimensions() -> None:
    x = jnp.arange(3)
    assert x[True].shape == (1, 3)
    assert x[jnp.asarray(False)].shape == (0, 3)
    assert jnp.asarray(5)[jnp.asarray(True)].tolist() == [5]


def test_copies_are_made_or_refused() -> None:
    x = jnp.arange(3)
    assert jnp.asarray(x, copy=False) is x
    fresh = jnp.asarray(x, copy=True)
    x.delete()
    assert fresh.tolist() == [0, 1, 2]
    x = fresh
    for value, dtype in (([1, 2], None), (x, np.float32), (1.0, None)):
        with pytest.raises(ValueError, match="copied"):
            jnp.asarray(value, dtype, copy=False)


def test_memory_is_exchanged() -> None:
    x = jnp.arange(4.0)
    for options in ({}, {"copy": True}, {"max_version": (1, 0)}, {"dl_device": (1, 0), "copy": None}):
        assert x.__dlpack__(**options) is not None
    if olympus.default_backend() == "cpu":
        with pytest.raises(BufferError):  # memory that nobody may write to needs DLPack 1.0
            x.__dlpack__(copy=False)
        with pytest.raises(BufferError):
            x.__dlpack__(dl_device=(2, 0))
    if np.lib.NumpyVersion(np.__version__) >= "2.1.0":
        assert x.__dlpack__(max_version=(1, 0), copy=False) is not None
    host = np.from_dlpack(x) if olympus.default_backend() == "cpu" else np.asarray(x)
    np.testing.assert_array_equal(host, np.arange(4.0))
    assert olympus.dlpack.from_dlpack(x, copy=True).device == x.device
    np.testing.assert_array_equal(olympus.dlpack.from_dlpack(host.copy()), x)
    assert olympus.dlpack.is_supported_dtype(np.int8)
    assert not olympus.dlpack.is_supported_dtype(jnp.bfloat16)
    moved = x.to_device(olympus.devices()[-1])
    assert moved.device == olympus.devices()[-1]
    assert moved.to_device(x.device).tolist() == x.tolist()
    with pytest.raises(ArgumentError, match="streams"):
        x.to_device(x.device, stream=1)


def test_grids_and_broadcast_arrays_are_tuples() -> None:
    assert isinstance(jnp.meshgrid(np.arange(2), np.arange(3)), tuple)
    assert jnp.broadcast_arrays() == ()
    assert [x.shape for x in jnp.broadcast_arrays(np.ones((2, 1)), np.ones(3))] == [(2, 3), (2, 3)]


def test_an_axis_outside_is_an_index_error_too() -> None:
    for kind in (IndexError, ValueError):
        with pytest.raises(kind, match="out of bounds"):
            jnp.expand_dims(np.ones((2, 2)), 3)
