# SPDX-License-Identifier: Apache-2.0
"""Unreduced values: each device along some explicit axes holds one term of a sum that is the array's value."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import (
    NotSupportedError,
    RepeatedAxisError,
    ShardsError,
    SpecEntryError,
    UnknownAxisError,
    UnreducedAxisError,
    UnreducedOperandError,
)
from olympus.sharding import AxisType, NamedSharding
from olympus.sharding import PartitionSpec as P

A = np.arange(64.0, dtype="f").reshape(8, 8)
B = np.cos(A)


@pytest.fixture
def mesh() -> olympus.Mesh:
    return olympus.make_mesh((4, 2), ("x", "y"), axis_types=AxisType.Explicit)


def put(value: np.ndarray, mesh: olympus.Mesh, *entries: object, **sums: object) -> olympus.Array:
    return olympus.device_put(value, NamedSharding(mesh, P(*entries, **sums)))


def product(mesh: olympus.Mesh) -> olympus.Array:
    """A @ B with its terms along y."""
    return jnp.einsum("ij,jk->ik", put(A, mesh, "x", "y"), put(B, mesh, "y"),
                      out_sharding=NamedSharding(mesh, P("x", unreduced={"y"})))


def close(x: object, y: object) -> bool:
    return np.allclose(np.asarray(x), y, rtol=1e-5, atol=1e-4)


def test_specs() -> None:
    spec = P("a", None, unreduced={"x"}, reduced={"y"})
    assert repr(spec) == "PartitionSpec('a', None, unreduced={'x'}, reduced={'y'})"
    assert spec.unreduced == {"x"} and spec.to_ct_spec() == P("a", unreduced={"y"}, reduced={"x"})
    assert spec != P("a") and spec == P("a", unreduced=frozenset({"x"}), reduced={"y"})
    assert spec.partitions == ("a", None)
    assert pickle.loads(pickle.dumps(spec)) == spec and hash(spec) == hash(spec.update())
    assert P("a", unreduced={"x"}) + P("b", unreduced={"y"}) == P("a", "b", unreduced={"x", "y"})
    assert (P("a", "b").index("b"), P("a", "a2").count("a"), ("b",) + P("a")) == (1, 1, P("b", "a"))
    assert spec.update(partitions=("b",), unreduced=set()) == P("b", reduced={"y"})
    for wrong in ({"unreduced": {"a"}}, {"unreduced": {"x"}, "reduced": {"x"}}):
        with pytest.raises(RepeatedAxisError):
            P("a", **wrong)
    for wrong in ("x", ["x"], {None}):
        with pytest.raises(SpecEntryError):
            P(unreduced=wrong)


def test_shardings(mesh: olympus.Mesh) -> None:
    sharding = NamedSharding(mesh, P("x", unreduced={"y"}))
    assert sharding.replicated_axes == frozenset() and not sharding.is_fully_replicated
    assert sharding.shard_shape((8, 8)) == (2, 8)
    assert not sharding.is_equivalent_to(NamedSharding(mesh, P("x")), 2)
    assert NamedSharding(mesh, P("x", reduced={"y"})).is_equivalent_to(NamedSharding(mesh, P("x")), 2)
    with pytest.raises(UnknownAxisError):
        NamedSharding(mesh, P(unreduced={"z"}))
    with pytest.raises(UnreducedAxisError, match="not explicit"):
        NamedSharding(olympus.make_mesh((8,), ("x",)), P(unreduced={"x"}))


def test_a_contraction_leaves_its_terms(mesh: olympus.Mesh) -> None:
    u = product(mesh)
    assert str(olympus.typeof(u)) == "float32[8@x,8]{U:y}" and u.sharding.spec == P("x", unreduced={"y"})
    assert close(u, A @ B)
    terms = [shard.data for shard in u.addressable_shards][:2]
    assert close(terms[0], A[:2, :4] @ B[:4]) and close(terms[1], A[:2, 4:] @ B[4:])
    for spec in (P("x"), P("x", "y"), P(), P("y", "x"), P(None, ("x", "y")), P(None, "x", unreduced={"y"})):
        moved = olympus.reshard(u, NamedSharding(mesh, spec))
        assert moved.sharding.spec == spec and close(moved, A @ B)


def test_which_collectives_it_takes(mesh: olympus.Mesh) -> None:
    a, b = put(A, mesh, "x", "y"), put(B, mesh, "y")

    def collectives(*specs: P) -> list[str]:
        def f(a: olympus.Array, b: olympus.Array) -> olympus.Array:
            value = jnp.einsum("ij,jk->ik", a, b, out_sharding=NamedSharding(mesh, specs[0]))
            for spec in specs[1:]:
                value = olympus.reshard(value + value, NamedSharding(mesh, spec))
            return value

        text = olympus.jit(f).lower(a, b).compile().collectives_text()
        return [name for name in ("all_reduce", "reduce_scatter", "all_gather", "permute") if name in text]

    assert collectives(P("x", unreduced={"y"})) == []
    assert collectives(P("x", unreduced={"y"}), P("x", unreduced={"y"})) == []
    assert collectives(P("x", unreduced={"y"}), P("x")) == ["all_reduce"]
    assert collectives(P("x", unreduced={"y"}), P("x", "y")) == ["reduce_scatter"]


def test_the_whole_is_a_sum_of_itself(mesh: olympus.Mesh) -> None:
    for axes in ({"x"}, {"y"}, {"x", "y"}):
        for value in (A, put(A, mesh), put(A, mesh, *(() if "x" in axes else ("x",)))):
            u = olympus.device_put(value, NamedSharding(mesh, P(unreduced=axes)))
            assert close(u, A) and close(olympus.reshard(u, NamedSharding(mesh, P("x", "y"))), A)
    other = olympus.make_mesh((8,), ("z",), axis_types=AxisType.Explicit)
    there = olympus.device_put(product(mesh), NamedSharding(other, P("z")))
    assert close(there, A @ B) and close(olympus.device_put(there, product(mesh).sharding), A @ B)
    assert close(olympus.device_put(product(mesh), olympus.devices()[3]), A @ B)


def test_what_is_linear_takes_terms_and_the_rest_refuses_them(mesh: olympus.Mesh) -> None:
    u, whole = product(mesh), A @ B
    for f in (lambda v: v + v, lambda v: v - v, lambda v: v * 2, lambda v: v / 4, lambda v: -v, lambda v: v.T,
              lambda v: v.reshape(64), lambda v: v.sum(1), lambda v: v.sum(0), lambda v: v[:, :4],
              lambda v: jnp.where(jnp.arange(8) > 3, v, 0 * v), lambda v: jnp.cumsum(v, 1)):
        for g in (f, olympus.jit(f)):
            found = g(u)
            assert olympus.typeof(found).sharding.spec.unreduced == {"y"}
            assert close(found, np.asarray(f(jnp.asarray(whole))))
    for f in (jnp.sin, lambda v: v * v, lambda v: v + 1, jnp.abs, lambda v: jnp.maximum(v, v), lambda v: v > 0,
              lambda v: v + put(A, mesh, "x", "y")):
        with pytest.raises(UnreducedOperandError, match="unreduced over"):
            f(u)
    assert olympus.jit(lambda v: v + v)(u).sharding.spec == P("x", unreduced={"y"})
    out = olympus.jit(lambda v: v, out_shardings=NamedSharding(mesh, P("x")))(u)
    assert close(out, whole) and out.sharding.spec == P("x")
    there = NamedSharding(mesh, P("x", unreduced={"y"}))
    came = olympus.jit(lambda v: v * 2, in_shardings=there, out_shardings=there)(put(A, mesh))
    assert came.sharding == there and close(came, 2 * A)


def test_a_reduced_argument_has_an_unreduced_cotangent(mesh: olympus.Mesh) -> None:
    small = A / 64
    a, w = put(small, mesh, "x"), put(B, mesh, reduced={"x"})
    assert str(olympus.typeof(w)) == "float32[8,8]{R:x}"

    def loss(w: olympus.Array) -> olympus.Array:
        return jnp.sin(jnp.einsum("ij,jk->ik", a, w)).sum()

    expected = small.T @ np.cos(small @ B)
    for grad in (olympus.grad(loss), olympus.jit(olympus.grad(loss))):
        found = grad(w)
        assert found.sharding.spec == P(unreduced={"x"}) and close(found, expected)
    text = olympus.jit(olympus.grad(loss)).lower(w).compile().collectives_text()
    assert "all_reduce" not in text and "all_gather" not in text


def test_what_is_computed_of_reduced_values_alone_is_reduced(mesh: olympus.Mesh) -> None:
    a, n, split = put(A / 64, mesh, reduced={"x"}), put(B, mesh), put(B, mesh, "x")
    functions = {
        "sin": lambda v: jnp.sin(v), "scale": lambda v: 2 * v, "sum": lambda v: v.sum(0), "turn": lambda v: v.T,
        "relu": olympus.nn.relu, "join": lambda v: jnp.concatenate([v, v]), "ask": lambda v: v > 0,
        "loop": lambda v: lax.fori_loop(0, 2, lambda i, c: c * 2, v), "called": olympus.jit(lambda v: v + v),
        "scan": lambda v: lax.scan(lambda c, row: (c, row * 2), 0.0, v)[1],
        "branch": lambda v: lax.cond(v.sum() > 0, lambda u: u * 2, lambda u: u, v), "kept": olympus.checkpoint(jnp.cos),
    }
    plain = jnp.asarray(A / 64)
    for name, f in functions.items():
        found = olympus.jit(f)(a)
        assert found.sharding.spec.reduced == {"x"} and close(found, f(plain)), name
    for f in (lambda v: v + n, lambda v: v * split, lambda v: v @ v, lambda v: split @ v):
        found = olympus.jit(f)(a)
        assert not found.sharding.spec.reduced and close(found, f(plain))

    def loss(v: olympus.Array, w: olympus.Array) -> olympus.Array:
        inner = lax.fori_loop(0, 2, lambda i, c: jnp.sin(c) * 2, v.T)
        return jnp.sin(w @ inner).sum()

    found = olympus.jit(olympus.grad(loss))(a, split)
    assert found.sharding.spec == P(unreduced={"x"}) and close(found, olympus.grad(loss)(plain, jnp.asarray(B)))


def test_derivatives_pass_through(mesh: olympus.Mesh) -> None:
    there, whole = NamedSharding(mesh, P("x", unreduced={"y"})), NamedSharding(mesh, P("x"))

    def f(a: olympus.Array) -> olympus.Array:
        u = jnp.einsum("ij,jk->ik", a, put(B, mesh, "y"), out_sharding=there)
        return jnp.sin(olympus.reshard(2 * u, whole)).sum()

    a = put(A / 64, mesh, "x", "y")
    assert close(olympus.grad(f)(a), 2 * np.cos(2 * (A / 64) @ B) @ B.T)
    _, tangent = olympus.jvp(f, (a,), (a,))
    assert close(tangent, (np.cos(2 * (A / 64) @ B) * 2 * ((A / 64) @ B)).sum())
    u = product(mesh)
    found = olympus.grad(lambda v: olympus.reshard(v, whole).sum())(u)
    assert close(found, np.ones((8, 8))) and not found.sharding.spec.unreduced


def test_shard_map_gives_terms(mesh: olympus.Mesh) -> None:
    f = olympus.shard_map(lambda v: {"t": v.sum(0, keepdims=True), "w": v}, mesh=mesh, in_specs=P("x", "y"),
                          out_specs={"t": P(None, "y", unreduced={"x"}), "w": P("x", "y")})
    a = put(A, mesh, "x", "y")
    found = f(a)
    assert found["t"].sharding.spec == P(None, "y", unreduced={"x"}) and close(found["t"], A.sum(0, keepdims=True))
    assert "all_reduce" not in olympus.jit(f).lower(a).compile().collectives_text()
    whole = NamedSharding(mesh, P())
    grad = olympus.grad(lambda v: (olympus.reshard(f(v)["t"], whole) ** 2).sum())
    assert close(grad(a), np.broadcast_to(2 * A.sum(0), (8, 8)))
    with pytest.raises(NotSupportedError, match="in_specs"):
        olympus.shard_map(lambda v: v, mesh=mesh, in_specs=P(unreduced={"x"}), out_specs=P())(product(mesh))


def test_arrays_of_functions_of_indices_are_no_terms(mesh: olympus.Mesh) -> None:
    sharding = NamedSharding(mesh, P("x", unreduced={"y"}))
    with pytest.raises(ShardsError, match="terms"):
        olympus.make_array_from_callback((8, 8), sharding, lambda index: A[index])
    pieces = [shard.data for shard in product(mesh).addressable_shards]
    assert close(olympus.make_array_from_single_device_arrays((8, 8), sharding, pieces), A @ B)


def test_a_loop_adds_terms_up_and_makes_the_sum_once(mesh: olympus.Mesh) -> None:
    there, whole = NamedSharding(mesh, P(unreduced={"x"})), NamedSharding(mesh, P())

    @olympus.jit
    def total(batches: olympus.Array) -> olympus.Array:
        def step(carry: olympus.Array, batch: olympus.Array) -> tuple[olympus.Array, None]:
            return carry + lax.dot_general(batch, batch, (((0,), (0,)), ((), ())), out_sharding=there), None

        start = olympus.reshard(jnp.zeros((8, 8)), there)
        return olympus.reshard(lax.scan(step, start, batches)[0], whole)

    batches = np.stack([A, B, A + B])
    found = total(put(batches, mesh, None, "x"))
    assert close(found, sum(b.T @ b for b in batches))


def test_what_is_saved_is_the_sum(mesh: olympus.Mesh, tmp_path: Path) -> None:
    held = olympus.device_put(B, NamedSharding(mesh, P("x"), memory_kind="pinned_host"))
    olympus.checkpoints.save(tmp_path / "one", {"u": product(mesh), "h": held})
    back = olympus.checkpoints.restore(tmp_path / "one")
    assert close(back["u"], A @ B) and close(back["h"], B)
    like = {"u": olympus.ShapeDtypeStruct((8, 8), "float32", sharding=NamedSharding(mesh, P("y"))),
            "h": olympus.ShapeDtypeStruct((8, 8), "float32", sharding=held.sharding)}
    there = olympus.checkpoints.restore(tmp_path / "one", like)
    assert close(there["u"], A @ B) and there["h"].sharding == held.sharding and close(there["h"], B)
