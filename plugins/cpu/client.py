# SPDX-License-Identifier: Apache-2.0
"""The CPU platform, opened in one process."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core import dtypes
from olympus_core.plugin import (
    Capabilities,
    Communicator,
    Device,
    DeviceDescription,
    Executable,
    Group,
    KernelRecording,
    Links,
    PlatformSettings,
    Rendezvous,
)
from olympus_core.program import DeviceProgram
from olympus_core.toolkit import (
    DeviceQueue,
    LocalCommunicator,
    QueuedExecutable,
    TableExecutable,
    compile_with_generator,
    object_code,
    waiting,
)

from .available_memory import available_memory
from .buffer import CpuBuffer, aligned_copy, can_share
from .interpreter import collector_paused
from .transports.selection import Transports

if TYPE_CHECKING:
    from .compiled import CpuKernelGenerator

# Ids of different processes' devices are so far apart that no process needs to know the others' device counts.
IDS_PER_PROCESS = 131072


class CpuClient:
    """One process's CPU devices.

    Args:
        settings: The runtime's settings for this process and the job.
    """

    capabilities = Capabilities(
        dtypes=frozenset(dtypes.ALL), donation=True, asynchronous=True, multi_process=True, dlpack=True,
    )

    def __init__(self, settings: PlatformSettings) -> None:
        self._settings = settings
        self._devices: tuple[Device, ...] = ()
        self._generator: CpuKernelGenerator | None = None
        self._transports = Transports(settings)
        self._queues: dict[Device, DeviceQueue] = {}

    def describe_devices(self) -> Sequence[DeviceDescription]:
        """The number of devices that the settings specify; one by default."""
        first = IDS_PER_PROCESS * self._settings.process_index
        count = 1 if self._settings.device_count is None else self._settings.device_count
        facts = {"arithmetic": self._arithmetic()} if self._settings.process_count > 1 else {}
        return [
            DeviceDescription(first + i, "cpu", f"TFRT_CPU_{first + i}", f"CpuDevice(id={first + i})", facts)
            for i in range(count)
        ]

    def _arithmetic(self) -> str:
        """What results' bits depend on; the machine's description may have to be asked of LLVM, and is kept."""
        from .machine.arithmetic import arithmetic
        from .native.settings import open_cache

        open_cache(self._settings)
        return arithmetic(self._settings)

    def bind_devices(self, devices: Sequence[Device]) -> None:
        """Takes the runtime's devices."""
        self._devices = tuple(devices)
        self._queues = {device: DeviceQueue(device) for device in devices}

    def buffer_from_host(self, value: np.ndarray, device: Device) -> CpuBuffer:
        """A buffer with a copy of the array, or sharing its memory if that is immutable."""
        return CpuBuffer(value if can_share(value) else aligned_copy(value), device)

    def compile(self, program: DeviceProgram, links: Links) -> Executable:
        """Compiles a program for the local devices."""
        executable = self._compiled(program, links)
        if len(program.devices) > 1 or not executable.is_independent:
            return executable.within(waiting) if executable.takes_allocations else executable
        return QueuedExecutable(executable, self._queues[program.devices[0]])

    def _compiled(self, program: DeviceProgram, links: Links) -> TableExecutable:
        """An executable of generated kernels; the generator is opened at the first use."""
        with collector_paused:
            # Imported with the first program: a process that only joins a job and moves arrays is there much sooner.
            from .fallback.table import cpu_table

            generator = self._generator
            if generator is None:
                from .compiled import open_generator

                generator = self._generator = open_generator(self._settings)
            return compile_with_generator(program, cpu_table(), links, CpuBuffer, generator)

    def object_code_identity(self) -> str:
        """The processor, LLVM, and the state of what writes code."""
        from .native.linker import code_identity

        return code_identity()

    def object_code(self, program: DeviceProgram, links: Links) -> Mapping[str, bytes]:
        """All code of a program, optimised, and of the native runtime."""
        from .native.linker import recorded

        with recorded() as codes:
            self._compiled(program, links)
        return codes

    def with_object_code(self, codes: Mapping[str, bytes]) -> AbstractContextManager[None]:
        """A block in which stored code is used."""
        return object_code.given(codes)

    def open_communicator(self, group: Group, rendezvous: Rendezvous | None) -> Communicator:
        """A communicator: in memory within this process, over the job's transport between processes."""
        if len(group.processes) < 2 or rendezvous is None:
            return LocalCommunicator(group, CpuBuffer)
        return self._transports.open(group, rendezvous)

    def memory_stats(self, device: Device) -> dict[str, Any]:
        """Memory statistics of the whole process, whose devices share its memory."""
        stats = {"bytes_limit": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")}
        available = available_memory()
        if available is not None:
            stats["bytes_available"] = available
        try:
            with open("/proc/self/statm") as file:
                stats["bytes_in_use"] = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except OSError:  # not Linux
            pass
        if self._generator is not None:
            held = self._generator.memory()
            stats.update(
                bytes_in_arrays=held.in_use, peak_bytes_in_arrays=held.peak, bytes_kept_for_reuse=held.kept,
                num_arrays=held.blocks,
            )
            if available is not None:
                stats["bytes_available"] = available + held.kept
        return stats

    def record_kernels(self) -> KernelRecording:
        """Begins to record what kernels take: of all clients of the process, whose kernels are of one kind."""
        from .native.recording import KernelRecorder

        return KernelRecorder()

    def trim(self) -> None:
        """Frees memory that is kept for reuse: arrays' blocks, the code of GEMMs."""
        if self._generator is not None:
            self._generator.trim()

    def synchronize(self) -> None:
        """Waits for all executions in the devices' queues."""
        for queue in self._queues.values():
            queue.drain()

    def close(self) -> None:
        """Ends the queues and the transport."""
        for queue in self._queues.values():
            queue.close()
        if self._generator is not None:
            self._generator.close()
        self._transports.close()
