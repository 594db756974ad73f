# SPDX-License-Identifier: Apache-2.0
"""Operations: every one of them gives the reference's results, for plain values and for special ones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from olympus_core import dtypes
from olympus_core.ops import OPERATIONS

from ...context import Context
from ...profiles import CORE_OPERATIONS
from ...requirement import Case, requirement
from ...samples.catalogue import catalogue, dtypes_of, needs_of
from ...samples.run import require_case, require_case_refused

_CORE_DTYPES = (dtypes.bool_, dtypes.int32, dtypes.uint32, dtypes.float32)
# An operation is tried quickly in the first of these types that it takes.
_QUICK = (dtypes.float32, dtypes.int32, dtypes.uint32, dtypes.bool_, dtypes.complex64)
_QUICK_NARROW = frozenset({"add", "convert", "exp", "reduce_sum", "dot_general", "mul"})
_QUICK_EXACT = frozenset({"add", "div", "max", "sign", "round", "convert", "lt", "rem", "reduce_max", "argmax", "sort"})
_QUICK_INTEGER = frozenset({"div", "rem", "pow", "shift_left", "shift_right_arithmetic"})
_QUICK_COMPLEX = frozenset({"asin", "exp", "sqrt"})
# Types whose special values belong to profile single, whatever the operation is.
_SPECIAL_DTYPES = (*_CORE_DTYPES, dtypes.complex64)


def is_quick(operation: str, dtype: np.dtype) -> bool:
    """Whether a case is among those that stand for the others."""
    taken = dtypes_of(operation)
    first = next((d for d in _QUICK if d in taken), taken[0])
    return dtype == first or (operation in _QUICK_NARROW and dtype in (dtypes.bfloat16, dtypes.int8))


def _cases() -> Iterator[Case]:
    for operation in catalogue():
        for dtype in dtypes_of(operation):
            is_core = operation in CORE_OPERATIONS and dtype in _CORE_DTYPES
            yield Case(
                f"{operation},{dtype}", {"operation": operation, "dtype": dtype}, needs_of(operation, dtype),
                profile="single" if is_core else "full", quick=is_quick(operation, dtype),
            )


def _refused(context: Context, operation: str, dtype: np.dtype) -> None:
    require_case_refused(context, operation, dtype, "plain")


@requirement(
    "operations/result",
    "A program of one operation MUST give the reference's results, within the tolerance of the operation's row, for "
    "plain values in arrays without dimensions, of no element, of one and of odd sizes, and in every form that its "
    "attributes have.",
    why="A library on top of the platform gets wrong numbers, and from some shapes only.",
    profile="single",
    cases=_cases(),
    refusal=_refused,
)
def result(context: Context, operation: str, dtype: np.dtype) -> None:
    """All forms in one program."""
    require_case(context, operation, dtype, "plain")


def is_single(operation: str, dtype: np.dtype) -> bool:
    """Whether the special values of an operation and element type belong to profile single.

    Those of every operation do in the usual types. What is no function has an instruction of its own in the others.
    """
    is_other = OPERATIONS[operation].exactness.kind != "function" and dtype in (*dtypes.FLOATS, *dtypes.COMPLEXES)
    return dtype in _SPECIAL_DTYPES or is_other


def _is_quick_special(operation: str, dtype: np.dtype) -> bool:
    if dtype == dtypes.complex64:
        return operation in _QUICK_COMPLEX
    if dtype == dtypes.float32:
        return OPERATIONS[operation].exactness.kind not in ("exact", "rounded") or operation in _QUICK_EXACT
    return dtype == dtypes.int32 and operation in _QUICK_INTEGER


def _special_cases() -> Iterator[Case]:
    for operation in catalogue():
        for dtype in dtypes_of(operation, "special"):
            yield Case(
                f"{operation},{dtype}", {"operation": operation, "dtype": dtype},
                needs_of(operation, dtype, "special"), profile="single" if is_single(operation, dtype) else "full",
                quick=_is_quick_special(operation, dtype),
            )


def _special_refused(context: Context, operation: str, dtype: np.dtype) -> None:
    require_case_refused(context, operation, dtype, "special")


@requirement(
    "operations/special",
    "A program of one operation MUST give the reference's results for NaN, infinities, zeros of either sign, the "
    "greatest and least numbers and huge arguments, for integers that overflow, division by zero and shifts beyond "
    "the width; operations of two operands in every combination of them. Functions of complex numbers MUST give what "
    "Annex G of C fixes, and may give anything where it leaves a part or a sign open.",
    why="Masks, losses and clipped gradients consist of such values, and a NaN that is dropped hides a failure.",
    profile="single",
    cases=_special_cases(),
    refusal=_special_refused,
)
def special(context: Context, operation: str, dtype: np.dtype) -> None:
    """All combinations in one program."""
    require_case(context, operation, dtype, "special")
