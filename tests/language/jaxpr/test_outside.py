# SPDX-License-Identifier: Apache-2.0
"""Operations that libraries add: they behave as olympus's own under every transformation, split, and exported."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import ArgumentError, CallbackResultError, NotSupportedError, TangentError
from olympus.extend.core import Primitive, jaxpr_as_fun
from olympus.extend.core.primitives import add_p, mul_p, sin_p
from olympus.interpreters import ad, batching, mlir, xla
from olympus.sharding import AxisType, NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus.test_util import check_grads
from olympus_core.program import run

X = np.linspace(0.3, 2.5, 8, dtype=np.float32)
Y = 3 * X


def fused(x: Any, y: Any, *, k: float) -> Any:
    return x * y * k + jnp.sin(x)


def fused_multiply() -> Primitive:
    prim = Primitive("fused")
    prim.def_impl(functools.partial(xla.apply_primitive, prim))
    prim.def_abstract_eval(lambda x, y, *, k: olympus.core.ShapedArray(x.shape, x.dtype))
    mlir.register_lowering(prim, mlir.lower_fun(fused, multiple_results=False))
    ad.defjvp(prim, lambda t, x, y, k: t * (y * k + jnp.cos(x)), lambda t, x, y, k: t * x * k)
    batching.defvectorized(prim)
    return prim


FUSED = fused_multiply()


def ours(x: Any, y: Any) -> Any:
    return FUSED.bind(x, y, k=2.0)


def plain(x: Any, y: Any) -> Any:
    return fused(x, y, k=2.0)


def uses(f: Any) -> Any:
    """Everything at once: values, derivatives to second order, batches, a loop, a branch."""
    def all_of(x: Any, y: Any) -> Any:
        return (
            f(x, y), olympus.grad(lambda a, b: f(a, b).sum(), (0, 1))(x, y), olympus.vmap(f)(x, y),
            olympus.vmap(f, (0, None))(x, y[0]), olympus.jacfwd(f, (0, 1))(x, y), olympus.jacrev(f)(x, y),
            olympus.hessian(lambda a: f(a, y).sum())(x), olympus.vmap(olympus.grad(f))(x, y),
            olympus.grad(lambda a: lax.scan(lambda c, z: (f(c, z) / 9, c), a, jnp.stack([y, y + 1]))[0].sum())(x),
            lax.cond(x[0] > 0, f, lambda a, b: a, x, y), olympus.jvp(f, (x, y), (y, x)),
            olympus.grad(olympus.checkpoint(lambda a: f(a, y).sum()))(x))

    return all_of


@pytest.mark.parametrize("wrap", [lambda f: f, olympus.jit])
def test_it_behaves_as_the_function_that_it_is_made_of(wrap: Any) -> None:
    found, expected = (olympus.tree.leaves(wrap(uses(f))(jnp.asarray(X), jnp.asarray(Y))) for f in (ours, plain))
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-6, atol=1e-6)
    check_grads(ours, (X, Y), 2, ("fwd", "rev"), rtol=2e-2, atol=2e-2)


def test_it_is_an_equation_and_back() -> None:
    closed = olympus.make_jaxpr(ours)(X, Y)
    (eqn,) = closed.eqns
    assert eqn.primitive is FUSED and eqn.params == {"k": 2.0} and isinstance(sin_p, Primitive)
    assert "fused[k=2.0]" in str(closed)
    again = olympus.make_jaxpr(jaxpr_as_fun(closed))(X, Y)
    assert again.eqns[0].primitive is FUSED
    np.testing.assert_allclose(olympus.jit(jaxpr_as_fun(closed))(X, Y)[0], plain(X, Y), rtol=1e-6)
    program = olympus.make_program(ours)(X, Y)
    assert "fused %0, %1 {params={k: 2.0}}" in program.text
    np.testing.assert_allclose(run(program, [X, Y])[0], plain(X, Y), rtol=1e-6)  # the interpreter of references


@pytest.mark.parametrize("kind", [AxisType.Auto, AxisType.Explicit])
def test_it_is_split_as_what_it_is_made_of(kind: AxisType) -> None:
    mesh = olympus.make_mesh((8,), ("i",), axis_types=(kind,))
    x, y = (olympus.device_put(v, NamedSharding(mesh, P("i"))) for v in (X, Y))
    found = olympus.jit(ours)(x, y)
    assert found.sharding.spec == P("i")
    np.testing.assert_allclose(found, plain(X, Y), rtol=1e-6)
    mapped = olympus.shard_map(ours, mesh=mesh, in_specs=(P("i"), P("i")), out_specs=P("i"))
    np.testing.assert_allclose(olympus.jit(mapped)(x, y), plain(X, Y), rtol=1e-6)


def test_it_is_exported_as_what_it_is_made_of() -> None:
    spec = olympus.ShapeDtypeStruct((8,), "float32")
    exported = olympus.export.export(olympus.jit(ours))(spec, spec)
    call = olympus.export.deserialize(exported.serialize(vjp_order=1)).call
    np.testing.assert_allclose(call(X, Y), plain(X, Y), rtol=1e-6)
    np.testing.assert_allclose(olympus.grad(lambda x: call(x, Y).sum())(X),
                               olympus.grad(lambda x: plain(x, Y).sum())(X), rtol=1e-6)
    costs = olympus.jit(ours).lower(spec, spec).cost_analysis()
    assert costs["flops"] == 24 and costs["transcendentals"] == 8


def on_host(sharding: str | None = None, **how: Any) -> tuple[Primitive, list[tuple[int, ...]]]:
    """Running sums of rows by NumPy; and the shapes with which that is called."""
    prim, shapes = Primitive("running"), []

    @prim.def_impl
    def implementation(x: Any) -> Any:
        shapes.append(x.shape)
        return np.cumsum(x, -1)

    prim.def_abstract_eval(lambda x: x)
    if sharding is not None:
        prim.def_sharding_rule(sharding, **how)
    return prim, shapes


def test_an_implementation_alone_is_called_on_the_host() -> None:
    prim, shapes = on_host()
    x = np.arange(64, dtype="f").reshape(8, 8)
    mesh = olympus.make_mesh((8,), ("i",))
    for value in (x, jnp.asarray(x), olympus.device_put(x, NamedSharding(mesh, P("i")))):
        for f in (prim.bind, olympus.jit(prim.bind)):
            np.testing.assert_array_equal(f(value), np.cumsum(x, -1))
    assert set(shapes) == {(8, 8)} and isinstance(prim.bind(x), olympus.Array)
    np.testing.assert_array_equal(olympus.jit(lambda x: lax.map(prim.bind, x))(x), np.cumsum(x, -1))
    with pytest.raises(NotSupportedError, match="The derivative of running"):
        olympus.grad(lambda x: prim.bind(x).sum())(x)
    with pytest.raises(NotSupportedError, match="under vmap"):
        olympus.vmap(prim.bind)(x)


def test_a_sharding_rule_splits_it() -> None:
    prim, shapes = on_host("ij->ij", whole="j")
    x = np.arange(64, dtype="f").reshape(8, 8)
    mesh = olympus.make_mesh((4, 2), ("i", "j"))
    for spec in (P("i", None), P("i", "j")):
        found = olympus.jit(prim.bind)(olympus.device_put(x, NamedSharding(mesh, spec)))
        np.testing.assert_array_equal(found, np.cumsum(x, -1))
    assert shapes and all(rows < 8 and columns == 8 for rows, columns in shapes)
    assert olympus.jit(prim.bind)(olympus.device_put(x, NamedSharding(mesh, P("i")))).sharding.spec[0] == "i"


def test_a_reduced_dimension_leaves_terms() -> None:
    prim = Primitive("product")
    prim.def_abstract_eval(lambda x, y: olympus.core.ShapedArray((x.shape[0], y.shape[1]), x.dtype))
    mlir.register_lowering(prim, mlir.lower_fun(jnp.matmul, multiple_results=False))
    prim.def_sharding_rule("mk,kn->mn", reduced={"k": "sum"})
    x, y = np.arange(32, dtype="f").reshape(4, 8), np.arange(48, dtype="f").reshape(8, 6)
    mesh = olympus.make_mesh((8,), ("k",))
    args = [olympus.device_put(v, NamedSharding(mesh, spec)) for v, spec in ((x, P(None, "k")), (y, P("k")))]
    np.testing.assert_array_equal(olympus.jit(prim.bind)(*args), x @ y)
    assert "all_reduce" in olympus.explain(prim.bind, *args)
    prim.def_sharding_rule("mk,kn,q->mn")
    with pytest.raises(olympus.errors.OperandError, match="sharding rule"):
        olympus.jit(prim.bind)(*args)
    with pytest.raises(ArgumentError, match="notation"):
        prim.def_sharding_rule("ij")


def test_several_results() -> None:
    prim = Primitive("both")
    zero: list[bool] = []
    prim.multiple_results = True
    prim.def_abstract_eval(lambda x, y: [x, y])
    mlir.register_lowering(prim, mlir.lower_fun(lambda x, y: (x + y, x - y)))

    def forward(primals: Any, tangents: Any) -> Any:
        zero.append(any(isinstance(t, ad.Zero) for t in tangents))
        return prim.bind(*primals), prim.bind(*map(ad.instantiate_zeros, tangents))

    def back(cotangents: Any, x: Any, y: Any) -> Any:
        assert ad.is_undefined_primal(x)
        total, difference = map(ad.instantiate_zeros, cotangents)
        return [total + difference, total - difference]

    ad.primitive_jvps[prim] = forward
    ad.primitive_transposes[prim] = back
    batching.primitive_batchers[prim] = lambda args, dims: (
        prim.bind(*(batching.bdim_at_front(x, d, 3) for x, d in zip(args, dims, strict=True))), [0, 0])
    total, difference = olympus.jit(prim.bind)(3.0, 1.0)
    assert (float(total), float(difference)) == (4, 2)
    assert float(olympus.jit(olympus.grad(lambda x: prim.bind(x, 1.0)[0] * 2 + prim.bind(x, x)[1]))(3.0)) == 2
    assert zero == [True, False]
    found = olympus.vmap(prim.bind, (0, None))(jnp.arange(3.0), 1.0)
    np.testing.assert_array_equal(found, [[1, 2, 3], [-1, 0, 1]])


def test_linear_and_bilinear() -> None:
    double, times = Primitive("double"), Primitive("times")
    for prim, f in ((double, lambda x: 2 * x), (times, lambda x, y: x * y)):
        prim.def_abstract_eval(lambda x, *rest: x)
        mlir.register_lowering(prim, mlir.lower_fun(f, multiple_results=False))
    ad.deflinear(double, lambda c: [double.bind(c)])
    ad.defbilinear(times, lambda c, x, y: times.bind(c, y), lambda c, x, y: times.bind(x, c))
    assert float(olympus.jit(olympus.grad(double.bind))(5.0)) == 2
    assert [float(v) for v in olympus.grad(times.bind, (0, 1))(2.0, 5.0)] == [5, 2]
    check_grads(times.bind, (2.0, 5.0), 2, ("fwd", "rev"), rtol=1e-2, atol=1e-2)
    (found,) = olympus.linear_transpose(double.bind, 1.0)(3.0)
    assert float(found) == 6
    assert [float(ad.get_primitive_transpose(double)(1.0, ad.UndefinedPrimal(olympus.typeof(1.0)))[0])] == [2]


def test_batching_rules_of_other_kinds() -> None:
    plus, total = Primitive("plus"), Primitive("total")
    plus.def_impl(lambda x, y: x + y)
    total.def_impl(lambda x, *, axes: x.sum(axes))
    batching.defbroadcasting(plus)
    batching.defreducer(total)
    x = np.arange(6, dtype="f").reshape(2, 3)
    np.testing.assert_array_equal(olympus.vmap(plus.bind)(x, x[:, 0]), x + x[:, :1])
    np.testing.assert_array_equal(olympus.vmap(plus.bind, (1, None))(x, 1), x.T + 1)
    np.testing.assert_array_equal(olympus.vmap(lambda v: total.bind(v, axes=(0,)), 1)(x), x.sum(0))
    seen = []

    def rule(axis: Any, args: Any, dims: Any) -> Any:
        seen.append((axis.size, dims))
        return plus.bind(*args), 0

    batching.fancy_primitive_batchers[plus] = rule
    np.testing.assert_array_equal(olympus.vmap(plus.bind, (0, None))(x[0], 1), x[0] + 1)
    assert seen == [(3, [0, batching.not_mapped])]
    told = []

    def with_size(size: int, name: Any, trace: Any, operands: Any, dims: Any) -> tuple[Any, Any]:
        told.append((size, name, trace, dims))
        return plus.bind(*operands), 0

    batching.axis_primitive_batchers[plus] = with_size
    found = olympus.vmap(plus.bind, (0, None))(x[0], 1)
    np.testing.assert_array_equal(found, x[0] + 1)
    assert told == [(3, None, None, [0, batching.not_mapped])] and plus in batching.axis_primitive_batchers
    again = batching.axis_primitive_batchers[plus](3, None, None, (x[0], 1), [0, batching.not_mapped])
    np.testing.assert_array_equal(again[0], x[0] + 1)
    assert batching.matchaxis(None, 3, None, 1, 0, x).shape == (3, 2)
    assert batching.matchaxis(None, 3, None, None, 1, x).shape == (2, 3, 3)


def test_names_and_parameters_are_told_apart() -> None:
    def made(number: float) -> Primitive:
        prim = Primitive("sin")  # the name of one of olympus's own, and of the other one
        prim.def_abstract_eval(lambda x, **params: x)
        mlir.register_lowering(prim, mlir.lower_fun(lambda x, **params: x * number, multiple_results=False))
        return prim

    one, other = made(2.0), made(3.0)
    assert [float(olympus.jit(p.bind)(1.0)) for p in (one, other)] == [2, 3]
    assert float(jnp.sin(1.0)) == pytest.approx(np.sin(1)) and one.name == other.name == "sin"
    kinds = Primitive("kinds")
    kinds.def_abstract_eval(lambda x, **params: x)
    mlir.register_lowering(kinds, mlir.lower_fun(
        lambda x, *, of: x * {bool: 1, int: 2, float: 3, list: 4}[type(of)], multiple_results=False))
    assert [float(kinds.bind(1.0, of=of)) for of in (True, 1, 1.0, [1], np.float64(1) * 1 > 2 or 1)] == [1, 2, 3, 4, 2]
    assert float(olympus.jit(lambda x: kinds.bind(x, of=1) + kinds.bind(x, of=1.0))(1.0)) == 5
    function = Primitive("apply")
    function.def_abstract_eval(lambda x, *, f: x)
    mlir.register_lowering(function, mlir.lower_fun(lambda x, *, f: f(x), multiple_results=False))
    assert [float(olympus.jit(lambda x, f=f: function.bind(x, f=f))(4.0)) for f in (jnp.sqrt, jnp.square)] == [2, 16]


def test_arrays_that_a_lowering_holds_are_constants() -> None:
    table = jnp.asarray([1.0, 2.0, 4.0])
    prim = Primitive("lookup")
    prim.def_abstract_eval(lambda i: olympus.core.ShapedArray(i.shape, jnp.float32))
    mlir.register_lowering(
        prim, mlir.lower_fun(lambda i: table[i], multiple_results=False), platform=olympus.default_backend())
    np.testing.assert_array_equal(olympus.jit(prim.bind)(jnp.asarray([2, 0])), [4, 1])
    mlir.register_lowering(prim, mlir.lower_fun(lambda i: i, multiple_results=False))
    assert float(olympus.jit(prim.bind)(jnp.int32(1))) == 2  # that of the platform goes first


def test_what_has_effects_is_never_left_out() -> None:
    prim, seen = Primitive("tell"), []
    prim.def_impl(lambda x: seen.append(float(x)) or np.asarray(x))
    prim.def_effectful_abstract_eval(lambda x: (x, {"telling"}))

    @olympus.jit
    def f(x: Any) -> Any:
        prim.bind(x)
        return x + 1

    f(1.0).block_until_ready()
    olympus.effects_barrier()
    assert seen == [1.0]
    assert olympus.make_jaxpr(f)(1.0).effects


class Tag(Primitive):
    """As libraries mark values: what there is to tell is told by methods, and some operands are the results."""

    multiple_results = True

    def __init__(self) -> None:
        super().__init__("tag")
        mlir.register_lowering(self, self.lowered)

    def impl(self, *args: Any, kept: int) -> Any:
        return args[:kept]

    def abstract_eval(self, *avals: Any, kept: int) -> Any:
        return avals[:kept], olympus.extend.core.no_effects

    def lowered(self, ctx: mlir.LoweringRuleContext, *args: Any, kept: int) -> Any:
        assert ctx.primitive is self and len(ctx.avals_in) == len(args) and len(ctx.avals_out) == kept
        return args[:kept]


def test_a_subclass_tells_by_its_methods_and_a_rule_may_hand_operands_on() -> None:
    tag = Tag()
    for f in (tag.bind, olympus.jit(tag.bind, static_argnames="kept")):
        found = f(X, Y, 3.0, kept=2)
        np.testing.assert_array_equal(found, [X, Y])
    jaxpr = olympus.make_jaxpr(lambda x: tag.bind(x, x, kept=1))(X).jaxpr
    assert [(e.primitive, len(e.outvars)) for e in jaxpr.eqns] == [(tag, 1)]
    mlir.register_lowering(tag, lambda ctx, *args, kept: [x + 1 for x in args[:kept]])
    with pytest.raises(NotSupportedError, match="writes MLIR"):
        olympus.jit(lambda x: tag.bind(x, kept=1))(X)


def test_errors_say_what_is_missing() -> None:
    prim = Primitive("lacking")
    with pytest.raises(NotSupportedError, match="def_abstract_eval"):
        olympus.jit(prim.bind)(1.0)
    prim.def_abstract_eval(lambda x: x)
    with pytest.raises(NotSupportedError, match="register_lowering"):
        olympus.jit(prim.bind)(1.0)
    prim.def_impl(functools.partial(xla.apply_primitive, prim))
    with pytest.raises(NotSupportedError, match="register_lowering"):
        prim.bind(1.0)
    with pytest.raises(NotSupportedError, match="ad.primitive_jvps"):
        olympus.grad(prim.bind)(1.0)
    with pytest.raises(NotSupportedError, match="batching.primitive_batchers"):
        olympus.vmap(prim.bind)(jnp.ones(2))
    mlir.register_lowering(prim, lambda ctx, x: x)
    with pytest.raises(NotSupportedError, match="writes MLIR"):
        olympus.jit(prim.bind)(1.0)
    mlir.register_lowering(prim, mlir.lower_fun(lambda x: (x, x), multiple_results=True))
    with pytest.raises(ArgumentError, match="not what def_abstract_eval tells"):
        olympus.jit(prim.bind)(1.0)
    mlir.register_lowering(prim, mlir.lower_fun(lambda x: x, multiple_results=False))
    ad.primitive_jvps[prim] = lambda primals, tangents: (primals[0], jnp.ones(3))
    with pytest.raises(TangentError, match="lacking"):
        olympus.jvp(prim.bind, (1.0,), (1.0,))
    for register in (ad.primitive_jvps, ad.primitive_transposes, batching.primitive_batchers):
        with pytest.raises(NotSupportedError, match="olympus's own"):
            register[add_p] = lambda *args: args
    with pytest.raises(ArgumentError, match="a primitive is needed"):
        mlir.register_lowering("sin", None)
    wrong = Primitive("wrong")
    wrong.def_abstract_eval(lambda x: x)
    wrong.def_impl(lambda x: np.ones(3, "f"))
    with pytest.raises(CallbackResultError, match="wrong"):
        np.asarray(olympus.jit(wrong.bind)(1.0))


def test_rules_of_our_own_primitives_can_be_asked_for() -> None:
    value, tangent = ad.primitive_jvps[sin_p]([0.5], [2.0])
    assert float(value) == pytest.approx(np.sin(0.5)) and float(tangent) == pytest.approx(2 * np.cos(0.5))
    value, tangent = ad.primitive_jvps[mul_p]([2.0, 3.0], [1.0, ad.Zero(olympus.typeof(1.0))])
    assert (float(value), float(tangent)) == (6, 3)
    found = ad.primitive_transposes[mul_p](1.0, ad.UndefinedPrimal(olympus.typeof(1.0)), 3.0)
    assert float(found[0]) == 3 and found[1] is None
    result, dimension = batching.primitive_batchers[mul_p]([X, np.float32(2)], [0, None])
    np.testing.assert_array_equal(result, X * 2)
    assert dimension == 0 and sin_p in ad.primitive_jvps and Primitive("other") not in ad.primitive_jvps


def test_a_trace_tells_which_values_are_its_own() -> None:
    from olympus.extend.core import find_top_trace
    from olympus.interpreters import ad

    def f(x: Any, y: Any) -> Any:
        own = find_top_trace([x]).main
        assert isinstance(x, ad.JVPTracer) and x._trace.main is own
        olympus.jvp(lambda z: told.append((z._trace.main is own, x._trace.main is own)) or z * x, (y,), (y,))
        return x * y

    told: list[tuple[bool, bool]] = []
    olympus.jvp(f, (1.0, 2.0), (1.0, 0.0))
    assert told == [(False, True)]


def test_the_types_of_a_calls_results_are_asked_for_once() -> None:
    asked: list[Any] = []
    prim = Primitive("asked_once")

    @prim.def_abstract_eval
    def types(x: Any, *, times: int) -> Any:
        asked.append((x.shape, times))
        return x

    mlir.register_lowering(prim, mlir.lower_fun(lambda x, *, times: x * times, multiple_results=False))
    f = olympus.jit(lambda x: prim.bind(x, times=2) + prim.bind(x[:2], times=3).sum())
    np.testing.assert_array_equal(f(np.arange(4, dtype=np.float32)), np.arange(4) * 2 + 3)
    assert asked == [((4,), 2), ((2,), 3)]
