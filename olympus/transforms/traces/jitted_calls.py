# SPDX-License-Identifier: Apache-2.0
"""Jitted functions where they are differentiated eagerly: one program for values, one for tangents, one backward."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from olympus_core.ops import call
from olympus_core.program import Program
from olympus_core.runtime import BoundedCache, ProgramEntry, size_of

from ...tracing import EVALUATING, Aval, JittedFunction, Trace, Tracer, UsesReferences, aval_of, bind_all, use_trace
from ...tracing.explicit import current_hidden_axes
from ...tracing.scopes import within_scope
from ...tracing.trace import stays_call
from ...trees import inside as tree
from ..caches import kept
from ..shared_calls import NotTraced, bound_as_program, is_for_itself
from .annotations import Annotation, annotated
from .arithmetic import weakened
from .jvp_trace import JvpTrace
from .linear_trace import LinearTrace
from .linearization import Linearized, linearized, run, transposed
from .table import TransposeCall

_linearized: BoundedCache[Any, ProgramEntry] = kept(BoundedCache())  # about: the `Linearized`
_transposed: BoundedCache[Any, ProgramEntry] = kept(BoundedCache())


class JittedCall(Annotation):
    """The annotation of a jitted function's program: its derivatives are programs as well, kept for the next call.

    Args:
        weak: Whether its results are weakly typed.
    """

    def __init__(self, weak: bool) -> None:
        self.weak = weak

    def differentiate(self, region: Program, primals: Sequence[Any], tangents: Sequence[Any], forward: bool) -> Any:
        """A program for the values, one for the tangents."""
        avals = tuple(aval_of(x) for x in primals)
        varies = tuple(t is not None for t in tangents)
        key = (region, avals, varies, forward)
        known = _linearized.get(key)
        if known is not None:
            known.was_used = True
            part: Linearized = known.about
        else:
            part = linearized(region, avals, varies, forward)
            annotated(part.forward, JittedCall(self.weak))
            annotated(part.linear, _STRONG)
            if not any(isinstance(x, Tracer) for x in part.captured):
                made = ProgramEntry(part.forward, size_of(part.forward) + size_of(part.linear), part)
                _linearized.remember(key, made, made)
        everything = [*primals, *part.captured]
        count = len(region.outputs)
        results = bind_all(call, everything, {}, (part.forward,), self.weak)
        computed = iter(results[count:])
        residuals = [next(computed) if s is None else everything[s] for s in part.sources]
        if not any(part.has_tangent):
            return results[:count], [None] * count
        seeds = [t for t in tangents if t is not None]
        found = iter(bind_all(call, [*residuals, *seeds], {}, (part.linear,), False))
        return results[:count], [next(found) if has else None for has in part.has_tangent]

    def transpose(self, t: TransposeCall) -> Sequence[Any]:
        """A program for the backward pass."""
        given = tuple(c is not None for c in t.cotangents)
        key = (t.regions[0], tuple(t.avals), tuple(t.linear), given)
        known = _transposed.get(key)
        captured: list[Any] = []
        if known is not None:
            known.was_used = True
            program = known.program
        else:
            program, captured = transposed(t.regions[0], t.avals, t.linear, given)
            annotated(program, _STRONG)
            if not captured:
                made = ProgramEntry(program, size_of(program))
                _transposed.remember(key, made, made)
        rest = [x for x, is_linear in zip(t.operands, t.linear, strict=True) if not is_linear]
        cotangents = [c for c in t.cotangents if c is not None]
        found = iter(bind_all(call, [*rest, *cotangents, *captured], {}, (program,), False))
        return [next(found) if is_linear else None for is_linear in t.linear]


_STRONG = JittedCall(False)


class _CallingJvpTrace(JvpTrace):
    """A trace of forward mode in which a jitted function is one operation."""

    def call_jitted(self, jitted: JittedFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of the function's program, annotated by how it is differentiated."""
        if jitted.is_disabled or jitted.has_shardings or current_hidden_axes():
            return jitted.inline(args, kwargs)  # what surrounds the call would have to be part of the program's key
        try:
            traced, leaves = jitted.traced(args, kwargs)
        except (NotTraced, UsesReferences):
            return jitted.inline(args, kwargs)
        operands = [*leaves, *traced.captured]
        if not any(isinstance(x, Tracer) and x._trace is self for x in operands):
            outer = self.parent
            if isinstance(outer, LinearTrace) and not any(map(outer.owns, operands)):
                outer = outer.parent
            with use_trace(outer):
                return outer.call_jitted(jitted, args, kwargs)
        if traced.weak is None:
            return jitted.inline(args, kwargs)
        region = annotated(traced.program, JittedCall(traced.weak))
        return tree.unflatten(traced.out_tree, bind_all(call, operands, {}, (region,), traced.weak))


class EagerJvpTrace(_CallingJvpTrace):
    """The trace of forward mode where operations run at once: a jitted function stays one program."""

    is_eager = True


class StagedJvpTrace(_CallingJvpTrace):
    """The trace of forward mode inside of others: what was traced of a jitted function before is not traced again."""

    def call_jitted(self, jitted: JittedFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The operations of the function's program are differentiated one by one, or else what the function does.

        To trace it first for a single call would not be worth it, unless calls are kept.
        """
        if stays_call(jitted) and is_for_itself():
            return super().call_jitted(jitted, args, kwargs)
        return bound_as_program(jitted, args, kwargs, lambda traced, operands: [
            weakened(x, aval.weak)
            for x, aval in zip(run(traced.program, operands, place=within_scope), traced.out_avals, strict=True)],
            only_known=True)


def jvp_trace_in(parent: Trace) -> JvpTrace:
    """A trace of forward mode: of the eager kind where nothing but derivatives surrounds it."""
    outer = parent
    while isinstance(outer, (JvpTrace, LinearTrace)):
        outer = outer.parent
    return EagerJvpTrace(parent) if outer is EVALUATING else StagedJvpTrace(parent)


def kept_call(jitted: JittedFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of a jitted function that stays a call in the program, for those who look at it."""
    if jitted._is_inline or jitted.is_disabled or jitted.has_shardings:
        return getattr(jitted, "as_equation", jitted.inline)(args, kwargs)
    try:
        # Axes that are mapped or manual here are not in the key of what was traced of the function.
        traced, leaves = (jitted if is_for_itself() else jitted.again()).traced(args, kwargs)
    except (NotTraced, UsesReferences):  # their contents are carried by the program around
        return jitted.inline(args, kwargs)
    results = bind_all(call, [*leaves, *traced.captured], {}, (traced.program,), False)
    typed = [x.of_aval(Aval(x.aval.type, aval.weak, x.aval.layout)) if isinstance(x, Tracer) else x
             for x, aval in zip(results, traced.out_avals, strict=True)]
    return tree.unflatten(traced.out_tree, typed)
