# SPDX-License-Identifier: Apache-2.0
"""shard_map, pmap and the collectives."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.sharding import PartitionSpec as P


@pytest.fixture(scope="module")
def mesh() -> olympus.Mesh:
    return olympus.make_mesh((4, 2), ("i", "j"))


def run(mesh: olympus.Mesh, f: Any, x: Any, in_specs: Any, out_specs: Any, **options: Any) -> np.ndarray:
    mapped = olympus.shard_map(f, mesh=mesh, in_specs=in_specs, out_specs=out_specs, **options)
    eager, compiled = np.asarray(mapped(x)), np.asarray(olympus.jit(mapped)(x))
    np.testing.assert_array_equal(eager, compiled)
    return eager


DATA = np.arange(64, dtype=np.float32).reshape(8, 8)
BLOCKS = DATA.reshape(4, 2, 2, 4).transpose(0, 2, 1, 3)  # [i, j, rows, columns] of P("i", "j")


def test_local_shapes(mesh: olympus.Mesh) -> None:
    seen: list[Any] = []

    def f(x: Any) -> Any:
        seen.append((x.shape, str(olympus.typeof(x))))
        return x * 2

    np.testing.assert_array_equal(run(mesh, f, DATA, P("i", "j"), P("i", "j")), DATA * 2)
    assert seen[0] == ((2, 4), "float32[2,4]{V:i,j}")


@pytest.mark.parametrize(
    ("collective", "reduce"), [(lax.psum, np.sum), (lax.pmax, np.max), (lax.pmin, np.min), (lax.pmean, np.mean)])
@pytest.mark.parametrize(("axes", "dims"), [("i", (0,)), ("j", (1,)), (("i", "j"), (0, 1))])
def test_reductions(mesh: olympus.Mesh, collective: Any, reduce: Any, axes: Any, dims: tuple[int, ...]) -> None:
    kept = [a for a in "ij" if a not in axes]
    out = P(*(a if a in kept else None for a in "ij"))
    expected = reduce(BLOCKS, axis=dims, keepdims=True)
    shape = [2 * expected.shape[0], 4 * expected.shape[1]]
    whole = expected.transpose(0, 2, 1, 3).reshape(shape)
    np.testing.assert_allclose(run(mesh, lambda x: collective(x, axes), DATA, P("i", "j"), out), whole)


def test_psum_of_a_number_is_the_size(mesh: olympus.Mesh) -> None:
    def f(x: Any) -> Any:
        assert lax.psum(1, "i") == 4 and lax.axis_size(("i", "j")) == 8
        return x

    run(mesh, f, DATA, P("i", "j"), P("i", "j"))


def test_axis_index(mesh: olympus.Mesh) -> None:
    def f(x: Any) -> Any:
        return jnp.zeros_like(x) + 10 * lax.axis_index("i") + lax.axis_index("j")

    expected = 10 * (np.arange(8) // 2)[:, None] + (np.arange(8) // 4)[None]
    np.testing.assert_array_equal(run(mesh, f, DATA, P("i", "j"), P("i", "j")), expected)


def test_all_gather(mesh: olympus.Mesh) -> None:
    tiled = run(mesh, lambda x: lax.all_gather(x, "j", axis=1, tiled=True), DATA, P("i", "j"), P("i"))
    np.testing.assert_array_equal(tiled, DATA)
    stacked = run(mesh, lambda x: lax.all_gather(x, "i"), DATA, P("i", "j"), P(None, None, "j"))
    np.testing.assert_array_equal(stacked, DATA.reshape(4, 2, 8))


def test_psum_scatter(mesh: olympus.Mesh) -> None:
    tiled = run(mesh, lambda x: lax.psum_scatter(x, "j", scatter_dimension=0, tiled=True), DATA, P("i", "j"),
                P(("i", "j")))
    np.testing.assert_array_equal(tiled, BLOCKS.sum(1).reshape(8, 4))
    plain = run(mesh, lambda x: lax.psum_scatter(x, "j"), DATA, P("i", "j"), P(("i", "j")))
    np.testing.assert_array_equal(plain, BLOCKS.sum(1).reshape(-1))
    with pytest.raises(ValueError, match="tiled=True"):
        run(mesh, lambda x: lax.psum_scatter(x, "j", scatter_dimension=1), DATA, P("i", "j"), P("i"))


def test_all_to_all(mesh: olympus.Mesh) -> None:
    tiled = run(mesh, lambda x: lax.all_to_all(x, "j", 0, 1, tiled=True), DATA, P("i", "j"), P(("i", "j")))
    np.testing.assert_array_equal(tiled, DATA)
    line = olympus.make_mesh((8,), ("x",))
    transposed = run(line, lambda x: lax.all_to_all(x, "x", 1, 0), DATA, P("x"), P(None, "x"))
    assert transposed.shape == (8, 8)
    np.testing.assert_array_equal(transposed, np.concatenate([DATA[:, i][:, None] for i in range(8)], 1))


def test_ppermute_and_broadcasts(mesh: olympus.Mesh) -> None:
    shifted = run(mesh, lambda x: lax.ppermute(x, "i", [(0, 1), (1, 2), (2, 3)]), DATA, P("i", "j"), P("i", "j"))
    np.testing.assert_array_equal(shifted, np.concatenate([np.zeros((2, 8)), DATA[:6]]))
    spread = run(mesh, lambda x: lax.pbroadcast(x, "i", 2), DATA, P("i", "j"), P(None, "j"))
    np.testing.assert_array_equal(spread, DATA[4:6])
    line = olympus.make_mesh((8,), ("x",))
    part = run(line, lambda x: lax.pscatter(x[0], "x", 3)[None], DATA, P("x"), P("x"))
    np.testing.assert_array_equal(part, DATA[3])
    with pytest.raises(ValueError, match="stands in several pairs"):
        run(mesh, lambda x: lax.ppermute(x, "i", [(0, 1), (0, 2)]), DATA, P("i", "j"), P("i", "j"))


def test_a_result_that_still_varies_needs_a_psum(mesh: olympus.Mesh) -> None:
    with pytest.raises(ValueError, match=r"psum\(x, 'i'\)"):
        run(mesh, lambda x: x.sum(), DATA, P("i"), P())
    unchecked = run(mesh, lambda x: x.sum(), DATA, P("i"), P(), check_vma=False)
    assert unchecked == DATA[:2].sum()


def test_unknown_names_and_misfits(mesh: olympus.Mesh) -> None:
    with pytest.raises(ValueError, match="not bound here"):
        lax.psum(jnp.ones(3), "i")
    with pytest.raises(ValueError, match="axes among"):
        run(mesh, lambda x: lax.psum(x, "k"), DATA, P("i"), P("i"))
    with pytest.raises(ValueError, match="not a manual axis"):
        run(mesh, lambda x: x, DATA, P("k"), P("k"))
    with pytest.raises(ValueError, match="not a multiple of 4"):
        run(mesh, lambda x: x, np.ones(6), P("i"), P("i"))
    with pytest.raises(ValueError, match="1 entries for 2 values"):
        olympus.shard_map(lambda x, y: x, mesh=mesh, in_specs=(P(),), out_specs=P())(1, 2)


def test_as_a_decorator_with_capture_and_trees(mesh: olympus.Mesh) -> None:
    bias = jnp.arange(8.0)

    @olympus.jit
    @partial(olympus.shard_map, mesh=mesh, in_specs=({"w": P("i", None)}, P(None)), out_specs=(P(), {"y": P("i")}))
    def f(params: Any, x: Any) -> Any:
        y = params["w"] @ x + bias[0]
        return lax.psum(y.sum(), "i"), {"y": y}

    total, rest = f({"w": DATA}, np.ones(8, np.float32))
    np.testing.assert_allclose(np.asarray(rest["y"]), DATA.sum(1))
    np.testing.assert_allclose(np.asarray(total), DATA.sum())


def test_loops_inside(mesh: olympus.Mesh) -> None:
    def f(x: Any) -> Any:
        return lax.fori_loop(0, 3, lambda i, v: lax.ppermute(v, "i", [(k, (k + 1) % 4) for k in range(4)]), x)

    np.testing.assert_array_equal(run(mesh, f, DATA, P("i", "j"), P("i", "j")), np.roll(DATA, 6, axis=0))


def test_pmap() -> None:
    x = np.arange(16, dtype=np.float32).reshape(8, 2)
    y = olympus.pmap(lambda v: v / lax.psum(v, "d"), axis_name="d")(x)
    np.testing.assert_allclose(np.asarray(y), x / x.sum(0), rtol=1e-6)
    assert type(y.sharding).__name__ == "PmapSharding" and y.addressable_shards[3].data.shape == (1, 2)
    twice = olympus.pmap(lambda v: v * 2)(y)
    np.testing.assert_allclose(np.asarray(twice), 2 * x / x.sum(0), rtol=1e-6)


def test_pmap_axes_statics_and_trees() -> None:
    f = olympus.pmap(lambda tree, n, k: {"s": tree["a"] * n + k, "sum": lax.psum(n, "d")}, axis_name="d",
                     in_axes=({"a": 1}, 0, None), out_axes={"s": 1, "sum": None}, static_broadcasted_argnums=2)
    a = np.arange(24.0, dtype=np.float32).reshape(3, 8)
    result = f({"a": a}, np.arange(8), 5)
    np.testing.assert_array_equal(np.asarray(result["s"]), a * np.arange(8) + 5)
    assert result["sum"] == 28


def test_pmap_refuses_what_does_not_fit() -> None:
    with pytest.raises(ValueError, match=r"differ in size(.|\n)*y: 4, dimension 0"):
        olympus.pmap(lambda x, y: x)(np.ones(8), np.ones(4))
    with pytest.raises(ValueError, match="fewer devices"):
        olympus.pmap(lambda x: x)(np.ones(16))
    with pytest.raises(ValueError, match="must be mapped"):
        olympus.pmap(lambda x: x, in_axes=None)(np.ones(8))
    np.testing.assert_array_equal(np.asarray(olympus.pmap(lambda x: x + 1)(np.zeros(3))), np.ones(3))


def test_a_mapped_function_within_another_knows_both_axes() -> None:
    mesh = olympus.make_mesh((4, 2), ("x", "y"))
    data = np.arange(16.0, dtype=np.float32)

    def inner(v):
        return olympus.shard_map(lambda w: w + lax.axis_index("x") * 100 + lax.psum(w, ("x", "y")), mesh=mesh,
                                 in_specs=P("y"), out_specs=P("y"))(v)

    for f in (inner, olympus.jit(inner)):
        found = olympus.shard_map(f, mesh=mesh, in_specs=P("x"), out_specs=P("x"), axis_names={"x"})(data)
        blocks = data.reshape(4, 2, 2)
        expected = blocks + np.arange(4)[:, None, None] * 100 + blocks.sum((0, 1))
        np.testing.assert_array_equal(np.asarray(found), expected.ravel())


def test_axes_that_cannot_be_manual_are_refused() -> None:
    mesh = olympus.make_mesh((4, 2), ("x", "y"))

    def twice(v):
        return olympus.shard_map(lambda w: w, mesh=mesh, in_specs=P("x"), out_specs=P("x"), axis_names="x")(v)

    for f, names in ((lambda v: v, {"z"}), (twice, "x")):
        with pytest.raises(olympus.errors.ArgumentError, match="cannot be made manual here"):
            olympus.shard_map(f, mesh=mesh, in_specs=P(), out_specs=P(), axis_names=names)(np.ones(8))


def _without_means(x: Any) -> Any:
    """The rows without their means, by a call that says no mesh: that of the call around it."""
    found = olympus.shard_map(lambda a: a - lax.pmean(a, "j"), in_specs=P(None, "j"), out_specs=P(None, "j"),
                              axis_names={"j"})(x)
    return lax.with_sharding_constraint(found, P(None, "j"))


def test_the_mesh_of_a_call_is_that_of_calls_in_it(mesh: olympus.Mesh) -> None:
    @olympus.custom_vjp
    def ruled(x: Any) -> Any:
        return _without_means(x)

    ruled.defvjp(lambda x: (_without_means(x), None), lambda _, slope: (_without_means(slope),))
    weights = jnp.sin(jnp.asarray(DATA))
    local = DATA - (DATA[:, :4] + DATA[:, 4:])[:, [0, 1, 2, 3] * 2] / 2
    slopes = weights - (weights[:, :4] + weights[:, 4:])[:, jnp.array([0, 1, 2, 3] * 2)] / 2
    for f in (_without_means, ruled):
        mapped = olympus.shard_map(f, mesh=mesh, in_specs=P("i"), out_specs=P("i"), axis_names={"i"})
        for call in (mapped, olympus.jit(mapped), olympus.checkpoint(mapped)):
            np.testing.assert_allclose(call(DATA), local, rtol=1e-6)
            np.testing.assert_allclose(
                olympus.grad(lambda x, call=call: (call(x) * weights).sum())(jnp.asarray(DATA)), slopes, atol=1e-6)
    assert olympus.get_mesh() is None
