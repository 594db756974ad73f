# SPDX-License-Identifier: Apache-2.0
"""Fourier transforms against NumPy's: every function, type, length, dimension and norm; derivatives; split arrays."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import ArgumentError
from olympus.sharding import NamedSharding, PartitionSpec
from olympus.test_util import check_grads

SHAPES = [(1,), (7,), (8,), (3, 5), (4, 6, 5)]
NORMS = (None, "backward", "ortho", "forward")


@pytest.fixture(autouse=True)
def wide() -> Iterator[None]:
    with olympus.enable_x64(True):
        yield


def numbers(shape: tuple[int, ...], dtype: str = "complex128") -> np.ndarray:
    random = np.random.RandomState(sum(shape))
    return np.asarray(random.randn(*shape) + (1j * random.randn(*shape) if dtype[0] == "c" else 0)).astype(dtype)


def near(found: Any, wanted: np.ndarray, *what: Any) -> None:
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape), what
    single = wanted.dtype in (np.float32, np.complex64)
    size = float(np.max(np.abs(wanted), initial=1.0))
    bound = size * (2e-6 if single else 1e-14)
    np.testing.assert_allclose(np.asarray(found), wanted, rtol=0, atol=bound, err_msg=repr(what))


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_along_one_dimension(name: str, dtype: str) -> None:
    if name in ("rfft", "ihfft") and dtype[0] == "c":
        with pytest.raises(ArgumentError, match="elements are complex"):
            getattr(jnp.fft, name)(numbers((4,), dtype))
        return
    turns = itertools.cycle(NORMS)
    for shape in SHAPES:
        for n, axis in itertools.product((None, 1, 4, 9), range(-1, len(shape))):
            if name in ("irfft", "hfft") and n is None and shape[axis] == 1:
                continue
            x, norm = numbers(shape, dtype), next(turns)
            wanted = getattr(np.fft, name)(x, n, axis, norm)
            if dtype in ("float32", "complex64"):  # before NumPy 2 all transforms are in float64
                wanted = wanted.astype(np.complex64 if wanted.dtype.kind == "c" else np.float32)
            near(getattr(jnp.fft, name)(x, n, axis, norm), wanted, shape, n, axis, norm)


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn", "fft2", "ifft2", "rfft2", "irfft2"])
def test_along_several_dimensions(name: str) -> None:
    x = numbers((4, 6, 5), "float64" if name[0] == "r" else "complex128")
    given: list[tuple[Any, Any]] = [(None, (0, 1)), ((3, 7), (2, 0)), ((4, 8), (-1, -2))]
    if name.endswith("n"):
        given += [(None, None), ((3,), (0,)), ((4, 9), None), (None, (-1,))]
    for (s, axes), norm in zip(given, itertools.cycle(NORMS)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # s without axes
            wanted = getattr(np.fft, name)(x, s, axes, norm)
        near(getattr(jnp.fft, name)(x, s, axes, norm), wanted, s, axes, norm)
    assert jnp.fft.fftn(x[0, 0, 0], axes=()).shape == ()


@pytest.mark.parametrize("dtype", ["int8", "uint32", "bool", "float16", "bfloat16"])
def test_other_types_count_as_floats(dtype: str) -> None:
    x = np.array([0, 1, 1, 0, 1]).astype(jnp.dtype(dtype))
    with olympus.enable_x64(False):
        assert jnp.fft.fft(x).dtype == np.complex64 and jnp.fft.rfft(x).dtype == np.complex64
        near(jnp.fft.fft(x), np.fft.fft(x.astype(np.float32)).astype(np.complex64))


def test_any_length() -> None:
    for n in (0, 127, 1009, 1024, 30030):
        if not n:
            with pytest.raises(ArgumentError, match="not positive"):
                jnp.fft.fft(np.zeros(0))
            assert jnp.fft.fft(np.zeros((0, 4))).shape == (0, 4)
            continue
        x = numbers((n,))
        near(jnp.fft.fft(x), np.fft.fft(x), n)
        near(jnp.fft.irfft(jnp.fft.rfft(x.real), n), x.real, n)


def test_special_numbers() -> None:
    for value in (np.nan, np.inf):
        assert not np.isfinite(np.asarray(jnp.fft.fft(np.array([1.0, value, 2.0])))).any()
    tiny = np.full(4, 5e-324)
    near(jnp.fft.fft(tiny) * 2.0 ** 1000, np.fft.fft(tiny) * 2.0 ** 1000)


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
def test_derivatives(name: str) -> None:
    function: Callable[..., Any] = getattr(jnp.fft, name)
    x = numbers((3, 4), "float64" if name in ("rfft", "ihfft") else "complex128")
    for n in (2, 5, 6):
        check_grads(lambda x, n=n: function(x, n, 0), (x,), order=2)
    check_grads(olympus.vmap(lambda x: function(x, 5), in_axes=1, out_axes=1), (x,), order=1)
    check_grads(lambda x: jnp.fft.irfftn(jnp.fft.rfftn(x) ** 2, (3, 4)), (x.real,), order=1)


def test_frequencies_and_shifts() -> None:
    for n in (1, 4, 5):
        for d in (1.0, 0.25):
            near(jnp.fft.fftfreq(n, d), np.fft.fftfreq(n, d))
            near(jnp.fft.rfftfreq(n, d), np.fft.rfftfreq(n, d))
    assert jnp.fft.fftfreq(4, dtype="float32").dtype == np.float32
    near(jnp.fft.rfftfreq(4, jnp.float64(0.5)), np.fft.rfftfreq(4, 0.5))
    x = numbers((4, 5))
    for axes in (None, 0, (0, 1), -1):
        near(jnp.fft.fftshift(x, axes), np.fft.fftshift(x, axes))
        near(jnp.fft.ifftshift(jnp.fft.fftshift(x, axes), axes), x)


def test_strict_transforms() -> None:
    x = numbers((2, 4, 6))
    near(lax.fft(x, lax.FftType.FFT, (4, 6)), np.fft.fft2(x))
    near(lax.fft(x, "ifft", (6,)), np.fft.ifft(x))
    near(lax.fft(x.real.copy(), 2, (2, 4, 6)), np.fft.rfftn(x.real, axes=(0, 1, 2)))
    near(lax.fft(x, lax.FftType.IRFFT, (4, 11)), np.fft.irfftn(x, (4, 11), (1, 2)))
    near(lax.fft(x, "FFT", ()), x)
    for whole in (np.array([3, -1, 4], np.int8), np.array([True, False, True])):
        near(lax.fft(whole, "fft", (3,)), np.fft.fft(whole))
        near(lax.fft(whole, "rfft", (3,)), np.fft.rfft(whole))
        near(lax.fft(whole, "irfft", (4,)), np.fft.irfft(whole, 4))
    assert lax.fft(np.ones(3, np.float16), "ifft", (3,)).dtype == np.complex64
    near(np.asarray(jnp.fft.ihfft([1.0, 2.0, 4.0])), np.fft.ihfft([1.0, 2.0, 4.0]))
    for bad in ((x, "fft", (5,)), (x, "dct", (6,)), (x, "rfft", (6,)), (x, 7, (6,))):
        with pytest.raises(ArgumentError, match="fft"):
            lax.fft(*bad)


@pytest.mark.parametrize(("spec", "axis", "moves"), [(("x", None), 1, 0), ((None, "x"), 0, 0), (("x", None), 0, 2)])
def test_split_arrays(spec: Any, axis: int, moves: int) -> None:
    """Nothing is exchanged along a whole dimension; for a split one the split is moved there and back, not gathered."""
    mesh = olympus.make_mesh((8,), ("x",))
    x = numbers((16, 24), "complex64")
    given = olympus.device_put(x, NamedSharding(mesh, PartitionSpec(*spec)))
    found = olympus.jit(lambda x: jnp.fft.fft(x, axis=axis))(given)
    near(found, np.fft.fft(x, axis=axis).astype(np.complex64))
    told = str(olympus.explain(lambda x: jnp.fft.fft(x, axis=axis), given))
    assert told.count("all_to_all") == moves and "gather" not in told


@pytest.mark.parametrize("act", [
    lambda x: jnp.fft.fft(x, 0), lambda x: jnp.fft.fft(x, axis=5), lambda x: jnp.fft.fft(x, norm="big"),
    lambda x: jnp.fft.irfft(x[:, :1]), lambda x: jnp.fft.fftn(x, (2,), (0, 1)), lambda x: jnp.fft.fft2(x, axes=(0,)),
    lambda x: jnp.fft.fftn(x, axes=(0, 0)), lambda x: jnp.fft.fftfreq(0), lambda x: jnp.fft.rfftn(x.real, axes=()),
    lambda x: jnp.fft.fftfreq(4, dtype=int), lambda x: jnp.fft.fft(x, 2.5),
])
def test_bad_arguments(act: Callable[[Any], Any]) -> None:
    with pytest.raises((ArgumentError, ValueError)):
        act(numbers((3, 4)))


def test_strict_transforms_of_real_numbers_are_those_of_complex_ones() -> None:
    x = np.arange(6, dtype=np.float32) ** 2
    np.testing.assert_allclose(lax.fft(x, "fft", (6,)), np.fft.fft(x), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(lax.fft(x, "irfft", (10,)), np.fft.irfft(x, 10), rtol=1e-5, atol=1e-5)
    assert lax.conj(x).dtype == np.complex64
    np.testing.assert_array_equal(lax.conj(x), x)
