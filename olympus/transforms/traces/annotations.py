# SPDX-License-Identifier: Apache-2.0
"""Annotations: what is known of a called program beyond its operations, such as a user's rule for its derivative.

The operation set has no operation for these; they are `call` with a region that is annotated here. Whoever runs a
program need not know: an annotated region is an ordinary one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

from olympus_core.errors import OlympusInternalError
from olympus_core.ops import call
from olympus_core.program import Program, Value

from ...tracing import aval_of, bind_all, is_evaluating
from ...tracing.aval import has_tangent
from ...trees import inside as tree


class Annotation:
    """Says how a call of an annotated region is differentiated and batched."""

    primitive = "jit"  # what a call is in a jaxpr
    evaluates_alike = True  # whether it is of no matter where a call is neither differentiated nor batched
    changes_derivative = False  # whether the derivative is another one than that of the region's operations
    transposed_only: str | None = None  # of a linear part that cannot be run: whose rule gives its transpose

    def differentiate(
        self, region: Program, primals: Sequence[Any], tangents: Sequence[Any], forward: bool
    ) -> tuple[Sequence[Any], Sequence[Any]]:
        """The results and their tangents (None: zero), bound in the trace around.

        Args:
            region: The annotated region.
            primals: The operands.
            tangents: Their tangents; None for zero.
            forward: Whether the tangents are for forward mode only, never to be transposed.
        """
        raise OlympusInternalError(f"{type(self).__name__} changes the derivative and does not say how")

    def transpose(self, t: Any) -> Sequence[Any] | None:
        """The operands' cotangents, given a `TransposeCall`; None where the region's operations are transposed."""
        return None

    def batch(self, call: Any) -> Sequence[tuple[Any, bool]] | None:
        """The results for all indices, given a `BatchingCall`; None where the region's operations are batched."""
        return None

    def batched(self, region: Program, trace: Any, batched: Sequence[bool]) -> Annotation:
        """The annotation of the region for all indices of a mapped dimension.

        Args:
            region: The region for one index.
            trace: The batching trace.
            batched: Which operands have the mapped dimension in front. All results have it where `changes_derivative`.
        """
        return self

    def carrying(self, references: Sequence[Any]) -> Annotation:
        """The annotation of the region whose last inputs and outputs are the contents of references that it writes."""
        return self


_annotations: WeakKeyDictionary[Program, Annotation] = WeakKeyDictionary()


def annotation_of(region: Program) -> Annotation | None:
    """The annotation of a region; None for an ordinary one."""
    return _annotations.get(region)


def annotated(region: Program, annotation: Annotation) -> Program:
    """The region, annotated."""
    _annotations[region] = annotation
    return region


def transposed_only(regions: Sequence[Program]) -> str | None:
    """The function of which a linear part among the operations of regions can only be transposed; None without one."""
    for region in regions:
        annotation = _annotations.get(region)
        if annotation is not None and annotation.transposed_only is not None:
            return annotation.transposed_only
        for operation in region.operations:
            if operation.regions and (name := transposed_only(operation.regions)) is not None:
                return name
    return None


class Identity(Annotation):
    """The annotation of values that are passed through: under a name, or without their tangents.

    Args:
        name: The name; None for values that derivatives take for constants.
    """

    def __init__(self, name: str | None) -> None:
        self.name = name

    def differentiate(
        self, region: Program, primals: Sequence[Any], tangents: Sequence[Any], forward: bool
    ) -> tuple[Sequence[Any], Sequence[Any]]:
        """The same values, annotated in the trace around as well."""
        results = passed(primals, self)
        return results, tangents if self.name is not None else [None] * len(results)


class InMemory(Annotation):
    """The annotation of values that are to be in a kind of memory, when they leave the program.

    Args:
        kind: The kind.
    """

    primitive = "device_put"
    evaluates_alike = False

    def __init__(self, kind: str) -> None:
        self.kind = self.name = kind

    def differentiate(
        self, region: Program, primals: Sequence[Any], tangents: Sequence[Any], forward: bool
    ) -> tuple[Sequence[Any], Sequence[Any]]:
        """The same values, annotated in the trace around as well."""
        return passed(primals, self), list(tangents)


def passed(values: Sequence[Any], annotation: Any) -> list[Any]:
    """Values passed through an annotated call that does nothing."""
    if is_evaluating():
        return list(values)
    inputs = tuple(Value(aval_of(x).type) for x in values)
    region = Program(annotation.name or "stop_gradient", inputs, (), inputs)
    return bind_all(call, values, {}, (annotated(region, annotation),))


def constants(x: Any) -> Any:
    """Arrays, a nested container of them, that derivatives take for constants."""
    stop = Identity(None)
    return tree.map(lambda value: passed([value], stop)[0] if has_tangent(aval_of(value)) else value, x)
