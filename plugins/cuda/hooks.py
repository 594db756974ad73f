# SPDX-License-Identifier: Apache-2.0
"""The hook of the platform, named by its entry point; importing this module is cheap."""

from __future__ import annotations

from olympus_core.plugin import Platform, hookimpl


@hookimpl
def olympus_platform() -> Platform:
    """The GPUs of this machine."""
    from .platform import CudaPlatform

    return CudaPlatform()
