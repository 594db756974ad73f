# SPDX-License-Identifier: Apache-2.0
"""A platform: what a plugin's hook returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from olympus_core.dataclass import field, public_dataclass

from .client import Client
from .communicator import Communicator, Group, Rendezvous


@public_dataclass(frozen=True, slots=True)
class Probe:
    """Whether a platform can be used here.

    Args:
        available: Whether `Platform.open` is expected to succeed.
        reason: Why, or why not, in a sentence that `olympus doctor` shows.
    """

    available: bool
    reason: str


# Gives a communicator that reads its inputs by `to_host`, whatever platform's buffers they are; called by the group's
# processes alone. What needs all processes of the job is a method `prepare(rendezvous)`, which a client calls when it
# opens, in each of them; and what is to be ended a method `close()`, which it calls when it closes.
TransportFactory = Callable[[Group, Rendezvous], Communicator]


@public_dataclass(frozen=True, slots=True)
class PlatformSettings:
    """What the runtime tells a platform when it opens it.

    Args:
        process_index: This process's index.
        process_count: Number of processes.
        device_count: Number of devices wanted, where the platform can choose; None for its default.
        local_device_ids: Which of the machine's devices this process owns; None for all.
        rendezvous: How to reach the other processes; None when the job is one process.
        transports: Factories of host-memory communicators by name, from every plugin; see
            `olympus_core.plugin.hooks`.
        transport: Name of the one to use.
        options: Further options by name.
        neighbours: Number of the job's processes on this machine, this one among them: who shares its processors.
        threads: Number of threads to compute with; None for its own choice.
        reproducible: Whether results must have the same bits on every machine, where that costs time.
        cache_folder: Where compiled code may be kept between processes; None where it must not be.
        cache_key_file: The file with the key that signs what is kept there; None where there is no place for one.
        cache_least_bytes: Compiled code that is smaller is not kept.
        cache_least_seconds: Nor is what was compiled in less time.
        dump_folder: Where each compiled program is to be written for people to read; None for nowhere.
        wait_timeout: Seconds that a wait for work which makes no progress may last.
        transport_timeout: Seconds that a transport may take to start.
        connect_timeout: Seconds in which a process that is connected with for the first time must answer.
        reconnect_timeout: Seconds that a broken connection may take to be made anew.
        redial_timeout: Seconds of silence after which a connection is made anew.
    """

    process_index: int = 0
    process_count: int = 1
    device_count: int | None = None
    local_device_ids: Sequence[int] | None = None
    rendezvous: Rendezvous | None = None
    transports: Mapping[str, TransportFactory] = field(default_factory=dict)
    transport: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    neighbours: int = 1
    threads: int | None = None
    reproducible: bool = False
    cache_folder: str | None = None
    cache_key_file: str | None = None
    cache_least_bytes: int = 0
    cache_least_seconds: float = 0.0
    dump_folder: str | None = None
    wait_timeout: float = 1800.0
    transport_timeout: float = 60.0
    connect_timeout: float = 6.0
    reconnect_timeout: float = 40.0
    redial_timeout: float = 4.0

    def move_cache(self, folder: str) -> None:
        """Names another folder for compiled code, for a platform that has not opened its cache yet.

        Args:
            folder: The folder.
        """
        object.__setattr__(self, "cache_folder", folder)


class Platform(Protocol):
    """What a plugin offers under a name."""

    name: str
    aliases: tuple[str, ...]
    priority: int  # the highest available one is the default platform; cpu has 0
    api_version: tuple[int, int]  # olympus_core.plugin.API_VERSION at the time of writing the plugin

    def probe(self) -> Probe:
        """Whether the hardware and its libraries are here; fast, and imports nothing heavy."""

    def open(self, settings: PlatformSettings) -> Client:
        """Opens the platform in this process."""
