# SPDX-License-Identifier: Apache-2.0
"""The devices and processes of the job."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from olympus_core.errors import ArgumentError, described
from olympus_core.placement import AxisType, Mesh
from olympus_core.placement import make_mesh as _make_mesh
from olympus_core.plugin import Device
from olympus_core.runtime import get_world

from .operands import integer, is_sequence


def _platform(function: str, backend: Any) -> Any:
    if backend is not None and not isinstance(backend, str):
        raise ArgumentError(function, "the platform is not a name", described(backend), "a name such as 'cpu'")
    return backend


def devices(backend: str | None = None) -> list[Device]:
    """All devices of all processes, in the same order everywhere.

    Args:
        backend: A platform's name, such as ``"cpu"``; the preferred one when left out.

    Example:
        >>> import olympus
        >>> olympus.devices()[:2]
        [CpuDevice(id=0), CpuDevice(id=1)]
    """
    return list(get_world().devices(_platform("devices", backend)))


def local_devices(
    process_index: int | None = None, backend: str | None = None, host_id: int | None = None
) -> list[Device]:
    """The devices of one process.

    Args:
        process_index: The process; this one when left out.
        backend: A platform's name; the preferred one when left out.
        host_id: The process, by the older name of `process_index`.

    Example:
        >>> import olympus
        >>> len(olympus.local_devices())
        8
    """
    world = get_world()
    process_index = host_id if process_index is None else process_index
    index = world.process_index if process_index is None else integer("local_devices", process_index, "the process")
    if not 0 <= index < world.process_count:
        raise ArgumentError("local_devices", "there is no such process", index, f"0 to {world.process_count - 1}")
    return [d for d in world.devices(_platform("local_devices", backend)) if d.process_index == index]


def device_count(backend: str | None = None) -> int:
    """Number of devices of all processes.

    Args:
        backend: A platform's name; the preferred one when left out.

    Example:
        >>> import olympus
        >>> olympus.device_count()
        8
    """
    return len(get_world().devices(_platform("device_count", backend)))


def local_device_count(backend: str | None = None) -> int:
    """Number of this process's devices.

    Args:
        backend: A platform's name; the preferred one when left out.

    Example:
        >>> import olympus
        >>> olympus.local_device_count()
        8
    """
    return len(local_devices(backend=backend))


def process_index(backend: str | None = None) -> int:
    """This process's index.

    Args:
        backend: Accepted for compatibility: processes are those of all platforms.

    Example:
        >>> import olympus
        >>> olympus.process_index()
        0
    """
    return get_world().process_index


def process_count(backend: str | None = None) -> int:
    """Number of processes.

    Args:
        backend: Accepted for compatibility: processes are those of all platforms.

    Example:
        >>> import olympus
        >>> olympus.process_count()
        1
    """
    return get_world().process_count


def process_indices(backend: str | None = None) -> list[int]:
    """Indices of all processes.

    Args:
        backend: Accepted for compatibility: processes are those of all platforms.

    Example:
        >>> import olympus
        >>> olympus.process_indices()
        [0]
    """
    return list(range(get_world().process_count))


def host_id(backend: str | None = None) -> int:
    """This process's index; the older name of `process_index`.

    Args:
        backend: Accepted for compatibility: processes are those of all platforms.

    Example:
        >>> import olympus
        >>> olympus.host_id()
        0
    """
    return process_index(backend)


def host_count(backend: str | None = None) -> int:
    """Number of processes; the older name of `process_count`.

    Args:
        backend: Accepted for compatibility: processes are those of all platforms.

    Example:
        >>> import olympus
        >>> olympus.host_count()
        1
    """
    return process_count(backend)


def host_ids(backend: str | None = None) -> list[int]:
    """Indices of all processes; the older name of `process_indices`.

    Args:
        backend: Accepted for compatibility: processes are those of all platforms.

    Example:
        >>> import olympus
        >>> olympus.host_ids()
        [0]
    """
    return process_indices(backend)


def default_backend() -> str:
    """Name of the preferred platform.

    Example:
        >>> import olympus
        >>> olympus.default_backend()
        'cpu'
    """
    return get_world().default_platform


def make_mesh(
    axis_shapes: Sequence[int], axis_names: str | Sequence[str], axis_types: Sequence[AxisType] | None = None, *,
    devices: Sequence[Any] | None = None,
) -> Mesh:
    """Arranges devices in a mesh, in an order that follows their wiring.

    Args:
        axis_shapes: Size of each axis.
        axis_names: Name of each axis; a plain string for one axis.
        axis_types: Type of each axis; `AxisType.Auto` when left out.
        devices: The devices; all devices of all processes when left out.

    Raises:
        MeshError: When the number of devices and the sizes do not fit.

    Example:
        >>> import olympus
        >>> olympus.make_mesh((4, 2), ("i", "j"))
        Mesh('i': 4, 'j': 2)
    """
    if not isinstance(axis_names, str) and not is_sequence(axis_names):
        raise ArgumentError("make_mesh", "the names of the axes are not a sequence", described(axis_names),
                            "a tuple of names; a plain string for one axis")
    if not isinstance(axis_types, (AxisType, type(None))) and not is_sequence(axis_types):
        raise ArgumentError("make_mesh", "the axis types are not a sequence", described(axis_types),
                            "an AxisType, or a tuple of them")
    chosen = devices_given("make_mesh", devices)
    return _make_mesh(axis_shapes, axis_names, devices=chosen, axis_types=axis_types)


def devices_given(function: str, given: Any) -> Sequence[Any]:
    """The devices of an argument that is a sequence of them; all devices of all processes for None."""
    if given is None:
        return get_world().devices()
    found = list(given) if is_sequence(given) else [given]
    if not all(hasattr(device, "platform") for device in found):
        raise ArgumentError(function, "the devices are not devices", described(given),
                            "a list of devices, such as olympus.devices()")
    return found
