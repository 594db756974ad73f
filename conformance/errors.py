# SPDX-License-Identifier: Apache-2.0
"""The suite's own errors."""

from __future__ import annotations

from olympus_core.errors import OlympusError


class ConformanceError(OlympusError):
    """Base of the suite's errors."""


class SuiteError(ConformanceError, ValueError):
    """A requirement is defined wrongly.

    Args:
        name: The requirement's.
        problem: The problem.
    """

    def __init__(self, name: str, problem: str) -> None:
        self.name = name
        super().__init__(f"The requirement {name!r} cannot be registered: {problem}.", fix="Change its declaration.")


class Failed(ConformanceError, AssertionError):
    """A requirement does not hold: what a check raises.

    Args:
        observed: What the platform did.
        required: What the requirement asks for.
        program: The text of the program that showed it, if one did.
    """

    def __init__(self, observed: str, required: str, program: str | None = None) -> None:
        self.observed, self.required, self.program = observed, required, program
        super().__init__("A requirement does not hold.", given=observed, expected=required)

    def __reduce__(self) -> tuple[object, ...]:
        return Failed, (self.observed, self.required, self.program)


class Skipped(ConformanceError):
    """A check that does not apply to this machine, though the platform declares everything that it needs.

    Args:
        reason: The reason, such as too few devices.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"The check makes no sense here: {reason}.")

    def __reduce__(self) -> tuple[object, ...]:
        return Skipped, (self.reason,)
