# SPDX-License-Identifier: Apache-2.0
"""Universal functions: their methods `reduce`, `accumulate`, `reduceat`, `at` and `outer`; functions of one's own."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ArgumentError, NotSupportedError, described

from .. import lax
from ..operands import axes_of, axis_of, broadcast, cast, dtype_of, element_type, function_of, integer, shape_of
from ..tracing import aval_of, scalar_dtype
from ..typing import Array, ArrayLike, DTypeLike
from . import arithmetic, comparison, reductions
from .creation import asarray
from .promotion import result_of
from .ranges import arange
from .searching import where as chosen
from .shapes import broadcast_to, moveaxis, ravel
from .ufuncs import as_bool, refuse_out
from .vectorizing import vectorize

__all__ = ["frompyfunc", "ufunc"]


class _Kind(type):
    """Functions of this package that have the methods count as `ufunc`, too: calling them costs no method call."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return super().__instancecheck__(instance) or "nin" in getattr(instance, "__dict__", ())


class ufunc(metaclass=_Kind):  # NumPy's name
    """A function of elements, applied to arrays that broadcast, with methods that apply it along dimensions.

    `add`, `subtract`, `multiply`, `negative`, `maximum`, `minimum`, `logaddexp`, `logaddexp2`, and the logical and
    bitwise functions of two arrays have the methods and count as instances.

    Args:
        func: A function of numbers; traced once for all elements.
        nin: How many arguments it takes.
        nout: How many results it gives.
        name: Its name; that of the function for None.
        nargs: How many arguments and results there are, which is known.
        identity: What combined with x gives x; None if there is nothing such.
        call: A function of arrays that is called instead of `func`; None for none.
        reduce: What the method of that name does instead, with the same arguments; None for what this class does.
        accumulate: Likewise.
        at: Likewise.
        reduceat: Likewise.

    Raises:
        ArgumentError: When the numbers of arguments or results are none.

    Example:
        >>> import olympus.numpy as jnp
        >>> isinstance(jnp.add, jnp.ufunc)
        True
        >>> jnp.add.reduce(jnp.arange(4)).tolist()
        6

    References:
        NumPy reference, Universal functions (ufunc).
    """

    def __init__(
        self, func: Callable[..., Any], /, nin: int, nout: int, *, name: str | None = None, nargs: int | None = None,
        identity: Any = None, call: Callable[..., Any] | None = None, reduce: Callable[..., Any] | None = None,
        accumulate: Callable[..., Any] | None = None, at: Callable[..., Any] | None = None,
        reduceat: Callable[..., Any] | None = None,
    ) -> None:
        self._function = function_of("ufunc", func, "the first argument")
        self.nin = integer("ufunc", nin, "the number of arguments", 1)
        self.nout = integer("ufunc", nout, "the number of results", 1)
        self.identity = identity
        self.__name__ = str(name or getattr(func, "__name__", type(func).__name__))
        self.__doc__ = getattr(func, "__doc__", None)
        self._vectorized = vectorize(func) if call is None else call
        if nargs is not None and integer("ufunc", nargs, "nargs") != self.nargs:
            raise ArgumentError("ufunc", "nargs is not the number of arguments and results", nargs, self.nargs)
        for method, own in (("reduce", reduce), ("accumulate", accumulate), ("at", at), ("reduceat", reduceat)):
            if own is not None:
                setattr(self, method, function_of("ufunc", own, method))

    @property
    def nargs(self) -> int:
        """How many arguments and results there are together."""
        return self.nin + self.nout

    def __call__(self, *args: ArrayLike) -> Any:
        """Applies the function to the elements of arrays, which broadcast."""
        if len(args) != self.nin:
            raise ArgumentError(str(self.__name__), "the number of arguments is another one", len(args), self.nin)
        found = self._vectorized(*args)
        if (len(found) if isinstance(found, (tuple, list)) else 1) != self.nout:
            raise ArgumentError(str(self.__name__), "the number of results is another one", described(found), self.nout)
        return found

    def reduce(
        self, a: ArrayLike, axis: int | Sequence[int] | None = 0, dtype: DTypeLike | None = None, out: None = None,
        keepdims: bool = False, initial: ArrayLike | None = None, where: ArrayLike | None = None,
    ) -> Array:
        """What `apply("reduce", self, ...)` says."""
        return _reduce(self, a, axis, dtype, out, keepdims, initial, where)

    def accumulate(
        self, a: ArrayLike, axis: int | None = 0, dtype: DTypeLike | None = None, out: None = None
    ) -> Array:
        """What `apply("accumulate", self, ...)` says."""
        return _accumulate(self, a, axis, dtype, out)

    def reduceat(
        self, a: ArrayLike, indices: Any, axis: int = 0, dtype: DTypeLike | None = None, out: None = None
    ) -> Array:
        """What `apply("reduceat", self, ...)` says."""
        return _reduceat(self, a, indices, axis, dtype, out)

    def at(self, a: ArrayLike, indices: Any, b: ArrayLike | None = None, /, *, inplace: bool = True) -> Array:
        """What `apply("at", self, ...)` says."""
        return _at(self, a, indices, b, inplace=inplace)

    def outer(self, A: ArrayLike, B: ArrayLike, /) -> Any:
        """What `apply("outer", self, ...)` says."""
        return _outer(self, A, B)

    def __repr__(self) -> str:
        return f"<olympus.numpy.ufunc {self.__name__!r}>"


def frompyfunc(func: Callable[..., Any], /, nin: int, nout: int, *, identity: Any = None) -> ufunc:
    """A universal function of a function of numbers.

    Args:
        func: A function of numbers; traced once for all elements.
        nin: How many arguments it takes.
        nout: How many results it gives.
        identity: What combined with x gives x; None if there is nothing such.

    Returns:
        The function.

    Example:
        >>> import olympus.numpy as jnp
        >>> longest = jnp.frompyfunc(lambda x, y: jnp.hypot(x, y), 2, 1, identity=0)
        >>> longest.reduce(jnp.array([3.0, 4.0, 12.0])).tolist()
        13.0
    """
    return ufunc(func, nin, nout, identity=identity)


def apply(method: str, function: Any, *args: Any, **kwargs: Any) -> Any:
    """What a method of a universal function gives.

    ``reduce(a, axis=0, dtype, out, keepdims, initial, where)`` combines all elements along a dimension, or several (all
    for None), from the first to the last; ``accumulate(a, axis=0, dtype, out)`` gives what is combined up to each one;
    ``reduceat(a, indices, axis=0, dtype, out)`` combines those from each index to the next, or gives the element itself
    where the next is no greater; ``at(a, indices, b, inplace=False)`` combines elements at indices with `b`, one
    after another where indices repeat; ``outer(A, B)`` gives all pairs. Sums and other associative functions are
    combined in any order.

    Args:
        method: Its name.
        function: The universal function.
        *args: The method's arguments.
        **kwargs: Likewise.
    """
    return _METHODS[method](function, *args, **kwargs)


def _two(function: Any, method: str) -> None:
    if function.nin != 2 or function.nout != 1:
        raise ArgumentError(f"{function.__name__}.{method}", "the function has another number of arguments or results",
                            f"{function.nin} arguments, {function.nout} results", "2 arguments, 1 result")


def _row(function: Any, method: str, a: Any, axis: Any, dtype: Any, out: Any) -> tuple[Any, int]:
    """The array in the element type that the method works in, and the dimension."""
    name = f"{function.__name__}.{method}"
    _two(function, method)
    refuse_out(name, out)
    x = asarray(a)
    if not shape_of(x):
        raise ArgumentError(name, "there is no dimension", repr(x), "an array of one dimension or more")
    if dtype is not None:
        x = cast(x, element_type(name, dtype), name)
    if function in _LOGICAL:
        x = as_bool(x)
    elif function not in _REDUCTIONS:  # it must hold results: floats of integers
        one = lax.full((), 0, dtype_of(x))
        x = cast(x, result_of(name, [aval_of(one), aval_of(function(one, one))])[0])
    return x, axis_of(name, axis, len(shape_of(x)))


def _reduce(
    function: Any, a: ArrayLike, axis: int | Sequence[int] | None = 0, dtype: DTypeLike | None = None,
    out: None = None, keepdims: bool = False, initial: ArrayLike | None = None, where: ArrayLike | None = None,
) -> Any:
    name = f"{function.__name__}.reduce"
    start = function.identity if initial is None else initial
    if where is not None and start is None:
        raise ArgumentError(name, "nothing says what stands where `where` is False", "initial=None",
                            "initial=..., since the function has no identity")
    known = _REDUCTIONS.get(function)
    if known is not None:
        if function in (arithmetic.add, arithmetic.multiply):
            return known(a, axis=axis, dtype=dtype, out=out, keepdims=keepdims, initial=initial, where=where)
        x = asarray(a) if dtype is None else cast(asarray(a), element_type(name, dtype), name)
        return known(x, axis=axis, out=out, keepdims=keepdims, initial=initial, where=where)
    shape = shape_of(a)
    if isinstance(axis, (tuple, list)):
        return _reduced_together(function, a, axes_of(name, axis, len(shape)), dtype, out, keepdims, initial, where)
    x, d = _row(function, "reduce", a if axis is not None else ravel(a), 0 if axis is None else axis, dtype, out)
    if start is None and not shape_of(x)[d]:
        raise ArgumentError(name, "there is nothing to combine and the function has no identity",
                            f"shape {shape_of(x)}", "one element or more, or initial=...")
    mask = None if where is None else asarray(broadcast_to(where, shape))
    if mask is not None:
        mask = moveaxis(ravel(mask) if axis is None else mask, d, 0)
    found = _folded(function, moveaxis(x, d, 0), mask, start)
    kept = tuple(1 if axis is None or i == d else n for i, n in enumerate(shape))
    return lax.reshape(found, kept) if keepdims else found


def _reduced_together(
    function: Any, a: Any, axes: tuple[int, ...], dtype: Any, out: Any, keepdims: bool, initial: Any, where: Any
) -> Any:
    """The elements along several dimensions combined, or along none: those of one dimension that holds them all."""
    if function.identity is None and len(axes) > 1:
        raise ArgumentError(f"{function.__name__}.reduce", "in which order dimensions are combined counts", axes,
                            "one axis")
    shape = shape_of(a)
    kept = tuple(d for d in range(len(shape)) if d not in axes)
    rest = tuple(shape[d] for d in kept)

    def together(x: Any) -> Any:
        return lax.reshape(lax.transpose(asarray(x), (*axes, *kept)), (math.prod(shape[d] for d in axes), *rest))

    mask = None if where is None else together(broadcast_to(where, shape))
    found = _reduce(function, together(a), 0, dtype, out, False, initial, mask)
    return lax.reshape(found, tuple(1 if d in axes else n for d, n in enumerate(shape))) if keepdims else found


def _folded(function: Any, x: Any, mask: Any, start: Any) -> Any:
    """The elements along the first dimension combined."""
    kind, rest = dtype_of(x), shape_of(x)[1:]
    if start is not None:
        start = as_bool(asarray(start)) if dtypes.is_bool(kind) else cast(asarray(start), kind)
        start = broadcast(start, rest)
    if function in _ASSOCIATIVE and shape_of(x)[0]:
        if mask is not None:
            x = chosen(mask, x, cast(asarray(function.identity), kind))
        found = _BITWISE[function](x, (0,)) if function in _BITWISE else lax.index_in_dim(
            lax.associative_scan(function, x), -1, keepdims=False)
        return _combined(function, start, found)
    if start is None:
        start, x = lax.index_in_dim(x, 0, keepdims=False), lax.slice_in_dim(x, 1, None)

    def step(value: Any, row: Any) -> tuple[Any, None]:
        element, kept = row
        new = _combined(function, value, element)
        return (new if kept is None else chosen(kept, new, value)), None

    return lax.scan(step, start, (x, mask))[0]


def _combined(function: Any, x: Any, y: Any) -> Any:
    """A result in the element type of the first operand, so that it can be an operand again."""
    return cast(asarray(function(x, y)), dtype_of(x))


def _accumulate(
    function: Any, a: ArrayLike, axis: int | None = 0, dtype: DTypeLike | None = None, out: None = None
) -> Any:
    x, d = _row(function, "accumulate", ravel(a) if axis is None else a, axis or 0, dtype, out)
    if function in _RUNNING and (function not in _ORDERED or not dtypes.is_bool(dtype_of(x))):
        return _RUNNING[function](x, d)
    if function in _ASSOCIATIVE:
        return lax.associative_scan(function, x, axis=d)
    rows = moveaxis(x, d, 0)
    if not shape_of(rows)[0]:
        return x

    def step(value: Any, row: Any) -> tuple[Any, Any]:
        new = _combined(function, value, row)
        return new, new

    first = lax.slice_in_dim(rows, 0, 1)
    _, later = lax.scan(step, lax.squeeze(first, [0]), lax.slice_in_dim(rows, 1, None))
    return moveaxis(lax.concatenate([first, later], 0), 0, d)


def _reduceat(
    function: Any, a: ArrayLike, indices: Any, axis: int = 0, dtype: DTypeLike | None = None, out: None = None
) -> Any:
    x, d = _row(function, "reduceat", a, axis, dtype, out)
    name = f"{function.__name__}.reduceat"
    starts, n = asarray(indices), shape_of(x)[d]
    if len(shape_of(starts)) != 1 or not dtypes.is_integer(dtype_of(starts)):
        raise ArgumentError(name, "the indices are no row of integers", described(indices), "integers in one dimension")
    if not isinstance(indices, (list, tuple, np.ndarray)) and not n:
        raise ArgumentError(name, "the dimension is empty", f"shape {shape_of(x)}", "one element or more")
    if isinstance(indices, (list, tuple, np.ndarray)) and np.size(indices):
        host = np.asarray(indices)
        if host.min() < 0 or host.max() >= n:
            raise ArgumentError(name, "an index is outside of the array", described(indices), f"0 to {n - 1}")
    if dtypes.is_bool(dtype_of(x)) and function in (arithmetic.add, arithmetic.multiply):
        x = cast(x, scalar_dtype(int))  # counted, as by `sum`
    return moveaxis(_segments(function, moveaxis(x, d, 0), starts), 0, d)


def _segments(function: Any, x: Any, starts: Any) -> Any:
    """For each start what is combined up to the next one; one pass over the elements, a value for each segment."""
    n, count = shape_of(x)[0], shape_of(starts)[0]
    if not count:
        return lax.slice_in_dim(x, 0, 0)
    ends = lax.concatenate([lax.slice_in_dim(starts, 1, None), lax.full((1,), n, dtype_of(starts))], 0)
    column = (count, *(1,) * (len(shape_of(x)) - 1))
    starts, ends = (lax.reshape(v, column) for v in (starts, ends))

    def step(values: Any, row: Any) -> tuple[Any, None]:
        place, element = row
        element = broadcast_to(element, shape_of(values))
        later = (starts < place) & (place < ends)
        values = chosen(later, _combined(function, values, element), values)
        return chosen(starts == place, element, values), None

    first = lax.full((count, *shape_of(x)[1:]), 0, dtype_of(x))
    return lax.scan(step, first, (arange(n, dtype=dtype_of(starts)), x))[0]


def _at(function: Any, a: ArrayLike, indices: Any, b: ArrayLike | None = None, /, *, inplace: bool = True) -> Any:
    name = f"{function.__name__}.at"
    if inplace:
        raise NotSupportedError(f"{name}(inplace=True)", "arrays never change",
                                "Write inplace=False, and use the function's result.")
    if (b is None) != (function.nin == 1) or function.nin > 2 or function.nout != 1:
        raise ArgumentError(name, "the number of operands does not fit the function",
                            f"{1 + (b is not None)} for {function.nin} arguments", "an operand for each argument")
    x = asarray(a)
    method = _UPDATES.get(function)
    if method is not None and not dtypes.is_bool(dtype_of(x)):
        return getattr(x.at[indices], method)(b)
    size = int(np.prod(shape_of(x), dtype=np.int64))
    places = arange(size, dtype=dtypes.index_dtype(size)).reshape(shape_of(x)).at[indices].get(
        mode="fill", fill_value=size)
    second = None if b is None else ravel(broadcast_to(b, shape_of(places)))

    def step(flat: Any, row: Any) -> tuple[Any, None]:
        place, other = row
        old = flat.at[place].get(mode="clip")
        new = function(old) if other is None else function(old, other)
        return flat.at[place].set(cast(asarray(new), dtype_of(flat)), mode="drop"), None

    found = lax.scan(step, ravel(x), (ravel(places), second))[0] if size else x
    return lax.reshape(found, shape_of(x))


def _outer(function: Any, A: ArrayLike, B: ArrayLike, /) -> Any:
    if function.nin != 2:
        raise ArgumentError(f"{function.__name__}.outer", "the function has another number of arguments",
                            function.nin, 2)
    x = asarray(A)
    return function(lax.reshape(x, (*shape_of(x), *(1,) * len(shape_of(B)))), B)


_LOGICAL = frozenset({comparison.logical_and, comparison.logical_or, comparison.logical_xor})
_BITWISE: dict[Any, Callable[..., Any]] = {
    arithmetic.bitwise_and: lax.reduce_and, arithmetic.bitwise_or: lax.reduce_or,
    arithmetic.bitwise_xor: lax.reduce_xor,
    comparison.logical_and: lax.reduce_and, comparison.logical_or: lax.reduce_or,
    comparison.logical_xor: lax.reduce_xor,
}
_ASSOCIATIVE = frozenset({*_BITWISE, arithmetic.logaddexp, arithmetic.logaddexp2})
_ORDERED = frozenset({arithmetic.maximum, arithmetic.minimum})
_REDUCTIONS: dict[Any, Callable[..., Any]] = {
    arithmetic.add: reductions.sum, arithmetic.multiply: reductions.prod, arithmetic.maximum: reductions.max,
    arithmetic.minimum: reductions.min,
}
_RUNNING: dict[Any, Callable[..., Any]] = {
    arithmetic.add: reductions.cumsum, arithmetic.multiply: reductions.cumprod, arithmetic.maximum: lax.cummax,
    arithmetic.minimum: lax.cummin, arithmetic.logaddexp: lax.cumlogsumexp,
}
_UPDATES = {
    arithmetic.add: "add", arithmetic.subtract: "subtract", arithmetic.multiply: "multiply", arithmetic.maximum: "max",
    arithmetic.minimum: "min",
}
_METHODS: dict[str, Callable[..., Any]] = {
    "reduce": _reduce, "accumulate": _accumulate, "reduceat": _reduceat, "at": _at, "outer": _outer,
}
