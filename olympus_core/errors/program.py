# SPDX-License-Identifier: Apache-2.0
"""Errors about programs and their operations."""

from __future__ import annotations

from collections.abc import Sequence

from .base import OlympusError


class ProgramError(OlympusError):
    """Base of the errors about programs."""


class OperandError(ProgramError, TypeError, ValueError):
    """An operation was given operands or attributes that do not fit it.

    Args:
        operation: The operation's name.
        problem: What does not fit, in a clause.
        given: What was given, such as the operand types.
        expected: What would fit.
        fix: What to do.
    """

    def __init__(self, operation: str, problem: str, given: object = None, expected: object = None,
                 fix: str | None = None) -> None:
        self.operation = operation
        self.problem = problem
        super().__init__(f"{operation}: {problem}.", given=given, expected=expected, fix=fix)


class ShapeError(ProgramError, ValueError):
    """A type of arrays was asked for that no array has.

    Args:
        type: The type, in text.
        shape: Its shape.
        most: The most dimensions that arrays have.
    """

    def __init__(self, type: str, shape: Sequence[int], most: int) -> None:
        self.shape = tuple(shape)
        negative = any(n < 0 for n in self.shape)
        super().__init__(
            "A dimension of an array is negative." if negative else "An array has too many dimensions.",
            given=type if negative else f"{len(self.shape)} dimensions",
            expected="sizes of zero or more" if negative else f"at most {most}",
            fix="Look at where the sizes come from." if negative else "Join some of them with reshape.")


class VerificationError(ProgramError, ValueError):
    """A program breaks a rule of well-formedness.

    Args:
        rule: The rule that is broken.
        where: The operation, in text.
    """

    def __init__(self, rule: str, where: str, detail: Sequence[object] | str = "") -> None:
        self.rule = rule
        super().__init__(f"Not a well-formed program: {rule}.", given=f"{where} {detail}".strip(),
                         fix="Build programs with ProgramBuilder; if olympus built it, please report it.")


class JaxprTypeError(ProgramError, TypeError):
    """A jaxpr is not well-formed: its variables are not made once and before they are read, or types do not fit.

    Args:
        problem: What is not so, a clause.
        given: What was found.
        expected: What would fit.
    """

    def __init__(self, problem: str, given: object = None, expected: object = None) -> None:
        super().__init__(f"jaxpr: {problem}.", given=given, expected=expected,
                         fix="Look at the equations that were added or replaced.")


class DisagreeingMembersError(ProgramError, RuntimeError):
    """Some devices of a group reached a collective and others, by their own choice, did not.

    Args:
        operation: The collective's name.
        group: Positions of the group's devices.
        present: Positions of those that reached it.
        location: The user's line.
    """

    def __init__(
        self, operation: str, group: Sequence[int], present: Sequence[int], location: str | None = None
    ) -> None:
        self.operation, self.group, self.present, self.location = operation, tuple(group), tuple(present), location
        missing = sorted(set(group) - set(present))
        super().__init__(
            f"{operation}{f' ({location})' if location else ''} was reached by some devices of its group only.",
            given=f"devices {sorted(set(group) & set(present))} are there, devices {missing} are not",
            expected=f"all of {sorted(group)}",
            fix="Use collectives inside a manual region, where the devices of a group agree on every branch and "
                "on the number of a loop's iterations (reduce the predicate over the group first).",
        )
