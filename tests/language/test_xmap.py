# SPDX-License-Identifier: Apache-2.0
"""xmap: named axes over the mesh in use; each process gives and gets its part."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import ArgumentError, DeletedError, DonationError, NotSupportedError
from olympus.experimental.maps import xmap
from olympus.sharding import AxisType
from olympus.sharding import PartitionSpec as P
from olympus.transforms.xmap import _to_whole
from tests.support.processes import free_port, run_processes

DATA = np.arange(24, dtype=np.float32).reshape(4, 2, 3)
BOTH = {"a": "i", "b": "j"}


@pytest.fixture(scope="module")
def mesh() -> olympus.Mesh:
    return olympus.make_mesh((4, 2), ("i", "j"))


def run(mesh: olympus.Mesh, f: Any, in_axes: Any, out_axes: Any, *args: Any, **options: Any) -> np.ndarray:
    mapped = xmap(f, in_axes, out_axes, **options)
    with olympus.set_mesh(mesh):
        result, compiled = mapped(*args), olympus.jit(mapped)(*args)
    np.testing.assert_array_equal(np.asarray(result), np.asarray(compiled))
    return np.asarray(result)


@pytest.mark.parametrize("in_axes", [["a", "b", ...], ["a", "b", None], {0: "a", 1: "b"}, {0: "a", -2: "b"},
                                     (["a", "b", ...],), [{0: "a", 1: "b"}]])
def test_spellings_of_named_dimensions(mesh: olympus.Mesh, in_axes: Any) -> None:
    seen = []

    def f(x: Any) -> Any:
        seen.append(x.shape)
        return 10 * x

    out = run(mesh, f, in_axes, ["a", "b", ...], DATA, axis_resources=BOTH)
    np.testing.assert_array_equal(out, 10 * DATA)
    assert set(seen) == {(3,)}


@pytest.mark.parametrize(("out_axes", "order"), [
    (["b", "a", ...], (1, 0, 2)), ({0: "b", 2: "a"}, (1, 2, 0)), ({-1: "a", 0: "b"}, (1, 2, 0)),
    ([None, "a", "b"], (2, 0, 1)),
])
def test_named_dimensions_of_results(mesh: olympus.Mesh, out_axes: Any, order: tuple[int, ...]) -> None:
    out = run(mesh, lambda x: x, ["a", "b", ...], out_axes, DATA, axis_resources=BOTH)
    np.testing.assert_array_equal(out, DATA.transpose(order))


@pytest.mark.parametrize(("names", "dims"), [("a", (0,)), ("b", (1,)), (("a", "b"), (0, 1))])
def test_collectives_take_the_axes_names(mesh: olympus.Mesh, names: Any, dims: tuple[int, ...]) -> None:
    out_axes = {i: n for i, n in enumerate(n for n in "ab" if n not in names)}
    out = run(mesh, lambda x: lax.psum(x, names), ["a", "b", ...], out_axes, DATA, axis_resources=BOTH)
    np.testing.assert_array_equal(out, DATA.sum(dims))


def test_one_axis_over_two_mesh_axes_in_their_order(mesh: olympus.Mesh) -> None:
    x = np.arange(8, dtype=np.int32)

    def f(v: Any) -> Any:
        assert lax.axis_size("n") == 8 and v.shape == ()
        return lax.all_gather(v, "n")[::-1], v * 100 + lax.axis_index("n")

    for resources in (("i", "j"), ("j", "i")):
        with olympus.set_mesh(mesh):
            gathered, index = xmap(f, ["n", ...], (["n", ...], ["n", ...]), axis_resources={"n": resources})(x)
        np.testing.assert_array_equal(gathered, np.tile(x[::-1], (8, 1)))
        np.testing.assert_array_equal(index, x * 101)
        assert index.sharding.is_equivalent_to(olympus.NamedSharding(mesh, P(resources)), 1)


def test_every_collective(mesh: olympus.Mesh) -> None:
    x = np.arange(64, dtype=np.float32).reshape(8, 8)
    n = {"axis_resources": {"n": ("i", "j")}}
    ring = [(i, (i + 1) % 8) for i in range(8)]
    cases = [
        (lambda v: lax.ppermute(v, "n", ring), np.roll(x, 1, 0)),
        (lambda v: lax.all_to_all(v, "n", 0, 0), x.T),
        (lambda v: lax.psum_scatter(v, "n"), x.sum(0)),
        (lambda v: lax.pmax(v, "n") - lax.pmin(v, "n") + 0 * v, np.tile(x.max(0) - x.min(0), (8, 1))),
        (lambda v: lax.pmean(v, "n") + 0 * v, np.tile(x.mean(0), (8, 1))),
        (lambda v: lax.pbroadcast(v, "n", 3) + 0 * v, np.tile(x[3], (8, 1))),
        (lambda v: lax.pscatter(v, "n", 5), x[5]),
    ]
    for f, expected in cases:
        np.testing.assert_allclose(run(mesh, f, ["n", ...], ["n", ...], x, **n), expected)


def test_nested_arguments_and_results(mesh: olympus.Mesh) -> None:
    tree = {"w": np.arange(4.0, dtype=np.float32), "x": (DATA, np.float32(2))}

    def f(t: Any, s: Any) -> Any:
        x, two = t["x"]
        return {"y": x * t["w"] * two + s, "s": lax.psum(t["w"], "a")}

    in_axes = ({"w": ["a"], "x": ({0: "a", 1: "b"}, {})}, [...])
    with olympus.set_mesh(mesh):
        out = xmap(f, in_axes, {"y": ["a", "b", ...], "s": {}}, axis_resources=BOTH)(tree, 1)
    np.testing.assert_array_equal(out["y"], DATA * np.arange(4)[:, None, None] * 2 + 1)
    assert float(out["s"]) == 6


def test_outer_product_of_axes_and_an_axis_that_only_has_a_size(mesh: olympus.Mesh) -> None:
    x, y = np.arange(4, dtype=np.float32), np.arange(2, dtype=np.float32) + 1
    out = run(mesh, lambda a, b: a * b, (["a"], ["b"]), ["a", "b"], x, y, axis_resources=BOTH)
    np.testing.assert_array_equal(out, np.outer(x, y))
    sized = run(mesh, lambda a: lax.axis_index("b") + a, ["a"], ["b", "a"], x, axis_resources=BOTH,
                axis_sizes={"b": 2})
    np.testing.assert_array_equal(sized, np.arange(2)[:, None] + x)


def test_an_axis_of_one_index_needs_no_mesh_axis(mesh: olympus.Mesh) -> None:
    out = run(mesh, lambda x: lax.psum(x, ("one", "a")) + lax.axis_size("one") + lax.axis_index("one"),
              ["one", "a"], ["one", ...], np.arange(4.0, dtype=np.float32)[None], axis_resources={"a": "i"})
    np.testing.assert_array_equal(out, [7])


def test_explicit_mesh_and_mesh_as_context() -> None:
    explicit = olympus.make_mesh((4, 2), ("i", "j"), axis_types=(AxisType.Explicit,) * 2)
    out = run(explicit, lambda x: x + lax.psum(x, "a"), ["a", "b", ...], ["a", "b", ...], DATA, axis_resources=BOTH)
    np.testing.assert_array_equal(out, DATA + DATA.sum(0))
    one = olympus.make_mesh((8,), ("x",))
    with explicit:
        with one, one:
            assert olympus.get_mesh() is one
            with explicit:
                assert olympus.get_mesh() is explicit
            assert olympus.get_mesh() is one
        assert olympus.get_mesh() is explicit
    assert olympus.get_mesh() is None


def test_results_feed_back_without_copies_and_meet_other_arrays(mesh: olympus.Mesh) -> None:
    f = xmap(lambda x: x + lax.axis_index("a"), ["b", "a", ...], ["b", "a", ...], axis_resources=BOTH)
    with olympus.set_mesh(mesh):
        x = f(DATA.transpose(1, 0, 2))
        placed = _to_whole(x, next(iter(f._plans.values())).inputs[0])
        assert all(a is b for a, b in zip(placed._buffers, x._buffers, strict=True))
        y = f(x)
    other = olympus.device_put(np.ones((2, 4, 3), np.float32), olympus.NamedSharding(mesh, P("j", "i")))
    expected = DATA.transpose(1, 0, 2) + 2 * np.arange(4)[None, :, None]
    np.testing.assert_array_equal(np.asarray(y + other), expected + 1)


def test_arrays_from_elsewhere_are_brought_and_donated_ones_go(mesh: olympus.Mesh) -> None:
    f = xmap(lambda x, y: x + y, (["a", ...], ["a", ...]), ["a", ...], axis_resources=BOTH | {"b": "j"},
             axis_sizes={"b": 2}, donate_argnums=0)
    x = olympus.device_put(DATA, olympus.devices()[3])
    y = olympus.device_put(DATA, olympus.NamedSharding(mesh, P(("i",))))
    with olympus.set_mesh(mesh):
        np.testing.assert_array_equal(np.asarray(f(x, y)), 2 * DATA)
        np.testing.assert_array_equal(np.asarray(f(y, DATA)), 2 * DATA)
    for gone in (x, y):
        with pytest.raises(DeletedError, match=r"xmap\(<lambda>\)"):
            np.asarray(gone)


def test_donated_memory_is_nobody_elses(mesh: olympus.Mesh) -> None:
    options = {"axis_resources": {"a": "i"}, "donate_argnums": 0}
    f = xmap(lambda x, y: (x * 2 + y, y), (["a", ...], ["a", ...]), ["a", ...], **options)
    with olympus.set_mesh(mesh):
        x, _ = f(DATA, 0 * DATA)
        seen = np.asarray(x)  # NumPy looks at the memory
        y, _ = f(x, DATA)
        np.testing.assert_array_equal(seen, 2 * DATA)
        np.testing.assert_array_equal(y, 5 * DATA)
        z, _ = f(DATA, DATA)
        with pytest.raises(DonationError, match="given twice"):
            f(z, z)
        with pytest.raises(DonationError, match="given twice"):
            xmap(lambda x: x + z[0], ["a", ...], ["a", ...], **options)(z)
        np.testing.assert_array_equal(z, 3 * DATA)


def test_one_function_on_two_meshes_and_types(mesh: olympus.Mesh) -> None:
    f = xmap(lambda x: (x, x.sum()) if x.ndim else [x], ["a", ...], ["a", ...], axis_resources={"a": "i"})
    for size in (4, 2, 4):
        with olympus.set_mesh(olympus.make_mesh((size, 8 // size), ("i", "j"))):
            assert [np.asarray(v).tolist() for v in f(jnp.ones((size, 2)))] == [[[1, 1]] * size, [2] * size]
            assert isinstance(f(jnp.arange(size)), list)


@pytest.mark.parametrize("resources", [BOTH, {"a": "i"}, {"b": ("j", "i")}, {}])
def test_several_indices_for_each_device(mesh: olympus.Mesh, resources: Any) -> None:
    x = np.arange(8 * 16 * 3, dtype=np.float32).reshape(8, 3, 16)

    def f(v: Any, w: Any) -> Any:
        assert v.shape == (3,) and w.shape == () and lax.axis_size(("a", "b")) == 128
        return {"y": v * w + lax.psum(v, "a"), "z": lax.pmean(v, ("b", "a")), "i": lax.axis_index("b")}

    with olympus.set_mesh(mesh):
        for through in (lambda g: g, olympus.jit):
            out = through(xmap(f, ({0: "a", 2: "b"}, ["b"]), {"y": ["b", None, "a"], "z": {}, "i": ["b"]},
                               axis_resources=resources))(x, np.arange(16.0, dtype=np.float32))
            np.testing.assert_array_equal(out["y"], (x * np.arange(16) + x.sum(0)).transpose(2, 1, 0))
            np.testing.assert_allclose(out["z"], x.mean((0, 2)), rtol=1e-6)
            assert out["i"].tolist() == list(range(16))


def test_within_vmap_and_around_it(mesh: olympus.Mesh) -> None:
    x = np.arange(8 * 5 * 2, dtype=np.float32).reshape(8, 5, 2)

    def f(v: Any) -> Any:
        return v * lax.psum(v, "a") + lax.psum(v, ("n", "a")) + lax.axis_index("n")

    inside = xmap(olympus.vmap(f, axis_name="n"), ["a", ...], ["a", ...], axis_resources={"a": "i"}, mesh=mesh)
    outside = olympus.vmap(xmap(f, ["a", ...], ["a", ...], axis_resources={"a": "i"}, mesh=mesh), 1, 1, "n")
    expected = x * x.sum(0) + x.sum((0, 1)) + np.arange(5)[:, None]
    for g in (inside, outside, olympus.jit(inside), olympus.jit(outside)):
        np.testing.assert_array_equal(g(x), expected)


def test_an_axis_of_several_indices_that_only_has_a_size(mesh: olympus.Mesh) -> None:
    out = run(mesh, lambda a: lax.axis_index("b") + a, ["a"], ["b", "a"], np.arange(4, dtype=np.float32),
              axis_resources=BOTH, axis_sizes={"b": 6})
    np.testing.assert_array_equal(out, np.arange(6)[:, None] + np.arange(4))


def mapped(in_axes: Any = ("a",), out_axes: Any = ("a", ...), f: Any = lambda x: x, **options: Any) -> Any:
    return xmap(f, in_axes, out_axes, **{"axis_resources": {"a": "i"}} | options)


@pytest.mark.parametrize(("function", "size", "error", "text"), [
    (mapped(axis_resources={"a": "i", "b": "i"}, axis_sizes={"b": 4}), 4, NotSupportedError, "'i' behind several"),
    (mapped(), 3, ArgumentError, "axis 'a' does not fit"),
    (mapped(axis_sizes={"a": 3}), 4, ArgumentError, "size 3 in axis_sizes"),
    (mapped(axis_sizes={"a": 8}), 4, ArgumentError, r"'a' has different sizes(.|\n)*dimension 0 of x: 1 for each of 4"),
    (mapped(out_axes=[...]), 8, ArgumentError, "result differs along axis 'a'"),
    (mapped(f=lambda x: {"y": [x]}, out_axes=[...]), 8, ArgumentError, r"result\['y'\]\[0\] differs along axis 'a'"),
    (mapped(out_axes=[...], f=lambda x: lax.axis_index("b"), axis_sizes={"b": 3}), 4, ArgumentError, "axis 'b'"),
    (mapped(["a", "b"]), 4, ArgumentError, "2 dimensions"),
    (mapped({2: "a"}), 4, ArgumentError, "dimension 2 of an array with 1"),
    (mapped({0: "a", -1: "b"}), 4, ArgumentError, "names one twice"),
    (mapped(["a", "a"]), 4, ArgumentError, "the same name"),
    (mapped([..., "a"]), 4, ArgumentError, "in the middle"),
    (mapped(None), 4, ArgumentError, "in_axes has not the structure"),
    (mapped("a"), 4, ArgumentError, "in_axes holds something else"),
    (mapped(({0: "a"}, {0: "a"})), 4, ArgumentError, "in_axes has not the structure"),
    (mapped(axis_resources={"a": "z"}), 4, ArgumentError, "'z', which is no axis of the mesh"),
    (mapped(axis_resources={"a": "i", "c": "j"}), 4, ArgumentError, "'c', which no argument has"),
    (mapped(out_axes=["c", ...]), 4, ArgumentError, "out_axes names axis 'c'"),
    (mapped(out_axes=[...]), 4, ArgumentError, r"differs along axis 'a'.*\n.*psum\(x, 'a'\)"),
    (mapped(f=lambda x: lax.psum(x, "i")), 4, ArgumentError, r"'i' is not bound here"),
    (mapped(donate_argnums=1), 4, ArgumentError, "donate_argnums"),
    (mapped(backend="tpu"), 4, ArgumentError, "tpu"),
])
def test_errors(mesh: olympus.Mesh, function: Any, size: int, error: type[Exception], text: str) -> None:
    with olympus.set_mesh(mesh), pytest.raises(error, match=text):
        function(jnp.arange(size))


def test_a_mesh_and_a_function_are_needed() -> None:
    with pytest.raises(ArgumentError, match="set_mesh"):
        mapped()(jnp.arange(4))
    with pytest.raises(ArgumentError, match="function is needed"):
        xmap(3, [...], [...])


PROGRAM = """
import sys
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.experimental import multihost_utils
from olympus.experimental.maps import Mesh, xmap

index, count, port = map(int, sys.argv[1:])
olympus.distributed.initialize(f"localhost:{port}", count, index, initialization_timeout=20)
whole = np.arange(24, dtype=np.float32).reshape(4, 2, 3)

# Each process owns one row of the mesh: one index of "a" and both of "b".
with Mesh(np.array(olympus.devices()).reshape(4, 2), ("i", "j")) as mesh:
    f = xmap(lambda x: (x + lax.psum(x, "a"), lax.psum(x, ("a", "b")), lax.axis_index("a")),
             {0: "a", 1: "b"}, (["b", "a", ...], [...], ["a"]), axis_resources={"a": "i", "b": "j"})
    y, total, row = f(whole[index:index + 1])
    assert y.shape == (2, 1, 3) and y.is_fully_addressable, y
    np.testing.assert_array_equal(y, (whole + whole.sum(0))[index:index + 1].transpose(1, 0, 2))
    np.testing.assert_array_equal(total, whole.sum((0, 1)))
    assert row.tolist() == [index]

    # What came out goes in again as it is; donated, it is gone.
    g = xmap(lambda x: x * 2, ["b", "a", ...], ["b", "a", ...], axis_resources={"a": "i", "b": "j"},
             axis_sizes={"a": 4}, donate_argnums=0)
    expected = 2 * np.asarray(y)
    np.testing.assert_array_equal(g(y), expected)
    assert y.is_deleted()

    # One axis over all devices: two indices here.
    n = xmap(lambda x: lax.all_gather(x, "n"), ["n"], {-1: "n"}, axis_resources={"n": ("i", "j")})
    gathered = n(jnp.array([2 * index, 2 * index + 1]))
    np.testing.assert_array_equal(gathered, np.tile(np.arange(8)[:, None], (1, 2)))

    try:
        f(np.ones((1, 3, 3)))
        raise SystemExit("no error")
    except ValueError as error:
        assert "does not fit the mesh" in str(error), error

    # Three indices of "a" a device, and an axis without a mesh axis.
    many = np.arange(144, dtype=np.float32).reshape(12, 2, 6)
    both = xmap(lambda x: (x + lax.psum(x, "a"), lax.psum(x, ("a", "c")), lax.axis_index(("a", "c"))),
                {0: "a", 1: "b", 2: "c"}, (["a", "b", "c"], {0: "b"}, ["a", "c"]), axis_resources={"a": "i", "b": "j"})
    mine = slice(3 * index, 3 * index + 3)
    spread, total, place = both(many[mine])
    np.testing.assert_array_equal(spread, (many + many.sum(0))[mine])
    np.testing.assert_array_equal(total, many.sum((0, 2)))
    np.testing.assert_array_equal(place, np.arange(72).reshape(12, 6)[mine])

    # Inside of jit values are those of all processes.
    result = olympus.jit(lambda x: both(x * 2)[0] + 1)(many)
    for shard in result.addressable_shards:
        np.testing.assert_array_equal(shard.data, (2 * (many + many.sum(0)) + 1)[shard.index])
    try:
        olympus.vmap(both)(many[None, mine])
        raise SystemExit("no error")
    except NotImplementedError as error:
        assert "inside of vmap" in str(error), error
    spread = olympus.make_array_from_process_local_data(olympus.NamedSharding(mesh, olympus.P("i", "j")), whole[:1])
    for call, text in ((lambda: f(spread), "this process's part"), (lambda: olympus.jit(n)(jnp.arange(2)), "of 8")):
        try:
            call()
            raise SystemExit("no error")
        except ValueError as error:
            assert text in str(error), error

# Rows that lie across processes: the index along the columns is the process's.
with olympus.set_mesh(Mesh(np.array(olympus.devices()).reshape(4, 2).T, ("i", "j"))):
    h = xmap(lambda x: x + lax.psum(x, "i"), {0: "i", 1: "j"}, ["i", "j"], axis_resources={"i": "i", "j": "j"})
    both = np.arange(8, dtype=np.float32).reshape(2, 4)
    np.testing.assert_array_equal(h(both[:, index:index + 1]), (both + both.sum(0))[:, index:index + 1])

# Devices that are no grid in the mesh.
order = [0, 3, 2, 1, 4, 7, 6, 5]
with olympus.set_mesh(Mesh(np.array(olympus.devices())[order].reshape(2, 2, 2), ("i", "j", "k"))):
    try:
        xmap(lambda x: x, ["a"], ["a"], axis_resources={"a": ("i", "j", "k")})(np.arange(2))
        raise SystemExit("no error")
    except ValueError as error:
        assert "no grid" in str(error)

# Until here all ran well: a process that lags must not get the error of what follows.
multihost_utils.sync_global_devices("before the divergence")

# The last dimension differs from process to process: an error in all, and none waits for ever.
with olympus.set_mesh(mesh):
    try:
        f(np.ones((1, 2, 3 + (index == 2)), np.float32))
        raise SystemExit("no error")
    except olympus.errors.DivergenceError as error:
        print(type(error).__name__, error)
"""


@pytest.mark.processes
def test_four_processes() -> None:
    finished = run_processes(
        PROGRAM, 4, lambda i: i, 4, free_port(), deadline=45.0, env={"OLYMPUS_NUM_CPU_DEVICES": "2"})
    for index, end in enumerate(finished):
        assert end.returncode == 0, f"process {index}:\n{end.stdout}{end.stderr}"
        assert end.stdout.startswith("DivergenceError") and "float32[4@i,2@j,4]" in end.stdout, end.stdout
