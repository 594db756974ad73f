# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest

from olympus_core.errors import (
    AbstractMeshError,
    AxisTypesError,
    FrozenError,
    MeshError,
    MeshNamesError,
    MeshSizesError,
    RepeatedAxisError,
    RepeatedDeviceError,
    SpecEntryError,
)
from olympus_core.placement import UNCONSTRAINED, AbstractMesh, AxisType, Mesh, PartitionSpec, spec_of
from olympus_core.plugin import Device, DeviceDescription

from .devices import plain

GRID = np.array(plain(8), dtype=object).reshape(4, 2)


def test_texts_of_the_documents() -> None:
    assert repr(Mesh(np.array(plain(16), dtype=object).reshape(8, 2), ("a", "b"))) == "Mesh('a': 8, 'b': 2)"
    assert repr(Mesh(list(plain(8)), ("a",), AxisType.Explicit)) == "Mesh('a': 8, axis_types=(Explicit,))"
    assert repr(PartitionSpec("a")) == "PartitionSpec('a',)"
    assert repr(PartitionSpec(None, ("x", "y"))) == "PartitionSpec(None, ('x', 'y'))"
    assert repr(PartitionSpec()) == "PartitionSpec()"


def test_equal_meshes_are_one_object() -> None:
    first = Mesh(GRID, ("x", "y"))
    assert Mesh(GRID.tolist(), ["x", "y"], axis_types=AxisType.Auto) is first
    assert Mesh(GRID.T, ("x", "y")) != first
    assert Mesh(GRID, ("x", "z")) != first
    assert Mesh(GRID, ("x", "y"), axis_types=AxisType.Manual) != first
    assert copy.deepcopy({"mesh": first})["mesh"] is first and copy.copy(first) is first


def test_a_plain_list_and_a_plain_name_make_one_axis() -> None:
    mesh = Mesh(plain(8), "x")
    assert mesh.axis_names == ("x",) and mesh.shape == {"x": 8} and mesh.flat_devices == plain(8)


def test_facts_of_a_mesh() -> None:
    devices = plain(6, local=2)
    mesh = Mesh(np.array(devices, dtype=object).reshape(3, 2), ("x", "y"))
    assert list(mesh.shape.items()) == [("x", 3), ("y", 2)]
    assert (mesh.size, mesh.axis_sizes, mesh.empty, mesh.is_multi_process) == (6, (3, 2), False, True)
    assert mesh.device_ids.tolist() == [[0, 1], [2, 3], [4, 5]]
    assert mesh.local_devices == list(devices[:2])
    assert [mesh.position(d) for d in devices] == list(range(6))
    assert mesh.parts(("y", "x")) == 6 and mesh.parts(()) == 1
    assert mesh.abstract_mesh == AbstractMesh((3, 2), ("x", "y"))


def test_a_mesh_is_immutable() -> None:
    mesh = Mesh(GRID, ("x", "y"))
    with pytest.raises(FrozenError, match="A Mesh cannot be changed"):
        mesh.axis_names = ("a", "b")
    with pytest.raises(AttributeError):
        del mesh.devices
    with pytest.raises(ValueError, match="read-only"):
        mesh.devices[0, 0] = mesh.devices[1, 0]
    with pytest.raises(FrozenError):
        PartitionSpec("x").canonical = ()
    GRID[0, 0], GRID[0, 1] = GRID[0, 1], GRID[0, 0]
    try:
        assert mesh.devices[0, 0] is plain(8)[0]
    finally:
        GRID[0, 0], GRID[0, 1] = GRID[0, 1], GRID[0, 0]


def test_a_forgotten_mesh_lets_its_devices_go() -> None:
    class Watched(Device):
        __slots__ = ("__weakref__",)

    device = Watched(DeviceDescription(0, "cpu", "c", "c"), platform="cpu", process_index=0, local_index=0,
                     is_addressable=True)
    seen = weakref.ref(device)
    mesh = Mesh([device], ("x",))
    del device, mesh
    gc.collect()
    assert seen() is None


@pytest.mark.parametrize(
    ("devices", "names", "types", "error"),
    [
        (GRID, ("x",), None, MeshNamesError),
        (GRID, ("x", "x"), None, MeshNamesError),
        (GRID, ("x", ""), None, MeshNamesError),
        (GRID, ("x", 1), None, MeshNamesError),
        (GRID, ("x", "y"), (AxisType.Auto,), AxisTypesError),
        (GRID, ("x", "y"), ("Auto", "Auto"), AxisTypesError),
        ([plain(8)[0]] * 2, ("x",), None, RepeatedDeviceError),
        ([], ("x",), None, MeshSizesError),
        ([plain(8)[:2], plain(8)[2:3]], ("x", "y"), None, MeshSizesError),
    ],
)
def test_mesh_errors(devices: object, names: object, types: object, error: type) -> None:
    with pytest.raises(error) as info:
        Mesh(devices, names, types)
    assert isinstance(info.value, MeshError) and isinstance(info.value, ValueError)
    assert "to do:" in str(info.value)


def test_abstract_mesh() -> None:
    mesh = AbstractMesh((4, 2), ("x", "y"), (AxisType.Explicit, AxisType.Auto))
    assert repr(mesh) == "AbstractMesh('x': 4, 'y': 2, axis_types=(Explicit, Auto))"
    assert mesh == AbstractMesh([4, 2], ["x", "y"], [AxisType.Explicit, AxisType.Auto])
    assert hash(mesh) == hash(copy.copy(mesh)) and mesh != AbstractMesh((4, 2), ("x", "y"))
    assert pickle.loads(pickle.dumps(mesh)) == mesh
    assert (mesh.size, mesh.shape["y"], mesh.parts(("x", "y")), mesh.abstract_mesh is mesh) == (8, 2, 8, True)
    with pytest.raises(AbstractMeshError, match="no devices"):
        mesh.devices
    with pytest.raises(MeshNamesError):
        AbstractMesh((4, 2), ("x",))
    with pytest.raises(MeshSizesError):
        AbstractMesh((4, 0), ("x", "y"))
    with pytest.raises(FrozenError):
        mesh.axis_names = ()


def test_specs_compare_without_trailing_whole_dimensions() -> None:
    assert PartitionSpec("x", None) == PartitionSpec("x") != PartitionSpec(None, "x")
    assert hash(PartitionSpec("x", None)) == hash(PartitionSpec("x"))
    assert PartitionSpec(("x",), ()) == PartitionSpec("x")
    assert PartitionSpec(("x", "y")) != PartitionSpec(("y", "x"))
    assert PartitionSpec(UNCONSTRAINED) != PartitionSpec()
    assert len(PartitionSpec("x", None)) == 2 and list(PartitionSpec("x", None)) == ["x", None]


def test_specs_survive_pickle() -> None:
    spec = PartitionSpec("x", PartitionSpec.UNCONSTRAINED, ("y", "z"))
    again = pickle.loads(pickle.dumps(spec))
    assert again == spec and again[1] is UNCONSTRAINED


def test_spec_of_is_the_inverse_of_dims() -> None:
    spec = PartitionSpec("x", None, ("y", "z"))
    assert spec.dims(4) == (("x",), (), ("y", "z"), ())
    assert spec_of(spec.dims(4)) == spec


def test_spec_errors() -> None:
    with pytest.raises(RepeatedAxisError, match="'x' stands more than once") as info:
        PartitionSpec("x", ("y", "x"))
    assert info.value.axes == ("x",)
    with pytest.raises(SpecEntryError) as entry:
        PartitionSpec(3)
    assert isinstance(entry.value, TypeError) and entry.value.entry == 3


def test_axes_by_type() -> None:
    mesh = AbstractMesh((4, 2), ("x", "y"), axis_types=(AxisType.Explicit, AxisType.Auto))
    assert (mesh.explicit_axes, mesh.auto_axes, mesh.manual_axes) == (("x",), ("y",), ())
    assert not mesh.are_all_axes_explicit and not mesh.are_all_axes_auto and mesh.has_explicit_axes
    explicit = mesh.update_axis_types({"y": AxisType.Explicit})
    assert explicit.are_all_axes_explicit and explicit.axis_sizes == (4, 2)
    assert explicit.update(axis_names=("a", "b")).explicit_axes == ("a", "b")
    assert not AbstractMesh((), ()).are_all_axes_auto
