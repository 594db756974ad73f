# SPDX-License-Identifier: Apache-2.0
"""Arrays made like others lie where those lie, and equal types are equal wherever their values lie."""

from __future__ import annotations

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import UnboundAxisError
from olympus.sharding import AxisType, NamedSharding, SingleDeviceSharding
from olympus.sharding import PartitionSpec as P

MAKERS = (jnp.zeros_like, jnp.ones_like, jnp.empty_like, lambda x, **k: jnp.full_like(x, 7, **k),
          lambda x, **k: lax.full_like(x, 7, **k))


def sharded(kind: AxisType) -> olympus.Array:
    mesh = olympus.make_mesh((4, 2), ("i", "j"), axis_types=(kind, kind))
    return olympus.device_put(np.arange(32.0, dtype="f").reshape(8, 4), NamedSharding(mesh, P("j", "i")))


@pytest.mark.parametrize("kind", [AxisType.Auto, AxisType.Explicit])
@pytest.mark.parametrize("make", MAKERS)
def test_they_keep_the_sharding(make: object, kind: AxisType) -> None:
    x = sharded(kind)
    made = make(x)
    assert made.sharding == x.sharding and made.committed and len(made.addressable_shards) == 8
    assert made.addressable_shards[0].data.shape == (4, 1) and made.dtype == x.dtype
    assert len(set(np.asarray(made).ravel())) == 1
    other = make(x, dtype="int32")
    assert other.sharding == x.sharding and other.dtype == np.int32


def test_under_jit_the_type_says_where() -> None:
    x = sharded(AxisType.Explicit)
    seen = []

    @olympus.jit
    def f(x: olympus.Array) -> olympus.Array:
        zeros = jnp.zeros_like(x)
        seen.append(olympus.typeof(zeros) == olympus.typeof(x))
        return zeros

    assert f(x).sharding == x.sharding and seen == [True]


def test_other_shapes_places_and_values() -> None:
    x = sharded(AxisType.Auto)
    here = olympus.devices()[0]
    assert jnp.zeros_like(x, shape=(8, 2)).sharding == SingleDeviceSharding(here)
    assert jnp.zeros_like(x, device=olympus.devices()[2]).devices() == {olympus.devices()[2]}
    whole = jnp.ones_like(x, out_sharding=NamedSharding(x.sharding.mesh, P()))
    assert whole.sharding.is_fully_replicated and whole.sharding.num_devices == 8
    assert not jnp.zeros_like(jnp.ones(3)).committed
    far = olympus.device_put(jnp.ones(3), olympus.devices()[3])
    assert jnp.zeros_like(far).sharding == far.sharding and jnp.zeros_like(far).committed
    rows = jnp.full_like(x, jnp.arange(4.0))
    assert rows.sharding == x.sharding and np.asarray(rows)[5].tolist() == [0, 1, 2, 3]
    shape = olympus.ShapeDtypeStruct((8, 4), "float32", sharding=x.sharding)
    assert jnp.zeros_like(shape).sharding == x.sharding


def test_equal_types_are_equal() -> None:
    x = sharded(AxisType.Explicit)
    assert olympus.typeof(x.sum()) == olympus.typeof(jnp.zeros([], "f"))
    assert hash(olympus.typeof(x.sum())) == hash(olympus.typeof(jnp.zeros([], "f")))
    assert olympus.typeof(x) != olympus.typeof(jnp.ones((8, 4)))
    assert olympus.typeof(x).sharding.spec == P("j", "i")
    assert olympus.typeof(np.ones((8, 4), "f")).sharding.mesh.empty


def test_a_function_of_equal_types_still_runs_where_its_arguments_are() -> None:
    x = sharded(AxisType.Explicit)
    whole = olympus.reshard(x, P())
    double = olympus.jit(lambda v: v * 2)
    assert double(jnp.ones((8, 4))).sharding.num_devices == 1
    assert double(whole).sharding == whole.sharding


def test_an_axis_that_nothing_maps_over_is_an_unknown_name() -> None:
    for call in (lambda: lax.pmean(1.0, "i"), lambda: lax.axis_index("i"), lambda: lax.axis_size("i")):
        with pytest.raises(NameError, match="'i' is not bound"):
            call()
    mesh = olympus.make_mesh((8,), ("x",))
    with pytest.raises(UnboundAxisError, match=r"axes among \('x',\)"):
        olympus.shard_map(lambda v: lax.psum(v, "y"), mesh=mesh, in_specs=P("x"), out_specs=P())(jnp.ones(8))


@pytest.mark.parametrize("run", [lambda f: f, olympus.jit])
def test_derivatives_that_are_zero_lie_as_their_values(run: object) -> None:
    x = sharded(AxisType.Explicit)
    seen = []

    def watched(x: olympus.Array) -> olympus.Array:
        slope = olympus.grad(lambda x: lax.stop_gradient(x).sum())(x)
        _, tangent = olympus.jvp(lambda x: (x, lax.stop_gradient(x)), (x,), (x,))
        _, back = olympus.vjp(lambda x, y: y, x, x)
        (looped,) = olympus.linear_transpose(lambda x: jnp.zeros(()), x)(1.0)
        made = [slope, tangent[1], back(x)[0], looped, olympus.grad(lambda x: lax.fori_loop(
            0, 3, lambda i, c: (c[0], c[1] + 1), (lax.stop_gradient(x), x))[0].sum())(x)]
        seen.extend(str(olympus.typeof(v)) for v in made)
        return made

    for made in run(watched)(x):
        assert made.sharding.is_equivalent_to(x.sharding, 2) and not np.asarray(made).any()
    assert set(seen) == {"float32[8@j,4@i]"} and len(seen) == 5


def test_a_step_of_training_leaves_parameters_and_states_where_they_were() -> None:
    mesh = olympus.make_mesh((4, 2), ("x", "y"), axis_types=AxisType.Explicit)

    def put(shape: tuple[int, ...], *spec: object) -> olympus.Array:
        return olympus.device_put(np.random.default_rng(len(shape)).normal(size=shape).astype("f"),
                                  NamedSharding(mesh, P(*spec)))

    weights = {"in": put((8, 16), "x"), "bias": put((16,)), "out": put((16, 8), "x")}
    batch = put((16, 8))

    def loss(w: dict[str, olympus.Array]) -> olympus.Array:
        return ((jnp.tanh(batch @ w["in"] + w["bias"]) @ w["out"]) ** 2).mean()

    def step(w: dict[str, olympus.Array], m: dict[str, olympus.Array]) -> tuple[object, object]:
        m = olympus.tree.map(lambda a, b: 0.9 * a + 0.1 * b, m, olympus.grad(loss)(w))
        return olympus.tree.map(lambda a, b: a - 0.1 * b, w, m), m

    def looped(w: object, m: object) -> object:
        return lax.scan(lambda c, _: (step(*c), None), (w, m), None, length=2)[0]

    def counted(w: object, m: object) -> object:
        return lax.fori_loop(0, 2, lambda i, c: step(*c), (w, m))

    moments = olympus.tree.map(jnp.zeros_like, weights)
    expected = step(*step(weights, moments))
    for run in (olympus.jit(looped), olympus.jit(counted), lambda w, m: olympus.jit(step)(*olympus.jit(step)(w, m))):
        for tree, like in zip(run(weights, moments), expected, strict=True):
            for name, value in tree.items():
                assert value.sharding.is_equivalent_to(weights[name].sharding, value.ndim), name
                np.testing.assert_allclose(value, like[name], rtol=1e-4, atol=1e-6)
