# SPDX-License-Identifier: Apache-2.0
"""Guards that options set: of arrays that only Python's garbage collector finds, and of the thread that launches."""

from __future__ import annotations

import gc
import logging
import os
import sys
import threading
import weakref
from typing import Any

from .array import Array
from .launches import owners

_logger = logging.getLogger("olympus")
_levels: dict[int, str] = {}  # by thread: what its options say of arrays that the collector finds
_seen: list[tuple[weakref.ref[Array], str]] = []


def guard_collection(level: str | None) -> None:
    """Begins or ends, for this thread, to look at what the garbage collector does."""
    if level in (None, "allow"):
        _levels.pop(threading.get_ident(), None)
    else:
        _levels[threading.get_ident()] = str(level)
    if _levels and _look not in gc.callbacks:
        gc.callbacks.append(_look)
    elif not _levels and _look in gc.callbacks:
        gc.callbacks.remove(_look)


def _look(phase: str, info: dict[str, Any]) -> None:
    """What the collector calls before and after its work: arrays that are gone afterwards were part of a cycle."""
    if phase == "start":
        _seen[:] = [(weakref.ref(x), f"{x._signature.type} on {x.sharding}")
                    for generation in range(info["generation"] + 1)
                    for x in gc.get_objects(generation) if isinstance(x, Array) and not x.is_deleted()]
        return
    gone = [what for known, what in _seen if known() is None]
    _seen.clear()
    if not gone:
        return
    for what in gone:
        _logger.warning("olympus: an array was found by the garbage collector, since it was part of a cycle of "
                        "references, so that its memory was kept for longer than needed: %s", what)
    if "fatal" in _levels.values():
        sys.stderr.write("olympus: the guard of garbage collection ends the process (the option "
                         "olympus_array_garbage_collection_guard is 'fatal')\n")
        sys.stderr.flush()
        os.abort()


def guard_thread(is_on: bool) -> None:
    """Lets this thread alone launch work over several processes, or all threads."""
    owners[:] = [threading.get_ident()] if is_on else []
