"""Slices as the documents print them, and meshes over them."""

from __future__ import annotations

import numpy as np
import pytest

import olympus
from olympus.experimental import aot
from olympus_core.errors import NotSupportedError

from .libtpu import needed

# What document 000 prints for `jax.devices()` on a slice of 16, to the letter.
PRINTED = (
    "[TpuDevice(id=0, process_index=0, coords=(0,0,0), core_on_chip=0), "
    "TpuDevice(id=1, process_index=0, coords=(1,0,0), core_on_chip=0), "
    "TpuDevice(id=4, process_index=0, coords=(0,1,0), core_on_chip=0), "
    "TpuDevice(id=5, process_index=0, coords=(1,1,0), core_on_chip=0), "
    "TpuDevice(id=2, process_index=1, coords=(2,0,0), core_on_chip=0), "
    "TpuDevice(id=3, process_index=1, coords=(3,0,0), core_on_chip=0), "
    "TpuDevice(id=6, process_index=1, coords=(2,1,0), core_on_chip=0), "
    "TpuDevice(id=7, process_index=1, coords=(3,1,0), core_on_chip=0), "
    "TpuDevice(id=8, process_index=2, coords=(0,2,0), core_on_chip=0), "
    "TpuDevice(id=9, process_index=2, coords=(1,2,0), core_on_chip=0), "
    "TpuDevice(id=12, process_index=2, coords=(0,3,0), core_on_chip=0), "
    "TpuDevice(id=13, process_index=2, coords=(1,3,0), core_on_chip=0), "
    "TpuDevice(id=10, process_index=3, coords=(2,2,0), core_on_chip=0), "
    "TpuDevice(id=11, process_index=3, coords=(3,2,0), core_on_chip=0), "
    "TpuDevice(id=14, process_index=3, coords=(2,3,0), core_on_chip=0), "
    "TpuDevice(id=15, process_index=3, coords=(3,3,0), core_on_chip=0)]"
)


@pytest.mark.parametrize("name", ["v5e:4x4", "v5litepod-16"])
def test_the_list_of_the_documents(name: str) -> None:
    needed()
    devices = aot.devices(name, processes=4)
    assert repr(devices) == PRINTED
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
