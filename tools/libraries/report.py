# SPDX-License-Identifier: Apache-2.0
"""What the results of both sides say: how many of the tests that pass with JAX pass here, and which do not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from .run import Outcome

_TABLE = Path(__file__).with_name("exceptions.json")


@dataclass(frozen=True)
class Verdict:
    """A library's figures. ``unexplained`` has the tests that pass with JAX, fail here and stand in no table."""

    library: str
    peer_passed: int
    peer_failed: int
    passed: int
    explained: tuple[tuple[str, str], ...]
    unexplained: tuple[Outcome, ...]

    @property
    def share(self) -> float:
        """How many of the tests that pass with JAX pass here, of 1."""
        return self.passed / self.peer_passed if self.peer_passed else 1.0


def explanations(library: str) -> list[tuple[str, str]]:
    """The rows of a library in the table: a pattern of tests' names, and why they cannot pass here.

    Args:
        library: The library's name.
    """
    rows = json.loads(_TABLE.read_text(encoding="utf-8"))
    return [(row["test"], row["reason"]) for row in rows if row["library"] == library]


def verdict(library: str, peer: Sequence[Outcome], here: Sequence[Outcome]) -> Verdict:
    """Compares the sides.

    Args:
        library: The library's name.
        peer: The outcomes with JAX.
        here: The outcomes with olympus.
    """
    ours = {one.test: one for one in here}
    wanted = [one.test for one in peer if one.outcome == "passed"]
    rows = explanations(library)
    explained, unexplained, passed = [], [], 0
    for test in wanted:
        # Where its file cannot be imported, a test has no outcome.
        outcome = ours.get(test) or ours.get(test.partition("::")[0]) or Outcome(test, "failed", 0.0, "not found")
        if outcome.outcome in ("passed", "skipped"):
            passed += outcome.outcome == "passed"
            unexplained += [outcome] if outcome.outcome == "skipped" else []
            continue
        reason = next((reason for pattern, reason in rows if fnmatchcase(test, pattern)), None)
        if reason is None:
            unexplained.append(Outcome(test, outcome.outcome, outcome.seconds, outcome.message))
        else:
            explained.append((test, reason))
    failed = sum(one.outcome in ("failed", "ended") for one in peer)
    return Verdict(library, len(wanted), failed, passed, tuple(explained), tuple(unexplained))


def table(verdicts: Sequence[Verdict]) -> str:
    """The figures as a table of Markdown.

    Args:
        verdicts: One for each library.
    """
    lines = ["| library | pass with JAX | fail with JAX | of the first pass here | share | explained | not explained |",
             "|---|---|---|---|---|---|---|"]
    lines += [f"| {one.library} | {one.peer_passed} | {one.peer_failed} | {one.passed} | {100 * one.share:.1f} % "
              f"| {len(one.explained)} | {len(one.unexplained)} |" for one in verdicts]
    return "\n".join(lines) + "\n"


def told(one: Verdict) -> str:
    """The tests of a library that fail here, with the last line of what they say.

    Args:
        one: The library's figures.
    """
    lines = []
    for outcome in one.unexplained:
        said = outcome.message.strip().splitlines()
        lines.append(f"  {outcome.outcome} {outcome.test}: {said[-1][:160] if said else ''}\n")
    lines += [f"  explained {test}: {reason}\n" for test, reason in one.explained]
    return "".join(lines)
