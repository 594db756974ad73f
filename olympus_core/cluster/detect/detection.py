# SPDX-License-Identifier: Apache-2.0
"""What a detection method finds."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from olympus_core.config import config
from olympus_core.network.ports import ranges

_MOST_PORTS = 16  # that are looked through before the first one's turn comes again


@dataclass(frozen=True, slots=True)
class Detection:
    """A launcher that was recognised.

    Args:
        name: Name of the method.
        coordinator_address: ``host:port`` of process 0, where the launcher tells it.
        process_id: This process's index.
        num_processes: Number of processes.
        local_index: This process's index among those of its machine.
        evidence: One line for each method: used, or not used because.
        is_mpi: Whether MPI can tell the others where process 0 is.
        other_address: Where process 0 is if MPI is not there to tell.
        job: The job's name, the same in all of its processes and in no other job's that may run beside it.
        ports: Where the launcher tells the machine only: the ports, the address's first, at which process 0 tries to
            listen and the others look for it, in this order.
    """

    name: str
    coordinator_address: str | None = None
    process_id: int | None = None
    num_processes: int | None = None
    local_index: int | None = None
    evidence: tuple[str, ...] = ()
    is_mpi: bool = False
    other_address: str | None = None
    job: str | None = None
    ports: tuple[int, ...] = ()


class Finding(NamedTuple):
    """What one method says.

    Args:
        detection: The launcher; where a part is missing, what is known of it.
        reason: Why it was found or not.
        is_partial: Whether variables are there that cannot be used as they are.
        fix: What to do then.
    """

    detection: Detection | None
    reason: str
    is_partial: bool = False
    fix: str = ""


Method = Callable[[Mapping[str, str]], Finding]


def integer(environ: Mapping[str, str], name: str) -> int | None:
    """A variable as a number that is not negative; None if it is absent or is none."""
    text = environ.get(name, "").strip()
    return int(text) if text.isascii() and text.isdigit() else None


def show(environ: Mapping[str, str], *names: str) -> str:
    """The variables that are set, as evidence."""
    return " ".join(f"{name}={environ[name]}" for name in names if name in environ)


def listed(names: Sequence[str]) -> str:
    """Names in a sentence."""
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


def job_name(*parts: str) -> str:
    """A name made of what tells jobs apart; it becomes part of file names."""
    return re.sub(r"[^A-Za-z0-9_-]", "-", "-".join(parts))[:48]


def job_ports(job: str, first: int, count: int) -> tuple[int, ...]:
    """The ports at which a job's coordinator may be, in the order in which all processes go through them.

    Each job begins at another one: those of a machine seldom meet, and who meets another job goes on to the next port.

    Args:
        job: The job's name.
        first: The first of the ports where the user allows any.
        count: Their number.
    """
    allowed = [range(low, high + 1) for low, high in ranges(config.ports)] if config.ports else None
    ports = list(chain(*(allowed or [range(first, first + count)])))
    start = zlib.crc32(job.encode()) % len(ports)
    return tuple(ports[(start + step) % len(ports)] for step in range(min(_MOST_PORTS, len(ports))))
