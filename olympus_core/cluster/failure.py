# SPDX-License-Identifier: Apache-2.0
"""The job's failure: a fact that travels, and the error that each process makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from olympus_core import errors
from olympus_core.errors.cluster import Standing, spell

from .groups import unspell
from .schema import MOST_PROCESSES, MOST_STANDINGS

# What travels: {"kind": one of these, and the arguments of the error's class}.
_CLASSES: dict[str, type[errors.ClusterError]] = {
    "lost": errors.ProcessLostError,
    "aborted": errors.JobAbortedError,
    "timeout": errors.CollectiveTimeoutError,
    "divergence": errors.DivergenceError,
    "join-timeout": errors.JoinTimeoutError,
    "duplicate": errors.DuplicateProcessError,
    "size": errors.SizeMismatchError,
    "stranger": errors.StrangerError,
    # These two are a process's own and do not travel.
    "forked": errors.ForkedProcessError,
    "closed": errors.ShutdownError,
}

WITH_STANDINGS = frozenset({"lost", "aborted", "timeout"})

Failure = dict[str, Any]


def failure(kind: str, **facts: Any) -> Failure:
    """A failure as it travels."""
    return {"kind": kind, **facts}


def error_of(fact: Failure) -> errors.ClusterError:
    """A new error for a failure."""
    facts = dict(fact)
    if "standings" in facts:
        facts["standings"] = expand(facts["standings"])
    if facts["kind"] == "timeout":
        facts["missing"], facts["deadlocked"] = unspell(facts["missing"]), unspell(facts.get("deadlocked", ""))
    return _CLASSES[facts.pop("kind")](**facts)


def compress(standings: Iterable[Standing]) -> list[Sequence[Any]]:
    """Standings as they travel: processes that stand at the same place together, so that a failure is short."""
    places: dict[tuple[int, str, str], list[Standing]] = {}
    for standing in standings:
        places.setdefault(standing[1:4], []).append(standing)
    groups: list[Sequence[Any]] = [
        (spell(s.process for s in there), *place, max(s.seconds for s in there))
        for place, there in places.items()
    ]
    return groups[:MOST_STANDINGS]


def expand(groups: Iterable[Sequence[Any]]) -> list[Standing]:
    """The standings of each process."""
    found: dict[int, Standing] = {}
    for group, *place in groups:
        if len(found) < MOST_PROCESSES:
            found.update((process, Standing(process, *place)) for process in unspell(group))
    return [found[process] for process in sorted(found)]
