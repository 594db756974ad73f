# SPDX-License-Identifier: Apache-2.0
"""The PJRT C API in Python: any plugin's library, its topologies, devices, programs and buffers."""

from __future__ import annotations

from .buffer import DTYPES, NUMBERS, DeviceBuffer
from .client import Client, compile_ahead_of_time
from .devices import DeviceFacts, Topology
from .events import Event
from .executable import Executable, LoadedExecutable, OptimizedProgram
from .keyvalues import KeyValues
from .library import Library, load
from .options import compile_options
from .values import NamedValue

__all__ = [
    "DTYPES", "NUMBERS", "Client", "DeviceBuffer", "DeviceFacts", "Event", "Executable", "KeyValues", "Library",
    "LoadedExecutable", "NamedValue", "OptimizedProgram", "Topology", "compile_ahead_of_time", "compile_options",
    "load",
]
