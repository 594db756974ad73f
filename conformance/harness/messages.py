"""What controller and workers say to each other: plain data, sent as JSON by those who know the run's key.

Each worker has two connections: one for what it is told to do, read by its main thread, and one for the job's
rendezvous, read by a thread of its own, so that news arrive while a test runs or hangs.
"""

from __future__ import annotations

from dataclasses import dataclass

from olympus_core.plugin import Capabilities

from ..outcome import Outcome

ADDRESS = "OLYMPUS_CONFORMANCE_ADDRESS"  # host:port of the controller
KEY = "OLYMPUS_CONFORMANCE_KEY"  # what both sides must know, in hexadecimal
JOB = "OLYMPUS_CONFORMANCE_JOB"  # the job that a worker was started for


@dataclass(frozen=True, slots=True)
class Hello:
    """A worker's first words, on each of its connections; the second one comes once it knows its index."""

    job: str
    pid: int
    machine: str
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Welcome:
    """Who a worker is, and what it is to open."""

    index: int
    count: int
    job: str
    machines: tuple[str, ...]
    platform: str
    devices: int
    timeout_factor: float
    stacks: str  # the file for the stacks of a process that no longer lets Python run


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
    """Run a test, which hangs if it takes longer; `module` is where its check is."""

    id: str
    module: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a test in one process."""

    outcome: Outcome
    is_consequence: bool


@dataclass(frozen=True, slots=True)
class Ready:
    """Whether the process can be used for a next test."""

    is_healthy: bool


@dataclass(frozen=True, slots=True)
class Close:
    """Close the platform."""


@dataclass(frozen=True, slots=True)
class Closed:
    """The platform is closed; what was wrong with that, or nothing."""

    problem: str


@dataclass(frozen=True, slots=True)
class Exit:
    """End: everybody has closed."""


@dataclass(frozen=True, slots=True)
class Meet:
    """A process comes to a meeting; `number` is its own count of meetings."""

    number: int
    label: str
    processes: tuple[int, ...]
    value: bytes


@dataclass(frozen=True, slots=True)
class Withdraw:
    """A process no longer waits for a meeting; the answer says who had not come."""

    number: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What everybody brought, by process; None when somebody is missing, or the label is in use."""

    number: int
    values: dict[int, bytes] | None
    missing: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Abort:
    """A process gives the job up."""

    reason: str


@dataclass(frozen=True, slots=True)
class Failure:
    """The job has failed, and who is to blame: ``lost``, ``aborted``."""

    kind: str
    process: int
    detail: str


@dataclass(frozen=True, slots=True)
class Dump:
    """Say where all threads are."""


@dataclass(frozen=True, slots=True)
class Stacks:
    """Where all threads of a process are."""

    text: str
