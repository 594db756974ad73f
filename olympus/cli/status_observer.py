# SPDX-License-Identifier: Apache-2.0
"""Asks a job's coordinator where its processes stand, from outside: authenticated, and no member."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from olympus_core.cluster.addresses import Address, dial, parse_address
from olympus_core.cluster.channels import Channel, TlsProblem
from olympus_core.cluster.handshake import Handshake, SecretRefused
from olympus_core.cluster.schema import FROM_COORDINATOR, MalformedFrame
from olympus_core.cluster.secret import Secrets, tls_files
from olympus_core.cluster.status import of_message
from olympus_core.cluster.wire import FrameReader, Link, LinkClosed, encode, most_text
from olympus_core.config import config
from olympus_core.errors.authentication import NotACoordinatorError, TlsError
from olympus_core.errors.cluster import JobUnreachableError
from olympus_core.job_status import JobStatus

_NOBODY = 0  # whom errors name as the process that asks
_PIECE = 1 << 18
_MOST_PROCESSES = 1 << 12  # that the answer's length is limited for, generously


def observe(
    coordinator_address: str, environ: Mapping[str, str], stacks: bool = False, timeout: float = 10.0,
    secret: bytes | None = None,
) -> JobStatus:
    """The status of the job whose process 0 listens at an address.

    Args:
        coordinator_address: ``host:port``.
        environ: The environment, which may hold the job's secret.
        stacks: Whether each process is asked for its Python stack.
        timeout: Seconds for everything.
        secret: The job's secret; None to find it as a member would.

    Raises:
        JobUnreachableError: If nothing answers there in time.
        AuthenticationError: If the secret is not the job's.
        NotACoordinatorError: If something else listens there.
    """
    address = parse_address(coordinator_address)
    started = time.monotonic()

    def left() -> float:
        seconds = started + timeout - time.monotonic()
        if seconds <= 0:
            raise JobUnreachableError(str(address), f"it has not answered in {timeout:g} s")
        return seconds

    secrets = Secrets(environ, None, address, secret, config.secret_file)
    tls = tls_files()
    result = dial(address, timeout)
    if result.sock is None:
        raise JobUnreachableError(str(address), result.outcome)
    channel = Channel(result.sock)
    if tls is not None:
        channel = channel.secured(tls.context(is_server=False), is_server=False)
    link = Link(channel)
    try:
        return _ask(link, address, secrets, stacks, left)
    except SecretRefused as refused:
        raise refused.error from None
    except (LinkClosed, TimeoutError):
        raise JobUnreachableError(str(address), "it closed the connection without an answer") from None
    except MalformedFrame as error:
        raise NotACoordinatorError(str(address), str(error).encode()) from None
    except TlsProblem as error:
        raise TlsError(str(address), str(error)) from None
    finally:
        link.close()


def _ask(link: Link, address: Address, secrets: Secrets, stacks: bool, left: Callable[[], float]) -> JobStatus:
    proven = Handshake(link, str(address), _NOBODY, secrets, left).run()
    link.send(encode({"t": "status", "token": 1, "stacks": stacks}), left())
    reader = FrameReader(FROM_COORDINATOR, most_text(_MOST_PROCESSES), 0)
    reader.feed(proven.rest)
    while True:
        frame = reader.frame()
        if frame is None:
            reader.feed(link.receive(_PIECE, left()))
        elif frame.message["t"] == "table":
            return of_message(frame.message)
