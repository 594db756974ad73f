# SPDX-License-Identifier: Apache-2.0
"""Programs across processes that are wrong in one way."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_conformance import Status
from olympus_core.plugin import Device, Pending
from olympus_core.program import DeviceProgram
from olympus_core.toolkit.platform import TableClient, TablePlatform

from .base import After, Wrapped, WrappedLinks, arrays, build
from .form import broken


def is_spanning(program: DeviceProgram) -> bool:
    """Whether devices of other processes take part."""
    return len(program.local_devices) < len(program.devices)


@broken("program_groups_sorted", fails=["programs/collectives_in_groups"],
        says="groups in programs are taken in the order of the devices' ids")
def program_groups_sorted() -> TablePlatform:
    """The communicator is asked for in that order."""

    class Links(WrappedLinks):
        def communicator(self, devices: tuple[Device, ...]) -> Any:
            return self.inner.communicator(tuple(sorted(devices, key=lambda d: d.id)))

    return build(links=Links)


@broken("program_devices_sorted", fails=["programs/device_order"],
        says="positions in programs are places among the devices sorted by id")
def program_devices_sorted() -> TablePlatform:
    """Whatever order the program's devices have."""

    def compile(self: Any, program: DeviceProgram, links: Any) -> Any:
        devices = tuple(sorted(program.devices, key=lambda d: d.id))
        return TableClient.compile(self, DeviceProgram(program.program, devices, program.donated), links)

    return build(client={"compile": compile})


@broken("program_scatter_swapped", fails=["programs/scattering_collectives"],
        says="reduce_scatter in programs gives the parts in the wrong order")
def program_scatter_swapped() -> TablePlatform:
    """The first member gets the last part; communicators by themselves are right."""

    class Swapping(Wrapped):
        def reduce_scatter(self, inputs: Any, dimension: int, reduction: Any) -> Pending:
            positions, count = self.group.local_positions, len(self.group.devices)
            return After(self.inner.all_reduce(inputs, reduction), arrays(
                lambda i, array: np.split(array, count, dimension)[count - 1 - positions[i]]))

    class Links(WrappedLinks):
        def communicator(self, devices: tuple[Device, ...]) -> Any:
            return Swapping(self.inner.communicator(devices))

    return build(links=Links)


@broken("program_needs_all", fails=["programs/subset_of_processes"],
        says="a program is compiled only when all processes of the job compile it", ends=Status.ERROR)
def program_needs_all() -> TablePlatform:
    """As where executables are numbered together."""

    def compile(self: Any, program: DeviceProgram, links: Any) -> Any:
        if self.settings.rendezvous is not None:
            self.settings.rendezvous.exchange("compile", b"", timeout=1.0)
        return TableClient.compile(self, program, links)

    return build(client={"compile": compile})


@broken("spanning_spoils_local", fails=["programs/local_and_spanning"],
        says="once a program of several processes has run, local ones hand back their inputs")
def spanning_spoils_local() -> TablePlatform:
    """As where the device stays in the wrong mode."""

    def execute(client: Any, run: Any, program: DeviceProgram, inputs: Any) -> Any:
        if is_spanning(program):
            client.kept.append(None)
        elif client.kept and len(inputs) == len(program.program.outputs):
            return [list(column) for column in inputs]
        return run(inputs)

    return build(execute=execute)


@broken("outputs_reused_too_soon", fails=["programs/under_way_together"],
        says="an execution takes the memory of the outputs of the one before the last")
def outputs_reused_too_soon() -> TablePlatform:
    """As where two sets of buffers are used in turns."""

    def execute(client: Any, run: Any, program: DeviceProgram, inputs: Any) -> Any:
        columns = run(inputs)
        client.kept.append(columns)
        if len(client.kept) > 2:
            for column in client.kept.pop(0):
                arrays(lambda i, array: np.zeros_like(array))(column)
        return columns

    return build(execute=execute)


@broken("donated_before_sent", fails=["programs/donation_across"],
        says="donated memory is given away before it has been sent")
def donated_before_sent() -> TablePlatform:
    """Zeros are what the others get."""

    def execute(client: Any, run: Any, program: DeviceProgram, inputs: Any) -> Any:
        if is_spanning(program):
            for i in program.donated:
                arrays(lambda i, array: np.zeros_like(array))(inputs[i])
        return run(inputs)

    return build(execute=execute, declared={"donation": True})
