# SPDX-License-Identifier: Apache-2.0
"""What takes the cotangents of operands, in rules for the backward pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..jaxpr.conventions import Zero
from .tangents import arrays_of_tangent


class Accumulator:
    """Takes the cotangent of one operand, in a rule for the backward pass.

    Args:
        aval: The cotangent's type.
    """

    def __init__(self, aval: Any) -> None:
        self.aval, self.value = aval, None

    def accum(self, value: Any) -> None:
        """Adds a cotangent.

        Args:
            value: The cotangent; None, or a `Zero`, for zero.
        """
        if value is None or isinstance(value, Zero):
            return
        if self.value is None:
            self.value = value
        else:
            add = getattr(self.aval, "vspace_add", None)
            self.value = self.value + value if add is None else add(self.value, value)


class NullAccumulator(Accumulator):
    """The same for an operand whose cotangent nobody needs."""

    def accum(self, value: Any) -> None:
        """Does nothing."""


def gathered(types: Sequence[Any], accumulators: Sequence[Accumulator | None]) -> list[Any]:
    """The arrays of the cotangents that accumulators were given."""
    return [x for t, a in zip(types, accumulators, strict=True)
            for x in arrays_of_tangent(t, None if a is None else a.value, True)]
