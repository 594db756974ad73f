# SPDX-License-Identifier: Apache-2.0
"""A program under MPI's own launcher: everything is found from the environment."""

from __future__ import annotations

import numpy as np

from olympus_core.cluster.bootstrap import connect
from olympus_core.plugin import Device, DeviceDescription, Group, PlatformSettings
from olympus_cpu.buffer import CpuBuffer
from olympus_cpu.transports.selection import Transports
from tests.cpu.transports.job import in_seconds


def main() -> None:
    """One reduction over all processes."""
    connection = connect()
    assert connection is not None
    here, count = connection.process_index, connection.process_count
    transports = Transports(PlatformSettings(
        process_index=here, process_count=count, rendezvous=connection, transport="mpi"))
    devices = tuple(
        Device(DeviceDescription(i, "cpu", f"D{i}", f"D(id={i})"), platform="cpu", process_index=i, local_index=0,
               is_addressable=i == here) for i in range(count)
    )
    communicator = transports.open(Group(devices), connection)
    mine = [CpuBuffer(np.full(3, here + 1, np.int32), devices[here])]
    print(f"{transports.name} {communicator.all_reduce(mine, 'sum').result(in_seconds(10))[0].to_host().tolist()}")
    transports.close()
    connection.shutdown()


if __name__ == "__main__":
    main()
