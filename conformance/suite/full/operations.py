"""Operations on difficult operands: special values, denormal numbers, large arrays."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from olympus_core import dtypes
from olympus_core.ops import OPERATIONS

from ...context import Context
from ...requirement import Case, requirement
from ...samples.catalogue import Kind, catalogue, dtypes_of, needs_of
from ...samples.run import require_case, require_case_refused

_QUICK_EXACT = frozenset({"add", "div", "max", "sign", "round", "convert", "lt", "rem", "reduce_max", "argmax"})
_QUICK_INTEGER = frozenset({"div", "rem", "pow", "shift_left", "shift_right_arithmetic"})


def _cases(kind: Kind) -> Iterator[Case]:
    for operation in catalogue():
        for dtype in dtypes_of(operation, kind):
            yield Case(
                f"{operation},{dtype}", {"operation": operation, "dtype": dtype}, needs_of(operation, dtype, kind),
                quick=kind == "special" and _is_quick(operation, dtype),
            )


def _is_quick(operation: str, dtype: np.dtype) -> bool:
    if dtype == dtypes.float32:
        return OPERATIONS[operation].exactness.kind not in ("exact", "rounded") or operation in _QUICK_EXACT
    return dtype == dtypes.int32 and operation in _QUICK_INTEGER


def _refused(context: Context, operation: str, dtype: np.dtype) -> None:
    require_case_refused(context, operation, dtype, "special")


@requirement(
    "operations/special",
    "A program of one operation MUST give the reference's results for NaN, infinities, zeros of either sign, the "
    "greatest and least numbers and huge arguments, for integers that overflow, division by zero and shifts beyond "
    "the width; operations of two operands in every combination of them.",
    why="Masks, losses and clipped gradients consist of such values, and a NaN that is dropped hides a failure.",
    profile="full",
    cases=_cases("special"),
    refusal=_refused,
)
def special(context: Context, operation: str, dtype: np.dtype) -> None:
    """All combinations in one program."""
    require_case(context, operation, dtype, "special")


@requirement(
    "operations/denormals",
    "Operations that are exact SHOULD take and give denormal numbers of bfloat16, float32 and float64 as they are, and "
    "not as zeros.",
    why="Two numbers that differ have a difference of zero otherwise; some hardware has no other way.",
    profile="full",
    cases=_cases("denormal"),
)
def denormals(context: Context, operation: str, dtype: np.dtype) -> None:
    """Denormal operands, and operands whose result is denormal."""
    require_case(context, operation, dtype, "denormal", may_flush=False)


@requirement(
    "operations/large",
    "A program of one operation MUST give the reference's results for arrays of many thousands of elements, of sizes "
    "that nothing divides.",
    why="Blocks, threads and vectors begin where small arrays end.",
    profile="full",
    cases=_cases("large"),
)
def large(context: Context, operation: str, dtype: np.dtype) -> None:
    """Rows, columns and blocks with what is left over beside them."""
    require_case(context, operation, dtype, "large")
