# SPDX-License-Identifier: Apache-2.0
"""The arrays that stand for a value of a library's own type in programs, and where among them its tangent is.

A value's tangent stands at the value's own arrays where the tangent's type has the arrays that these have as tangents.
Otherwise further arrays of zeros stand beside the value, which carry it.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core.errors import NotSupportedError
from olympus_core.program import ArrayType

from ...tracing import EVALUATING, Aval, aval_of, use_trace
from ...tracing.aval import float0, has_tangent
from ...tracing.high import HighValue, arrays_of, own_object, presented
from ..jaxpr.conventions import Zero
from ..traces.arithmetic import zeros
from .zeros import arrays_in


def carriers(type: Any) -> list[Aval]:
    """The types of the arrays that carry the tangent of a value beside it; none where its own arrays do."""
    return [] if isinstance(type, Aval) else _carriers(type)


@functools.lru_cache(maxsize=1024)
def _carriers(type: Any) -> list[Aval]:
    tangent = _tangent_type(type)
    if tangent is None:
        return []
    own, of_tangent = arrays_in(type), arrays_in(tangent)
    if [a.to_tangent_aval().type for a in own] == [a.type for a in of_tangent]:
        _check_sum(tangent)
        return []
    if not all(map(has_tangent, of_tangent)):
        return []  # an error where it is differentiated
    _check_sum(tangent)
    return of_tangent


def _tangent_type(type: Any) -> Any:
    try:
        return type.to_tangent_aval()
    except NotImplementedError:
        return None


def tangent_type(type: Any, cotangent: bool = False) -> Any:
    """The type of a value's tangent, or of its cotangent.

    Raises:
        NotSupportedError: If it has none whose arrays are real or complex numbers.
    """
    found = type.to_ct_aval() if cotangent else type.to_tangent_aval()
    if isinstance(type, Aval):
        return found
    expected = carriers(type) or [a.to_tangent_aval() for a in arrays_in(type)]
    if [a.type for a in arrays_in(found)] != [a.type for a in expected]:
        raise NotSupportedError(
            f"The derivative of a value of type {type!r}", f"its tangents, of type {found!r}, consist of integers, or "
            "are of another form than its cotangents", "Give it tangents of real or complex numbers.")
    return found


def _check_sum(tangent: Any) -> None:
    """Refuses tangents whose sum is another one than that of their arrays: cotangents are summed array by array."""
    if isinstance(tangent, Aval):
        return
    rows = [[_sample(a, first, step) for a in arrays_in(tangent)] for first, step in ((3, 7), (1, 5))]
    with use_trace(EVALUATING):
        try:
            found = arrays_of(tangent, tangent.vspace_add(own_object(tangent, rows[0]), own_object(tangent, rows[1])))
        except NotImplementedError:  # it has none: there is nothing else that it could mean
            return
        same = all(a.dtype == float0 or np.array_equal(np.asarray(x), p + q)
                   for a, x, p, q in zip(arrays_in(tangent), found, *rows, strict=True))
    if not same:
        raise NotSupportedError(
            f"Tangents of type {tangent!r}", "their vspace_add is not the sum of the arrays that they consist of",
            "Give tangents a type whose sum is that of its arrays.")


def _sample(aval: Aval, first: int, step: int) -> np.ndarray:
    if aval.dtype == float0:
        return np.zeros(aval.shape, float0)
    return ((np.arange(aval.size) * first % step - 2) / 4).reshape(aval.shape).astype(aval.dtype)


def parts_in(type: Any) -> list[Aval]:
    """The types of all arrays that stand for a value in a program."""
    return [*arrays_in(type), *carriers(type)]


def parts_of(type: Any, value: Any) -> list[Any]:
    """The arrays that stand for a value in a program."""
    if isinstance(value, HighValue) and len(value.parts) == len(parts_in(type)):
        return value.parts
    return [*arrays_of(type, value), *map(zeros, carriers(type))]


def moves(type: Any) -> list[bool]:
    """Which of the arrays that stand for a value may have tangents."""
    beside = carriers(type)
    return [*(not beside and has_tangent(a) for a in arrays_in(type)), *(True for _ in beside)]


def tangent_of(type: Any, tangents: Sequence[Any], cotangent: bool = False) -> Any:
    """A value's tangent, from those of its arrays (None: zero)."""
    kind = tangent_type(type, cotangent)
    if all(t is None for t in tangents):
        return Zero(kind)
    own, beside = arrays_in(type), carriers(type)
    given = tangents[len(own):] if beside else tangents
    of = beside or own
    return presented(kind, [
        t if t is not None else zeros(a) if has_tangent(a) else np.zeros(a.shape, float0)
        for a, t in zip(of, given, strict=True)])


def arrays_of_tangent(type: Any, tangent: Any, cotangent: bool = False) -> list[Any]:
    """For each array that stands for a value its tangent (None: zero)."""
    if tangent is None or isinstance(tangent, Zero):
        return [None] * len(parts_in(type))
    kind = tangent_type(type, cotangent)
    beside = carriers(type)
    found: list[Any] = [
        x if has_tangent(a) else None
        for a, x in zip(beside or arrays_in(type), arrays_of(kind, tangent), strict=True)]
    return [None] * (len(parts_in(type)) - len(found)) + found


def type_of_array(value: Any) -> Aval:
    """What is known of an array, as operations on it declare it."""
    aval = aval_of(value)
    return Aval(ArrayType(aval.shape, aval.dtype), aval.weak, aval.layout)
