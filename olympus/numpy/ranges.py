# SPDX-License-Identifier: Apache-2.0
"""Numbers at equal distances, grids, identity matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError
from olympus_core.program import ArrayType, SymbolicSize
from olympus_core.runtime import get_world
from olympus_core.runtime.execution import LARGE

from .. import lax
from ..lax.structure import from_host, put_on
from ..operands import (
    axis_of,
    broadcast,
    cast,
    check_range,
    convert,
    dtype_of,
    element_type,
    function_of,
    integer,
    is_number,
    shape_argument,
    shape_of,
    strong,
)
from ..tracing import aval_of, bind, scalar_dtype
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DeviceLike, DTypeLike, ShardingLike
from .arithmetic import add, divide, multiply, power, subtract
from .creation import asarray, astype, one_sharding, zeros
from .elementwise import exp, floor, log, sign
from .joining import stack
from .promotion import promote_inexact, result_of
from .searching import where
from .shapes import expand_dims, moveaxis
from .ufuncs import isfinite_of, refuse_complex

__all__ = ["arange", "eye", "fromfunction", "geomspace", "identity", "indices", "linspace", "logspace", "meshgrid"]


@api(static=("size", "dtype"))
def _range(start: ArrayLike, step: ArrayLike, size: int, dtype: np.dtype) -> Any:
    counts = bind(ops.iota, shape=(size,), dtype=dtype, dimension=0)
    scaled = bind(ops.mul, counts, broadcast(cast(step, dtype), (size,), weak=False))
    return bind(ops.add, scaled, broadcast(cast(start, dtype), (size,), weak=False))


def arange(
    start: Any, stop: Any = None, step: Any = None, dtype: DTypeLike | None = None, *, device: DeviceLike | None = None,
    out_sharding: ShardingLike | None = None,
) -> Array:
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
        kind, _ = result_of("arange", [aval_of(v) for v in (start, stop, step)])
    else:
        kind = element_type("arange", dtype)
    refuse_complex("arange", *bounds)
    if bounds[2] == 0:
        raise ArgumentError("arange", "the step is zero", step, "a step other than zero")
    if not all(math.isfinite(b) for b in bounds if isinstance(b, float)):
        raise ArgumentError("arange", "a bound is not finite", ", ".join(map(repr, bounds)), "finite numbers")
    sharding = one_sharding("arange", device, out_sharding)
    if dtypes.is_integer(kind) and all(isinstance(b, (int, SymbolicSize)) for b in bounds):
        first, end, distance = bounds
        size = max((end - first + distance - (1 if distance > 0 else -1)) // distance, 0)
        ArrayType((size,), kind)  # raises the error for more elements than any memory holds
        if dtype is None and not isinstance(size, SymbolicSize) and size:
            check_range("arange", first + (size - 1) * distance, kind)
        if (first, distance) == (0, 1):
            return put_on(lax.iota(kind, size), sharding)
        return put_on(_range(convert(first, kind, function="arange"), convert(distance, kind, function="arange"),
                              size=size, dtype=kind), sharding)
    _refuse_what_does_not_fit(bounds)
    try:
        host = np.arange(*bounds)
    except (ValueError, OverflowError, TypeError, MemoryError) as error:
        raise ArgumentError("arange", f"NumPy makes no such range ({error})", ", ".join(map(repr, bounds)),
                            "real bounds, and fewer numbers than memory holds") from error
    return put_on(from_host(dtypes.cast(host, kind)), sharding)


def _refuse_what_does_not_fit(bounds: Sequence[Any]) -> None:
    """NumPy makes the range in the host's memory: where that is not enough, the system would end the process."""
    if not all(isinstance(b, (int, float)) for b in bounds):
        return
    start, stop, step = bounds
    size = 8 * math.ceil((stop - start) / step)
    if size < LARGE:
        return
    from olympus_core.runtime.memory_needs import refuse_what_does_not_fit

    refuse_what_does_not_fit("arange", size, f"{size:,} bytes of results, 0 bytes of temporary memory",
                             get_world().default_device())


def _concrete_number(function: str, value: Any) -> Any:
    if isinstance(value, SymbolicSize):
        return value
    if is_number(value):
        return int(value) if isinstance(value, bool) else value
    if shape_of(value):
        raise ArgumentError(function, "a bound is not a number", repr(value), "numbers")
    kind = dtype_of(value)
    return int(value) if dtypes.is_integer(kind) else complex(value) if dtypes.is_complex(kind) else float(value)


@api(static=("num", "endpoint", "dtype", "axis"), call="_linspace")
def _linspace(start: ArrayLike, stop: ArrayLike, num: int, endpoint: bool, dtype: np.dtype | None, axis: int) -> Any:
    (start, stop), _ = promote_inexact("linspace", start, stop)
    kind = dtype_of(start)
    shape = (num, *shape_of(start))
    parts = num - 1 if endpoint else num
    if num == 0:
        found = broadcast(convert(0, kind), shape, weak=False)
    else:
        wide = dtypes.float32 if kind.itemsize < 4 else kind  # narrow floats do not count far
        counts = bind(ops.iota, shape=shape, dtype=dtypes.real_part(wide), dimension=0)
        share = cast(lax.div(counts, float(max(parts, 1))), wide)
        first, last = (broadcast(cast(v, wide), shape, weak=False) for v in (start, stop))
        # By steps whole numbers stay whole; by shares the greatest distances do not overflow.
        step = lax.div(lax.sub(last, first), cast(float(max(parts, 1)), wide))
        usable = bind(ops.and_, isfinite_of(step), lax.ne(step, cast(0, wide)))
        found = lax.select(usable, lax.add(first, lax.mul(cast(counts, wide), step)),
                           lax.add(lax.mul(first, lax.sub(cast(1, wide), share)), lax.mul(last, share)))
        if endpoint and num > 1:  # the last number exactly
            found = lax.select(lax.eq(counts, float(parts)), last, found)
    found = moveaxis(found, 0, axis)
    if dtype is None:
        return convert(found, kind)
    return convert(floor(found) if dtypes.is_integer(dtype) else found, dtype)


def linspace(
    start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: bool = True, retstep: bool = False,
    dtype: DTypeLike | None = None, axis: int = 0, *, device: DeviceLike | None = None,
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
    count = integer("linspace", num, "the number of numbers")
    if count < 0:
        raise ArgumentError("linspace", "the number of numbers is negative", count, "zero or more")
    kind = None if dtype is None else element_type("linspace", dtype)
    found = put_on(_linspace(start, stop, num=count, endpoint=bool(endpoint), dtype=kind, axis=axis), device)
    if not retstep:
        return found
    parts = count - 1 if endpoint else count
    step = divide(subtract(stop, start), max(parts, 1))
    return found, strong(step) if parts > 0 else lax.full((), math.nan, dtype_of(step))


def logspace(
    start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: bool = True, base: ArrayLike = 10.0,
    dtype: DTypeLike | None = None, axis: int = 0,
) -> Array:
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
    base = base if aval_of(base).weak else cast(base, scalar_dtype(float))
    found = power(base, linspace(start, stop, num, endpoint, axis=axis))
    return found if dtype is None else astype(found, dtype)


def geomspace(
    start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: bool = True, dtype: DTypeLike | None = None,
    axis: int = 0,
) -> Array:
    """Numbers at equal ratios.

    Args:
        start: The first number.
        stop: The last number, of the same sign; complex numbers run along a spiral.
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
    kind = None if dtype is None else element_type("geomspace", dtype)
    if kind is not None and dtypes.is_complex(kind):
        start, stop = cast(start, kind), cast(stop, kind)
    direction = sign(add(start, multiply(stop, 0)))  # of the type of both, since a complex one makes the other complex
    along = linspace(log(divide(start, direction)), log(divide(stop, direction)), num, endpoint, axis=axis)
    if not aval_of(direction).weak and dtypes.is_integer(dtype_of(direction)):
        direction = cast(direction, dtype_of(along))  # of integers
    found = multiply(expand_dims(direction, axis) if shape_of(direction) else direction, exp(along))
    place = axis_of("geomspace", axis, len(shape_of(found)))
    count, numbers = shape_of(found)[place], lax.broadcasted_iota(np.int32, shape_of(found), place)
    for end, position in ((start, 0), (stop, count - 1 if endpoint and count > 1 else -1)):  # exactly
        at_end = expand_dims(end, axis) if shape_of(end) else end
        found = where(lax.eq(numbers, position), cast(at_end, dtype_of(found)), found)
    return found if dtype is None else astype(found, dtype)


@api(static=("rows", "columns", "k", "dtype"))
def _eye(rows: int, columns: int, k: int, dtype: np.dtype) -> Any:
    row, column = (lax.broadcasted_iota(np.int32, (rows, columns), d) for d in (0, 1))
    return convert(lax.eq(lax.add(row, k), column), dtype)


def eye(
    N: int, M: int | None = None, k: int = 0, dtype: DTypeLike | None = None, *, device: DeviceLike | None = None
) -> Array:
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
    diagonal = max(-rows, min(integer("eye", k, "the diagonal"), columns))  # further ones lie outside too
    return put_on(_eye(rows=rows, columns=columns, k=diagonal, dtype=kind), device)


def identity(n: int, dtype: DTypeLike | None = None) -> Array:
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


def meshgrid(*xi: ArrayLike, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> tuple[Array, ...]:
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
    return tuple(found)


def indices(dimensions: Sequence[int], dtype: DTypeLike | None = None, sparse: bool = False) -> Any:
    """Each element's index along each dimension.

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
    sizes = shape_argument("indices", dimensions)
    kind = element_type("indices", int if dtype is None else dtype)
    if sparse:
        return tuple(
            lax.broadcasted_iota(kind, tuple(n if i == d else 1 for i in range(len(sizes))), d)
            for d, n in enumerate(sizes))
    if not sizes:
        return zeros((0,), kind)
    return stack([lax.broadcasted_iota(kind, sizes, d) for d in range(len(sizes))])


def fromfunction(function: Any, shape: Sequence[int], *, dtype: DTypeLike = float, **kwargs: Any) -> Any:
    """An array of a function of the indices of its elements.

    Args:
        function: Takes an array of indices for each dimension.
        shape: The shape.
        dtype: The element type of the indices.
        **kwargs: Further arguments of the function.

    Returns:
        What the function gives.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fromfunction(lambda i, j: i + j, (2, 2), dtype=int).tolist()
        [[0, 1], [1, 2]]
    """
    sizes = shape_argument("fromfunction", shape)
    function_of("fromfunction", function, "the first argument")
    return function(*(lax.broadcasted_iota(dtype, sizes, d) for d in range(len(sizes))), **kwargs)
