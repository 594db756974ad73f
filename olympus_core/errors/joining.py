# SPDX-License-Identifier: Apache-2.0
"""Errors of joining a job: addresses, launchers, counts that differ, processes that do not come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .cluster import ClusterError, spell

__all__ = [
    "AddressInUseError",
    "AlreadyInitializedError",
    "CoordinatorAddressError",
    "DuplicateProcessError",
    "IncompleteClusterError",
    "InitializedTooLateError",
    "JoinTimeoutError",
    "LauncherMismatchError",
    "OpenFilesError",
    "SizeMismatchError",
    "UnknownDetectionMethodError",
    "IncompleteLauncherError",
]


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


class IncompleteLauncherError(IncompleteClusterError):
    """Variables of a launcher are here, but not all that a process needs to join, or no longer their launcher.

    Args:
        problems: For each launcher its name with what is missing, and what to do.
        known: What is known, by name.
        missing: Names of what is not.
        evidence: What the detection saw, one line for each method.
    """

    def __init__(self, problems: Sequence[tuple[str, str]], known: Mapping[str, object], missing: Sequence[str],
                 evidence: Sequence[str] = ()) -> None:
        self.problems = tuple(problems)
        self.known, self.missing, self.evidence = dict(known), tuple(missing), tuple(evidence)
        alone = "initialize(cluster_detection_method='none') or OLYMPUS_CLUSTER_DETECTION_METHOD=none"
        super(IncompleteClusterError, self).__init__(
            "A launcher seems to have started this process, but cannot be used: "
            f"{'; '.join(reason for reason, _ in self.problems)}.",
            given="detection: " + "\n    detection: ".join(self.evidence),
            expected=f"all variables of a launcher, or none; arguments may complete them: {', '.join(missing)}",
            fix=f"{' '.join(fix for _, fix in self.problems if fix)} To run this process alone: {alone}.",
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
            fix=f"Did you mean {nearest!r}?" if nearest else "Leave cluster_detection_method out to try all of them.",
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
            fix="Leave num_processes out, or pass cluster_detection_method='none' if independent copies are wanted.",
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


class JoinTimeoutError(ClusterError, TimeoutError):
    """Not all processes joined in time.

    Args:
        joined: How many did; None if this process never reached the coordinator.
        expected: How many should have.
        missing: Indices of those that did not.
        seconds: How long was waited.
        address: The coordinator's address.
        view: What this process saw: name look-up, connection.
        meaning: What that may mean.
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
        meaning: str | None = None,
        turned_away: Sequence[str] = (),
    ) -> None:
        self.joined, self.expected, self.missing = joined, expected, tuple(missing)
        self.seconds, self.address, self.view, self.turned_away = seconds, address, view, tuple(turned_away)
        self.meaning = meaning
        if joined is None:
            what = f"The coordinator at {address} was not reached in {seconds:.1f} s."
            fix = (
                "Start process 0; check that the address is its machine's, and that no firewall closes the port "
                "(`olympus doctor --cluster`); where it starts later, give initialize() more initialization_timeout."
            )
        else:
            what = f"{joined}/{expected} processes joined after {seconds:.1f} s; missing {spell(missing)}."
            fix = f"See the output of process {spell(missing)}: not started, ended early, or cannot reach {address}."
        given = f"coordinator {address}" + (f"; {view}" if view else "")
        given += f"\n    {meaning}" if meaning else ""
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


class OpenFilesError(ClusterError, OSError):
    """A process may not have as many files open as its part in the job needs.

    Args:
        what: What needs them.
        needed: How many it needs.
        limit: How many it may have.
    """

    def __init__(self, what: str, needed: int, limit: int) -> None:
        self.what, self.needed, self.limit = what, needed, limit
        super().__init__(
            f"{what[:1].upper()}{what[1:]} need {needed} open files, and this process may have {limit}.",
            given=f"a hard limit of {limit} (`ulimit -Hn`)",
            expected=f"{needed} or more",
            fix=f"Raise the limit before the job starts: `ulimit -n {needed}`, `docker run --ulimit nofile={needed}`, "
            f"`LimitNOFILE={needed}` of a service, or nofile in /etc/security/limits.conf.",
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
