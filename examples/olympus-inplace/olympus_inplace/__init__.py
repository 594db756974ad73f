"""The platform inplace for olympus: a small compiler, its buffers, its client."""

from __future__ import annotations

from olympus_core.plugin import Platform, hookimpl


@hookimpl
def olympus_platform() -> Platform:
    """Called once by olympus; nothing heavy is imported before."""
    from .platform import InplacePlatform

    return InplacePlatform()
