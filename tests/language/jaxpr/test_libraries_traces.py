# SPDX-License-Identifier: Apache-2.0
"""Traces that libraries write: operations come as primitives, values are tracers of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import ArgumentError, LeakedTracerError, NotSupportedError, ReferenceUseError
from olympus.extend.core import (
    TraceTag,
    find_top_trace,
    set_current_trace,
    take_current_trace,
    unsafe_am_i_under_a_jit_DO_NOT_USE,
)

X = np.linspace(-1, 2, 12, dtype=np.float32).reshape(3, 4)


class Counted(olympus.core.Tracer):
    """A value, and how many operations it took."""

    def __init__(self, trace: Any, val: Any, count: int) -> None:
        super().__init__(trace, olympus.typeof(val))
        self.val, self.count = val, count


class Counting(olympus.core.Trace):
    """Counts operations along the longest path, and notes their names."""

    def __init__(self, parent_trace: Any) -> None:
        super().__init__()
        self.parent_trace, self.tag = parent_trace, TraceTag()
        self.names: list[str] = []

    def split(self, x: Any) -> tuple[Any, int]:
        return (x.val, x.count) if isinstance(x, Counted) and x._trace is self else (x, 0)

    def process_primitive(self, primitive: Any, tracers: Sequence[Any], params: dict[str, Any]) -> Any:
        self.names.append(primitive.name)
        vals = [self.split(x)[0] for x in tracers]
        count = max((self.split(x)[1] for x in tracers), default=0) + 1
        out = primitive.bind_with_trace(self.parent_trace, vals, list(map(olympus.typeof, vals)), params)
        if primitive.multiple_results:
            return [Counted(self, x, count) for x in out]
        return Counted(self, out, count)


class CountingRules(Counting):
    """Likewise; calls with rules are taken by them."""

    def process_custom_jvp_call(self, primitive: Any, fun: Any, jvp: Any, tracers: Sequence[Any], *,
                                symbolic_zeros: bool) -> Any:
        vals = [self.split(x)[0] for x in tracers]
        with set_current_trace(self.parent_trace):
            outs = fun.call_wrapped(*vals)
            twice = jvp.call_wrapped(*vals, *(jnp.ones_like(x) for x in vals))
        self.names.append(primitive.name)
        self.tangents = twice[len(twice) // 2:]
        return [Counted(self, x, 1) for x in outs]

    def process_custom_vjp_call(self, primitive: Any, fun: Any, fwd: Any, bwd: Any, tracers: Sequence[Any], *,
                                out_trees: Any, symbolic_zeros: bool) -> Any:
        vals = [self.split(x)[0] for x in tracers]
        with set_current_trace(self.parent_trace):
            found = fwd.call_wrapped(*(y for x in vals for y in (x, True)))
            out_tree, kept, forwarded = out_trees()
            assert forwarded == [None] * kept.num_leaves
            kept_values, outs = found[:kept.num_leaves], found[kept.num_leaves:]
            assert len(outs) == out_tree.num_leaves
            np.testing.assert_array_equal(outs[0], fun.call_wrapped(*vals)[0])
            self.tangents = bwd(*kept_values, *(jnp.ones_like(x) for x in outs))
        self.names.append(primitive.name)
        return [Counted(self, x, 1) for x in outs]


def counted(f: Callable[..., Any], *args: Any, kind: type[Counting] = Counting) -> tuple[Any, Counting]:
    """A function's result, its operations having passed through a trace of this file; and the trace."""
    with take_current_trace() as parent:
        trace = kind(parent)
        with set_current_trace(trace):
            out = f(*(Counted(trace, x, 0) for x in args))
        return olympus.tree.map(lambda x: trace.split(x)[0], out), trace


def _loop(x: Any) -> Any:
    return lax.while_loop(lambda c: jnp.sum(c) < 100, lambda c: c * 2 + 1, jnp.abs(x))


def _scan(x: Any) -> Any:
    return lax.scan(lambda c, row: (c + row, jnp.sin(c * row)), jnp.zeros(4), x)


def _draws(x: Any) -> Any:
    key = olympus.random.fold_in(olympus.random.key(3), 1)
    return olympus.random.normal(key, x.shape) + x


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "arithmetic": lambda x: jnp.sin(x) * 3 + x ** 2,
    "product": lambda x: x @ x.T + jnp.einsum("ij,kj->ik", x, jnp.cos(x)),
    "sort": lambda x: (jnp.sort(x, axis=0), jnp.argsort(x, axis=1), lax.top_k(x, 2)),
    "index": lambda x: (x[1:, ::2], x[jnp.array([2, 0])], x.at[0].set(7.0), jnp.where(x > 0, x, -x)),
    "reductions": lambda x: (x.sum(0), x.max(), jnp.mean(x, 1), jnp.cumsum(x, 0), jnp.argmax(x)),
    "jit": lambda x: olympus.jit(lambda y, n: {"a": y * n + x})(x, 2),
    "cond": lambda x: lax.cond(x[0, 0] > 0, jnp.sin, lambda y: jnp.cos(y) + x, x),
    "while": _loop, "scan": _scan, "random": _draws,
    "grad": lambda x: olympus.grad(lambda y: jnp.sum(jnp.tanh(y) ** 2))(x),
    "hessian": lambda x: olympus.jvp(olympus.grad(lambda y: jnp.sum(jnp.exp(y))), (x,), (x,)),
    "vmap": lambda x: olympus.vmap(lambda row: jnp.outer(row, row))(x),
    "checkpoint": lambda x: olympus.checkpoint(lambda y: jnp.sin(y) * y)(x),
    "types": lambda x: (x.astype(jnp.bfloat16) * 1.5, x.astype(jnp.int8), lax.bitcast_convert_type(x, jnp.int32)),
    "linear algebra": lambda x: jnp.linalg.svd(x, full_matrices=False, compute_uv=False),
    "softmax": olympus.nn.softmax,
}


def _same(found: Any, expected: Any) -> None:
    assert olympus.tree.structure(found) == olympus.tree.structure(expected)
    for x, y in zip(olympus.tree.leaves(found), olympus.tree.leaves(expected), strict=True):
        assert olympus.typeof(x) == olympus.typeof(y)
        np.testing.assert_allclose(np.asarray(x, np.float64), np.asarray(y, np.float64), rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_programs_pass_through_a_librarys_trace(name: str) -> None:
    f = FUNCTIONS[name]
    found, trace = counted(f, jnp.asarray(X))
    assert trace.names
    _same(found, f(jnp.asarray(X)))


@pytest.mark.parametrize("name", ["arithmetic", "jit", "scan", "sort", "random", "grad"])
def test_a_librarys_trace_stands_in_others(name: str) -> None:
    f = FUNCTIONS[name]

    def through(x: Any) -> Any:
        return counted(f, x)[0]

    def total(g: Callable[..., Any]) -> Callable[[Any], Any]:
        return lambda x: sum(jnp.sum(y) for y in olympus.tree.leaves(g(x)) if jnp.issubdtype(y.dtype, jnp.floating))

    _same(olympus.jit(through)(X), olympus.jit(f)(X))
    _same(olympus.grad(total(through))(X), olympus.grad(total(f))(X))
    _same(olympus.hessian(total(through))(X[:1]), olympus.hessian(total(f))(X[:1]))
    several = np.stack([X, X + 1])
    _same(olympus.vmap(through)(several), olympus.vmap(f)(several))
    mesh = olympus.make_mesh((8,), ("d",))
    rows = olympus.device_put(np.tile(X, (8, 1)), olympus.NamedSharding(mesh, olympus.P("d")))
    _same(olympus.jit(through)(rows), olympus.jit(f)(rows))


def test_users_functions_are_one_operation() -> None:
    inner = olympus.jit(lambda x: jnp.sin(x) + 1)
    _, trace = counted(lambda x: inner(x) * x, jnp.ones(3))
    assert trace.names == ["jit", "mul"]
    assert trace.main is trace.tag and repr(trace) == "Counting"


def test_weak_types_stay() -> None:
    narrow = jnp.ones(3, jnp.bfloat16)

    def f(x: Any) -> Any:
        return narrow * (lax.cond(x > 1, jnp.sin, jnp.cos, x) * 2 + olympus.jit(lambda y: y + 1)(x))

    found, _ = counted(f, 2.0)
    assert found.dtype == f(2.0).dtype == jnp.bfloat16


def test_values_have_all_their_attributes_under_another_type() -> None:
    with take_current_trace() as parent:
        x = Counted(Counting(parent), jnp.ones(2), 5)
    weak = x.of_aval(olympus.core.ShapedArray((2,), jnp.float32, weak_type=True))
    assert weak.weak_type and not x.weak_type
    assert type(weak) is Counted and weak.count == 5 and weak.val is x.val and weak._trace is x._trace


@olympus.custom_jvp
def _clipped(x: Any, y: Any) -> Any:
    return jnp.clip(x, -1.0, 1.0) * y


@_clipped.defjvp
def _(primals: Any, tangents: Any) -> Any:
    return _clipped(*primals), 10.0 * tangents[0] + tangents[1]


@olympus.custom_vjp
def _scaled(x: Any, y: Any) -> Any:
    return jnp.sin(x) * y


_scaled.defvjp(lambda x, y: (_scaled(x, y), y), lambda y, t: (3.0 * t * y, -t))


def test_calls_with_rules() -> None:
    x, y = jnp.asarray(X), jnp.asarray(X) + 1
    found, trace = counted(_clipped, x, y, kind=CountingRules)
    _same(found, _clipped(x, y))
    assert trace.names == ["custom_jvp_call"]
    np.testing.assert_array_equal(trace.tangents[0], np.full_like(X, 11.0))
    found, trace = counted(_scaled, x, y, kind=CountingRules)
    _same(found, _scaled(x, y))
    assert trace.names == ["custom_vjp_call"]
    _same(list(trace.tangents), [3.0 * y, -jnp.ones_like(y)])
    for f, method in (_clipped, "process_custom_jvp_call"), (_scaled, "process_custom_vjp_call"):
        with pytest.raises(NotSupportedError, match=f"the trace has no {method}"):
            counted(f, x, y)


def test_primitives_of_libraries() -> None:
    cube_p = olympus.extend.core.Primitive("cube_here")
    cube_p.def_abstract_eval(lambda x, by: x)
    cube_p.def_impl(lambda x, by: x * x * x * by)
    found, trace = counted(lambda x: cube_p.bind(x, by=2.0) + x, jnp.asarray(X))
    assert trace.names == ["cube_here", "add"]
    np.testing.assert_allclose(found, 2 * X**3 + X, rtol=1e-6)


def test_questions_and_kinds() -> None:
    def f(x: Any) -> Any:
        assert unsafe_am_i_under_a_jit_DO_NOT_USE()
        return x

    olympus.jit(lambda x: counted(f, x)[0])(1.0)
    counted(lambda x: unsafe_am_i_under_a_jit_DO_NOT_USE() and pytest.fail("nothing is staged"), 1.0)
    assert isinstance(find_top_trace([]), olympus.core.Trace)
    assert TraceTag() == TraceTag() and len({TraceTag(), TraceTag()}) == 1 and TraceTag() != 1


def test_what_a_trace_may_not_do() -> None:
    ones = jnp.ones(2)

    class Silent(olympus.core.Trace):
        """Says nothing of operations."""

    with set_current_trace(Silent()), pytest.raises(NotSupportedError, match="has no process_primitive"):
        jnp.sin(ones)

    class Wrong(olympus.core.Trace):
        def process_primitive(self, primitive: Any, tracers: Any, params: Any) -> Any:
            return jnp.zeros(7)

    with set_current_trace(Wrong()), pytest.raises(ArgumentError, match="what it gave for sin is of other types"):
        jnp.sin(ones)

    with take_current_trace() as parent:
        trace = Counting(parent)
        x = Counted(trace, jnp.ones(2), 0)
        assert trace.is_valid()
        trace.invalidate()
    assert not trace.is_valid()
    with pytest.raises(LeakedTracerError):
        olympus.jit(lambda y: y + x)(1.0)


def test_references_from_outside_are_read() -> None:
    reference = olympus.new_ref(jnp.arange(3.0))
    found, _ = counted(lambda x: x + reference[...], jnp.ones(3))
    np.testing.assert_array_equal(found, [1.0, 2.0, 3.0])

    def write(x: Any) -> Any:
        reference[...] = x

    with pytest.raises(ReferenceUseError, match="from outside of Counting"):
        counted(write, jnp.ones(3))
    np.testing.assert_array_equal(reference[...], [0.0, 1.0, 2.0])
