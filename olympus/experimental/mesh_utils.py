# SPDX-License-Identifier: Apache-2.0
"""Device grids for meshes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError
from olympus_core.placement import create_device_mesh as _create_device_mesh

from ..devices import devices_given

__all__ = ["create_device_mesh", "create_hybrid_device_mesh"]
__dir__ = listed(__all__)


def create_device_mesh(mesh_shape: Sequence[int], devices: Sequence[Any] | None = None, **kwargs: Any) -> np.ndarray:
    """An array of devices of the given shape, in an order that follows their wiring.

    Args:
        mesh_shape: Size of each axis.
        devices: The devices; all of all processes when left out.
        **kwargs: Accepted for compatibility.

    Example:
        >>> from olympus.experimental import mesh_utils
        >>> mesh_utils.create_device_mesh((4, 2)).shape
        (4, 2)
    """
    return _create_device_mesh(mesh_shape, devices_given("create_device_mesh", devices))


def create_hybrid_device_mesh(
    mesh_shape: Sequence[int], dcn_mesh_shape: Sequence[int], devices: Sequence[Any] | None = None, *,
    process_is_granule: bool = False, should_sort_granules_by_key: bool = True,
    allow_split_physical_axes: bool = False,
) -> np.ndarray:
    """An array of devices for machines whose parts (slices, or processes) are joined by a slower network.

    Along each axis the parts come first, as blocks, and each block is a grid of one part's devices.

    Args:
        mesh_shape: Size of each axis within a part.
        dcn_mesh_shape: Number of parts along each axis.
        devices: The devices; all of all processes when left out.
        process_is_granule: A part is a process; otherwise the devices with one `slice_index`.
        should_sort_granules_by_key: Order the parts by their numbers, instead of as they come.
        allow_split_physical_axes: Whether two mesh axes may share one side of a part's torus.

    Returns:
        The devices, of shape `mesh_shape` times `dcn_mesh_shape`.

    Raises:
        ArgumentError: When the devices do not say in which part they are, or there is another number of parts.
        DeviceCountError: When a part has another number of devices.

    Example:
        >>> from olympus.experimental import mesh_utils
        >>> mesh_utils.create_hybrid_device_mesh((4, 2), (1, 1), process_is_granule=True).shape
        (4, 2)
    """
    function = "create_hybrid_device_mesh"
    found = devices_given(function, devices)
    key = "process_index" if process_is_granule else "slice_index"
    if not all(hasattr(device, key) for device in found):
        raise ArgumentError(function, f"the devices have no attribute {key}", f"{found[0]}", "devices of slices",
                            "Pass process_is_granule=True: a part is a process then.")
    parts: dict[int, list[Any]] = {}
    for device in found:
        parts.setdefault(getattr(device, key), []).append(device)
    numbers = sorted(parts) if should_sort_granules_by_key else list(parts)
    if len(mesh_shape) != len(dcn_mesh_shape) or math.prod(dcn_mesh_shape) != len(numbers):
        raise ArgumentError(function, "dcn_mesh_shape does not fit the parts", tuple(dcn_mesh_shape),
                            f"{len(mesh_shape)} sizes whose product is {len(numbers)}, the number of parts")
    grids = [_create_device_mesh(mesh_shape, parts[number], allow_split_physical_axes=allow_split_physical_axes)
             for number in numbers]
    outer = np.empty(len(grids), dtype=object)
    outer[:] = grids
    return np.asarray(np.block(outer.reshape(tuple(dcn_mesh_shape)).tolist()), dtype=object)
