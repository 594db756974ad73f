# SPDX-License-Identifier: Apache-2.0
"""What is traced of a function serves its next calls: jitted functions in others, bodies of loops, branches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax, monitoring


def counted() -> tuple[Any, list[int]]:
    calls: list[int] = []

    def body(x: Any, *_: Any) -> Any:
        calls.append(1)
        return x + 1

    return body, calls


_calls: list[str] = []  # of a global's name the functions below may be known by what it stands for


def _step(carry: Any, x: Any) -> Any:
    _calls.append("step")
    return carry + x, carry * 2


def _next(i: Any, carry: Any) -> Any:
    _calls.append("next")
    return carry + i


def _less(carry: Any) -> Any:
    _calls.append("less")
    return carry < 10


def _double(carry: Any) -> Any:
    _calls.append("double")
    return carry * 2


@pytest.fixture(autouse=True)
def _fresh() -> None:
    _calls.clear()
    olympus.clear_caches()


def test_a_jitted_function_in_a_program_is_traced_once_for_each_type() -> None:
    body, calls = counted()
    inner = olympus.jit(body)
    assert float(olympus.jit(lambda x: inner(x) * inner(inner(x)))(1.0)) == 6.0
    assert len(calls) == 1
    assert float(olympus.jit(lambda x: inner(x))(2.0)) == 3.0 and float(inner(2.0)) == 3.0
    assert len(calls) == 1  # the eager call, and another program's, as well
    olympus.jit(lambda x: inner(x).sum())(jnp.arange(3))
    assert len(calls) == 2


def test_results_are_those_of_calls_step_by_step() -> None:
    @olympus.jit
    def inner(x: Any, scale: Any) -> Any:
        return {"a": jnp.sin(x) * scale, "b": x}

    def f(x: Any) -> Any:
        first = inner(x, 2)
        return (inner(first["a"], 3.0)["a"] * first["b"]).sum()

    x = np.linspace(0.1, 1.0, 5).astype(np.float32)
    wanted = (np.sin(np.sin(x) * 2) * 3 * x).sum()
    np.testing.assert_allclose(olympus.jit(f)(x), wanted, rtol=1e-6)
    np.testing.assert_allclose(f(x), wanted, rtol=1e-6)
    eager = olympus.grad(f)(x)
    np.testing.assert_allclose(olympus.jit(olympus.grad(f))(x), eager, rtol=1e-5)
    np.testing.assert_allclose(olympus.jit(olympus.vmap(f))(np.stack([x, x])), [wanted] * 2, rtol=1e-5)
    assert olympus.jit(lambda x: inner(x, 2))(1.0)["b"].weak_type


def test_what_a_function_uses_from_outside_is_its_callers() -> None:
    @olympus.jit
    def outer(x: Any) -> Any:
        inner = olympus.jit(lambda y: y * x)
        return inner(2.0) + inner(3.0)

    assert float(outer(5.0)) == 25.0 and float(outer(7.0)) == 35.0
    ref = olympus.new_ref(jnp.float32(0))
    add = olympus.jit(lambda y: ref.__setitem__(..., ref[...] + y))
    olympus.jit(lambda y: (add(y), add(y))[0])(2.0)
    assert float(ref[...]) == 4.0


def test_python_numbers_stay_numbers_where_they_are_looked_at() -> None:
    inner = olympus.jit(lambda x, n: x * 2 if n > 1 else x)
    assert float(olympus.jit(lambda x: inner(x, 2) + inner(x, 0))(1.0)) == 3.0
    with pytest.raises(olympus.errors.TracerBoolConversionError):
        olympus.jit(lambda x, n: inner(x, n))(1.0, 2)


def test_static_arguments_and_effects_stay() -> None:
    seen: list[float] = []
    power = olympus.jit(lambda x, n: x ** n, static_argnums=1)

    @olympus.jit
    def tell(x: Any) -> Any:
        olympus.debug.callback(lambda v: seen.append(float(v)), x)
        return x + 1

    assert float(olympus.jit(lambda x: power(x, 2) + power(x, 3))(2.0)) == 12.0
    olympus.jit(lambda x: tell(tell(x)))(1.0)
    olympus.effects_barrier()
    assert seen == [1.0, 2.0]


def test_scopes_are_the_callers() -> None:
    @olympus.jit
    def inner(x: Any) -> Any:
        with olympus.named_scope("inner"):
            return jnp.sin(x)

    def f(x: Any) -> Any:
        with olympus.named_scope("one"):
            x = inner(x)
        with olympus.named_scope("two"):
            return inner(inner(x))

    scopes = [o.location.partition(" ")[2] for o in olympus.make_program(f)(1.0).operations]
    assert scopes == ["(one/inner)", "(two/inner)", "(two/inner)"]


def test_under_mapped_names_it_is_traced_where_they_are() -> None:
    inner = olympus.jit(lambda x: lax.psum(x, "i"))
    found = olympus.jit(olympus.vmap(lambda x: inner(x) + inner(2 * x), axis_name="i"))(jnp.arange(3.0))
    np.testing.assert_array_equal(found, [9.0, 9.0, 9.0])
    mesh = olympus.make_mesh((8,), ("i",))
    mapped = olympus.shard_map(lambda x: inner(x) + inner(2 * x), mesh=mesh, in_specs=olympus.P("i"),
                               out_specs=olympus.P())
    np.testing.assert_array_equal(olympus.jit(mapped)(jnp.arange(8.0)), [84.0])


def test_explicit_shardings_stay_in_types() -> None:
    mesh = olympus.make_mesh((8,), ("x",), axis_types=(olympus.sharding.AxisType.Explicit,))
    x = olympus.device_put(np.arange(16.0, dtype=np.float32), olympus.NamedSharding(mesh, olympus.P("x")))
    inner = olympus.jit(lambda x: x * 2)
    found = olympus.jit(lambda x: inner(inner(x)))(x)
    assert found.sharding == x.sharding
    np.testing.assert_array_equal(found, np.arange(16.0) * 4)


def test_bodies_of_loops_are_traced_once() -> None:
    for _ in range(2):
        total, ys = lax.scan(_step, 0.0, jnp.ones(3))
        assert float(total) == 3.0 and ys.tolist() == [0.0, 2.0, 4.0]
        assert int(lax.fori_loop(0, 4, _next, 0)) == 6
        assert int(lax.while_loop(_less, _double, 3)) == 12
        assert int(lax.cond(True, _double, _double, 3)) == 6
    assert sorted(_calls) == ["double", "double", "less", "next", "step"]
    lax.scan(_step, jnp.zeros(2), jnp.ones((3, 2)))
    assert _calls.count("step") == 2


def test_a_body_whose_variables_changed_is_traced_again() -> None:
    scale = 2.0

    def body(c: Any, x: Any) -> Any:
        return c * scale, x

    assert float(lax.scan(body, 1.0, jnp.ones(2))[0]) == 4.0
    scale = 3.0
    assert float(lax.scan(body, 1.0, jnp.ones(2))[0]) == 9.0
    known = jnp.float32(1)

    def adding(c: Any, x: Any) -> Any:
        return c + known, x

    assert float(lax.scan(adding, 1.0, jnp.ones(2))[0]) == 3.0
    known = jnp.float32(5)
    assert float(lax.scan(adding, 1.0, jnp.ones(2))[0]) == 11.0


def test_a_weak_carry_stays_weak_inside() -> None:
    def step(c: Any, x: Any) -> Any:
        return c + jnp.float32(1), c * x

    total, ys = lax.scan(step, 0.0, jnp.ones(3, jnp.bfloat16))
    assert total.dtype == np.float32 and not total.weak_type and ys.dtype == jnp.bfloat16
    assert ys.astype(jnp.float32).tolist() == [0.0, 1.0, 2.0]
    assert not lax.fori_loop(0, 3, lambda i, c: c + jnp.float32(i), 0.0).weak_type
    assert lax.fori_loop(0, 3, lambda i, c: c + 1.0, 0.0).weak_type


def test_clear_caches_forgets_bodies() -> None:
    lax.scan(_step, 0.0, jnp.ones(3))
    olympus.clear_caches()
    lax.scan(_step, 0.0, jnp.ones(3))
    assert _calls == ["step", "step"]


def test_kinds_of_loops_keep_their_own() -> None:
    def body(a: Any, b: Any) -> Any:  # a carry and a slice, or an index and a value
        return a + 1, b

    start = jnp.int32(5), jnp.int32(7)
    assert int(lax.scan(lambda c, x: (c, x), start, None, length=2)[0][1]) == 7
    carry, ys = lax.scan(body, jnp.int32(1), jnp.arange(3))
    assert int(carry) == 4 and ys.tolist() == [0, 1, 2]
    nested = lax.fori_loop(0, 2, lambda i, v: body(i, v[0]), start)
    assert [int(x) for x in nested] == [2, 1]


_UNCOMPILED = {  # each makes its functions anew, which are the same programs
    "scan": lambda x, n: lax.scan(lambda c, y: (c * n + y, c), 0.5, x)[0],
    "fori_loop": lambda x, n: lax.fori_loop(0, 3, lambda i, c: c * n + i, x),
    "while_loop": lambda x, n: lax.while_loop(lambda c: c.sum() < 50, lambda c: c * n + 1, x),
    "cond": lambda x, n: lax.cond(x[0] > 0, lambda x: x * n, lambda x: x + n, x),
    "switch": lambda x, n: lax.switch(1, [lambda x: x, lambda x: x * n, lambda x: x + n], x),
    "checkpoint": lambda x, n: olympus.vjp(olympus.checkpoint(lambda x: jnp.sin(x) * n), x)[1](x)[0],
}


@pytest.mark.parametrize("name", _UNCOMPILED)
def test_regions_of_the_same_content_are_compiled_once(name: str) -> None:
    run, x = _UNCOMPILED[name], jnp.arange(1.0, 5.0)
    first = run(x, 3.0)
    before = monitoring.counters()
    again = run(x, 3.0)
    after = monitoring.counters()
    for event in ("/olympus/core/compile/trace_duration", "/olympus/compilation_cache/memory_hits"):
        none = monitoring.Counter(0, 0.0)  # there was none yet
        assert after.get(event, none).count == before.get(event, none).count, event
    np.testing.assert_array_equal(again, first)
    other = run(x, 4.0)  # a constant of the program
    np.testing.assert_array_equal(other, olympus.jit(lambda x: run(x, 4.0))(x))
    assert not np.array_equal(other, first)


def test_regions_that_differ_where_no_text_says_it_are_told_apart() -> None:
    seen: list[str] = []

    def told(name: str) -> Any:
        def heard(x: Any) -> Any:
            seen.append(name)
            return x

        return lambda i, x: olympus.pure_callback(heard, olympus.ShapeDtypeStruct((), "float32"), x)

    for name in ("first", "second", "first"):
        lax.fori_loop(0, 1, told(name), jnp.float32(1))
    assert seen == ["first", "second", "first"]
    host = olympus.sharding.SingleDeviceSharding(olympus.devices()[0], memory_kind="pinned_host")
    kinds = [lax.cond(True, lambda x, where=where: olympus.device_put(x, where) if where else x * 1, lambda x: x * 1,
                      jnp.ones(3)).sharding.memory_kind for where in (None, host, None)]
    assert kinds[0] == kinds[2] == "device"


def test_the_line_of_a_wrong_number_is_that_of_this_call() -> None:
    lines = []
    with olympus.debug_nans(True):
        for run in (
            lambda: lax.fori_loop(0, 2, lambda i, c: jnp.log(c - 1), jnp.float32(1)),
            lambda: lax.fori_loop(0, 2, lambda i, c: jnp.log(c - 1), jnp.float32(1)),
        ):
            with pytest.raises(FloatingPointError) as raised:
                run()
            lines.append(str(raised.value).partition("\n")[0])
            assert lines[-1].endswith(f":{run.__code__.co_firstlineno}."), lines


def test_regions_on_meshes_of_the_same_shape_are_told_apart() -> None:
    devices = olympus.devices()
    half = len(devices) // 2
    meshes = [olympus.sharding.Mesh(np.array(some), ("i",)) for some in (devices[:half], devices[half:])]

    def constrained(x: Any, mesh: Any) -> Any:
        return lax.with_sharding_constraint(x + 1, olympus.NamedSharding(mesh, olympus.P("i")))

    def mapped(x: Any, mesh: Any) -> Any:
        add = olympus.shard_map(lambda x: x + 1, mesh=mesh, in_specs=olympus.P("i"), out_specs=olympus.P("i"))
        return add(x)

    x = np.arange(2.0 * half, dtype=np.float32)
    for function in (constrained, mapped):
        for run in (
            lambda f: lax.fori_loop(0, 2, lambda i, c: f(c), x),
            lambda f: lax.cond(True, f, f, x),
            lambda f: lax.scan(lambda c, _: (f(c), None), x, None, length=2)[0],
        ):
            for mesh in (*meshes, meshes[0]):
                found = run(lambda x, mesh=mesh, function=function: function(x, mesh))
                assert found.devices() == set(mesh.devices.flat)
                assert float(found[0]) in (1, 2)


def test_a_program_over_two_orders_of_devices_is_refused_whatever_was_compiled_before() -> None:
    devices = np.array(olympus.devices()[:4])
    first, second = (olympus.sharding.Mesh(order, ("i",)) for order in (devices, devices[::-1]))

    def over(*meshes: Any) -> Any:
        def f(x: Any) -> Any:
            for mesh in meshes:
                x = lax.with_sharding_constraint(x + 1, olympus.NamedSharding(mesh, olympus.P("i")))
            return x

        return olympus.jit(f)

    x = np.arange(8, dtype=np.float32)
    for mesh, other in ((first, second), (second, first)):
        parts = over(mesh, mesh)(x).addressable_shards  # the text of this program is that of the next ones
        assert {s.device: float(s.data[0]) for s in parts} == {d: 2 * i + 2 for i, d in enumerate(mesh.devices.flat)}
        with pytest.raises(olympus.errors.NotSupportedError, match="order of their devices"):
            over(mesh, other)(x)
