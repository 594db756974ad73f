# SPDX-License-Identifier: Apache-2.0
"""The documents' texts of a TPU slice, character by character, with devices that no platform owns."""

from __future__ import annotations

import numpy as np
import pytest

from olympus.visualize import sharding_text
from olympus_core.placement import AxisType, Mesh, NamedSharding, make_mesh
from olympus_core.placement import PartitionSpec as P
from tests.placement.devices import slice_of_16
from tests.support.listings import SLICE_OF_16

# The introduction to several processes, "Meshes, shardings, and computations can span processes and hosts".
ONE_AXIS = """\
┌───────────────────────┐
│         TPU 0         │
├───────────────────────┤
│         TPU 1         │
├───────────────────────┤
│         TPU 4         │
├───────────────────────┤
│         TPU 5         │
├───────────────────────┤
│         TPU 2         │
├───────────────────────┤
│         TPU 3         │
├───────────────────────┤
│         TPU 6         │
├───────────────────────┤
│         TPU 7         │
├───────────────────────┤
│         TPU 8         │
├───────────────────────┤
│         TPU 9         │
├───────────────────────┤
│        TPU 12         │
├───────────────────────┤
│        TPU 13         │
├───────────────────────┤
│        TPU 10         │
├───────────────────────┤
│        TPU 11         │
├───────────────────────┤
│        TPU 14         │
├───────────────────────┤
│        TPU 15         │
└───────────────────────┘"""
PAIRS = """\
┌───────────────────────┐
│        TPU 0,1        │
├───────────────────────┤
│        TPU 4,5        │
├───────────────────────┤
│        TPU 8,9        │
├───────────────────────┤
│       TPU 12,13       │
├───────────────────────┤
│        TPU 2,3        │
├───────────────────────┤
│        TPU 6,7        │
├───────────────────────┤
│       TPU 10,11       │
├───────────────────────┤
│       TPU 14,15       │
└───────────────────────┘"""
# The introduction to several processes, "Running on a subset of devices".
HALF = """\
┌───────────────────────┐
│         TPU 8         │
├───────────────────────┤
│         TPU 9         │
├───────────────────────┤
│        TPU 10         │
├───────────────────────┤
│        TPU 11         │
├───────────────────────┤
│        TPU 15         │
├───────────────────────┤
│        TPU 14         │
├───────────────────────┤
│        TPU 13         │
├───────────────────────┤
│        TPU 12         │
└───────────────────────┘"""
THIRD_PROCESS = """\
device TPU_10(process=3,(2,2,0,0)) has local data [[16 17 18 19 20 21 22 23]]
device TPU_11(process=3,(3,2,0,0)) has local data [[24 25 26 27 28 29 30 31]]
device TPU_15(process=3,(3,3,0,0)) has local data [[32 33 34 35 36 37 38 39]]
device TPU_14(process=3,(2,3,0,0)) has local data [[40 41 42 43 44 45 46 47]]"""


def test_list_of_devices() -> None:
    assert str(list(slice_of_16())) == SLICE_OF_16


@pytest.mark.parametrize("mesh", [
    # What Mesh and make_mesh give for one axis is the same, as the document says.
    Mesh(slice_of_16(), ("a",)),
    make_mesh((16,), ("a",), devices=slice_of_16()),
])
def test_global_mesh(mesh: Mesh) -> None:
    assert sharding_text((32, 32), NamedSharding(mesh, P("a"))) == ONE_AXIS


def test_matmul() -> None:
    mesh = make_mesh((8, 2), ("a", "b"), devices=slice_of_16())
    sharding = NamedSharding(mesh, P("a"))
    assert sharding_text((4096, 4096), sharding) == PAIRS
    assert str(sharding) == (
        "NamedSharding(mesh=Mesh('a': 8, 'b': 2), spec=PartitionSpec('a',), memory_kind=device)")


def test_subset_of_devices() -> None:
    mesh = make_mesh((8,), ("a",), devices=slice_of_16()[8:], axis_types=(AxisType.Explicit,))
    sharding = NamedSharding(mesh, P("a"))
    assert sharding_text((8, 8), sharding) == HALF
    assert str(sharding) == (
        "NamedSharding(mesh=Mesh('a': 8, axis_types=(Explicit,)), spec=PartitionSpec('a',), memory_kind=device)")
    data = np.arange(64).reshape((8, 8))
    lines = [
        f"device {device} has local data {data[index]}"
        for device, index in sharding.devices_indices_map((8, 8)).items() if device.process_index == 3
    ]
    assert "\n".join(lines) == THIRD_PROCESS
