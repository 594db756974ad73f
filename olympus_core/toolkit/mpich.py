# SPDX-License-Identifier: Apache-2.0
"""MPICH's start: what it is told, the shared memory that it takes, and the names that it leaves behind."""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from olympus_core.errors.platform import SharedMemoryError

FOLDER = "/dev/shm"
_PREFIX = "mpich_shm_"
_SEGMENT_BYTES = 1 << 20  # of each process, and a little more; MPICH does not see whether they are there
_MARGIN = 1.15
_AGE = 600.0  # seconds after which no start can still be under way
_SETTINGS = {
    # A waiting process gives its core away soon: there may be more processes than cores.
    "MPIR_CVAR_POLLS_BEFORE_YIELD": "100",
    # Within a machine MPICH has memory of its own; UCX would take 4.3 MiB more for each process, and ask it in vain.
    "UCX_TLS": "^posix,sysv,xpmem,cma",
}


@contextmanager
def settings(variables: Mapping[str, str | None] | None = None) -> Iterator[None]:
    """Environment variables for as long as MPI reads them; children must not inherit them.

    Args:
        variables: More of them; None takes one away.
    """
    # What the user says of how MPI works stands.
    chosen: dict[str, str | None] = {name: text for name, text in _SETTINGS.items() if name not in os.environ}
    chosen.update(variables or {})
    before = {name: os.environ.get(name) for name in chosen}
    try:
        _set_all(chosen)
        yield
    finally:
        _set_all(before)


def _set_all(values: Mapping[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def room_needed(processes: int) -> int:
    """Bytes that MPICH touches at its start, for so many processes of a machine; without them it ends by SIGBUS."""
    return int((processes + 1) * _SEGMENT_BYTES * _MARGIN)


def room() -> int | None:
    """Bytes that are free where MPICH takes its memory; None where the system does not tell."""
    try:
        found = os.statvfs(FOLDER)
    except OSError:
        return None
    return found.f_bavail * found.f_frsize


def has_room(processes: int) -> bool:
    """Whether MPICH can start here, with so many processes of this machine."""
    free = room()
    return free is None or free >= room_needed(processes)


def check_room(processes: int) -> None:
    """Raises `SharedMemoryError` where there is too little of it for so many processes of this machine."""
    if not has_room(processes):
        raise SharedMemoryError(FOLDER, room_needed(processes), "MPI takes them at its start, and there are fewer")


def unlink_segments() -> None:
    """Takes the names of this process's segments away once all have them: a killed job then leaves nothing."""
    for name in _mapped(Path("/proc/self")):
        with suppress(OSError):
            os.unlink(os.path.join(FOLDER, name))


def remove_leftovers() -> None:
    """Takes away the names that killed processes of this user have left.

    Those of a start that goes on elsewhere stay: what is young, and what a process has that can be seen from here.
    """
    old = {entry.name for entry in _segments() if _is_old(entry)}
    if not old:
        return
    for process in Path("/proc").glob("[0-9]*"):
        old -= _mapped(process)
    for name in old:
        with suppress(OSError):
            os.unlink(os.path.join(FOLDER, name))


def _segments() -> Iterator[os.DirEntry[str]]:
    with suppress(OSError), os.scandir(FOLDER) as entries:
        yield from (entry for entry in entries if entry.name.startswith(_PREFIX))


def _is_old(entry: os.DirEntry[str]) -> bool:
    try:
        found = entry.stat(follow_symlinks=False)
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid() and time.time() - found.st_ctime > _AGE


def _mapped(process: Path) -> set[str]:
    """Names of the segments that a process has mapped, as far as it may be looked at."""
    try:
        text = (process / "maps").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return set()
    return set(re.findall(rf"{FOLDER}/({_PREFIX}\S+)", text))
