# SPDX-License-Identifier: Apache-2.0
"""How long the processes of a job wait for each other; `docs/limits.md` has all limits in one table."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from olympus_core.config import config

_MOST_HEARTBEATS = 2000.0  # that the coordinator hears in a second: beyond 1,000 processes they come less often


@dataclass(frozen=True, slots=True)
class ClusterSettings:
    """Times in seconds; a time-out is the option ``olympus_`` and its name.

    Args:
        heartbeat_period: How often each process says that it lives.
        heartbeat_timeout: Without a byte or an acknowledgement for so long, a process is lost.
        stopped_timeout: How long a process may be stopped by a signal.
        late_timeout: How long to wait for a process that lives.
        deadlock_timeout: How long processes that wait for each other wait.
        redial_timeout: Silence after which a process makes its connection to the coordinator anew.
        reconnect_timeout: How long a broken connection may take to be made anew.
        shutdown_timeout: How long an orderly shutdown waits for the others.
        linger_timeout: How long process 0, its program ended, serves the others that still work.
        warning_times: When those that wait, and who is late, are warned.
    """

    heartbeat_period: float = 0.5
    heartbeat_timeout: float = 60.0
    stopped_timeout: float = 300.0
    late_timeout: float = 1800.0
    deadlock_timeout: float = 7.0
    redial_timeout: float = 4.0
    reconnect_timeout: float = 40.0
    shutdown_timeout: float = 300.0
    linger_timeout: float = 86400.0
    warning_times: tuple[float, ...] = (10.0, 60.0, 300.0)

    def of_job(self, count: int) -> ClusterSettings:
        """The same for a job of so many processes: the coordinator hears a limited number of heartbeats a second."""
        return replace(self, heartbeat_period=max(self.heartbeat_period, count / _MOST_HEARTBEATS))

    @classmethod
    def from_config(cls) -> ClusterSettings:
        """The times that the options say."""
        names = [field.name for field in fields(cls) if field.name.endswith("_timeout")]
        return cls(**{name: getattr(config, name) for name in names})
