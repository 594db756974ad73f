# SPDX-License-Identifier: Apache-2.0
"""What a process says of itself when it joins."""

from __future__ import annotations

import os
import platform
from dataclasses import asdict, dataclass, field
from typing import Any

from .machine import machine_identity, process_space


@dataclass(frozen=True, slots=True)
class Member:
    """One process of the job.

    Args:
        process: The index that it claims.
        count: The number of processes that it expects.
        job: The job's name that its launcher gave; None without one.
        pid: Its process identifier.
        machine: Identity of its machine; equal means that shared memory works.
        space: Where the process identifier is valid.
        name: Its machine's name, for messages.
    """

    process: int
    count: int
    job: str | None = None
    pid: int = field(default_factory=os.getpid)
    machine: str = field(default_factory=machine_identity)
    space: str = field(default_factory=process_space)
    name: str = field(default_factory=platform.node)

    def to_message(self) -> dict[str, Any]:
        """As it goes over the wire."""
        return asdict(self)

    @classmethod
    def from_message(cls, message: dict[str, Any]) -> Member:
        """From the wire, where the table of messages has said what may be in it."""
        return cls(**message)

    def describe(self) -> str:
        """In words, for errors."""
        return f"pid {self.pid} on {self.name}"

    def is_visible_here(self) -> bool:
        """Whether this machine's process table shows it."""
        return bool(self.space) and self.space == process_space()
