# SPDX-License-Identifier: Apache-2.0
"""Guards of transfers: what the options say when values go between host and devices, or between devices."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from olympus_core.config import config
from olympus_core.errors import TransferGuardError
from olympus_core.location import user_location
from olympus_core.plugin import Buffer

from .sealing import is_copied_when_read

_logger = logging.getLogger("olympus")
# Inside of functions that are there for transfers: device_put, device_get.
_is_asked_for: ContextVar[bool] = ContextVar("olympus_explicit_transfer", default=False)


@contextmanager
def explicit_transfers() -> Iterator[None]:
    """What is transferred inside was asked for by the user: only the levels that name explicit transfers tell."""
    token = _is_asked_for.set(True)
    try:
        yield
    finally:
        _is_asked_for.reset(token)


def level(direction: str) -> str:
    """The level at which transfers of a direction are guarded.

    Args:
        direction: ``host_to_device``, ``device_to_device`` or ``device_to_host``.
    """
    own = getattr(config, f"transfer_guard_{direction}")
    return own or config.transfer_guard or "allow"


def from_host(what: object, where: object) -> None:
    """A value of the host goes to devices.

    Args:
        what: Its type.
        where: Its sharding there.

    Raises:
        TransferGuardError: Where the guard does not allow it.
    """
    _tell("host_to_device", what, where)


def between_devices(what: object, where: object) -> None:
    """An array goes to other devices; see `from_host`."""
    _tell("device_to_device", what, where)


def to_host(what: object, buffers: Sequence[Buffer]) -> None:
    """An array is read by the host, which is a transfer unless its buffers are in the host's memory.

    Args:
        what: Its type.
        buffers: Its buffers.

    Raises:
        TransferGuardError: Where the guard does not allow it.
    """
    if not all(is_copied_when_read(buffer) is False for buffer in buffers):
        _tell("device_to_host", what, "the host")


def _tell(direction: str, what: object, where: object) -> None:
    guard, is_explicit = level(direction), _is_asked_for.get()
    if guard == "allow" or (is_explicit and not guard.endswith("explicit")):
        return
    if guard.startswith("disallow"):
        raise TransferGuardError(direction.replace("_", "-"), str(what), str(where), is_explicit, guard)
    _logger.warning("olympus: %s transfer of %s to %s%s at %s", direction.replace("_", "-"), what, where,
                    ", which was asked for," if is_explicit else "", user_location() or "an unknown line")
