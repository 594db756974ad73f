# SPDX-License-Identifier: Apache-2.0
"""Devices that no platform owns, and strategies for meshes and specs over them."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
from hypothesis import strategies as st

from olympus_core.placement import Mesh, PartitionSpec
from olympus_core.plugin import Device, DeviceDescription


@cache
def plain(count: int, platform: str = "cpu", local: int | None = None) -> tuple[Device, ...]:
    """Devices without coordinates; the first `local` of them (all by default) are this process's."""
    here = count if local is None else local
    facts = {"family": "gpu"} if platform == "cuda" else {}
    return tuple(
        Device(
            DeviceDescription(i, platform, f"{platform}_{i}", f"{platform}(id={i})", facts), platform=platform,
            process_index=0 if i < here else 1, local_index=i if i < here else i - here, is_addressable=i < here,
        )
        for i in range(count)
    )


def chip(id: int, coords: tuple[int, ...], *, process: int = 0, core: int = 0, here: int = 0) -> Device:
    """A TPU device with its place on the torus."""
    inside = ",".join(map(str, coords))
    description = DeviceDescription(
        id, "TPU v5 lite", f"TPU_{id}(process={process},({inside},{core}))",
        f"TpuDevice(id={id}, process_index={process}, coords=({inside}), core_on_chip={core})",
        {"coords": coords, "core_on_chip": core},
    )
    return Device(description, platform="tpu", process_index=process, local_index=0, is_addressable=process == here)


@cache
def slice_of_16() -> tuple[Device, ...]:
    """A slice of 4x4 chips over four processes, listed process by process, as the documents print it."""
    listed = []
    for process, (y, x) in enumerate(itertools.product((0, 2), (0, 2))):
        for dy, dx in itertools.product((0, 1), (0, 1)):
            listed.append(chip(4 * (y + dy) + x + dx, (x + dx, y + dy, 0), process=process))
    return tuple(listed)


def box_of_chips(sides: tuple[int, ...]) -> list[Device]:
    """Chips that fill a box, the first coordinate fastest."""
    points = itertools.product(*(range(n) for n in reversed(sides)))
    return [chip(i, tuple(reversed(point))) for i, point in enumerate(points)]


@st.composite
def meshes(draw: st.DrawFn, names: str = "xyz") -> Mesh:
    """Meshes of up to 12 devices, in any order."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3).filter(lambda s: np.prod(s) <= 12))
    listed = draw(st.permutations(plain(12)))[:int(np.prod(sizes))]
    return Mesh(np.array(listed, dtype=object).reshape(sizes), tuple(names[:len(sizes)]))


@st.composite
def specs(draw: st.DrawFn, mesh: Mesh, ndim: int) -> PartitionSpec:
    """Specs over some of a mesh's axes for arrays of `ndim` dimensions."""
    axes = draw(st.permutations(mesh.axis_names))
    used = axes[:draw(st.integers(0, len(axes)))]
    entries: list[list[str]] = [[] for _ in range(ndim)]
    for axis in used if ndim else ():
        entries[draw(st.integers(0, ndim - 1))].append(axis)
    return PartitionSpec(*[tuple(e) if len(e) > 1 else e[0] if e else None for e in entries])
