# SPDX-License-Identifier: Apache-2.0
"""The trace of Taylor mode: values carry the terms of their Taylor series, which the rules of the operations pass on.

There are no rules for series beside those of forward mode. Of y = f(x(t)), whose derivative f has in the table,
dy/dt = f'(x(t)) x'(t): the rule is called with series that are shorter by one term, of the operands and of their
derivatives, and what it gives as the tangent is integrated term by term. Operations that are linear or bilinear (their
records say in which operands) take the terms one by one; a few others have a recurrence of their own (`series_rule`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from olympus_core.errors import NotSupportedError, ReferenceUseError
from olympus_core.placement import Layout
from olympus_core.program import OperationRecord, Program

from ...tracing import JittedFunction, Trace, Tracer, aval_of, bind, bind_all, leaked, use_trace
from ...tracing.trace import Identified
from .arithmetic import div, like, plus, scaled, zeros
from .jvp_trace import DifferentiatedTracer
from .linear_trace import only_forward
from .table import NO_RULES, RULES, JvpCall, JvpRule, SeriesCall, SeriesRule, Terms


class SeriesTracer(DifferentiatedTracer):
    """A value with further terms of its Taylor series.

    Args:
        trace: The trace that it belongs to.
        value: The first term.
        terms: The coefficients of t, t**2 and so on; None for zero.
    """

    __slots__ = ("_derivative", "_shorter", "terms")

    def __init__(self, trace: SeriesTrace, value: Any, terms: Terms) -> None:
        super().__init__(trace, value, aval_of(value))
        self.terms = tuple(terms)
        self._derivative: Any = None
        self._shorter: dict[int, Any] = {}

    def typed(self, layout: Layout | None) -> SeriesTracer:
        """The same series with another sharding in its type."""
        value, *terms = (x.typed(layout) if isinstance(x, Tracer) else x for x in (self._value, *self.terms))
        return SeriesTracer(self._trace, value, terms)


class SeriesTrace(Identified):
    """Binds operations in the trace around it, and what follows for the further terms of their results.

    Args:
        parent: The trace around.
    """

    def __init__(self, parent: Trace) -> None:
        self.parent = parent
        self._open = True
        # What rules have asked for while one operation is bound, with the operands, so that their ids stay theirs:
        # the rules of sin and cos ask for each other's series again and again.
        self._known: dict[Any, tuple[Any, list[Any]]] = {}
        self._depth = 0

    def call_jitted(self, jitted: JittedFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Its operations are taken one by one."""
        return jitted.inline(args, kwargs)

    def wrap(self, value: Any, terms: Terms) -> Any:
        """A value with further terms; as it is where all are zero."""
        return value if all(t is None for t in terms) else SeriesTracer(self, value, terms)

    def split(self, operand: Any) -> tuple[Any, Terms]:
        """A value and its further terms; none where all are zero."""
        if isinstance(operand, Tracer):
            if isinstance(operand, SeriesTracer) and operand._trace is self:
                return operand._value, operand.terms
            if not operand._trace._open:
                raise leaked(operand)
        return operand, ()

    def outward(self, value: Any) -> Any:
        """A value as the trace around knows it, for a reference there."""
        primal, terms = self.split(value)
        if terms:
            raise ReferenceUseError(
                "A value with a Taylor series is written to a reference outside of the function",
                repr(aval_of(value)), "Write olympus.lax.stop_gradient(value), or return it.")
        return primal

    def bind(
        self, record: OperationRecord, operands: Sequence[Any], attributes: Mapping[str, Any],
        regions: Sequence[Program] = (), weak: bool | None = None,
    ) -> list[Any]:
        """One operation: its results with their series."""
        series = [self.split(operand) for operand in operands]
        lengths = [len(terms) for _, terms in series if terms]
        rules = RULES.get(record.name, NO_RULES)
        if not lengths or rules.is_constant:
            with use_trace(self.parent):
                return bind_all(record, [x for x, _ in series], attributes, regions, weak)
        if rules.rewrite is not None:
            with use_trace(self):
                return list(rules.rewrite(operands, attributes, regions))
        if rules.jvp is None:
            raise NotSupportedError(f"The Taylor series of {record.name}", "the operation has no rule for its tangents",
                                    "Give the function that uses it a rule with olympus.custom_jvp.")
        order = min(lengths)
        call = SeriesCall(
            record, [x for x, _ in series], [terms[:order] for _, terms in series], order, attributes, weak)
        with use_trace(self.parent):
            found = self._terms(call, rules.jvp, rules.series, regions)
        if found is None:
            return self._derived(record, operands, attributes, regions, weak, rules.jvp, order)
        return [self.wrap(value, terms) for value, terms in found]

    def _terms(
        self, call: SeriesCall, rule: JvpRule, recurrence: SeriesRule | None, regions: Sequence[Program]
    ) -> list[tuple[Any, Terms]] | None:
        """The results' series where terms are combined one by one; None where the derivative's rule must say."""
        record, varying = call.record, {i for i, terms in enumerate(call.terms) if terms}
        groups = record.additive or ((frozenset(range(len(call.values))),) if record.moves_only else ())
        if any(varying <= group for group in groups):
            values: Sequence[Any] = ()
            changes: list[Sequence[Any] | None] = []
            for k in range(1, call.order + 1):
                given = [call.term(i, k) for i in range(len(call.values))]
                if all(t is None for t in given):
                    changes.append(None)
                    continue
                forward = only_forward(self.parent, given)
                values, tangents = rule(
                    JvpCall(record, call.values, given, call.attributes, regions, call.weak, forward))
                changes.append(tangents)
            return [(value, [None if t is None else t[n] for t in changes]) for n, value in enumerate(values)]
        if recurrence is not None:
            terms = recurrence(call)
            if terms is not None:
                return [(terms[0], terms[1:])]
        if len(groups) == 2 and len(call.values) == 2:
            value = bind(record, *call.values, weak=call.weak, **call.attributes)
            return [(value, [_convolved(call, k) for k in range(1, call.order + 1)])]
        return None

    def _derived(
        self, record: OperationRecord, operands: Sequence[Any], attributes: Mapping[str, Any],
        regions: Sequence[Program], weak: bool | None, rule: JvpRule, order: int,
    ) -> list[Any]:
        """The results' series from the rule of the derivative, called with series that are shorter by one term."""
        key: Any = (record.name, tuple(map(id, operands)), tuple(sorted(attributes.items(), key=lambda a: a[0])),
                    tuple(map(id, regions)), weak)
        try:
            known = self._known.get(key)
        except TypeError:  # an attribute is an array
            key = known = None
        if known is not None:
            return known[1]
        self._depth += 1
        try:
            mine = [self.split(x)[1] != () for x in operands]
            lower = [self._shorter(x, order - 1) if own else x for x, own in zip(operands, mine, strict=True)]
            changes = [self._shorter(self._derivative(x), order - 1) if own else None
                       for x, own in zip(operands, mine, strict=True)]
            forward = only_forward(self.parent, [t for x in operands for t in self.split(x)[1]])
            with use_trace(self):
                results, tangents = rule(JvpCall(record, lower, changes, attributes, regions, weak, forward))
            out = [self._integral(x, t, order) for x, t in zip(results, tangents, strict=True)]
            if key is not None:
                self._known[key] = (operands, regions), out
            return out
        finally:
            self._depth -= 1
            if not self._depth:
                self._known.clear()

    def _shorter(self, x: Any, order: int) -> Any:
        """A series cut off; the same object each time."""
        if not isinstance(x, SeriesTracer) or x._trace is not self or len(x.terms) <= order:
            return x
        if order not in x._shorter:
            made = x._shorter[order] = self.wrap(x._value, x.terms[:order])
            if isinstance(made, SeriesTracer):
                made._derivative = self._shorter(self._derivative(x), order - 1)
        return x._shorter[order]

    def _derivative(self, x: SeriesTracer) -> Any:
        """The series of the derivative, shorter by one term; the same object each time."""
        if x._derivative is None:
            with use_trace(self.parent):
                first, *rest = x.terms
                rest = [None if t is None else scaled(t, k) for k, t in enumerate(rest, 2)]
                x._derivative = self.wrap(zeros(x.aval) if first is None else first, rest)
        return x._derivative

    def _integral(self, result: Any, tangent: Any, order: int) -> Any:
        """The series that begins with a result and has a derivative."""
        value, _ = self.split(result)
        if tangent is None:
            return value
        first, rest = self.split(tangent)
        with use_trace(self.parent):
            terms = [first, *(None if t is None else div(t, like(t, k)) for k, t in enumerate(rest[:order - 1], 2))]
        return self.wrap(value, [*terms, *[None] * (order - len(terms))])

    def close(self) -> None:
        """Ends the trace: its values cannot be used any more."""
        self._open = False


def _convolved(call: SeriesCall, k: int) -> Any:
    """A term of a product: the sum of the products of those terms whose powers add up."""
    total = None
    for i in range(k + 1):
        x, y = call.term(0, i), call.term(1, k - i)
        if x is not None and y is not None:
            total = plus(total, bind(call.record, x, y, weak=False, **call.attributes))
    return total
