# SPDX-License-Identifier: Apache-2.0
"""The messages between controller and workers: plain data, sent as JSON over authenticated connections.

Each worker has two connections: one for commands, read by its main thread, and one for the job's rendezvous, read by a
thread of its own, so that messages arrive while a test runs or hangs.
"""

from __future__ import annotations

from dataclasses import dataclass

from olympus_core.plugin import Capabilities

from ..outcome import Outcome

ADDRESS = "OLYMPUS_CONFORMANCE_ADDRESS"  # host:port of the controller
KEY = "OLYMPUS_CONFORMANCE_KEY"  # the shared secret, in hexadecimal
JOB = "OLYMPUS_CONFORMANCE_JOB"  # the job that a worker was started for


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message of a worker on each connection; on the second one it knows its index."""

    job: str
    pid: int
    machine: str
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Welcome:
    """The worker's index, and the platform that it is to open."""

    index: int
    count: int
    job: str
    machines: tuple[str, ...]
    platform: str
    devices: int
    timeout_factor: float
    stacks: str  # the file for the stacks of a process in which Python does not run any more


@dataclass(frozen=True, slots=True)
class Opened:
    """The platform is open."""

    platform: str
    distribution: str
    version: str
    api_version: tuple[int, int]
    devices: tuple[str, ...]
    kinds: tuple[str, ...]
    capabilities: Capabilities


@dataclass(frozen=True, slots=True)
class Refused:
    """The platform cannot be opened in this process."""

    reason: str
    trace: str
    is_consequence: bool  # of another process's failure


@dataclass(frozen=True, slots=True)
class Run:
    """Run a test within a time; `module` contains its check."""

    id: str
    module: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a test in one process."""

    outcome: Outcome
    is_consequence: bool


@dataclass(frozen=True, slots=True)
class Ready:
    """Whether the process can run another test."""

    is_healthy: bool


@dataclass(frozen=True, slots=True)
class Close:
    """Close the platform."""


@dataclass(frozen=True, slots=True)
class Closed:
    """The platform is closed; the problem, or an empty text."""

    problem: str


@dataclass(frozen=True, slots=True)
class Exit:
    """End the process: all processes have closed."""


@dataclass(frozen=True, slots=True)
class Meet:
    """A process arrives at a meeting; `number` counts its meetings."""

    number: int
    label: str
    processes: tuple[int, ...]
    value: bytes


@dataclass(frozen=True, slots=True)
class Withdraw:
    """A process stops waiting for a meeting; the answer names the missing processes."""

    number: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The values of all processes; None where some are missing or the label is in use."""

    number: int
    values: dict[int, bytes] | None
    missing: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Abort:
    """A process aborts the job."""

    reason: str


@dataclass(frozen=True, slots=True)
class Failure:
    """The job has failed, with its cause: ``lost`` or ``aborted``."""

    kind: str
    process: int
    detail: str


@dataclass(frozen=True, slots=True)
class Dump:
    """Report the stacks of all threads."""


@dataclass(frozen=True, slots=True)
class Stacks:
    """The stacks of all threads of a process."""

    text: str
