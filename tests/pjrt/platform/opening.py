# SPDX-License-Identifier: Apache-2.0
"""The platform on the CPU library, opened by hand."""

from __future__ import annotations

import numpy as np

from olympus_core.plugin import Device, PlatformSettings
from olympus_core.program import DeviceProgram, Program
from olympus_pjrt.platform import PjrtPlatform

from ..libraries import cpu_library


class Opened:
    def __init__(self, settings: PlatformSettings) -> None:
        self.client = PjrtPlatform(library=cpu_library()).open(settings)
        self.devices = [
            Device(d, platform="pjrt", process_index=0, local_index=i, is_addressable=True)
            for i, d in enumerate(self.client.describe_devices())
        ]
        self.client.bind_devices(self.devices)

    def compile(self, program: Program, devices: list[Device] | None = None, donated: tuple[int, ...] = ()):
        return self.client.compile(DeviceProgram(program, tuple(devices or self.devices[:1]), donated), None)

    def put(self, value, device: Device | None = None):
        return self.client.buffer_from_host(np.asarray(value), device or self.devices[0])
