# SPDX-License-Identifier: Apache-2.0
"""Symbolic dimensions: what is decided of them, shapes that are traced once, programs that are made for each call."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import errors, export, lax, nn
from olympus.errors import ExportedCallError, InconclusiveDimensionOperation, SymbolicShapeError
from olympus.export.dimensions import bounds, evaluate, extreme
from olympus.export.symbolic import parsed


def both(function: Any, *specs: Any, **constraints: Any) -> list[Any]:
    """The function exported, and read from its bytes."""
    made = export.export(olympus.jit(function))(*specs)
    return [made, export.deserialize(made.serialize())]


def spec(text: str, dtype: str = "float32", **keywords: Any) -> Any:
    return olympus.ShapeDtypeStruct(export.symbolic_shape(text, **keywords), dtype)


@pytest.mark.parametrize("text, shown", [
    ("a + 1 - a", "1"), ("2*b*a + a*b", "3*a*b"), ("floordiv(4*a + 6, 2)", "2*a + 3"), ("mod(4*a + 7, 2)", "1"),
    ("floordiv(a*b + b, b)", "a + 1"), ("max(a, 0)", "a"), ("min(a, 1)", "1"), ("mod(a, 1)", "0"),
    ("a^2 - a*a + b", "b"), ("-b + a", "a - b"), ("floordiv(a + b*2, 2) - b", "floordiv(a, 2)"),
])
def test_sizes_have_one_form(text: str, shown: str) -> None:
    assert str(parsed(text, export.SymbolicScope())) == shown


def test_quotients_are_between_what_they_are_rounded_from() -> None:
    a, b = export.symbolic_shape("a, b")
    assert a - 2 * (a // 2) >= 0 and 2 * (a // 2) - a + 1 >= 0 and -((-a) // 2) >= 1 and -((-a) // 3) <= a
    assert 3 * ((a + b) // 3) - a - b + 2 >= 0
    with pytest.raises(errors.InconclusiveDimensionOperation):
        bool(2 * (a // 2) >= a)
    every_second = export.export(olympus.jit(lambda x: (x[::2], x[::3], x[::-2])))(
        olympus.ShapeDtypeStruct((a,), "float32"))
    for n in (1, 2, 5, 6):
        x = np.arange(n, dtype=np.float32)
        for found, expected in zip(every_second.call(x), (x[::2], x[::3], x[::-2]), strict=True):
            np.testing.assert_array_equal(found, expected)


def test_what_is_decided_holds_for_all_values() -> None:
    """Random sizes: bounds and comparisons agree with every value of the dimensions that the constraints allow."""
    choose = random.Random(0)
    scope = export.SymbolicScope(["a >= b", "c <= 6", "b >= 2"])
    values = [dict(zip("abc", v, strict=True)) for v in itertools.product(range(1, 9), repeat=3)]
    values = [v for v in values if v["a"] >= v["b"] >= 2 and v["c"] <= 6]

    def made(depth: int) -> tuple[Any, Any]:
        if not depth or choose.random() < 0.2:
            name = choose.choice("abc")
            number = choose.randrange(-3, 5)
            return choose.choice([(scope.variable(name), lambda v: v[name]), (number, lambda v: number)])
        (x, f), (y, g) = made(depth - 1), made(depth - 1)
        name = choose.choice(["add", "sub", "mul", "floordiv", "mod", "max", "min"])
        if name in ("floordiv", "mod"):
            y = choose.choice([1, 2, 3, scope.variable("b"), scope.variable("a") + 1])
            divisor = y
            g = lambda v: evaluate(divisor, v)
        calculate = {
            "add": lambda p, q: p + q, "sub": lambda p, q: p - q, "mul": lambda p, q: p * q,
            "floordiv": lambda p, q: p // q, "mod": lambda p, q: p % q,
        }.get(name)
        if calculate is None:
            pick = max if name == "max" else min
            return extreme(name, x, y), lambda v: pick(f(v), g(v))
        return calculate(x, y), lambda v: calculate(f(v), g(v))

    decided = 0
    for _ in range(300):
        size, value = made(3)
        truths = [value(v) for v in values]
        assert [evaluate(size, v) for v in values] == truths, size
        if export.is_symbolic_dim(size):
            low, high = bounds(scope, size.terms)
            assert low <= min(truths) and max(truths) <= high, size
            assert str(parsed(str(size), scope)) == str(size)
            for other in (0, 1, scope.variable("c")):
                others = [evaluate(other, v) for v in values]
                try:
                    found = size >= other
                except InconclusiveDimensionOperation:
                    continue
                decided += 1
                assert {found} == {x >= y for x, y in zip(truths, others, strict=True)}, (size, other)
    assert decided > 200


def test_what_is_not_decided_is_refused() -> None:
    a, b = export.symbolic_shape("a, b", constraints=["a >= b"])
    assert a >= b and a + 1 > b and a != b and a == a + 0 and not a == 1 and bool(a) and hash(a * 2) == hash(a + a)
    for ask in (lambda: a > b, lambda: a > 3, lambda: int(a), lambda: range(a), lambda: float(a), lambda: bool(a - b),
                lambda: a + export.symbolic_shape("a")[0]):
        with pytest.raises(InconclusiveDimensionOperation):
            ask()
    with pytest.raises(ZeroDivisionError):
        a // 0
    assert olympus.core.max_dim(a, b) is a and str(olympus.core.min_dim(3, b)) == "min(3, b)"


@pytest.mark.parametrize("text, keywords, said", [
    ("b +", {}, "read"), ("b ** b", {}, "consists"), ("f(b, 2)", {}, "consists"), ("__import__('os')", {}, "consists"),
    ("b, ...", {}, "like"), ("_", {}, "like"), ("b", {"like": (2, 3)}, "1 dimensions"),
    ("3", {"like": (2,)}, "3 where"),
    ("b", {"constraints": ["b"]}, "compares"), ("b", {"constraints": ["1 >= 2"]}, "never"),
    ("b" * 2000, {}, "long"), ("(a + b + c + d + e + f + g)^16", {}, "too many"), ("9999999999^16", {}, "too great"),
    ("(" * 500 + "b" + ")" * 500, {}, "read"), ("b^99", {}, "consists"),
    ("b", {"constraints": ["b >= 1"], "scope": export.SymbolicScope()}, "of its own"), ("mod(b, 0)", {}, "read"),
])
def test_text_that_is_no_shape_is_refused(text: str, keywords: Any, said: str) -> None:
    with pytest.raises(SymbolicShapeError, match=said):
        export.symbolic_shape(text, **keywords)


def test_shapes_are_completed_from_arrays() -> None:
    assert str(export.symbolic_shape("(b, _, ...)", like=(2, 3, 4, 5))) == "(b, 3, 4, 5)"
    x, tree = export.symbolic_args_specs(
        (jnp.ones((3, 4)), {"w": jnp.ones(4), "n": 1}), ("b, d", {"w": "d", "n": None}))
    assert str(x.shape) == "(b, d)" and tree["w"].shape[0] == x.shape[1] and tree["n"].shape == ()
    one, two = export.symbolic_args_specs([jnp.ones(3), jnp.ones(3)], "n")
    assert one.shape == two.shape
    assert export.symbolic_shape("") == () and export.symbolic_shape("3,") == (3,)


W = np.random.default_rng(1).standard_normal((4, 3)).astype(np.float32)
FUNCTIONS: dict[str, Any] = {
    "elementwise": lambda x: jnp.tanh(x) * 2 + 1, "mean": lambda x: x.mean(0), "var": lambda x: jnp.var(x, 0),
    "product": lambda x: nn.softmax(x @ W), "gram": lambda x: x @ x.T, "flat": lambda x: x.reshape(-1),
    "halves": lambda x: x.reshape(x.shape[0] * 2, -1), "joined": lambda x: jnp.concatenate([x, x, x[:, ::-1]]),
    "rows": lambda x: (x[0], x[-1], x[:, 1:3], x[::-1], x[None, :, 0]), "size": lambda x: x.sum() / x.shape[0] + x.size,
    "made": lambda x: (jnp.zeros(x.shape), jnp.arange(x.shape[0]), jnp.eye(x.shape[0]), jnp.full((x.shape[0], 2), 3)),
    "scan": lambda x: lax.scan(lambda c, r: (c + r, c * 2), jnp.zeros(4), x),
    "loop": lambda x: lax.fori_loop(0, x.shape[0], lambda i, v: v + i, 0), "vmap": olympus.vmap(lambda r: r / r.sum()),
    "gradient": olympus.grad(lambda x: jnp.mean(jnp.sin(x @ W) ** 2)), "masks": lambda x: jnp.tril(x @ x.T),
    "taken": lambda x: jnp.take_along_axis(x, jnp.argmax(x, 1)[:, None], 1),
    "padded": lambda x: jnp.pad(x, ((1, 2), (0, 0))),
    "sorted": lambda x: jnp.sort(x, 0), "branch": lambda x: lax.cond(x.sum() > 0, lambda: x, lambda: -x),
    "updated": lambda x: x.at[0].set(1.0), "outer": lambda x: jnp.einsum("ij,kj->ik", x, x),
    "repeated": lambda x: jnp.repeat(jnp.tile(x, (2, 1)), 2, axis=0),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_traced_once_it_serves_all_sizes(name: str) -> None:
    function = FUNCTIONS[name]
    exports = both(function, spec("b, 4"))
    for b in (1, 3):
        x = np.random.default_rng(b).standard_normal((b, 4)).astype(np.float32)
        expected = olympus.jit(function)(x)
        for exported in exports:
            found = exported.call(x)
            assert olympus.tree.structure(found) == olympus.tree.structure(expected)
            for p, q in zip(olympus.tree.leaves(found), olympus.tree.leaves(expected), strict=True):
                assert p.dtype == q.dtype and p.weak_type == q.weak_type
                np.testing.assert_allclose(p, q, rtol=1e-5, atol=1e-6)


def test_types_of_results_follow_from_the_arguments() -> None:
    for exported in both(lambda x, y: jnp.concatenate([x, x]) + y, spec("b, d"), spec("1")):
        assert [str(a) for a in exported.in_avals] == ["float32[b,d]", "float32[1]"]
        assert str(exported.out_avals[0].shape) == "(2*b, d)"


def test_arguments_must_fit_the_shapes_and_the_constraints() -> None:
    x, y = export.symbolic_args_specs((jnp.ones((4, 6)), jnp.ones(6)), ("b, 2*n", "2*n"),
                                      constraints=["n >= 2", "b <= 9"])
    for exported in both(lambda x, y: x * y, x, y):
        assert exported.call(jnp.ones((3, 4)), jnp.ones(4)).shape == (3, 4)
        for first, second, said in (
                ((3, 4), (6,), "a size of 6 where it has 2\\*n = 4"), ((3, 5), (5,), "n is an integer"),
                ((3, 2), (2,), "n >= 2"), ((10, 4), (4,), "b <= 9"), ((4,), (4,), "another type"),
                ((0, 4), (4,), "b is an integer")):
            with pytest.raises(ExportedCallError, match=said):
                exported.call(jnp.ones(first), jnp.ones(second))
        with pytest.raises(ExportedCallError, match="another type"):
            exported.call(jnp.ones((3, 4), "int32"), jnp.ones(4))


def test_derivatives_are_exported_for_all_sizes() -> None:
    made = export.export(olympus.jit(lambda x, w: jnp.sum(jnp.sin(x @ w)) / x.shape[0]))(
        spec("b, 4"), olympus.ShapeDtypeStruct((4, 3), "float32"))
    read = export.deserialize(made.serialize(vjp_order=1))
    x = np.random.default_rng(0).standard_normal((5, 4)).astype(np.float32)
    expected = olympus.grad(lambda w: jnp.sum(jnp.sin(x @ w)) / 5)(W)
    for exported in (made, read):
        np.testing.assert_allclose(olympus.grad(lambda w, e=exported: e.call(x, w))(W), expected, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(olympus.jit(lambda x, e=exported: e.call(x, W) * 2)(x),
                                   2 * np.sum(np.sin(x @ W)) / 5, rtol=1e-5)


def test_derivatives_of_results_of_symbolic_shapes_are_exported() -> None:
    def f(x, i):
        return x @ x.T, jnp.sum(x * x, 1), i + 1

    (b,) = export.symbolic_shape("b")
    made = export.export(olympus.jit(f))(
        olympus.ShapeDtypeStruct((b, 3), "float32"), olympus.ShapeDtypeStruct((b,), "int32"))
    read = export.deserialize(made.serialize(vjp_order=2))
    x, i = np.random.default_rng(0).standard_normal((4, 3)).astype(np.float32), np.arange(4, dtype=np.int32)

    def loss(g, x):
        product, squares, _ = g(x, i)
        return jnp.sum(product**2) + jnp.sum(jnp.sin(squares))

    def slope(g, x):
        return olympus.grad(lambda x: loss(g, x))(x)

    np.testing.assert_allclose(slope(read.call, x), slope(f, x), rtol=1e-5, atol=1e-5)
    second = [olympus.grad(lambda x, g=g: jnp.sum(slope(g, x) ** 2))(x) for g in (read.call, f)]
    np.testing.assert_allclose(second[0], second[1], rtol=1e-4, atol=1e-3)


def test_what_cannot_be_exported_says_so() -> None:
    with pytest.raises(SymbolicShapeError, match="cannot be found"):
        export.export(olympus.jit(jnp.sin))(spec("a*b"))
    with pytest.raises(SymbolicShapeError, match="several scopes"):
        export.export(olympus.jit(lambda x, y: (x, y)))(spec("a"), spec("b"))
    with pytest.raises(InconclusiveDimensionOperation, match="b > 1"):
        export.export(olympus.jit(lambda x: x[1]))(spec("b"))
    assert export.export(olympus.jit(lambda x: x[1]))(spec("b", constraints=["b >= 2"])).call(jnp.arange(3.0)) == 1
    with pytest.raises(errors.ArgumentError, match="do not broadcast|Incompatible shapes"):
        export.export(olympus.jit(lambda x, y: x + y))(
            *export.symbolic_args_specs((jnp.ones(2), jnp.ones(2)), ("a", "b")))
    mesh = olympus.make_mesh((2,), ("x",))
    with pytest.raises(errors.NotExportableError, match="split"):
        export.export(olympus.jit(jnp.sin))(olympus.ShapeDtypeStruct(
            export.symbolic_shape("2*b"), "float32",
            sharding=olympus.sharding.NamedSharding(mesh, olympus.sharding.PartitionSpec("x"))))


def test_changed_sizes_in_artefacts_are_refused_or_harmless() -> None:
    """Every text of a size, and the constraints, replaced by others: a typed error, or a program of right types."""
    from olympus.export.artefacts import from_bytes, to_bytes
    from olympus.export.encoding import Encoder
    from olympus_core.program import ArrayType

    made = export.export(olympus.jit(lambda x: jnp.concatenate([x, x]).reshape(-1) * x.shape[0]))(spec("b, 4"))
    header, arrays = from_bytes(made.serialize())
    texts: list[dict[str, Any]] = []

    def walk(data: Any) -> None:
        if isinstance(data, dict) and set(data) == {"dim"}:
            texts.append(data)
        for one in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
            walk(one)

    walk(header)
    assert len(texts) > 5
    blob = lambda: to_bytes(header, arrays, lambda a: Encoder("").type(ArrayType(a.shape, a.dtype)))
    refused = 0
    for place in texts:
        good = place["dim"]
        for bad in ("", "b + 1", "0 - b", "mod(b, 0)", "x", "1" * 300, "__import__('os')", 3, None, [],
                    "floordiv(b, 7)"):
            place["dim"] = bad
            try:
                export.deserialize(blob()).call(jnp.ones((2, 4)))
            except (errors.ArtefactError, SymbolicShapeError, ExportedCallError):
                refused += 1
        place["dim"] = good
    assert refused > 6 * len(texts)
    for bad in ("b", ["b"], ["1 >= 2"], [3], [["b >= 1"]]):
        header["scope"] = bad
        with pytest.raises(errors.ArtefactError):
            export.deserialize(blob())


@pytest.mark.parametrize("function", [
    lambda x: x[jnp.array([0, -1])], lambda x: x[:, 1][x[0].astype(int) % 2], lambda x: jnp.take(x, np.array([0]), 0),
    lambda x: jnp.roll(x, 1, 0), lambda x: jnp.roll(x, -5), lambda x: jnp.roll(x, (1, 2), (0, 1)),
    lambda x: jnp.diff(x, axis=0), lambda x: jnp.pad(x, ((2, 1), (0, 0)), mode="edge"),
    lambda x: jnp.repeat(x, x.shape[0], axis=1), lambda x: jnp.nonzero(x[:, 0] > 2, size=2)[0],
    lambda x: jnp.unique(x, size=3), lambda x: lax.slice_in_dim(x, 1, x.shape[0]), lambda x: lax.index_in_dim(x, -1),
    olympus.grad(lambda x: (x[0] * x.sum(0)).sum()), olympus.grad(lambda x: (x[-1] ** 2).sum()),
])
def test_parts_along_dimensions_of_unknown_size(function: Any) -> None:
    exported = both(function, spec("a, 4"))
    for n in (1, 3):
        x = np.arange(4.0 * n, dtype=np.float32).reshape(n, 4)
        for made in exported:
            np.testing.assert_array_equal(made.call(x), function(jnp.asarray(x)))


def test_remainders_of_smaller_sizes_are_these() -> None:
    a, b = export.symbolic_shape("a, b")
    assert (a - 1) % a == a - 1 and (a - 1) // a == 0 and str(a % b) == "mod(a, b)"
    assert -1 % a == a - 1 and -1 // a == -1 and str(-2 % a) == "mod(-2, a)"  # which is 0 where a is 1
