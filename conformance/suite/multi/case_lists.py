# SPDX-License-Identifier: Apache-2.0
"""The cases that collectives have: reductions, element types and numbers of processes; no requirements here."""

from __future__ import annotations

import numpy as np

from olympus_core import dtypes
from olympus_core.plugin import Reduction

from ...requirement import Case

PROCESSES = (1, 2, 4)

# These are tried with every number of processes; the others with two, in profile full.
COMMON = (dtypes.bool_, dtypes.int32, dtypes.float32, dtypes.bfloat16)
_REDUCTIONS: tuple[Reduction, ...] = ("sum", "prod", "max", "min", "and", "or")


def spelled(processes: int) -> str:
    """The number of processes in a case's name."""
    return "1 process" if processes == 1 else f"{processes} processes"


def process_cases(
    *counts: int, needs: tuple[str, ...] = (), quick: tuple[int, ...] = (2,), profile: str | None = None
) -> list[Case]:
    """A case for each number of processes, all of them by default; those in `quick` are quick."""
    return [
        Case(spelled(n), processes=n, needs=(*many(n), *needs), quick=n in quick, profile=profile)
        for n in counts or PROCESSES
    ]


def many(processes: int) -> tuple[str, ...]:
    """The needs of a case of so many processes."""
    return ("multi_process",) if processes > 1 else ()


def dtype_cases() -> list[Case]:
    """A case for each element type and number of processes."""
    return [
        Case(
            f"{dtype},{spelled(n)}", {"dtype": dtype}, needs=(f"dtype:{dtype}", *many(n)), processes=n,
            profile=None if dtype in COMMON else "full", quick=n == 2 and dtype in (dtypes.int32, dtypes.float32),
        )
        for dtype in dtypes.ALL for n in PROCESSES if n == 2 or dtype in COMMON
    ]


def reduction_cases() -> list[Case]:
    """A case for each reduction, element type that it is defined for, and number of processes."""
    return [
        Case(
            f"{reduction},{dtype},{spelled(n)}", {"reduction": reduction, "dtype": dtype},
            needs=(f"dtype:{dtype}", *many(n)), processes=n, profile=None if dtype in COMMON else "full",
            quick=(n == 2 and dtype in (dtypes.bool_, dtypes.int32, dtypes.float32))
            or (n == 4 and dtype == dtypes.float32 and reduction == "sum"),
        )
        for reduction in _REDUCTIONS for dtype in dtypes.ALL if is_defined(reduction, dtype)
        for n in PROCESSES if n == 2 or dtype in COMMON
    ]


def is_defined(reduction: str, dtype: np.dtype) -> bool:
    """Whether a reduction is defined for an element type, as the operation set says."""
    if reduction in ("sum", "prod"):
        return not dtypes.is_bool(dtype)
    if reduction in ("max", "min"):
        return not dtypes.is_complex(dtype)
    return dtypes.is_bool(dtype) or dtypes.is_integer(dtype)
