# SPDX-License-Identifier: Apache-2.0
"""jit: tracing, caching, arguments, placement."""

from __future__ import annotations

import functools
import inspect
from functools import partial
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P


@pytest.fixture(scope="module")
def mesh() -> olympus.Mesh:
    return olympus.make_mesh((4, 2), ("i", "j"))


def test_traced_once_for_each_type() -> None:
    traces: list[Any] = []

    @olympus.jit
    def f(x: Any) -> Any:
        traces.append(x.shape)
        return x * 2

    for _ in range(3):
        f(jnp.ones(3))
        f(np.ones(3, np.float32))
    f(jnp.ones(4))
    assert traces == [(3,), (4,)]


def test_python_numbers_are_not_part_of_the_program() -> None:
    traces: list[Any] = []

    @olympus.jit
    def f(x: Any, n: Any) -> Any:
        traces.append(n)
        return x * n

    for n in (2, 3, -1):
        np.testing.assert_array_equal(np.asarray(f(jnp.arange(3), n)), np.arange(3) * n)
    assert len(traces) == 1
    assert f(jnp.float32(1), 0.0) == 0 and np.signbit(np.asarray(f(jnp.float32(1), -0.0)))


def test_static_arguments() -> None:
    @partial(olympus.jit, static_argnums=1)
    def power(x: Any, n: int) -> Any:
        for _ in range(n):
            x = x * x
        return x

    assert power(jnp.float32(3), 2) == 81 and power(jnp.float32(3), 1) == 9
    named = olympus.jit(lambda x, *, flag: x if flag else -x, static_argnames="flag")
    assert named(1, flag=True) == 1 and named(1, flag=False) == -1
    with pytest.raises(TypeError, match="cannot be hashed"):
        power(jnp.float32(3), [1])
    with pytest.raises(TypeError, match="no parameter 'flags'"):
        olympus.jit(lambda x, flag: x, static_argnames="flags")


def test_the_signature_that_a_function_tells_says_where_named_static_arguments_stand() -> None:
    def flexible(*args: Any, **kwargs: Any) -> Any:
        x, mode = args
        return x * 2 if mode == "twice" else x

    flexible.__signature__ = inspect.signature(lambda x, mode: None)  # type: ignore[attr-defined]
    assert float(olympus.jit(flexible, static_argnames="mode")(3.0, "twice")) == 6


def test_nested_containers() -> None:
    @olympus.jit
    def f(tree: dict[str, Any], pair: tuple[Any, Any]) -> Any:
        return {"sum": tree["a"] + pair[0], "rest": [pair[1], None]}

    result = f({"a": jnp.ones(2)}, (1, np.arange(2)))
    np.testing.assert_array_equal(np.asarray(result["sum"]), [2, 2])
    assert result["rest"][1] is None


def test_what_is_captured_is_an_input() -> None:
    table = jnp.arange(4.0)
    f = olympus.jit(lambda i: table[i] + outer)
    outer = np.float32(10)
    assert f(2) == 12
    text = f.lower(2).as_text()
    assert "float32[4]" in text.splitlines()[0]


def test_nested_jit_and_capture_of_an_outer_trace() -> None:
    @olympus.jit
    def outer(x: Any) -> Any:
        inner = olympus.jit(lambda y: x * y)
        return inner(x + 1) + inner(2.0)

    assert outer(jnp.float32(3)) == 3 * 4 + 3 * 2
    assert outer(jnp.float32(5)) == 5 * 6 + 5 * 2


def test_values_of_traced_arrays_are_refused_with_what_to_write() -> None:
    with pytest.raises(TypeError, match="lax.cond"):
        olympus.jit(lambda x: 1 if x > 0 else 2)(jnp.float32(1))
    with pytest.raises(TypeError, match="NumPy array"):
        olympus.jit(lambda x: np.asarray(x))(jnp.float32(1))
    leaked: list[Any] = []
    olympus.jit(lambda x: leaked.append(x * 2))(jnp.float32(1))
    with pytest.raises(RuntimeError, match="outside of the function"):
        leaked[0] + 1
    np.float32(2) + jnp.float32(1) + 1  # a program for such arguments is not one for values that are gone
    jnp.add(np.float32(2), 1)
    with pytest.raises(RuntimeError, match="outside of the function"):
        leaked[0] + 1
        olympus.jit(lambda y: y + leaked[0])(jnp.float32(1))


def test_an_argument_that_is_no_array_is_named() -> None:
    with pytest.raises(TypeError, match=r"tree\['name'\]"):
        olympus.jit(lambda tree: tree["x"])({"x": 1, "name": "text"})


def test_computation_follows_data(mesh: olympus.Mesh) -> None:
    x = olympus.device_put(np.arange(32.0, dtype=np.float32).reshape(4, 8), NamedSharding(mesh, P("i", "j")))
    y = olympus.jit(lambda x: 2 * jnp.sin(x) + 1)(x)
    assert y.sharding == x.sharding
    np.testing.assert_allclose(np.asarray(y), 2 * np.sin(np.arange(32).reshape(4, 8)) + 1, rtol=1e-6)
    column = olympus.jit(lambda x: x.sum(axis=0))(x)
    assert column.sharding == NamedSharding(mesh, P("j"))
    scalar = jnp.sum(x)
    assert scalar.sharding.is_fully_replicated and scalar == 496


def test_matmul_of_document_000(mesh: olympus.Mesh) -> None:
    a, b = np.random.default_rng(0).normal(size=(2, 16, 16)).astype(np.float32)
    x = olympus.device_put(a, NamedSharding(mesh, P("i", "j")))
    y = olympus.device_put(b, NamedSharding(mesh, P("j", None)))
    z = olympus.nn.relu(x @ y)
    assert repr(z.sharding) == (
        "NamedSharding(mesh=Mesh('i': 4, 'j': 2), spec=PartitionSpec('i',), memory_kind=device)")
    np.testing.assert_allclose(np.asarray(z), np.maximum(a @ b, 0), rtol=1e-5, atol=1e-5)
    assert olympus.explain(lambda x, y: x @ y, x, y).count("all_reduce") == 1


def test_uncommitted_arguments_join_the_mesh(mesh: olympus.Mesh) -> None:
    x = olympus.device_put(np.ones((4, 4), np.float32), NamedSharding(mesh, P("i")))
    y = x + jnp.arange(4.0) + np.float32(1)
    np.testing.assert_array_equal(np.asarray(y), np.ones((4, 4)) + np.arange(4) + 1)
    assert y.sharding == x.sharding


def test_in_and_out_shardings(mesh: olympus.Mesh) -> None:
    rows, columns = NamedSharding(mesh, P("i")), NamedSharding(mesh, P(None, "j"))
    f = olympus.jit(lambda x, y: (x + y, x), in_shardings=(rows, None), out_shardings=(columns, None))
    total, x = f(np.ones((4, 4), np.float32), 1.0)
    assert total.sharding == columns and x.sharding == rows
    np.testing.assert_array_equal(np.asarray(total), np.full((4, 4), 2))
    with olympus.set_mesh(mesh):
        assert olympus.jit(lambda x: x, out_shardings=P("j"))(np.ones(4)).sharding == NamedSharding(mesh, P("j"))


def test_sharding_constraints(mesh: olympus.Mesh) -> None:
    rows = NamedSharding(mesh, P("i"))
    f = olympus.jit(lambda x: olympus.lax.with_sharding_constraint(x * 2, rows))
    x = olympus.device_put(np.ones((8, 2), np.float32), NamedSharding(mesh, P()))
    assert f(x).sharding == rows
    assert f(np.ones((8, 2), np.float32)).sharding == rows
    assert olympus.with_sharding_constraint(x, rows).sharding == rows


def test_donation() -> None:
    f = olympus.jit(lambda x, y: x + y, donate_argnums=0)
    x, y = jnp.ones(4), jnp.ones(4)
    np.testing.assert_array_equal(np.asarray(f(x, y)), np.full(4, 2))
    assert x.is_deleted() and not y.is_deleted()
    with pytest.raises(RuntimeError, match="donated"):
        f(x, y)


def test_lower_and_compile(mesh: olympus.Mesh) -> None:
    x = olympus.device_put(np.ones((8, 4), np.float32), NamedSharding(mesh, P("i")))
    lowered = olympus.jit(jnp.sum).lower(x)
    assert "reduce_sum" in lowered.as_text() and "all_reduce" not in lowered.as_text()
    compiled = lowered.compile()
    assert "all_reduce" in compiled.as_text() and compiled(x) == 32
    # What a platform makes of it is the platform's; this test runs on others, too.
    assert ("kernel" if olympus.default_backend() == "cpu" else "sum") in compiled.executable_text()
    assert compiled.memory_analysis().argument_size_in_bytes == 2 * 4 * 4
    shape = olympus.jit(jnp.sum).lower(olympus.ShapeDtypeStruct((3,), np.float32))
    assert "float32[3]" in shape.as_text()


def test_evaluation_by_shape_only() -> None:
    shape = olympus.eval_shape(lambda x: {"y": x @ x.T}, olympus.ShapeDtypeStruct((2, 3), np.float32))
    assert shape == {"y": olympus.ShapeDtypeStruct((2, 2), np.float32)}


def test_methods_are_jitted_too() -> None:
    class Model:
        scale = 3

        @partial(olympus.jit, static_argnums=0)
        def apply(self, x: Any) -> Any:
            return x * self.scale

    assert Model().apply(2) == 6


def test_x64_is_part_of_the_key() -> None:
    f = olympus.jit(lambda x: x * 2)
    assert f(np.float64(1)).dtype == np.float32
    with olympus.enable_x64():
        assert f(np.float64(1)).dtype == np.float64
    assert f(np.float64(1)).dtype == np.float32


def test_named_scopes_stand_beside_the_source_lines(mesh: olympus.Mesh) -> None:
    @olympus.named_scope("model")
    def f(x: Any) -> Any:
        with olympus.named_scope("head"):
            return jnp.sum(x)

    locations = [operation.location or "" for operation in olympus.make_program(f)(np.ones(8)).operations]
    assert all(location.endswith("(model/head)") and __file__ in location for location in locations) and locations
    x = olympus.device_put(np.ones(8, np.float32), NamedSharding(mesh, P("i")))
    assert "(model/head)" in olympus.explain(f, x)
    assert "(" not in (olympus.make_program(jnp.sum)(np.ones(8)).operations[0].location or "")


class Wrapped:
    """What says that it is an array."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __olympus_array__(self) -> Any:
        return self.value


def test_what_says_that_it_is_an_array() -> None:
    for value in (jnp.ones(2), np.ones(2, np.float32), 1.0):
        wrapped = Wrapped(value)
        for found in (jnp.ones(2) + wrapped, wrapped + jnp.ones(2), jnp.add(wrapped, np.ones(2)),
                      olympus.jit(lambda x, v=value: jnp.ones(2) + Wrapped(v))(0),
                      olympus.jit(lambda t: jnp.ones(2) + t["a"])({"a": wrapped})):
            np.testing.assert_array_equal(found, [2, 2])


class Attributed(dict):  # type: ignore[type-arg]
    """A dictionary whose entries are attributes: whoever asks for another one gets a KeyError."""

    __getattr__ = dict.__getitem__


olympus.tree_util.register_pytree_node(Attributed, lambda d: (tuple(d.values()), tuple(d)),
                                       lambda names, values: Attributed(zip(names, values, strict=True)))


def test_containers_that_look_attributes_up_in_their_own_way() -> None:
    f = olympus.jit(lambda d: d.x * 2)
    for _ in range(2):
        assert float(f(Attributed(x=jnp.float32(1)))) == 2
        assert float(olympus.jit(lambda d, y: d.x * y)(Attributed(x=1.0), 3.0)) == 3
    assert float(olympus.grad(f)(Attributed(x=1.0)).x) == 2
    assert olympus.vmap(f)(Attributed(x=np.ones(2))).tolist() == [2, 2]


def test_functions_whose_name_is_no_text(mesh: olympus.Mesh) -> None:
    class Function:
        __name__ = 3

        def __call__(self, x: Any) -> Any:
            return x * 1.0

    for transform in (olympus.jit, olympus.grad, olympus.vmap, olympus.checkpoint, olympus.jacrev, olympus.jacfwd):
        x = np.ones(2, np.float32) if transform in (olympus.vmap, olympus.jit) else 1.0
        assert np.all(transform(Function())(x) == 1)
    assert olympus.shard_map(Function(), mesh=mesh, in_specs=P("i"), out_specs=P("i"))(np.ones(8)).sum() == 8


def test_static_positions_and_names_that_are_both_given_are_left_as_they_are() -> None:
    def f(x: Any, options: Any, flag: Any = None) -> Any:
        return x[0] if flag == "first" else options["y"] * x[1]

    @functools.wraps(f)
    def forwarding(fingerprint: Any, *args: Any, **kwargs: Any) -> Any:  # its own first parameter is another one
        assert fingerprint == "key"
        return f(*args, **kwargs)

    jitted = olympus.jit(forwarding, static_argnums=(0,), static_argnames="options")
    assert float(jitted("key", jnp.arange(2.0), {"y": 3.0})) == 3.0
    named = olympus.jit(forwarding, static_argnums=(0,), static_argnames=("flag",))
    assert float(named("key", jnp.arange(2.0), {"y": 3.0}, flag="first")) == 0.0
