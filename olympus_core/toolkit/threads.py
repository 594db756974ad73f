# SPDX-License-Identifier: Apache-2.0
"""Threads that start, or an error that says why not and leaves nothing half-started."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from olympus_core.errors import ThreadStartError

__all__ = ["start_thread"]


def start_thread(
    target: Callable[..., object], name: str, purpose: str, *arguments: object, daemon: bool = True
) -> threading.Thread:
    """Starts a thread.

    Args:
        target: What it runs.
        name: The thread's name.
        purpose: What it is for, for the error.
        *arguments: What `target` is given.
        daemon: Whether the end of the process does not wait for it.

    Returns:
        The thread, which runs.

    Raises:
        ThreadStartError: The system starts no more.

    Example:
        >>> found = []
        >>> start_thread(found.append, "finder", "finding a number", 5).join()
        >>> found
        [5]
    """
    thread = threading.Thread(target=target, name=name, args=arguments, daemon=daemon)
    try:
        thread.start()
    except (RuntimeError, MemoryError) as error:
        raise ThreadStartError(name, purpose, _running(), _limit()) from error
    return thread


def _running() -> int | None:
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:  # no Linux
        return None


def _limit() -> int | None:
    try:
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_NPROC)
    except (ImportError, AttributeError, OSError):
        return None
    return None if soft == resource.RLIM_INFINITY else soft
