"""Rules of users under `vmap`: a function that is mapped keeps its rule, which is mapped as well."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from olympus_core.ops import reduce_sum
from olympus_core.program import Program

from ...tracing import current_trace, use_trace
from ..traces.arithmetic import apply
from ..traces.dimensions import repeated
from ..traces.table import TransposeCall
from .calling import own_tangent

if TYPE_CHECKING:
    from ..traces.batching_trace import BatchingTrace


class Rule:
    """What annotations of rules have in common."""

    changes_derivative = True

    def mapped(self, region: Program, trace: BatchingTrace, batched: Sequence[bool]) -> BatchedAnnotation:
        """The rule for all indices of a mapped dimension."""
        return BatchedAnnotation(self, region, trace, batched)


class BatchedAnnotation(Rule):
    """The annotation of an annotated region for all indices of a mapped dimension. All its results have that dimension.

    Args:
        annotation: The annotation of the region for one index.
        region: That region.
        trace: The batching trace.
        batched: Which operands have the mapped dimension in front.
    """

    def __init__(self, annotation: Any, region: Program, trace: BatchingTrace, batched: Sequence[bool]) -> None:
        self.annotation, self.region, self.trace, self.batched = annotation, region, trace, tuple(batched)
        if hasattr(annotation, "transpose"):
            self.transpose = self._transpose

    def differentiate(self, region: Program, primals: Sequence[Any], tangents: Sequence[Any], forward: bool) -> Any:
        """By the rule for one index, for all of them."""
        inner = self.trace.inner(current_trace())

        def entered(values: Sequence[Any]) -> list[Any]:
            return [inner.wrap(x, False) if is_batched and x is not None else x
                    for x, is_batched in zip(values, self.batched, strict=True)]

        with use_trace(inner):
            found = self.annotation.differentiate(self.region, entered(primals), entered(tangents), forward)
        results, moved = ([None if x is None else self._whole(*inner.unwrap(x)) for x in xs] for xs in found)
        inner.close()
        return results, [None if t is None else own_tangent(t) for t in moved]

    def _whole(self, value: Any, is_batched: bool) -> Any:
        return value if is_batched else repeated(value, self.trace.size)

    def _transpose(self, t: TransposeCall) -> Sequence[Any]:
        """By the rule for one index, for all of them; what they have in common is had from their sum."""
        inner = self.trace.inner(current_trace())
        with use_trace(inner):
            operands = [
                inner.wrap(x, False) if is_batched and not is_linear else x
                for x, is_batched, is_linear in zip(t.operands, self.batched, t.linear, strict=True)]
            cotangents = [None if c is None else inner.wrap(c, False) for c in t.cotangents]
            found = self.annotation.transpose(dataclasses.replace(t, operands=operands, cotangents=cotangents))
        pairs = [(None, False) if c is None else inner.unwrap(c) for c in found]
        inner.close()
        return [None if c is None else self._fitting(c, is_batched, wanted)
                for (c, is_batched), wanted in zip(pairs, self.batched, strict=True)]

    def _fitting(self, value: Any, is_batched: bool, wanted: bool) -> Any:
        if wanted:
            return self._whole(value, is_batched)
        return apply(reduce_sum, self._whole(value, is_batched), dimensions=(0,))
