# SPDX-License-Identifier: Apache-2.0
"""Derivatives over eight devices: automatic, explicit and manual."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.sharding import AxisType, NamedSharding
from olympus.sharding import PartitionSpec as P

RANDOM = np.random.RandomState(0)
X, Y = RANDOM.randn(16, 8).astype(np.float32), RANDOM.randn(16, 4).astype(np.float32)
PARAMETERS = {"w1": RANDOM.randn(8, 12).astype(np.float32) / 3, "b": np.zeros(12, np.float32),
              "w2": RANDOM.randn(12, 4).astype(np.float32) / 3}
PLACEMENTS = {
    "data": {"w1": P(), "b": P(), "w2": P()},
    "tensor": {"w1": P(None, "m"), "b": P("m"), "w2": P("m", None)},
    "both": {"w1": P("d", "m"), "b": P("m"), "w2": P("m", "d")},
}


@pytest.fixture(scope="module")
def mesh() -> olympus.Mesh:
    return olympus.make_mesh((4, 2), ("d", "m"))


def loss(p: Any, x: Any, y: Any) -> Any:
    hidden = jnp.tanh(x @ p["w1"] + p["b"])
    return jnp.mean((hidden @ p["w2"] - y) ** 2)


def by_hand(p: Any, x: Any, y: Any) -> Any:
    hidden = np.tanh(x @ p["w1"] + p["b"])
    error = 2 * (hidden @ p["w2"] - y) / y.size
    before = (error @ p["w2"].T) * (1 - hidden ** 2)
    return {"w1": x.T @ before, "b": before.sum(0), "w2": hidden.T @ error}


def put(mesh: olympus.Mesh, tree: Any, specs: Any) -> Any:
    return olympus.tree.map(lambda x, s: olympus.device_put(x, NamedSharding(mesh, s)), tree, specs)


def close(found: Any, expected: Any) -> None:
    olympus.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6), found, expected)


@pytest.mark.parametrize("name", PLACEMENTS)
def test_automatic(mesh: olympus.Mesh, name: str) -> None:
    specs = PLACEMENTS[name]
    p = put(mesh, PARAMETERS, specs)
    x, y = put(mesh, (X, Y), (P("d"), P("d")))
    expected = by_hand(PARAMETERS, X, Y)
    for f in (olympus.grad(loss), olympus.jit(olympus.grad(loss)), olympus.grad(olympus.jit(loss))):
        found = f(p, x, y)
        close(found, expected)
        if f is not f or name != "both":
            for key, slope in found.items():
                assert slope.sharding.is_equivalent_to(NamedSharding(mesh, specs[key]), slope.ndim), key
    eager = olympus.grad(loss)(p, x, y)
    assert all(g.sharding.is_equivalent_to(v.sharding, v.ndim) for g, v in zip(
        olympus.tree.leaves(eager), olympus.tree.leaves(p), strict=True))


def test_explicit() -> None:
    mesh = olympus.make_mesh((4, 2), ("d", "m"), axis_types=AxisType.Explicit)
    specs = {"w1": P(None, "m"), "b": P("m"), "w2": P()}
    p = put(mesh, PARAMETERS, specs)
    x, y = put(mesh, (X, Y), (P("d"), P("d")))

    def typed(p: Any, x: Any, y: Any) -> Any:
        hidden = jnp.tanh(x @ p["w1"] + p["b"])
        hidden = olympus.reshard(hidden, P("d", None))
        return jnp.mean((hidden @ p["w2"] - y) ** 2)

    for f in (olympus.grad(typed), olympus.jit(olympus.grad(typed))):
        found = f(p, x, y)
        close(found, by_hand(PARAMETERS, X, Y))
        for key, slope in found.items():
            assert slope.sharding.is_equivalent_to(NamedSharding(mesh, specs[key]), slope.ndim), key
    # Over the contracted dimension both are split: forward it is said how the result is, back it follows.
    a, b = put(mesh, (X[:8], X[:8]), (P(None, "d"), P("d", None)))
    product = lambda a, b: (jnp.matmul(a, b, out_sharding=P()) ** 2).sum()
    of_a, of_b = olympus.jit(olympus.grad(product, (0, 1)))(a, b)
    np.testing.assert_allclose(of_a, 2 * X[:8] @ X[:8] @ X[:8].T, rtol=1e-4, atol=1e-3)
    np.testing.assert_allclose(of_b, 2 * X[:8].T @ X[:8] @ X[:8], rtol=1e-4, atol=1e-3)
    assert str(olympus.typeof(of_a)) == "float32[8,8@d]" and str(olympus.typeof(of_b)) == "float32[8@d,8]"


EXPLICIT: dict[str, tuple[Any, Any, Any]] = {
    "out_sharding": (lambda a, b: jnp.matmul(a, b, out_sharding=P("d")), P(None, "m"), P("m", None)),
    "einsum": (lambda a, b: jnp.einsum("ij,jk->ik", a, b, out_sharding=P("d")), P(None, "m"), P("m", None)),
    "auto": (lambda a, b: olympus.sharding.auto_axes(lambda a, b: jnp.sin(a @ b) + a.T)(a, b, out_sharding=P("d")),
             P("d"), P("m")),
    "scan": (lambda a, b: lax.scan(
        lambda c, _: (jnp.matmul(jnp.sin(c), b, out_sharding=P(None, "m")), None), a, None, length=2)[0],
        P(None, "m"), P("m", None)),
    "checkpoint": (olympus.checkpoint(lambda a, b: jnp.sin(jnp.matmul(a, b, out_sharding=P("d")))),
                   P(None, "m"), P("m", None)),
    "mapped": (lambda a, b: olympus.shard_map(lambda a, b: lax.psum(jnp.sin(a) * b, "d"), in_specs=P("d"),
                                              out_specs=P())(a, b), P("d"), P("d")),
    "vmap": (lambda a, b: olympus.vmap(lambda x, y: jnp.sin(x) * y)(a, b), P("d"), P("d", "m")),
    "broadcast": (lambda a, b: a[:, None, :] * b[None], P("d"), P(None, "m")),
}


@pytest.mark.parametrize("name", EXPLICIT)
def test_explicit_sharding_types(name: str) -> None:
    body, first, second = EXPLICIT[name]
    mesh = olympus.make_mesh((4, 2), ("d", "m"), axis_types=AxisType.Explicit)
    f = lambda a, b: (body(a, b) ** 2).sum()
    with olympus.enable_x64(True), olympus.set_mesh(mesh):
        random = np.random.RandomState(0)
        a, b, direction = (random.randn(8, 8) for _ in range(3))
        placed = [olympus.device_put(x, NamedSharding(mesh, s)) for x, s in ((a, first), (b, second))]
        moved = [olympus.device_put(a + h * direction, placed[0].sharding) for h in (1e-6, -1e-6)]
        expected = (float(f(moved[0], placed[1])) - float(f(moved[1], placed[1]))) / 2e-6
        for g in (olympus.grad(f, (0, 1)), olympus.jit(olympus.grad(f, (0, 1)))):
            found = g(*placed)
            np.testing.assert_allclose((np.asarray(found[0]) * direction).sum(), expected, rtol=1e-5, atol=1e-5)
            assert all(olympus.typeof(x) == olympus.typeof(y) for x, y in zip(found, placed, strict=True))


def mapped_loss(mesh: olympus.Mesh) -> Any:
    return olympus.shard_map(lambda p, x, y: lax.pmean(loss(p, x, y), "d"), mesh=mesh,
                             in_specs=(P(), P("d"), P("d")), out_specs=P())


def test_of_a_mapped_function(mesh: olympus.Mesh) -> None:
    whole = mapped_loss(mesh)
    expected = by_hand(PARAMETERS, X, Y)
    for f in (olympus.grad(whole), olympus.jit(olympus.grad(whole))):
        close(f(PARAMETERS, X, Y), expected)
    close(olympus.jvp(lambda p: whole(p, X, Y), (PARAMETERS,), (PARAMETERS,))[1],
          sum((expected[k] * PARAMETERS[k]).sum() for k in expected))
    size = lambda f: lambda p: sum((g ** 2).sum() for g in olympus.tree.leaves(olympus.grad(f)(p, X, Y)))
    close(olympus.jit(olympus.grad(size(whole)))(PARAMETERS), olympus.jit(olympus.grad(size(loss)))(PARAMETERS))


def test_inside_of_a_mapped_function(mesh: olympus.Mesh) -> None:
    specs = {"mesh": mesh, "in_specs": (P(), P("d"), P("d")), "out_specs": P()}
    mean = lambda p, x, y: lax.pmean(loss(p, x, y), "d")
    close(olympus.shard_map(olympus.grad(mean), **specs)(PARAMETERS, X, Y), by_hand(PARAMETERS, X, Y))

    def of_each(p: Any, x: Any, y: Any) -> Any:  # parameters count as each device's own
        return olympus.tree.map(lambda g: lax.pmean(g, "d"), olympus.grad(loss)(p, x, y))

    f = olympus.shard_map(of_each, **specs, check_vma=False)
    close(f(PARAMETERS, X, Y), by_hand(PARAMETERS, X, Y))
    varying = lambda p, x, y: of_each(lax.pcast(p, "d", to="varying"), x, y)
    close(olympus.shard_map(varying, **specs)(PARAMETERS, X, Y), by_hand(PARAMETERS, X, Y))


def test_pmap() -> None:
    x, cosine = X[:8], np.cos(X[:8])
    inside = lambda f: olympus.pmap(olympus.grad(f), axis_name="i")(x)
    np.testing.assert_allclose(inside(lambda v: jnp.sin(v).sum()), cosine, rtol=1e-5)
    # Of all devices' sums together.
    np.testing.assert_allclose(inside(lambda v: lax.psum(jnp.sin(v), "i").sum()), 8 * cosine, rtol=1e-5)
    np.testing.assert_allclose(olympus.grad(lambda x: olympus.pmap(jnp.sin)(x).sum())(x), cosine, rtol=1e-5)
    first = lambda x: olympus.pmap(lambda v: lax.psum(jnp.sin(v), "i"), axis_name="i")(x)[0].sum()
    np.testing.assert_allclose(olympus.jit(olympus.grad(first))(x), cosine, rtol=1e-5)
    named = lambda x: olympus.vmap(lambda v: jnp.sin(v) * lax.psum(v, "i"), axis_name="i")(x).sum()
    np.testing.assert_allclose(olympus.grad(named)(x), cosine * x.sum(0) + np.sin(x).sum(0), rtol=1e-4, atol=1e-5)


ONE = P("d", None)
COLLECTIVES: dict[str, tuple[Any, Any, Any]] = {
    "psum": (lambda x: lax.psum(x, "d"), ONE, P()),
    "pmean": (lambda x: lax.pmean(x ** 2, "d"), ONE, P()),
    "psum_of_whole": (lambda x: lax.psum(x * lax.axis_index("d"), "d"), P(), P()),
    "all_gather": (lambda x: lax.all_gather(x, "d", tiled=True) * (1.0 + lax.axis_index("d")), ONE, ONE),
    "psum_scatter": (lambda x: lax.psum_scatter(x ** 2, "d", scatter_dimension=1, tiled=True), ONE, P("d", None)),
    "ppermute": (lambda x: lax.ppermute(x, "d", [(0, 1), (1, 2), (3, 0)]), ONE, ONE),
    "all_to_all": (lambda x: lax.all_to_all(x, "d", 1, 0, tiled=True), ONE, ONE),
    "pbroadcast": (lambda x: lax.pbroadcast(x, "d", 2), ONE, ONE),
    "pmax": (lambda x: lax.pmax(x, "d") * 2.0, ONE, P()),
    "pmin_of_two_axes": (lambda x: lax.pmin(x, ("d", "m")), P("d", "m"), P()),
    "scan": (lambda x: lax.scan(lambda c, r: (jnp.sin(c) + lax.psum(r, "d") * c, c), x[0], x)[0], ONE, P("d")),
    "cond": (lambda x: lax.cond(lax.axis_index("d") > 1, lambda v: v * 3.0, lambda v: jnp.sin(v), x), ONE, ONE),
    "whole_and_two_axes": (lambda x: x * (1.0 + lax.axis_index("m")), P("d", None), P("d", "m")),
}


@pytest.mark.parametrize("name", COLLECTIVES)
def test_collectives_against_differences(mesh: olympus.Mesh, name: str) -> None:
    body, in_spec, out_spec = COLLECTIVES[name]
    with olympus.enable_x64(True):
        random = np.random.RandomState(3)
        x = random.randn(16, 8)
        mapped = olympus.jit(olympus.shard_map(body, mesh=mesh, in_specs=in_spec, out_specs=out_spec, check_vma=False))
        weights = random.randn(*mapped(x).shape)
        f = lambda x: (mapped(x) * weights).sum()
        direction, step = random.randn(16, 8), 1e-6
        expected = (float(f(x + step * direction)) - float(f(x - step * direction))) / (2 * step)
        for g in (olympus.grad(f), olympus.jit(olympus.grad(f))):
            np.testing.assert_allclose(float((g(x) * direction).sum()), expected, rtol=1e-6, atol=1e-7)
        np.testing.assert_allclose(float(olympus.jvp(f, (x,), (direction,))[1]), expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("manual", [False, True])
def test_training(mesh: olympus.Mesh, manual: bool) -> None:
    """Twenty steps of gradient descent, the same as by hand."""
    whole = mapped_loss(mesh) if manual else loss

    @olympus.jit
    def step(p: Any, x: Any, y: Any) -> Any:
        value, slopes = olympus.value_and_grad(whole)(p, x, y)
        return value, olympus.tree.map(lambda v, g: v - 0.5 * g, p, slopes)

    specs = PLACEMENTS["data" if manual else "tensor"]
    p, expected = put(mesh, PARAMETERS, specs), PARAMETERS
    x, y = put(mesh, (X, Y), (P("d"), P("d")))
    values = []
    for _ in range(20):
        value, p = step(p, x, y)
        values.append(float(value))
        slopes = by_hand(expected, X, Y)
        expected = {key: v - 0.5 * slopes[key] for key, v in expected.items()}
    assert values[-1] < values[0] / 2
    olympus.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-3, atol=1e-4), p, expected)
    for key, v in p.items():
        assert v.sharding.is_equivalent_to(NamedSharding(mesh, specs[key]), v.ndim)


_SPECS = st.sampled_from([P(), P("d"), P(None, "m"), P("m", "d"), P(("d", "m")), P(None, ("m", "d"))])


@settings(max_examples=12)
@given(_SPECS, _SPECS, st.integers(0, 3))
def test_shardings_change_nothing(mesh: olympus.Mesh, first: Any, second: Any, which: int) -> None:
    f = [
        lambda a, b: (jnp.sin(a @ b.T) ** 2).mean(),
        lambda a, b: jnp.max(a * b, axis=0).sum() + jnp.sort(a, axis=1)[:, 2].sum(),
        lambda a, b: (olympus.nn.softmax(a) * jnp.cumsum(b, 0)).sum() + a[3:9, ::2].prod(),
        lambda a, b: (jnp.concatenate([a, b], 1).reshape(8, -1)[jnp.array([1, 1, 5])] ** 3).sum(),
    ][which]
    a, b = X, X[::-1] * 0.5
    placed = put(mesh, (a, b), (first, second))
    found = olympus.jit(olympus.grad(f, (0, 1)))(*placed)
    olympus.tree.map(lambda x, y: np.testing.assert_allclose(x, y, rtol=2e-4, atol=1e-5), found,
                     olympus.grad(f, (0, 1))(a, b))


def test_constraints_and_placing(mesh: olympus.Mesh) -> None:
    sharding = NamedSharding(mesh, P("d", "m"))

    def f(x: Any) -> Any:
        y = lax.with_sharding_constraint(jnp.sin(x), sharding)
        return (olympus.device_put(y, NamedSharding(mesh, P("m"))) ** 2).sum()

    for g in (olympus.grad(f), olympus.jit(olympus.grad(f))):
        np.testing.assert_allclose(g(X), 2 * np.sin(X) * np.cos(X), rtol=1e-5, atol=1e-6)
    pipeline = lambda x: (olympus.device_put(jnp.sin(x), olympus.devices()[3]) ** 2).sum()
    x = olympus.device_put(X, olympus.devices()[1])
    np.testing.assert_allclose(olympus.grad(pipeline)(x), 2 * np.sin(X) * np.cos(X), rtol=1e-5, atol=1e-6)
