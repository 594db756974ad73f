# SPDX-License-Identifier: Apache-2.0
"""This machine's address on the network of the job."""

from __future__ import annotations

from olympus_core.network import own_address
from olympus_core.plugin import Rendezvous

_LOOPBACK = "127.0.0.1"


def address_towards(rendezvous: Rendezvous) -> str:
    """The address that the processes of other machines can reach; loopback if all processes are on one machine.

    Raises:
        NoAddressError: If this machine has none.
    """
    if len(set(rendezvous.hosts)) == 1:
        return _LOOPBACK
    coordinator = str(getattr(rendezvous, "coordinator_address", ""))
    name = coordinator.rpartition(":")[0].strip("[]")
    return own_address(name if name and name not in ("localhost", "0.0.0.0") else None)  # compared, not bound
