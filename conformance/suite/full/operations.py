# SPDX-License-Identifier: Apache-2.0
"""Operations on difficult operands: denormal numbers, large arrays."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...context import Context
from ...requirement import Case, requirement
from ...samples.catalogue import Kind, catalogue, dtypes_of, needs_of
from ...samples.run import require_case


def _cases(kind: Kind) -> Iterator[Case]:
    for operation in catalogue():
        for dtype in dtypes_of(operation, kind):
            yield Case(
                f"{operation},{dtype}", {"operation": operation, "dtype": dtype}, needs_of(operation, dtype, kind),
                quick=False,
            )


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
