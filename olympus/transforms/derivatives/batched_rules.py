# SPDX-License-Identifier: Apache-2.0
"""Rules of users under `vmap`, and beside references: a function that is mapped or writes some keeps its rule."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from olympus_core.errors import ReferenceUseError
from olympus_core.ops import reduce_sum
from olympus_core.program import Program

from ...tracing import Reference, current_trace, use_trace
from ...tracing.references import lent
from ..traces.annotations import Annotation
from ..traces.arithmetic import apply
from ..traces.dimensions import repeated
from ..traces.linear_trace import LinearTrace
from ..traces.table import BatchingCall, MappedDimension, TransposeCall
from .calling import no_captured, own_tangent


class UserRule(Annotation):
    """The annotation of a call whose derivative a user defined."""

    primitive = "custom_jvp_call"
    changes_derivative = True

    def batched(self, region: Program, trace: MappedDimension, batched: Sequence[bool]) -> BatchedRule:
        """The rule for all indices of a mapped dimension."""
        return BatchedRule(self, region, trace, batched)

    def carrying(self, references: Sequence[Reference]) -> Annotation:
        """The rule of the call that has the contents of references as well."""
        return Carrying(self, references)


class BatchedRule(UserRule):
    """The annotation of an annotated region for all indices of a mapped dimension. All its results have that dimension.

    Args:
        annotation: The annotation of the region for one index.
        region: That region.
        trace: The batching trace.
        batched: Which operands have the mapped dimension in front.
    """

    def __init__(
        self, annotation: Annotation, region: Program, trace: MappedDimension, batched: Sequence[bool]
    ) -> None:
        self.annotation, self.region, self.trace, self.flags = annotation, region, trace, tuple(batched)
        self.primitive, self.transposed_only = annotation.primitive, annotation.transposed_only

    def differentiate(self, region: Program, primals: Sequence[Any], tangents: Sequence[Any], forward: bool) -> Any:
        """By the rule for one index, for all of them."""
        inner = self.trace.inner(current_trace())

        def entered(values: Sequence[Any]) -> list[Any]:
            return [inner.wrap(x, False) if is_batched and x is not None else x
                    for x, is_batched in zip(values, self.flags, strict=True)]

        with use_trace(inner):
            found = self.annotation.differentiate(self.region, entered(primals), entered(tangents), forward)
        results, moved = ([None if x is None else self._with_dimension(*inner.unwrap(x)) for x in xs] for xs in found)
        inner.close()
        return results, [None if t is None else own_tangent(t, tangents) for t in moved]

    def _with_dimension(self, value: Any, is_batched: bool) -> Any:
        return value if is_batched else repeated(value, self.trace.size)

    def transpose(self, t: TransposeCall) -> Sequence[Any] | None:
        """By the rule for one index, for all of them; what they have in common is had from their sum."""
        inner = self.trace.inner(current_trace())
        with use_trace(inner):
            operands = [
                inner.wrap(x, False) if is_batched and not is_linear else x
                for x, is_batched, is_linear in zip(t.operands, self.flags, t.linear, strict=True)]
            cotangents = [None if c is None else inner.wrap(c, False) for c in t.cotangents]
            found = self.annotation.transpose(dataclasses.replace(t, operands=operands, cotangents=cotangents))
        pairs = [(None, False) if c is None else inner.unwrap(c) for c in found or ()]
        inner.close()
        if found is None:
            return None
        return [None if c is None else self._cotangent(c, is_batched, wanted)
                for (c, is_batched), wanted in zip(pairs, self.flags, strict=True)]

    def _cotangent(self, value: Any, is_batched: bool, wanted: bool) -> Any:
        if wanted:
            return self._with_dimension(value, is_batched)
        return apply(reduce_sum, self._with_dimension(value, is_batched), dimensions=(0,))


class Carrying(UserRule):
    """The annotation of a call that writes references: their contents are its last operands and results.

    The rule works on the references, which have the call's contents meanwhile.

    Args:
        rule: The annotation of the call without them.
        references: The references.
    """

    def __init__(self, rule: Annotation, references: Sequence[Reference]) -> None:
        self.rule, self.references = rule, tuple(references)
        self.primitive = rule.primitive

    def differentiate(self, region: Program, primals: Sequence[Any], tangents: Sequence[Any], forward: bool) -> Any:
        """By the rule; the contents have no tangents."""
        start = len(primals) - len(self.references)
        no_captured("a function that writes a reference", primals, tangents, start)
        trace: Any = current_trace()
        while isinstance(trace, LinearTrace):  # which what has no tangent passes by
            trace = trace.parent
        with lent(self.references, primals[start:], trace):
            results, moved = self.rule.differentiate(region, primals[:start], tangents[:start], forward)
            contents = [r.read() for r in self.references]
        return [*results, *contents], [*moved, *[None] * len(contents)]

    def batch(self, call: BatchingCall) -> Sequence[tuple[Any, bool]] | None:
        """By the rule, which finds one content of each reference for all indices."""
        if type(self.rule).batch is Annotation.batch:
            return None
        start = len(call.values) - len(self.references)
        if any(call.batched[start:]):
            raise ReferenceUseError("A function with a rule for vmap writes a reference of the mapped function",
                                    repr(self.references[0]), "Return what is to be written.")
        with lent(self.references, call.values[start:], current_trace()):
            found = self.rule.batch(dataclasses.replace(call, values=call.values[:start], batched=call.batched[:start]))
            contents = [(r.read(), False) for r in self.references]
        return None if found is None else [*found, *contents]
