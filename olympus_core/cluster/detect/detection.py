"""What a detection method finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple


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
    """

    name: str
    coordinator_address: str | None = None
    process_id: int | None = None
    num_processes: int | None = None
    local_index: int | None = None
    evidence: tuple[str, ...] = ()
    is_mpi: bool = False


class Finding(NamedTuple):
    """What one method says: a detection or none, and why."""

    detection: Detection | None
    reason: str
    is_partial: bool = False


Method = Callable[[Mapping[str, str]], Finding]


def integer(environ: Mapping[str, str], name: str) -> int | None:
    """A variable as a number that is not negative; None if it is absent or is none."""
    text = environ.get(name, "").strip()
    return int(text) if text.isascii() and text.isdigit() else None


def show(environ: Mapping[str, str], *names: str) -> str:
    """The variables that are set, as evidence."""
    return " ".join(f"{name}={environ[name]}" for name in names if name in environ)
