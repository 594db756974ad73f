# SPDX-License-Identifier: Apache-2.0
"""Functions whose authors say how they are split: `custom_partitioning`, against the function itself."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import ArgumentError, NotSupportedError
from olympus.experimental.custom_partitioning import (
    BATCHING,
    ArrayMapping,
    CompoundFactor,
    SdyShardingRule,
    custom_partitioning,
)
from olympus.sharding import AxisType, NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus.transforms.sharding_rules import rule_of_text
from olympus_core.program import ArrayType
from tests.support.processes import free_port, run_processes

X = np.arange(64, dtype="f").reshape(8, 8) / 64
Y = np.cos(X)


@pytest.fixture
def mesh() -> olympus.Mesh:
    return olympus.make_mesh((4, 2), ("x", "y"))


def put(value: np.ndarray, mesh: olympus.Mesh, *spec: Any) -> olympus.Array:
    return olympus.device_put(value, NamedSharding(mesh, P(*spec)))


def product(seen: list[Any] | None = None, **how: Any) -> Any:
    """A matrix product whose devices sum over the axes that split what is contracted."""
    @custom_partitioning
    def f(a: Any, b: Any) -> Any:
        return a @ b

    def partition(mesh: Any, arguments: Any, result: Any) -> Any:
        (rows, inner), (_, columns) = (a.sharding.spec for a in arguments)
        if seen is not None:
            seen.append((rows, inner, columns, tuple(result.sharding.spec), arguments[0].shape, str(result.dtype)))
        shardings = NamedSharding(mesh, P(rows, inner)), NamedSharding(mesh, P(inner, columns))
        body = (lambda a, b: lax.psum(a @ b, inner)) if inner else (lambda a, b: a @ b)
        return mesh, body, NamedSharding(mesh, P(rows, columns)), shardings

    f.def_partition(partition, **(how or {"sharding_rule": "i j, j k -> i k", "reduction_factors": ("j",)}))
    return f


@pytest.mark.parametrize("specs", [(("x", "y"), ("y",)), (("x",), (None, "y")), ((None, "x"), ("x", "y")), ((), ()),
                                   ((("x", "y"),), ())])
def test_devices_do_what_the_author_says(mesh: olympus.Mesh, specs: tuple[Any, Any]) -> None:
    seen: list[Any] = []
    f = product(seen)
    a, b = (put(v, mesh, *spec) for v, spec in zip((X, Y), specs, strict=True))
    for found in (olympus.jit(f)(a, b), f(a, b), olympus.jit(lambda a, b: jnp.sin(f(2 * a, b)) + 1)(a, b)):
        assert found.dtype == np.float32
    np.testing.assert_allclose(f(a, b), X @ Y, rtol=1e-5)
    np.testing.assert_allclose(found, np.sin(2 * X @ Y) + 1, rtol=1e-4)
    rows = (*specs[0], None, None)[0]
    assert seen and all(entry[0] == rows and entry[4:] == ((8, 8), "float32") for entry in seen)
    assert f(a, b).sharding.spec == olympus.jit(f)(a, b).sharding.spec
    count = len(seen)
    f(a, b), olympus.jit(f)(a, b)
    assert len(seen) == count + 1  # the new `jit` is compiled, and the function alone was


def test_the_rule_carries_shardings_both_ways(mesh: olympus.Mesh) -> None:
    f = product()
    found = olympus.jit(lambda a, b: f(a, b).T)(put(X, mesh, "x"), put(Y, mesh, None, "y"))
    assert found.sharding.spec == P("y", "x")
    backward = olympus.jit(f, out_shardings=NamedSharding(mesh, P("x", "y")))
    assert backward(X, Y).sharding.spec == P("x", "y")
    text = backward.lower(X, Y).compile().collectives_text()
    assert "all_gather" not in text
    np.testing.assert_allclose(backward(X, Y), X @ Y, rtol=1e-5)


def test_one_device_and_regions_that_are_manual_run_the_function(mesh: olympus.Mesh) -> None:
    seen: list[Any] = []
    f = product(seen)
    np.testing.assert_allclose(olympus.jit(f)(X, Y), X @ Y, rtol=1e-5)
    mapped = olympus.shard_map(f, mesh=mesh, in_specs=(P("x"), P()), out_specs=P("x"))
    np.testing.assert_allclose(mapped(X, Y), X @ Y, rtol=1e-5)
    half = olympus.jit(olympus.shard_map(f, mesh=mesh, in_specs=(P("x"), P()), out_specs=P("x"), axis_names={"x"}))
    np.testing.assert_allclose(half(put(X, mesh, "x", "y"), put(Y, mesh, "y")), X @ Y, rtol=1e-5)
    whole = custom_partitioning(lambda v: v / v.sum())  # what devices do is not what the function does to parts
    whole.def_partition(lambda m, arguments, result: seen.append(m), sharding_rule="i -> i")
    mapped = olympus.shard_map(whole, mesh=mesh, in_specs=P(), out_specs=P(), axis_names={"x"})
    np.testing.assert_allclose(olympus.jit(mapped)(put(X[1], mesh, "y")), X[1] / X[1].sum(), rtol=1e-5)
    assert seen == []
    text = str(olympus.make_jaxpr(f)(X, Y))
    assert "custom_partitioning" in text
    stored = olympus.export.deserialize(olympus.export.export(olympus.jit(f))(X, Y).serialize())
    np.testing.assert_allclose(stored.call(X, Y), X @ Y, rtol=1e-5)


def test_loops_and_branches(mesh: olympus.Mesh) -> None:
    seen: list[Any] = []
    f = product(seen)
    a, b = put(X, mesh, "x"), put(Y / 8, mesh)
    expected = X
    for _ in range(3):
        expected = expected @ (Y / 8)
    np.testing.assert_allclose(olympus.jit(lambda a, b: lax.fori_loop(0, 3, lambda i, c: f(c, b), a))(a, b), expected,
                               rtol=1e-4)
    np.testing.assert_allclose(olympus.jit(lambda a, b: lax.cond(a.sum() > 0, f, lambda a, b: a, a, b))(a, b),
                               X @ (Y / 8), rtol=1e-4)
    assert seen and all(entry[0] == "x" for entry in seen)


def test_derivatives_are_those_of_a_rule_around(mesh: olympus.Mesh) -> None:
    inner = product()

    @olympus.custom_vjp
    def f(a: Any, b: Any) -> Any:
        return inner(a, b)

    f.defvjp(lambda a, b: (inner(a, b), (a, b)), lambda kept, t: (inner(t, kept[1].T), inner(kept[0].T, t)))
    a, b = put(X, mesh, "x", "y"), put(Y, mesh, "y")
    found = olympus.jit(olympus.grad(lambda a, b: jnp.sin(f(a, b)).sum(), argnums=(0, 1)))(a, b)
    slope = np.cos(X @ Y)
    np.testing.assert_allclose(found[0], slope @ Y.T, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(found[1], X.T @ slope, rtol=1e-4, atol=1e-4)
    with pytest.raises(NotSupportedError, match="derivative of custom_partitioning"):
        olympus.grad(lambda a: inner(a, b).sum())(a)


def test_mapped_dimensions_are_split_as_operands_are(mesh: olympus.Mesh) -> None:
    seen: list[Any] = []
    f = product(seen)
    many = np.stack([X, 2 * X])
    stacked = put(many, mesh, "y", "x")
    found = olympus.jit(olympus.vmap(f, (0, None)))(stacked, put(Y, mesh))
    np.testing.assert_allclose(found, many @ Y, rtol=1e-5)
    assert found.sharding.spec == P("y", "x") and seen[-1][0] == "x" and seen[-1][4] == (8, 8)
    twice = olympus.vmap(olympus.vmap(f, (None, 0)), (0, None))
    columns = np.stack([Y, 3 * Y, Y])
    np.testing.assert_allclose(olympus.jit(twice)(stacked, columns), many[:, None] @ columns[None], rtol=1e-4)
    np.testing.assert_allclose(olympus.vmap(f, (None, 2))(X, np.moveaxis(columns, 0, 2)), X @ columns, rtol=1e-4)


def test_static_arguments_trees_and_names(mesh: olympus.Mesh) -> None:
    seen: list[Any] = []

    def scaled(values: Any, factor: float, shift: Any = 1.0) -> Any:
        return {"a": values["a"] * factor + shift, "b": (values["b"].sum(),)}

    f = custom_partitioning(scaled, static_argnums=(1,))

    def partition(factor: float, mesh: Any, arguments: Any, result: Any) -> Any:
        seen.append((factor, olympus.tree.structure(arguments), set(result)))
        where = olympus.tree.map(lambda x: x.sharding, arguments)
        there = {"a": where[0]["a"], "b": (NamedSharding(mesh, P()),)}
        where[0]["b"] = NamedSharding(mesh, P())
        return mesh, lambda values, shift: scaled(values, factor, shift), there, where

    f.def_partition(partition, sharding_rule=lambda factor, mesh, arguments, result: "i j, k, -> i j, ")
    given = {"a": put(X, mesh, "x"), "b": put(np.arange(8.0, dtype="f"), mesh, "y")}
    for found in (f(given, 3.0), olympus.jit(lambda g: f(g, factor=3.0, shift=1.0))(given)):
        np.testing.assert_allclose(found["a"], 3 * X + 1, rtol=1e-6)
        assert found["a"].sharding.spec == P("x") and float(found["b"][0]) == 28
    assert seen[0][0] == 3.0 and seen[0][2] == {"a", "b"} and f.__name__ == "scaled"
    with pytest.raises(ArgumentError, match="hashed"):
        f(given, [3.0])


def test_shardings_from_functions_where_there_is_no_rule(mesh: olympus.Mesh) -> None:
    asked: list[str] = []

    def infer(mesh: Any, arguments: Any, result: Any) -> Any:
        asked.append("infer")
        assert result.sharding is None
        return NamedSharding(mesh, P(arguments[0].sharding.spec[0], None))

    def propagate(mesh: Any, user: Any) -> Any:
        asked.append("propagate")
        return NamedSharding(mesh, P(user.sharding.spec[0], None))

    f = product(infer_sharding_from_operands=infer, propagate_user_sharding=propagate)
    a, b = put(X, mesh, "x"), put(Y, mesh)
    np.testing.assert_allclose(olympus.jit(f)(a, b), X @ Y, rtol=1e-5)
    wanted = olympus.jit(f, out_shardings=NamedSharding(mesh, P("x", "y")))
    np.testing.assert_allclose(wanted(put(X, mesh), b), X @ Y, rtol=1e-5)
    assert asked == ["infer", "propagate"]


def test_explicit_axes() -> None:
    mesh = olympus.make_mesh((4, 2), ("x", "y"), axis_types=AxisType.Explicit)
    f = product()
    found = olympus.jit(f)(put(X, mesh, "x"), put(Y, mesh, None, "y"))
    assert str(olympus.typeof(found)) == "float32[8@x,8@y]"
    np.testing.assert_allclose(found, X @ Y, rtol=1e-5)


def test_notation() -> None:
    def types(*shapes: tuple[int, ...]) -> list[ArrayType]:
        return [ArrayType(shape, np.dtype("f")) for shape in shapes]

    rule = rule_of_text("... (b c) d, d e_1 -> ... b c e_1", reduction_factors=("d",), permutation_factors=("b",))
    found = rule.factor_rule(types((5, 6, 4), (4, 7)), types((5, 2, 3, 7)))
    assert [f.size for f in found.factors] == [5, 4, 7, 2, 3]
    assert found.operands == (((0,), (3, 4), (1,)), ((1,), (2,))) and found.results == (((0,), (3,), (4,), (2,)),)
    assert [f.kind for f in found.factors] == ["parallel", "reduced", "parallel", "parallel", "parallel"]
    same = SdyShardingRule(
        ((BATCHING, CompoundFactor("b", "c"), "d"), ArrayMapping("d", "e_1")), ((BATCHING, "b", "c", "e_1"),),
        reduction_factors=("d",), permutation_factors=("b",))
    assert repr(same) == repr(rule) and pickle.loads(pickle.dumps(same.operand_mappings)) == rule.operand_mappings
    assert same.factor_rule(types((5, 6, 4), (4, 7)), types((5, 2, 3, 7))) == found
    sized = rule_of_text("(i j) -> (i j)", i=2, j=4, need_replication_factors=("j",))
    assert [(f.size, f.kind) for f in sized.factor_rule(types((8,)), types((8,))).factors] == [
        (2, "parallel"), (4, "whole")]
    assert rule_of_text(" -> ").factor_rule(types(()), types(())).factors == ()
    windows = rule_of_text("i -> i").factor_rule(types((8,)), types((12,)))
    assert windows.factors[0].size == 4
    two = rule_of_text("... i, ...1 i -> ...1 i")
    assert [f.size for f in two.factor_rule(types((3, 4, 2), (5, 2)), types((5, 2))).factors] == [3, 4, 2, 5]


@pytest.mark.parametrize(("text", "kinds"), [
    ("i j", {}), ("i -> j -> k", {}), ("i+j -> i", {}), ("(i j -> i j", {}), ("i) -> i", {}), ("((i j) k) -> i", {}),
    ("(i) -> i", {}), ("i ... -> i", {}), (". -> i", {}), ("1a -> i", {}), ("(... i) -> i", {}), ("(i, j) -> i", {}),
    ("i -> i", {"reduction_factors": ("k",)}), ("i -> i", {"reduction_factors": ["i"]}),
    ("i -> i", {"reduction_factors": ("i",), "need_replication_factors": ("i",)}), ("i -> i", {"i": 3}),
    ("(i j) -> (i j)", {"i": 3}), ("i -> i", {"k": 3}),
])
def test_texts_that_are_no_rules(text: str, kinds: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError):
        rule_of_text(text, **kinds)


def test_what_does_not_fit_is_told(mesh: olympus.Mesh) -> None:
    a, b = put(X, mesh, "x"), put(Y, mesh)
    with pytest.raises(ArgumentError, match="def_partition"):
        custom_partitioning(lambda a: a)(a)
    with pytest.raises(ArgumentError, match="how results lie"):
        product(sharding_rule=None, decode_shardings=True)
    with pytest.raises(ArgumentError, match="no text"):
        product(sharding_rule=SdyShardingRule((("i",),), (("i",),)), reduction_factors=("i",))
    for rule in ("i j -> i j", "i j, j k -> i k, i", "i, j k -> i k", "... i, ... i -> i", "i (j k), j l -> i k"):
        with pytest.raises((ArgumentError, ValueError)):
            olympus.jit(product(sharding_rule=rule))(put(np.ones((8, 4), "f"), mesh, "x"), put(
                np.ones((4, 2), "f"), mesh))

    def answering(answer: Any) -> Any:
        f = custom_partitioning(lambda a, b: a @ b)
        f.def_partition(lambda mesh, arguments, result: answer(mesh), sharding_rule="i j, j k -> i k")
        return olympus.jit(f)

    whole = NamedSharding(mesh, P())
    other = NamedSharding(olympus.make_mesh((8,), ("z",)), P("z"))
    wrong = [
        (lambda m: None, "partition gave"), (lambda m: (m, 3, whole, whole), "function"),
        (lambda m: (m, lambda a, b: a @ b, P(), whole), "NamedSharding"),
        (lambda m: (m, lambda a, b: a @ b, NamedSharding(m, P("x")), whole), "other parts"),
        (lambda m: (m, lambda a, b: (a @ b, a), whole, whole), "another structure"),
        (lambda m: (m, lambda a, b: a @ b, whole, (whole,)), "structure of the values"),
        (lambda m: (m, lambda a, b: a @ b, whole, NamedSharding(olympus.make_mesh((2, 4), ("p", "q")), P("q", "p"))),
         "another mesh"),
    ]
    for answer, text in wrong:
        with pytest.raises((ArgumentError, ValueError, TypeError), match=text):
            answering(answer)(a, b)
    np.testing.assert_allclose(
        answering(lambda m: (m, lambda a, b: a @ b, other, (other, whole)))(a, b), X @ Y, rtol=1e-5)

    @olympus.jit
    def leaking(a: Any, b: Any) -> Any:
        f = custom_partitioning(lambda v: v + b)
        f.def_partition(lambda *_: None, sharding_rule="i j -> i j")
        return f(a)

    with pytest.raises(NotSupportedError, match="traced values"):
        leaking(a, b)


PROGRAM = """
import sys
import numpy as np
import olympus
from olympus import lax
from olympus.experimental.custom_partitioning import custom_partitioning
from olympus.sharding import NamedSharding, PartitionSpec as P

index, count, port = map(int, sys.argv[1:])
olympus.distributed.initialize(f"localhost:{port}", count, index, initialization_timeout=20)
mesh = olympus.make_mesh((4, 2), ("x", "y"))

@custom_partitioning
def f(a, b):
    return a @ b

def partition(mesh, arguments, result):
    rows, inner = arguments[0].sharding.spec
    return mesh, lambda a, b: lax.psum(a @ b, inner), NamedSharding(mesh, P(rows)), (
        NamedSharding(mesh, P(rows, inner)), NamedSharding(mesh, P(inner)))

f.def_partition(partition, sharding_rule="i j, j k -> i k", reduction_factors=("j",))
a, b = np.arange(64, dtype="f").reshape(8, 8), np.ones((8, 4), "f")
found = olympus.jit(f)(*(olympus.device_put(v, NamedSharding(mesh, P("y", "x" if v is a else None))) for v in (a, b)))
for shard in found.addressable_shards:
    np.testing.assert_array_equal(shard.data, (a @ b)[shard.index])
print("spec", found.sharding.spec)
"""


@pytest.mark.processes
def test_in_four_processes() -> None:
    finished = run_processes(
        PROGRAM, 4, lambda i: i, 4, free_port(), deadline=60.0, env={"OLYMPUS_NUM_CPU_DEVICES": "2"})
    for index, end in enumerate(finished):
        assert end.returncode == 0 and "spec PartitionSpec('y'" in end.stdout, f"{index}:\n{end.stdout}{end.stderr}"
