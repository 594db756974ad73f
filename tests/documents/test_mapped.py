"""`xmap`, which document 004 describes in words: forms of its arguments, sizes, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

import olympus
from olympus import lax
from olympus.errors import ArgumentError, NotSupportedError
from olympus.experimental.maps import xmap

RESOURCES = {"i": "x", "j": "y"}


@pytest.fixture
def mesh() -> olympus.Mesh:
    return olympus.make_mesh((4, 2), ("x", "y"))


@pytest.mark.parametrize("in_axes", [{0: "i", 1: "j"}, ["i", "j", ...], {-2: "j", 0: "i"}])
def test_forms_of_axes(mesh: olympus.Mesh, in_axes: object) -> None:
    x = np.arange(24.0).reshape(4, 2, 3)
    f = xmap(lambda v: v * 2 + lax.axis_index("i"), in_axes=in_axes, out_axes={0: "i", -1: "j"},
             axis_resources=RESOURCES, mesh=mesh)
    np.testing.assert_array_equal(f(x), np.moveaxis(x * 2 + np.arange(4)[:, None, None], 1, 2))


def test_containers_and_one_name_along_two_axes(mesh: olympus.Mesh) -> None:
    def f(batch: dict[str, olympus.Array], scale: olympus.Array) -> tuple[olympus.Array, dict[str, olympus.Array]]:
        total = lax.psum(batch["a"] @ batch["b"], "i") * scale
        return total, {"n": batch["a"] * scale}

    a, b = np.arange(16.0).reshape(8, 2), np.ones((2, 8))
    mapped = olympus.xmap(f, in_axes=({"a": {0: "i"}, "b": {1: "i"}}, {}), out_axes=({}, {"n": {1: "i"}}),
                          axis_resources={"i": ("x", "y")}, mesh=mesh)
    total, rest = mapped({"a": a, "b": b}, 3.0)
    assert total.shape == () and float(total) == 3 * a.sum()
    np.testing.assert_array_equal(rest["n"], 3 * a.T)


def test_results_are_taken_again_where_they_lie(mesh: olympus.Mesh) -> None:
    f = xmap(lambda v: v + 1, in_axes={0: "i"}, out_axes={0: "i"}, axis_resources=RESOURCES, mesh=mesh)
    first = f(np.zeros((4, 3)))
    np.testing.assert_array_equal(f(first), np.full((4, 3), 2.0))
    # A call with other shapes gets the places of its own results.
    assert f(np.zeros(4)).shape == (4,) and f(first).shape == (4, 3)


def test_inside_jit_and_under_set_mesh(mesh: olympus.Mesh) -> None:
    f = xmap(lambda v: lax.psum(v, "i"), in_axes={0: "i"}, out_axes={}, axis_resources=RESOURCES)
    with olympus.set_mesh(mesh):
        np.testing.assert_array_equal(olympus.jit(lambda x: f(x) * 2)(np.arange(4.0)), 12.0)
    with pytest.raises(ArgumentError, match="a mesh is needed"):
        f(np.arange(4.0))


@pytest.mark.parametrize(("in_axes", "out_axes", "resources", "x", "message"), [
    ({0: "i"}, {}, {}, np.zeros(4), "'i' along no axis of the mesh"),
    ({0: "i"}, {}, {"i": "z"}, np.zeros(4), "does not fit the mesh"),
    ({0: "i", 1: "j"}, {}, {"i": "x", "j": "x"}, np.zeros((4, 4)), "does not fit the mesh"),
    ({1: "i"}, {}, RESOURCES, np.zeros(4), "in_axes does not fit an array of 1 dimensions"),
    ({0: "i", 1: "i"}, {}, RESOURCES, np.zeros((4, 4)), "each name once"),
    ({0: "i"}, {}, RESOURCES, np.zeros(3), "dimension 0 of argument leaf 0 does not fit axis 'i'"),
    ({0: "i"}, {}, RESOURCES, np.zeros(8), "8 indices of axis 'i' on 4"),
    (({0: "i"}, {}), {}, RESOURCES, np.zeros(4), "has not the structure of the values"),
    ({0: "i"}, {3: "i"}, RESOURCES, np.zeros(4), "out_axes does not fit an array of 1 dimensions"),
])
def test_refused(
    mesh: olympus.Mesh, in_axes: object, out_axes: object, resources: dict[str, str], x: np.ndarray, message: str
) -> None:
    f = xmap(lambda v: v, in_axes=in_axes, out_axes=out_axes, axis_resources=resources, mesh=mesh)
    with pytest.raises((ArgumentError, NotSupportedError), match=message):
        f(x)


def test_a_result_that_differs_along_an_axis_must_name_it(mesh: olympus.Mesh) -> None:
    f = xmap(lambda v: v, in_axes={0: "i"}, out_axes={}, axis_resources=RESOURCES, mesh=mesh)
    with pytest.raises(ArgumentError, match="shard_map"):
        f(np.zeros(4))
