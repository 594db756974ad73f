# SPDX-License-Identifier: Apache-2.0
"""What this machine is, and what its processes do, as far as the operating system tells."""

from __future__ import annotations

import hashlib
import os
import platform
from typing import NamedTuple


def _boot() -> str:
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""


def machine_identity() -> str:
    """Equal in two processes exactly if they can share memory: same boot, same /dev/shm, same name."""
    try:
        shared = os.stat("/dev/shm")
        mount = f"{shared.st_dev}|{shared.st_ino}"
    except OSError:
        mount = "none"
    text = f"{_boot()}|{mount}|{platform.node()}"
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()[:16]


def process_space() -> str:
    """Equal and not empty in two processes exactly if a process identifier means the same in both."""
    try:
        return f"{_boot()}|{os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return ""


class ProcessState(NamedTuple):
    """A process as the kernel sees it.

    Args:
        letter: R running, S or D sleeping, T or t stopped, Z or X ended.
    """

    letter: str

    @property
    def ended(self) -> bool:
        """Whether it will never run again."""
        return self.letter in "ZX"

    @property
    def stopped(self) -> bool:
        """Whether a signal or a debugger holds it."""
        return self.letter in "Tt"


def process_state(pid: int) -> ProcessState | None:
    """The state of a process of this machine; None if there is none."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return ProcessState(file.read().rpartition(")")[2].split()[0])
    except (FileNotFoundError, ProcessLookupError, IndexError):
        return None
    except OSError:
        # It cannot be read (no file descriptor is left, say): that is no sign that the process has ended.
        return ProcessState("S")


def is_there(pid: int) -> bool:
    """Whether this machine has a process that may run again.

    Example:
        >>> is_there(os.getpid())
        True
    """
    state = process_state(pid)
    return state is not None and not state.ended


def start_time(pid: int) -> int | None:
    """When a process of this machine began, in the kernel's ticks: with its identifier it is known for good.

    None where there is no such process.
    """
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
        return None if fields[0] in "ZX" else int(fields[19])
    except (OSError, IndexError, ValueError):
        return None
