# SPDX-License-Identifier: Apache-2.0
"""Runs programs through the CPU platform's client, as the product does."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

import numpy as np

from olympus_conformance.random_programs import Case, Expected
from olympus_conformance.random_programs.case import MOST_DEVICES, Columns
from olympus_core.errors import NotCompiledWarning, OlympusInternalError
from olympus_core.plugin import Device, PlatformSettings
from olympus_core.program import DeviceProgram
from olympus_cpu import hooks
from olympus_cpu.buffer import CpuBuffer
from olympus_cpu.client import CpuClient
from olympus_cpu.compiled import kernels
from olympus_cpu.native.memory import allocator


@lru_cache(maxsize=1)
def client() -> tuple[CpuClient, tuple[Device, ...]]:
    """The platform, opened for a few devices."""
    opened = hooks.olympus_platform().open(PlatformSettings(device_count=MOST_DEVICES))
    devices = tuple(
        Device(d, platform="cpu", process_index=0, local_index=i, is_addressable=True)
        for i, d in enumerate(opened.describe_devices())
    )
    opened.bind_devices(devices)
    return opened, devices


class _Alone:
    """Links of a program whose devices all belong to this process: it has no communicators."""

    def communicator(self, devices: Sequence[Device]) -> object:
        raise OlympusInternalError(f"{len(devices)} devices of one process need no communicator")


@contextmanager
def _optimised(wanted: bool) -> Iterator[None]:
    before = kernels._KERNEL_SECONDS, kernels._CHARACTER_SECONDS
    kernels._KERNEL_SECONDS, kernels._CHARACTER_SECONDS = (0.0, 0.0) if wanted else before
    try:
        yield
    finally:
        kernels._KERNEL_SECONDS, kernels._CHARACTER_SECONDS = before


def block_of(array: np.ndarray, device: Device) -> CpuBuffer:
    """A buffer in memory of the platform's allocator, which can be donated."""
    from olympus_core.program import ArrayType

    allocation = allocator().take(max(array.nbytes, 1))
    np.ndarray(array.shape, array.dtype, allocation)[...] = array
    return CpuBuffer.of_block(allocation, ArrayType(array.shape, array.dtype), device)


def outputs_of(case: Case, times: int = 2) -> list[Columns]:
    """The outputs of several executions; checks that inputs are not changed.

    Every second execution has inputs from the host, and deletes them while it may still run.
    """
    platform, devices = client()
    program = DeviceProgram(case.program, devices[: case.count], case.donated)
    with _optimised(case.is_optimised), warnings.catch_warnings():
        warnings.simplefilter("error", NotCompiledWarning)
        executable = platform.compile(program, _Alone())
    results: list[Columns] = []
    for number in range(times):
        put = platform.buffer_from_host if number % 2 else block_of
        buffers = [[put(x, d) for x, d in zip(column, devices, strict=False)] for column in case.inputs]
        given = [buffers[i] if i not in case.donated else list(buffers[i]) for i in range(len(buffers))]
        for i in case.donated:
            buffers[i] = []
        made = executable.execute(given)
        del given
        for column in buffers if number % 2 else []:
            for buffer in column:
                buffer.delete()
        results.append([[np.array(buffer.to_host()) for buffer in column] for column in made])
        for i, column in enumerate(buffers if not number % 2 else []):
            for buffer, before in zip(column, case.inputs[i], strict=bool(column)):
                if buffer.to_host().tobytes() != before.tobytes():
                    raise OverwrittenError(f"input {i} was written over")
        del made
    return results


class OverwrittenError(Exception):
    """An input that was not donated has changed."""


def problem_of(case: Case) -> str | None:
    """The problem of a case, or None."""
    try:
        runs = outputs_of(case)
    except Exception as error:  # noqa: BLE001 (any error is a finding)
        return f"{type(error).__name__}: {str(error)[:2000]}"
    for first, second in zip(*runs, strict=True):
        for x, y in zip(first, second, strict=True):
            if x.tobytes() != y.tobytes():
                return "two executions gave different bits"
    expected = Expected(case.program, case.inputs, case.count)
    found = expected.problem(runs[0])
    if found is not None:  # some failures are rare
        expected.more(40)
        found = expected.problem(runs[0])
    return None if found is None else found[1]
