# SPDX-License-Identifier: Apache-2.0
"""New arrays: from lists, numbers and host memory, and of equal elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError, OlympusError, described
from olympus_core.placement import Device

from .. import lax
from ..array import Array as OurArray
from ..array import is_concrete
from ..lax.structure import from_host, place_of, put_on
from ..operands import (
    axis_of,
    check_range,
    convert,
    dtype_of,
    element_type,
    is_number,
    rank_argument,
    shape_argument,
    shape_of,
)
from ..shape_dtype import ShapeDtypeStruct
from ..tracing import ArrayOperators, aval_of, bind, canonical_dtype, is_evaluating, scalar_dtype
from ..tracing.values import array_behind, stands_for_array
from ..transforms.device_put import device_put, target
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DeviceLike, DTypeLike, ShardingLike
from .promotion import promote_types_of

_HOST_MEMORY = (1, 3)  # kDLCPU and kDLCUDAHost of DLPack

__all__ = [
    "array", "asarray", "astype", "copy", "empty", "empty_like", "from_dlpack", "full", "full_like", "ones",
    "ones_like", "zeros", "zeros_like",
]


def holds_arrays(value: Any) -> bool:
    """Whether a nested list has an array in it that is more than host data."""
    if isinstance(value, (list, tuple)):
        return any(holds_arrays(item) for item in value)
    return hasattr(value, "aval") or stands_for_array(value)


@api(static=("axis", "dtype"))
def _stacked(*arrays: ArrayLike, axis: int, dtype: np.dtype | None) -> Any:
    parts, weak = promote_types_of("stack", *arrays)
    found = lax.concatenate([lax.expand_dims(x, axis) for x in parts], axis)
    return convert(found, aval_of(found).dtype if dtype is None else dtype, weak and dtype is None)


def stacked(parts: Sequence[ArrayLike], axis: int, dtype: np.dtype | None) -> Any:
    """Arrays of one shape along a new dimension; the body of `stack`."""
    shapes = {shape_of(x) for x in parts}
    if len(shapes) > 1:
        raise ArgumentError("stack", "the shapes differ", ", ".join(map(str, sorted(shapes))), "equal shapes")
    return _stacked(*parts, axis=axis_of("stack", axis, len(shapes.pop()) + 1), dtype=dtype)


def _stacked_lists(value: Any) -> Any:
    """A nested list as an array, whose first dimensions are the lists; what is no list stays what it is."""
    if not isinstance(value, (list, tuple)):
        return value
    if not value:
        raise ArgumentError("stack", "there are no arrays", "none", "one array or more")
    return stacked([_stacked_lists(item) for item in value], 0, None)


def _strong(x: Any) -> Any:
    return convert(x, dtype_of(x), False) if aval_of(x).weak else x


def asarray(
    a: Any, dtype: DTypeLike | None = None, order: str | None = None, *, copy: bool | None = None,
    device: DeviceLike | None = None, out_sharding: ShardingLike | None = None,
) -> Array:
    """An array of whatever can be one: numbers, nested lists, NumPy arrays, arrays.

    Args:
        a: The value; lists may hold arrays and traced values.
        dtype: The element type; None for that of the value, 32 bits wide unless 64 are enabled.
        order: Not used: arrays have no order in memory that one could see.
        copy: True for an array that outlives the given one; False: what has to be copied or converted is an error.
        device: A device or sharding for the array.
        out_sharding: Likewise.

    Returns:
        The array.

    Raises:
        ArgumentError: If the value cannot be an array of numbers, or not without a copy.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.asarray([[1, 2], [3, 4]])
        Array([[1, 2],
               [3, 4]], dtype=int32)
    """
    wanted = None if dtype is None else element_type("array", dtype)
    if out_sharding is not None:
        device = one_sharding("asarray", device, out_sharding)
    if not isinstance(a, ArrayOperators) and stands_for_array(a):
        a = array_behind(a)
    if copy is not None:
        return _copied(a, wanted, bool(copy), device)
    if isinstance(a, (list, tuple)):
        found = _strong(_stacked_lists(a)) if holds_arrays(a) else from_host(_host("array", a, wanted))
    elif hasattr(a, "aval"):
        found = a
        aval_of(a)  # refuses references
    elif is_number(a):
        a = np.bool_(a) if isinstance(a, bool) else a  # bools are not weak
        found = from_host(a if wanted is None else convert(a, wanted, function="array"))
    elif not isinstance(a, np.ndarray) and _is_on_device(a):
        found = _imported(a, None, True)
    else:
        found = from_host(_host("array", a, wanted))
    if wanted is not None:
        found = convert(found, wanted)
    return put_on(found, device)


def _copied(a: Any, dtype: np.dtype | None, fresh: bool, device: DeviceLike | None) -> Array:
    """The body of `asarray` for what must be copied, or must not be."""
    if fresh:
        return copy(asarray(a, dtype, device=device))
    if not hasattr(a, "aval") and hasattr(a, "__dlpack__") and dtype in (None, getattr(a, "dtype", None)):
        return from_dlpack(a, device=device, copy=False)
    if not hasattr(a, "aval") or dtype not in (None, dtype_of(a)):
        raise ArgumentError("asarray", "the value would have to be copied", described(a),
                            "an array of the element type that is asked for", "Leave copy=False out.")
    return put_on(a, device)


def _host(function: str, value: Any, dtype: np.dtype | None) -> np.ndarray:
    if isinstance(value, np.ndarray) and isinstance(value, np.ma.MaskedArray):
        aval_of(value)  # raises the error for what is no array
    try:
        host = np.asarray(value)
    except ValueError as error:
        raise ArgumentError(
            function, "nested lists are of unequal lengths", described(value), "a regular grid") from error
    except OlympusError:
        raise
    except Exception as error:  # whatever the conversion that the value's class has raises
        raise ArgumentError(function, "the value does not convert to an array", described(value),
                            "numbers, nested lists of numbers, arrays") from error
    is_list = isinstance(value, (list, tuple))
    if is_list and host.dtype.kind == "O":
        host = _of_wide_integers(function, value, host, dtype)
    if host.dtype not in dtypes.KNOWN and canonical_dtype(host.dtype) not in dtypes.KNOWN:
        raise ArgumentError(function, "the value is not an array of numbers", described(value),
                            "numbers, nested lists of numbers, arrays")
    given_numbers = not isinstance(value, (np.ndarray, np.generic))
    if given_numbers and host.dtype == np.float64 and dtype is not None and dtypes.is_integer(dtype) and host.size and (
            2.0**53 <= np.max(np.abs(host)) < np.inf):  # NumPy's type of int64 and uint64 does not have all integers
        return _in_range(function, value, np.asarray(value, object), dtype)
    narrowed = dtype is not None and dtypes.is_complex(host.dtype) and not dtypes.is_complex(dtype)
    if narrowed and given_numbers and dtype != np.bool_:
        raise ArgumentError(function, f"complex numbers do not fit {dtype}", described(value), "real numbers")
    if dtype is not None and dtypes.is_float(host.dtype) and dtypes.is_integer(dtype):
        if is_list:
            _whole_in_range(function, value, host, dtype)
    elif dtype is not None:
        if given_numbers and host.dtype.kind in "iu" and dtypes.is_integer(dtype):
            return _in_range(function, value, host, dtype)
        return host if narrowed else dtypes.cast(host, dtype)
    if given_numbers and host.dtype.kind in "iu":
        return _in_range(function, value, host, canonical_dtype(host.dtype))
    if given_numbers and host.size == 0 and host.dtype == np.float64:
        return host.astype(scalar_dtype(float))
    return host


def _of_wide_integers(function: str, value: Any, host: np.ndarray, dtype: np.dtype | None) -> np.ndarray:
    """Numbers of lists that hold integers beyond 64 bits; what is no number stays."""
    numbers = list(host.flat)
    if not all(isinstance(n, (int, float, complex)) for n in numbers):
        return host
    if dtype is None or dtypes.is_integer(dtype):
        if all(isinstance(n, int) for n in numbers):
            return _in_range(function, value, host, dtypes.uint64 if dtype is None else dtype)
        dtype = scalar_dtype(complex if any(isinstance(n, complex) for n in numbers) else float)
    return np.array([convert(n, dtype, function=function) for n in numbers], dtype).reshape(host.shape)


def _whole_in_range(function: str, value: Any, host: np.ndarray, dtype: np.dtype) -> None:
    """Refuses numbers in lists that are no integers of a type once their fractions are cut off."""
    bounds, whole = dtypes.limits(dtype), np.trunc(host.astype(np.float64))
    if not np.all((whole >= bounds.min) & (whole <= bounds.max)):  # nor NaN
        raise ArgumentError(function, f"the numbers do not fit {dtype.name}", described(value),
                            "numbers that this element type holds", "`astype` gives the nearest.")


def _in_range(function: str, value: Any, host: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Integers in a type that holds them all."""
    for number in (host.min(), host.max()) if host.size else ():
        check_range(function, int(number), dtype)
    try:
        return np.asarray(value, dtype)
    except (OverflowError, TypeError) as error:
        raise ArgumentError(function, f"the numbers do not fit {dtype.name}", described(value),
                            "numbers that this element type holds") from error


def array(
    object: Any, dtype: DTypeLike | None = None, copy: bool = True, order: str | None = "K", ndmin: int = 0, *,
    device: DeviceLike | None = None, out_sharding: ShardingLike | None = None,
) -> Array:
    """An array of whatever can be one, as `asarray`; of an array a copy.

    Args:
        object: The value; lists may hold arrays and traced values.
        dtype: The element type; None for that of the value.
        copy: Whether the array outlives one that is given, which may be donated or deleted.
        order: Not used.
        ndmin: The least number of dimensions; those of size one are put in front.
        device: A device or sharding for the array.
        out_sharding: Likewise; it is for the array with its new dimensions.

    Returns:
        The array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.array([1.0, 2.0])
        Array([1., 2.], dtype=float32)
    """
    device = device if out_sharding is None else one_sharding("array", device, out_sharding)
    if type(ndmin) is int and ndmin <= 0:
        return _outliving(asarray(object, dtype, device=device), object, copy)
    found = _outliving(asarray(object, dtype), object, copy)
    missing = rank_argument("array", ndmin, "ndmin") - len(shape_of(found))
    return put_on(lax.reshape(found, (1,) * missing + shape_of(found)) if missing > 0 else found, device)


def _outliving(found: Any, given: Any, fresh: bool) -> Any:
    """What was made of a value, copied where it is the value: with one deleted the other would be."""
    return copy(found) if fresh and found is given and is_concrete(found) and is_evaluating() else found


def copy(a: ArrayLike, order: str | None = None) -> Array:
    """An array with the same elements in memory of its own.

    Args:
        a: An array.
        order: Not used.

    Returns:
        The copy.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.copy(jnp.arange(2))
        Array([0, 1], dtype=int32)
    """
    return bind(ops.convert, a, dtype=dtype_of(a), weak=aval_of(a).weak)


def astype(x: ArrayLike, dtype: DTypeLike, /, *, copy: bool = False, device: DeviceLike | None = None) -> Array:
    """The elements in another type.

    Args:
        x: An array.
        dtype: The element type; None for the default float.
        copy: Whether the array outlives `x`, which may be donated or deleted, also where the type is the same.
        device: A device or sharding for the array.

    Returns:
        The converted array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.astype(jnp.array([1.5, -1.5]), int)
        Array([ 1, -1], dtype=int32)
    """
    wanted = scalar_dtype(float) if dtype is None else element_type("astype", dtype)
    if is_number(x):
        x = asarray(x)
    found = convert(x, wanted)
    return put_on(_outliving(found, x, copy) if hasattr(found, "aval") else asarray(found), device)


def full(
    shape: Sequence[int] | int, fill_value: ArrayLike, dtype: DTypeLike | None = None, *,
    device: DeviceLike | None = None, out_sharding: ShardingLike | None = None,
) -> Array:
    """An array filled with a value.

    Args:
        shape: Its shape.
        fill_value: A number, or an array that is broadcast.
        dtype: The element type; None for that of the value.
        device: A device or sharding for the array.
        out_sharding: Likewise.

    Returns:
        The array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.full((2, 2), 7, jnp.int32)
        Array([[7, 7],
               [7, 7]], dtype=int32)
    """
    if getattr(dtype, "names", None) == ("float0",):  # tangents of integers, which hold nothing
        return np.zeros(shape, dtype)  # type: ignore[return-value]
    return lax.full(shape, fill_value, dtype, sharding=one_sharding("full", device, out_sharding))


def zeros(
    shape: Sequence[int] | int, dtype: DTypeLike | None = None, *, device: DeviceLike | None = None,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """An array of zeros.

    Args:
        shape: Its shape.
        dtype: The element type; float32 for None.
        device: A device or sharding for the array.
        out_sharding: Likewise.

    Returns:
        The array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.zeros(3)
        Array([0., 0., 0.], dtype=float32)
    """
    return full(shape, 0, float if dtype is None else dtype, device=one_sharding("zeros", device, out_sharding))


def ones(
    shape: Sequence[int] | int, dtype: DTypeLike | None = None, *, device: DeviceLike | None = None,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """An array of ones.

    Args:
        shape: Its shape.
        dtype: The element type; float32 for None.
        device: A device or sharding for the array.
        out_sharding: Likewise.

    Returns:
        The array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.ones(3)
        Array([1., 1., 1.], dtype=float32)
    """
    return full(shape, 1, float if dtype is None else dtype, device=one_sharding("ones", device, out_sharding))


def empty(
    shape: Sequence[int] | int, dtype: DTypeLike | None = None, *, device: DeviceLike | None = None,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """An array whose elements have no meaning yet; zeros, as it is.

    Args:
        shape: Its shape.
        dtype: The element type; float32 for None.
        device: A device or sharding for the array.
        out_sharding: Likewise.

    Returns:
        The array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.empty((2, 3)).shape
        (2, 3)
    """
    return zeros(shape, dtype, device=device, out_sharding=out_sharding)


def one_sharding(function: str, device: DeviceLike | None, out_sharding: ShardingLike | None) -> Any:
    """The one of two arguments that says on which devices an array is to be."""
    if device is not None and out_sharding is not None:
        raise ArgumentError(function, "both device and out_sharding say where the array is to be",
                            f"{device}, {out_sharding}", "one of them")
    return out_sharding if device is None else device


def full_like(
    a: ArrayLike, fill_value: ArrayLike, dtype: DTypeLike | None = None, shape: Sequence[int] | int | None = None, *,
    device: DeviceLike | None = None, out_sharding: ShardingLike | None = None,
) -> Array:
    """An array filled with a value, of the shape, element type and sharding of another one.

    Args:
        a: The other array, or anything with a shape and dtype.
        fill_value: A number, or an array that is broadcast.
        dtype: Another element type.
        shape: Another shape.
        device: A device or sharding for the array; that of the other one when left out.
        out_sharding: Likewise.

    Returns:
        The array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.full_like(jnp.arange(2), 7)
        Array([7, 7], dtype=int32)
    """
    like: Any = a
    if not hasattr(a, "shape") or not hasattr(a, "dtype"):
        like = asarray(a) if isinstance(a, (list, tuple)) else aval_of(a)
    sizes = shape_argument("full_like", like.shape if shape is None else shape)
    where = one_sharding("full_like", device, out_sharding)
    if where is None and sizes == tuple(like.shape):
        where = place_of(like)
    weak = bool(getattr(like, "weak_type", False)) and dtype is None
    if dtype is None:  # that of a wide host array, or of what stands for one, is not one that the user names
        is_kept = isinstance(like, (np.ndarray, np.generic, ShapeDtypeStruct))
        dtype = canonical_dtype(like.dtype) if is_kept else like.dtype
    found = full(sizes, fill_value, dtype, device=where)
    return convert(found, dtype_of(found), True) if weak else found


def zeros_like(
    a: ArrayLike, dtype: DTypeLike | None = None, shape: Sequence[int] | int | None = None, *,
    device: DeviceLike | None = None, out_sharding: ShardingLike | None = None,
) -> Array:
    """Zeros of the shape, element type and sharding of another array.

    Args:
        a: The other array, or anything with a shape and dtype.
        dtype: Another element type.
        shape: Another shape.
        device: A device or sharding for the array; that of the other one when left out.
        out_sharding: Likewise.

    Returns:
        The array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.zeros_like(jnp.arange(2))
        Array([0, 0], dtype=int32)
    """
    if dtype is None and getattr(getattr(a, "dtype", None), "names", None) == ("float0",):  # tangents of integers
        return np.zeros(np.shape(a) if shape is None else shape, a.dtype)  # type: ignore[union-attr,return-value]
    return full_like(a, 0, dtype, shape, device=device, out_sharding=out_sharding)


def ones_like(
    a: ArrayLike, dtype: DTypeLike | None = None, shape: Sequence[int] | int | None = None, *,
    device: DeviceLike | None = None, out_sharding: ShardingLike | None = None,
) -> Array:
    """Ones of the shape, element type and sharding of another array.

    Args:
        a: The other array, or anything with a shape and dtype.
        dtype: Another element type.
        shape: Another shape.
        device: A device or sharding for the array; that of the other one when left out.
        out_sharding: Likewise.

    Returns:
        The array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.ones_like(jnp.arange(2))
        Array([1, 1], dtype=int32)
    """
    return full_like(a, 1, dtype, shape, device=device, out_sharding=out_sharding)


def empty_like(
    prototype: ArrayLike, dtype: DTypeLike | None = None, shape: Sequence[int] | int | None = None, *,
    device: DeviceLike | None = None, out_sharding: ShardingLike | None = None,
) -> Array:
    """An array made like another one, whose elements have no meaning yet; zeros, as it is.

    Args:
        prototype: The other array, or anything with a shape and dtype.
        dtype: Another element type.
        shape: Another shape.
        device: A device or sharding for the array; that of the other one when left out.
        out_sharding: Likewise.

    Returns:
        The array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.empty_like(jnp.ones((2, 3))).shape
        (2, 3)
    """
    return zeros_like(prototype, dtype, shape, device=device, out_sharding=out_sharding)


def from_dlpack(x: Any, /, *, device: DeviceLike | None = None, copy: bool | None = None) -> Array:
    """An array of another library's, through the DLPack protocol.

    Args:
        x: An array with `__dlpack__`, in host memory, or in that of a GPU which a platform that is open drives.
        device: A device or sharding for the array.
        copy: False uses the memory as it is, which nobody may write to any more; True copies the elements. None copies
            what is in host memory, and what a GPU cannot use as it lies; its other memory is used as it is.

    Returns:
        The array.

    Raises:
        ArgumentError: The memory cannot be used as it is.

    Example:
        >>> import numpy as np, olympus.numpy as jnp
        >>> jnp.from_dlpack(np.arange(3, dtype="int32"))
        Array([0, 1, 2], dtype=int32)
    """
    if hasattr(x, "aval"):
        return asarray(x, device=device, copy=True if copy else None)
    if _is_on_device(x):
        return _imported(x, device, copy)
    try:
        host = np.from_dlpack(x)
    except (AttributeError, TypeError, BufferError, ValueError, RuntimeError) as error:
        raise ArgumentError("from_dlpack", f"the value does not export its memory ({error})", described(x),
                            "an array with __dlpack__ and __dlpack_device__, in host memory",
                            "Bring it to the host first, or convert it with olympus.numpy.asarray.") from error
    if copy is not False:
        return asarray(host, device=device)
    made = device_put(host, device, may_alias=True)
    if host.size and not np.shares_memory(np.asarray(made), host):
        raise ArgumentError(
            "from_dlpack", "the memory cannot be used as it is", f"{host.dtype}{list(host.shape)} with copy=False",
            "row-major memory that begins where the device's arrays may, for a device in host memory",
            "Leave copy out: the elements are copied then.",
        )
    return made


def _is_on_device(x: Any) -> bool:
    """Whether the memory that a value exports is not the host's."""
    try:
        return hasattr(x, "__dlpack__") and int(x.__dlpack_device__()[0]) not in _HOST_MEMORY
    except (AttributeError, TypeError, RuntimeError):
        return False


def _imported(x: Any, device: DeviceLike | None, copied: bool | None) -> Array:
    """The body of `from_dlpack` for the memory of a device."""
    from olympus_core.runtime.foreign_memory import imported  # few programs share a device's memory with others

    wanted = device if isinstance(device, Device) else None
    try:
        found = imported(OurArray, x, wanted, copied)
    except (BufferError, TypeError, ValueError) as error:
        raise ArgumentError("from_dlpack", f"the memory cannot be used ({error})", described(x),
                            "row-major memory of an element type that DLPack has",
                            "Leave copy=False out, or make the array contiguous first.") from error
    if found is None:
        number = tuple(map(int, x.__dlpack_device__()))
        raise ArgumentError("from_dlpack", "no device that is open has the value's memory",
                            f"{described(x)} on DLPack's device {number}", "memory of a device that is open",
                            "Bring it to the host first, or open its platform: OLYMPUS_PLATFORMS names it.")
    kind = canonical_dtype(found.dtype)
    is_there = device is None or found.sharding.is_equivalent_to(target(device, found), found.ndim)
    if copied is False and not (is_there and kind == found.dtype):
        raise ArgumentError("from_dlpack", "the memory cannot be used as it is", f"{described(x)} with copy=False",
                            f"memory of {device or found.device}, {kind.name}",
                            "Leave copy out: the elements are copied then.")
    if kind != found.dtype:
        found = convert(found, kind)
    return put_on(found, device)
