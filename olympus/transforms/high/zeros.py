# SPDX-License-Identifier: Apache-2.0
"""Zeros of spaces of tangents, also of those of libraries' own types."""

from __future__ import annotations

from typing import Any

from ...tracing import Aval
from ...tracing.high import HighType, presented
from ..traces.arithmetic import zeros


def arrays_in(type: Any) -> list[Aval]:
    """The types of the arrays that a value consists of."""
    return [type] if isinstance(type, Aval) else [Aval(t.type) for t in type.lo_ty()]


def zero_of(type: Any) -> Any:
    """The zero of a space of tangents."""
    if not isinstance(type, HighType):
        return zeros(type)
    try:
        return type.vspace_zero()  # type: ignore[attr-defined]
    except NotImplementedError:
        return presented(type, [zeros(a) for a in arrays_in(type)])
