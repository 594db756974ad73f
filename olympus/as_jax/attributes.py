# SPDX-License-Identifier: Apache-2.0
"""Attributes of objects and modules that libraries of JAX rely on, and that are there once the door is open."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus import numpy
from olympus.tracing import is_evaluating
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


_reshaped = numpy.reshape


@functools.wraps(_reshaped)
def reshape(
    a: Any, shape: Sequence[int] | int, order: str = "C", *, copy: bool | None = None, out_sharding: Any = None
) -> Any:
    """Reshapes as `olympus.numpy` does, but a NumPy array stays one while a program is traced: Python looks at it."""
    if type(a) is np.ndarray and out_sharding is None and not is_evaluating():
        return a.reshape(shape, order=order)  # type: ignore[call-overload]
    return _reshaped(a, shape, order, copy=copy, out_sharding=out_sharding)


_ATTRIBUTES = (
    (Device, "client", _client),
    (Sharding, "_device_assignment", _assignment),
    (Sharding, "_addressable_device_assignment", _addressable_assignment),
)


def give_attributes() -> None:
    """Gives the classes and modules their attributes."""
    numpy.reshape = reshape
    for cls, name, getter in _ATTRIBUTES:
        setattr(cls, name, property(getter))
