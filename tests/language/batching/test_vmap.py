# SPDX-License-Identifier: Apache-2.0
"""vmap as users meet it: arguments, results, nesting, errors, and the functions of olympus.numpy and random."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import olympus
import olympus.numpy as jnp
from olympus import lax, vmap
from olympus.errors import ArgumentError, LeakedTracerError, MappedSizesError, UnmappedResultError
from olympus.sharding import AxisType, NamedSharding
from olympus.sharding import PartitionSpec as P

X = np.random.default_rng(0).normal(size=(4, 3, 5)).astype(np.float32)


def looped(f: Callable[..., Any], *args: np.ndarray) -> Any:
    each = [f(*(a[i] for a in args)) for i in range(len(args[0]))]
    return olympus.tree.map(lambda *parts: np.stack([np.asarray(p) for p in parts]), *each)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "matmul": lambda x: x @ x.T,
    "einsum": lambda x: jnp.einsum("ij,kj->ki", x, x * 2),
    "sort": lambda x: jnp.sort(x, 0),
    "argsort": lambda x: jnp.argsort(x, axis=-1),
    "softmax": lambda x: olympus.nn.softmax(x, -1),
    "logsumexp": lambda x: olympus.nn.logsumexp(x),
    "var": lambda x: jnp.var(x, 0),
    "median": jnp.median,
    "at set": lambda x: jnp.asarray(x).at[1].set(x[0] * 2),
    "at add": lambda x: jnp.asarray(x).at[jnp.array([0, 0, 2])].add(1.0),
    "index": lambda x: x[jnp.argmax(x[:, 0]), 1:3],
    "where": lambda x: jnp.where(x > 0, x, -1),
    "take": lambda x: jnp.take(x, jnp.array([2, 0]), axis=1),
    "along": lambda x: jnp.take_along_axis(x, jnp.argsort(x, 1), 1),
    "cumsum": lambda x: jnp.cumsum(x, 1),
    "roll": lambda x: jnp.roll(x, 2, 1),
    "pad": lambda x: jnp.pad(x, 1, mode="edge"),
    "stack": lambda x: jnp.stack([x, x + 1]),
    "one hot": lambda x: olympus.nn.one_hot(jnp.argmax(x, 1), 5),
    "norm": lambda x: jnp.linalg.norm(x),
    "outer": lambda x: jnp.outer(x[0], x[1]),
    "convolve": lambda x: jnp.convolve(x[0], x[1]),
    "clip": lambda x: jnp.clip(x, x.min() / 2, 0.5),
    "bincount": lambda x: jnp.bincount((x[0] > 0).astype("int32"), length=2),
    "dynamic slice": lambda x: lax.dynamic_slice(x, (jnp.argmax(x[0]), 1), (2, 3)),
    "dynamic update": lambda x: lax.dynamic_update_slice(x, x[:1, :2], (jnp.argmin(x[:, 0]), 0)),
    "tril": jnp.tril,
    "unary": lambda x: jnp.tanh(x) * jnp.exp(-x) + x ** 2,
    "python sum": lambda x: sum(x[i] for i in range(3)) * 2.0,
    "iterate": lambda x: jnp.array([row.sum() for row in x]),
    "top_k": lambda x: lax.top_k(x, 2),
    "associative": lambda x: lax.associative_scan(jnp.maximum, x),
    "searchsorted": lambda x: jnp.searchsorted(jnp.sort(x[0]), x[1]),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_numpy(name: str) -> None:
    f = FUNCTIONS[name]
    expected = looped(f, X)
    got = olympus.jit(vmap(f))(X)

    def compare(a: Any, b: Any) -> None:
        assert a.dtype == b.dtype
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-6)

    olympus.tree.map(compare, got, expected)


def test_evaluated_and_jitted_agree_and_nest_in_any_order() -> None:
    f = lambda x, y: (jnp.sin(x) @ y + 1, x.sum())
    y = X.transpose(0, 2, 1)
    expected = looped(f, X, y)
    for g in (vmap(f), olympus.jit(vmap(f)), vmap(olympus.jit(f)), olympus.jit(vmap(olympus.jit(f)))):
        for a, b in zip(g(X, y), expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5)
    deep = vmap(vmap(vmap(lambda a: a * 2 + jnp.arange(3))))(X)
    np.testing.assert_array_equal(deep, X[..., None] * 2 + np.arange(3, dtype=np.float32))


@given(st.data())
@settings(deadline=None, max_examples=40)
def test_any_dimensions_in_and_out(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 3))
    shapes = data.draw(st.lists(st.lists(st.integers(1, 3), max_size=2).map(tuple), min_size=1, max_size=3))
    axes = [data.draw(st.none() | st.integers(-len(s) - 1, len(s))) for s in shapes]
    whole = [s if a is None else np.insert(s, a % (len(s) + 1), size).astype(int)
             for s, a in zip(shapes, axes, strict=True)]
    args = [np.random.default_rng(i).normal(size=s).astype(np.float32) for i, s in enumerate(whole)]

    def f(*values: Any) -> list[Any]:
        return [v * 2 for v in values] + [sum(v.sum() for v in values)]

    places = [data.draw(st.integers(-len(s) - 1, len(s))) for s in shapes] + [0]
    got = vmap(f, tuple(axes), places, axis_size=size)(*args)
    for i in range(size):
        one = f(*(a if x is None else np.take(a, i, x) for a, x in zip(args, axes, strict=True)))
        for result, wanted, place in zip(got, one, places, strict=True):
            np.testing.assert_allclose(np.take(result, i, place), wanted, rtol=1e-5, atol=1e-5)


@olympus.tree_util.register_dataclass
@dataclasses.dataclass
class Layer:
    w: Any
    b: Any


def test_containers_prefixes_and_named_arguments() -> None:
    layers = Layer(np.ones((4, 3, 2), np.float32), np.arange(8, dtype=np.float32).reshape(2, 4))
    given = {"x": np.ones(3, np.float32), "n": (np.arange(4), None)}

    def f(layer: Layer, inputs: Any, *, scale: Any) -> Any:
        n, none = inputs["n"]
        assert none is None and layer.w.shape == (3, 2) and layer.b.shape == (2,) and scale.shape == ()
        return {"y": inputs["x"] @ layer.w * scale + layer.b, "n": (n, 7)}

    got = vmap(f, (Layer(0, 1), {"x": None, "n": 0}), {"y": 1, "n": (0, None)})(layers, given, scale=np.arange(4.0))
    expected = 3 * np.arange(4)[:, None] + layers.b.T
    np.testing.assert_allclose(got["y"], expected.T)
    assert got["n"][0].tolist() == [0, 1, 2, 3] and got["n"][1] == 7
    np.testing.assert_array_equal(vmap(lambda a, b: a + b, [0, None])(np.arange(3), 1), [1, 2, 3])
    np.testing.assert_array_equal(vmap(lambda: jnp.ones(2), axis_size=3)(), np.ones((3, 2)))
    doubled = vmap(in_axes=1)(lambda v: v * 2)
    np.testing.assert_array_equal(doubled(X), 2 * X.transpose(1, 0, 2))


@olympus.tree_util.register_dataclass
@dataclasses.dataclass
class Called:
    """A container that is called like a function, as a library's distributions are."""

    loc: Any
    scale: Any

    def __call__(self, *, key: Any) -> Any:
        raise AssertionError


def test_containers_that_can_be_called_are_prefixes_too() -> None:
    mapped = vmap(Called, in_axes=(0, None), out_axes=Called(0, None))
    found = mapped(jnp.arange(3.0), 2.0)
    np.testing.assert_array_equal(found.loc, [0, 1, 2])
    assert found.scale == 2
    doubled = vmap(lambda d: d.loc * d.scale, in_axes=(Called(0, None),))(found)
    np.testing.assert_array_equal(doubled, [0, 2, 4])
    mesh = olympus.make_mesh((2,), ("i",))
    specs = Called(P("i"), P())
    shards = olympus.shard_map(lambda d: Called(d.loc + 1, d.scale), mesh=mesh, in_specs=(specs,), out_specs=specs)
    moved = shards(Called(jnp.arange(4.0), jnp.float32(2)))
    np.testing.assert_array_equal(moved.loc, [1, 2, 3, 4])
    with pytest.raises(ArgumentError, match="out_axes"):
        vmap(lambda x: x, out_axes=lambda: 0)(jnp.arange(3.0))


def test_element_types_are_those_of_one_index() -> None:
    kept = vmap(lambda x, s: (x * 2, x + s, s * 1, x * 2.5), (0, None))(np.arange(3, dtype=np.int8), 3)
    assert [str(v.dtype) for v in kept] == ["int8", "int8", "int32", "float32"]
    assert not kept[0].weak_type and kept[2].weak_type
    assert vmap(lambda x: x.astype("bfloat16") + 1)(np.arange(3)).dtype == jnp.bfloat16


def test_random_bits_are_those_of_each_key() -> None:
    for keys in (olympus.random.split(olympus.random.key(3), 4), olympus.random.split(olympus.random.PRNGKey(3), 4)):
        def f(key: Any) -> Any:
            a, b = olympus.random.split(key)
            return (olympus.random.uniform(a, (2, 3)), olympus.random.randint(b, (3,), 0, 50),
                    olympus.random.permutation(a, 5), olympus.random.bits(olympus.random.fold_in(b, 2), (4,), "uint8"))

        got = olympus.jit(vmap(f))(keys)
        for i in range(4):
            for result, wanted in zip(got, f(keys[i]), strict=True):
                np.testing.assert_array_equal(result[i], wanted)
    inner = vmap(lambda n: olympus.random.normal(olympus.random.fold_in(olympus.random.key(0), n)))(np.arange(3))
    assert len(set(np.asarray(inner).tolist())) == 3


def test_placement_follows_and_constraints_hold() -> None:
    mesh = olympus.make_mesh((4, 2), ("x", "y"))
    sharding = NamedSharding(mesh, P("x"))
    x = olympus.device_put(X[:, :2, :4], sharding)
    wanted = NamedSharding(mesh, P("y"))
    for f in (vmap(lambda v: jnp.sin(v) + 1), olympus.jit(vmap(lambda v: jnp.sin(v) + 1))):
        assert f(x).sharding.is_equivalent_to(sharding, 3)
    for place in (lambda v: lax.with_sharding_constraint(v * 2, wanted), lambda v: olympus.device_put(v * 2, wanted)):
        for f in (vmap(place), olympus.jit(vmap(place))):
            result = f(x)
            np.testing.assert_array_equal(result, 2 * X[:, :2, :4])
            assert result.sharding.is_equivalent_to(NamedSharding(mesh, P(None, "y")), 3)


def test_explicit_shardings_are_types_of_one_index() -> None:
    mesh = olympus.make_mesh((4, 2), ("x", "y"), axis_types=AxisType.Explicit)
    x = olympus.device_put(np.arange(32, dtype=np.float32).reshape(4, 4, 2), NamedSharding(mesh, P("x", "y")))
    seen = []

    def f(v: Any, w: Any) -> Any:
        seen.append((str(olympus.typeof(v)), str(olympus.typeof(v * 2 + w))))
        return olympus.reshard(v * 2 + w, P(None, "y")) + 1

    for through in (lambda g: g, olympus.jit):
        result = through(vmap(f, (0, None)))(x, jnp.float32(1))
        assert str(olympus.typeof(result)) == "float32[4@x,4,2@y]"
        np.testing.assert_array_equal(result, np.asarray(x) * 2 + 2)
    assert set(seen) == {("float32[4@y,2]", "float32[4@y,2]")}
    seen.clear()
    looped_over = olympus.jit(vmap(lambda v: lax.fori_loop(0, 2, lambda i, t: t + v, v)))(x)
    assert str(olympus.typeof(looped_over)) == "float32[4@x,4@y,2]"
    np.testing.assert_array_equal(looped_over, 3 * np.asarray(x))


def test_what_is_hidden_from_types_in_one_place_is_not_in_another() -> None:
    mesh = olympus.make_mesh((4, 2), ("x", "y"), axis_types=AxisType.Explicit)
    x = olympus.device_put(np.arange(64, dtype=np.float32).reshape(4, 4, 4), NamedSharding(mesh, P("x", "y")))
    f = olympus.sharding.auto_axes(lambda a: a.T @ a, out_sharding=P(None, "y"))
    for through in (lambda g: g, olympus.jit):
        result = through(vmap(f, spmd_axis_name="x"))(x)
        np.testing.assert_array_equal(result, np.einsum("bij,bik->bjk", x, x))
        assert str(olympus.typeof(result)) == "float32[4@x,4,4@y]"
        assert str(olympus.typeof(through(vmap(lambda a: a.T))(x))) == "float32[4@x,4,4@y]"


def named(x: Any, y: Any, *rest: Any, scale: Any = 1) -> Any:
    return x


@pytest.mark.parametrize(("call", "error", "text"), [
    (lambda: vmap(named)({"w": np.ones(3)}, np.ones((2, 3))), MappedSizesError,
     r"vmap\(named\): .*differ in size(.|\n)*x\['w'\]: 3, dimension 0 of float32\[3\]\n *y: 2, dimension 0 of"),
    (lambda: vmap(named, (None, 1, 0))(1, np.ones((2, 3))), ArgumentError, "in_axes has not the structure"),
    (lambda: vmap(named, (None, 1, 0, 0))(1, np.ones((2, 3)), np.ones(3), np.ones(5)), MappedSizesError,
     r"y: 3, dimension 1(.|\n)*rest\[1\]: 5"),
    (lambda: vmap(named)(np.ones(2), np.ones(2), scale=np.ones(4)), MappedSizesError, r"scale: 4, dimension 0"),
    (lambda: vmap(named, axis_size=4)(np.ones(2), np.ones(2)), MappedSizesError, r"axis_size: 4\n *x: 2"),
    (lambda: vmap(named)(1, np.ones(2)), ArgumentError, r"x has no dimension 0 to map(.|\n)*int32\[\]"),
    (lambda: vmap(named, 2)(np.ones((2, 2)), 1), ArgumentError, "x has no dimension 2 to map"),
    (lambda: vmap(named)("text", np.ones(2)), ArgumentError, "x is not an array"),
    (lambda: vmap(named, None)(1, 2), ArgumentError, "no argument is mapped"),
    (lambda: vmap(named, "x")(1, 2), ArgumentError, "in_axes holds something else"),
    (lambda: vmap(named, out_axes=3)(np.ones(2), np.ones(2)), ArgumentError, "out_axes names dimension 3"),
    (lambda: vmap(lambda x: (x, [x]), 0, (0, None))(np.ones(2)), UnmappedResultError, r"result\[1\]\[0\] differs"),
    (lambda: vmap(3), ArgumentError, "function is needed"),
    (lambda: vmap(lambda x: float(x))(np.ones(2)), TypeError, r"float\(\) needs the value"),
])
def test_errors(call: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def test_values_do_not_outlive_the_call() -> None:
    kept: list[Any] = []
    vmap(lambda x: kept.append(x * 2) or x)(np.ones(3))
    assert "float32[]" in repr(kept[0])
    for use in (lambda: kept[0] + 1, lambda: vmap(lambda y: kept[0] + y)(np.ones(3)),
                lambda: olympus.jit(lambda y: kept[0] + y)(1.0)):
        with pytest.raises(LeakedTracerError):
            use()


def test_jitted_functions_stay_one_program_and_know_their_surroundings() -> None:
    runs = []

    @olympus.jit
    def f(x: Any, scale: Any) -> Any:
        runs.append(x.shape)
        return x * scale + jnp.arange(3.0)[0], jnp.zeros(2)

    for size in (2, 4, 2):
        x = np.arange(size, dtype=np.float32)
        y, z = vmap(f, (0, None))(x, 2.0)
        np.testing.assert_array_equal(y, 2 * x)
        assert z.shape == (size, 2)
    assert runs == [()]  # traced once for one index, whatever the size
    np.testing.assert_array_equal(vmap(vmap(f, (0, None)), (0, None))(X[:, 0], 2.0)[0], 2 * X[:, 0])
    assert float(vmap(lambda x: f(1.0, 3.0)[0], out_axes=None)(X)) == 3

    total = olympus.jit(lambda x: x + lax.psum(1.0, "n") + lax.axis_size("n"))
    for size in (2, 5):  # the same types, another axis
        np.testing.assert_array_equal(vmap(total, axis_name="n")(np.zeros(size, np.float32)), np.full(size, 2.0 * size))

    outside: list[Any] = []
    closing = olympus.jit(lambda x: x + outside[-1])

    def g(x: Any, y: Any) -> Any:
        outside.append(y)
        return closing(x)

    np.testing.assert_array_equal(vmap(g)(X[0], X[1]), X[0] + X[1])
    np.testing.assert_array_equal(vmap(g, (0, None))(X[0], jnp.float32(2)), X[0] + 2)


def test_derivatives_of_each_index_and_of_all() -> None:
    w, x = X[0, 0], X[1]

    def loss(w: Any, row: Any) -> Any:
        return lax.scan(lambda c, e: (jnp.tanh(c * e + w.sum()), c), 1.0, row)[0] + (jnp.sin(w) * row).sum() ** 2

    each = np.stack([np.asarray(olympus.grad(loss)(w, row)) for row in x])
    for f in (vmap(olympus.grad(loss), (None, 0)), olympus.jit(vmap(olympus.grad(loss), (None, 0))),
              vmap(olympus.jit(olympus.grad(loss)), (None, 0))):
        np.testing.assert_allclose(f(w, x), each, rtol=2e-5, atol=1e-6)

    def total(w: Any) -> Any:
        return vmap(lambda w, row: lax.psum(loss(w, row), "n"), (None, 0), None, "n")(w, x)

    for g in (olympus.grad(total), olympus.jit(olympus.grad(total))):
        np.testing.assert_allclose(g(w), each.sum(0), rtol=2e-5, atol=1e-5)


def test_results_that_differ_are_summed_on_demand() -> None:
    summed = vmap(lambda x, y: (x * y, {"y": y}), (0, None), (None, 0), sum_match=True)
    found = summed(np.arange(3.0), 2.0)
    assert float(found[0]) == 6.0 and found[1]["y"].shape == (3,)
    assert float(vmap(lambda x: 3.0, out_axes=None, sum_match=True)(np.arange(3.0))) == 3.0


def test_results_without_a_mapped_dimension_are_arrays() -> None:
    found = vmap(lambda x: (1, 2.0, True, np.float32(3), np.ones(2)), out_axes=None)(X)
    assert all(isinstance(v, olympus.Array) for v in found)
    assert found[0].weak_type and found[1].weak_type and not found[3].weak_type


def test_what_stands_for_an_array_may_lend_its_shape() -> None:
    struct = olympus.ShapeDtypeStruct((4, 3, 2), "float32")
    repeated = vmap(lambda x, like: x * like.shape[-1], in_axes=(0, 1), out_axes=1)
    np.testing.assert_array_equal(repeated(X[:3], struct), X[:3].transpose(1, 0, 2) * 2)
    assert vmap(lambda like: like, in_axes=1, out_axes=2)(struct).shape == (4, 2, 3)
