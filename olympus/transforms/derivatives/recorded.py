# SPDX-License-Identifier: Apache-2.0
"""Linear functions that were recorded on a tape, as trees: their leaves are the residuals."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, TypeVar

from ..traces.linear_trace import Tape

T = TypeVar("T", bound="Recorded")


class Recorded:
    """A function that replays or transposes a tape. Its static part without residuals stays the same object.

    Args:
        tape: The recorded operations on tangents.
        outputs: The results' tangents; None for those that are zero.
    """

    def __init__(self, tape: Tape, outputs: Sequence[Any]) -> None:
        self._tape, self._outputs = tape, outputs
        self._parts: tuple[Sequence[Any], Any] | None = None

    def split(self: T) -> tuple[Sequence[Any], T]:
        """The residuals, and the function without them."""
        if self._parts is None:
            tape, residuals = self._tape.split(self._outputs)
            self._parts = residuals, self._with(tape)
        return self._parts

    def joined(self: T, residuals: Sequence[Any]) -> T:
        """Of a function without residuals: the function with these."""
        whole = self._with(self._tape.joined(residuals))
        whole._parts = residuals, self
        return whole

    def _with(self: T, tape: Tape) -> T:
        other = copy.copy(self)
        other._tape, other._parts = tape, None
        return other
