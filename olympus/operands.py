# SPDX-License-Identifier: Apache-2.0
"""From a user's arguments to operands: element types, broadcasting, axes; checks of arguments."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import ml_dtypes
import numpy as np
from numpy.exceptions import ComplexWarning

from olympus_core import dtypes, ops
from olympus_core.errors import (
    ArgumentError,
    AxisError,
    ConcretizationError,
    LiteralRangeError,
    NarrowedTypeWarning,
    OlympusError,
    SplitDimensionError,
    described,
)
from olympus_core.location import warn_user
from olympus_core.program import OperationRecord
from olympus_core.program.types import MOST_DIMENSIONS, SymbolicSize, known_sizes

from .config import enable_x64
from .tracing import Reference, Tracer, aval_of, bind, canonical_dtype, scalar_dtype
from .tracing.explicit import visible
from .tracing.values import number_as, out_of_range
from .trees import inside as tree
from .typing import ArrayLike

Shape = tuple[int, ...]
NUMBERS = (bool, int, float, complex)
_NUMERIC = frozenset({*dtypes.KNOWN, np.dtype(np.longdouble), np.dtype(np.clongdouble)})  # the host's, of any width


def is_number(x: Any) -> bool:
    """Whether a value is a Python number, not a NumPy one."""
    return isinstance(x, NUMBERS) and not isinstance(x, np.generic)


def shape_of(x: ArrayLike) -> Shape:
    """The shape of whatever counts as an array."""
    return aval_of(x).shape


def dtype_of(x: ArrayLike) -> np.dtype:
    """The element type of whatever counts as an array."""
    return aval_of(x).dtype


def element_type(function: str, dtype: Any, is_told: bool = True) -> np.dtype:
    """The element type that a user's `dtype` argument stands for: ``int``, ``"float32"``, ``jnp.float32``, ...

    64-bit types stand for the 32-bit ones while 64 bits are not enabled, which is told where they are named.
    """
    if isinstance(dtype, type) and dtype in NUMBERS:
        return scalar_dtype(dtype)
    try:
        asked = np.dtype(dtype)
        found = canonical_dtype(asked)
    except Exception:  # noqa: BLE001  # NumPy raises whatever its parser of descriptions happens to meet
        found = None
    if found is None or (found not in dtypes.KNOWN and not dtypes.is_key(found)):
        named = found is not None and found.name in ml_dtypes.__dict__
        raise ArgumentError(function, "there are no arrays of this element type" if named else
                            "an element type is not known", repr(dtype),
                            ", ".join(t.name for t in dtypes.KNOWN_IN_ORDER))
    if found.itemsize != asked.itemsize and is_told:
        warn_user(NarrowedTypeWarning(function, asked.name, found.name))
    return found


def check_range(function: str, number: int, dtype: np.dtype) -> None:
    """Refuses a Python integer that an integer type cannot hold."""
    if dtypes.is_integer(dtype):
        info = dtypes.limits(dtype)
        if not info.min <= number <= info.max:
            raise out_of_range(function, number, dtype)


def check_numbers(function: str, x: ArrayLike, y: ArrayLike) -> None:
    """Refuses a Python integer that does not fit the integer type of the array that it meets."""
    if type(x) is int and not is_number(y):
        check_range(function, x, aval_of(y).dtype)
    elif type(y) is int and not is_number(x):
        check_range(function, y, aval_of(x).dtype)


def check_unsplit(function: str, x: ArrayLike, dimensions: Iterable[int], is_matrix: bool = False) -> None:
    """Refuses an array with one of these dimensions split over explicit axes, before an inner step does.

    Args:
        function: The user's function.
        x: The array.
        dimensions: The dimensions.
        is_matrix: Whether they are those of a matrix that is decomposed.
    """
    aval = aval_of(x)
    layout = visible(aval.layout)
    for d in dimensions:
        if layout is not None and layout.dims[d]:
            raise SplitDimensionError(function, [repr(aval)], 0, d % aval.ndim, layout.dims[d], is_matrix=is_matrix)


def counting(sizes: Iterable[int]) -> AbstractContextManager[None]:
    """Within it integers have 64 bits if one of some dimensions is longer than int32 counts."""
    return enable_x64(True) if max(known_sizes(sizes), default=0) >= 1 << 31 else nullcontext()


def as_constant_if_wide(position: np.ndarray) -> Any:
    """A known index; a wide one as a constant, since host values are narrow again where derivatives use them later."""
    return position if position.dtype.itemsize < 8 else bind(ops.constant, value=np.asarray(position), weak=False)


def _number_as(function: str, number: Any, dtype: np.dtype) -> np.ndarray:
    """A Python number in an element type that holds it."""
    if isinstance(number, int):
        check_range(function, number, dtype)
    try:
        return number_as(number, dtype)
    except (OverflowError, TypeError, ValueError) as error:  # an integer beyond all floats; complex where no type is
        if isinstance(error, OverflowError) and isinstance(number, int):
            greatest = float(ml_dtypes.finfo(dtype).max)
            raise LiteralRangeError(function, number, dtype.name, -greatest, greatest) from None
        raise ArgumentError(function, f"a number does not fit {dtype.name}", described(number),
                            "a number that this element type holds") from error


def convert(x: ArrayLike, dtype: np.dtype, weak: bool = False, function: str = "convert") -> Any:
    """The elements in another type; a number or NumPy array that has it already stays what it is."""
    if is_number(x):
        host = _number_as(function, x, dtype)
        if canonical_dtype(dtype) == dtype:
            return host
        return bind(ops.constant, value=host, weak=weak)  # beside wide arrays, where host values are narrow
    aval = aval_of(x)
    if aval.dtype == dtype and aval.weak == weak:
        return x
    warn_narrowed(aval.dtype, dtype)
    return bind(ops.convert, x, dtype=dtype, weak=weak)


def warn_narrowed(given: np.dtype, dtype: np.dtype) -> None:
    """Warns, as NumPy does, of complex numbers that are to be real ones; bools say only whether they are 0."""
    if dtypes.is_complex(given) and not dtypes.is_complex(dtype) and dtype != np.bool_:
        warn_user(ComplexWarning("Casting complex values to real discards the imaginary part"))


def cast(x: ArrayLike, dtype: np.dtype, function: str = "convert") -> Any:
    """As `convert`, without an operation where only the weakness differs."""
    if not is_number(x) and dtype_of(x) == dtype:
        return x
    return convert(x, dtype, False, function)


def weakly(found: Any, weak: bool) -> Any:
    """An array, or a tuple of arrays, whose element types are weak where told."""
    if not weak:
        return found
    if isinstance(found, tuple):
        parts = [weakly(part, True) for part in found]
        return type(found)(*parts) if hasattr(found, "_fields") else tuple(parts)
    return convert(found, dtype_of(found), True)


def strong(x: Any) -> Any:
    """An array whose element type does not give way to others."""
    return convert(x, dtype_of(x))


def carried_integers(keys: ArrayLike) -> list[Any]:
    """The bits of keys of random numbers, in one array of 64-bit integers or in two."""
    carrier = dtypes.carrier(dtype_of(keys))
    found = bind(ops.bitcast_convert, keys, dtype=carrier, weak=False)
    if not dtypes.is_complex(carrier):
        return [found]
    parts = [bind(record, found, weak=False) for record in (ops.real, ops.imag)]
    return [bind(ops.bitcast_convert, part, dtype=dtypes.uint64, weak=False) for part in parts]


def same_keys(record: OperationRecord, x: ArrayLike, y: ArrayLike) -> Any:
    """Whether keys of random numbers of one type are equal, by `ops.eq`, or differ, by `ops.ne`."""
    combine = ops.and_ if record is ops.eq else ops.or_
    pairs = zip(carried_integers(x), carried_integers(y), strict=True)
    return functools.reduce(lambda a, b: bind(combine, a, b), [bind(record, *pair) for pair in pairs])


def key_words(keys: ArrayLike) -> Any:
    """The words of keys of random numbers, along a new last dimension."""
    shape, words = shape_of(keys), []
    distance = broadcast(bind(ops.convert, np.uint32(32), dtype=dtypes.uint64, weak=False), shape)
    for low in carried_integers(keys):
        for wide in (low, bind(ops.shift_right_logical, low, distance, weak=False)):
            word = bind(ops.convert, wide, dtype=dtypes.uint32, weak=False)
            words.append(bind(ops.reshape, word, shape=(*shape, 1), weak=False))
    return bind(ops.concatenate, *words, dimension=len(shape), weak=False)


def is_zero(size: Any) -> bool:
    """Whether a size or a distance is known to be zero: a symbolic one is not."""
    return not isinstance(size, SymbolicSize) and not size


def integer(function: str, value: Any, what: str, least: int | None = None) -> int:
    """A Python integer of an argument that must be known while tracing; at least `least`."""
    if isinstance(value, SymbolicSize):
        return value  # type: ignore[return-value]
    try:
        found = value if type(value) is int else operator.index(value)
    except OlympusError:  # a traced value, an array that was deleted: the error says so
        raise
    except (TypeError, AttributeError) as error:
        raise ArgumentError(function, f"{what} is not an integer", described(value), "an integer") from error
    if least is not None and found < least:
        problem = f"{what} is negative" if found < 0 else f"{what} is too small"
        raise ArgumentError(function, problem, found, f"an integer of at least {least}")
    return found


def is_sequence(value: Any) -> bool:
    """Whether a value is a sequence: no string, dictionary or set, and no array of no dimensions."""
    return isinstance(value, Iterable) and bool(getattr(value, "ndim", 1)) and not isinstance(
        value, (str, bytes, Mapping, AbstractSet))


def sequence(function: str, value: Any, what: str, of: str) -> tuple[Any, ...]:
    """The items of an argument that is a sequence, in a tuple."""
    if type(value) is tuple or is_sequence(value):
        return tuple(value)
    raise ArgumentError(function, f"{what} is not a sequence", described(value), f"a tuple or list of {of}")


def arrays_of(function: str, value: Any, what: str = "the first argument") -> tuple[Any, ...]:
    """The arrays of an argument that is a sequence of one or more."""
    found = sequence(function, value, what, "arrays")
    if not found:
        raise ArgumentError(function, "there are no arrays", described(value), "one array or more")
    return found


def function_of(function: str, value: Any, what: str) -> Callable[..., Any]:
    """An argument that must be a function."""
    if not callable(value):
        raise ArgumentError(function, f"{what} is not a function", described(value), "a function")
    return value


def integers(
    function: str, value: Any, what: str, count: int | None = None, least: int | None = None
) -> tuple[int, ...]:
    """A tuple of Python integers of an argument that is one or a sequence of them.

    Args:
        function: The function.
        value: The argument.
        what: What one of the integers is, with its article.
        count: How many there must be, one for each dimension; any number for None.
        least: What each must be at least.

    Returns:
        The integers.
    """
    kind = type(value)
    several = kind is tuple or kind is list or (kind is not int and is_sequence(value))
    items = value if several else (value,)
    found = tuple([n if type(n) is int and least is None else integer(function, n, what, least) for n in items])
    if count is not None and len(found) != count:
        raise ArgumentError(function, f"{what} is needed for each of {count} dimensions", described(value),
                            f"{count} integer{'' if count == 1 else 's'}")
    return found


def rank_argument(function: str, value: Any, what: str, least: int | None = None) -> int:
    """A number of dimensions, which no more than arrays can have."""
    rank = integer(function, value, what, least)
    if rank > MOST_DIMENSIONS:
        raise ArgumentError(function, f"{what} is too great", described(value), f"at most {MOST_DIMENSIONS}")
    return rank


def known(function: str, value: Any, what: str) -> np.ndarray:
    """The values of an argument that must be known while tracing: of an array, a number, nested lists."""
    if type(value) is not np.ndarray and isinstance(value, np.ndarray) and isinstance(value, np.ma.MaskedArray):
        aval_of(value)  # raises the error for a mask that would be lost
    try:
        host = np.asarray(value)
    except ConcretizationError:
        traced = repr(aval_of(value)) if hasattr(value, "aval") else f"array in {described(value)}"
        asked = f"{function}, whose kind of result depends on the values of {what},"
        raise ConcretizationError(asked, traced) from None
    except ValueError as error:
        raise ArgumentError(function, f"{what}: nested lists are of unequal lengths", described(value),
                            "a regular grid of numbers") from error
    if host.dtype not in _NUMERIC:
        raise ArgumentError(function, f"{what} is not an array of numbers", described(value),
                            "numbers, nested lists of numbers, arrays")
    return host


def known_primal(function: str, value: Any, what: str) -> np.ndarray:
    """As `known`; of a value that carries derivatives, without them.

    For what only the shape of a result, or the choice of its elements, depends on: there is nothing to differentiate.
    """
    return known(function, value.primal() if isinstance(value, Tracer) else value, what)


def known_integers(function: str, value: Any, what: str) -> np.ndarray:
    """The values of an argument that must be known, and integers; of an empty list too."""
    host = known(function, value, what)
    if not host.size and isinstance(value, (list, tuple)):
        host = host.astype(np.int32)
    if not dtypes.is_integer(host.dtype):
        raise ArgumentError(function, f"{what} is no integer", f"{described(value)} ({host.dtype})", "integers")
    return host


def size_of_row(function: str, x: ArrayLike, what: str) -> int:
    """The size of an array that must have one dimension."""
    shape = shape_of(x)
    if len(shape) != 1:
        raise ArgumentError(function, f"{what} has not one dimension", f"shape {shape}", "an array of one dimension")
    return shape[0]


def shape_argument(function: str, value: Any) -> Shape:
    """A shape of an argument that is an integer or a sequence of them."""
    shape = integers(function, value, "the shape")
    if shape and min(known_sizes(shape), default=0) < 0:
        raise ArgumentError(function, "a dimension is negative", shape, "sizes of zero or more")
    return shape


def axis_of(function: str, axis: Any, ndim: int) -> int:
    """One axis, counted from the front."""
    index = integer(function, axis, "the axis")
    if not -ndim <= index < ndim:
        raise AxisError(function, index, ndim)
    return index % ndim


def axes_of(function: str, axis: Any, ndim: int) -> tuple[int, ...]:
    """Several axes, counted from the front, in increasing order; all of them for None."""
    if axis is None:
        return tuple(range(ndim))
    found = tuple(sorted(axis_of(function, a, ndim) for a in integers(function, axis, "the axis")))
    if len(set(found)) != len(found):
        raise ArgumentError(function, "an axis is named twice", axis, "different axes")
    return found


def broadcast_shape(function: str, shapes: Sequence[Shape]) -> Shape:
    """The shape that arrays have together by NumPy's rules."""
    first = shapes[0]
    if all(shape == first for shape in shapes):
        return first
    if any(isinstance(n, SymbolicSize) for shape in shapes for n in shape):
        return _symbolic_shape(function, shapes)
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        sizes = [{n for n in column if n != 1} for column in itertools.zip_longest(
            *(reversed(shape) for shape in shapes), fillvalue=1)]
        if all(len(differing) < 2 for differing in sizes):  # more elements than NumPy counts
            return tuple(next(iter(differing), 1) for differing in reversed(sizes))
        raise ArgumentError(
            function, "Incompatible shapes for broadcasting", ", ".join(map(str, shapes)),
            "equal sizes, or 1, in each dimension counted from the last",
            "Insert dimensions of size 1 with x[..., None] or reshape.",
        ) from None


def _symbolic_shape(function: str, shapes: Sequence[Shape]) -> Shape:
    """The shape where sizes are symbolic: one that is not 1 for all values is taken for another than 1."""
    found = []
    for column in itertools.zip_longest(*(reversed(shape) for shape in shapes), fillvalue=1):
        others = [n for n in column if not n == 1]
        if any(n != others[0] for n in others):
            raise ArgumentError(
                function, "Incompatible shapes for broadcasting, for some values of their dimensions",
                ", ".join(map(str, shapes)), "equal sizes, or 1, in each dimension counted from the last")
        found.append(others[0] if others else 1)
    return tuple(reversed(found))


def check_broadcast(function: str, own: tuple[int, ...], shape: tuple[int, ...]) -> None:
    """Refuses an array that does not fit a shape."""
    if own and broadcast_shape(function, [own, shape]) != shape:
        raise ArgumentError(function, "an array does not broadcast to the shape", own, shape)


def broadcast(x: ArrayLike, shape: Shape, weak: bool | None = None) -> Any:
    """An array in a larger shape, by NumPy's rules; the shape must be one that it fits."""
    own = shape_of(x)
    if own == shape:
        return x
    if weak is None:
        weak = aval_of(x).weak
    dims = tuple(range(len(shape) - len(own), len(shape)))
    return bind(ops.broadcast_in_dim, x, shape=shape, dimensions=dims, weak=weak)


def as_array(x: ArrayLike) -> Any:
    """A number or NumPy array as an array of olympus, with the same element type."""
    aval = aval_of(x)
    return x if hasattr(x, "aval") else bind(ops.convert, x, dtype=aval.dtype, weak=aval.weak)


def filled(value: ArrayLike, shape: Shape, dtype: np.dtype) -> Any:
    """An array of equal elements."""
    element = convert(value, dtype)
    return broadcast(element, shape, weak=False)


def set_apart(args: Any) -> tuple[list[Any], Callable[[Sequence[Any]], Any]] | None:
    """The leaves of arguments without the references among them; None where there are none.

    Args:
        args: A tree of arguments.

    Returns:
        The other leaves, and what puts the references between such leaves again.
    """
    leaves, structure = tree.flatten(args)
    if not any(isinstance(leaf, Reference) for leaf in leaves):
        return None

    def together(others: Sequence[Any]) -> Any:
        rest = iter(others)
        return tree.unflatten(structure, [x if isinstance(x, Reference) else next(rest) for x in leaves])

    return [x for x in leaves if not isinstance(x, Reference)], together
