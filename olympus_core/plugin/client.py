# SPDX-License-Identifier: Apache-2.0
"""A client: one platform, opened in this process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from olympus_core.placement import Device, DeviceDescription
from olympus_core.program import DeviceProgram

from .buffer import Buffer
from .capabilities import Capabilities
from .communicator import Communicator, Group, Links, Rendezvous

Run = Callable[[Sequence[Sequence[Buffer]]], list[list[Buffer]]]  # what `Executable.execute` is


class Executable(Protocol):
    """A compiled device program.

    One that has an attribute `code_bytes` says how much memory its code takes; see the option
    `olympus_compiled_cache_bytes`.
    """

    def execute(self, inputs: Sequence[Sequence[Buffer]]) -> list[list[Buffer]]:
        """Runs the program on all local devices in one call.

        Inputs need not be ready, and may be deleted once it returns; by other threads even before: an execution that
        has begun holds what it reads, and one that finds an input deleted raises an error. An error of one execution
        leaves all other buffers as they are, and fails what depends on its outputs; donated ones count as lost, unless
        they have an attribute `is_spoiled` that is False. Devices that are given the same bits give the same bits.

        Args:
            inputs: For each of the program's inputs, one buffer for each local device, in the order of
                `DeviceProgram.local_devices`.

        Returns:
            For each output, one buffer for each local device in the same order. They need not be ready:
            an error of the execution may come at `Buffer.block_until_ready`.
        """

    def text(self) -> str:
        """What was compiled, for people to read."""

    def cost(self) -> dict[str, float]:
        """Estimates, where known: ``flops``, ``bytes``, ``peak_memory_bytes``."""


class Client(Protocol):
    """One platform, opened in this process: eight methods and two attributes.

    Several threads may use it at once, with its buffers and with executables that have no collectives. One that keeps
    memory for later use may have a method `trim()` that returns it to the system, for `olympus.clear_caches`. One that
    can tell what its kernels take may have a method `record_kernels()`, which begins a `KernelRecording`, for
    `olympus.profiler`; it costs nothing while none is recorded. One whose devices' memory is other libraries', too, may
    have a method `buffer_from_dlpack(value, device, copy)`: a `Buffer` of the memory that a value exports by DLPack, in
    the order of the device's work, or None where it is not the device's; copied with ``copy=True``, and with
    ``copy=False`` a `BufferError` where the device cannot use it as it lies.
    """

    capabilities: Capabilities

    def describe_devices(self) -> Sequence[DeviceDescription]:
        """This process's own devices; called once, right after opening."""

    def bind_devices(self, devices: Sequence[Device]) -> None:
        """The runtime's devices for the descriptions, in the same order; the only ones used from now on."""

    def buffer_from_host(self, value: np.ndarray, device: Device) -> Buffer:
        """A buffer with the content of a host array, which the caller may change afterwards.

        An array that stands on `PromisedMemory`, or that owns its memory and is locked, is not changed: its memory may
        be used as it is.
        """

    def compile(self, program: DeviceProgram, links: Links) -> Executable:
        """Makes a program ready to run on its local devices; raises `NotSupportedError` for what it lacks.

        Operations mean what their records' references compute: to the bit where they have one right result, functions
        and sums of floats within the tolerances that the conformance suite lists.

        An execution that waits for other processes ends with an error when one is lost or takes too long: `Links.wait`
        sees to both.
        """

    def open_communicator(self, group: Group, rendezvous: Rendezvous | None) -> Communicator:
        """A communicator of this platform's devices; called by all processes of the group in the same order.

        Groups may overlap, be open at the same time and hold devices in any order; no other process is needed.
        `rendezvous` is None when the job is one process.
        """

    def memory_stats(self, device: Device) -> dict[str, Any]:
        """Memory figures in bytes, where known: ``bytes_in_use``, ``bytes_limit``, ``peak_bytes_in_use``.

        With ``bytes_available``, what an execution may still take, programs that need more are refused when they are
        called.
        """

    def synchronize(self) -> None:
        """Waits until nothing is under way on any device."""

    def close(self) -> None:
        """Ends the client: threads, files, connections. Called once, in every process.

        It waits for no process that is lost. The platform may be opened again afterwards, in the same job.
        """
