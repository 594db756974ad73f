# SPDX-License-Identifier: Apache-2.0
"""The strict Fourier transform, over the last dimensions."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described

from ..operands import convert, dtype_of, integers, shape_of
from ..tracing import scalar_dtype
from ..transforms.fourier import transformed
from ..transforms.jit import api
from ..typing import Array, ArrayLike
from .elementwise import conj

__all__ = ["FftType", "fft"]
__dir__ = listed(__all__)


class FftType(enum.IntEnum):
    """Which transform `lax.fft` computes.

    Example:
        >>> FftType.RFFT.name
        'RFFT'
    """

    FFT = 0
    IFFT = 1
    RFFT = 2
    IRFFT = 3


def fft(x: ArrayLike, fft_type: FftType | str, fft_lengths: Sequence[int]) -> Array:
    """The discrete Fourier transform over the last dimensions.

    Args:
        x: Complex numbers, which real ones become; real ones, no narrower than float32, for RFFT.
        fft_type: ``FFT``, ``IFFT`` (which divides by the number of elements), ``RFFT`` (of which the half is kept that
            says all) or ``IRFFT`` (which takes that half).
        fft_lengths: The size of each of these dimensions; of the real side for RFFT and IRFFT.

    Returns:
        The transform: complex numbers; real ones for IRFFT.

    Raises:
        ArgumentError: If type, lengths or element type do not fit.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> lax.fft(np.ones(4, np.complex64), "fft", (4,)).real
        Array([4., 0., 0., 0.], dtype=float32)

    References:
        Cooley and Tukey (1965), An algorithm for the machine calculation of complex Fourier series.
    """
    kind = _kind(fft_type)
    lengths, shape, dtype = integers("fft", fft_lengths, "a length"), shape_of(x), dtype_of(x)
    expected = list(lengths)
    if kind == "irfft" and lengths:
        expected[-1] = lengths[-1] // 2 + 1
    if len(lengths) > len(shape) or tuple(expected) != shape[len(shape) - len(lengths):] or min(lengths, default=1) < 1:
        raise ArgumentError("fft", "the lengths are not those of the last dimensions", f"{lengths} for shape {shape}",
                            f"{kind} of dimensions {expected or '()'}, each 1 or more")
    is_whole = dtypes.is_bool(dtype) or dtypes.is_integer(dtype)
    if not is_whole and (kind == "rfft" and dtype not in (dtypes.float32, dtypes.float64)
                         or not (dtypes.is_float(dtype) or dtypes.is_complex(dtype))):
        raise ArgumentError("fft", f"{kind} does not take the element type", dtype,
                            "float32 or float64" if kind == "rfft" else "numbers")
    if is_whole or (dtypes.is_float(dtype) and dtype.itemsize < 4):
        x = convert(x, scalar_dtype(float) if is_whole else dtypes.float32)
    if kind != "rfft" and not dtypes.is_complex(dtype):
        x = conj(x)
    return _fft(x, kind=kind, lengths=lengths)


def _kind(given: Any) -> str:
    if isinstance(given, int) and not isinstance(given, bool) and given in list(FftType):
        return FftType(given).name.lower()
    if isinstance(given, str) and given.upper() in FftType.__members__:
        return given.lower()
    raise ArgumentError("fft", "the type is not known", described(given), "'fft', 'ifft', 'rfft', 'irfft', or FftType")


@api(static=("kind", "lengths"))
def _fft(x: ArrayLike, kind: str, lengths: tuple[int, ...]) -> Any:
    return transformed(x, kind, lengths)
