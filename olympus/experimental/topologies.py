# SPDX-License-Identifier: Apache-2.0
"""Topologies: the devices of machines that are there, or that programs are compiled for ahead of time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError
from olympus_core.placement import Mesh

from ..devices import devices
from . import aot, mesh_utils

__all__ = ["TopologyDescription", "get_attached_topology", "get_topology_desc", "make_mesh"]
__dir__ = listed(__all__)


class TopologyDescription:
    """The devices of a machine.

    Args:
        devices: The devices.

    Attributes:
        devices: The devices.

    Example:
        >>> import olympus
        >>> from olympus.experimental import topologies
        >>> topologies.TopologyDescription(olympus.devices()).devices == olympus.devices()
        True
    """

    def __init__(self, devices: Sequence[Any]) -> None:
        self.devices = list(devices)


def get_attached_topology(platform: str | None = None) -> TopologyDescription:
    """The devices that this job has.

    Args:
        platform: The platform; the first one when left out.

    Example:
        >>> from olympus.experimental import topologies
        >>> len(topologies.get_attached_topology().devices)
        8
    """
    return TopologyDescription(devices(platform))


def get_topology_desc(topology_name: str = "", platform: str | None = None, **kwargs: Any) -> TopologyDescription:
    """The devices of a machine that is not there, for `olympus.experimental.aot`.

    Args:
        topology_name: Its name, such as ``"v5e:4x4"``.
        platform: The platform that knows it; the first one that does when left out.
        **kwargs: None is known here: the name says all.

    Raises:
        ArgumentError: For a further argument.
        NotSupportedError: When no platform compiles ahead of time.

    Example:
        >>> from olympus.experimental import topologies
        >>> topologies.get_topology_desc("v5e:2x2", platform="abacus")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        olympus_core.errors.base.NotSupportedError: ...
    """
    if kwargs:
        raise ArgumentError("get_topology_desc", "an option of the topology is not known", ", ".join(sorted(kwargs)),
                            "a name that says all, such as 'v5e:4x4'")
    return TopologyDescription(aot.devices(topology_name, platform=platform))


def make_mesh(
    topo: TopologyDescription, mesh_shape: Sequence[int], axis_names: tuple[str, ...], *,
    contiguous_submeshes: bool = False,
) -> Mesh:
    """A mesh of a topology's devices.

    Args:
        topo: The topology.
        mesh_shape: How many devices each axis has.
        axis_names: The axes' names.
        contiguous_submeshes: As of `olympus.experimental.mesh_utils.create_device_mesh`.

    Example:
        >>> from olympus.experimental import topologies
        >>> topologies.make_mesh(topologies.get_attached_topology(), (4, 2), ("x", "y"))
        Mesh('x': 4, 'y': 2)
    """
    grid = mesh_utils.create_device_mesh(mesh_shape, topo.devices, contiguous_submeshes=contiguous_submeshes)
    return Mesh(grid, axis_names)
