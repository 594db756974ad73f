# SPDX-License-Identifier: Apache-2.0
"""Memory growth: by the platform's statistics and by the process's resident memory."""

from __future__ import annotations

import ctypes
import gc
import os
from collections.abc import Callable

from .checks import require
from .context import Context

_WARM_UP = 3
_SHARE = 8  # the share of the allocated memory that may remain
_SLACK = 24 << 20  # bytes that the system's allocator may keep


def require_no_growth(
    context: Context, iteration: Callable[[int], None], *, iterations: int, nbytes: int, what: str
) -> None:
    """Fails if memory grows by a share of the memory that iterations use.

    Args:
        context: The check's context.
        iteration: Uses memory and frees it; takes the number of the iteration.
        iterations: Number of calls.
        nbytes: Approximate memory that one iteration uses.
        what: What uses it, for messages.
    """
    for i in range(_WARM_UP):
        iteration(i)
    before = _in_use(context)
    for i in range(iterations):
        iteration(i)
    after = _in_use(context)
    allowed = nbytes * iterations // _SHARE + _SLACK
    for where, figure in after.items():
        grown = figure - before.get(where, figure)
        require(
            grown <= allowed,
            observed=f"{where} grew by {grown >> 20} MiB while {nbytes * iterations >> 20} MiB of {what} came and went",
            required=f"at most {allowed >> 20} MiB more: what nobody holds is used again or given back",
        )


def _trim() -> None:
    """Makes the C library return free memory to the system, which would otherwise hide leaks."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (OSError, AttributeError, TypeError):  # other C libraries have no such function
        pass


def _in_use(context: Context) -> dict[str, int]:
    """Bytes in use by source: each device, and the process where the system reports it."""
    context.client.synchronize()
    gc.collect()
    _trim()
    found = {}
    for device in context.devices:
        figure = context.client.memory_stats(device).get("bytes_in_use")
        if figure is not None:
            found[f"bytes_in_use of {device}"] = int(figure)
    try:
        with open("/proc/self/statm") as file:
            found["the process"] = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # only some systems report it
        pass
    return found
