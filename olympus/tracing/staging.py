# SPDX-License-Identifier: Apache-2.0
"""Staging: operations on traced values become a program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

import numpy as np

from olympus_core.config import config
from olympus_core.errors import (
    ConcretizationError,
    LeakedTracerError,
    LengthError,
    TracedAttributeError,
    TracerArrayConversionError,
    TracerBoolConversionError,
    TracerIntegerConversionError,
)
from olympus_core.location import user_location
from olympus_core.ops import constant
from olympus_core.partition import is_explicit, result_layouts
from olympus_core.placement import Layout
from olympus_core.program import Operation, OperationRecord, Program, ProgramBuilder, Value

from .aval import Aval, shown_dtype
from .explicit import in_manual_region, visible
from .operators import ArrayOperators
from .references import Reference, written_outside
from .scopes import origin, scoped, within_scope, without_origin
from .trace import Identified, JittedFunction, kept_calls, use_trace
from .values import array_behind, aval_of, constant_of, is_host_value, stands_for_array, unchanging

# What is told of the operations of a function, and of calls of olympus's own functions, as whole operations: name,
# record (None for a call), operands, results, attributes. Only traces that carry references tell.
Watch = Callable[[str, OperationRecord | None, Sequence[Any], Sequence[Any], Mapping[str, Any]], None]
watching: ContextVar[Watch | None] = ContextVar("olympus_watching", default=None)


@contextmanager
def unwatched() -> Iterator[None]:
    """Tells nobody of the operations in a block: what olympus does on purpose is no mistake of a user's."""
    token = watching.set(None)
    try:
        yield
    finally:
        watching.reset(token)


class Tracer(ArrayOperators):
    """A value that is being traced: it has a type and no content yet.

    Args:
        trace: The trace that it belongs to; of a class of its own for each transformation.
        value: What that trace knows it by: where it is staged, a value of the program.
        aval: What is known of it. Tracers of libraries, which keep their values themselves, give it as the second.
    """

    __slots__ = ("__weakref__", "_trace", "_value", "aval")  # caches of libraries refer to them weakly

    def __init__(self, trace: Any, value: Any, aval: Aval | None = None) -> None:
        self._trace, self._value, self.aval = trace, value, value if aval is None else aval

    def typed(self, layout: Layout | None) -> Tracer:
        """The same value with another sharding in its type."""
        return self.of_aval(Aval(self.aval.type, self.aval.weak, layout))

    def of_aval(self, aval: Aval) -> Tracer:
        """The same value, of which something else is known."""
        found = object.__new__(type(self))
        state = object.__reduce_ex__(self, 4)[2]  # libraries' tracers have further attributes
        for attributes in state if isinstance(state, tuple) else (state,):
            for name, value in (attributes or {}).items():
                object.__setattr__(found, name, value)
        found.aval = aval
        return found

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions."""
        return self.aval.shape

    @property
    def dtype(self) -> np.dtype:
        """Type of the elements."""
        return shown_dtype(self.aval.dtype)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self.aval.ndim

    @property
    def size(self) -> int:
        """Number of elements."""
        return self.aval.size

    @property
    def nbytes(self) -> int:
        """Bytes of all elements together."""
        return self.aval.type.nbytes

    @property
    def weak_type(self) -> bool:
        """Whether the element type is weak."""
        return self.aval.weak

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # asked by those who want to know what it is
            raise AttributeError(name)
        raise TracedAttributeError(name, repr(self.aval))

    def __len__(self) -> int:
        if not self.shape:
            raise LengthError(repr(self.aval))
        return self.shape[0]

    def __repr__(self) -> str:
        return f"Traced<{self.aval!r}>"

    # Like arrays: libraries ask `isinstance(x, Hashable)` before they take a value for a key.
    __hash__ = None  # type: ignore[assignment]

    def primal(self) -> Any:
        """What is left where the derivatives are left behind that a value may carry: here all."""
        return self

    def _refuse(self, what: str, kind: type[ConcretizationError] = ConcretizationError) -> Any:
        raise kind(what, repr(self.aval))

    def __bool__(self) -> bool:
        return self._refuse("bool() (an if, while, and, or, not)", TracerBoolConversionError)

    def __int__(self) -> int:
        return self._refuse("int()")

    def __index__(self) -> int:
        return self._refuse("using it as a Python index", TracerIntegerConversionError)

    def __float__(self) -> float:
        return self._refuse("float()")

    def __complex__(self) -> complex:
        return self._refuse("complex()")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self._refuse("conversion to a NumPy array", TracerArrayConversionError)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self._refuse("pickling")

    def item(self) -> Any:
        """Refused: there is no value yet."""
        return self._refuse(".item()")

    def tolist(self) -> Any:
        """Refused: there is no value yet."""
        return self._refuse(".tolist()")


def leaked(tracer: Tracer) -> LeakedTracerError:
    """The error for a traced value that is used after its trace has ended."""
    from .leaks import made_at  # what went wrong is rare

    return LeakedTracerError(repr(tracer.aval), made_at(tracer))


class StagingTrace(Identified):
    """Collects a program.

    Whatever the traced function uses from outside (arrays, values of an outer trace) is captured as a further
    input, so that programs are closed.

    Args:
        name: The program's name.
    """

    def __init__(self, name: str) -> None:
        self.builder = ProgramBuilder(name)
        self._captured: dict[int, tuple[Any, Tracer]] = {}
        self._constants: dict[Any, Value] = {}
        self.is_in_region = in_manual_region.get()
        # The manual axes over which values vary: of inputs where that is known, of results as far as it was asked for.
        self.input_axes: dict[Value, frozenset[str]] = {}
        self.result_axes: dict[Value, frozenset[str]] = {}
        self.operations_with_axes = 0
        # The references from outside: what stands for the content at the beginning, and for that of now.
        self._contents: dict[Reference, list[Tracer]] = {}
        self._open = True
        self.tells = False  # whether operations are told to who watches: what it writes is carried

    @property
    def captured(self) -> list[Tracer]:
        """The traced values for what was captured up to now."""
        return [tracer for _, tracer in self._captured.values()]

    def input(self, aval: Aval) -> Tracer:
        """A traced value for an argument."""
        return Tracer(self, self.builder.input(aval.type), aval)

    def lift(self, operand: Any) -> Tracer:
        """The traced value that stands for an operand of any kind, typed by the axes that are explicit here."""
        tracer = self._lifted(operand)
        layout = tracer.aval.layout
        if layout is not None and (shown := visible(layout)) is not layout:
            return Tracer(self, tracer._value, Aval(tracer.aval.type, tracer.aval.weak, shown))
        return tracer

    def _lifted(self, operand: Any) -> Tracer:
        if isinstance(operand, Tracer):
            if operand._trace is self:
                return operand
            if not operand._trace._open:
                raise leaked(operand)
            return self._capture(operand, operand.aval)
        if stands_for_array(operand):
            return self._lifted(array_behind(operand))
        aval = aval_of(operand)
        if hasattr(operand, "_signature") or not is_host_value(operand):
            return self._capture(operand, aval)  # what stands for an array is refused where the program is called
        return Tracer(self, self._constant(constant_of(operand, aval.dtype), isinstance(operand, np.ndarray)), aval)

    def content(self, reference: Reference) -> Tracer:
        """The content of a reference that stands outside."""
        found = self._contents.get(reference)
        if found is None:
            first = self.input(reference.content_aval)
            found = self._contents[reference] = [first, first]
        return found[1]

    def set_content(self, reference: Reference, value: Any) -> None:
        """Gives a reference that stands outside another content."""
        self.content(reference)
        self._contents[reference][1] = self.lift(value)

    def carry(self, reference: Reference, content: Tracer) -> None:
        """Gives a reference that stands outside its content, which the program gets as an argument."""
        self._contents[reference] = [content, content]

    def forget(self, reference: Reference) -> Tracer:
        """The last content of a reference that was given one by `carry`."""
        return self._contents.pop(reference)[1]

    def written(self, reference: Reference) -> bool:
        """Whether the content of a reference that stands outside was replaced."""
        first, last = self._contents[reference]
        return first is not last

    def _capture(self, outside: Any, aval: Aval) -> Tracer:
        found = self._captured.get(id(outside))
        if found is None:
            found = self._captured[id(outside)] = (outside, self.input(aval))
        return found[1]

    def _constant(self, value: np.ndarray, may_change: bool) -> Value:
        key = (value.dtype, value.tobytes()) if value.ndim == 0 and not may_change else None
        found = self._constants.get(key) if key else None
        if found is None:
            (found,) = self.builder.emit(constant, (), {"value": value})
            if key:
                self._constants[key] = found
        return found

    def bind(
        self, record: OperationRecord, operands: Sequence[Any], attributes: Mapping[str, Any],
        regions: Sequence[Program] = (), weak: bool | None = None,
    ) -> list[Any]:
        """Appends an operation."""
        tracers = [x if isinstance(x, Tracer) and x._trace is self and x.aval.layout is None else self.lift(x)
                   for x in operands]
        if record is constant:
            attributes = {"value": unchanging(attributes["value"])}
        values = self.builder.emit(record, [t._value for t in tracers], attributes, regions,
                                   origin() or scoped(user_location(2)))
        if weak is None:
            weak = bool(tracers) and all([t.aval.weak for t in tracers])
        if any([t.aval.layout is not None for t in tracers]) or "mesh" in attributes or regions:
            layouts = self._layouts(record, tracers, values, attributes, regions)
            results = [Tracer(self, v, Aval(v.type, weak, layout)) for v, layout in zip(values, layouts, strict=True)]
        else:
            results = [Tracer(self, value, Aval(value.type, weak)) for value in values]
        if self.tells and (watch := watching.get()) is not None:
            watch(record.name, record, tracers, results, attributes)
        return results

    def call_jitted(self, jitted: JittedFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Its operations join the program, unless calls are kept."""
        call = partial(kept_calls.get() or self.join, jitted)
        watch = watching.get() if self.tells and jitted._is_api else None
        if watch is None:
            return call(args, kwargs)
        whole = watching.set(getattr(watch, "inside", None))
        try:
            results = call(args, kwargs)
        finally:
            watching.reset(whole)
        watch(jitted.name, None, args, [results], {})
        return results

    @staticmethod
    def join(jitted: JittedFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call whose operations join the program; `olympus.transforms.shared_calls` does so without tracing again."""
        return jitted.inline(args, kwargs)

    def splice(self, program: Program, operands: Sequence[Any], avals: Sequence[Aval]) -> list[Tracer]:
        """Appends the operations of a program that was traced before.

        Args:
            program: The program.
            operands: What its inputs stand for.
            avals: What is known of its outputs.
        """
        inputs = [self.lift(operand) for operand in operands]
        known = {id(v): tracer._value for v, tracer in zip(program.inputs, inputs, strict=True)}
        for operation in program.operations:
            results = tuple(Value(v.type) for v in operation.results)
            known.update((id(old), new) for old, new in zip(operation.results, results, strict=True))
            self.builder.operations.append(Operation(
                operation.record, tuple([known[id(v)] for v in operation.operands]), operation.attributes,
                operation.regions, results, within_scope(operation.location)))
        return [Tracer(self, known[id(v)], aval) for v, aval in zip(program.outputs, avals, strict=True)]

    @staticmethod
    def _layouts(
        record: OperationRecord, tracers: Sequence[Tracer], values: Sequence[Value | Aval],
        attributes: Mapping[str, Any], regions: Sequence[Program],
    ) -> list[Layout | None]:
        """The explicit shardings of an operation's results."""
        layouts = [t.aval.layout for t in tracers]
        if all(layout is None for layout in layouts) and not is_explicit(attributes, regions):
            return [None] * len(values)
        types = [t.aval.type for t in tracers]
        found = result_layouts(record, types, layouts, [v.type for v in values], attributes, regions)
        return [visible(layout) for layout in found]

    def finish(
        self, outputs: Sequence[Tracer], arguments: int, references: list[Reference] | None = None,
        carries_reads: bool = False,
    ) -> tuple[Program, list[Any]]:
        """Ends the trace.

        Args:
            outputs: What the function returned.
            arguments: How many inputs are arguments; the captured ones follow them in the program.
            references: The references from outside whose contents the caller carries; those that the function writes
                are added. Their contents are the last inputs and the last outputs. None: they may only be read.
            carries_reads: Whether those are added that the function only reads; else these contents are captured.

        Returns:
            The program, and what was captured from outside.
        """
        name = self.builder.name
        carried = references if references is not None else []
        for reference in self._contents:
            if reference not in carried and (carries_reads or self.written(reference)):
                if references is None:
                    raise written_outside(name)
                carried.append(reference)
        for reference in carried:
            self.content(reference)
        self._open = False
        seen = [reference for reference in self._contents if reference not in carried]
        captured = [outside for outside, _ in self._captured.values()] + [r.read() for r in seen]
        inside = [t for _, t in self._captured.values()] + [self._contents[r][0] for r in seen]
        # Captured inputs may have arisen between arguments when a nested function added one late.
        self.builder.inputs = self.builder.inputs[:arguments] + [
            t._value for t in [*inside, *(self._contents[r][0] for r in carried)]]
        results = [*outputs, *(self._contents[r][1] for r in carried)]
        return self._finished([t._value for t in results]), captured

    def _finished(self, outputs: Sequence[Value]) -> Program:
        """The program; those who look at it also find the operations from outside whose results nobody uses."""
        if kept_calls.get() is None:
            return self.builder.finish(outputs)
        marks = [v for operation in self.builder.operations if operation.record.category == "external"
                 for v in operation.results]
        program = self.builder.finish([*outputs, *marks])
        return Program(program.name, program.inputs, program.operations, tuple(outputs))


def stage(
    function: Callable[..., Sequence[Any]], avals: Sequence[Aval], name: str,
    axes: Sequence[frozenset[str]] | None = None, references: list[Reference] | None = None,
    carries_reads: bool = False,
) -> tuple[Program, list[Aval], list[Any]]:
    """Traces a function of flat arguments.

    Args:
        function: Takes traced values, gives a flat sequence of arrays, traced values or numbers.
        avals: What is known of the arguments.
        name: The program's name.
        axes: In a manual region, the axes over which each argument varies, where that is known.
        references: See `StagingTrace.finish`.
        carries_reads: Likewise.

    Returns:
        The program (arguments first, then what was captured, then the references' contents), what is known of the
        outputs (those of the references left out), and what was captured.
    """
    def run() -> tuple[tuple[Program, list[Aval], list[Any]], StagingTrace]:
        trace = StagingTrace(name)
        trace.tells = references is not None
        arguments = [trace.input(aval) for aval in avals]
        if axes is not None:
            trace.input_axes.update(zip(trace.builder.inputs, axes, strict=True))
        with use_trace(trace), without_origin():
            outputs = [trace.lift(out) for out in function(*arguments)]
        program, captured = trace.finish(outputs, len(arguments), references, carries_reads)
        return (program, [t.aval for t in outputs], captured), trace

    if config.check_tracer_leaks:
        from .leaks import without_leaks  # not before somebody looks for them

        return without_leaks(name, run)
    return run()[0]
