# SPDX-License-Identifier: Apache-2.0
"""The client of the CUDA platform: the GPUs of one process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from functools import partial
from typing import Any

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
from olympus_core.program import ArrayType, DeviceProgram
from olympus_core.toolkit import compile_with_generator, object_code, table_on_host
from olympus_core.toolkit.dumps import Dump
from olympus_core.toolkit.objectcache import ObjectCache

from . import devices as device_texts
from . import dlpack
from .attention.works import ON_HOST
from .buffer import CudaBuffer, DeviceArray, Stack
from .collectives.assignment import own_gpus
from .collectives.bootstrap import Collectives
from .compiled.code import CodeStore
from .compiled.kernel_generator import CudaKernelGenerator
from .gpu import Gpu
from .imports import imported
from .memory import StreamContext
from .products.timed_choices import TimedChoices
from .transfer import uploaded

_CACHE_LIMIT = 1 << 30  # bytes: machine code for GPUs is larger than for CPUs


class CudaClient:
    """The GPUs of one process.

    Args:
        settings: What the runtime says about this process and the job.
    """

    capabilities = Capabilities(
        dtypes=frozenset(dtypes.ALL), donation=True, asynchronous=True, multi_process=True, dlpack=True,
    )

    def __init__(self, settings: PlatformSettings) -> None:
        self.settings = settings
        self.gpu = Gpu.open()
        own = own_gpus(self.gpu, settings)
        self.ordinals = device_texts.chosen(self.gpu.count, replace(settings, local_device_ids=own))
        self.gpu.own = frozenset(self.ordinals)
        self.contexts = tuple(
            StreamContext(self.gpu, ordinal, f"GPU {ordinal}", wait_timeout=settings.wait_timeout)
            for ordinal in self.ordinals)
        for context in self.contexts:
            context.siblings = self.contexts
        cache = choices = None
        if settings.cache_folder:
            cache = ObjectCache(settings.cache_folder, settings.cache_key_file, _CACHE_LIMIT,
                                settings.cache_least_bytes, settings.cache_least_seconds)
            if settings.process_count == 1:  # processes of a job have to choose the same, each would time for itself
                choices = TimedChoices(self.gpu, cache)
        self.store = CodeStore(self.gpu, cache, choices)
        self._dump = Dump(settings.dump_folder)
        self._table = replace(table_on_host(DeviceArray, Stack), factories=ON_HOST)
        self._devices: tuple[Device, ...] = ()
        self.collectives = Collectives(self.contexts, self.store, settings, partial(_buffer, self.contexts))

    def describe_devices(self) -> Sequence[DeviceDescription]:
        """Descriptions of the GPUs that the settings choose; of all where they choose none."""
        first = device_texts.first_id(self.settings, len(self.ordinals))
        return device_texts.described(self.gpu, self.ordinals, first)

    def bind_devices(self, devices: Sequence[Device]) -> None:
        """Receives the runtime's devices, in the order of `describe_devices`."""
        self._devices = tuple(devices)
        for context, device in zip(self.contexts, devices, strict=True):
            context.name = f"{device} (GPU {context.ordinal})"

    def context(self, device: Device) -> StreamContext:
        """The stream of one of this process's devices."""
        return self.contexts[device.local_index]

    def buffer_from_host(self, value: np.ndarray, device: Device) -> CudaBuffer:
        """A buffer with a copy of the array."""
        return _buffer(self.contexts, value, device)

    def buffer_from_dlpack(self, value: Any, device: Device, copy: bool | None) -> CudaBuffer | None:
        """A buffer of the memory that another library exports on the device's GPU; None where it is elsewhere.

        Args:
            value: What exports it.
            device: The device.
            copy: True copies it; False refuses that, with a `BufferError`; None copies where kernels need it.
        """
        context = self.context(device)
        kind, ordinal = map(int, value.__dlpack_device__())
        if kind not in (dlpack.CUDA, dlpack.MANAGED) or ordinal != context.ordinal:
            return None
        with self.gpu.translated(ordinal):
            allocation, type_ = imported(value, context, self.store, copy)
            return CudaBuffer.of_allocation(allocation, type_, device, context)

    def compile(self, program: DeviceProgram, links: Links) -> Executable:
        """Compiles a program for the local devices; operations without a kernel run on the host."""
        contexts = [self.context(device) for device in program.local_devices]
        generator = CudaKernelGenerator(self.store, contexts, self._dump, self.collectives.programs)
        executable = compile_with_generator(program, self._table, links, self.wrap_array, generator)
        return executable.within(lambda execute: self._translated(execute, program))

    def object_code_identity(self) -> str:
        """The GPUs, NVRTC, and the state of what writes code."""
        return self.store.identity(self.ordinals)

    def object_code(self, program: DeviceProgram, links: Links) -> Mapping[str, bytes]:
        """The machine code of a program's kernels; what libraries bring is not in it."""
        with object_code.recorded() as codes:
            self.compile(program, links)
        return codes

    def with_object_code(self, codes: Mapping[str, bytes]) -> AbstractContextManager[None]:
        """A block in which stored code is used."""
        return object_code.given(codes)

    def open_communicator(self, group: Group, rendezvous: Rendezvous | None) -> Communicator:
        """A communicator: over NCCL between GPUs, by kernels and copies within one GPU."""
        return self.collectives.open(group, rendezvous)

    def memory_stats(self, device: Device) -> dict[str, Any]:
        """Bytes that the device's arrays take, and the free and total memory of its GPU for all processes."""
        context = self.context(device)
        free, total = self.gpu.memory(context.ordinal)
        return {**context.figures(), "bytes_limit": total, "bytes_free": free}

    def record_kernels(self) -> KernelRecording:
        """Begins to record what kernels and library calls take on this process's GPUs."""
        from .compiled.recording import KernelRecorder

        return KernelRecorder(self.contexts)

    def synchronize(self) -> None:
        """Waits for all enqueued work. Devices whose last wait was given up are left out."""
        for context in self.contexts:
            if not context.is_stuck:
                context.drain("all its work")

    def close(self) -> None:
        """Waits for work in flight and releases kept memory."""
        with ExitStack() as stack:  # each is closed even if another fails
            for context in reversed(self.contexts):
                stack.callback(context.close)
            stack.callback(self.collectives.close)

    def wrap_array(self, array: DeviceArray, device: Device) -> CudaBuffer:
        """A buffer of an array that the operation table returned."""
        return CudaBuffer.of_allocation(array.allocation, array.type, device, self.context(device))

    def _translated(self, execute: Callable[..., Any], program: DeviceProgram) -> Callable[..., Any]:
        """Wraps an execution: raises errors of the platform, and names the program in errors and timeouts."""
        translated, errors, label = self.gpu.translated, self.gpu.errors, described(program)
        told = [self.context(device).monitor.given.append for device in program.local_devices]
        if program.donated:
            execute = _sparing(execute, program.donated)
        if len(self.gpu.own) > 1:  # the caller's current GPU is restored
            inner, using, first = execute, self.gpu.using, self.ordinals[0]

            def execute(inputs: Sequence[Sequence[Any]]) -> list[list[Any]]:
                with using(first):
                    result: list[list[Any]] = inner(inputs)
                    return result

        def run(inputs: Sequence[Sequence[Any]]) -> list[list[Any]]:
            for tell in told:
                tell(label)
            try:
                result: list[list[Any]] = execute(inputs)
                return result
            except errors:
                with translated():
                    raise

        return run


def _buffer(contexts: Sequence[StreamContext], value: np.ndarray, device: Device) -> CudaBuffer:
    """A buffer with a copy of the array."""
    value, context = np.asarray(value), contexts[device.local_index]
    with context.gpu.translated():
        return CudaBuffer.of_allocation(uploaded(value, context), ArrayType(value.shape, value.dtype), device, context)


def _sparing(execute: Callable[..., Any], donated: Sequence[int]) -> Callable[..., Any]:
    """Wraps an execution: if it fails, each donated buffer that was not overwritten can be used again."""

    def run(inputs: Sequence[Sequence[Any]]) -> list[list[Any]]:
        before = [(buffer, buffer.allocation.writes) for i in donated for buffer in inputs[i]]
        try:
            result: list[list[Any]] = execute(inputs)
            return result
        except BaseException:
            for buffer, writes in before:
                buffer.recover(writes)
            raise

    return run


def described(program: DeviceProgram) -> str:
    """A program in error messages: its name and the first source location in it."""
    inner = program.program
    line = next((operation.location for operation in inner.operations if operation.location), None)
    return f"program {inner.name}" + (f" ({line})" if line else "")
