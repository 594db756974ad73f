"""What is known of a called program beyond its operations: rules for its derivative, names, what to compute again.

The operation set has no operation for these; they are `call` with a region of which this file remembers something.
Whoever runs a program need not know: an annotated region is an ordinary one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from olympus_core.ops import call
from olympus_core.program import Program, Value

from ...tracing import Aval, bind_all


class Annotation(Protocol):
    """Says how a call of an annotated region is differentiated.

    Attributes:
        changes_derivative: Whether the derivative is another one than that of the region's operations.
    """

    changes_derivative: bool

    def differentiate(self, region: Program, primals: Sequence[Any], tangents: Sequence[Any], forward: bool) -> Any:
        """The results and their tangents (None: zero), in the trace around; `forward`: never to be transposed."""

    def mapped(self, region: Program, trace: Any, batched: Sequence[bool]) -> Any:
        """The annotation of the region for all indices of a mapped dimension.

        Args:
            region: The region for one index.
            trace: The batching trace.
            batched: Which operands have the mapped dimension in front. All results have it where `changes_derivative`.
        """


_annotations: WeakKeyDictionary[Program, Any] = WeakKeyDictionary()


def annotation_of(region: Program) -> Any:
    """The annotation of a region; None for an ordinary one."""
    return _annotations.get(region)


def annotated(region: Program, annotation: Any) -> Program:
    """The region, annotated."""
    _annotations[region] = annotation
    return region


def identity(avals: Sequence[Aval], name: str) -> Program:
    """A program that gives back its inputs."""
    inputs = tuple(Value(aval.type) for aval in avals)
    return Program(name, inputs, (), inputs)


def bind_identity(values: Sequence[Any], avals: Sequence[Aval], annotation: Any, name: str) -> list[Any]:
    """Values passed through an annotated call that does nothing."""
    return bind_all(call, values, {}, (annotated(identity(avals, name), annotation),))
