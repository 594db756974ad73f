# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import copy
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core.errors import (
    AbstractMeshError,
    FrozenError,
    IndivisibleError,
    NotAMeshError,
    SpecRankError,
    UnknownAxisError,
)
from olympus_core.placement import (
    AbstractMesh,
    AxisType,
    Layout,
    Mesh,
    NamedSharding,
    Sharding,
    SingleDeviceSharding,
    make_mesh,
    sharding_of,
)
from olympus_core.placement import (
    PartitionSpec as P,
)

from .devices import meshes, plain, slice_of_16, specs

GRID = np.array(plain(8), dtype=object).reshape(4, 2)


def split_by_hand(shape: tuple[int, ...], mesh: Mesh, spec: P) -> dict:
    """What each device holds of an array of running numbers, split with `np.split` axis by axis."""
    held = {}
    for place in np.ndindex(mesh.devices.shape):
        part = np.arange(math.prod(shape)).reshape(shape)
        for dimension, entry in enumerate(spec):
            for axis in (entry,) if isinstance(entry, str) else entry or ():
                at = mesh.axis_names.index(axis)
                part = np.split(part, mesh.devices.shape[at], axis=dimension)[place[at]]
        held[mesh.devices[place]] = part
    return held


@st.composite
def cases(draw: st.DrawFn) -> tuple[tuple[int, ...], Mesh, P]:
    """A shape, a mesh, and a spec that divides the shape."""
    mesh = draw(meshes())
    ndim = draw(st.integers(0, 3))
    spec = draw(specs(mesh, ndim))
    shape = tuple(mesh.parts(axes) * draw(st.integers(0, 3)) for axes in spec.dims(ndim))
    return shape, mesh, spec


def test_texts_of_the_documents() -> None:
    mesh = make_mesh((8, 2), ("a", "b"), devices=slice_of_16())
    assert repr(NamedSharding(mesh, P("a"))) == (
        "NamedSharding(mesh=Mesh('a': 8, 'b': 2), spec=PartitionSpec('a',), memory_kind=device)")
    half = make_mesh((8,), ("a",), devices=slice_of_16()[8:], axis_types=(AxisType.Explicit,))
    assert str(NamedSharding(half, P("a"))) == (
        "NamedSharding(mesh=Mesh('a': 8, axis_types=(Explicit,)), spec=PartitionSpec('a',), memory_kind=device)")
    assert repr(SingleDeviceSharding(plain(1)[0])) == "SingleDeviceSharding(device=cpu(id=0), memory_kind=device)"


def test_indices_of_the_documents() -> None:
    # The example of eight shards along the first of two dimensions.
    sharding = NamedSharding(Mesh(plain(8, "cuda"), "x"), P("x"))
    assert sharding.devices_indices_map((1024, 128))[plain(8, "cuda")[3]] == (slice(384, 512, None), slice(None))


def test_shards_of_the_subset_example() -> None:
    half = make_mesh((8,), ("a",), devices=slice_of_16()[8:])
    held = NamedSharding(half, P("a")).devices_indices_map((8, 8))
    data = np.arange(64).reshape(8, 8)
    local = {str(d): data[index].tolist() for d, index in held.items() if d.process_index == 3}
    assert list(local) == ["TPU_10(process=3,(2,2,0,0))", "TPU_11(process=3,(3,2,0,0))",
                           "TPU_15(process=3,(3,3,0,0))", "TPU_14(process=3,(2,3,0,0))"]
    assert [rows[0][0] for rows in local.values()] == [16, 24, 32, 40]


@settings(deadline=None, max_examples=80)
@given(cases())
def test_indices_agree_with_numpy_split(case: tuple[tuple[int, ...], Mesh, P]) -> None:
    shape, mesh, spec = case
    sharding = NamedSharding(mesh, spec)
    value = np.arange(math.prod(shape)).reshape(shape)
    expected = split_by_hand(shape, mesh, spec)
    held = sharding.devices_indices_map(shape)
    assert list(held) == list(mesh.flat_devices)
    for device, index in held.items():
        np.testing.assert_array_equal(value[index], expected[device])
        assert value[index].shape == sharding.shard_shape(shape)


@settings(deadline=None, max_examples=80)
@given(cases())
def test_boxes_cover_every_element_equally_often(case: tuple[tuple[int, ...], Mesh, P]) -> None:
    shape, mesh, spec = case
    layout = NamedSharding(mesh, spec).layout(len(shape))
    times = np.zeros(shape, dtype=int)
    for box in layout.boxes(shape):
        times[tuple(slice(a, b) for a, b in box)] += 1
    assert (times == mesh.size // math.prod(layout.parts())).all()
    assert layout.is_replicated == (math.prod(layout.parts()) == 1)


@settings(deadline=None, max_examples=80)
@given(st.data())
def test_is_equivalent_to_agrees_with_brute_force(data: st.DataObject) -> None:
    first = data.draw(meshes())
    # The same devices in another shape or another order, so that equivalence happens often.
    sizes = data.draw(st.sampled_from([first.devices.shape, first.devices.shape[::-1], (first.size,)]))
    order = data.draw(st.sampled_from([first.flat_devices, first.flat_devices[::-1]]))
    second = Mesh(np.array(order, dtype=object).reshape(sizes), tuple("xyz"[:len(sizes)]))
    ndim = data.draw(st.integers(0, 2))
    a = NamedSharding(first, data.draw(specs(first, ndim)))
    b = NamedSharding(second, data.draw(specs(second, ndim)))
    # 12 elements for each device divide by whatever a spec over these meshes asks for.
    shape = (math.lcm(*range(1, 13)),) * ndim
    maps = [list(s.devices_indices_map(shape).items()) for s in (a, b)]
    assert a.is_equivalent_to(b, ndim) == (maps[0] == maps[1])
    assert a.is_equivalent_to(a, ndim)


def test_equivalent_shardings_need_not_be_equal() -> None:
    flat, grid = Mesh(plain(8), "x"), Mesh(GRID, ("x", "y"))
    assert NamedSharding(flat, P("x")).is_equivalent_to(NamedSharding(grid, P(("x", "y"))), 2)
    assert not NamedSharding(flat, P("x")).is_equivalent_to(NamedSharding(grid, P(("y", "x"))), 2)
    one = SingleDeviceSharding(plain(8)[0])
    assert one.is_equivalent_to(NamedSharding(Mesh([plain(8)[0]], "x"), P("x")), 1)
    assert one != NamedSharding(Mesh([plain(8)[0]], "x"), P("x"))


def test_major_axis_first() -> None:
    mesh = Mesh(GRID, ("x", "y"))
    first = [index[0].start for index in NamedSharding(mesh, P(("x", "y"))).devices_indices_map((8,)).values()]
    other = [index[0].start for index in NamedSharding(mesh, P(("y", "x"))).devices_indices_map((8,)).values()]
    assert first == [0, 1, 2, 3, 4, 5, 6, 7]
    assert other == [0, 4, 1, 5, 2, 6, 3, 7]


def test_facts_over_two_processes() -> None:
    devices = plain(8, local=4)
    sharding = NamedSharding(Mesh(np.array(devices, dtype=object).reshape(4, 2), ("x", "y")), P("x"))
    assert sharding.device_set == set(devices) and sharding.num_devices == 8
    assert sharding.addressable_devices == set(devices[:4]) and sharding.local_positions == (0, 1, 2, 3)
    assert not sharding.is_fully_addressable and not sharding.is_fully_replicated
    assert sharding.addressable_devices_indices_map((8,)) == {
        devices[0]: (slice(0, 2),), devices[1]: (slice(0, 2),), devices[2]: (slice(2, 4),), devices[3]: (slice(2, 4),)}
    assert sharding.with_spec(P()).is_fully_replicated
    assert SingleDeviceSharding(devices[0]).is_fully_addressable
    assert not SingleDeviceSharding(devices[7]).is_fully_addressable
    assert SingleDeviceSharding(devices[7]).is_fully_replicated


def test_equality_and_hash() -> None:
    mesh = Mesh(GRID, ("x", "y"))
    a, b = NamedSharding(mesh, P("x", None)), NamedSharding(mesh, P("x"))
    assert a == b and hash(a) == hash(b) and len({a, b, NamedSharding(mesh, P("y"))}) == 2
    assert a != NamedSharding(mesh, P("x"), memory_kind="pinned_host")
    d, e = plain(8)[:2]
    assert SingleDeviceSharding(d) == SingleDeviceSharding(d) != SingleDeviceSharding(e)
    assert len({SingleDeviceSharding(d), SingleDeviceSharding(d), SingleDeviceSharding(e)}) == 2
    assert copy.deepcopy(a) is a


def test_a_sharding_is_immutable() -> None:
    sharding = NamedSharding(Mesh(GRID, ("x", "y")), P("x"))
    with pytest.raises(FrozenError, match="NamedSharding"):
        sharding.spec = P("y")
    with pytest.raises(AttributeError):
        del sharding.mesh
    with pytest.raises(FrozenError):
        SingleDeviceSharding(plain(8)[0]).device = plain(8)[1]
    sharding.device_set.clear()
    assert len(sharding.device_set) == 8
    assert not sharding.layout(1).coordinates().flags.writeable
    sharding.layout(1).boxes((8,))[:] = 7
    assert sharding.layout(1).boxes((8,))[0].tolist() == [[0, 2]]


def test_a_single_device_takes_any_rank() -> None:
    sharding = SingleDeviceSharding(plain(8)[3])
    assert sharding.devices_indices_map((2, 3)) == {plain(8)[3]: (slice(None), slice(None))}
    assert sharding.devices_indices_map(()) == {plain(8)[3]: ()}
    assert sharding_of(sharding.layout(2)) == sharding


def test_sharding_of_gives_back_a_mesh_of_one_device() -> None:
    sharding = NamedSharding(Mesh([plain(8)[0]], "device"), P())
    assert sharding_of(sharding.layout(1)) == sharding
    both = NamedSharding(Mesh(GRID, ("x", "y")), P(None, ("y", "x")))
    assert sharding_of(both.layout(3)) == both


@pytest.mark.parametrize(("size", "nearest"), [(10, "8 or 12"), (3, "4"), (5, "4 or 8")])
def test_indivisible_gives_the_nearest_sizes(size: int, nearest: str) -> None:
    sharding = NamedSharding(Mesh(GRID, ("x", "y")), P(None, "x"))
    with pytest.raises(IndivisibleError) as info:
        sharding.shard_shape((6, size))
    error = info.value
    assert (error.shape, error.dimension, error.axes, error.parts) == ((6, size), 1, ("x",), 4)
    assert f"the nearest are {nearest}\n" in str(error)
    assert f"{size} is not a multiple of 4" in str(error) and "mesh axis 'x'" in str(error)


def test_indivisible_names_all_axes() -> None:
    sharding = NamedSharding(Mesh(GRID, ("x", "y")), P(("x", "y")))
    with pytest.raises(IndivisibleError, match="mesh axes 'x', 'y'"):
        sharding.devices_indices_map((12,))


def test_spec_errors_name_the_mesh() -> None:
    mesh = Mesh(GRID, ("x", "y"))
    with pytest.raises(UnknownAxisError, match="names axis 'z'") as info:
        NamedSharding(mesh, P("x", "z"))
    assert info.value.names == ("x", "y") and "Mesh('x': 4, 'y': 2)" in str(info.value)
    with pytest.raises(SpecRankError, match="2 entries, and the array 1 dimension"):
        NamedSharding(mesh, P("x", "y")).layout(1)
    assert NamedSharding(mesh, P("x", None)).layout(1).dims == (("x",),)
    with pytest.raises(NotAMeshError) as wrong:
        NamedSharding(P("x"), mesh)
    assert isinstance(wrong.value, TypeError)


def test_a_sharding_over_an_abstract_mesh_has_no_devices() -> None:
    sharding = NamedSharding(AbstractMesh((4, 2), ("x", "y")), P("x"))
    assert sharding.shard_shape((8, 2)) == (2, 2)
    assert sharding == NamedSharding(AbstractMesh((4, 2), ("x", "y")), P("x", None))
    with pytest.raises(AbstractMeshError):
        sharding.device_set


def test_a_kind_of_sharding_needs_its_layout() -> None:
    class Nothing(Sharding):
        pass

    with pytest.raises(TypeError, match="abstract"):
        Nothing()


def test_layouts_are_made_once() -> None:
    sharding = NamedSharding(Mesh(GRID, ("x", "y")), P("x"))
    assert sharding.layout(2) is sharding.layout(2)
    assert sharding.layout(2) == Layout(sharding.mesh, (("x",), ()))
