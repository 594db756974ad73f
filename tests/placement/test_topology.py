# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core.errors import AxisTypesError, DeviceCountError, MeshNamesError, MeshSizesError, SplitAxisError
from olympus_core.placement import AxisType, create_device_mesh, device_grid, make_mesh
from olympus_core.placement.topology import ring_order

from .devices import box_of_chips, chip, plain, slice_of_16


def ids(grid: np.ndarray) -> list:
    return np.vectorize(lambda d: d.id, otypes=[int])(grid).tolist()


def is_step(a: tuple[int, ...], b: tuple[int, ...], sides: tuple[int, ...]) -> bool:
    """Whether two places differ by one step along one side of a torus."""
    moved = [(p - q) % n for p, q, n in zip(a, b, sides, strict=True) if p != q]
    sizes = [n for p, q, n in zip(a, b, sides, strict=True) if p != q]
    return len(moved) == 1 and moved[0] in (1, sizes[0] - 1)


def test_device_text_of_the_documents() -> None:
    device = next(d for d in slice_of_16() if d.id == 10)
    assert str(device) == "TPU_10(process=3,(2,2,0,0))"
    assert repr(device) == "TpuDevice(id=10, process_index=3, coords=(2,2,0), core_on_chip=0)"
    assert [d.id for d in slice_of_16()] == [0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15]


def test_one_axis_over_the_slice_keeps_the_listed_order() -> None:
    mesh = make_mesh((16,), ("a",), devices=slice_of_16())
    assert mesh.device_ids.tolist() == [0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15]


def test_half_of_the_slice_is_a_ring() -> None:
    mesh = make_mesh((8,), ("a",), devices=slice_of_16()[8:], axis_types=(AxisType.Explicit,))
    assert mesh.device_ids.tolist() == [8, 9, 10, 11, 15, 14, 13, 12]
    assert repr(mesh) == "Mesh('a': 8, axis_types=(Explicit,))"


def test_two_axes_over_the_slice_share_a_side() -> None:
    mesh = make_mesh((8, 2), ("a", "b"), devices=slice_of_16())
    assert mesh.device_ids.tolist() == [
        [0, 1], [4, 5], [8, 9], [12, 13], [2, 3], [6, 7], [10, 11], [14, 15],
    ]
    assert repr(mesh) == "Mesh('a': 8, 'b': 2)"


def test_axes_as_long_as_the_sides_are_the_sides() -> None:
    grid = device_grid((4, 4), slice_of_16())
    for line in [*grid, *grid.T]:
        assert all(is_step(a.coords, b.coords, (4, 4, 1)) for a, b in zip(line, np.roll(line, 1), strict=True))


@pytest.mark.parametrize("sides", [(2, 2), (4, 2), (2, 4), (2, 2, 2), (3, 2), (4, 2, 4), (5, 3, 2), (2, 8)])
def test_ring_order_is_a_closed_walk_of_steps(sides: tuple[int, ...]) -> None:
    order = ring_order(sides)
    assert sorted(order) == list(range(math.prod(sides)))
    places = [tuple(int(i) for i in np.unravel_index(n, sides)) for n in order]
    for a, b in itertools.pairwise([*places, places[0]]):
        assert sum(abs(p - q) for p, q in zip(a, b, strict=True)) == (1 if a != b else 0)


@pytest.mark.parametrize(
    ("sides", "expected"),
    [((2, 2, 1), [0, 1, 3, 2]), ((4, 2, 1), [0, 1, 2, 3, 7, 6, 5, 4]), ((2, 2, 2), [0, 1, 3, 2, 6, 7, 5, 4])],
)
def test_rings_through_trays(sides: tuple[int, ...], expected: list[int]) -> None:
    assert ids(device_grid((len(expected),), box_of_chips(sides))) == expected


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_every_device_stands_once(data: st.DataObject) -> None:
    sides = data.draw(st.tuples(*[st.sampled_from([1, 2, 3, 4])] * 3))
    devices = data.draw(st.permutations(box_of_chips(sides)))
    rest, shape = len(devices), []
    while rest > 1:
        shape.append(data.draw(st.sampled_from([k for k in range(1, rest + 1) if rest % k == 0])))
        rest //= shape[-1]
        if len(shape) == 4:
            shape.append(rest)
            break
    shape = shape or [1]
    grid = device_grid(shape, devices)
    assert grid.shape == tuple(shape)
    assert sorted(ids(grid.ravel())) == list(range(len(devices)))


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from([2, 3, 4, 5]), min_size=2, max_size=3), st.randoms(use_true_random=False))
def test_axes_made_of_whole_sides_step_along_them(sides: list[int], random: object) -> None:
    shape = list(sides)
    random.shuffle(shape)
    devices = box_of_chips(tuple(sides))
    grid = device_grid(shape, devices)
    for axis in range(grid.ndim):
        after = np.roll(grid, -1, axis=axis)
        assert all(is_step(a.coords, b.coords, tuple(sides)) for a, b in zip(grid.flat, after.flat, strict=True))


def test_cores_of_a_chip_are_a_side() -> None:
    devices = [chip(2 * x + core, (x, 0, 0), core=core) for x in range(4) for core in range(2)]
    assert ids(device_grid((4, 2), devices)) == [[0, 1], [2, 3], [4, 5], [6, 7]]


def test_devices_without_coordinates_keep_their_order() -> None:
    devices = plain(8)[::-1]
    assert ids(device_grid((4, 2), devices)) == [[7, 6], [5, 4], [3, 2], [1, 0]]


@pytest.mark.parametrize(
    "devices",
    [
        [chip(0, (0, 0, 0)), chip(1, (1, 0, 0)), chip(3, (1, 1, 0))],
        [chip(0, (0, 0, 0)), chip(1, (1, 0, 0)), chip(2, (0, 0, 0)), chip(3, (1, 0, 0))],
        [chip(0, (1, 0, 0)), chip(1, (0, 0))],
    ],
    ids=["hole", "two slices", "different coordinates"],
)
def test_devices_that_fill_no_box_keep_their_order(devices: list) -> None:
    assert ids(device_grid((len(devices),), devices)) == [d.id for d in devices]


def test_make_mesh_takes_the_first_devices() -> None:
    mesh = make_mesh((2, 2), ("x", "y"), devices=plain(8))
    assert mesh.flat_devices == plain(8)[:4]


def test_make_mesh_takes_a_plain_name_and_a_plain_size() -> None:
    assert make_mesh((8,), ("batch"), devices=plain(8)) is make_mesh(8, ("batch",), devices=list(plain(8)))
    assert make_mesh((4, 2), ("x", "y"), devices=plain(8), axis_types=AxisType.Explicit).axis_types == (
        AxisType.Explicit, AxisType.Explicit)


def test_make_mesh_errors_say_what_does_not_fit() -> None:
    with pytest.raises(DeviceCountError, match=r"shape \(4, 4\) needs 16 devices, and 8 were given") as info:
        make_mesh((4, 4), ("x", "y"), devices=plain(8))
    assert (info.value.needed, info.value.available) == (16, 8)
    with pytest.raises(MeshNamesError, match="2 axis names"):
        make_mesh((4, 2), ("x",), devices=plain(8))
    with pytest.raises(MeshNamesError):
        make_mesh((4, 2), "xy", devices=plain(8))
    with pytest.raises(AxisTypesError, match="2 of AxisType.Auto"):
        make_mesh((4, 2), ("x", "y"), devices=plain(8), axis_types=(AxisType.Auto,))
    for sizes in ((0, 2), (-1, 2), (2.0, 2), None):
        with pytest.raises(MeshSizesError):
            make_mesh(sizes, ("x", "y"), devices=plain(8))


def test_create_device_mesh_needs_the_exact_number() -> None:
    assert ids(create_device_mesh((4, 2), plain(8))) == [[0, 1], [2, 3], [4, 5], [6, 7]]
    with pytest.raises(DeviceCountError):
        create_device_mesh((2, 2), plain(8))


def test_create_device_mesh_can_refuse_to_split_a_side() -> None:
    with pytest.raises(SplitAxisError, match=r"sides \(4, 4\)"):
        create_device_mesh((8, 2), slice_of_16(), allow_split_physical_axes=False)
    assert create_device_mesh((4, 4), slice_of_16(), allow_split_physical_axes=False).shape == (4, 4)


def test_the_last_axis_leaves_whole_sides_to_the_others() -> None:
    # Taking both short sides would make the last axis a ring, and split the long side between the others.
    grid = device_grid((2, 2, 4), box_of_chips((4, 2, 2)))
    assert [d.coords for d in grid[1, 0]] == [(x, *grid[1, 0, 0].coords[1:]) for x in range(4)]
    # Where a whole assignment has several sides to offer, the last axis takes them all.
    assert {d.coords[0] for d in device_grid((4, 4), box_of_chips((4, 2, 2)))[0]} == {0}
