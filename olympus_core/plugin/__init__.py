# SPDX-License-Identifier: Apache-2.0
"""The contract between the core and a platform: all that a backend author reads first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from olympus_core.placement import Device, DeviceDescription
from olympus_core.program import Reduction

from ..deferred import deferred
from .ahead_of_time import AheadOfTime, CompilesAhead, StoresObjectCode, Topology, WritesDialects
from .buffer import Buffer
from .capabilities import Capabilities
from .client import Client, Executable
from .communicator import Communicator, Group, Links, Pending, Rendezvous, Transfer
from .hostmemory import PromisedMemory, promised
from .platform import Platform, PlatformSettings, Probe, TransportFactory
from .version import API_VERSION

__all__ = [
    "API_VERSION", "ENTRY_POINT_GROUP", "AheadOfTime", "Buffer", "Capabilities", "Client", "Communicator",
    "CompilesAhead", "Device", "DeviceDescription", "Executable", "Group", "KernelDescription", "KernelRecording",
    "KernelTimes", "Links", "Pending", "Platform",
    "PlatformSettings", "PluginHooks", "Probe", "PromisedMemory", "Reduction", "Rendezvous", "StoresObjectCode",
    "Topology", "Transfer", "TransportFactory", "WritesDialects", "hookimpl", "promised",
]

if TYPE_CHECKING:
    from .hooks import ENTRY_POINT_GROUP, PluginHooks, hookimpl
    from .profiling import KernelDescription, KernelRecording, KernelTimes
else:
    # The hooks need pluggy, whose import takes a sixth of what importing olympus may cost: only plugins use them.
    __getattr__, __dir__ = deferred(__name__, {
        **dict.fromkeys(("ENTRY_POINT_GROUP", "PluginHooks", "hookimpl"), "hooks"),
        **dict.fromkeys(("KernelDescription", "KernelRecording", "KernelTimes"), "profiling"),
    })
