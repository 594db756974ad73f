# SPDX-License-Identifier: Apache-2.0
"""The root of the error tree, and how a message is put together."""

from __future__ import annotations

from typing import Any, cast


class OlympusError(Exception):
    """Base of every error that olympus raises on purpose.

    A message has three parts: what happened, what was given and expected, what to do.
    Subclasses take structured arguments, keep them as attributes, and word the message themselves,
    so that a raise site holds facts and no sentences.

    Args:
        what: What happened, one sentence.
        given: What the caller gave, or what was observed.
        expected: What would have been right.
        fix: What to do, an imperative sentence.
    """

    def __init__(self, what: str, *, given: object = None, expected: object = None, fix: str | None = None) -> None:
        parts = {"given": given, "expected": expected, "to do": fix}
        told = [f"  {name}: {part}" for name, part in parts.items() if part is not None]
        super().__init__("\n".join([what, *told]))

    def __reduce__(self) -> Any:
        # What is being traced, or lies on a device, stays in its process.
        facts = {name: value for name, value in self.__dict__.items() if isinstance(value, (str, bytes, int, float))}
        return _restored, (type(self), self.args), facts


def _restored(kind: type[OlympusError], args: tuple[Any, ...]) -> OlympusError:
    """An error of another process: it has the message, and takes no facts to word it."""
    layout = max((base for base in kind.__mro__ if base.__module__ == "builtins"), key=lambda base: base.__basicsize__)
    made: OlympusError = cast(Any, layout).__new__(kind, *args)
    return made


class OlympusInternalError(OlympusError, RuntimeError):
    """An invariant of olympus itself broke: a bug to report, never a user's mistake."""

    def __init__(self, invariant: str) -> None:
        super().__init__(f"Internal invariant broken: {invariant}",
                         fix="This is a bug in olympus; please report it with the program that shows it.")


class NotSupportedError(OlympusError, NotImplementedError):
    """Something documented that this version, or this platform, does not do.

    Args:
        feature: What was asked for.
        reason: Why it is refused.
        fix: The alternative.
    """

    def __init__(self, feature: str, reason: str, fix: str) -> None:
        self.feature = feature
        super().__init__(f"{feature} is not supported: {reason}", fix=fix)


class OlympusDeprecationWarning(DeprecationWarning):
    """Something works as before, and will be gone in a later release.

    Args:
        name: What it is, as users write it.
        instead: What to write in its place.
        since: The release that warned first.
        removed: The release in which it is gone.
    """

    def __init__(self, name: str, instead: str, since: str, removed: str) -> None:
        self.name, self.instead, self.since, self.removed = name, instead, since, removed
        super().__init__(f"{name} is deprecated since olympus {since} and is gone in {removed}: {instead}.")


def described(value: object) -> str:
    """A value that an error is about: the beginning of its text, and its class where the text does not tell."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001  # a number of more digits than Python prints, a class whose text raises
        text = "a value without a text"
    text = text if len(text) <= 200 else f"{text[:200]}..."
    plain = (type(None), type(...), bool, int, float, complex, str, bytes, tuple, list, dict, set)
    return text if type(value) in plain else f"{text} of type {type(value).__name__}"
