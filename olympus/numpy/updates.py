# SPDX-License-Identifier: Apache-2.0
"""``x.at[index].set(values)`` and the other updates: new arrays with some elements replaced."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError, described
from olympus_core.program.types import known_sizes

from .. import lax
from ..operands import (
    as_array,
    as_constant_if_wide,
    broadcast,
    broadcast_shape,
    check_numbers,
    convert,
    counting,
    dtype_of,
    function_of,
    is_number,
    shape_of,
)
from ..tracing import EVALUATING, Tracer, aval_of, bind, use_trace
from ..tracing.staging import unwatched
from ..transforms.complex_order import bind_ordered
from ..transforms.jit import api
from ..typing import Array, ArrayLike, ShardingLike
from .arithmetic import divide, power
from .creation import asarray
from .elementwise import negative
from .indexing import _indexed, _wrapped, host_fill, index_array, index_vectors, take_mode
from .indexing_plan import Integer, Many, New, Plan, Slice, _is_boolean, parse, spread_bools


class IndexUpdate:
    """What stands behind ``x.at``: an index in brackets gives the functions that replace elements.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.arange(4).at[1:3].set(9)
        Array([0, 9, 9, 3], dtype=int32)
    """

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array

    def __getitem__(self, index: Any) -> IndexUpdateRef:
        return IndexUpdateRef(self.array, index)

    def __repr__(self) -> str:
        return f"IndexUpdate({self.array!r})"


class IndexUpdateRef:
    """Elements of an array that an index names, to be read or replaced.

    Every function takes `mode`, which says what happens to indices outside: ``"drop"`` (the default: nothing is
    changed), ``"clip"``, ``"wrap"`` or ``"promise_in_bounds"``; two promises that are not needed here; `out_sharding`,
    how the result is to be sharded where axes are explicit; and `wrap_negative_indices`: False makes negative indices
    such that lie outside, in place of counting from the end.
    """

    __slots__ = ("array", "index")

    def __init__(self, array: Any, index: Any) -> None:
        self.array, self.index = array, index

    def __repr__(self) -> str:
        return f"IndexUpdateRef({self.array!r}, {self.index!r})"

    def get(
        self, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
        fill_value: Any = None, out_sharding: ShardingLike | None = None, wrap_negative_indices: bool = True,
    ) -> Array:
        """The elements, for indices outside the nearest ones; ``mode="fill"`` gives `fill_value`, or NaN, for these."""
        word = "clip" if mode is None else take_mode("at[].get", mode)
        shape = shape_of(self.array)
        with counting(shape):
            index = self.index if wrap_negative_indices else _outside(self.index, word)
            index, spread = spread_bools(index, shape)
            array = self.array if spread == shape else lax.reshape(self.array, spread)
            plan, operands = parse(index, spread, strict=False)
            if word == "wrap":
                operands = _wrapped_operands(plan, operands, spread)
            fill = host_fill(array, fill_value)
            read = functools.partial(_indexed, plan=plan, fill=word == "fill", fill_value=fill)
            return lax.structure.scoped(out_sharding, read, array, *operands)

    def _update(self, combine: str, values: ArrayLike, mode: Any, where: Any, wraps: bool) -> Any:
        return scattered(self.array, self.index, values, combine, mode, where, wraps)

    def _combined(self, function: Callable[..., Any], values: ArrayLike, mode: Any, where: Any, wraps: bool) -> Any:
        """The array with a function of the elements and the product of their values."""
        factors = scattered(_ones(self.array, values), self.index, values, "mul", mode, where, wraps)
        named = scattered(lax.full(shape_of(self.array), False, bool), self.index, True, "set", mode, where, wraps)

        def write(x: Any, factors: Any, named: Any) -> Any:
            # Of other elements the function is not asked: beside them its slopes may be no numbers.
            found = function(bind(ops.select, named, x, lax.full_like(x, 1), weak=aval_of(x).weak), factors)
            return bind(ops.select, named, found, convert(x, dtype_of(found)), weak=aval_of(found).weak)

        return lax.structure.scoped(where, write, self.array, factors, named)

    def set(
        self, values: ArrayLike, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
        out_sharding: ShardingLike | None = None, wrap_negative_indices: bool = True,
    ) -> Array:
        """The array with the elements replaced by `values`, which are broadcast to them."""
        return self._update("set", values, mode, out_sharding, wrap_negative_indices)

    def add(
        self, values: ArrayLike, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
        out_sharding: ShardingLike | None = None, wrap_negative_indices: bool = True,
    ) -> Array:
        """The array with `values` added to the elements; an element that is named twice gets both."""
        return self._update("add", values, mode, out_sharding, wrap_negative_indices)

    def subtract(
        self, values: ArrayLike, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
        out_sharding: ShardingLike | None = None, wrap_negative_indices: bool = True,
    ) -> Array:
        """The array with `values` taken from the elements."""
        return self._update("add", negative(values), mode, out_sharding, wrap_negative_indices)

    sub = subtract

    def multiply(
        self, values: ArrayLike, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
        out_sharding: ShardingLike | None = None, wrap_negative_indices: bool = True,
    ) -> Array:
        """The array with the elements multiplied by `values`."""
        return self._update("mul", values, mode, out_sharding, wrap_negative_indices)

    mul = multiply

    def divide(
        self, values: ArrayLike, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
        out_sharding: ShardingLike | None = None, wrap_negative_indices: bool = True,
    ) -> Array:
        """The array with the elements divided by `values`."""
        return self._combined(divide, values, mode, out_sharding, wrap_negative_indices)

    def power(
        self, values: ArrayLike, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
        out_sharding: ShardingLike | None = None, wrap_negative_indices: bool = True,
    ) -> Array:
        """The array with the elements to the power of `values`."""
        return self._combined(power, values, mode, out_sharding, wrap_negative_indices)

    pow = power

    def min(
        self, values: ArrayLike, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
        out_sharding: ShardingLike | None = None, wrap_negative_indices: bool = True,
    ) -> Array:
        """The array with the lesser of each element and its value."""
        return self._update("min", values, mode, out_sharding, wrap_negative_indices)

    def max(
        self, values: ArrayLike, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
        out_sharding: ShardingLike | None = None, wrap_negative_indices: bool = True,
    ) -> Array:
        """The array with the greater of each element and its value."""
        return self._update("max", values, mode, out_sharding, wrap_negative_indices)

    def apply(
        self, func: Callable[[Any], Any], *, indices_are_sorted: bool = False, unique_indices: bool = False,
        mode: Any = None, wrap_negative_indices: bool = True,
    ) -> Array:
        """The array with a function of one array applied to the elements, as often as an index names them."""
        function_of("at[].apply", func, "the argument")
        reads = "wrap" if mode is not None and take_mode("at[]", mode) == "wrap" else "clip"

        def applied(x: Any) -> Any:
            ref = IndexUpdateRef(x, self.index)
            return ref.set(func(ref.get(mode=reads)), mode=mode)

        if not wrap_negative_indices:
            return IndexUpdateRef(self.array, _outside(self.index, "fill")).apply(func, mode=mode)
        index, shape = spread_bools(self.index, shape_of(self.array))
        arrays = [i for i in parse(index, shape, strict=False)[1] if shape_of(i)]
        if unique_indices or not arrays:
            return applied(self.array)
        if any(isinstance(i, Tracer) for i in arrays):
            counts = _counted(self.array, self.index, mode)
            most: Any = lax.reduce_max(counts, range(len(shape_of(counts))))
        else:
            with unwatched(), use_trace(EVALUATING):  # what is known while tracing is counted at once
                counts = np.asarray(_counted(self.array, self.index, mode))
            most = int(counts.max(initial=0))
        first = applied(self.array)
        if isinstance(most, int) and most < 2:
            return first
        return lax.fori_loop(1, most, lambda turn, x: bind(
            ops.select, lax.gt(counts, turn), applied(x), x, weak=aval_of(x).weak), first)


def _counted(x: Any, index: Any, mode: Any) -> Any:
    """How often an index names each element."""
    return scattered(lax.full(shape_of(x), 0, np.int32), index, 1, "add", mode)


def _ones(x: Any, values: Any) -> Any:
    """Ones in the array's shape that values are multiplied into; floats where fractions meet integers."""
    if not isinstance(values, (list, tuple)) and dtypes.is_float(dtype_of(values)) and not (
        dtypes.is_float(dtype_of(x)) or dtypes.is_complex(dtype_of(x))
    ):
        return lax.full_like(x, 1, dtype_of(values))
    return lax.full_like(x, 1)


_COMBINE = {"add": ops.add, "mul": ops.mul, "min": ops.min, "max": ops.max}


def _outside(index: Any, mode: str) -> Any:
    """The index with what is negative in it outside: before the first element where it is clipped, else at the end."""
    if isinstance(index, tuple):
        return tuple(_outside(i, mode) for i in index)
    if index is None or index is Ellipsis or isinstance(index, (bool, slice)) or _is_boolean(index):
        return index
    far = 0 if mode == "clip" else np.iinfo(np.int32).max
    if is_number(index) or isinstance(index, (list, tuple, np.ndarray, np.generic)):
        host = np.asarray(index)
        return np.where(host < 0, far, host)
    return lax.select(lax.lt(index, lax.full_like(index, 0)), lax.full_like(index, far), index)


def scattered(
    x: ArrayLike, index: Any, values: ArrayLike, combine: str, mode: Any, out_sharding: Any = None, wraps: bool = True,
) -> Any:
    """The array with the elements at an index combined with values.

    A single mask with a single value needs no known mask: every element takes part.
    """
    if isinstance(values, (list, tuple)):
        values = asarray(values)
    if type(values) is int:
        check_numbers("at[]", values, x)
    if combine != "set":
        _check_whole(values, x, combine)
    items = index if isinstance(index, tuple) else (index,)
    if len(items) == 1 and _is_boolean(items[0]) and not shape_of(values):
        return lax.structure.scoped(out_sharding, functools.partial(_masked, combine=combine), x, items[0], values)
    index, spread = spread_bools(index, shape_of(x))
    if spread != shape_of(x):
        found = scattered(lax.reshape(x, spread), index, values, combine, mode, out_sharding, wraps)
        return lax.reshape(found, shape_of(x))
    word = "fill" if mode is None else take_mode("at[]", mode)
    with counting(shape_of(x)):
        plan, operands = parse(index if wraps else _outside(index, word), shape_of(x), strict=False)
        if word == "wrap":
            operands = _wrapped_operands(plan, operands, shape_of(x))
        write = functools.partial(_scattered, plan=plan, combine=combine, clip=word == "clip")
        return lax.structure.scoped(out_sharding, write, x, values, *operands)


def _check_whole(values: Any, x: Any, combine: str) -> None:
    """Refuses fractions for an array of integers, of which only the integer parts would count."""
    own = x.dtype
    if own.kind == "f" or dtypes.is_float(own) or dtypes.is_complex(own) or not dtypes.is_float(dtype_of(values)):
        return
    if is_number(values) or isinstance(values, (np.ndarray, np.generic)):
        host = np.asarray(values)
        bounded = np.isfinite(host) | (combine in ("min", "max"))  # infinity is beyond all integers, too
        if (bounded & (np.trunc(host) == host)).all():
            return
    raise ArgumentError("at[]", f"fractions do not combine with elements of {own.name}", described(values),
                        "integers", "Convert the values with .astype(int), or the array with .astype(float).")


def _wrapped_operands(plan: Plan, operands: list[Any], shape: tuple[int, ...]) -> list[Any]:
    axes = [e for e in plan.entries if not isinstance(e, New)]
    sizes = [shape[d] for d, e in enumerate(axes) if not isinstance(e, Slice)]
    return [_wrapped(operand, n) for operand, n in zip(operands, sizes, strict=True)]


def _as_update(values: Any, dtype: np.dtype) -> Any:
    if dtypes.is_complex(dtype_of(values)) and not dtypes.is_complex(dtype):
        raise ArgumentError("at[]", f"complex values do not go into an array of {dtype.name}", dtype_of(values).name,
                            "real values")
    return as_array(convert(values, dtype, function="at[]"))


@api(static=("combine",))
def _masked(x: ArrayLike, mask: ArrayLike, value: ArrayLike, combine: str) -> Any:
    shape, own = shape_of(x), shape_of(mask)
    if own != shape[:len(own)]:
        raise ArgumentError("at[]", "a mask does not fit the array", f"{own} for {shape}", "the array's leading shape")
    new = broadcast(_as_update(value, dtype_of(x)), shape, weak=aval_of(x).weak)
    if combine != "set":
        new = bind_ordered(_COMBINE[combine], x, new)
    chosen = lax.broadcast_in_dim(mask, shape, range(len(own)))
    return bind(ops.select, chosen, new, x, weak=aval_of(x).weak)


@api(static=("plan", "combine", "clip"))
def _scattered(x: ArrayLike, values: ArrayLike, *operands: ArrayLike, plan: Plan, combine: str, clip: bool) -> Any:
    values = _as_update(values, dtype_of(x))
    entries = [e for e in plan.entries if not isinstance(e, New)]
    if not plan.has_arrays and all(not isinstance(e, Slice) or e.step == 1 or e.count < 2 for e in entries):
        return _window_replaced(x, values, operands, plan, combine, clip)
    return _spread(x, values, operands, plan, combine, clip)


def _result_shape(plan: Plan, batch: tuple[int, ...]) -> list[tuple[str, int, int]]:
    """The dimensions of ``x[index]``: of which kind, of which entry, of which size."""
    block = [("batch", i, n) for i, n in enumerate(batch)]
    found = list(block) if plan.front else []
    done = plan.front
    for position, entry in enumerate(plan.entries):
        if isinstance(entry, New):
            found.append(("new", position, 1))
        elif isinstance(entry, Slice):
            found.append(("slice", position, entry.count))
        elif isinstance(entry, Many) and not done:
            found += block
            done = True
    return found


def _broadcast_update(values: Any, shape: tuple[int, ...]) -> Any:
    own = shape_of(values)
    while len(own) > len(shape) and own[0] == 1:  # as NumPy's assignment does
        values, own = lax.squeeze(values, 0), own[1:]
    if own and broadcast_shape("at[]", [own, shape]) != shape:
        raise ArgumentError("at[]", "the values do not broadcast to the elements", own, shape)
    return broadcast(values, shape)


def _window_replaced(x: Any, values: Any, operands: Any, plan: Plan, combine: str, clip: bool) -> Any:
    """A box of neighbouring elements, at offsets that may be computed."""
    shape = shape_of(x)
    values = _broadcast_update(values, tuple(n for _, _, n in _result_shape(plan, ())))
    starts: list[Any] = []
    window: list[int] = []
    inside = True
    remaining = iter(operands)
    for entry, n in zip([e for e in plan.entries if not isinstance(e, New)], shape, strict=True):
        if isinstance(entry, Slice):
            starts.append(entry.start)
            window.append(entry.count)
        else:
            position = next(remaining)
            is_inside = isinstance(entry, Integer) and entry.inside
            starts.append(position if is_number(position) or is_inside else index_array(position, n))
            inside = inside and (is_inside or clip)
            window.append(1)
    update = lax.reshape(values, tuple(window))
    if 0 in window:
        return as_array(x)
    dtype = dtypes.index_dtype(max(known_sizes(shape), default=0))
    positions = [
        as_constant_if_wide(np.asarray(s, dtype)) if is_number(s) else lax.convert_element_type(s, dtype)
        for s in starts]
    if inside:
        if combine != "set":
            old = bind(ops.dynamic_slice, x, *positions, sizes=tuple(window))
            update = bind_ordered(_COMBINE[combine], old, update)
        return bind(ops.dynamic_update_slice, x, update, *positions, weak=aval_of(x).weak)
    vector = lax.concatenate([lax.reshape(p, (1,)) for p in positions], 0)
    dims = tuple(range(len(shape)))
    return bind_ordered(
        ops.scatter, x, vector, update, update_window_dims=dims, inserted_window_dims=(),
        scatter_dims_to_operand_dims=dims, operand_batching_dims=(), indices_batching_dims=(), combine=combine,
        mode="drop", weak=aval_of(x).weak)


def _spread(x: Any, values: Any, operands: Any, plan: Plan, combine: str, clip: bool) -> Any:
    """Single elements, or lines of them along dimensions that are taken in full."""
    shape = shape_of(x)
    many = [i for i, e in enumerate(plan.entries) if isinstance(e, (Many, Integer))]
    batch = broadcast_shape("at[]", [shape_of(i) for i in operands]) if operands else ()
    dims = _result_shape(plan, batch)
    values = _broadcast_update(values, tuple(n for _, _, n in dims))
    values = lax.reshape(values, tuple(n for kind, _, n in dims if kind != "new"))
    dims = [d for d in dims if d[0] != "new"]
    axis_of_entry: dict[int, int] = {}
    for position, entry in enumerate(plan.entries):
        if not isinstance(entry, New):
            axis_of_entry[position] = len(axis_of_entry)
    window = [i for i, (kind, position, _) in enumerate(dims)
              if kind == "slice" and plan.entries[position].covers(shape[axis_of_entry[position]])]  # type: ignore[union-attr]
    scattered_dims = [i for i in range(len(dims)) if i not in window]
    grid = tuple(dims[i][2] for i in scattered_dims)
    indices: dict[int, Any] = {}
    for at, i in enumerate(scattered_dims):
        kind, position, n = dims[i]
        if kind == "slice":
            entry = plan.entries[position]  # a slice, as its kind says
            along = np.arange(n) * entry.step + entry.start  # type: ignore[union-attr]
            indices[axis_of_entry[position]] = along.reshape([-1 if k == at else 1 for k in range(len(grid))])
    first = next((at for at, i in enumerate(scattered_dims) if dims[i][0] == "batch"), len(scattered_dims))
    for position, operand in zip(many, operands, strict=True):
        own = shape_of(operand)
        aligned = (1,) * (first + len(batch) - len(own)) + own + (1,) * (len(grid) - first - len(batch))
        indices[axis_of_entry[position]] = (
            lax.reshape(operand, aligned) if hasattr(operand, "aval") else np.reshape(operand, aligned))
    axes = tuple(sorted(indices))
    vectors = index_vectors([indices[d] for d in axes], [shape[d] for d in axes])
    if shape_of(vectors)[:-1] != grid:
        vectors = lax.broadcast_in_dim(vectors, (*grid, len(axes)), range(len(grid) + 1))
    return bind_ordered(
        ops.scatter, x, vectors, values, update_window_dims=tuple(window), inserted_window_dims=axes,
        scatter_dims_to_operand_dims=axes, operand_batching_dims=(), indices_batching_dims=(), combine=combine,
        mode="clip" if clip else "drop", weak=aval_of(x).weak)
