# SPDX-License-Identifier: Apache-2.0
"""Collectives over a mapped dimension: alone, and together with mesh axes (xmap with several indices a device)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax, vmap
from olympus.errors import ArgumentError, UnmappedResultError
from olympus.sharding import PartitionSpec as P

SIZES = {"a": 4, "b": 6, "c": 2}
RESOURCES = {"a": "i", "b": "j"}  # two indices of "a" a device, three of "b", all of "c"


@pytest.fixture(scope="module")
def mesh() -> olympus.Mesh:
    return olympus.make_mesh((2, 2), ("i", "j"), devices=olympus.devices()[:4])


def oracle(collective: str, names: Sequence[str], x: np.ndarray, **options: Any) -> np.ndarray:
    """A collective on an array with the dimensions a, b, c in front, over some of these, by a loop over the rest."""
    order = [("a", "b", "c").index(n) for n in names]
    others = [d for d in range(3) if d not in order]
    moved = x.transpose(*others, *order, *range(3, x.ndim))
    rows = moved.reshape(-1, int(np.prod([x.shape[d] for d in order])), *x.shape[3:])
    done = np.stack([_group(collective, row, **options) for row in rows])
    whole = done.reshape(*[x.shape[d] for d in (*others, *order)], *done.shape[2:])
    return whole.transpose(*np.argsort([*others, *order]), *range(3, whole.ndim))


def _group(collective: str, values: np.ndarray, **options: Any) -> np.ndarray:
    """What each member of a group gets, given each member's value."""
    n = len(values)
    if collective in ("sum", "max", "min"):
        return np.stack([getattr(values, collective)(0)] * n)
    if collective == "gather":
        return np.stack([np.stack(values, options["axis"])] * n)
    if collective == "tiled":
        return np.stack([np.concatenate(values, options["axis"])] * n)
    if collective == "scatter":
        return np.stack(np.split(values.sum(0), n, options["axis"]))
    if collective == "exchange":
        parts = [np.split(v, n, options["split"]) for v in values]
        return np.stack([np.concatenate([p[i] for p in parts], options["concat"]) for i in range(n)])
    if collective == "permute":
        out = np.zeros_like(values)
        for source, target in options["pairs"]:
            out[target] = values[source]
        return out
    if collective == "broadcast":
        return np.stack([values[options["source"]]] * n)
    return np.broadcast_to(np.arange(n, dtype=np.int32).reshape(n, *[1] * (values.ndim - 1)), values.shape)


def size_of(names: Sequence[str]) -> int:
    return int(np.prod([SIZES[n] for n in names]))


def cases(names: Sequence[str]) -> list[tuple[str, Callable[[Any], Any], dict[str, Any]]]:
    n, axes = size_of(names), tuple(names)
    random = np.random.default_rng(n)
    ring = [(k, (k + 1) % n) for k in range(n)]
    some = list(zip(*(random.permutation(n)[: n // 2 + 1].tolist() for _ in range(2)), strict=True))
    return [
        ("sum", lambda v: lax.psum(v, axes), {}), ("max", lambda v: lax.pmax(v, axes), {}),
        ("min", lambda v: lax.pmin(v, axes), {}),
        ("gather", lambda v: lax.all_gather(v, axes, axis=1), {"axis": 1}),
        ("tiled", lambda v: lax.all_gather(v, axes, tiled=True), {"axis": 0}),
        ("scatter", lambda v: lax.psum_scatter(v, axes, scatter_dimension=1, tiled=True), {"axis": 1}),
        ("exchange", lambda v: lax.all_to_all(v, axes, 1, 0, tiled=True), {"split": 1, "concat": 0}),
        ("exchange", lambda v: lax.all_to_all(v, axes, 1, 2, tiled=True), {"split": 1, "concat": 2}),
        ("exchange", lambda v: lax.all_to_all(v, axes, 1, 1, tiled=True), {"split": 1, "concat": 1}),
        ("permute", lambda v: lax.ppermute(v, axes, ring), {"pairs": ring}),
        ("permute", lambda v: lax.ppermute(v, axes, some), {"pairs": some}),
        ("permute", lambda v: lax.ppermute(v, axes, []), {"pairs": []}),
        ("broadcast", lambda v: lax.pbroadcast(v, axes, n - 2), {"source": n - 2}),
        ("index", lambda v: lax.axis_index(axes) + 0 * v.astype("int32"), {}),
    ]


NAMES = [n for count in (1, 2, 3) for n in itertools.permutations("abc", count)]


@pytest.mark.parametrize("names", NAMES, ids=["".join(n) for n in NAMES])
def test_every_collective_over_indices_of_a_device_and_mesh_axes(mesh: olympus.Mesh, names: tuple[str, ...]) -> None:
    n = size_of(names)
    x = np.arange(4 * 6 * 2 * 2 * n * 2, dtype=np.float32).reshape(4, 6, 2, 2, n, 2) % 97
    found = cases(names)

    def everything(v: Any) -> list[Any]:
        assert lax.axis_size(names) == n and v.shape == (2, n, 2)
        return [f(v) for _, f, _ in found]

    with olympus.set_mesh(mesh):
        got = olympus.xmap(everything, ["a", "b", "c", ...], ["a", "b", "c", ...], axis_resources=RESOURCES)(x)
    for (name, _, options), result in zip(found, got, strict=True):
        np.testing.assert_array_equal(result, oracle(name, names, x, **options), err_msg=f"{name} {options}")


def test_values_that_no_dimension_maps(mesh: olympus.Mesh) -> None:
    def f(v: Any) -> Any:
        one = jnp.ones((4,))
        return (lax.psum(one, "n") + v, lax.pmax(one, "n") + v, lax.all_gather(one, "n").sum() + v,
                lax.psum_scatter(jnp.arange(4.0), "n") + v, lax.all_to_all(jnp.arange(4.0), "n", 0, 0) + v,
                lax.ppermute(one, "n", [(0, 1)]) + v, lax.pbroadcast(one, "n", 2) + v, lax.psum(1, "n") + v)

    got = vmap(f, axis_name="n")(jnp.zeros(4))
    ones = np.ones((4, 4))
    expected = [4 * ones, ones, np.full(4, 16.0), 4 * np.arange(4.0), np.tile(np.arange(4.0)[:, None], 4),
                np.eye(4)[1][:, None] * ones, ones, np.full(4, 4.0)]
    for result, wanted in zip(got, expected, strict=True):
        np.testing.assert_array_equal(result, wanted)


def test_names_nest_and_the_innermost_counts() -> None:
    x = np.arange(6.0, dtype=np.float32).reshape(2, 3)
    inner = vmap(lambda v: (lax.psum(v, "n"), lax.psum(v, "m"), lax.axis_index(("m", "n"))), axis_name="n")
    got = vmap(inner, axis_name="m")(x)
    for result, wanted in zip(got, [np.tile(x.sum(1)[:, None], 3), np.tile(x.sum(0), (2, 1)),
                                    np.arange(6).reshape(2, 3)], strict=True):
        np.testing.assert_array_equal(result, wanted)
    shadowed = vmap(vmap(lambda v: lax.psum(v, "n"), axis_name="n"), axis_name="n")(x)
    np.testing.assert_array_equal(shadowed, np.tile(x.sum(1)[:, None], 3))
    again = vmap(lambda r: lax.psum(vmap(lambda v: lax.psum(v, "n"), axis_name="n")(r), "n"), axis_name="n")(x)
    np.testing.assert_array_equal(again, np.full((2, 3), x.sum()))


def test_in_control_flow(mesh: olympus.Mesh) -> None:
    def f(n: Any, v: Any) -> Any:
        total = lax.fori_loop(0, n, lambda i, t: t + lax.psum(v, "n"), v)
        rows = lax.scan(lambda c, i: (c, lax.axis_index("n") * i + lax.psum(1, "n")), 0, jnp.arange(2))[1]
        return total, rows, lax.cond(n > 1, lambda: lax.pmax(v, "n"), lambda: v)

    n, v = np.array([0, 2, 1], np.int32), np.array([1.0, 2.0, 5.0], np.float32)
    total, rows, chosen = olympus.jit(vmap(f, axis_name="n"))(n, v)
    np.testing.assert_array_equal(total, v + 8 * n)
    np.testing.assert_array_equal(rows, np.arange(3)[:, None] * np.arange(2) + 3)
    np.testing.assert_array_equal(chosen, [1, 5, 5])


def test_between_mapped_dimension_and_shard_map(mesh: olympus.Mesh) -> None:
    x = np.arange(48, dtype=np.float32).reshape(4, 3, 4)

    def inner(v: Any) -> Any:  # one device's part of one index
        return lax.psum(v.sum(), "i") + v * lax.psum(v, "n") + lax.axis_index("j") + lax.psum(lax.axis_index("n"), "n")

    # vmap of a shard_map'd function, over a dimension in the middle; names of both are bound inside.
    outside = vmap(olympus.shard_map(inner, mesh=mesh, in_specs=P("i", "j"), out_specs=P("i", "j")), 1, 1, "n")
    # vmap inside of shard_map.
    inside = olympus.shard_map(vmap(inner, 1, 1, "n"), mesh=mesh, in_specs=P("i", None, "j"),
                               out_specs=P("i", None, "j"))
    sums = x.reshape(4, 3, 2, 2).sum((0, 3)).repeat(2, 1)
    expected = sums[None] + x * x.sum(1, keepdims=True) + np.arange(2).repeat(2) + 3
    for f in (outside, inside, olympus.jit(outside), olympus.jit(inside)):
        np.testing.assert_array_equal(f(x), expected)


def test_a_mesh_axis_of_the_same_name_hides_the_mapped_dimension(mesh: olympus.Mesh) -> None:
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    summed = olympus.shard_map(lambda v: lax.psum(v, "i"), mesh=mesh, in_specs=P("i"), out_specs=P())
    np.testing.assert_array_equal(vmap(summed, axis_name="i")(x), x[:, :2] + x[:, 2:])
    inside = olympus.shard_map(vmap(lambda v: lax.psum(v, "i"), axis_name="i"), mesh=mesh, in_specs=P(None, "i"),
                               out_specs=P(None, "i"))
    np.testing.assert_array_equal(inside(x), np.tile(x.sum(0), (3, 1)))


def test_spmd_axis_name_keeps_the_mapped_dimension_split(mesh: olympus.Mesh) -> None:
    x = olympus.device_put(np.arange(32, dtype=np.float32).reshape(4, 2, 4), olympus.NamedSharding(mesh, P("i", None)))
    f = olympus.shard_map(lambda v: v * lax.psum(v, "j"), mesh=mesh, in_specs=P("j"), out_specs=P("j"))
    wide = olympus.jit(vmap(f, spmd_axis_name="i"))
    text = wide.lower(x).as_text()
    assert "float32[2,1,4]" in text and "float32[4,1,4]" not in text, text
    np.testing.assert_array_equal(wide(x), np.asarray(x) * np.asarray(x).sum(1, keepdims=True))

    constrained = olympus.jit(vmap(lambda v: lax.with_sharding_constraint(
        v + 1, olympus.NamedSharding(mesh, P("j"))), spmd_axis_name="i"))
    result = constrained(x)
    assert result.sharding.is_equivalent_to(olympus.NamedSharding(mesh, P("i", "j")), 3)
    np.testing.assert_array_equal(result, np.asarray(x) + 1)


def test_what_is_the_same_for_all_may_stay_so() -> None:
    v = np.arange(3.0, dtype=np.float32)
    assert float(vmap(lambda e: lax.psum(e, "n"), out_axes=None, axis_name="n")(v)) == 3
    with pytest.raises(UnmappedResultError, match=r"result\['y'\] differs along axis 'n'"):
        vmap(lambda e: {"x": lax.psum(e, "n"), "y": e}, out_axes=None, axis_name="n")(v)
    with pytest.raises(ArgumentError, match=r"'m' is not bound here(.|\n)*'n'"):
        vmap(lambda e: lax.psum(e, "m"), axis_name="n")(v)
    with pytest.raises(ArgumentError, match="not bound here"):
        vmap(lambda e: lax.psum(e, "m"))(v)
