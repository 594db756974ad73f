"""Errors of the cluster: joining a job, losing a process, waiting in vain, differing programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from .base import OlympusError

__all__ = [
    "AddressInUseError",
    "AlreadyInitializedError",
    "AuthenticationError",
    "ClusterError",
    "CollectiveTimeoutError",
    "CoordinatorAddressError",
    "DivergenceError",
    "DuplicateProcessError",
    "ForkedProcessError",
    "IncompleteClusterError",
    "InitializedTooLateError",
    "JobAbortedError",
    "JoinTimeoutError",
    "LauncherMismatchError",
    "MessageSizeError",
    "NotACoordinatorError",
    "ProcessLostError",
    "ReceivedError",
    "SecretError",
    "ShutdownError",
    "SizeMismatchError",
    "Standing",
    "StrangerError",
    "TlsError",
    "TlsFileError",
    "UnknownDetectionMethodError",
    "ValuesDifferError",
]


class Standing(NamedTuple):
    """Where one process stood when somebody asked.

    Args:
        process: Its index.
        position: Number of its last process-spanning launch, 0 before the first.
        text: The launch in words, such as ``#21 all_reduce at train.py:33``.
        state: ``idle``, ``busy``, ``slow: `` and at what, ``silent``, ``stopped``, ``left`` or ``lost``.
        idle: Seconds since it last used its processor noticeably.
    """

    process: int
    position: int
    text: str
    state: str
    idle: float = 0.0


def spell(processes: Iterable[int]) -> str:
    """Process indices as people write them: ``0-3, 7``."""
    ordered = sorted(set(processes))
    runs: list[list[int]] = []
    for process in ordered:
        if runs and process == runs[-1][1] + 1:
            runs[-1][1] = process
        else:
            runs.append([process, process])
    parts = []
    for first, last in runs:
        if last - first >= 2:
            parts.append(f"{first}-{last}")
        else:
            parts.extend(str(p) for p in range(first, last + 1))
    return ", ".join(parts)


def describe_standings(standings: Iterable[Sequence[Any]]) -> str | None:
    """Where each process stood, those at the same place together."""
    places: dict[str, list[int]] = {}
    for entry in standings:
        standing = Standing(*entry)
        place = standing.text or ("before its first launch" if not standing.position else f"#{standing.position}")
        # What is known of a process that does not answer is as old as its last heartbeat.
        when = ", as of its last heartbeat" if standing.state in ("lost", "silent", "stopped", "busy, silent") else ""
        places.setdefault(f"{place} ({standing.state}{when})", []).append(standing.process)
    if not places:
        return None
    return "; ".join(
        f"process{'es' if len(members) > 1 else ''} {spell(members)}: {place}" for place, members in places.items()
    )


class ClusterError(OlympusError):
    """Base of the errors between processes."""


class CoordinatorAddressError(ClusterError, ValueError):
    """A coordinator address that cannot be read.

    Args:
        address: What was given.
        reason: What is wrong with it.
    """

    def __init__(self, address: object, reason: str) -> None:
        self.address, self.reason = address, reason
        super().__init__(
            f"The coordinator's address cannot be used: {reason}.",
            given=repr(address),
            expected="host:port, such as 'localhost:10000', '10.0.0.3:8476' or '[::1]:8476'",
            fix="Pass the name or IP address and a port of the machine that runs process 0.",
        )


class IncompleteClusterError(ClusterError, ValueError):
    """Some, but not all, of what a process needs to join is known.

    Args:
        known: What is known, by name.
        missing: Names of what is not.
        evidence: What the detection saw, one line for each method.
    """

    def __init__(self, known: Mapping[str, object], missing: Sequence[str], evidence: Sequence[str] = ()) -> None:
        self.known, self.missing, self.evidence = dict(known), tuple(missing), tuple(evidence)
        given = ", ".join(f"{name}={value!r}" for name, value in self.known.items()) or "nothing"
        if evidence:
            given += "\n    detection: " + "\n    detection: ".join(evidence)
        super().__init__(
            f"Cannot join a job: {', '.join(self.missing)} not known.",
            given=given,
            expected="coordinator_address, num_processes and process_id together, or a launcher that is recognised",
            fix="Pass the missing arguments, or start the program with `olympus launch -n N`.",
        )


class UnknownDetectionMethodError(ClusterError, ValueError):
    """A detection method that does not exist.

    Args:
        method: What was asked for.
        methods: The methods there are.
        nearest: The most similar one, if any.
    """

    def __init__(self, method: str, methods: Sequence[str], nearest: str | None) -> None:
        self.method, self.methods, self.nearest = method, tuple(methods), nearest
        super().__init__(
            f"There is no detection method named {method!r}.",
            expected=", ".join(methods),
            fix=f"Did you mean {nearest!r}?" if nearest else "Leave detection_method out to try all of them.",
        )


class LauncherMismatchError(ClusterError, ValueError):
    """A launcher started several processes, but this one would run alone.

    Args:
        launcher: What was detected.
        launched: Number of processes it started.
        asked: The number the program asked for, or that MPI itself sees.
        evidence: What showed the launcher.
    """

    def __init__(self, launcher: str, launched: int, asked: int, evidence: str) -> None:
        self.launcher, self.launched, self.asked, self.evidence = launcher, launched, asked, evidence
        super().__init__(
            f"{launcher} started {launched} processes, but this program would run as {asked}: "
            f"{launched} independent copies of it.",
            given=evidence,
            expected=f"{launched} processes",
            fix="Leave num_processes out, or pass detection_method='none' if independent copies are wanted.",
        )


class AddressInUseError(ClusterError, OSError):
    """Process 0 cannot listen at the coordinator's address.

    Args:
        address: Where it wanted to listen.
        reason: The operating system's words.
        is_elsewhere: Whether the address is none of this machine's.
    """

    def __init__(self, address: str, reason: str, is_elsewhere: bool = False) -> None:
        self.address, self.reason, self.is_elsewhere = address, reason, is_elsewhere
        super().__init__(
            f"Process 0 cannot listen at {address}: {reason}.",
            expected="a free port on this machine: process 0 runs the coordinator there",
            fix="End the program that holds the port (an earlier run, perhaps), or give all processes another port.",
        )


class NotACoordinatorError(ClusterError, ConnectionError):
    """Something else than an olympus coordinator answers at the address.

    Args:
        address: The address dialled.
        answer: The first bytes it sent.
    """

    def __init__(self, address: str, answer: bytes) -> None:
        self.address, self.answer = address, answer
        super().__init__(
            f"What listens at {address} does not speak olympus.",
            given=f"it answered {answer!r}",
            expected="the coordinator in process 0 of this job",
            fix="Give all processes another port: this one belongs to another program.",
        )


class StrangerError(ClusterError, ConnectionError):
    """The coordinator at the address belongs to another job, or this process does.

    Args:
        address: The address dialled.
        process: This process's index.
        reason: What the coordinator said.
    """

    def __init__(self, address: str, process: int, reason: str) -> None:
        self.address, self.process, self.reason = address, process, reason
        super().__init__(
            f"The coordinator at {address} turned process {process} away: {reason}.",
            expected="the coordinator of the same run of the same job",
            fix="Choose another port for this job, or end the earlier one.",
        )


class AuthenticationError(ClusterError, ConnectionError):
    """This process and the coordinator do not know the same secret.

    Args:
        address: The address dialled.
        process: This process's index.
        source: Where this process has its secret from.
        reason: Which side does not accept the other.
    """

    def __init__(self, address: str, process: int, source: str, reason: str) -> None:
        self.address, self.process, self.source, self.reason = address, process, source, reason
        super().__init__(
            f"Process {process} and the coordinator at {address} do not know the same secret: {reason}.",
            given=f"this process has it from {source}",
            expected="the same secret in all processes of the job, and another job's coordinator not at this port",
            fix="Where machines do not share a home, copy that file to all of them, or name one in OLYMPUS_SECRET_FILE "
            "everywhere; if another job holds the port, choose another one.",
        )


class SecretError(ClusterError, PermissionError):
    """The job's secret cannot be had, or others could have it, too.

    Args:
        source: The file or the variable it should come from.
        reason: What is wrong.
        is_short: Whether it is there and too short.
    """

    def __init__(self, source: str, reason: str, *, is_short: bool = False) -> None:
        self.source, self.reason, self.is_short = source, reason, is_short
        super().__init__(
            f"The secret of the job's members cannot be used: {reason}.",
            given=source,
            expected="at least 32 random characters that only this user can read (mode 600), the same everywhere",
            fix="Look at who made it; then remove it (a new one is made), or chown and chmod 600 it, "
            "or name another file in OLYMPUS_SECRET_FILE in all processes.",
        )


class TlsError(ClusterError, ConnectionError):
    """The processes do not agree on a secure connection.

    Args:
        address: The address dialled; None before.
        reason: What is wrong.
    """

    def __init__(self, address: str | None, reason: str) -> None:
        self.address, self.reason = address, reason
        where = "TLS" if address is None else f"TLS with the coordinator at {address}"
        super().__init__(
            f"{where} does not come about: {reason}.",
            expected="OLYMPUS_TLS_CERT, OLYMPUS_TLS_KEY and OLYMPUS_TLS_CA in all processes or in none, "
            "and certificates that the same authority has signed",
            fix="Set all three in every process, and look at the certificates with `openssl verify -CAfile`.",
        )


class TlsFileError(ClusterError, OSError):
    """A file of TLS cannot be used.

    Args:
        path: The file.
        reason: What is wrong with it.
    """

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(
            f"{path} cannot be used for TLS: {reason}.",
            expected="PEM files: a certificate, its private key without a password, an authority's certificate",
            fix="Correct OLYMPUS_TLS_CERT, OLYMPUS_TLS_KEY and OLYMPUS_TLS_CA, or the files that they name.",
        )


class MessageSizeError(ClusterError, ValueError):
    """What processes are to tell each other is too much for a message.

    Args:
        label: The meeting.
        size: Bytes or characters of all members together.
        limit: How many there may be.
    """

    def __init__(self, label: str, size: int, limit: int) -> None:
        self.label, self.size, self.limit = label, size, limit
        super().__init__(
            f"Meeting {label[:80]!r} has {size} bytes, which is too much for messages.",
            expected=f"up to {limit} from all members together",
            fix="Send large values as arrays.",
        )


class JoinTimeoutError(ClusterError, TimeoutError):
    """Not all processes joined in time.

    Args:
        joined: How many did; None if this process never reached the coordinator.
        expected: How many should have.
        missing: Indices of those that did not.
        seconds: How long was waited.
        address: The coordinator's address.
        view: What this process saw: name look-up, connection.
        turned_away: Connections that the coordinator rejected meanwhile.
    """

    def __init__(
        self,
        *,
        joined: int | None,
        expected: int,
        missing: Sequence[int],
        seconds: float,
        address: str,
        view: str | None = None,
        turned_away: Sequence[str] = (),
    ) -> None:
        self.joined, self.expected, self.missing = joined, expected, tuple(missing)
        self.seconds, self.address, self.view, self.turned_away = seconds, address, view, tuple(turned_away)
        if joined is None:
            what = f"The coordinator at {address} was not reached in {seconds:.1f} s."
            fix = "Start process 0; check that the address is its machine's, and that no firewall closes the port."
        else:
            what = f"{joined}/{expected} processes joined after {seconds:.1f} s; missing {spell(missing)}."
            fix = f"See the output of process {spell(missing)}: not started, ended early, or cannot reach {address}."
        given = f"coordinator {address}" + (f"; {view}" if view else "")
        for line in self.turned_away:
            given += f"\n    turned away: {line}"
        super().__init__(what, given=given, expected=f"{expected} processes", fix=fix)


class DuplicateProcessError(ClusterError, ValueError):
    """Two processes have the same index.

    Args:
        process: The index.
        claims: Who said it, in words.
    """

    def __init__(self, process: int, claims: Sequence[str]) -> None:
        self.process, self.claims = process, tuple(claims)
        super().__init__(
            f"{len(self.claims)} processes say that they are process {process}.",
            given="; ".join(self.claims),
            expected="every process_id from 0 to num_processes - 1 exactly once",
            fix="Give each process its own process_id.",
        )


class SizeMismatchError(ClusterError, ValueError):
    """The processes disagree on how many they are, or an index is outside the number.

    Args:
        claims: Who said what: text by process index.
        reason: What does not fit.
    """

    def __init__(self, claims: Mapping[Any, str], reason: str) -> None:
        self.claims = {int(process): text for process, text in claims.items()}
        self.reason = reason
        super().__init__(
            f"The processes do not agree on their number: {reason}.",
            given="; ".join(f"process {process} says {text}" for process, text in self.claims.items()),
            expected="the same num_processes in every process, and process_id from 0 to num_processes - 1",
            fix="Start all processes with the same num_processes.",
        )


class AlreadyInitializedError(ClusterError, RuntimeError):
    """`initialize` was called again with other arguments.

    Args:
        first: The arguments in force.
        second: The arguments given now.
    """

    def __init__(self, first: object, second: object) -> None:
        self.first, self.second = first, second
        super().__init__(
            "initialize() was already called with other arguments.",
            given=second,
            expected=f"{first}, as in the first call",
            fix="Call initialize() once at the start of the program, or shutdown() first.",
        )


class InitializedTooLateError(ClusterError, RuntimeError):
    """`initialize` was called after a device had been used.

    Args:
        where: ``file:line`` that touched a device first.
        what: What it called there.
    """

    def __init__(self, where: str, what: str) -> None:
        self.where, self.what = where, what
        super().__init__(
            f"initialize() came too late: {what} at {where} has already opened this process's devices.",
            expected="initialize() before anything that uses a device",
            fix=f"Move initialize() above {where}.",
        )


class ProcessLostError(ClusterError, RuntimeError):
    """A process of the job is gone, and the job with it.

    Args:
        process: Its index.
        reason: ``killed``, ``raised``, ``stopped``, ``silent``, ``connection lost``, ``malformed`` or ``left``.
        detail: What was observed.
        standings: Where each process stood.
        waiting: Processes that waited for it, where that is the cause.
    """

    _WORDS: ClassVar[dict[str, str]] = {
        "killed": "was killed or crashed",
        "raised": "raised",
        "stopped": "is stopped",
        "silent": "has gone silent",
        "connection lost": "lost its connection",
        "malformed": "cannot be heard any more",
        "left": "left",
    }

    def __init__(
        self,
        process: int,
        reason: str,
        detail: str,
        standings: Sequence[Sequence[Any]] = (),
        waiting: Sequence[int] = (),
    ) -> None:
        self.process, self.reason, self.detail = process, reason, detail
        self.standings = tuple(Standing(*entry) for entry in standings)
        self.waiting = tuple(waiting)
        what = f"Process {process} {self._WORDS.get(reason, reason)}"
        what += f" {detail}" if reason == "raised" else f": {detail}"
        if reason == "left" and waiting:
            what += f"; still waiting for it: {spell(waiting)}"
        if reason == "raised" or reason == "left":
            fix = f"See the output of process {process}: the others only ended because of it."
        elif reason == "stopped":
            fix = f"Let process {process} run (kill -CONT), or end it, and start the job again."
        elif reason == "malformed":
            fix = f"Look whether process {process} runs another version of olympus, or something else in its place."
        else:
            fix = f"See the output of process {process} and its machine's log (out of memory?); start the job again."
        super().__init__(f"{what}.", given=describe_standings(self.standings), fix=fix)


class JobAbortedError(ClusterError, RuntimeError):
    """A process gave the job up.

    Args:
        process: Its index.
        reason: Why.
        standings: Where each process stood.
    """

    def __init__(self, process: int, reason: str, standings: Sequence[Sequence[Any]] = ()) -> None:
        self.process, self.reason = process, reason
        self.standings = tuple(Standing(*entry) for entry in standings)
        super().__init__(
            f"Process {process} ended the job: {reason}.",
            given=describe_standings(self.standings),
            fix=f"See the output of process {process}.",
        )


class CollectiveTimeoutError(ClusterError, TimeoutError):
    """A wait for other processes expired.

    Args:
        label: What was waited for.
        process: The process whose wait expired first.
        seconds: How long it waited.
        missing: Indices of the processes that have not come.
        standings: Where each process stood.
    """

    def __init__(
        self,
        label: str,
        process: int,
        seconds: float,
        missing: Sequence[int],
        standings: Sequence[Sequence[Any]] = (),
    ) -> None:
        self.label, self.process, self.seconds, self.missing = label, process, seconds, tuple(missing)
        self.standings = tuple(Standing(*entry) for entry in standings)
        who = "all have come, and nothing moves"
        if missing:
            several = len(set(missing)) > 1
            who = f"process{'es' if several else ''} {spell(missing)} {'have' if several else 'has'} not come"
        super().__init__(
            f"Process {process} waited {seconds:.1f} s in {label}: {who}.",
            given=describe_standings(self.standings),
            expected="every process launches the same operations in the same order",
            fix="Look for a launch that only some processes reach (under `if process_index() == 0`, say); "
            "if they are only slow, raise the timeout or declare the slow part.",
        )


class DivergenceError(ClusterError, RuntimeError):
    """Processes launched different things in the same place.

    Args:
        claims: What each process launched, in words with its source line: text by process index.
        place: Where in the order of launches.
        difference: The first difference, where known.
    """

    def __init__(self, claims: Mapping[Any, str], place: str, difference: str | None = None) -> None:
        self.claims = {int(process): text for process, text in claims.items()}
        self.place, self.difference = place, difference
        groups: dict[str, list[int]] = {}
        for process, text in self.claims.items():
            groups.setdefault(text, []).append(process)
        lines = [f"process{'es' if len(who) > 1 else ''} {spell(who)}: {text}" for text, who in groups.items()]
        if difference:
            lines.append(f"first difference: {difference}")
        super().__init__(
            f"The processes launched different things at {place}.",
            given="\n    ".join(["", *lines]),
            expected="the same program in every process",
            fix="Make the lines above the same in all processes: same operations, order, shapes and constants.",
        )


class ForkedProcessError(ClusterError, RuntimeError):
    """A forked child used its parent's connection.

    Args:
        parent: Process identifier of the parent.
    """

    def __init__(self, parent: int) -> None:
        self.parent = parent
        super().__init__(
            f"This is a forked child of process {parent}: the connection to the job belongs to the parent.",
            fix="Start helpers before initialize(), or with the 'spawn' method instead of fork.",
        )


class ShutdownError(ClusterError, RuntimeError):
    """The connection is closed, or could not be closed in order.

    Args:
        reason: What went wrong.
        missing: Processes that did not come to the end.
        standings: Where each process stood.
    """

    def __init__(self, reason: str, missing: Sequence[int] = (), standings: Sequence[Sequence[Any]] = ()) -> None:
        self.reason, self.missing = reason, tuple(missing)
        self.standings = tuple(Standing(*entry) for entry in standings)
        super().__init__(
            f"Shutdown: {reason}.",
            given=describe_standings(self.standings),
            fix="Call shutdown() once, last, in every process.",
        )


class ReceivedError(ClusterError, ValueError):
    """Another process sent what cannot be a message of this olympus.

    Args:
        what: What was awaited.
        process: Who sent it.
        problem: What is wrong with it, a clause.
        expected: What would be right.
    """

    def __init__(self, what: str, process: int, problem: str, expected: str) -> None:
        self.what, self.process, self.problem, self.expected = what, process, problem, expected
        super().__init__(
            f"What process {process} sent as {what} is not used: {problem}.", expected=expected,
            fix="Install the same release of olympus for all processes of the job.",
        )


class ValuesDifferError(ClusterError, AssertionError):
    """Values that were to be equal in all processes are not.

    Args:
        message: The caller's words.
        processes: The processes whose values differ from process 0's.
    """

    def __init__(self, message: str, processes: Sequence[int]) -> None:
        self.message, self.processes = message, tuple(processes)
        super().__init__(
            message or "Values differ between processes.", given=f"processes {spell(processes)} differ from process 0",
            expected="the same values in all processes",
            fix="Make them from the same seed or file, or send one process's with broadcast_one_to_all.",
        )
