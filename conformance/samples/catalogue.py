# SPDX-License-Identifier: Apache-2.0
"""What is tried of every operation: which element types, and instances of plain, special, denormal and large values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Literal

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import OperationRecord

from . import contractions, elementwise, indexing, linear_algebra, others, reductions, structure
from .instance import Draw, Instance

Forms = Callable[[Draw, np.dtype], Iterator[Instance]]
Kind = Literal["plain", "special", "denormal", "large"]

# They stand in global programs only: the partitioner writes them away before a platform sees the program.
NEVER_ON_DEVICES = frozenset({"manual", "sharding_constraint"})
# Their suites are their own; here is one small instance of each, of these element types.
_SMALL: tuple[np.dtype, ...] = (dtypes.float32, dtypes.int32)


@dataclass(frozen=True, slots=True)
class Entry:
    """What is tried of one operation.

    Args:
        record: The operation.
        plain: Its forms: shapes and attributes, with values that nothing is special about.
        special: Forms with special values; None where plain forms have them, or where none are special.
        denormal: Forms with denormal operands and results.
        large: Forms with large arrays.
        only: The element types that are tried; all that the operation takes when None.
    """

    record: OperationRecord
    plain: Forms
    special: Forms | None = None
    denormal: Forms | None = None
    large: Forms | None = None
    only: tuple[np.dtype, ...] | None = None

    def forms(self, kind: Kind) -> Forms | None:
        """The forms of a kind."""
        found: Forms | None = getattr(self, kind)
        return found


# Whose results are the nearest numbers, or one of the operands: what becomes of a denormal number is theirs to say.
_KEEPING = ("neg", "abs", "sign", "sqrt", "add", "sub", "mul", "div", "rem", "max", "min", "clamp", "eq", "ne", "lt",
            "le", "gt", "ge", "next_after")
_LARGE_ELEMENTWISE = ("add", "mul", "div", "exp", "sin", "tanh", "max", "lt", "clamp")


@cache
def catalogue() -> Mapping[str, Entry]:
    """The entries by the operations' names."""
    found: list[Entry] = []
    for record in elementwise.generic():
        found.append(Entry(
            record, elementwise.plain_forms(record), elementwise.special_forms(record),
            elementwise.denormal_forms(record) if record.name in _KEEPING else None,
            elementwise.large_forms(record) if record.name in _LARGE_ELEMENTWISE else None))
    found += [
        Entry(ops.select, elementwise.select_forms),
        Entry(ops.convert, elementwise.convert_forms, elementwise.convert_special_forms,
              large=lambda draw, dtype: _large_convert(draw, dtype)),
        Entry(ops.bitcast_convert, elementwise.bitcast_forms),
        Entry(ops.constant, structure.constant), Entry(ops.dynamic_slice, structure.dynamic_slice),
        Entry(ops.dynamic_update_slice, structure.dynamic_update_slice),
        Entry(ops.gather, indexing.gather, large=indexing.large_gather),
        Entry(ops.scatter, indexing.scatter, indexing.special_scatter, large=indexing.large_scatter),
        Entry(ops.dot_general, contractions.dot_general, contractions.special_dot_general,
              large=contractions.large_dot_general),
        Entry(ops.convolution, contractions.convolution, contractions.special_convolution,
              large=contractions.large_convolution),
        Entry(ops.fft, others.fft, only=(*dtypes.COMPLEXES, dtypes.float32, dtypes.float64)),
        Entry(ops.threefry2x32, others.threefry2x32, only=(dtypes.uint32,)), Entry(ops.random_bits, others.random_bits),
        Entry(ops.axis_index, others.axis_index, only=(dtypes.int32,)),
        Entry(ops.cond, others.cond, only=_SMALL), Entry(ops.while_, others.while_, only=_SMALL),
        Entry(ops.scan, others.scan, only=_SMALL), Entry(ops.call, others.call, only=_SMALL),
        Entry(ops.host_callback, others.host_callback, only=_SMALL),
    ]
    found += [Entry(record, forms, structure.SPECIAL_FORMS.get(record), large=_large_structure(record.name))
              for record, forms in structure.FORMS.items()]
    found += [Entry(record, forms, only=linear_algebra.TYPES) for record, forms in linear_algebra.FORMS.items()]
    for record in ops.OPERATIONS.values():
        if record.category == "reduction" and record.combine is not None:
            found.append(Entry(record, reductions.reduce_forms(record), reductions.special_forms(record),
                               large=reductions.large_reduce_forms(record)))
        elif record.category == "reduction":
            found.append(Entry(record, reductions.extreme_forms(record), reductions.special_forms(record), large=_large(
                record, {"dimension": 0, "dtype": dtypes.int32}, (1023, 65))))
        elif record.category == "cumulative":
            found.append(Entry(record, reductions.cumulative_forms(record), reductions.special_forms(record),
                               large=_large(record, {"dimension": 0, "reverse": False}, (3001, 3), calm=True)))
        elif record.communicates:
            found.append(Entry(record, others.alone(record), only=_SMALL))
    return MappingProxyType({entry.record.name: entry for entry in found})


@cache
def dtypes_of(name: str, kind: Kind = "plain") -> tuple[np.dtype, ...]:
    """The element types for which an operation is tried with values of a kind."""
    entry = catalogue()[name]
    forms = entry.forms(kind)
    if forms is None:
        return ()
    candidates = entry.only or dtypes.ALL
    if kind == "denormal":  # of float16 and of the eight-bit floats they are numbers as any other
        candidates = (dtypes.bfloat16, dtypes.float32, dtypes.float64)
    elif kind == "special" and entry.record.category != "elementwise":
        candidates = (*dtypes.FLOATS, *dtypes.NARROW_FLOATS)
    elif kind == "large":
        candidates = (dtypes.float32, dtypes.int32, dtypes.bfloat16, dtypes.float64)
    return tuple(d for d in candidates if _takes(forms, d))


def needed_dtypes(name: str, dtype: np.dtype, kind: Kind = "plain") -> tuple[np.dtype, ...]:
    """The element types without which nothing of a case can be tried, the case's own first."""
    (first, *_) = _first(catalogue()[name].forms(kind), dtype)
    return (dtype, *sorted(first.dtypes() - {dtype}, key=str))


def needs_of(name: str, dtype: np.dtype, kind: Kind = "plain") -> tuple[str, ...]:
    """What a requirement's case of this operation and element type needs; see `Case.needs`."""
    return (f"operation:{name}", *(f"dtype:{needed}" for needed in needed_dtypes(name, dtype, kind)))


def instances(
    name: str, dtype: np.dtype, kind: Kind = "plain", seed: int = 0, known: frozenset[np.dtype] | None = None
) -> list[Instance]:
    """The instances of one case.

    Args:
        name: The operation's name.
        dtype: The element type: the first operand's, or the result's of what has no operands.
        kind: What the values are.
        seed: The same arrays for the same seed.
        known: Instances that have other element types than these are left out.
    """
    forms = catalogue()[name].forms(kind)
    if forms is None:
        return []
    found = [made for made in forms(Draw(seed), dtype) if made.is_accepted()]
    return [made for made in found if known is None or made.dtypes() <= known]


def _first(forms: Forms | None, dtype: np.dtype) -> list[Instance]:
    return [] if forms is None else [next(forms(Draw(None), dtype))]


def _takes(forms: Forms, dtype: np.dtype) -> bool:
    (made,) = _first(forms, dtype)
    return made.is_accepted() and dtype in made.dtypes()


def _large_structure(name: str) -> Forms:
    return lambda draw, dtype: structure.large(draw, dtype, name)


def _large(
    record: OperationRecord, attributes: dict[str, object], shape: tuple[int, ...], calm: bool = False
) -> Forms:
    def forms(draw: Draw, dtype: np.dtype) -> Iterator[Instance]:
        x = draw.calm(shape, dtype) if calm else draw.plain(shape, dtype)
        if record.exactness.kind == "product" and dtypes.is_float(dtype):
            x = np.where(x < 0, -1, 1).astype(dtype)
        yield Instance(record, [x], attributes)

    return forms


def _large_convert(draw: Draw, dtype: np.dtype) -> Iterator[Instance]:
    x = draw.plain((100_003,), dtype)
    for target in (dtypes.float32, dtypes.int32, dtypes.bfloat16, dtypes.float64):
        yield Instance(ops.convert, [x], {"dtype": target})
