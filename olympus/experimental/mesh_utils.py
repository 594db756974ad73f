"""Device grids for meshes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core.deferred import listed
from olympus_core.placement import create_device_mesh as _create_device_mesh

from ..devices import devices_given

__all__ = ["create_device_mesh"]
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
