"""How olympus finds the CPU platform: the module that the entry point names. Importing it costs next to nothing."""

from __future__ import annotations

from collections.abc import Mapping

from olympus_core.plugin import Platform, TransportFactory, hookimpl


@hookimpl
def olympus_platform() -> Platform:
    """The CPU platform."""
    from .platform import CpuPlatform

    return CpuPlatform()


@hookimpl
def olympus_transports() -> Mapping[str, TransportFactory]:
    """The transports between processes that any platform may use."""
    from .transports.selection import TRANSPORTS

    return TRANSPORTS
