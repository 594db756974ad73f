# SPDX-License-Identifier: Apache-2.0
"""Functions of `lax` that are one equation for those who look at programs, and products in those that are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.experimental import jet
from olympus.extend.core import Primitive, jaxpr_as_fun
from olympus.extend.core.primitives import integer_pow_p, square_p
from olympus.interpreters import ad, mlir
from olympus.sharding import PartitionSpec as P
from olympus_core.errors import ArgumentError, NotSupportedError

X = np.arange(1, 5, dtype=np.float32) / 2


def equations(f: Callable[..., Any], *args: Any) -> list[tuple[str, Any]]:
    return [(e.primitive.name, e.params.get("y")) for e in olympus.make_jaxpr(f)(*args).eqns]


@pytest.mark.parametrize("exponent", [-2, -1, 0, 1, 2, 3, 7])
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "int32", "uint8", "complex64"])
def test_a_power_is_one_equation_with_the_same_bits(exponent: int, dtype: str) -> None:
    x = jnp.asarray(X, dtype)
    if exponent < 0 and not jnp.issubdtype(dtype, jnp.inexact):
        with pytest.raises(ArgumentError, match="no negative powers"):
            olympus.make_jaxpr(lambda x: lax.integer_pow(x, exponent))(x)
        return
    closed = olympus.make_jaxpr(lambda x: x**exponent)(x)
    (equation,) = closed.eqns
    assert (equation.primitive, equation.params) == (integer_pow_p, {"y": exponent})
    assert equation.outvars[0].aval.dtype == dtype
    function = jaxpr_as_fun(closed)
    for found in (function(x), olympus.jit(function)(x)):
        np.testing.assert_array_equal(found[0], x**exponent)


def test_what_else_is_a_power_or_a_square() -> None:
    assert equations(jnp.square, 2.0) == equations(lax.square, 2.0) == [("square", None)]
    assert equations(jnp.reciprocal, 2.0)[0] == equations(lax.reciprocal, 2.0)[0] == ("integer_pow", -1)
    assert equations(lambda x: x ** np.int8(3), X) == equations(lambda x: x ** np.array(3), X) == [("integer_pow", 3)]
    assert equations(lambda x: x**2.0, X) == equations(lambda x: x ** np.float32(2), X) == [("pow", None)]
    assert olympus.make_jaxpr(jnp.square)(2.0).out_avals[0].weak_type
    assert lax.square_p is square_p
    assert not equations(lambda x: x * x, X)[0][0] == "square"


def test_numpy_integers_are_exponents_that_are_known() -> None:
    x = jnp.array([-3, 2], jnp.int8)
    np.testing.assert_array_equal(x ** np.int32(3), np.array([-27, 8], np.int8), strict=True)
    with pytest.raises(ArgumentError, match="no negative powers"):
        x ** np.int32(-1)


def test_its_derivative_is_the_power_below() -> None:
    assert equations(olympus.grad(lambda x: x**3), 2.0)[:3] == [
        ("integer_pow", 3), ("integer_pow", 2), ("mul", None)]
    assert equations(olympus.grad(lambda x: x**2), 2.0)[:2] == [("integer_pow", 2), ("mul", None)]
    for exponent in (-2, 0, 1, 2, 5):
        closed = olympus.make_jaxpr(lambda x, e=exponent: olympus.jvp(lambda x: x**e, (x,), (jnp.ones(4),)))(X)
        value, slope = jaxpr_as_fun(closed)(X)
        np.testing.assert_allclose(value, X.astype(float) ** exponent, 1e-6)
        np.testing.assert_allclose(slope, exponent * X.astype(float) ** (exponent - 1), 1e-6)


@pytest.mark.parametrize("wrap", [
    lambda f: f, olympus.jit, olympus.vmap, olympus.checkpoint, lambda f: olympus.jit(olympus.checkpoint(f)),
    lambda f: lambda x: lax.scan(lambda c, _: (f(c), None), x, None, length=2)[0],
    lambda f: lambda x: lax.cond(x[0] > 0, f, lambda x: x, x),
    lambda f: lambda x: lax.fori_loop(0, 2, lambda _, c: f(c), x),
    lambda f: lambda x: sum(olympus.tree.leaves(jet.jet(f, (x,), ((jnp.ones_like(x), jnp.zeros_like(x)),)))),
    lambda f: olympus.shard_map(f, mesh=olympus.make_mesh((4,), ("i",)), in_specs=P("i"), out_specs=P("i")),
])
def test_it_is_named_wherever_it_stands_and_runs_again(wrap: Callable[..., Any]) -> None:
    function = wrap(lambda x: jnp.square(x) + x**3)
    closed = olympus.make_jaxpr(function)(X)
    assert "square" in str(closed)
    assert "integer_pow[y=3]" in str(closed)
    again = jaxpr_as_fun(closed)
    expected = np.asarray(function(X))
    for found in (again(X), olympus.jit(again)(X)):
        np.testing.assert_allclose(found[0], expected, 1e-6)
    (slope,) = olympus.grad(lambda x: again(x)[0].sum(), argnums=(0,))(X)
    np.testing.assert_allclose(slope, olympus.grad(lambda x: jnp.asarray(function(x)).sum())(X), 1e-5)
    np.testing.assert_allclose(olympus.vmap(again)(X[None])[0][0], expected, 1e-6)


def test_compiled_programs_have_products() -> None:
    text = olympus.jit(lambda x: x**3).lower(X).as_text()
    assert "integer_pow" not in text
    assert text.count("mul") == 2


def test_the_equation_can_be_inverted_and_replaced() -> None:
    inverse = {integer_pow_p: lambda z, y: z ** (1 / y), lax.exp_p: jnp.log}

    def inverted(f: Callable[..., Any]) -> Callable[..., Any]:
        closed = olympus.make_jaxpr(f)(X)

        def run(z: Any) -> Any:
            for equation in reversed(closed.eqns):
                z = inverse[equation.primitive](z, **{k: v for k, v in equation.params.items() if k == "y"})
            return z

        return run

    np.testing.assert_allclose(inverted(lambda x: jnp.exp(x) ** 3)(np.exp(X) ** 3), X, 1e-5)
    with pytest.raises(NotSupportedError, match="one of olympus's own"):
        mlir.register_lowering(integer_pow_p, mlir.lower_fun(lambda x, y: x, False))
    value, slope = ad.primitive_jvps[integer_pow_p]([jnp.float32(3)], [jnp.float32(1)], y=2)
    assert (float(value), float(slope)) == (9, 6)


def test_a_librarys_primitive_may_have_the_name() -> None:
    mine = Primitive("integer_pow")
    mine.def_abstract_eval(lambda x: x)
    mlir.register_lowering(mine, mlir.lower_fun(lambda x: x + 1, multiple_results=False))
    assert float(olympus.jit(mine.bind)(2.0)) == 3
    assert float(olympus.jit(lambda x: integer_pow_p.bind(x, y=2))(3.0)) == 9


def test_a_librarys_mark_whose_result_nobody_uses_is_seen() -> None:
    """Libraries tag values so, and look for the tags in the program."""
    tag = Primitive("tag")
    tag.def_abstract_eval(lambda x, **_: x)
    mlir.register_lowering(tag, mlir.lower_fun(lambda x, **_: x, multiple_results=False))

    def function(x: Any) -> Any:
        tag.bind(x, name="input")

        def body(carry: Any, _: Any) -> tuple[Any, None]:
            tag.bind(carry, name="carry")
            return 2 * carry, None

        return lax.scan(body, x, None, length=3)[0]

    closed = olympus.make_jaxpr(function)(2.0)
    assert [e.primitive.name for e in closed.eqns][:2] == ["tag", "scan"]
    assert "name=carry" in str(closed)
    again = jaxpr_as_fun(closed)
    assert float(again(2.0)[0]) == float(olympus.jit(again)(2.0)[0]) == 16
    assert "tag" not in olympus.jit(function).lower(2.0).as_text()
