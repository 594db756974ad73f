# SPDX-License-Identifier: Apache-2.0
"""The CPU platform, which is always available."""

from __future__ import annotations

import os

from olympus_core.plugin import API_VERSION, PlatformSettings, Probe

from .client import CpuClient


class CpuPlatform:
    """The processors of this machine as one device or several."""

    name = "cpu"
    aliases: tuple[str, ...] = ()
    priority = 0
    api_version = API_VERSION

    def probe(self) -> Probe:
        """Always available."""
        return Probe(True, f"{os.cpu_count()} processor cores")

    def open(self, settings: PlatformSettings) -> CpuClient:
        """Opens the platform; with several processes the transport starts in the background."""
        return CpuClient(settings)
