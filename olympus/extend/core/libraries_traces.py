# SPDX-License-Identifier: Apache-2.0
"""Traces that libraries write: each operation comes to them as a primitive with operands and parameters."""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from olympus_core.errors import ArgumentError, NotSupportedError, ReferenceUseError, described
from olympus_core.ops import constant
from olympus_core.program import Operation, OperationRecord, Program, ProgramBuilder

from ... import tree
from ...tracing import EVALUATING, Aval, JittedFunction, Reference, Tracer, aval_of, bind_all, use_trace
from ...tracing.trace import Identified
from ...transforms.derivatives.forward import jvp
from ...transforms.derivatives.reverse import vjp
from ...transforms.jaxpr import Primitive, eval_jaxpr
from ...transforms.jaxpr.reading import form_of
from ...transforms.traces.jitted_calls import kept_call
from .. import linear_util as lu


class TraceTag:
    """What tells whose traced values are whose, across the traces that one transformation makes. All are equal.

    Example:
        >>> from olympus.extend.core import TraceTag
        >>> TraceTag() == TraceTag()
        True
    """

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TraceTag)

    def __hash__(self) -> int:
        return hash(TraceTag)


class Trace(metaclass=ABCMeta):  # noqa: B024  (olympus's own are registered; what a trace lacks is told when asked for)
    """A meaning of operations. Libraries derive from it, and make the trace the current one by `set_current_trace`.

    Each operation that is bound meanwhile, whatever its operands, is given to `process_primitive`; a call of a jitted
    function is the primitive ``jit`` with the function's jaxpr. Values of the trace are of a class derived from
    `Tracer`, made with the trace and what is known of the value. While a trace works, operations are evaluated;
    `Primitive.bind_with_trace` binds them in the trace around, which a trace keeps as ``parent_trace``. Constants that
    are no numbers come as arrays, never as an operation.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.extend.core import set_current_trace, take_current_trace
        >>> class Noted(olympus.core.Tracer):
        ...     def __init__(self, trace, val):
        ...         super().__init__(trace, olympus.typeof(val))
        ...         self.val = val
        >>> class Notes(olympus.core.Trace):
        ...     def __init__(self, parent_trace):
        ...         super().__init__()
        ...         self.parent_trace, self.names = parent_trace, []
        ...     def process_primitive(self, primitive, tracers, params):
        ...         self.names.append(primitive.name)
        ...         vals = [t.val if isinstance(t, Noted) else t for t in tracers]
        ...         out = primitive.bind_with_trace(self.parent_trace, vals, [olympus.typeof(v) for v in vals], params)
        ...         return olympus.tree.map(lambda v: Noted(self, v), out)
        >>> with take_current_trace() as parent:
        ...     trace = Notes(parent)
        ...     with set_current_trace(trace):
        ...         y = jnp.sin(Noted(trace, 2.0)) * 3
        >>> trace.names, round(float(y.val), 4)
        (['sin', 'mul'], 2.7279)
    """

    _open = True
    parent_trace: Any = EVALUATING

    def process_primitive(self, primitive: Primitive, tracers: Sequence[Any], params: dict[str, Any]) -> Any:
        """One operation: its result, or the list of its results where the primitive says so.

        Args:
            primitive: What is done.
            tracers: The operands: values of this trace, and others.
            params: The parameters, as in an equation.
        """
        raise self._lacking("process_primitive", primitive.name)

    def process_custom_jvp_call(
        self, primitive: Primitive, fun: lu.WrappedFun, jvp: lu.WrappedFun, tracers: Sequence[Any], *,
        symbolic_zeros: bool,
    ) -> Sequence[Any]:
        """A call of a function with a forward derivative of its own.

        Args:
            primitive: ``custom_jvp_call``.
            fun: The function, of flat operands.
            jvp: Its derivative: takes operands and their tangents, gives results and theirs.
            tracers: The operands.
            symbolic_zeros: False: tangents that are zero are given as arrays.
        """
        raise self._lacking("process_custom_jvp_call", primitive.name)

    def process_custom_vjp_call(
        self, primitive: Primitive, fun: lu.WrappedFun, fwd: lu.WrappedFun, bwd: Any, tracers: Sequence[Any], *,
        out_trees: Any, symbolic_zeros: bool,
    ) -> Sequence[Any]:
        """A call of a function with a reverse derivative of its own.

        Args:
            primitive: ``custom_vjp_call``.
            fun: The function, of flat operands.
            fwd: Takes each operand followed by whether it is differentiated; gives what `bwd` needs, then the results.
            bwd: Takes what it needs and the results' cotangents; gives the operands'.
            tracers: The operands.
            out_trees: Gives the structures of the results and of what `bwd` needs, and None for each of the latter.
            symbolic_zeros: False: cotangents that are zero are given as arrays.
        """
        raise self._lacking("process_custom_vjp_call", primitive.name)

    def invalidate(self) -> None:
        """Ends the trace: its values cannot be used any more."""
        self._open = False

    def is_valid(self) -> bool:
        """Whether its values can be used."""
        return self._open

    @property
    def main(self) -> Any:
        """What tells whose its values are: its tag, if it has one."""
        return getattr(self, "tag", None)

    def __repr__(self) -> str:
        return type(self).__name__

    def bind(
        self, record: OperationRecord, operands: Sequence[Any], attributes: Mapping[str, Any],
        regions: Sequence[Program] = (), weak: bool | None = None,
    ) -> list[Any]:
        """One operation, given to the methods above."""
        if record is constant:
            with use_trace(EVALUATING):
                return bind_all(record, operands, attributes, regions, weak)
        avals = [aval_of(x) for x in operands]
        builder = ProgramBuilder(record.name)
        builder.emit(record, [builder.input(aval.type) for aval in avals], attributes, regions)
        (operation,) = builder.operations
        with use_trace(EVALUATING):
            results = self._processed(operation, operands)
        if weak is None:
            weak = bool(avals) and all(aval.weak for aval in avals)
        return [_weakly(x, weak) for x in results]

    def call_jitted(self, jitted: JittedFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A user's function is one operation; those of olympus's own are taken one by one."""
        return kept_call(jitted, args, kwargs)

    def content(self, reference: Reference) -> Any:
        """The content of a reference from outside."""
        with use_trace(self.parent_trace):
            return reference.read()

    def set_content(self, reference: Reference, value: Any) -> None:
        """Refused: the reference's trace knows nothing of values of this one."""
        raise ReferenceUseError(f"A reference is written from outside of {self!r}, a trace that a library defines",
                                repr(reference), "Return the value, and write it outside.")

    def _processed(self, operation: Operation, operands: Sequence[Any]) -> list[Any]:
        primitive, form = form_of(operation)
        tracers = list(operands) if form.operands is None else [operands[i] for i in form.operands]
        if primitive.name == "custom_jvp_call":
            fun, derivative = _forward(primitive, form.params)
            found = self.process_custom_jvp_call(
                primitive, lu.wrap_init(fun), lu.wrap_init(derivative), tracers, symbolic_zeros=False)
        elif primitive.name == "custom_vjp_call":
            fun, fwd, bwd, out_trees = _reverse(primitive, form.params, len(tracers), len(operation.results))
            found = self.process_custom_vjp_call(
                primitive, lu.wrap_init(fun), lu.wrap_init(fwd), bwd, tracers, out_trees=out_trees,
                symbolic_zeros=False)
        else:
            found = self.process_primitive(primitive, tracers, form.params)
            found = found if primitive.multiple_results else [found]
        results, expected = list(found), [Aval(v.type) for v in operation.results]
        if [aval_of(x).type for x in results] != [aval.type for aval in expected]:
            raise ArgumentError(type(self).__name__, f"what it gave for {primitive.name} is of other types",
                                described(results), repr(expected))
        return results

    def _lacking(self, method: str, primitive: str) -> NotSupportedError:
        return NotSupportedError(f"{primitive} in {type(self).__name__}", f"the trace has no {method}",
                                 f"Define {type(self).__name__}.{method}.")


Trace.register(Identified)  # olympus's own


def _weakly(x: Any, weak: bool) -> Any:
    """A result whose element type gives way as the operation says: the one of the trace around may do otherwise."""
    if not isinstance(x, Tracer) or x.aval.weak == weak:
        return x
    return x.of_aval(Aval(x.aval.type, weak, x.aval.layout))


def _forward(primitive: Primitive, params: Mapping[str, Any]) -> tuple[Any, Any]:
    """The function of a call with a rule, and its derivative by the rule."""
    call = partial(_called, primitive, params)

    def derivative(*flat: Any) -> list[Any]:
        count = len(flat) // 2
        primals, tangents = jvp(call, flat[:count], flat[count:])
        return [*primals, *tangents]

    return partial(_plain, params), derivative


def _reverse(primitive: Primitive, params: Mapping[str, Any], operands: int, results: int) -> tuple[Any, ...]:
    """The function of a call with a rule, its parts forward and back by the rule, and what tells their structures.

    What goes from one to the other are the operands.
    """
    call = partial(_called, primitive, params)

    def forward(*flat: Any) -> list[Any]:
        return [*flat[::2], *call(*flat[::2])]

    def backward(*flat: Any) -> list[Any]:
        _, pullback = vjp(call, *flat[:operands])
        return list(pullback(list(flat[operands:])))

    def structures() -> tuple[Any, Any, list[None]]:
        return tree.structure([0] * results), tree.structure([0] * operands), [None] * operands

    return partial(_plain, params), forward, backward, structures


def _called(primitive: Primitive, params: Mapping[str, Any], *args: Any) -> list[Any]:
    return list(primitive.bind(*args, **params))


def _plain(params: Mapping[str, Any], *args: Any) -> list[Any]:
    closed = params["call_jaxpr"]
    return eval_jaxpr(closed.jaxpr, closed.consts, *args)
