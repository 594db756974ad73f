# SPDX-License-Identifier: Apache-2.0
"""Waivers: known failures, each with a reason, a link and an expiry date, in a file that can be reviewed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from .harness.errors import WaiverError
from .harness.schedule import matches
from .outcome import Outcome, Status
from .report.facts import WaiverUse

_BAD = (Status.FAIL, Status.ERROR, Status.TIMEOUT)
_BOUND = re.compile(r"\s*(>=|<=|==|!=|>|<)\s*(\d+(?:\.\d+)*[a-z0-9.+-]*)\s*")


def covers(versions: str, version: str) -> bool:
    """Whether a version is in a range such as ``>=1.2,<2``; an empty range contains all.

    Example:
        >>> covers(">=1.2,<2", "1.10"), covers(">=1.2,<2", "2.0")
        (True, False)
    """
    return all(_holds(sign, _key(version), _key(bound)) for sign, bound in _bounds(versions))


def _known_range(versions: str) -> str:
    _bounds(versions)
    return versions


class Waiver(BaseModel):
    """One entry of the file.

    Attributes:
        id: The tests: ``*`` and ``?`` are wildcards, a requirement's name matches all its cases.
        versions: Versions of the platform's distribution, such as ``>=1.2,<2``; empty for all.
        link: Where the defect is tracked.
        reason: Why the failure is accepted for now.
        expires: The last day on which it is valid.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(min_length=1)]
    versions: Annotated[str, AfterValidator(_known_range)] = ""
    link: Annotated[str, Field(min_length=1)]
    reason: Annotated[str, Field(min_length=1)]
    expires: date


class Waivers:
    """The waivers of a run.

    Args:
        entries: The entries.
        version: The version of the platform's distribution.
        today: The day of the run.
    """

    def __init__(self, entries: Sequence[Waiver] = (), version: str = "", today: date | None = None) -> None:
        self._entries = tuple(entries)
        self._version = version
        self._today = today or date.today()

    def apply(self, outcome: Outcome) -> Outcome:
        """The outcome; waived if it is bad and a valid entry matches."""
        entry = self._entry_of(outcome.id) if outcome.status in _BAD else None
        if entry is None:
            return outcome
        was = f"{outcome.status.value}{': ' if outcome.reason else ''}{outcome.reason}"
        return replace(outcome, status=Status.WAIVED, reason=f"{entry.reason} ({entry.link}); {was}")

    def uses(self, identifiers: Iterable[str], outcomes: Iterable[Outcome]) -> tuple[WaiverUse, ...]:
        """The use of each entry.

        Args:
            identifiers: The ids of all tests of the suite.
            outcomes: The run's outcomes, with waivers applied.
        """
        ids, found = list(identifiers), list(outcomes)
        return tuple(self._use(entry, ids, found) for entry in self._entries)

    def _use(self, entry: Waiver, identifiers: list[str], outcomes: list[Outcome]) -> WaiverUse:
        meant = [o for o in outcomes if matches(entry.id, o.id)]
        waived = tuple(o.id for o in meant if o.status is Status.WAIVED and self._entry_of(o.id) is entry)
        problem = ""
        if not any(matches(entry.id, identifier) for identifier in identifiers):
            problem = "it matches no test of the suite"
        elif entry.expires < self._today:
            problem = f"it has expired on {entry.expires}"
        elif not covers(entry.versions, self._version):
            problem = f"it is for versions {entry.versions}, and this is {self._version or 'unknown'}"
        elif meant and not waived:
            shadowed = any(o.status is Status.WAIVED for o in meant)
            problem = "others before it waive the same" if shadowed else "what it is for does not fail"
        return WaiverUse(
            entry.id, entry.versions, entry.link, entry.reason, entry.expires, matched=waived, problem=problem)

    def _entry_of(self, identifier: str) -> Waiver | None:
        return next((
            entry for entry in self._entries
            if matches(entry.id, identifier) and entry.expires >= self._today and covers(entry.versions, self._version)
        ), None)


def read(path: Path) -> tuple[Waiver, ...]:
    """The entries of a file: TOML with tables ``[[waiver]]``, or JSON with the same in a list named ``waiver``.

    Raises:
        WaiverError: The file cannot be read, or an entry is invalid.
    """
    data = _data(path)
    listed = data.get("waiver", []) if isinstance(data, dict) else None
    unknown = sorted(set(data) - {"waiver"}) if isinstance(data, dict) else []
    if not isinstance(listed, list) or unknown:
        raise WaiverError(path, [f"it holds {', '.join(unknown) or 'something else'} where only [[waiver]] may stand"])
    entries, problems = [], []
    for number, table in enumerate(listed, 1):
        try:
            entries.append(Waiver.model_validate(table))
        except ValidationError as error:
            problems += [
                f"entry {number}: {'.'.join(str(p) for p in e['loc']) or 'the entry'}: {e['msg']}"
                for e in error.errors()
            ]
    if problems:
        raise WaiverError(path, problems)
    return tuple(entries)


def _data(path: Path) -> Any:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise WaiverError(path, [error.strerror or str(error)], "Give the path of a file.") from error
    if path.suffix == ".json":
        try:
            return json.loads(text)
        except ValueError as error:
            raise WaiverError(path, [str(error)]) from error
    try:
        import tomllib
    except ModuleNotFoundError:  # Python 3.10
        raise WaiverError(
            path, ["this Python cannot read TOML"],
            "Use Python 3.11 or newer, or write the same as JSON: {\"waiver\": [{\"id\": ..., ...}]} in a .json file.",
        ) from None
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise WaiverError(path, [str(error)]) from error


def _bounds(versions: str) -> list[tuple[str, str]]:
    if not versions.strip():
        return []
    found = [_BOUND.fullmatch(part) for part in versions.split(",")]
    if None in found:
        raise ValueError("a range of versions has comparisons with commas between them, such as '>=1.2,<2'")
    return [(match[1], match[2]) for match in found if match is not None]


def _key(version: str) -> tuple[tuple[int, ...], int]:
    """The sort key of versions: their numbers; pre-releases, which have letters, come before the release."""
    found = re.match(r"\d+(?:\.\d+)*", version)
    numbers = [int(part) for part in found[0].split(".")] if found else []
    while numbers and numbers[-1] == 0:
        numbers.pop()
    rest = version[found.end():] if found else version
    is_before = re.match(r"[.-]?(a|b|c|rc|dev|alpha|beta|pre)", rest) is not None
    return tuple(numbers), -1 if is_before else 0


def _holds(sign: str, version: object, bound: object) -> bool:
    left: Any = version
    return {
        ">=": left >= bound, "<=": left <= bound, "==": left == bound, "!=": left != bound,
        ">": left > bound, "<": left < bound,
    }[sign]
