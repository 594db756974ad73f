# SPDX-License-Identifier: Apache-2.0
"""Functions of flat values with transformations around them, tracing to jaxprs, and taking apart of these."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import api_util
from olympus.errors import ArgumentError, StoreException
from olympus.extend import linear_util as lu
from olympus.extend.core.primitives import add_p
from olympus.interpreters import ad, batching
from olympus.interpreters import partial_eval as pe

FLOAT = olympus.core.ShapedArray((), np.float32)


def test_trees_to_flat_values_and_back() -> None:
    info = api_util.debug_info("jit", lambda a, b: a, ({"x": 1},), {"b": 2})
    assert info.arg_names == ("a['x']", "b") and info.func_name == "<lambda>" and info.traced_for == "jit"
    structure = olympus.tree.structure((({"x": 1},), {"b": 2}))
    f, found = api_util.flatten_fun(lu.wrap_init(lambda a, b: {"r": a["x"] + b}, debug_info=info), structure)
    with pytest.raises(StoreException, match="empty"):
        found()
    assert f.call_wrapped(1, 2) == [3] and found() == olympus.tree.structure({"r": 0})
    with pytest.raises(StoreException, match="full"):
        f.call_wrapped(1, 2)
    again, _ = api_util.flatten_fun(lu.wrap_init(lambda a, b: a), structure, use_eq_store=True)
    assert again.call_wrapped(1, 2) == again.call_wrapped(1, 3)
    f, dynamic = api_util.argnums_partial(lu.wrap_init(lambda a, b, c: (a, b, c)), -1, (1, 2, 3))
    assert dynamic == (3,) and f.call_wrapped(5) == (1, 2, 5)
    with pytest.raises(ArgumentError, match="no hash"):
        api_util.argnums_partial(lu.wrap_init(max), 0, (1, [2]))
    assert api_util.flatten_axes("in_axes", olympus.tree.structure((1, {"a": 2, "b": 3})), (0, None)) == [0, None, None]
    with pytest.raises(ArgumentError, match="prefix"):
        api_util.flatten_axes("in_axes", olympus.tree.structure((1, 2)), (0,))
    assert api_util.donation_vector((0,), ("a",), olympus.tree.structure(((1, (2, 3)), {"a": 1}))) == (
        True, False, False, True)
    with pytest.raises(ArgumentError, match="static and donated"):
        api_util.rebase_donate_argnums((1,), (1,))
    assert api_util.shaped_abstractify(jnp.ones(3)) == olympus.typeof(jnp.ones(3))


def test_functions_are_called_for_each_position() -> None:
    seen: list[tuple[int, int]] = []
    assert api_util.safe_map(lambda x, y: seen.append((x, y)) or x + y, (1, 2), iter([3, 4])) == [4, 6]
    assert seen == [(1, 3), (2, 4)] and api_util.safe_map(abs, ()) == []
    for sequences in (([1], [1, 2]), ([1, 2], [1])):
        seen.clear()
        with pytest.raises(ValueError, match="equally long"):
            api_util.safe_map(lambda x, y: seen.append((x, y)), *sequences)
        assert not seen
    with pytest.raises(TypeError, match="no sequence"):
        api_util.safe_map(abs)


def test_transformations_nest_and_are_remembered() -> None:
    @lu.transformation
    def outer(n: int, *args: Any) -> Any:
        found = yield tuple(x + n for x in args), {}
        yield found * 10

    @lu.transformation2
    def inner(f: Any, *args: Any) -> Any:
        return f(*args) + 1

    calls = []

    def core(x: int, *, k: int) -> int:
        calls.append(x)
        return x * k

    def made() -> lu.WrappedFun:
        return outer(inner(lu.wrap_init(core, {"k": 2})), 3)

    assert made().call_wrapped(4) == 150 and made() == made() and hash(made()) == hash(made())
    assert made() != outer(lu.wrap_init(core, {"k": 2}), 3)
    calls.clear()
    run = lu.cache(lambda fun, n: fun.call_wrapped(n))
    assert [run(made(), 4), run(made(), 4), run(made(), 5)] == [150, 150, 170] and calls == [7, 8]
    store, told = lu.transformation_with_aux2(lambda f, store, *args: store.store("told") or f(*args))(
        lu.wrap_init(abs))
    assert store.call_wrapped(-1) == 1
    never = lu.transformation_with_aux2(lambda f, store: f())(lu.wrap_init(abs))[1]
    assert lu.merge_linear_aux(told, never) == (True, "told") and lu.merge_linear_aux(never, told) == (False, "told")
    with pytest.raises(StoreException):
        lu.merge_linear_aux(told, told)


def test_tracing_to_jaxprs() -> None:
    table = jnp.arange(3.0)
    fun = lu.wrap_init(lambda x, y: [x * table, y + 1])
    jaxpr, avals, consts = pe.trace_to_jaxpr_dynamic(fun, [FLOAT.update(shape=(3,)), FLOAT])
    assert [a.shape for a in avals] == [(3,), ()] and len(jaxpr.constvars) == len(consts) == 1
    found = olympus.core.eval_jaxpr(jaxpr, consts, jnp.ones(3), 2.0)
    np.testing.assert_array_equal(found[0], [0, 1, 2])
    given = [pe.PartialVal.unknown(FLOAT), pe.PartialVal.known(3.0)]
    fun = lu.wrap_init(lambda x, y: [x * y, jnp.sin(y), x, 7.0])
    jaxpr, results, consts = pe.trace_to_jaxpr_nounits(fun, given)
    assert [p.is_known() for p in results] == [False, True, False, True]
    assert float(results[1].get_known()) == pytest.approx(np.sin(3.0)) and results[3].get_known() == 7.0
    assert [float(v) for v in olympus.core.eval_jaxpr(jaxpr, consts, 2.0)] == [6, 2]
    jaxpr, results, consts = pe.trace_to_jaxpr_nounits(fun, given, instantiate=True)
    assert not any(p.is_known() for p in results)
    assert float(olympus.core.eval_jaxpr(jaxpr, consts, 2.0)[1]) == pytest.approx(np.sin(3.0))


def test_what_is_not_used_is_taken_out() -> None:
    closed = olympus.make_jaxpr(lambda x, y: (x + 1, jnp.cos(y) * 2, x))(1.0, 2.0)
    jaxpr, inputs = pe.dce_jaxpr(closed.jaxpr, [True, False, True])
    assert inputs == [True, False] and [eqn.primitive.name for eqn in jaxpr.eqns] == ["add"]
    assert [float(v) for v in olympus.core.eval_jaxpr(jaxpr, closed.consts, 4.0)] == [5, 4]
    assert pe.dce_jaxpr(closed.jaxpr, False, instantiate=True)[1] == [True, True]
    assert pe.dce_jaxpr(closed.jaxpr, False)[0].eqns == []
    with pytest.raises(ArgumentError, match="truth value"):
        pe.dce_jaxpr(closed.jaxpr, [True])
    telling = olympus.make_jaxpr(lambda x: olympus.debug.print("{}", x))(1.0)
    assert len(pe.dce_jaxpr(telling.jaxpr, [])[0].eqns) == 1
    pe.dce_rules[add_p] = lambda used, eqn: ([False, False], None)
    try:
        assert pe.dce_jaxpr(closed.jaxpr, True)[0].eqns[0].primitive.name == "cos"
    finally:
        del pe.dce_rules[add_p]


def test_tracers_are_told_by_what_they_are_for() -> None:
    seen = []

    def f(x: Any) -> Any:
        seen.append([isinstance(x, kind) for kind in (pe.DynamicJaxprTracer, ad.JVPTracer, batching.BatchTracer,
                                                      olympus.core.Tracer)])
        return x * 2

    olympus.make_jaxpr(f)(1.0)
    olympus.jvp(f, (1.0,), (1.0,))
    olympus.vmap(f)(jnp.ones(3))
    f(1.0)
    assert seen == [[True, False, False, True], [False, True, False, True], [False, False, True, True], [False] * 4]


def test_cotangents_through_a_jaxpr() -> None:
    closed = olympus.make_jaxpr(lambda x, y: (x * jnp.sin(y), x + x))(1.0, 2.0)
    x = ad.UndefinedPrimal(FLOAT)
    found = ad.backward_pass(closed.jaxpr, False, closed.consts, [x, 2.0], [3.0, ad.Zero(FLOAT)])
    assert float(found[0]) == pytest.approx(3 * np.sin(2.0)) and isinstance(found[1], ad.Zero)
    assert float(ad.add_tangents(ad.instantiate_zeros(ad.Zero(FLOAT)), 2.0)) == 2


def test_what_is_known_of_values() -> None:
    seen: list[Any] = []
    olympus.jit(lambda x: seen.append(olympus.core.get_aval(x)) or x)(jnp.ones(3))
    assert seen == [olympus.core.get_aval(np.ones(3, np.float32))] == [olympus.typeof(jnp.ones(3))]
    assert olympus.core.get_aval(2).weak_type
    assert olympus.core.get_aval(olympus.ShapeDtypeStruct((2,), "int8")).ndim == 1
    with pytest.raises(olympus.errors.ArgumentError):
        olympus.core.get_aval("text")
