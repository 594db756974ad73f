# SPDX-License-Identifier: Apache-2.0
"""The module that the CPU platform's entry point names; importing it is cheap."""

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
