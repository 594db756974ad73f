# SPDX-License-Identifier: Apache-2.0
"""Slices as the documents print them, and meshes over them."""

from __future__ import annotations

import numpy as np
import pytest

import olympus
from olympus.experimental import aot
from olympus_core.errors import NotSupportedError
from tests.support.listings import SLICE_OF_16

from .libtpu import needed


@pytest.mark.parametrize("name", ["v5e:4x4", "v5litepod-16"])
def test_the_list_of_the_documents(name: str) -> None:
    needed()
    devices = aot.devices(name, processes=4)
    assert repr(devices) == SLICE_OF_16
    tenth = next(d for d in devices if d.id == 10)
    assert str(tenth) == "TPU_10(process=3,(2,2,0,0))"
    assert (tenth.process_index, tuple(tenth.coords), tenth.core_on_chip, tenth.platform) == (3, (2, 2, 0), 0, "tpu")
    assert not any(d.is_addressable for d in devices)
    assert [d.local_index for d in devices] == [0, 1, 2, 3] * 4


def steps(a: olympus.Device, b: olympus.Device, sides: tuple[int, ...]) -> int:
    """How far apart two chips are on the torus."""
    return sum(min(abs(p - q), n - abs(p - q)) for p, q, n in zip(a.coords, b.coords, sides, strict=True))


@pytest.mark.parametrize(("slice_name", "shape", "sides"), [
    ("v5e:2x4", (8,), (2, 4, 1)), ("v5e:2x4", (2, 4), (2, 4, 1)), ("v5e:2x4", (4, 2), (2, 4, 1)),
    ("v5e:4x4", (4, 4), (4, 4, 1)), ("v4-128", (4, 4, 4), (4, 4, 4)), ("v4-128", (4, 4, 4), (4, 4, 4)),
])
def test_rings_are_contiguous(slice_name: str, shape: tuple[int, ...], sides: tuple[int, ...]) -> None:
    needed()
    names = tuple("abc")[: len(shape)]
    grid = olympus.make_mesh(shape, names, devices=aot.devices(slice_name)).devices
    assert len(set(grid.flat)) == grid.size
    for axis in range(grid.ndim):
        after = np.roll(grid, -1, axis=axis)
        assert {steps(a, b, sides) for a, b in zip(grid.flat, after.flat, strict=True)} == {1}


def test_the_order_of_the_documents() -> None:
    needed()
    mesh = olympus.make_mesh((8, 2), ("a", "b"), devices=aot.devices("v5e:4x4"))
    assert mesh.device_ids.tolist() == [[0, 1], [4, 5], [8, 9], [12, 13], [2, 3], [6, 7], [10, 11], [14, 15]]


def test_nothing_is_put_on_devices_that_are_not_there() -> None:
    needed()
    sharding = olympus.sharding.NamedSharding(
        olympus.make_mesh((4,), ("a",), devices=aot.devices("v5e:2x2")), olympus.sharding.PartitionSpec("a"))
    assert not sharding.is_fully_addressable and sharding.local_positions == ()


def test_another_number_of_processes() -> None:
    needed()
    with pytest.raises(ValueError, match="number of processes"):
        aot.devices("v5e:4x4", processes=2)


def test_no_platform_of_that_name() -> None:
    with pytest.raises(NotSupportedError, match="abacus"):
        aot.devices("v5e:2x2", platform="abacus")
