# SPDX-License-Identifier: Apache-2.0
"""The linear trace: operations on tangents are recorded on a tape, to be transposed or replayed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from olympus_core.errors import ForwardModeError, NotLinearError, OlympusInternalError, ReferenceUseError
from olympus_core.ops import convert
from olympus_core.program import OperationRecord, Program

from ...tracing import (
    Aval,
    JittedFunction,
    StagingTrace,
    Trace,
    Tracer,
    aval_of,
    bind_all,
    current_trace,
    leaked,
    use_trace,
)
from ...tracing.explicit import visible
from ...tracing.scopes import origin, origins
from ...tracing.trace import Identified
from ...tracing.values import is_host_value, unchanging
from . import arithmetic
from .annotations import annotation_of, transposed_only
from .explicit_cotangents import bind_again, in_automatic_mode, resharded
from .table import NO_RULES, RULES, TransposeCall


class LinearTracer(Tracer):
    """A tangent: it has a type, and depends linearly on the tangents of the inputs."""

    __slots__ = ()

    def __init__(self, trace: LinearTrace, aval: Aval) -> None:
        super().__init__(trace, None, aval)


class _ResidualIndex:
    """Stands for a residual on a tape without values.

    Args:
        index: Which residual.
    """

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index


class Node:
    """One recorded operation, and where that stands from which it follows."""

    __slots__ = ("attributes", "operands", "place", "record", "regions", "results", "weak")

    def __init__(
        self, record: OperationRecord, operands: Sequence[Any], attributes: Mapping[str, Any],
        regions: Sequence[Program], results: Sequence[LinearTracer], weak: bool | None, place: str | None,
    ) -> None:
        self.record, self.operands, self.attributes, self.regions = record, operands, attributes, regions
        self.results, self.weak, self.place = results, weak, place


class Tape:
    """The recorded operations on tangents. The trace owns it while it is open; closing the trace gives it away.

    Not both own it: tangents refer to their trace, and the tape to tangents and large arrays, so that these would be
    part of a reference cycle and live until the garbage collector finds it.

    Args:
        trace: Whose tangents they are.
    """

    def __init__(self, trace: LinearTrace) -> None:
        self._trace = trace
        self.nodes: list[Node] = []

    def needed(self, outputs: Sequence[LinearTracer | None]) -> list[Node]:
        """The operations that the outputs depend on."""
        wanted = {id(out) for out in outputs if out is not None}
        found = []
        for node in reversed(self.nodes):
            if any(id(result) in wanted for result in node.results):
                found.append(node)
                wanted.update(id(operand) for operand in node.operands)
        return found[::-1]

    def residuals(self, outputs: Sequence[LinearTracer | None]) -> list[Any]:
        """The values, other than tangents and host values, that the outputs depend on; each once."""
        found: dict[int, Any] = {}
        for node in self.needed(outputs):
            for operand in node.operands:
                if not self._is_tangent(operand) and not is_host_value(operand):
                    found.setdefault(id(operand), operand)
        return list(found.values())

    def split(self, outputs: Sequence[LinearTracer | None]) -> tuple[Tape, list[Any]]:
        """What the outputs depend on as a tape without values, and its residuals: `joined` puts them in again."""
        residuals = self.residuals(outputs)
        indices = {id(value): _ResidualIndex(i) for i, value in enumerate(residuals)}
        return self._of(self.needed(outputs), indices.get), residuals

    def joined(self, residuals: Sequence[Any]) -> Tape:
        """A tape that was split, with these residuals."""
        values = {id(operand): residuals[operand.index]
                  for node in self.nodes for operand in node.operands if isinstance(operand, _ResidualIndex)}
        return self._of(self.nodes, values.get)

    def _of(self, nodes: Sequence[Node], instead: Callable[[int, Any], Any]) -> Tape:
        tape = Tape(self._trace)
        tape.nodes = [
            Node(n.record, [instead(id(x), x) for x in n.operands], n.attributes, n.regions, n.results, n.weak, n.place)
            for n in nodes]
        return tape

    def replayed(
        self, inputs: Sequence[LinearTracer], values: Sequence[Any], outputs: Sequence[LinearTracer | None],
        instead: Mapping[int, Any] | None = None,
    ) -> list[Any]:
        """Binds the recorded operations in the current trace.

        Args:
            inputs: The tangents of the inputs.
            values: What replaces them.
            outputs: The tangents that are wanted; None for those that are zero.
            instead: What replaces residuals, by their identity.

        Returns:
            The outputs' values; None for those that are zero.

        Raises:
            ForwardModeError: A function has a rule for the transpose alone, and the tape is for forward mode.
        """
        known = {id(key): value for key, value in zip(inputs, values, strict=True)}
        known.update(instead or {})
        needed = self.needed(outputs)
        if self._trace.forward:
            refuse_transposed_only(needed)
        with origins() as enter:
            for node in needed:
                operands = [known.get(id(operand), operand) for operand in node.operands]
                enter(node.place)
                results = bind_again(node.record, operands, node.attributes, node.regions, node.weak)
                known.update((id(key), value) for key, value in zip(node.results, results, strict=True))
        # An output that depends on no tangent is zero: the sum of nothing, for example.
        return [known[id(out)] if self._is_tangent(out) else None for out in outputs]

    def transposed(
        self, inputs: Sequence[LinearTracer], outputs: Sequence[LinearTracer | None], cotangents: Sequence[Any]
    ) -> list[Any]:
        """Transposes the recorded operations, last to first, in the current trace.

        Args:
            inputs: The tangents of the inputs.
            outputs: The tangents of the outputs; None for those that are zero.
            cotangents: The outputs' cotangents; None for those that are zero.

        Returns:
            The inputs' cotangents; None for those that are zero.
        """
        found: dict[int, Any] = {}
        for out, cotangent in zip(outputs, cotangents, strict=True):
            if out is not None and cotangent is not None:
                found[id(out)] = arithmetic.plus(found.get(id(out)), cotangent)
        seeded = [out for out, c in zip(outputs, cotangents, strict=True) if c is not None]
        with origins() as enter:
            self._transpose(found, seeded, enter)
        return [found.get(id(value)) for value in inputs]

    def _transpose(self, found: dict[int, Any], seeded: Sequence[Any], enter: Callable[[str | None], object]) -> None:
        """Transposes the operations; `found` has the cotangents, `seeded` are the outputs that have one."""
        asked: set[int] | None = None
        for node in reversed(self.nodes):
            cotangents = [found.pop(id(result), None) for result in node.results]
            if all(cotangent is None for cotangent in cotangents):
                if not _has_rule_back(node):
                    continue
                # A user's rule need not be linear, such as one that hands on statistics: it is asked although what
                # comes after it, a rule, too, has given zero.
                if asked is None:
                    asked = {id(needed) for needed in self.needed(seeded)}
                if id(node) not in asked:
                    continue
            enter(node.place)
            for operand, cotangent in zip(node.operands, self._back(node, cotangents), strict=True):
                if cotangent is not None and self._is_tangent(operand):
                    found[id(operand)] = arithmetic.plus(found.get(id(operand)), resharded(cotangent, operand.aval))

    def _back(self, node: Node, cotangents: Sequence[Any]) -> Sequence[Any]:
        rule = RULES.get(node.record.name, NO_RULES).transpose
        if rule is None:
            raise NotLinearError(node.record.name)
        avals = [aval_of(operand) for operand in node.operands]
        linear = [self._is_tangent(operand) for operand in node.operands]
        results = [result.aval for result in node.results]
        with in_automatic_mode([*avals, *results]):
            return rule(TransposeCall(
                node.record, node.operands, linear, avals, results, node.attributes, node.regions, cotangents))

    def _is_tangent(self, value: Any) -> bool:
        return isinstance(value, LinearTracer) and value._trace is self._trace


def _has_rule_back(node: Node) -> bool:
    """Whether it is the linear part of a call whose transpose a user's rule gives."""
    return any((rule := annotation_of(region)) is not None and rule.transposed_only is not None
               for region in node.regions)


def refuse_transposed_only(nodes: Sequence[Node]) -> None:
    """Refuses to run operations of which only the transpose is known; to record them again is no running.

    Raises:
        ForwardModeError: There is one.
    """
    if isinstance(current_trace(), LinearTrace):
        return
    for node in nodes:
        if node.regions and (name := transposed_only(node.regions)) is not None:
            raise ForwardModeError(name)


class LinearTrace(Identified):
    """Records operations on tangents; everything else is bound in the trace around it.

    Args:
        parent: The trace around.
        forward: Whether the tape is for forward mode only, to be replayed and never transposed.
    """

    def __init__(self, parent: Trace, forward: bool = False) -> None:
        self.parent, self.forward = parent, forward
        self.tape: Tape | None = Tape(self)
        self._open = True

    def input(self, aval: Aval) -> LinearTracer:
        """The tangent of an input."""
        return LinearTracer(self, Aval(aval.type, False, aval.layout))

    def constant(self, value: Any) -> LinearTracer:
        """A value as a tangent that depends on none, where the tape only goes forward: rules of users may give such."""
        aval = aval_of(value)
        found = LinearTracer(self, Aval(aval.type, False, aval.layout))
        if self.tape is None:
            raise leaked(found)
        self.tape.nodes.append(Node(convert, [value], {"dtype": aval.dtype}, (), [found], False, origin()))
        return found

    def owns(self, value: Any) -> bool:
        """Whether a value is a tangent of this trace."""
        if not isinstance(value, Tracer):
            return False
        if value._trace is self:
            return True
        if not value._trace._open:
            raise leaked(value)
        return False

    def outward(self, value: Any) -> Any:
        """A value as the trace around knows it, for a reference there."""
        if self.owns(value):
            raise ReferenceUseError("A tangent is written to a reference that stands outside", repr(value.aval),
                                    "Return the tangent instead.")
        return value

    def bind(
        self, record: OperationRecord, operands: Sequence[Any], attributes: Mapping[str, Any],
        regions: Sequence[Program] = (), weak: bool | None = None,
    ) -> list[Any]:
        """Records an operation if an operand is a tangent."""
        linear = [self.owns(operand) for operand in operands]
        if not any(linear):
            with use_trace(self.parent):
                return bind_all(record, operands, attributes, regions, weak)
        separation = RULES.get(record.name, NO_RULES).separation
        if separation is not None:
            with use_trace(self.parent):
                part = separation(operands, linear, attributes, regions)
            if part is not None:
                rest = iter(self._recorded(record, part.operands, part.attributes, part.regions, weak))
                return [next(rest) if value is None else value for value in part.results]
        return self._recorded(record, operands, attributes, regions, weak)

    def _recorded(
        self, record: OperationRecord, operands: Sequence[Any], attributes: Mapping[str, Any],
        regions: Sequence[Program], weak: bool | None,
    ) -> list[Any]:
        types = record.type_rule([aval_of(operand).type for operand in operands], attributes, regions)
        results = [LinearTracer(self, Aval(type)) for type in types]
        typed = [LinearTracer(self, _visible_aval(aval_of(operand))) for operand in operands]
        if any(t.aval.layout is not None for t in typed) or "mesh" in attributes or regions:
            layouts = StagingTrace._layouts(record, typed, [r.aval for r in results], attributes, regions)
            for result, layout in zip(results, layouts, strict=True):
                result.aval = Aval(result.aval.type, False, layout)
        if self.tape is None:
            raise leaked(results[0])
        # Arrays of the host may change until the tape is read.
        kept = map(unchanging, operands)
        self.tape.nodes.append(Node(record, list(kept), dict(attributes), tuple(regions), results, weak, origin()))
        return list(results)

    def call_jitted(self, jitted: JittedFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Its operations are recorded one by one."""
        return jitted.inline(args, kwargs)

    def close(self) -> Tape:
        """Ends the trace: its values cannot be used any more. The tape is the caller's."""
        tape, self.tape, self._open = self.tape, None, False
        if tape is None:
            raise OlympusInternalError("a linear trace was closed twice")
        return tape


def only_forward(around: Trace, tangents: Sequence[Any]) -> bool:
    """Whether tangents only go forward: the trace around records none of them to be transposed.

    That it is a linear trace is not enough: a `jvp` inside of a rule that is recorded has tangents of its own.

    Args:
        around: The trace around the one of the tangents.
        tangents: The tangents of a call; None for zero.
    """
    return not isinstance(around, LinearTrace) or around.forward or not any(map(around.owns, tangents))


def _visible_aval(aval: Aval) -> Aval:
    """The type of a value by the axes that are explicit here."""
    layout = visible(aval.layout)
    return aval if layout is aval.layout else Aval(aval.type, aval.weak, layout)
