# SPDX-License-Identifier: Apache-2.0
"""The limit of open files: raised to what the connections of a job need, or told before anything waits for it."""

from __future__ import annotations

import os

from olympus_core.errors.joining import OpenFilesError

_SPARE = 384  # strangers' connections, connections made anew, and what the program itself opens


def allow_open_files(connections: int, what: str) -> None:
    """Raises this process's limit of open files (the soft one) where it is lower than what is needed.

    Args:
        connections: How many files the job may need at once.
        what: What needs them, for the error.

    Raises:
        OpenFilesError: If the system does not allow so many.

    Example:
        >>> allow_open_files(4, "the connections of 4 processes")
    """
    try:
        import resource
    except ImportError:  # no such limit here
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = connections + _open_now() + _SPARE
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return
    if hard != resource.RLIM_INFINITY and hard < needed:
        # What a program may open beside is a guess: a job fails here only where its own connections do not fit.
        needed -= _SPARE
        if hard < needed:
            raise OpenFilesError(what, needed + _SPARE, hard)
        needed = hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


def _open_now() -> int:
    try:
        return len(os.listdir("/proc/self/fd"))
    except OSError:
        return 64
