"""The job's failure: a fact that travels, and the error that each process makes of it."""

from __future__ import annotations

from typing import Any

from olympus_core import errors

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
    return _CLASSES[facts.pop("kind")](**facts)
