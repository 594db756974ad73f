"""The platform: whether a driver is there, and opening it."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from olympus_core.plugin import PlatformSettings, Probe

if TYPE_CHECKING:
    from .client import OpenClClient


class OpenClPlatform:
    """The OpenCL devices that this machine's drivers show."""

    name = "opencl"
    aliases: tuple[str, ...] = ()
    priority = -1
    api_version = (1, 0)

    def probe(self) -> Probe:
        """Whether PyOpenCL and the registration of a driver are there; loads neither."""
        spec = importlib.util.find_spec("pyopencl")
        if spec is None or spec.origin is None:
            return Probe(False, "PyOpenCL is not installed: pip install pyopencl")
        found = sorted({path.stem for path in _registrations(Path(spec.origin).parent)})
        if not found:
            return Probe(False, "no OpenCL driver is registered: install your device's, or pip install "
                                "pocl-binary-distribution for one that runs on processors")
        return Probe(True, f"OpenCL driver{'s' if len(found) > 1 else ''} {', '.join(found)}")

    def open(self, settings: PlatformSettings) -> OpenClClient:
        """Opens the devices."""
        from .client import OpenClClient

        return OpenClClient(settings)


def _registrations(package: Path) -> Iterator[Path]:
    """The files by which drivers are registered: with the system, and beside PyOpenCL."""
    vendors = os.environ.get("OCL_ICD_VENDORS", "/etc/OpenCL/vendors")
    for folder in (Path(vendors), package / ".libs"):
        if folder.suffix == ".icd":
            yield from (path for path in (folder,) if path.exists())
        elif folder.is_dir():
            yield from folder.glob("*.icd")
