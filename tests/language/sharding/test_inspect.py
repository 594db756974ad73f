# SPDX-License-Identifier: Apache-2.0
"""`inspect_array_sharding`: how values are split is told at once, or when a program is compiled."""

from __future__ import annotations

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.debug import inspect_array_sharding, visualize_array_sharding
from olympus.errors import ArgumentError, NotShardedError
from olympus.sharding import AxisType, NamedSharding, Sharding, SingleDeviceSharding
from olympus.sharding import PartitionSpec as P


@pytest.fixture(params=[AxisType.Auto, AxisType.Explicit])
def there(request: pytest.FixtureRequest) -> NamedSharding:
    mesh = olympus.make_mesh((4, 2), ("x", "y"), axis_types=(request.param, request.param))
    return NamedSharding(mesh, P("x", "y"))


@pytest.fixture
def x(there: NamedSharding) -> olympus.Array:
    return olympus.device_put(np.ones((8, 4), "f"), there)


def test_at_once_and_when_compiled(x: olympus.Array, there: NamedSharding) -> None:
    seen: list[Sharding] = []
    inspect_array_sharding({"a": x, "b": [x.T]}, callback=seen.append)
    assert [s.spec for s in seen] == [P("x", "y"), P("y", "x")]
    seen.clear()

    @olympus.jit
    def f(x: olympus.Array) -> olympus.Array:
        y = jnp.sin(x).sum(1)
        inspect_array_sharding([x, y], callback=seen.append)
        return y.sum()

    assert seen == []
    compiled = f.lower(x).compile()
    assert [s.spec for s in seen] == [P("x", "y"), P("x")] and seen[0] == there
    assert abs(float(compiled(x)) - 32 * np.sin(1)) < 1e-4 and abs(float(f(x)) - 32 * np.sin(1)) < 1e-4
    count = len(seen)
    f(x)
    assert len(seen) == count  # compiled programs say nothing
    f(olympus.device_put(x, NamedSharding(there.mesh, P())))
    assert not any(s.spec for s in seen[count:]) and len(seen) == count + 2


def test_under_derivatives_and_vmap(x: olympus.Array) -> None:
    seen: list[Sharding] = []

    def f(x: olympus.Array) -> olympus.Array:
        inspect_array_sharding(x, callback=seen.append)
        return (x * x).sum()

    for call in (olympus.grad(f), olympus.vmap(f), lambda v: olympus.jvp(f, (v,), (v,)),
                 olympus.jit(olympus.grad(f)), olympus.jit(olympus.vmap(f)),
                 olympus.jit(olympus.grad(olympus.checkpoint(f)))):
        seen.clear()
        expected = call(x)
        assert seen and all(s.is_equivalent_to(x.sharding, 2) for s in seen), call
        assert all(np.isfinite(v).all() for v in olympus.tree.leaves(expected))


def test_in_control_flow(x: olympus.Array) -> None:
    seen: list[Sharding] = []

    def tell(v: olympus.Array) -> olympus.Array:
        inspect_array_sharding(v, callback=seen.append)
        return v

    for f in (lambda v: lax.fori_loop(0, 3, lambda i, c: tell(c * 2), v),
              lambda v: lax.cond(v.sum() > 0, tell, lambda u: u, v)):
        seen.clear()
        assert olympus.jit(f)(x).sharding.is_equivalent_to(x.sharding, 2)
        assert seen and all(s.is_equivalent_to(x.sharding, 2) for s in seen)


def test_in_manual_regions_the_other_axes_are_told() -> None:
    mesh = olympus.make_mesh((4, 2), ("x", "y"))
    x = olympus.device_put(np.ones((8, 4), "f"), NamedSharding(mesh, P("x", "y")))
    seen: list[Sharding] = []

    def f(v: olympus.Array) -> olympus.Array:
        inspect_array_sharding(v, callback=seen.append)
        return v * 2

    for axes, spec in (({"x", "y"}, P()), ({"x"}, P(None, "y"))):
        seen.clear()
        found = olympus.jit(olympus.shard_map(f, mesh=mesh, in_specs=P("x"), out_specs=P("x"), axis_names=axes))(x)
        assert [s.spec for s in seen] == [spec] and (np.asarray(found) == 2).all()


def test_keys_and_narrow_numbers() -> None:
    there = NamedSharding(olympus.make_mesh((8,), ("x",)), P("x"))
    seen: list[Sharding] = []
    for value in (olympus.random.split(olympus.random.key(0), 8), jnp.arange(8).astype("int4")):
        f = olympus.jit(lambda v: (inspect_array_sharding(v, callback=seen.append), v[:1])[1])
        f(olympus.device_put(value, there))
    assert [s.spec for s in seen] == [P("x")] * 2


def test_one_device_and_host_values() -> None:
    seen: list[Sharding] = []
    inspect_array_sharding(np.ones(3), callback=seen.append)
    assert float(olympus.jit(lambda v: (inspect_array_sharding(v, callback=seen.append), v + 1)[1])(1.0)) == 2
    assert [s.device_set for s in seen] == [{olympus.devices()[0]}] * 2
    assert isinstance(seen[0], SingleDeviceSharding)


def test_drawings_of_traced_values(x: olympus.Array, capsys: pytest.CaptureFixture[str]) -> None:
    visualize_array_sharding(x, use_color=False)
    expected = capsys.readouterr().out
    assert f"{jnp.ones(1).device.platform.upper().replace('CUDA', 'GPU')} 7" in expected
    f = olympus.jit(lambda v: (visualize_array_sharding(v * 2, use_color=False), v.sum())[1])
    f(x)
    assert capsys.readouterr().out == expected
    f(x)
    assert capsys.readouterr().out == ""


def test_what_does_not_fit_is_told() -> None:
    with pytest.raises(ArgumentError, match="function"):
        inspect_array_sharding(jnp.ones(2), callback=None)
    with pytest.raises(NotShardedError):
        visualize_array_sharding(np.ones(2))
