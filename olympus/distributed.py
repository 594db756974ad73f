"""Joining N processes into one runtime."""

from __future__ import annotations

import atexit
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from olympus_core.deferred import listed
from olympus_core.errors import AlreadyInitializedError, InitializedTooLateError
from olympus_core.runtime import attach, detach, get_connection, opened_world

from .transforms.caches import clear_caches

__all__ = ["initialize", "is_initialized", "shutdown", "slow"]
__dir__ = listed(__all__)

_arguments: dict[str, Any] = {}


def initialize(
    coordinator_address: str | None = None, num_processes: int | None = None, process_id: int | None = None,
    local_device_ids: int | Sequence[int] | None = None, cluster_detection_method: str | None = None,
    initialization_timeout: int = 300, coordinator_bind_address: str | None = None,
) -> None:
    """Joins this process to the others of its job. Call it first, in every process.

    Under ``olympus launch``, ``mpiexec``, Slurm, Kubernetes and on Cloud TPU it needs no arguments. In a single
    process it does no harm.

    Args:
        coordinator_address: ``host:port`` of process 0, which listens there.
        num_processes: Number of processes.
        process_id: This process's index, from 0.
        local_device_ids: Which of the machine's devices are this process's; all when left out.
        cluster_detection_method: Name of the launcher or scheduler to ask; all are tried when left out.
        initialization_timeout: Seconds to wait for the others.
        coordinator_bind_address: Where process 0 listens, when that is not the coordinator's address.

    Raises:
        InitializedTooLateError: When a device was used before.
        AlreadyInitializedError: When called again with other arguments.
        JoinTimeoutError: When not all processes came in time.
        ClusterError: When the processes do not fit together.
    """
    from olympus_core.cluster import ClusterSettings, connect  # sockets and TLS, slow to import

    arguments = {
        "coordinator_address": coordinator_address, "num_processes": num_processes, "process_id": process_id,
        "local_device_ids": local_device_ids, "cluster_detection_method": cluster_detection_method,
    }
    if arguments == _arguments:
        return
    if get_connection() is not None:
        raise AlreadyInitializedError(_arguments, arguments)
    connection = connect(
        coordinator_address, num_processes, process_id, before=_refuse_after_use,
        detection_method=cluster_detection_method,
        timeout=initialization_timeout, bind_address=coordinator_bind_address,
        settings=ClusterSettings.from_config(),
    )
    _arguments.clear()
    if connection is not None:
        ids = (local_device_ids,) if isinstance(local_device_ids, int) else local_device_ids
        atexit.register(_leave)
        attach(connection, None if ids is None else tuple(ids))
    _arguments.update(arguments)  # not before: what failed half-way has not been done


def _refuse_after_use() -> None:
    """Raises where a device was used before: its platform knows nothing of the other processes."""
    world = opened_world()
    if world is not None:
        raise InitializedTooLateError(world.opened_at, "a use of a device")


def is_initialized() -> bool:
    """Whether this process has joined others.

    Example:
        >>> import olympus
        >>> olympus.distributed.is_initialized()
        False
    """
    return get_connection() is not None


def shutdown() -> None:
    """Leaves the job in order: waits until all processes have come here. Called by all; does no harm when alone."""
    connection = get_connection()
    if connection is None:
        _arguments.clear()
        return
    atexit.unregister(_leave)
    try:
        detach()
    finally:
        clear_caches()  # what was compiled runs on devices that are closed, and holds what they shared with others
        _arguments.clear()
        connection.shutdown()


def _leave() -> None:
    """At the program's end: an orderly end where all have come, a departure that nobody waits for otherwise."""
    connection = get_connection()
    if connection is None:
        return
    if connection.failed:
        connection.leave()
        return
    try:
        detach()
    finally:
        connection.leave()


@contextmanager
def slow(what: str) -> Iterator[None]:
    """Declares a part of the program in which the other processes may have to wait long for this one.

    Args:
        what: What it does, such as ``"saving a checkpoint"``; shown in errors.

    Example:
        >>> import olympus
        >>> with olympus.distributed.slow("loading data"):
        ...     data = list(range(10))
    """
    connection = get_connection()
    if connection is None:
        yield
        return
    with connection.slow(what):
        yield
