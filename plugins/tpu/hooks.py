# SPDX-License-Identifier: Apache-2.0
"""The hook of the platform, named by its entry point; importing this module is cheap."""

from __future__ import annotations

from olympus_core.plugin import Platform, hookimpl


@hookimpl
def olympus_platform() -> Platform:
    """The TPUs of this machine."""
    from .platform import TpuPlatform

    return TpuPlatform()
