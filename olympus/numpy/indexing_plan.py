# SPDX-License-Identifier: Apache-2.0
"""What an index means: NumPy's rules for integers, slices, `None`, `...` and arrays, put into a canonical form.

The form is in two parts: a plan, which is part of a compiled program, and the integers and arrays of integers, which
are operands of it. A Python integer is an operand too, so that ``x[0]`` and ``x[1]`` are one program.
"""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.config import config
from olympus_core.dataclass import dataclass
from olympus_core.errors import (
    ArgumentError,
    ConcretizationError,
    IndexOutOfBoundsError,
    IndexTypeError,
    MaskShapeError,
    NonConcreteBooleanIndexError,
    TooManyIndicesError,
)
from olympus_core.program.types import SymbolicSize

from ..operands import known
from ..tracing import aval_of
from .creation import asarray, holds_arrays


@dataclass(frozen=True, slots=True)
class Slice:
    """Indices at equal distances of a dimension; a negative step goes backwards from the start."""

    start: int
    step: int
    count: int

    def covers(self, size: int) -> bool:
        """Whether it is the dimension unchanged."""
        return self == Slice(0, 1, size)


@dataclass(frozen=True, slots=True)
class Integer:
    """An index of a dimension, which the result lacks; one of the operands.

    Attributes:
        inside: Whether it is known to lie inside, and not to be negative.
    """

    inside: bool


@dataclass(frozen=True, slots=True)
class Many:
    """An array of indices of a dimension; one of the operands."""


@dataclass(frozen=True, slots=True)
class New:
    """A new dimension of size one."""


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """How an array is indexed; equal plans are the same object, made by `plan_of`.

    Attributes:
        entries: In the order of the index; together they name every dimension.
        front: Whether the dimensions of the arrays of indices come first in the result.
        has_arrays: Whether there are arrays of indices.
    """

    entries: tuple[Slice | Integer | Many | New, ...]
    front: bool
    has_arrays: bool


@functools.lru_cache(4096)
def plan_of(entries: tuple[Slice | Integer | Many | New, ...], front: bool = False) -> Plan:
    """The plan with these entries."""
    return Plan(entries, front, any(isinstance(entry, Many) for entry in entries))


@functools.lru_cache(4096)
def row_plan(shape: tuple[int, ...]) -> Plan:
    """The plan of a single integer."""
    return plan_of((Integer(True), *(Slice(0, 1, n) for n in shape[1:])))


def _is_boolean(item: Any) -> bool:
    return isinstance(item, (bool, np.bool_)) or (
        hasattr(item, "dtype") and hasattr(item, "shape") and item.dtype == dtypes.bool_)


def is_single_bool(item: Any) -> bool:
    """Whether an index is a bool of no dimensions."""
    return (item is True or item is False or hasattr(item, "dtype")) and _is_boolean(item) and not np.shape(item)


def spread_bools(index: Any, shape: tuple[int, ...]) -> tuple[Any, tuple[int, ...]]:
    """An index without bools of no dimensions, and the array's shape with the dimensions that it is for.

    Such a bool is a mask of no dimensions: it has a new one of size one, of which it keeps all or nothing.
    """
    items = index if isinstance(index, tuple) else (index,)
    if not any(map(is_single_bool, items)):
        return index, shape
    items = tuple(known("indexing", i, "the index") if isinstance(i, list) and i and not holds_arrays(i) else i
                  for i in items)
    used = [0 if i is None or i is Ellipsis or is_single_bool(i) else np.ndim(i) if _is_boolean(i) else 1
            for i in items]
    kept = len(shape) - sum(used)  # the dimensions that `...` stands for
    spread, position, found = list(shape), 0, []
    for item, count in zip(items, used, strict=True):
        if is_single_bool(item):
            spread.insert(position, 1)
            item, count = np.zeros(int(mask_value(item)), np.int32), 1
        position += kept if item is Ellipsis else count
        found.append(item)
    return tuple(found), tuple(spread)


def mask_value(mask: Any) -> np.ndarray:
    """The values of a mask, which must be known."""
    try:
        return np.asarray(mask)
    except ConcretizationError:
        raise NonConcreteBooleanIndexError(
            "indexing with a mask, whose number of true elements is the result's size,", repr(mask.aval)) from None


def _as_items(index: Any, shape: tuple[int, ...]) -> list[Any]:
    items = list(index) if isinstance(index, tuple) else [index]
    found: list[Any] = []
    for item in items:
        if isinstance(item, (list, tuple)):
            if holds_arrays(item):
                item = asarray(item)
            elif item:
                item = known("indexing", item, "the index")
            else:
                item = np.zeros(0, np.int32)
        if _is_boolean(item):
            # How many dimensions come before is known as long as there is no `...`.
            axis = None if any(i is Ellipsis for i in found) else sum(i is not None for i in found)
            found.extend(_mask_indices(item, shape, axis))
        else:
            found.append(item)
    return found


def _mask_indices(mask: Any, shape: tuple[int, ...], axis: int | None) -> list[Any]:
    """The arrays of indices that a mask stands for; its values must be known."""
    if not np.shape(mask):
        raise IndexTypeError(f"a single bool: {mask!r}")
    own = tuple(np.shape(mask))
    if axis is not None and own != shape[axis:axis + len(own)]:
        raise MaskShapeError(own, shape, axis)
    found = np.nonzero(mask_value(mask))
    return [index.astype(dtypes.index_dtype(n)) for index, n in zip(found, own, strict=True)]


def parse(index: Any, shape: tuple[int, ...], strict: bool | None = None) -> tuple[Plan, list[Any]]:
    """The plan of an index, and its operands.

    Args:
        index: What stands in the brackets.
        shape: The array's shape.
        strict: Whether a Python integer must lie inside; None for what ``olympus_check_static_indices`` says.

    Raises:
        IndexOutOfBoundsError: For a Python integer outside.
        TooManyIndicesError: For more indices than dimensions.
        IndexTypeError: For anything that is no index.
    """
    if type(index) is int and shape and -shape[0] <= index < shape[0]:
        return row_plan(shape), [_inside(index, 0, shape[0])]
    items = _as_items(index, shape)
    ellipses = [i for i, item in enumerate(items) if item is Ellipsis]
    if len(ellipses) > 1:
        raise IndexTypeError("several ...")
    used = sum(item is not None and item is not Ellipsis for item in items)
    if used > len(shape):
        raise TooManyIndicesError(used, len(shape))
    rest: list[Any] = [slice(None)] * (len(shape) - used)
    if ellipses:
        items[ellipses[0]:ellipses[0] + 1] = rest
    else:
        items += rest
    return _planned(items, shape, strict)


def _planned(items: list[Any], shape: tuple[int, ...], strict: bool | None) -> tuple[Plan, list[Any]]:
    entries: list[Any] = []
    operands: list[Any] = []
    axis = 0
    for item in items:
        if item is None:
            entries.append(New())
            continue
        entry, operand = _entry(item, axis, shape[axis], strict)
        entries.append(entry)
        operands += operand
        axis += 1
    if any(isinstance(entry, Many) for entry in entries):
        # Beside arrays an integer is an array of no dimensions.
        entries = [Many() if isinstance(entry, Integer) else entry for entry in entries]
    positions = [i for i, entry in enumerate(entries) if isinstance(entry, Many)]
    front = bool(positions) and positions != list(range(positions[0], positions[-1] + 1))
    return plan_of(tuple(entries), front), operands


def _entry(item: Any, axis: int, size: int, strict: bool | None) -> tuple[Any, list[Any]]:
    if isinstance(item, slice):
        if any(isinstance(n, SymbolicSize) for n in (size, item.start, item.stop)):
            sized = next(n for n in (size, item.start, item.stop) if isinstance(n, SymbolicSize))
            return Slice(*sized.sliced(item, size)), []
        try:
            bounds = range(*item.indices(size))
        except ValueError as error:
            raise ArgumentError("indexing", "the step of a slice is zero", item, "another step") from error
        except TypeError as error:
            raise IndexTypeError(f"{item}: a slice of other things than integers") from error
        return Slice(bounds.start if len(bounds) else 0, bounds.step, len(bounds)), []
    if isinstance(item, np.integer) or not (hasattr(item, "dtype") and hasattr(item, "shape")):
        if hasattr(type(item), "__index__"):
            index = operator.index(item)
            if not -size <= index < size and not (
                (config.check_static_indices or size == 0) if strict is None else strict
            ):
                dtype = dtypes.index_dtype(size)
                ends = dtypes.limits(dtype)
                return Integer(False), [np.asarray(min(max(index, int(ends.min)), int(ends.max)), dtype)]
            return Integer(True), [_inside(index, axis, size)]
        raise IndexTypeError(f"{item!r} of type {type(item).__name__}")
    if not dtypes.is_integer(aval_of(item).dtype):
        raise IndexTypeError(f"an array of {item.dtype}")
    return (Many() if item.shape else Integer(False)), [item]


def _inside(index: int, axis: int, size: int) -> int:
    if not -size <= index < size:
        raise IndexOutOfBoundsError(int(index), axis, size)
    return index + size if index < 0 else index
