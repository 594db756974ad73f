"""How patient the processes of a job are with each other."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClusterSettings:
    """Times in seconds; the runtime fills them from the configuration.

    Args:
        heartbeat_period: How often each process says that it lives.
        heartbeat_timeout: Silence after which a process is lost.
        busy_silence_timeout: The same while the machine shows that the process computes (native code may keep
            its heartbeat from running).
        collective_timeout: How long to wait for processes that do nothing.
        busy_timeout: How long to wait for processes that compute, or have declared to be slow.
        shutdown_timeout: How long an orderly shutdown waits for the others.
        linger_timeout: How long process 0, its program ended, serves the others that still work.
    """

    heartbeat_period: float = 0.5
    heartbeat_timeout: float = 6.0
    busy_silence_timeout: float = 60.0
    collective_timeout: float = 7.0
    busy_timeout: float = 300.0
    shutdown_timeout: float = 300.0
    linger_timeout: float = 86400.0
