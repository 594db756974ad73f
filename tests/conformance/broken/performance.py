# SPDX-License-Identifier: Apache-2.0
"""Platforms that are right and slow, or that take more and more memory."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from olympus_core.plugin import Device
from olympus_core.program import DeviceProgram
from olympus_core.toolkit.platform import TableClient, TablePlatform

from .base import build
from .form import broken


def executing_after(seconds: float) -> TablePlatform:
    """A platform whose executions wait first."""

    def execute(client: Any, run: Any, program: DeviceProgram, inputs: Any) -> Any:
        time.sleep(seconds)
        return run(inputs)

    return build(execute=execute)


broken("slow_executions", fails=["performance/execution"], says="an execution takes two milliseconds to begin")(
    lambda: executing_after(0.002))


@broken("slow_elements", fails=["performance/elementwise"], says="it takes sixty times as long as it could")
def slow_elements() -> TablePlatform:
    """Whatever the machine does besides."""

    def execute(client: Any, run: Any, program: DeviceProgram, inputs: Any) -> Any:
        started = time.perf_counter()
        columns = run(inputs)
        time.sleep(59 * (time.perf_counter() - started))
        return columns

    return build(execute=execute)


@broken("slow_copies", fails=["performance/copies"], says="copies to the device go at 20 MB a second")
def slow_copies() -> TablePlatform:
    """As over a wire."""

    def put(self: Any, value: np.ndarray, device: Device) -> Any:
        time.sleep(np.asarray(value).nbytes / 20e6)
        return TableClient.buffer_from_host(self, value, device)

    return build(client={"buffer_from_host": put})


@broken("leaked_executables", fails=["performance/compile_again"], says="each program takes a megabyte for ever")
def leaked_executables() -> TablePlatform:
    """In a cache that has no end."""

    def compile(self: Any, program: DeviceProgram, links: Any) -> Any:
        self.kept.append(np.ones(1 << 17))
        return TableClient.compile(self, program, links)

    return build(client={"compile": compile})
