# SPDX-License-Identifier: Apache-2.0
"""What a process says while it cannot reach the coordinator: it may only be late, and is waited for all the same."""

from __future__ import annotations

from olympus_core.logs import Log

from .addresses import Address, DialResult

_log = Log(__name__)
# Seconds without a connection after which it is said, and said again.
_MARKS = (10.0, 60.0, 300.0)


class DialWarnings:
    """Warnings of one process that dials.

    A refused connection and one that nothing answers are both what a process 0 looks like that has not started yet,
    or whose machine still boots: neither is an error before the join timeout (docs/decisions/0040).

    Args:
        address: The coordinator's.
        process: This process's index.
        timeout: Seconds for joining.
    """

    def __init__(self, address: Address, process: int, timeout: float) -> None:
        self._address, self._process, self._timeout = address, process, timeout
        self._due = list(_MARKS)

    def failed(self, result: DialResult, seconds: float) -> None:
        """Takes in an attempt that failed; warns if it is time.

        Args:
            result: What was seen.
            seconds: Since the first attempt.
        """
        if not self._due or seconds < self._due[0]:
            return
        while self._due and seconds >= self._due[0]:
            self._due.pop(0)
        _log.warning(
            "Process %d has not reached the coordinator at %s for %.0f s (%s; %s): %s. It goes on trying until %.0f s "
            "have passed (initialization_timeout). `olympus doctor --cluster`, run in all processes, shows who reaches "
            "whom.",
            self._process, self._address, seconds, result.names, result.outcome, explain(self._address, result),
            self._timeout,
        )


def explain(address: Address, result: DialResult) -> str:
    """What an attempt that failed may mean, and what to do.

    Args:
        address: The coordinator's.
        result: What was seen.
    """
    if result.problem == "unknown":
        return "the name is not known here; give process 0's IP address, or enter the name in DNS or /etc/hosts"
    if address.is_loopback or result.is_loopback:
        return "it is an address of this machine, and process 0 does not listen here; other machines need another one"
    if result.problem == "refused":
        return "its machine answers, and nothing listens there yet; process 0 has not started, or listens elsewhere"
    return f"nothing answers; its machine is not up, or a firewall drops what is sent to port {address.port}"
