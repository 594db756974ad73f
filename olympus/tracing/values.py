"""From whatever a user may pass for an array to what is known of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core.errors import ArgumentError, LiteralRangeError
from olympus_core.program import ArrayType

from .aval import PYTHON_SCALARS, Aval, canonical_dtype, scalar_dtype


def aval_of(value: Any) -> Aval:
    """What is known of an array, a traced value, a NumPy array or scalar, or a Python number.

    Raises:
        ArgumentError: For anything else.
    """
    aval = getattr(value, "aval", None)
    if isinstance(aval, Aval):
        return aval
    kind = type(value)
    if kind in PYTHON_SCALARS:
        return Aval(ArrayType((), scalar_dtype(kind)), weak=True)
    if isinstance(value, (np.ndarray, np.generic)):
        if value.dtype.kind in "OSUMm":
            raise ArgumentError("olympus", "an array of numbers is needed", f"element type {value.dtype}",
                                fix="Convert it to a numeric element type first.")
        return Aval(ArrayType(value.shape, canonical_dtype(value.dtype)))
    for base in PYTHON_SCALARS:  # subclasses such as IntEnum
        if isinstance(value, base):
            return Aval(ArrayType((), scalar_dtype(base)), weak=True)
    if hasattr(value, "__olympus_array__"):
        return aval_of(value.__olympus_array__())
    raise ArgumentError(
        "olympus", "a value is not an array", f"{value!r} of type {kind.__module__}.{kind.__qualname__}",
        "an olympus or NumPy array or a number",
        "Convert it with olympus.numpy.asarray, or mark the argument as static.",
    )


def is_host_value(value: Any) -> bool:
    """Whether the value has its content on the host: NumPy's arrays, Python numbers, what says that it is one."""
    return isinstance(value, (np.ndarray, np.generic, int, float, complex)) or hasattr(value, "__olympus_array__")


def is_array_like(value: Any) -> bool:
    """Whether `aval_of` takes the value."""
    return is_host_value(value) or isinstance(getattr(value, "aval", None), Aval)


def host_value(value: Any, dtype: np.dtype) -> np.ndarray:
    """A NumPy array of a host value in the given element type.

    Raises:
        LiteralRangeError: For a Python integer that does not fit.
    """
    if hasattr(value, "__olympus_array__"):
        value = value.__olympus_array__()
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value).astype(dtype, copy=False)
    try:
        return np.asarray(value, dtype=dtype)
    except OverflowError:
        bounds = np.iinfo(dtype)
        raise LiteralRangeError("olympus", value, dtype.name, bounds.min, bounds.max) from None
