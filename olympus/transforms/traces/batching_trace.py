# SPDX-License-Identifier: Apache-2.0
"""The batching trace: operations on values of which some carry a further, mapped dimension in front."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core.config import config
from olympus_core.errors import NotSupportedError, ReferenceUseError
from olympus_core.location import user_location
from olympus_core.ops import call
from olympus_core.placement import Layout
from olympus_core.program import AxisGroup, OperationRecord, Program, operations_of

from ...tracing import (
    EVALUATING,
    Aval,
    JittedFunction,
    Trace,
    Tracer,
    UsesReferences,
    aval_of,
    bind_all,
    leaked,
    use_trace,
)
from ...tracing.explicit import current_hidden_axes
from ...tracing.scopes import at_users_line
from ...tracing.trace import Identified, stays_call
from ...tracing.values import array_behind, stands_for_array
from ...trees import inside as tree
from ..context import bound_axes
from ..shared_calls import NotTraced
from .table import NO_RULES, RULES, BatchingCall


class BatchTracer(Tracer):
    """A value of one index of a mapped dimension.

    Args:
        trace: The batching trace that it belongs to.
        value: All indices' values: the mapped dimension stands in front.
        aval: What is known of one.
    """

    __slots__ = ()

    def __init__(self, trace: BatchingTrace, value: Any, aval: Aval) -> None:
        super().__init__(trace, value, aval)
        if trace.made is not None:
            trace.made[id(self)] = user_location()

    def typed(self, layout: Layout | None) -> BatchTracer:
        """The same value with another sharding in its type."""
        all_indices = aval_of(self._value).layout
        value = self._value
        if layout is not None and isinstance(value, Tracer):
            front = all_indices.dims[0] if all_indices is not None else ()
            value = value.typed(layout.with_dims((front, *layout.dims)))
        return BatchTracer(self._trace, value, Aval(self.aval.type, self.aval.weak, layout))


class BatchingTrace(Identified):
    """Binds every operation on mapped values for all indices at once, in the trace around it.

    Args:
        parent: The trace around.
        size: How many indices there are.
        key: What stands in collectives' groups for the mapped dimension; None where it has no name.
        mesh_axes: The mesh axes over which the mapped dimension is split, where it is known.
        dimension: Stands for the mapped dimension, in all traces of it; None for a new one.
    """

    def __init__(self, parent: Trace, size: int, key: str | None = None, mesh_axes: tuple[str, ...] = (),
                 dimension: object = None) -> None:
        self.parent, self.size, self.key, self.mesh_axes = parent, size, key, mesh_axes
        self.dimension = object() if dimension is None else dimension
        # Whether operations run at once, with nothing but mapped dimensions in between.
        self.is_eager: bool = parent is EVALUATING or (isinstance(parent, BatchingTrace) and parent.is_eager)
        self._open = True
        self.made: dict[int, str] | None = {} if config.check_tracer_leaks else None  # for leaks

    def inner(self, parent: Trace, size: int | None = None) -> BatchingTrace:
        """The trace of the same dimension for the inside of a region."""
        return BatchingTrace(parent, self.size if size is None else size, self.key, self.mesh_axes,
                             self.dimension if size is None else None)

    def wrap(self, value: Any, weak: bool | None = None) -> BatchTracer:
        """One index's value of an array with the mapped dimension in front."""
        aval = aval_of(value)
        layout = None if aval.layout is None else aval.layout.with_dims(aval.layout.dims[1:])
        type = aval.type.with_shape(aval.shape[1:])
        return BatchTracer(self, value, Aval(type, aval.weak if weak is None else weak, layout))

    def unwrap(self, operand: Any) -> tuple[Any, bool]:
        """The value behind an operand, and whether the mapped dimension stands in front of it."""
        if isinstance(operand, Tracer):
            if operand._trace is self:
                return operand._value, True
            if not operand._trace._open:
                raise leaked(operand)
            if isinstance(operand, BatchTracer) and operand._trace.dimension is self.dimension:
                return operand._value, True  # a rule of a user closes over a value of the mapped function
        elif stands_for_array(operand):
            return self.unwrap(array_behind(operand))
        return operand, False

    def outward(self, value: Any) -> Any:
        """A value as the trace around knows it, for a reference there."""
        whole, is_batched = self.unwrap(value)
        if is_batched:
            raise ReferenceUseError(
                "A value that differs from index to index is written to a reference that does not", repr(value.aval),
                "Pass the reference as a mapped argument of the function under vmap, or make it inside.")
        return whole

    def concerns(self, attributes: Mapping[str, Any], regions: Sequence[Program]) -> bool:
        """Whether an operation is about the mapped dimension by its name: a collective, or one in a region."""
        if self.key is None:
            return False
        if _names(attributes, self.key):
            return True
        return any(_names(operation.attributes, self.key) for region in regions for operation in operations_of(region))

    def bind(
        self, record: OperationRecord, operands: Sequence[Any], attributes: Mapping[str, Any],
        regions: Sequence[Program] = (), weak: bool | None = None,
    ) -> list[Any]:
        """One operation for all indices."""
        found = [self.unwrap(operand) for operand in operands]
        values, batched = [value for value, _ in found], [is_batched for _, is_batched in found]
        with use_trace(self.parent), at_users_line(not self.is_eager):
            if not any(batched) and not self.concerns(attributes, regions):
                return bind_all(record, values, attributes, regions, weak)
            if weak is None:
                weak = bool(operands) and all(aval_of(operand).weak for operand in operands)
            if self.size == 0 and not regions and any(batched):
                return self._empty(record, operands, attributes, weak)
            rules = RULES.get(record.name, NO_RULES)
            if rules.batching is None:
                raise NotSupportedError(
                    f"Operation {record.name} under vmap", "it has no batching rule",
                    f"Register batching.primitive_batchers[{record.name}_p] = rule, or batching.defvectorized."
                    if rules.is_external else "Call the function for one index after another with olympus.lax.map.")
            results = rules.batching(BatchingCall(self, record, values, batched, attributes, regions, weak))
            return [self.wrap(value, weak) if is_batched else value for value, is_batched in results]

    def call_jitted(self, jitted: JittedFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A jitted function as one program, where calls are kept or nothing but mapped dimensions surrounds them."""
        is_one = self.is_eager or stays_call(jitted)
        if not is_one or jitted.is_disabled or jitted.has_shardings or bound_axes() or current_hidden_axes():
            return jitted.inline(args, kwargs)  # what surrounds the call would have to be part of the program's key
        try:
            traced, leaves = jitted.traced(args, kwargs)
        except (NotTraced, UsesReferences):
            return jitted.inline(args, kwargs)
        operands = [*leaves, *traced.captured]
        if not any(is_batched for _, is_batched in map(self.unwrap, operands)):
            with use_trace(self.parent):
                return self.parent.call_jitted(jitted, args, kwargs)
        if traced.weak is None:
            return jitted.inline(args, kwargs)
        return tree.unflatten(traced.out_tree, self.bind(call, operands, {}, (traced.program,), traced.weak))

    def _empty(
        self, record: OperationRecord, operands: Sequence[Any], attributes: Mapping[str, Any], weak: bool
    ) -> list[Any]:
        """An operation for a mapped dimension of size 0: only the types of its results count."""
        types = record.type_rule([aval_of(operand).type for operand in operands], attributes, ())
        return [self.wrap(np.zeros((0, *type.shape), type.dtype), weak) for type in types]

    def close(self) -> None:
        """Ends the trace: its values cannot be used any more."""
        self._open = False


def _names(attributes: Mapping[str, Any], key: str) -> bool:
    group = attributes.get("group")
    return isinstance(group, AxisGroup) and key in group.axes


def is_evaluated(trace: Trace) -> bool:
    """Whether operations run at once in the end: no trace around stages them."""
    while (parent := getattr(trace, "parent", None)) is not None:
        trace = parent
    return trace is EVALUATING
