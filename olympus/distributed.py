# SPDX-License-Identifier: Apache-2.0
"""Joining N processes into one runtime."""

from __future__ import annotations

import atexit
import operator
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from olympus_core.config import config
from olympus_core.deferred import listed
from olympus_core.errors import AlreadyInitializedError, ArgumentError, ClusterError, InitializedTooLateError, described
from olympus_core.job_status import JobStatus, ProcessStatus, alone
from olympus_core.runtime import attach, detach, get_connection, opened_world

from .transforms.caches import clear_caches

if TYPE_CHECKING:
    from olympus_core.cluster.preemption import PreemptionPoint, PreemptionRequest

__all__ = [
    "JobStatus", "ProcessStatus", "initialize", "is_initialized", "preempted", "request_preemption", "restart_count",
    "shutdown", "slow", "status",
]
__dir__ = listed(__all__)

_LOOK = 0.2  # seconds between two looks whether a thread has ended, so that Ctrl-C is heard
_arguments: dict[str, Any] = {}
background: set[threading.Thread] = set()  # threads that meet other processes; leaving the job waits for them
_request: PreemptionRequest | None = None  # of this process, from the first call on that is about preemption
_MOST_STEPS = 1 << 53


def initialize(
    coordinator_address: str | None = None, num_processes: int | None = None, process_id: int | None = None,
    local_device_ids: int | Sequence[int] | None = None, cluster_detection_method: str | None = None,
    initialization_timeout: int = 300, heartbeat_timeout_seconds: int = 100, shutdown_timeout_seconds: int = 300,
    coordinator_bind_address: str | None = None, slice_index: int | None = None, partition_index: int | None = None,
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
        heartbeat_timeout_seconds: Not used: `docs/limits.md` says who is waited for, and the options for it.
        shutdown_timeout_seconds: Not used, likewise.
        coordinator_bind_address: Where process 0 listens, when that is not the coordinator's address.
        slice_index: Not used: the devices say in which slice they are.
        partition_index: Not used, likewise.

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
    """Leaves the job in order: waits until all processes have come here. Called by all; does no harm when alone.

    Arrays, meshes and devices of the job can be read afterwards where this process holds all of them, and not used.
    After a failure it waits for nobody; the process can join another job with `initialize`. A checkpoint that is being
    saved in the background is ended first.

    Raises:
        ShutdownError: When not all came in the time that the option ``olympus_shutdown_timeout`` allows.
        ProcessLostError: When a process was lost and no call of this process has said so yet.
    """
    if _request is not None:
        _request.unwatch()
    connection = get_connection()
    if connection is None:
        _arguments.clear()
        return
    for thread in list(background):
        with connection.slow("ending what it does in the background"):
            while thread.is_alive():
                thread.join(_LOOK)
    atexit.unregister(_leave)
    is_told = connection.is_failure_told  # closing devices meets the failure, too, and tells nobody
    try:
        detach()
    except ClusterError:
        if not is_told:
            raise
    finally:
        clear_caches()  # what was compiled runs on devices that are closed, and holds what they shared with others
        _arguments.clear()
        connection.shutdown(is_failure_told=is_told)


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


def status(stacks: bool = False) -> JobStatus:
    """Where every process of the job stands: its state, its last launch, what it waits for. Any process may ask.

    Args:
        stacks: Whether each process is asked for its Python stack.

    Returns:
        One `ProcessStatus` for each process; its text is a table.

    Raises:
        ClusterError: When the job has failed.

    Example:
        >>> import olympus
        >>> olympus.distributed.status().processes[0].state
        'running'
    """
    connection = get_connection()
    return alone() if connection is None else connection.status(stacks)


@contextmanager
def slow(what: str) -> Iterator[None]:
    """Declares a part of the program in which the other processes may have to wait long for this one.

    Nobody is warned of it meanwhile; how long they wait at most is said by ``olympus_late_timeout`` as ever.

    Args:
        what: What it does, such as ``"saving a checkpoint"``; shown in errors and by `status`.

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


def preempted(step: int | None = None) -> bool:
    """Whether the job has been asked to end: True in all processes at the same step, so that all save the same.

    To be called once in each step, by all processes. The first call has SIGTERM (or the signal that the option
    ``olympus_preemption_signal`` names) tell this function instead of ending the process, unless the program handles
    the signal itself; before that call, and after `shutdown`, the signal has its usual effect. It is enough that one
    process gets it. A call costs less than a microsecond; when a process was asked, one call of each waits until they
    have found the first step that none of them has begun. From that step on the result is True.

    Args:
        step: The number of the step, the same in all processes and never smaller than the one before; when left out
            the calls are counted.

    Raises:
        ProcessLostError: When the job has failed while the step was being found.
        ArgumentError: For a step before the last one.

    Example:
        >>> import olympus
        >>> for step in range(3):
        ...     if olympus.distributed.preempted(step):
        ...         break  # after a checkpoint was saved
        >>> olympus.distributed.shutdown()
    """
    if _request is None or not _request.is_watching:
        _watch()
    connection = get_connection()
    if connection is None:
        return _asked().is_made
    point = connection.preemption
    return point.reached(point.last + 1 if step is None else _checked(step, point))


def request_preemption() -> None:
    """Has `preempted` become True in all processes, as its signal does; a program's own signal handler may call it.

    Example:
        >>> import signal, olympus
        >>> before = signal.signal(signal.SIGUSR2, lambda *_: olympus.distributed.request_preemption())
        >>> ours = signal.signal(signal.SIGUSR2, before)
    """
    _asked().make()


def _asked() -> PreemptionRequest:
    global _request
    if _request is None:
        from olympus_core.cluster.preemption import request  # with sockets and TLS, slow to import

        _request = request
    return _request


def _watch() -> None:
    import signal

    name = config.preemption_signal
    _asked().watch(None if name is None else signal.Signals[name])


def _checked(step: int, point: PreemptionPoint) -> int:
    try:
        number = operator.index(step)
    except TypeError:
        number = -1
    if not max(point.last, 0) <= number < _MOST_STEPS:
        raise ArgumentError("distributed.preempted", "steps are numbered from 0 and never go back", described(step),
                            f"an integer of at least {max(point.last, 0)}, the number of the last step")
    return number


def restart_count() -> int:
    """How often ``olympus launch`` has started this job before: 0 in the first round.

    Example:
        >>> import olympus
        >>> olympus.distributed.restart_count()
        0
    """
    from olympus_core.cluster.detect.environment import restart_count as count

    return count()
