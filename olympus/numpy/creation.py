"""New arrays: from lists and numbers, of equal elements, ranges, grids."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError

from .. import lax
from ..lax.operands import (
    ArrayLike,
    broadcast,
    cast,
    convert,
    dtype_of,
    element_type,
    integer,
    is_number,
    shape_argument,
    shape_of,
)
from ..tracing import aval_of, bind, canonical_dtype, scalar_dtype
from ..transforms.jit import api


@api
def _lifted(x: ArrayLike) -> Any:
    """A host value as an array; called by itself, its argument has become one already."""
    if hasattr(x, "aval"):
        return x
    aval = aval_of(x)
    return bind(ops.constant, value=np.asarray(x).astype(aval.dtype), weak=aval.weak)


def _placed(x: Any, device: Any) -> Any:
    if device is None:
        return x
    from ..transforms.device_put import device_put

    return device_put(x, device)


def _holds_arrays(value: Any) -> bool:
    """Whether a nested list has an array in it that is more than host data."""
    if isinstance(value, (list, tuple)):
        return any(_holds_arrays(item) for item in value)
    return hasattr(value, "aval")


def _stacked(value: Any) -> Any:
    from .joining import stack

    return stack([_stacked(item) for item in value]) if isinstance(value, (list, tuple)) else value


def _strong(x: Any) -> Any:
    return convert(x, dtype_of(x), False) if aval_of(x).weak else x


def asarray(
    a: Any, dtype: Any = None, order: str | None = None, *, copy: bool | None = None, device: Any = None
) -> Any:
    """An array of whatever can be one: numbers, nested lists, NumPy arrays, arrays.

    Args:
        a: The value; lists may hold arrays and traced values.
        dtype: The element type; None for that of the value, 32 bits wide unless 64 are enabled.
        order: Not used: arrays have no order in memory that one could see.
        copy: Not used: arrays never change.
        device: A device or sharding for the array.

    Returns:
        The array.

    Raises:
        ArgumentError: If the value cannot be an array of numbers.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.asarray([[1, 2], [3, 4]])
        Array([[1, 2],
               [3, 4]], dtype=int32)
    """
    wanted = None if dtype is None else element_type("array", dtype)
    if isinstance(a, (list, tuple)):
        found = _strong(_stacked(a)) if _holds_arrays(a) else _lifted(_host("array", a, wanted))
    elif hasattr(a, "aval"):
        found = a
    elif is_number(a):
        a = np.bool_(a) if isinstance(a, bool) else a  # truth values are not weak
        found = _lifted(a if wanted is None else convert(a, wanted, function="array"))
    else:
        found = _lifted(_host("array", a, wanted))
    if wanted is not None:
        found = convert(found, wanted)
    return _placed(found, device)


def _host(function: str, value: Any, dtype: np.dtype | None) -> np.ndarray:
    if hasattr(value, "__olympus_array__"):
        value = value.__olympus_array__()
    try:
        host = np.asarray(value)
    except ValueError as error:
        raise ArgumentError(
            function, "nested lists are of unequal lengths", repr(value)[:200], "a regular grid") from error
    if host.dtype.kind in "OSUMm":
        raise ArgumentError(function, "the value is not an array of numbers",
                            f"{repr(value)[:200]} of type {type(value).__name__}",
                            "numbers, nested lists of numbers, arrays")
    given_numbers = not isinstance(value, (np.ndarray, np.generic))
    if dtype is not None and not (dtypes.is_float(host.dtype) and dtypes.is_integer(dtype)):
        if given_numbers and host.dtype.kind in "iu" and dtypes.is_integer(dtype):
            return np.asarray(value, dtype)  # refuses numbers that do not fit
        return host if dtypes.is_complex(host.dtype) and not dtypes.is_complex(dtype) else host.astype(dtype)
    if given_numbers and host.dtype.kind in "iu":
        return np.asarray(value, canonical_dtype(host.dtype))
    if given_numbers and host.size == 0 and host.dtype == np.float64:
        return host.astype(scalar_dtype(float))
    return host


def array(
    object: Any, dtype: Any = None, copy: bool = True, order: str | None = "K", ndmin: int = 0, *, device: Any = None
) -> Any:
    """An array of whatever can be one, as `asarray`.

    Args:
        object: The value; lists may hold arrays and traced values.
        dtype: The element type; None for that of the value.
        copy: Not used: arrays never change.
        order: Not used.
        ndmin: The least number of dimensions; those of size one are put in front.
        device: A device or sharding for the array.

    Returns:
        The array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.array([1.0, 2.0])
        Array([1., 2.], dtype=float32)
    """
    found = asarray(object, dtype, device=device)
    missing = ndmin - len(shape_of(found))
    return lax.reshape(found, (1,) * missing + shape_of(found)) if missing > 0 else found


def copy(a: ArrayLike, order: str | None = None) -> Any:
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


def astype(x: ArrayLike, dtype: Any, /, *, copy: bool = False, device: Any = None) -> Any:
    """The elements in another type.

    Args:
        x: An array.
        dtype: The element type; None for the default float.
        copy: Not used: arrays never change.
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
    return _placed(found if hasattr(found, "aval") else asarray(found), device)


@api(static=("shape", "dtype"))
def _full(fill_value: ArrayLike, shape: tuple[int, ...], dtype: np.dtype | None) -> Any:
    weak = dtype is None and aval_of(fill_value).weak
    value = fill_value if dtype is None else convert(fill_value, dtype, function="full")
    found = broadcast(value, shape, weak=weak)
    return found if hasattr(found, "aval") else _lifted(found)


def full(shape: Sequence[int] | int, fill_value: ArrayLike, dtype: Any = None, *, device: Any = None) -> Any:
    """An array filled with a value.

    Args:
        shape: Its shape.
        fill_value: A number, or an array that is broadcast.
        dtype: The element type; None for that of the value.
        device: A device or sharding for the array.

    Returns:
        The array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.full((2, 2), 7, jnp.int32)
        Array([[7, 7],
               [7, 7]], dtype=int32)
    """
    wanted = None if dtype is None else element_type("full", dtype)
    if type(fill_value) is int and wanted is not None:
        fill_value = convert(fill_value, wanted, function="full")
    sizes = shape_argument("full", shape)
    from .shapes import check_broadcast

    check_broadcast("full", shape_of(fill_value), sizes)
    return _placed(_full(fill_value, shape=sizes, dtype=wanted), device)


def zeros(shape: Sequence[int] | int, dtype: Any = None, *, device: Any = None, out_sharding: Any = None) -> Any:
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
    return full(shape, 0, float if dtype is None else dtype, device=_one_place("zeros", device, out_sharding))


def ones(shape: Sequence[int] | int, dtype: Any = None, *, device: Any = None, out_sharding: Any = None) -> Any:
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
    return full(shape, 1, float if dtype is None else dtype, device=_one_place("ones", device, out_sharding))


def empty(shape: Sequence[int] | int, dtype: Any = None, *, device: Any = None, out_sharding: Any = None) -> Any:
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


def _one_place(function: str, device: Any, out_sharding: Any) -> Any:
    if device is not None and out_sharding is not None:
        raise ArgumentError(function, "both device and out_sharding say where the array is to be",
                            f"{device}, {out_sharding}", "one of them")
    return out_sharding if device is None else device


def full_like(
    a: ArrayLike, fill_value: ArrayLike, dtype: Any = None, shape: Sequence[int] | int | None = None, *,
    device: Any = None,
) -> Any:
    """An array filled with a value, of the shape and element type of another one.

    Args:
        a: The other array, or anything with a shape and dtype.
        fill_value: A number, or an array that is broadcast.
        dtype: Another element type.
        shape: Another shape.
        device: A device or sharding for the array.

    Returns:
        The array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.full_like(jnp.arange(2), 7)
        Array([7, 7], dtype=int32)
    """
    if not hasattr(a, "shape") or not hasattr(a, "dtype"):
        a = asarray(a) if isinstance(a, (list, tuple)) else aval_of(a)
    sizes = tuple(a.shape) if shape is None else shape
    weak = bool(getattr(a, "weak_type", False)) and dtype is None
    found = full(sizes, fill_value, a.dtype if dtype is None else dtype, device=device)
    return convert(found, dtype_of(found), True) if weak else found


def zeros_like(
    a: ArrayLike, dtype: Any = None, shape: Sequence[int] | int | None = None, *, device: Any = None
) -> Any:
    """Zeros of the shape and element type of another array.

    Args:
        a: The other array, or anything with a shape and dtype.
        dtype: Another element type.
        shape: Another shape.
        device: A device or sharding for the array.

    Returns:
        The array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.zeros_like(jnp.arange(2))
        Array([0, 0], dtype=int32)
    """
    return full_like(a, 0, dtype, shape, device=device)


def ones_like(
    a: ArrayLike, dtype: Any = None, shape: Sequence[int] | int | None = None, *, device: Any = None
) -> Any:
    """Ones of the shape and element type of another array.

    Args:
        a: The other array, or anything with a shape and dtype.
        dtype: Another element type.
        shape: Another shape.
        device: A device or sharding for the array.

    Returns:
        The array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.ones_like(jnp.arange(2))
        Array([1, 1], dtype=int32)
    """
    return full_like(a, 1, dtype, shape, device=device)


def empty_like(
    prototype: ArrayLike, dtype: Any = None, shape: Sequence[int] | int | None = None, *, device: Any = None
) -> Any:
    """An array of the shape and element type of another one, whose elements have no meaning yet; zeros, as it is.

    Args:
        prototype: The other array, or anything with a shape and dtype.
        dtype: Another element type.
        shape: Another shape.
        device: A device or sharding for the array.

    Returns:
        The array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.empty_like(jnp.ones((2, 3))).shape
        (2, 3)
    """
    return zeros_like(prototype, dtype, shape, device=device)


@api(static=("size", "dtype"))
def _range(start: ArrayLike, step: ArrayLike, size: int, dtype: np.dtype) -> Any:
    counts = bind(ops.iota, shape=(size,), dtype=dtype, dimension=0)
    scaled = bind(ops.mul, counts, broadcast(cast(step, dtype), (size,), weak=False))
    return bind(ops.add, scaled, broadcast(cast(start, dtype), (size,), weak=False))


def arange(
    start: Any, stop: Any = None, step: Any = None, dtype: Any = None, *, device: Any = None, out_sharding: Any = None
) -> Any:
    """Numbers at equal distances.

    Args:
        start: The first number; where `stop` is None, the end, and the first number is 0.
        stop: The end, which is left out.
        step: The distance; 1 for None.
        dtype: The element type; None for that of the arguments.
        device: A device or sharding for the array.
        out_sharding: Likewise.

    Returns:
        An array of one dimension.

    Raises:
        ConcretizationError: If an argument is a traced value: the size must be known.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.arange(3), jnp.arange(2, 8, 3), jnp.arange(0, 1, 0.25)
        (Array([0, 1, 2], dtype=int32), Array([2, 5], dtype=int32), Array([0.  , 0.25, 0.5 , 0.75], dtype=float32))
    """
    if stop is None:
        start, stop = 0, start
    step = 1 if step is None else step
    bounds = [_concrete_number("arange", v) for v in (start, stop, step)]
    if dtype is None:
        from .promotion import result_of

        kind, _ = result_of("arange", [aval_of(v) for v in (start, stop, step)])
    else:
        kind = element_type("arange", dtype)
    if bounds[2] == 0:
        raise ArgumentError("arange", "the step is zero", step, "a step other than zero")
    place = _one_place("arange", device, out_sharding)
    if dtypes.is_integer(kind) and all(isinstance(b, int) for b in bounds):
        first, end, distance = bounds
        size = len(range(first, end, distance))
        if (first, distance) == (0, 1):
            return _placed(lax.iota(kind, size), place)
        return _placed(_range(convert(first, kind, function="arange"), convert(distance, kind, function="arange"),
                              size=size, dtype=kind), place)
    return _placed(_lifted(np.arange(*bounds).astype(kind)), place)


def _concrete_number(function: str, value: Any) -> Any:
    if is_number(value):
        return int(value) if isinstance(value, bool) else value
    if shape_of(value):
        raise ArgumentError(function, "a bound is not a number", repr(value), "numbers")
    kind = dtype_of(value)
    return int(value) if dtypes.is_integer(kind) else complex(value) if dtypes.is_complex(kind) else float(value)


@api(static=("num", "endpoint", "dtype", "axis"))
def _linspace(start: ArrayLike, stop: ArrayLike, num: int, endpoint: bool, dtype: np.dtype | None, axis: int) -> Any:
    from .elementwise import floor
    from .promotion import promote_inexact
    from .shapes import moveaxis

    (start, stop), _ = promote_inexact("linspace", start, stop)
    kind = dtype_of(start)
    shape = (num, *shape_of(start))
    parts = num - 1 if endpoint else num
    if num == 0:
        found = broadcast(convert(0, kind), shape, weak=False)
    else:
        counts = bind(ops.iota, shape=shape, dtype=dtypes.real_part(kind), dimension=0)
        share = lax.div(counts, float(max(parts, 1)))
        share = cast(share, kind)
        first, last = (broadcast(v, shape, weak=False) for v in (start, stop))
        found = lax.add(lax.mul(first, lax.sub(1.0, share)), lax.mul(last, share))
        if endpoint and num > 1:  # the last number exactly
            found = lax.select(lax.eq(counts, float(parts)), last, found)
    found = moveaxis(found, 0, axis)
    if dtype is None:
        return convert(found, kind)
    return convert(floor(found) if dtypes.is_integer(dtype) else found, dtype)


def linspace(
    start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None,
    axis: int = 0, *, device: Any = None,
) -> Any:
    """A number of numbers at equal distances.

    Args:
        start: The first number, or an array of them.
        stop: The last number.
        num: How many.
        endpoint: Whether `stop` is among them.
        retstep: Whether to give the distance too.
        dtype: The element type; None for a float type.
        axis: The dimension along which the numbers run.
        device: A device or sharding for the array.

    Returns:
        The array; and the distance, if it is asked for.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linspace(0, 1, 5)
        Array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float32)
    """
    from .arithmetic import divide, subtract

    count = integer("linspace", num, "the number of numbers")
    if count < 0:
        raise ArgumentError("linspace", "the number of numbers is negative", count, "zero or more")
    kind = None if dtype is None else element_type("linspace", dtype)
    found = _placed(_linspace(start, stop, num=count, endpoint=bool(endpoint), dtype=kind, axis=axis), device)
    if not retstep:
        return found
    parts = count - 1 if endpoint else count
    return found, divide(subtract(stop, start), parts) if parts > 0 else asarray(math.nan)


def logspace(
    start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: bool = True, base: ArrayLike = 10.0, dtype: Any = None,
    axis: int = 0,
) -> Any:
    """Numbers whose logarithms are at equal distances.

    Args:
        start: The first logarithm.
        stop: The last logarithm.
        num: How many.
        endpoint: Whether `stop` is among them.
        base: The base of the logarithms.
        dtype: The element type; None for a float type.
        axis: The dimension along which the numbers run.

    Returns:
        The array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.logspace(0, 2, 3, base=2.0)
        Array([1., 2., 4.], dtype=float32)
    """
    from .arithmetic import power

    found = power(cast(base, scalar_dtype(float)), linspace(start, stop, num, endpoint, axis=axis))
    return found if dtype is None else astype(found, dtype)


def geomspace(
    start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Any:
    """Numbers at equal ratios.

    Args:
        start: The first number.
        stop: The last number, of the same sign.
        num: How many.
        endpoint: Whether `stop` is among them.
        dtype: The element type; None for a float type.
        axis: The dimension along which the numbers run.

    Returns:
        The array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.round(jnp.geomspace(1, 100, 3))
        Array([  1.,  10., 100.], dtype=float32)
    """
    from .arithmetic import multiply
    from .elementwise import absolute, exp, log, sign

    found = multiply(sign(start), exp(linspace(log(absolute(start)), log(absolute(stop)), num, endpoint, axis=axis)))
    return found if dtype is None else astype(found, dtype)


@api(static=("rows", "columns", "k", "dtype"))
def _eye(rows: int, columns: int, k: int, dtype: np.dtype) -> Any:
    row, column = (lax.broadcasted_iota(np.int32, (rows, columns), d) for d in (0, 1))
    return convert(lax.eq(lax.add(row, k), column), dtype)


def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = None, *, device: Any = None) -> Any:
    """A matrix with ones on a diagonal.

    Args:
        N: The number of rows.
        M: The number of columns; as many for None.
        k: Which diagonal; those above the main one are positive.
        dtype: The element type; float32 for None.
        device: A device or sharding for the array.

    Returns:
        The matrix.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.eye(2)
        Array([[1., 0.],
               [0., 1.]], dtype=float32)
    """
    rows, columns = shape_argument("eye", (N, N if M is None else M))
    kind = element_type("eye", float if dtype is None else dtype)
    return _placed(_eye(rows=rows, columns=columns, k=integer("eye", k, "the diagonal"), dtype=kind), device)


def identity(n: int, dtype: Any = None) -> Any:
    """The square matrix with ones on the main diagonal.

    Args:
        n: The number of rows.
        dtype: The element type; float32 for None.

    Returns:
        The matrix.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.identity(2, int)
        Array([[1, 0],
               [0, 1]], dtype=int32)
    """
    return eye(n, dtype=dtype)


def meshgrid(*xi: ArrayLike, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> list[Any]:
    """The coordinates of a grid's points, of the coordinates along its axes.

    Args:
        *xi: Arrays of one dimension.
        copy: Not used.
        sparse: Whether to leave dimensions at size one along which nothing changes.
        indexing: ``"xy"`` for the first two dimensions swapped, ``"ij"`` for none.

    Returns:
        An array for each axis.

    Example:
        >>> import olympus.numpy as jnp
        >>> [g.tolist() for g in jnp.meshgrid(jnp.arange(2), jnp.arange(3))]
        [[[0, 1], [0, 1], [0, 1]], [[0, 0], [1, 1], [2, 2]]]
    """
    if indexing not in ("xy", "ij"):
        raise ArgumentError("meshgrid", "the indexing is not known", repr(indexing), "'xy' or 'ij'")
    axes = [lax.reshape(x, (-1,)) for x in map(asarray, xi)]
    order = list(range(len(axes)))
    if indexing == "xy" and len(axes) > 1:
        order[:2] = [1, 0]
    sizes = [0] * len(axes)
    for x, d in zip(axes, order, strict=True):
        sizes[d] = shape_of(x)[0]
    found = []
    for x, d in zip(axes, order, strict=True):
        aligned = lax.reshape(x, tuple(n if i == d else 1 for i, n in enumerate(sizes)))
        found.append(aligned if sparse else broadcast(aligned, tuple(sizes)))
    return found


def indices(dimensions: Sequence[int], dtype: Any = None, sparse: bool = False) -> Any:
    """Each element's place along each dimension.

    Args:
        dimensions: A shape.
        dtype: The element type; int32 for None.
        sparse: Whether to give a tuple of arrays that have size one where nothing changes.

    Returns:
        An array whose first dimension counts the dimensions, or a tuple.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.indices((2, 2)).tolist()
        [[[0, 0], [1, 1]], [[0, 1], [0, 1]]]
    """
    from .joining import stack

    sizes = shape_argument("indices", dimensions)
    kind = element_type("indices", int if dtype is None else dtype)
    if sparse:
        return tuple(
            lax.broadcasted_iota(kind, tuple(n if i == d else 1 for i in range(len(sizes))), d)
            for d, n in enumerate(sizes))
    if not sizes:
        return zeros((0,), kind)
    return stack([lax.broadcasted_iota(kind, sizes, d) for d in range(len(sizes))])


def fromfunction(function: Any, shape: Sequence[int], *, dtype: Any = float, **kwargs: Any) -> Any:
    """An array of a function of the places of its elements.

    Args:
        function: Takes an array of places for each dimension.
        shape: The shape.
        dtype: The element type of the places.
        **kwargs: Further arguments of the function.

    Returns:
        What the function gives.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fromfunction(lambda i, j: i + j, (2, 2), dtype=int).tolist()
        [[0, 1], [1, 2]]
    """
    sizes = shape_argument("fromfunction", shape)
    return function(*(lax.broadcasted_iota(dtype, sizes, d) for d in range(len(sizes))), **kwargs)


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Any:
    """An array of another library's, through the DLPack protocol; the elements are copied.

    Args:
        x: An array with `__dlpack__`, in host memory.
        device: A device or sharding for the array.
        copy: Not used.

    Returns:
        The array.

    Example:
        >>> import numpy as np, olympus.numpy as jnp
        >>> jnp.from_dlpack(np.arange(3, dtype="int32"))
        Array([0, 1, 2], dtype=int32)
    """
    return asarray(x if hasattr(x, "aval") else np.from_dlpack(x), device=device)


__all__ = [
    "arange", "array", "asarray", "astype", "copy", "empty", "empty_like", "eye", "from_dlpack", "fromfunction", "full",
    "full_like", "geomspace", "identity", "indices", "linspace", "logspace", "meshgrid", "ones",
    "ones_like", "zeros", "zeros_like",
]
