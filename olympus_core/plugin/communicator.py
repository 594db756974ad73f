# SPDX-License-Identifier: Apache-2.0
"""Communication between the devices of a group, of one process or of several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from olympus_core.dataclass import public_dataclass
from olympus_core.placement import Device
from olympus_core.program import Reduction

from .buffer import Buffer


@public_dataclass(frozen=True, slots=True)
class Group:
    """The devices that take part, in the order that every member agrees on.

    Args:
        devices: The members; those with `is_addressable` are this process's own.
    """

    devices: tuple[Device, ...]

    @property
    def processes(self) -> tuple[int, ...]:
        """Indices of the processes that own members, ascending."""
        return tuple(sorted({d.process_index for d in self.devices}))

    @property
    def local_positions(self) -> tuple[int, ...]:
        """Positions of this process's members."""
        return tuple(i for i, d in enumerate(self.devices) if d.is_addressable)


class Rendezvous(Protocol):
    """What the processes of a job give a plugin to find each other; small messages only.

    Every wait ends: by the answer, by its deadline, or by the failure of a process, which raises the
    error that names it.
    """

    @property
    def process_index(self) -> int:
        """This process's index."""

    @property
    def process_count(self) -> int:
        """Number of processes."""

    @property
    def job(self) -> str:
        """Unique for each run of the job; safe in names of files and segments."""

    @property
    def hosts(self) -> Sequence[str]:
        """For each process an identity of its machine: equal means that shared memory works."""

    def exchange(
        self, label: str, value: bytes, processes: Sequence[int] | None = None, timeout: float | None = None
    ) -> list[bytes]:
        """Every process gives a value and gets everybody's, in the order of `processes` (all when None).

        `label` names the meeting: the same in all its members, and not used for another one at the same
        time. It doubles as a barrier.
        """

    def key(self, purpose: str) -> bytes:
        """32 bytes that are equal in all processes of this run of the job, and that nobody else can know.

        Args:
            purpose: What the key is for; another purpose, or another run, has another key.
        """

    def check(self) -> None:
        """Raises the job's error once a process has failed; costs less than a microsecond."""

    def moved(self, count: int) -> None:
        """Says that a transport has moved so many bytes to or from another process.

        It is an addition, so a transport may call it for each piece. What moves is shown to those that wait, and is no
        deadlock and not late.
        """

    def abort(self, reason: str) -> None:
        """Tells every process that the job has failed; their next `check` raises."""


class Pending(Protocol):
    """A communication under way."""

    def is_done(self) -> bool:
        """Whether `result` would return at once."""

    def result(self, deadline: float) -> list[Buffer]:
        """Waits, then gives one buffer for each local member (empty where it receives nothing).

        Args:
            deadline: ``time.monotonic()`` at which to give up with `TimeoutError`; one may ask again after that.
        """


class Communicator(Protocol):
    """Collectives over a `Group`.

    All methods are called by every process of the group in the same order, take one buffer for each local
    member in the group's order, return without waiting, and may be used from one thread at a time.
    Several may be under way, paired in the order in which they were begun; results may be asked for in another.
    Inputs stay as they are, are waited for where they are not ready, and may be deleted once the result is there.
    Validation, numbering and the wording of errors are the runtime's.
    """

    group: Group

    def all_reduce(self, inputs: Sequence[Buffer], reduction: Reduction) -> Pending:
        """Every member gets the reduction of all members' buffers, the same bits for all.

        A NaN of any member carries into all but ``and`` and ``or``; integers wrap around.
        """

    def all_gather(self, inputs: Sequence[Buffer], dimension: int) -> Pending:
        """Every member gets all members' buffers, concatenated along `dimension` in the group's order."""

    def reduce_scatter(self, inputs: Sequence[Buffer], dimension: int, reduction: Reduction) -> Pending:
        """Member i gets part i, along `dimension`, of the reduction of all members' buffers."""

    def all_to_all(self, inputs: Sequence[Buffer], split_dimension: int, concat_dimension: int) -> Pending:
        """Member i gets part i of every member's buffer, concatenated in the group's order."""

    def permute(self, inputs: Sequence[Buffer], pairs: Sequence[tuple[int, int]]) -> Pending:
        """For each (source, target) pair of positions the target gets the source's buffer, others zeros.

        No position is a source twice or a target twice.
        """

    def broadcast(self, inputs: Sequence[Buffer], source: int) -> Pending:
        """Every member gets the buffer of the member at position `source`."""

    def exchange(self, sends: Sequence[Transfer], receives: Sequence[Transfer]) -> Pending:
        """Moves single buffers between members, any number each; results are in the order of `receives`.

        Both sides list the transfers between two members in the same order.
        """

    def barrier(self) -> Pending:
        """Done when every process of the group has called it."""

    def abort(self, reason: str) -> None:
        """Ends what is under way, locally, with an error (no `TimeoutError`); never waits. Only `close` follows."""

    def close(self) -> None:
        """Gives back what the communicator holds; called by all processes in the same order."""


@public_dataclass(frozen=True, slots=True)
class Transfer:
    """One buffer on its way from a member to another.

    Args:
        source: Position of the sender in the group.
        target: Position of the receiver.
        buffer: What is sent; None on the receiving side.
        shape: Sizes of the buffer.
        dtype: Type of its elements.
    """

    source: int
    target: int
    buffer: Buffer | None
    shape: tuple[int, ...]
    dtype: Any


class Links(Protocol):
    """How an executable reaches other devices: made by the runtime, handed to `Client.compile`."""

    def communicator(self, devices: tuple[Device, ...]) -> Communicator:
        """The communicator of these devices; numbered, recorded, and with deadlines and errors worded."""

    def wait(self, pending: Pending, label: str) -> list[Buffer]:
        """Waits for a communication under the job's deadline; raises an error that names who is missing."""
