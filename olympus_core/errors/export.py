# SPDX-License-Identifier: Apache-2.0
"""Errors about exported programs: what cannot be exported, and artefacts that are none."""

from __future__ import annotations

from .base import OlympusError

__all__ = ["ArtefactError", "ExecutableError", "ExportedCallError", "InconclusiveDimensionOperation",
           "NotExportableError", "SymbolicShapeError"]


class NotExportableError(OlympusError, ValueError):
    """A function cannot be exported.

    Args:
        function: The function.
        reason: Why.
        given: What it holds.
        fix: What to do.
    """

    def __init__(self, function: str, reason: str, given: str | None = None, fix: str | None = None) -> None:
        self.function = function
        super().__init__(f"{function} cannot be exported: {reason}.", given=given, fix=fix)


class ArtefactError(OlympusError, ValueError):
    """Bytes are no exported program that this version can read.

    Args:
        reason: What is wrong.
        where: Where in the artefact.
    """

    def __init__(self, reason: str, where: str | None = None) -> None:
        self.reason = reason
        super().__init__(f"This is no exported program that can be read: {reason}.", given=where,
                         expected="bytes that Exported.serialize of this version, or of an older one, has made",
                         fix="Export the function again, and see that the file has arrived whole.")


class SymbolicShapeError(OlympusError, ValueError):
    """A symbolic shape, or what is said of its dimensions, cannot be read or held.

    Args:
        reason: What is wrong.
        given: What was given.
        fix: What to do.
    """

    def __init__(self, reason: str, given: str | None = None, fix: str | None = None) -> None:
        self.reason = reason
        super().__init__(f"This is no symbolic shape: {reason}.", given=given,
                         expected="sizes with commas between, such as 'b, 2*n + 1, floordiv(m, 2)'", fix=fix)


class InconclusiveDimensionOperation(OlympusError, TypeError):
    """An operation needs the value of a symbolic dimension, or a comparison holds for some values only.

    Args:
        operation: The operation.
        constraints: What is known of the dimensions.
    """

    def __init__(self, operation: str, constraints: str) -> None:
        self.operation = operation
        super().__init__(
            "An operation cannot be decided for all values of the symbolic dimensions.", given=operation,
            expected=f"what follows from: {constraints}",
            fix="Say more of the dimensions with constraints=[...], or export the function for fixed sizes.")


class ExecutableError(OlympusError, ValueError):
    """Bytes are no executable that this process can load.

    Args:
        reason: What is wrong.
        given: What the bytes say.
        expected: What is here.
        fix: What to do.
    """

    def __init__(self, reason: str, given: str | None = None, expected: str | None = None,
                 fix: str | None = None) -> None:
        self.reason = reason
        super().__init__(
            f"This is no executable that can be loaded here: {reason}.", given=given,
            expected=expected or "bytes that serialize has made for this processor, platform and version",
            fix=fix or "Serialize it again here, or export the program, which runs anywhere: olympus.export.")


class ExportedCallError(OlympusError, ValueError, TypeError):
    """An exported program is called with what it was not exported for.

    Args:
        function: The function.
        what: What does not fit.
        given: What was given.
        expected: What it was exported for.
    """

    def __init__(self, function: str, what: str, given: str, expected: str, fix: str | None = None) -> None:
        self.function = function
        super().__init__(f"The exported function {function} was called with {what}.", given=given, expected=expected,
                         fix=fix or "Call it as it was exported, or export it again.")
