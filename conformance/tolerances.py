# SPDX-License-Identifier: Apache-2.0
"""How far an operation's result may be from its reference: what the `exactness` of its record allows, in numbers.

The reference of a function is computed in float64 for narrower types, so that the figure is the platform's own error;
for float64 the reference's error, at most a unit or two, is inside it. Floats narrower than float32 are computed in
float32 and rounded once: to the error there comes one unit of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import ml_dtypes
import numpy as np

from olympus_core import dtypes


def allowed_error(figure: float, dtype: np.dtype, result: np.ndarray, size: np.ndarray) -> np.ndarray:
    """How far results of an inexact operation may be off, as float64.

    Args:
        figure: Units in the last place.
        dtype: The result's element type, a float: narrow ones are computed in float32 and rounded.
        result: The reference's results in float64.
        size: The sizes at which the units are taken.
    """
    if dtype.itemsize >= 4:
        return figure * unit(size, dtype)
    return unit(result, dtype) + figure * unit(size, dtypes.float32)


def complex_condition(name: str, operands: Sequence[np.ndarray], size: np.ndarray) -> np.ndarray:
    """By how much a complex function's own formula multiplies the relative errors within it.

    Args:
        name: The operation.
        operands: Its operands in complex128.
        size: The sizes of its results in float64.

    Returns:
        Factors of at least one, as float64; one where no finite factor is known.
    """
    if name == "logistic":  # near a pole the result's digits are the operand's
        return 1 + size
    if name != "pow":
        return np.ones_like(size)
    with np.errstate(all="ignore"):  # the exponent multiplies the logarithm's error
        factor = 1 + np.abs(operands[1] * np.log(operands[0]))
    return np.where(np.isfinite(factor), factor, 1.0)


def sizes_along(x: np.ndarray, attributes: Mapping[str, Any]) -> np.ndarray:
    """The greatest size that an element of a line's Fourier transform can have, for the line's sizes, as float64."""
    sizes = np.where(np.isfinite(x), np.abs(x), 0.0).astype(np.float64).sum(attributes["dimension"], keepdims=True)
    half = 2.0 if attributes["kind"] == "irfft" else 1.0  # an element stands for its conjugate, too
    return np.asarray(half * sizes / (attributes["length"] if attributes["kind"][0] == "i" else 1))


def is_inexact(x: np.ndarray) -> bool:
    """Whether numbers are floats, or pairs of them."""
    return dtypes.is_float(x.dtype) or dtypes.is_complex(x.dtype)


def widened(x: np.ndarray) -> np.ndarray:
    """Inexact numbers in their widest type; others as they are."""
    if dtypes.is_complex(x.dtype):
        return x.astype(np.complex128)
    return x.astype(np.float64) if dtypes.is_float(x.dtype) else x


def unit(size: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """The last place of numbers of some size in a float type, as float64; at least the least denormal number."""
    info = ml_dtypes.finfo(dtype)
    finite = np.where(np.isfinite(size), np.abs(size), 0.0).astype(np.float64)
    exponent = np.frexp(np.maximum(finite, float(info.tiny)))[1] - 1
    return np.ldexp(1.0, exponent - int(info.nmant))
