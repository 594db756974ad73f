# SPDX-License-Identifier: Apache-2.0
"""What is derived of a program stands where the operation stands that it is derived of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.extend import source_info_util
from olympus.extend.core import jaxpr_as_fun
from olympus.tracing.scopes import parts_of, within_scope
from olympus_core.program import Program

X = np.linspace(0.1, 1.0, 5).astype(np.float32)
HERE = __file__


def places(program: Program, name: str) -> Iterator[tuple[int, str]]:
    """The lines, and scopes, of the operations of a name, also of those in regions."""
    for operation in program.operations:
        if operation.record.name == name:
            file, _, rest = (operation.location or "").rpartition(":")
            assert file == HERE
            line, _, scope = rest.partition(" ")
            yield int(line), scope
        for region in operation.regions:
            yield from places(region, name)


def line_of(function: Callable[..., Any], below: int) -> int:
    return function.__code__.co_firstlineno + below


def f(x: Any) -> Any:
    y = jnp.sin(x)
    return jnp.tanh(y * x).sum()


def of(wrapped: Callable[..., Any], *args: Any) -> Program:
    return olympus.make_program(wrapped)(*args)


def test_backward_passes_stand_at_the_lines_forward() -> None:
    for program in (of(lambda x: olympus.grad(f)(x), X), of(lambda x: olympus.vmap(olympus.grad(f))(x), X[:, None])):
        assert set(places(program, "cos")) == {(line_of(f, 1), "")}
        assert {line for line, _ in places(program, "mul")} == {line_of(f, 1), line_of(f, 2)}
        assert set(places(program, "tanh")) == {(line_of(f, 2), "")}


def test_they_do_in_what_was_traced_before_and_in_jaxprs() -> None:
    known = olympus.jit(lambda x: f(x))
    known(X)
    evaluated = jaxpr_as_fun(olympus.make_jaxpr(f)(X))
    for wrapped in (known, lambda x: evaluated(x)[0]):
        program = of(lambda x, wrapped=wrapped: olympus.grad(wrapped)(x), X)
        assert set(places(program, "cos")) == {(line_of(f, 1), "")}
        assert {line for line, _ in places(program, "mul")} == {line_of(f, 1), line_of(f, 2)}


def test_they_do_in_loops() -> None:
    def body(carry: Any, x: Any) -> Any:
        return jnp.sin(carry) * x, None

    program = of(lambda x: olympus.grad(lambda c: lax.scan(body, c, x)[0])(x[0]), X)
    assert {line for line, _ in places(program, "cos")} == {line_of(body, 1)}
    assert {line for line, _ in places(program, "mul")} <= {line_of(body, 1)}


def scoped(x: Any) -> Any:
    with olympus.named_scope("inner"):
        return jnp.sin(x).sum()


@pytest.mark.parametrize("known", [False, True])
def test_scopes_are_named_once(known: bool) -> None:
    function: Any = olympus.jit(scoped) if known else scoped
    if known:
        function(X)

    def step(x: Any) -> Any:
        with olympus.named_scope("step"):
            return olympus.grad(function)(x)

    assert set(places(of(step, X), "cos")) == {(line_of(scoped, 2), "(step/inner)")}


def test_rules_of_users_stand_at_their_own_lines() -> None:
    g = olympus.custom_vjp(lambda x: jnp.sin(x))

    def fwd(x: Any) -> Any:
        return g(x), jnp.exp(x)

    def bwd(kept: Any, c: Any) -> Any:
        return (jnp.cos(kept) * c,)

    g.defvjp(fwd, bwd)
    h = olympus.custom_jvp(lambda x: jnp.sin(x))

    def rule(primals: Any, tangents: Any) -> Any:
        return h(*primals), jnp.log(primals[0]) * tangents[0]

    h.defjvp(rule)
    for used in (g, jaxpr_as_fun(olympus.make_jaxpr(lambda x: g(x))(X))):
        program = of(lambda x, used=used: olympus.grad(lambda x: jnp.sum(jnp.asarray(used(x))))(x), X)
        assert set(places(program, "exp")) == {(line_of(fwd, 1), "")}
        assert set(places(program, "cos")) == {(line_of(bwd, 1), "")}
    program = of(lambda x: olympus.grad(lambda x: h(x).sum())(x), X)
    assert set(places(program, "log")) == {(line_of(rule, 1), "")}


def test_a_files_name_may_have_brackets() -> None:
    place = "/home/a (b)/f.py:3"
    assert parts_of(place) == (place, "") and parts_of(f"{place} (encoder/a (b))") == (place, "encoder/a (b)")
    info = source_info_util.SourceInfo(f"{place} (encoder)")
    assert info.line == place and info.name_stack == "encoder" and source_info_util.summarize(info) == place
    with olympus.named_scope("step"):
        assert within_scope(info) == f"{place} (step/encoder)" and within_scope(place) == f"{place} (step)"
    assert source_info_util.SourceInfo("").traceback is None and parts_of("") == ("", "")


def test_interpreters_bind_at_the_lines_of_equations() -> None:
    closed = olympus.make_jaxpr(f)(X)

    def interpreted(x: Any) -> Any:
        values = dict(zip(closed.jaxpr.invars, [x], strict=True))
        for eqn in closed.jaxpr.eqns:
            with source_info_util.user_context(eqn.source_info.traceback):
                found = eqn.primitive.bind(*[values.get(v) if v in values else v.val for v in eqn.invars], **eqn.params)
            values.update(zip(eqn.outvars, found if eqn.primitive.multiple_results else [found], strict=True))
        return values[closed.jaxpr.outvars[0]]

    program = of(lambda x: olympus.grad(interpreted)(x), X)
    assert set(places(program, "cos")) == {(line_of(f, 1), "")}
    plain = of(lambda x: olympus.grad(lambda x: jaxpr_evaluated(closed, x))(x), X)
    assert set(places(plain, "cos")) == {(line_of(jaxpr_evaluated, 1), "")}


def jaxpr_evaluated(closed: Any, x: Any) -> Any:
    return olympus.core.eval_jaxpr(closed.jaxpr, closed.consts, x, propagate_source_info=False)[0]
