# SPDX-License-Identifier: Apache-2.0
"""Attributes that libraries read from objects of JAX, and that the classes have once the door is open."""

from __future__ import annotations

from typing import Any

from olympus_core.placement import Device, Sharding


def _client(device: Device) -> Any:
    """The platform a device is of."""
    from olympus.extend.backend import get_backend

    return get_backend(device.platform)


def _assignment(sharding: Sharding) -> tuple[Device, ...]:
    """The devices in the order of their parts."""
    return tuple(sharding.devices)


def _addressable_assignment(sharding: Sharding) -> tuple[Device, ...]:
    """Those of them that are this process's."""
    return tuple(device for device in sharding.devices if device.is_addressable)


_ATTRIBUTES = (
    (Device, "client", _client),
    (Sharding, "_device_assignment", _assignment),
    (Sharding, "_addressable_device_assignment", _addressable_assignment),
)


def give_attributes() -> None:
    """Gives the classes their attributes."""
    for cls, name, getter in _ATTRIBUTES:
        setattr(cls, name, property(getter))
