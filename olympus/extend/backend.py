# SPDX-License-Identifier: Apache-2.0
"""Platforms as objects: what libraries ask of a backend."""

from __future__ import annotations

from olympus_core.deferred import listed
from olympus_core.placement import Device

from ..devices import devices, local_devices, process_index

__all__ = ["Backend", "backends", "get_backend", "get_default_device"]
__dir__ = listed(__all__)


class Backend:
    """A platform with its devices; made by `get_backend`.

    Args:
        platform: Its name.
    """

    def __init__(self, platform: str) -> None:
        self.platform = platform
        self.platform_version = platform
        self.runtime_type = "olympus"

    def devices(self) -> list[Device]:
        """Its devices, of all processes."""
        return devices(self.platform)

    def local_devices(self) -> list[Device]:
        """Its devices of this process."""
        return local_devices(backend=self.platform)

    def device_count(self) -> int:
        """How many devices it has."""
        return len(self.devices())

    def local_device_count(self) -> int:
        """How many of them are this process's."""
        return len(self.local_devices())

    def process_index(self) -> int:
        """This process's number."""
        return process_index()

    def __repr__(self) -> str:
        return f"Backend({self.platform!r})"


def get_backend(platform: str | Backend | None = None) -> Backend:
    """A platform with its devices.

    Args:
        platform: Its name; None for the default one.

    Raises:
        PlatformError: There is no such platform, or it has no devices.

    Example:
        >>> import olympus
        >>> from olympus.extend import backend
        >>> backend.get_backend("cpu").device_count() == len(olympus.devices("cpu"))
        True
    """
    if isinstance(platform, Backend):
        return platform
    return Backend(devices(platform)[0].platform)


def backends() -> dict[str, Backend]:
    """The platforms that have devices here, by name.

    Example:
        >>> from olympus.extend import backend
        >>> "cpu" in backend.backends()
        True
    """
    found = dict.fromkeys(device.platform for device in (*devices(), *devices("cpu")))
    return {name: Backend(name) for name in found}


def get_default_device() -> Device:
    """The device where arrays go that nothing is said of.

    Example:
        >>> from olympus.extend import backend
        >>> backend.get_default_device().id
        0
    """
    from olympus_core.config import config

    chosen = config.default_device
    if chosen is None:
        return local_devices()[0]
    return local_devices(backend=chosen)[0] if isinstance(chosen, str) else chosen
