# SPDX-License-Identifier: Apache-2.0
"""`connect`: arguments and detection together make a connection, or none for a single process."""

from __future__ import annotations

import atexit
import os
import re
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress

from olympus_core.config import config
from olympus_core.errors.joining import (
    AddressInUseError,
    IncompleteClusterError,
    IncompleteLauncherError,
    LauncherMismatchError,
    OpenFilesError,
    SizeMismatchError,
)

from . import exit_report, job_file
from .addresses import Address, listen, parse_address
from .connection import Connection
from .coordinator import Coordinator
from .detect import Detection, recognise
from .joining import Joiner
from .member import Member
from .mpi_address import MpiAddress, agree_on_address, finalize_at_exit
from .open_files import allow_open_files
from .schema import MOST_PROCESSES
from .secret import Secrets, Security, tls_files
from .settings import ClusterSettings

_JOB_VARIABLE = "OLYMPUS_JOB_ID"
_SOCKET_VARIABLE = "OLYMPUS_COORDINATOR_FD"
# How long process 0 stays after a failed roll-call, for those that come late to hear of it.
_STAY_TIME = 2.0


def connect(
    coordinator_address: str | None = None,
    num_processes: int | None = None,
    process_id: int | None = None,
    *,
    before: Callable[[], None] | None = None,
    detection_method: str | None = None,
    timeout: float = 300.0,
    bind_address: str | None = None,
    settings: ClusterSettings | None = None,
    environ: Mapping[str, str] | None = None,
) -> Connection | None:
    """Joins this process to its job.

    Args:
        coordinator_address: ``host:port`` of process 0; None to detect.
        num_processes: Number of processes; None to detect.
        process_id: This process's index; None to detect.
        before: Called before this process joins others, not where it is alone; may raise.
        detection_method: Name of the only method to try; ``none`` to try none; None for option
            ``olympus_cluster_detection_method``, which tries all by default.
        timeout: Seconds in which all processes have to join.
        bind_address: Where process 0 listens, if not at the interface that the advertised address leads to.
        settings: How patient the processes are with each other.
        environ: The environment to look at, the process's own when None.

    Returns:
        The connection, or None for a single process.

    Raises:
        IncompleteClusterError: If only a part of what is needed is given or detected.
        IncompleteLauncherError: If a launcher's variables are here, but not all of them, or the launcher no more.
        LauncherMismatchError: If a launcher started several processes and this one would run alone.
        JoinTimeoutError: If not all processes joined in time.
        DuplicateProcessError: If two processes have the same index.
        SizeMismatchError: If the processes disagree on their number.
        OpenFilesError: In process 0, if it may not have a connection for each process.
        AddressInUseError: In process 0, if the port is taken.
        NotACoordinatorError: In the others, if another program listens there.
        StrangerError: If another job's coordinator listens there.
        SecretError: If the secret of the job's members cannot be had, or others could have it.
        AuthenticationError: If this process and the coordinator have different secrets.
        TlsError: If only some processes use TLS, or their certificates are not of one authority.

    Example:
        >>> connect("localhost:10000", 1, 0) is None
        True
    """
    environment = os.environ if environ is None else environ
    settings = settings or ClusterSettings()
    started = time.monotonic()
    seen = recognise(environment, detection_method or config.cluster_detection_method)
    found = seen.detection
    if found is not None and not seen.problems:
        _check_launcher(found, num_processes)
    count = num_processes if num_processes is not None else (found.num_processes if found else None)
    index = process_id if process_id is not None else (found.process_id if found else None)
    given_address = coordinator_address or (found.coordinator_address if found else None)
    if count is None and index is None and given_address is None and not seen.problems:
        return None
    if count == 1 and index in (None, 0):
        return None
    if before is not None:
        before()
    told: MpiAddress | None = None
    if given_address is None and found is not None and found.is_mpi and count is not None and index is not None:
        told = agree_on_address(found, index, count, timeout)
        given_address = found.other_address if told is None else told.address
    values = {"coordinator_address": given_address, "num_processes": count, "process_id": index}
    missing = [name for name, value in values.items() if value is None]
    known = {name: value for name, value in values.items() if value is not None}
    if count is None or index is None or given_address is None:
        if seen.problems:
            raise IncompleteLauncherError(seen.problems, known, missing, seen.evidence)
        raise IncompleteClusterError(known, missing, seen.evidence)
    addresses = [parse_address(given_address)]
    if told is None and found is not None and coordinator_address is None:
        addresses = [Address(addresses[0].host, port) for port in found.ports] or addresses
    if not 1 <= count <= MOST_PROCESSES or not 0 <= index < count:
        claims = {str(index): f"{count} processes ({Member(index, count).describe()})"}
        few = f"there is no process {index} among {count}"
        many = f"a job has up to {MOST_PROCESSES} processes"
        raise SizeMismatchError(claims, few if count <= MOST_PROCESSES else many)
    settings = settings.of_job(count)
    member = Member(index, count, _job_name(environment) or (found.job if found is not None else None))
    listener = told.listener if told is not None else None
    coordinator: Coordinator | None = None
    own: socket.socket | None = None
    from_mpi = told.secret if told is not None else None
    secrets, tls = Secrets(environment, found, addresses[0], from_mpi, config.secret_file), tls_files()
    # Process 0 has a connection to each process from the start, the others have them to those that they talk to.
    with nullcontext() if index == 0 else suppress(OpenFilesError):
        allow_open_files(count, f"the connections of {count} processes to process 0")
    if index == 0:
        if listener is None:
            addresses, listener = _listen(environment, addresses, bind_address)
    joiner = Joiner(addresses, member, timeout - (time.monotonic() - started), settings, secrets, tls)
    if listener is not None:
        security = Security(secrets.of_coordinator(), tls.context(is_server=True) if tls is not None else None)
        coordinator = Coordinator(listener, member, str(addresses[0]), timeout, settings, security)
        own = coordinator.start()
        value = security.secret.value
        coordinator.job_file = job_file.write(environment, member.job or "job", str(addresses[0]), value, count)
    try:
        joined = joiner.join(own)
    except BaseException:
        if coordinator is not None:
            atexit.register(_stay_for_the_late, coordinator, time.monotonic() + _STAY_TIME)
        raise
    connection = Connection(
        joined.link,
        member,
        joined.coordinator,
        joined.job,
        joined.machines,
        str(joined.address),
        settings,
        coordinator,
        joined.secret,
        joined.salt,
        joined.early,
    )
    # Functions run at exit in the reverse order: the connection's end comes before MPI's.
    finalize_at_exit(lambda: connection.ended_well, settings.shutdown_timeout)
    exit_report.install(connection)
    return connection


def _check_launcher(found: Detection, asked: int | None) -> None:
    if asked == 1 and found.num_processes is not None and found.num_processes > 1:
        used = next((line for line in found.evidence if line.startswith(f"{found.name}: used")), found.name)
        raise LauncherMismatchError(found.name, found.num_processes, asked, used)


def _job_name(environ: Mapping[str, str]) -> str | None:
    name = environ.get(_JOB_VARIABLE)
    if not name:
        return None
    # It becomes part of file names.
    return re.sub(r"[^A-Za-z0-9_-]", "-", name)[:48]


def _listen(
    environ: Mapping[str, str], addresses: Sequence[Address], bind: str | None
) -> tuple[list[Address], socket.socket]:
    """The first of the addresses that is free, and the socket that listens there."""
    for address in addresses[:-1]:
        with suppress(AddressInUseError):
            return [address], listen(address, bind, patience=0.0)
    address = addresses[-1]
    return [address], inherited_listener(environ, address) or listen(address, bind)


def inherited_listener(environ: Mapping[str, str], address: Address) -> socket.socket | None:
    """The socket that the launcher bound for process 0, unless the program names another address."""
    text = environ.get(_SOCKET_VARIABLE)
    if not text:
        return None
    # It is used once, and children of this process must not find it.
    os.environ.pop(_SOCKET_VARIABLE, None)
    try:
        listener = socket.socket(fileno=int(text))
    except (OSError, ValueError) as error:
        raise AddressInUseError(str(address), f"{_SOCKET_VARIABLE}={text} is no open socket ({error})") from None
    listener.set_inheritable(False)
    if listener.getsockname()[1] != address.port:
        listener.close()
        return None
    return listener


def _stay_for_the_late(coordinator: Coordinator, until: float) -> None:
    coordinator.wait_until_all_told(max(0.0, until - time.monotonic()))
    coordinator.stop()
