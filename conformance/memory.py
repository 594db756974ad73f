"""Whether memory grows: what the platform says is in use, and what the process takes."""

from __future__ import annotations

import ctypes
import gc
import os
from collections.abc import Callable

from .checks import require
from .context import Context

_WARM_UP = 3
_SHARE = 8  # of what went through, the part that may still be there
_SLACK = 24 << 20  # what an allocator of the system may keep of its own


def require_no_growth(
    context: Context, iteration: Callable[[int], None], *, iterations: int, nbytes: int, what: str
) -> None:
    """Fails if memory grows by a part of what goes through it.

    Args:
        context: The check's.
        iteration: Uses memory and gives it back; takes the number of the iteration.
        iterations: How often it is called.
        nbytes: About how much memory one iteration uses.
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
    """Has the C library give back what it keeps for later: that would hide what is lost meanwhile."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (OSError, AttributeError, TypeError):  # other C libraries have no such function
        pass


def _in_use(context: Context) -> dict[str, int]:
    """Bytes in use by what measures it: each device, and the process where the system says it."""
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
    except OSError:  # only some systems tell
        pass
    return found
