# SPDX-License-Identifier: Apache-2.0
"""Programs as data: made, printed, walked, evaluated, rewritten, made functions again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import P, lax, tree
from olympus.extend.core import (
    ClosedJaxpr,
    DropVar,
    Jaxpr,
    JaxprEqn,
    Literal,
    Var,
    check_jaxpr,
    jaxpr_as_fun,
    jaxprs_in_params,
    new_jaxpr_eqn,
    primitives,
    subjaxprs,
)

X = np.arange(12, dtype=np.float32).reshape(3, 4) / 8


@olympus.custom_vjp
def clipped(x: Any) -> Any:
    return jnp.sin(x)


clipped.defvjp(lambda x: (jnp.sin(x), x), lambda x, g: (42 * g,))


def mesh() -> Any:
    return olympus.make_mesh((4,), ("i",), devices=olympus.devices()[:4])


def collectives(x: Any) -> Any:
    return (lax.psum(jnp.sin(x), "i"), lax.pmax(x, "i"), lax.all_gather(x, "i", tiled=True),
            lax.psum_scatter(x, "i", scatter_dimension=0, tiled=True), lax.all_to_all(x, "i", 0, 0, tiled=True),
            lax.ppermute(x, "i", [(0, 1), (1, 0)]), x + lax.axis_index("i"), lax.pbroadcast(x, "i", 2))


def mapped(x: Any) -> Any:
    specs = (P(), P(), P("i"), P("i"), P("i"), P("i"), P("i"), P())
    f = olympus.shard_map(collectives, mesh=mesh(), in_specs=P("i"), out_specs=specs)
    return f(jnp.concatenate([x.reshape(-1), x.reshape(-1)[:4]]).repeat(2))


WEIGHTS = np.ones(4, np.float32)
# Each with the same function where `sin` is `cos`.
FUNCTIONS: dict[str, Any] = {
    "plain": lambda f, x: f(x) * 2 + WEIGHTS,
    "scan": lambda f, x: lax.scan(lambda c, a: (c + f(a), c * WEIGHTS), jnp.zeros(4), x),
    "while": lambda f, x: lax.while_loop(
        lambda s: s[0] + 0 * f(x[0, 0]) < 3, lambda s: (s[0] + 1, s[1] * f(x)), (0, x)),
    "cond": lambda f, x: lax.cond(x[0, 0] > -1, f, jnp.exp, x),
    "switch": lambda f, x: lax.switch(2, [lambda y: y * WEIGHTS, jnp.exp, lambda y: f(y) + x[0]], x),
    "checkpoint": lambda f, x: olympus.checkpoint(lambda y: f(y) * WEIGHTS)(x),
    "custom_jvp": lambda f, x: olympus.nn.relu(f(x)),
    "jit": lambda f, x: olympus.jit(f)(x),
    "nested": lambda f, x: lax.scan(lambda c, a: (lax.cond(a[0] > 1, f, jnp.exp, c), ()), x[0], x)[0],
}


def replaced(jaxpr: Jaxpr) -> Jaxpr:
    """The jaxpr with cos for sin, in sub-programs, too."""
    def inside(value: Any) -> Any:
        if isinstance(value, Jaxpr):
            return replaced(value)
        if isinstance(value, ClosedJaxpr):
            return value.map_jaxpr(replaced)
        return tuple(map(inside, value)) if isinstance(value, tuple) else value

    return jaxpr.replace(eqns=[eqn.replace(
        primitive=primitives.cos_p if eqn.primitive is primitives.sin_p else eqn.primitive,
        params={key: inside(value) for key, value in eqn.params.items()}) for eqn in jaxpr.eqns])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_there_and_back_is_the_same_program(name: str) -> None:
    def f(x: Any) -> Any:
        return FUNCTIONS[name](jnp.sin, x)

    closed = olympus.make_jaxpr(f)(X)
    check_jaxpr(closed)
    again = olympus.make_program(jaxpr_as_fun(closed))(X)
    if name in ("jit", "custom_jvp"):  # relu is a call, too
        assert [operation.name for operation in again.operations][-1] == "call"
    elif name != "while":  # condition and body have constants of their own here
        assert again.text == olympus.make_program(f)(X).text
    assert [v.type for v in again.outputs] == [a.type for a in closed.out_avals]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_rewritten_everywhere(name: str) -> None:
    closed = olympus.make_jaxpr(lambda x: FUNCTIONS[name](jnp.sin, x))(X)
    other = closed.map_jaxpr(replaced)
    check_jaxpr(other)
    expected = olympus.tree.leaves(FUNCTIONS[name](jnp.cos, X))
    for got, wanted in zip(olympus.jit(jaxpr_as_fun(other))(X), expected, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-6)
    assert "= sin " not in str(other) and "= sin " in str(closed)


def test_custom_rules_go_on_to_rewritten_calls() -> None:
    closed = olympus.make_jaxpr(lambda x: clipped(x) * 2)(1.0)
    call = closed.jaxpr.eqns[0]
    assert call.primitive.name == "custom_vjp_call" and call.params["call_jaxpr"].eqns[0].primitive.name == "sin"
    for jaxpr in (closed, closed.map_jaxpr(replaced)):
        assert float(olympus.grad(lambda x, j=jaxpr: jaxpr_as_fun(j)(x)[0])(1.0)) == 84.0
        batched = olympus.vmap(lambda x, j=jaxpr: jaxpr_as_fun(j)(x)[0])
        np.testing.assert_allclose(olympus.grad(lambda x: batched(x).sum())(np.ones(3)), [84.0] * 3)
    assert float(jaxpr_as_fun(closed.map_jaxpr(replaced))(0.0)[0]) == 2.0


def test_parts_for_one_device() -> None:
    closed = olympus.make_jaxpr(mapped)(X)
    names = {eqn.primitive.name for inner in subjaxprs(closed.jaxpr) for eqn in inner.eqns}
    assert names >= {"psum", "pmax", "all_gather", "reduce_scatter", "all_to_all", "ppermute", "axis_index",
                     "pbroadcast"}
    expected = mapped(X)
    for got, wanted in zip(jaxpr_as_fun(closed)(X), expected, strict=True):
        np.testing.assert_array_equal(got, wanted)
    rewritten = jaxpr_as_fun(closed.map_jaxpr(replaced))(X)
    for got, wanted in zip(rewritten[1:], expected[1:], strict=True):
        np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("function, text", [
    (lambda x: x + 1.0, "b:f32[3,4] = add a 1.0:f32[] in (b,)"), (lambda x: 2 * x, "b:f32[3,4] = mul 2.0:f32[] a in"),
    (lambda x: x > 1, "b:bool[3,4] = gt a 1.0:f32[] in"), (lambda x: x + jnp.sum(x), "c:f32[3,4] = add a b"),
    (lambda x: jnp.zeros((3, 4)) + jnp.ones((3, 4)), "d:f32[3,4] = add b c"),
    (lambda x: (y := jnp.full((3, 4), 3.0), x * y), "c:f32[3,4] = mul a 3.0:f32[]\n  in (b, c)"),
])
def test_scalars_stand_beside_arrays(function: Any, text: str) -> None:
    closed = olympus.make_jaxpr(function)(X)
    assert text in str(closed)
    for got, wanted in zip(jaxpr_as_fun(closed)(X), tree.leaves(function(X)), strict=True):
        np.testing.assert_array_equal(got, wanted)
    rewritten = closed.map_jaxpr(lambda jaxpr: jaxpr.replace(eqns=list(jaxpr.eqns)))
    for got, wanted in zip(olympus.jit(jaxpr_as_fun(rewritten))(X), tree.leaves(function(X)), strict=True):
        np.testing.assert_array_equal(got, wanted)


def test_the_notation() -> None:
    closed = olympus.make_jaxpr(lambda x: lax.scan(lambda c, a: (c + a, c), jnp.zeros(4), x)[0])(X)
    assert str(closed) == """\
{ lambda ; a:f32[3,4]. let
    b:f32[4] = broadcast_in_dim 0.0:f32[]
    c:f32[4] _:f32[3,4] = scan[
      jaxpr={ lambda ; d:f32[4] e:f32[4]. let f:f32[4] = add d e in (f, d) }
      length=3
      num_carry=1
      num_consts=0
      reverse=False
      unroll=1
    ] b a
  in (c,) }"""
    assert str(olympus.make_jaxpr(lambda: ())()) == "{ lambda ; . let  in () }"
    two = olympus.make_jaxpr(lambda x: (x @ x, WEIGHTS))(X[:, :3])
    assert str(two) == """\
{ lambda a:f32[4]; b:f32[3,3]. let
    c:f32[3,3] = dot_general[dimension_numbers=(([1], [0]), ([], []))] b b
  in (c, a) }"""
    assert repr(two.eqns[0]) == "a:f32[3,3] = dot_general[dimension_numbers=(([1], [0]), ([], []))] b b"
    many = olympus.make_jaxpr(lambda *xs: xs[-1] + 1)(*range(30))
    assert "ad:i32[]" in str(many) and "ae:i32[] = add ad 1:i32[]" in str(many)


def test_what_is_walked() -> None:
    closed = olympus.make_jaxpr(lambda x: (lax.top_k(x, 2)[0], jnp.sin(x) * 2.0 + WEIGHTS))(X)
    jaxpr = closed.jaxpr
    assert [v.aval.shape for v in jaxpr.invars] == [(3, 4)] and closed.in_avals == [olympus.typeof(X)]
    assert [a.dtype for a in closed.out_avals] == [np.float32] * 2 and jaxpr.effects == frozenset()
    top = jaxpr.eqns[0]
    assert top.primitive.name == "top_k" and top.params["k"] == 2 and isinstance(top.outvars[1], DropVar)
    literal = next(v for eqn in jaxpr.eqns for v in eqn.invars if isinstance(v, Literal))
    assert literal.val == 2.0 and literal.aval.shape == () and literal.hash == hash(literal.val)
    np.testing.assert_array_equal(closed.consts[0], WEIGHTS)
    assert len(jaxpr.constvars) == 1 and closed.literals is closed.consts
    assert all(isinstance(v.aval, olympus.core.ShapedArray) for v in jaxpr.invars)
    assert all("test_jaxpr.py" in eqn.source_info for eqn in jaxpr.eqns)
    weak = olympus.make_jaxpr(lambda x, y: (x * 2, y * 2))(1.0, np.float32(1))
    assert [a.weak_type for a in weak.in_avals] == [True, False] == [a.weak_type for a in weak.out_avals]
    assert weak.jaxpr.debug_info.func_name == "<lambda>"


def test_arguments_of_make_jaxpr() -> None:
    closed, shapes = olympus.make_jaxpr(lambda x, n: {"y": x * n}, static_argnums=1, return_shape=True)(X, 3)
    assert shapes == {"y": olympus.ShapeDtypeStruct((3, 4), "float32")} and len(closed.in_avals) == 1
    closed = olympus.make_jaxpr(lambda x: lax.psum(x, "i") / lax.axis_size("i"), axis_env=[("i", 4)])(1.0)
    assert [eqn.primitive.name for eqn in closed.eqns] == ["psum", "div"]
    assert closed.eqns[0].params["axes"] == ("i",)
    with pytest.raises(olympus.errors.ArgumentError, match="a function is needed"):
        olympus.make_jaxpr(3)  # type: ignore[call-overload]


def test_calls_of_jitted_functions() -> None:
    @olympus.jit
    def inner(x: Any, y: Any) -> Any:
        return {"sum": x + y, "weak": y * 2}

    def f(x: Any) -> Any:
        found = inner(x, 3.0)
        return found["sum"] + X, found["weak"]

    closed = olympus.make_jaxpr(f)(X)
    call = closed.eqns[0]
    assert call.primitive is primitives.jit_p and call.params["name"] == "inner"
    assert [eqn.primitive.name for eqn in call.params["jaxpr"].eqns][-2:] == ["add", "mul"]
    assert [a.weak_type for a in closed.out_avals] == [False, True]
    for got, wanted in zip(jaxpr_as_fun(closed)(X), f(X), strict=True):
        np.testing.assert_array_equal(got, wanted)
    assert olympus.make_program(f)(X).text == olympus.make_program(lambda x: f(x))(X).text
    assert not any(operation.regions for operation in olympus.make_program(f)(X).operations)
    assert [eqn.primitive.name for eqn in olympus.make_jaxpr(inner)(X, 1.0).eqns] == ["jit"]
    assert [eqn.primitive.name for eqn in inner.trace(X, 1.0).jaxpr.eqns][-2:] == ["add", "mul"]
    with_statics = olympus.jit(lambda x, n: x * n, static_argnums=1)
    assert [eqn.primitive.name for eqn in olympus.make_jaxpr(with_statics)(X, 2).eqns][-1] == "mul"
    # What is traced for looking at it is not what is compiled, and the other way round.
    np.testing.assert_array_equal(olympus.jit(f)(X)[0], f(X)[0])
    assert olympus.make_jaxpr(f)(X).eqns[0].primitive.name == "jit"


def test_jitted_functions_with_references_are_not_kept_as_calls() -> None:
    counter = olympus.new_ref(jnp.zeros(()))

    @olympus.jit
    def count(x: Any) -> Any:
        counter[...] += x
        return x * 2

    closed = olympus.make_jaxpr(lambda x: count(x) + 1)(1.0)
    assert "mul" in str(closed) and len(closed.jaxpr.invars) == 2


def test_effects_and_calls_of_the_host() -> None:
    seen: list[float] = []

    def f(x: Any) -> Any:
        olympus.debug.callback(lambda v: seen.append(float(v)), x)
        return 1 + olympus.pure_callback(np.sin, olympus.ShapeDtypeStruct((), "float32"), x)

    closed = olympus.make_jaxpr(f)(0.5)
    assert [eqn.primitive.name for eqn in closed.eqns][:2] == ["debug_callback", "pure_callback"]
    assert closed.effects == closed.eqns[0].effects != frozenset() == closed.eqns[1].effects
    (result,) = olympus.jit(jaxpr_as_fun(closed))(0.5)
    np.testing.assert_allclose(result, 1 + np.sin(0.5), rtol=1e-6)
    np.asarray(result)
    assert seen == [0.5]


def test_a_user_s_interpreter() -> None:
    """As libraries write it: variables to values in a dictionary, equations bound one by one."""
    def run(jaxpr: Jaxpr, consts: Any, *args: Any) -> list[Any]:
        values: dict[Var, Any] = {}
        read = lambda v: v.val if type(v) is Literal else values[v]
        values.update(zip(jaxpr.constvars, consts, strict=True))
        values.update(zip(jaxpr.invars, args, strict=True))
        for eqn in jaxpr.eqns:
            found = eqn.primitive.bind(*map(read, eqn.invars), **eqn.primitive.get_bind_params(eqn.params))
            values.update(zip(eqn.outvars, found if eqn.primitive.multiple_results else [found], strict=True))
        return [read(v) for v in jaxpr.outvars]

    for name, function in FUNCTIONS.items():
        closed = olympus.make_jaxpr(lambda x, f=function: f(jnp.sin, x))(X)
        for got, wanted in zip(run(closed.jaxpr, closed.consts, X), olympus.core.eval_jaxpr(
                closed.jaxpr, closed.consts, X), strict=True):
            np.testing.assert_array_equal(got, wanted, name)


def test_built_by_hand() -> None:
    x, y, z = (Var(olympus.core.ShapedArray((3,), "float32")) for _ in range(3))
    eqns = [new_jaxpr_eqn([x], [y], primitives.sin_p, {}), JaxprEqn([y, x], [z], primitives.mul_p, {})]
    closed = ClosedJaxpr(Jaxpr([], [x], [z], eqns), [])
    check_jaxpr(closed)
    f = olympus.jit(lambda v: jaxpr_as_fun(closed)(v)[0])
    v = np.linspace(0, 1, 3, dtype=np.float32)
    np.testing.assert_allclose(f(v), np.sin(v) * v, rtol=1e-6)
    np.testing.assert_allclose(olympus.grad(lambda v: f(v).sum())(v), np.sin(v) + v * np.cos(v), rtol=1e-6)


def test_constants_of_64_bits_stay_so() -> None:
    with olympus.enable_x64(True):
        closed = olympus.make_jaxpr(lambda x: x + np.arange(3) * 2**40 + 2**41)(np.int64(1))
    assert closed.out_avals[0].dtype == np.int64
    with olympus.enable_x64(True):
        np.testing.assert_array_equal(jaxpr_as_fun(closed)(np.int64(1))[0], 1 + np.arange(3) * 2**40 + 2**41)


def test_what_is_not_well_formed() -> None:
    closed = olympus.make_jaxpr(lambda x: jnp.sin(x) * 2)(X)
    jaxpr = closed.jaxpr
    for wrong, message in [
        (jaxpr.replace(eqns=jaxpr.eqns[1:]), "reads a variable that nothing before it has made"),
        (jaxpr.replace(eqns=[*jaxpr.eqns, jaxpr.eqns[0]]), "made twice"),
        (jaxpr.replace(eqns=[jaxpr.eqns[0].replace(outvars=[Var(olympus.typeof(1))]), *jaxpr.eqns[1:]]), "other types"),
    ]:
        with pytest.raises(olympus.errors.JaxprTypeError, match=message):
            check_jaxpr(wrong)
    with pytest.raises(olympus.errors.ArgumentError, match="none before it has made"):
        olympus.core.eval_jaxpr(jaxpr.replace(eqns=jaxpr.eqns[1:]), [], X)
    with pytest.raises(olympus.errors.ArgumentError, match="differ in number"):
        olympus.core.eval_jaxpr(jaxpr, [], X, X)
    with pytest.raises(olympus.errors.ArgumentError, match="not one value for each constant"):
        ClosedJaxpr(jaxpr, [1])
    with pytest.raises(olympus.errors.ArgumentError, match="no such field"):
        jaxpr.replace(unheard_of=1)
    with pytest.raises(olympus.errors.ArgumentError, match="a jaxpr is needed"):
        check_jaxpr(3)  # type: ignore[arg-type]


def test_lists_changed_in_place_are_seen() -> None:
    """The program that a region was made of is forgotten then."""
    closed = olympus.make_jaxpr(olympus.checkpoint(jnp.sin))(X)
    (inner,) = jaxprs_in_params(closed.eqns[0].params)
    inner.eqns[0] = inner.eqns[0].replace(primitive=primitives.cos_p)
    np.testing.assert_allclose(jaxpr_as_fun(closed)(X)[0], np.cos(X), rtol=1e-6)


def test_types_as_libraries_make_them() -> None:
    made = olympus.core.ShapedArray((2, 3), np.float32, weak_type=True)
    assert made.str_short() == "float32[2,3]" and made.str_short(True) == "f32[2,3]" and made.weak_type
    assert made.strip_weak_type() == olympus.typeof(np.ones((2, 3), np.float32))
    changed = made.update(shape=(5,), dtype=np.int32)
    assert (changed.shape, changed.dtype, changed.weak_type) == ((5,), np.int32, True)
    assert isinstance(olympus.typeof(1), olympus.core.AbstractValue) and not isinstance(1, olympus.core.ShapedArray)
    with pytest.raises(olympus.errors.ArgumentError, match="no such field"):
        made.update(unheard_of=1)
    aval = olympus.extend.core.mapped_aval(2, 0, made)
    assert aval.shape == (3,) and olympus.extend.core.unmapped_aval(4, 1, aval).shape == (3, 4)
    assert olympus.extend.core.primal_dtype_to_tangent_dtype(np.float32) == np.float32
    assert olympus.extend.core.primal_dtype_to_tangent_dtype(np.int32) == olympus.dtypes.float0
    assert olympus.extend.core.valid_jaxtype(1.0) and not olympus.extend.core.valid_jaxtype("x")


def test_debug_info_names_arguments_and_results() -> None:
    def scaled(x: Any, n: int, *rest: Any, z: Any) -> Any:
        return x["a"] * n, {"b": rest[0] + z}

    traced = olympus.jit(scaled, static_argnums=1).trace({"a": 1.0}, 3, 2.0, z=1.0)
    for info in (traced.jaxpr.debug_info,
                 olympus.make_jaxpr(scaled, static_argnums=1)({"a": 1.0}, 3, 2.0, z=1.0).jaxpr.debug_info):
        assert info is not None and info.arg_names == ("x['a']", "rest[0]", "z")
        assert info.result_paths == ("result[0]", "result[1]['b']") and info.traced_for == "jit"
        assert info.func_name == "scaled" and f"{__file__}:" in info.func_src_info
    ref = olympus.new_ref(jnp.zeros(()))

    def stored(x: Any) -> None:
        ref[...] = x

    told = olympus.jit(stored).trace(1.0).jaxpr.debug_info  # its first argument is the reference's content
    assert told is not None and told.arg_names == ("content of reference 0", "x") and told.result_paths == ()
    assert told.func_name == "stored" and f"{__file__}:" in told.func_src_info


def test_parameters_without_a_value_are_handed_on() -> None:
    """An inverter binds the quotient with a product's parameters, as distrax does."""
    x = jnp.arange(1.0, 4.0)
    (product,) = olympus.make_jaxpr(lambda x: x * x)(x).jaxpr.eqns
    assert product.params == {"out_dtype": None}
    assert np.array_equal(lax.div_p.bind(x, x, **product.params), np.ones(3))
    with pytest.raises(olympus.errors.ArgumentError, match="parameters do not fit"):
        lax.div_p.bind(x, x, out_dtype="float32")


def test_calls_that_are_inline_are_not_shown() -> None:
    inner = olympus.jit(lambda x: 2 * x)
    for outer in (olympus.jit(lambda x: inner(x) + 1, inline=True), olympus.jit(inline=True)(lambda x: inner(x) + 1)):
        shown = olympus.make_jaxpr(lambda x: outer(x))(1.0)
        assert [e.primitive.name for e in shown.eqns] == ["jit", "add"]  # the inner one is asked for as a call
        assert float(outer(1.0)) == 3.0
