"""The platform opencl for olympus: every OpenCL device, by fused kernels in OpenCL C."""

from __future__ import annotations

from olympus_core.plugin import Platform, hookimpl


@hookimpl
def olympus_platform() -> Platform:
    """Called once by olympus; PyOpenCL is imported when the platform is opened."""
    from .platform import OpenClPlatform

    return OpenClPlatform()
