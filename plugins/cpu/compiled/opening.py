"""From the platform's settings to a maker of kernels."""

from __future__ import annotations

from olympus_core.plugin import PlatformSettings
from olympus_core.toolkit.dumps import Dump

from ..native.opening import open_native
from .kernels import KernelStore
from .maker import CpuMaker


def open_maker(settings: PlatformSettings) -> CpuMaker:
    """The maker of one client; loads and starts nothing before the first kernel."""
    cache = open_native(settings)
    return CpuMaker(KernelStore(cache, Dump(settings.dump_folder)))
