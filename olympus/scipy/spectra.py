# SPDX-License-Identifier: Apache-2.0
"""Spectra of signals: short transforms of overlapping segments, and their averages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described

from .. import numpy as jnp
from ..numpy.promotion import promote_inexact
from ..operands import axis_of, dtype_of, integer, known, shape_of
from ..transforms.jit import api
from ..typing import Array, ArrayLike
from .trends import detrend as _without_trend

__all__ = ["csd", "istft", "stft", "welch"]
__dir__ = listed(__all__)

Window = str | tuple[Any, ...] | ArrayLike
_BOUNDARIES = {"zeros": "constant", "even": "reflect", "odd": "odd", "constant": "edge"}


def _window(function: str, window: Any, nperseg: int | None, size: int) -> tuple[np.ndarray, int]:
    """The values of a window in float64, and its length."""
    if isinstance(window, (str, tuple)):
        from scipy.signal import get_window  # when a spectrum is asked for

        count = min(256 if nperseg is None else integer(function, nperseg, "nperseg", 1), size)
        try:
            return np.asarray(get_window(window, count), np.float64), count
        except ValueError as error:
            raise ArgumentError(function, "the window is not known", described(window),
                                "a name such as 'hann', a tuple of a name and parameters, or the values") from error
    values = known(function, window, "the window")
    if values.ndim != 1 or values.size > size or nperseg not in (None, values.size):
        raise ArgumentError(function, "the window's values do not fit", f"shape {values.shape}, nperseg={nperseg}",
                            f"one dimension, at most {size} values, nperseg None or their number")
    return values.astype(np.float64), values.size


def _lengths(function: str, nperseg: int, noverlap: int | None, nfft: int | None) -> tuple[int, int]:
    overlap = nperseg // 2 if noverlap is None else integer(function, noverlap, "noverlap", 0)
    length = nperseg if nfft is None else integer(function, nfft, "nfft", 1)
    if overlap >= nperseg or length < nperseg:
        raise ArgumentError(function, "the lengths do not fit", f"nperseg={nperseg}, noverlap={overlap}, nfft={length}",
                            "noverlap below nperseg, nfft at least nperseg")
    return overlap, length


def _extended(x: Any, count: int, boundary: str) -> Any:
    """Values beyond both ends of the last dimension."""
    if boundary != "odd":
        return jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(count, count)], mode=_BOUNDARIES[boundary])
    left, right = x[..., :1], x[..., -1:]
    return jnp.concatenate([2 * left - x[..., count:0:-1], x, 2 * right - x[..., -2:-count - 2:-1]], axis=-1)


def _segments(x: Any, nperseg: int, step: int) -> Any:
    count = (x.shape[-1] - nperseg) // step + 1
    return x[..., np.arange(count)[:, None] * step + np.arange(nperseg)]


def _flattened(segments: Any, detrend: Any) -> Any:
    if detrend is False or detrend is None:
        return segments
    if callable(detrend):
        return detrend(segments)
    return _without_trend(segments, type=detrend)


@api(static=("nperseg", "overlap", "nfft", "detrend", "is_onesided"))
def _transformed(
    x: Any, window: Any, nperseg: int, overlap: int, nfft: int, detrend: Any, is_onesided: bool
) -> Any:
    """The transforms of the segments of the last dimension: segments, then frequencies."""
    windowed = _flattened(_segments(x, nperseg, nperseg - overlap), detrend) * window
    return jnp.fft.rfft(windowed, nfft) if is_onesided else jnp.fft.fft(windowed, nfft)


def _check_words(function: str, scaling: str, average: str, detrend: Any) -> None:
    if scaling not in ("density", "spectrum") or average not in ("mean", "median") or (
        isinstance(detrend, str) and detrend not in ("constant", "linear")
    ):
        raise ArgumentError(function, "a word is not known", f"scaling={scaling!r}, average={average!r}, {detrend!r}",
                            "'density' or 'spectrum'; 'mean' or 'median'; 'constant', 'linear' or False")


def _frequencies(nfft: int, fs: ArrayLike, is_onesided: bool, kind: np.dtype) -> Array:
    found = (np.fft.rfftfreq(nfft) if is_onesided else np.fft.fftfreq(nfft)).astype(kind)
    return jnp.asarray(found) * fs


def _median_bias(count: int) -> float:
    twos = 2 * np.arange(1.0, (count - 1) // 2 + 1)
    return float(1 + np.sum(1 / (twos + 1) - 1 / twos))


def _floats(*signals: ArrayLike) -> list[Any]:
    """Signals as floats of one type, in the shapes that they have."""
    kind = jnp.result_type(*(dtype_of(promote_inexact("signal", s)[0][0]) for s in signals))
    return [jnp.asarray(s).astype(kind) for s in signals]


def csd(
    x: ArrayLike, y: ArrayLike | None, fs: ArrayLike = 1.0, window: Window = "hann", nperseg: int | None = None,
    noverlap: int | None = None, nfft: int | None = None, detrend: str | bool | Callable[[Any], Any] = "constant",
    return_onesided: bool = True, scaling: str = "density", axis: int = -1, average: str = "mean",
) -> tuple[Array, Array]:
    """The cross power spectral density of two signals, by Welch's method.

    Args:
        x: A signal.
        y: Another one; None for the same. The shorter one is filled with zeros.
        fs: How many samples there are in a unit of time.
        window: A name, a tuple of a name and parameters, or the values.
        nperseg: The length of segments; 256, or the signal's length if that is less, for None.
        noverlap: How far segments overlap; half their length for None.
        nfft: The length of transforms, filled with zeros; that of segments for None.
        detrend: What is taken from each segment: ``"constant"``, ``"linear"``, a function, or False for nothing.
        return_onesided: Whether the half is given that says all, for real signals.
        scaling: ``"density"``: power in a unit of frequency; ``"spectrum"``: power.
        axis: The dimension of time.
        average: ``"mean"`` or ``"median"`` over the segments.

    Returns:
        The frequencies, and the densities: the dimension of time is that of frequency.

    Raises:
        ArgumentError: If lengths, words or the window do not fit.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy import signal
        >>> frequencies, power = signal.csd(jnp.arange(8.0), jnp.ones(8), nperseg=4)
        >>> frequencies
        Array([0.  , 0.25, 0.5 ], dtype=float32)

    References:
        Welch (1967), The use of fast Fourier transform for the estimation of power spectra.
    """
    _check_words("csd", scaling, average, detrend)
    same = y is None or y is x
    parts = _floats(x) if y is None or same else _floats(x, y)
    if any(p.size == 0 for p in parts):  # as SciPy has it: nothing, in the shape of what was given
        sizes = np.broadcast_shapes(*((*p.shape[:-1], min(q.shape[-1] for q in parts)) for p in parts))
        return jnp.zeros(sizes), jnp.zeros(sizes, dtype_of(parts[0]))
    moved = [jnp.moveaxis(p, axis_of("csd", axis, p.ndim), -1) for p in parts]
    size = max(p.shape[-1] for p in moved)
    moved = [jnp.pad(p, [(0, 0)] * (p.ndim - 1) + [(0, size - p.shape[-1])]) for p in moved]
    values, count = _window("csd", window, nperseg, size)
    overlap, length = _lengths("csd", count, noverlap, nfft)
    kind = dtypes.real_part(dtype_of(moved[0]))
    onesided = return_onesided and not any(dtypes.is_complex(dtype_of(p)) for p in moved)
    spectra = [_transformed(p, values.astype(kind), nperseg=count, overlap=overlap, nfft=length, detrend=detrend,
                            is_onesided=onesided) for p in moved]
    power = jnp.conj(spectra[0]) * spectra[-1]
    total = float(np.sum(values * values)) if scaling == "density" else float(np.sum(values)) ** 2
    scale: Any = fs if scaling == "density" else 1
    power = power / (total * scale)
    if onesided:
        doubled = np.full(power.shape[-1], 2, kind)
        doubled[0] = 1
        if length % 2 == 0:
            doubled[-1] = 1
        power = power * doubled
    if same:
        power = power.real
    if average == "mean":
        found = jnp.mean(power, axis=-2)
    else:
        bias = _median_bias(power.shape[-2])
        found = jnp.median(power.real, axis=-2) / bias
        if not same:
            found = found + 1j * jnp.median(power.imag, axis=-2) / bias
    return _frequencies(length, fs, onesided, kind), jnp.moveaxis(found, -1, axis)


def welch(
    x: ArrayLike, fs: ArrayLike = 1.0, window: Window = "hann", nperseg: int | None = None,
    noverlap: int | None = None, nfft: int | None = None, detrend: str | bool | Callable[[Any], Any] = "constant",
    return_onesided: bool = True, scaling: str = "density", axis: int = -1, average: str = "mean",
) -> tuple[Array, Array]:
    """The power spectral density of a signal, by Welch's method.

    Args:
        x: A signal.
        fs: How many samples there are in a unit of time.
        window: A name, a tuple of a name and parameters, or the values.
        nperseg: The length of segments; 256, or the signal's length if that is less, for None.
        noverlap: How far segments overlap; half their length for None.
        nfft: The length of transforms, filled with zeros; that of segments for None.
        detrend: What is taken from each segment: ``"constant"``, ``"linear"``, a function, or False for nothing.
        return_onesided: Whether the half is given that says all, for real signals.
        scaling: ``"density"``: power in a unit of frequency; ``"spectrum"``: power.
        axis: The dimension of time.
        average: ``"mean"`` or ``"median"`` over the segments.

    Returns:
        The frequencies, and the densities, which are real.

    Raises:
        ArgumentError: If lengths, words or the window do not fit.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy import signal
        >>> signal.welch(jnp.ones(8), nperseg=4, detrend=False)[0]
        Array([0.  , 0.25, 0.5 ], dtype=float32)

    References:
        Welch (1967), The use of fast Fourier transform for the estimation of power spectra.
    """
    return csd(x, None, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)


def stft(
    x: ArrayLike, fs: ArrayLike = 1.0, window: Window = "hann", nperseg: int = 256, noverlap: int | None = None,
    nfft: int | None = None, detrend: str | bool | Callable[[Any], Any] = False, return_onesided: bool = True,
    boundary: str | None = "zeros", padded: bool = True, axis: int = -1,
) -> tuple[Array, Array, Array]:
    """The short-time Fourier transform.

    Args:
        x: A signal.
        fs: How many samples there are in a unit of time.
        window: A name, a tuple of a name and parameters, or the values.
        nperseg: The length of segments.
        noverlap: How far segments overlap; half their length for None.
        nfft: The length of transforms, filled with zeros; that of segments for None.
        detrend: What is taken from each segment: ``"constant"``, ``"linear"``, a function, or False for nothing.
        return_onesided: Whether the half is given that says all, for real signals.
        boundary: What stands beyond both ends: ``"zeros"``, ``"even"``, ``"odd"``, ``"constant"``, or None for nothing.
        padded: Whether zeros at the end make the last segment whole; without them its samples are left out.
        axis: The dimension of time.

    Returns:
        The frequencies, the times of the segments' middles, and the transforms: the dimension of time is that of
        frequency, and the last one is that of segments.

    Raises:
        ArgumentError: If lengths, words or the window do not fit.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy import signal
        >>> frequencies, times, transforms = signal.stft(jnp.ones(8), nperseg=4)
        >>> transforms.shape
        (3, 5)
    """
    _check_words("stft", "spectrum", "mean", detrend)
    if boundary is not None and boundary not in _BOUNDARIES:
        raise ArgumentError("stft", "the boundary is not known", repr(boundary), "'zeros', 'even', 'odd', 'constant'")
    (signal,), ndim = _floats(x), len(shape_of(x))
    position = axis_of("stft", axis, ndim)
    moved = jnp.moveaxis(signal, position, -1)
    values, count = _window("stft", window, nperseg, moved.shape[-1])
    overlap, length = _lengths("stft", count, noverlap, nfft)
    if boundary is not None:
        moved = _extended(moved, count // 2, boundary)
    if padded:
        missing = -(moved.shape[-1] - count) % (count - overlap)
        moved = jnp.pad(moved, [(0, 0)] * (moved.ndim - 1) + [(0, missing)])
    kind = dtypes.real_part(dtype_of(moved))
    onesided = return_onesided and not dtypes.is_complex(dtype_of(moved))
    found = _transformed(moved, values.astype(kind), nperseg=count, overlap=overlap, nfft=length, detrend=detrend,
                         is_onesided=onesided) / abs(float(np.sum(values)))
    starts = np.arange(found.shape[-2]) * (count - overlap) + (0 if boundary is not None else count / 2)
    times = jnp.asarray(starts.astype(kind)) / fs
    return _frequencies(length, fs, onesided, kind), times, jnp.moveaxis(jnp.swapaxes(found, -1, -2), -2, position)


def istft(
    Zxx: ArrayLike, fs: ArrayLike = 1.0, window: Window = "hann", nperseg: int | None = None,
    noverlap: int | None = None, nfft: int | None = None, input_onesided: bool = True, boundary: bool = True,
    time_axis: int = -1, freq_axis: int = -2,
) -> tuple[Array, Array]:
    """The inverse of `stft`: the segments, weighted by the window and added where they overlap.

    Args:
        Zxx: The transforms.
        fs: How many samples there are in a unit of time.
        window: That of the transform.
        nperseg: The length of segments; for None what the transforms' size says.
        noverlap: How far segments overlap; half their length for None.
        nfft: The length of transforms, if it is not that of segments.
        input_onesided: Whether the transforms are halves.
        boundary: Whether the signal was extended beyond its ends; that is cut off.
        time_axis: The dimension of segments.
        freq_axis: The dimension of frequencies.

    Returns:
        The times, and the signal.

    Raises:
        ArgumentError: If lengths or the window do not fit.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy import signal
        >>> transforms = signal.stft(jnp.arange(8.0), nperseg=4)[2]
        >>> signal.istft(transforms, nperseg=4)[1].round(3)
        Array([0., 1., 2., 3., 4., 5., 6., 7.], dtype=float32)

    References:
        Griffin and Lim (1984), Signal estimation from modified short-time Fourier transform.
    """
    (given,), ndim = _floats(Zxx), len(shape_of(Zxx))
    time, frequency = axis_of("istft", time_axis, ndim), axis_of("istft", freq_axis, ndim)
    if time == frequency:
        raise ArgumentError("istft", "times and frequencies are one dimension", time_axis, "two dimensions")
    moved = jnp.moveaxis(given, (time, frequency), (-2, -1))
    size = 2 * (moved.shape[-1] - 1) if input_onesided else moved.shape[-1]
    count = size if nperseg is None else integer("istft", nperseg, "nperseg", 1)
    # A transform of odd length has a half of the same size as the even one below.
    length = (size + (input_onesided and count == size + 1)) if nfft is None else integer("istft", nfft, "nfft", 1)
    values, count = _window("istft", window, count, count)
    overlap, length = _lengths("istft", count, noverlap, length)
    kind = dtypes.real_part(dtype_of(moved))
    segments = jnp.fft.irfft(moved, length) if input_onesided else jnp.fft.ifft(moved, length)
    rows, step = moved.shape[-2], count - overlap
    total = count + (rows - 1) * step
    places = np.arange(rows)[:, None] * step + np.arange(count)
    weighted = segments[..., :count] * (values * np.sum(values)).astype(kind)
    found = jnp.zeros((*moved.shape[:-2], total), weighted.dtype).at[..., places].add(weighted)
    norm = np.zeros(total)
    np.add.at(norm, places, np.tile(values ** 2, (rows, 1)))  # NumPy 2.4 reads beyond values that it broadcasts
    kept = slice(count // 2, total - count // 2) if boundary else slice(None)
    found = (found / np.where(norm > 1e-10, norm, 1.0).astype(kind))[..., kept]
    at = min(time, frequency) if time < frequency else time - 1
    times = jnp.asarray(np.arange(found.shape[-1]).astype(kind)) / fs
    return times, jnp.moveaxis(found, -1, at)
