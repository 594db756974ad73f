# SPDX-License-Identifier: Apache-2.0
"""From whatever a user may pass for an array to what is known of it."""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ArgumentError, IntegerOverflowWarning, LiteralRangeError, described
from olympus_core.location import warn_user
from olympus_core.program import ArrayType

from .aval import PYTHON_SCALARS, Aval, canonical_dtype, scalar_dtype

# Names of the methods that give the array which a value stands for; programs that are written for others have theirs.
array_methods: list[str] = ["__olympus_array__"]
# What gives the array for which a value stands, of classes that have no such method.
array_classes: dict[type, Callable[[Any], Any]] = {}
# Of copies of host arrays that programs have, by identity: what gives the array, None where it is gone.
copy_sources: dict[int, Callable[[], np.ndarray | None]] = {}
_NUMPY_REFUSES = np.lib.NumpyVersion(np.__version__) >= "2.0.0"  # before, integers wrap that a type does not hold


def out_of_range(function: str, number: int, dtype: np.dtype) -> LiteralRangeError:
    """The error for a Python integer that an integer type cannot hold; it names x64 where that is what is missing."""
    bounds, wide = dtypes.limits(dtype), dtypes.limits(dtypes.int64)
    needs_x64 = dtype == scalar_dtype(int) == dtypes.int32 and wide.min <= number <= wide.max
    return LiteralRangeError(function, number, dtype.name, bounds.min, bounds.max, needs_x64)


def stands_for_array(value: Any) -> bool:
    """Whether a value's class has a method that gives the array for which it stands, or was registered."""
    kind = type(value)
    return kind in array_classes or any(hasattr(kind, name) for name in array_methods)


def array_behind(value: Any) -> Any:
    """The array for which a value stands."""
    if (of_class := array_classes.get(type(value))) is not None:
        return of_class(value)
    return next(getattr(value, name) for name in array_methods if hasattr(type(value), name))()


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
        return Aval(ArrayType((), scalar_dtype(kind)), weak=kind is not bool)
    if isinstance(value, (np.ndarray, np.generic)):
        dtype = canonical_dtype(value.dtype)
        if type(value) is not np.ndarray and isinstance(value, np.ma.MaskedArray):
            raise ArgumentError("olympus", "a masked array's mask would be lost", described(value), "a plain array",
                                "Write x.filled(number), or use olympus.numpy.where with the mask.")
        if dtype not in dtypes.KNOWN and not dtypes.is_key(dtype):
            raise ArgumentError("olympus", "an array of numbers is needed", f"element type {value.dtype}",
                                ", ".join(known.name for known in dtypes.KNOWN_IN_ORDER),
                                "Convert it to one of these element types first, with x.astype(...).")
        return Aval(ArrayType(value.shape, dtype))
    for base in PYTHON_SCALARS:  # subclasses such as IntEnum
        if isinstance(value, base):
            return Aval(ArrayType((), scalar_dtype(base)), weak=True)
    if stands_for_array(value):
        return aval_of(array_behind(value))
    error = ArgumentError(
        "olympus", "a value is not an array", described(value),
        "an olympus or NumPy array or a number",
        "Read the reference with ref[...]." if hasattr(value, "content_aval") else
        getattr(type(value), "_array_hint", None) or
        "Convert it with olympus.numpy.asarray, or mark the argument as static.",
    )
    error.value = value
    raise error


def is_host_value(value: Any) -> bool:
    """Whether the value has its content on the host: NumPy's arrays, Python numbers, what says that it is one."""
    return isinstance(value, (np.ndarray, np.generic, int, float, complex)) or stands_for_array(value)


def is_array_like(value: Any) -> bool:
    """Whether `aval_of` takes the value."""
    return is_host_value(value) or isinstance(getattr(value, "aval", None), Aval)


def number_as(number: Any, dtype: np.dtype) -> np.ndarray:
    """A Python number in an element type, rounded once: NumPy makes it a float64, or for bfloat16 a float32, first."""
    if isinstance(number, int) and abs(number) >> 53 and dtypes.real_part(dtype) in _INEXACT:
        number = _odd_float(number)
    if isinstance(number, (int, float)) and dtype.itemsize <= 2 and dtypes.is_float(dtype):
        return dtypes.cast(np.asarray(number, np.float64), dtype)
    return np.asarray(number, dtype)


_INEXACT = frozenset(dtype for dtype in dtypes.KNOWN if dtypes.is_float(dtype) and dtype != dtypes.float64)


def _odd_float(number: int) -> float:
    """An integer as float64, with an odd last digit where it is inexact: rounding it again rounds correctly."""
    surplus = max(number.bit_length() - 53, 0)
    return math.ldexp(number >> surplus | (number & (1 << surplus) - 1 != 0), surplus)


def host_value(value: Any, dtype: np.dtype) -> np.ndarray:
    """A NumPy array of a host value in the given element type.

    Raises:
        LiteralRangeError: For a Python integer that does not fit.
    """
    if stands_for_array(value):
        value = array_behind(value)
    if isinstance(value, (np.ndarray, np.generic)):
        found = dtypes.cast(np.asarray(value), dtype)
        if found.dtype.itemsize < value.dtype.itemsize and value.dtype.kind in "iu" and found.dtype.kind in "iu":
            _check_fits(value, found.dtype)
        return found
    if not _NUMPY_REFUSES and isinstance(value, int) and dtypes.is_integer(dtype):
        bounds = dtypes.limits(dtype)
        if not bounds.min <= value <= bounds.max:
            raise out_of_range("olympus", value, dtype)
    try:
        return number_as(value, dtype)
    except OverflowError:
        if dtypes.is_integer(dtype):
            raise out_of_range("olympus", value, dtype) from None
        raise ArgumentError("olympus", f"the Python integer does not fit {dtype.name}", described(value),
                            f"a number of the range of {dtype.name}") from None
    except TypeError:
        raise ArgumentError("olympus", "a value is needed, which what stands for an array has not", described(value),
                            "an array or a number",
                            "Give what stands for an array only to eval_shape, lower and trace.") from None


def _check_fits(value: np.ndarray | np.generic, dtype: np.dtype) -> None:
    """Warns where integers of a host array wrap in the type that stands for theirs."""
    if not value.size:
        return
    bounds, least, greatest = np.iinfo(dtype), int(value.min()), int(value.max())
    if least < bounds.min or greatest > bounds.max:
        warn_user(IntegerOverflowWarning(value.dtype.name, dtype.name, least, greatest))


def unchanging(value: Any) -> Any:
    """A value that its owner cannot change: of a host array that may be written, or is part of such a one, a copy."""
    if not isinstance(value, np.ndarray) or _is_fixed(value):
        return value
    # Repeated elements stay repeated.
    copied = np.array(value[tuple([slice(0, 1) if step == 0 else slice(None) for step in value.strides])], order="C")
    copied.flags.writeable = False
    return copied if copied.shape == value.shape else np.broadcast_to(copied, value.shape)


def _is_fixed(value: Any) -> bool:
    is_read = isinstance(value, np.ndarray) and not value.flags.writeable
    return is_read and (value.flags.owndata or _is_fixed(value.base))


def constant_of(value: Any, dtype: np.dtype) -> np.ndarray:
    """What a program has for a host value that it uses, in the given element type: of what may change a copy.

    Args:
        value: The host value.
        dtype: The element type.
    """
    found = host_value(value, dtype)
    if isinstance(value, (np.generic, int, float, complex)):
        found.flags.writeable = False  # nobody has it
    found = unchanging(found)
    if isinstance(value, np.ndarray) and value is not found:
        # A part of an array is kept: it is nobody's but the trace's, while its owner may change the whole.
        copy_sources[id(found)] = weakref.ref(value) if value.base is None else lambda: value
        weakref.finalize(found, copy_sources.pop, id(found), None).atexit = False
    return found
