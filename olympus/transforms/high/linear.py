# SPDX-License-Identifier: Apache-2.0
"""The tangents of an operation with a rule for the backward pass: a linear operation, which that rule transposes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...tracing.high import missing
from ...trees import inside as tree
from ..derivatives.forward import jvp
from ..jaxpr.conventions import Zero
from ..traces.arithmetic import zeros
from ..traces.table import Jvp
from .accumulators import Accumulator, NullAccumulator, gathered
from .rules import Parts, Rule
from .tangents import moves, parts_in, type_of_array
from .zeros import zero_of


class Linear(Rule):
    """From the tangents of operands to those of results.

    Its operands are what the forward pass left, the operation's own, and the tangents that are not zero.

    Args:
        rule: The operation.
        residuals: The structure of what the forward pass left.
        left: The types of the arrays in there.
        moving: Which of the operation's arrays have tangents.
    """

    def __init__(self, rule: Any, residuals: Any, left: Sequence[Any], moving: Sequence[int]) -> None:
        self._out = [i for i, m in enumerate(m for t in rule.out_types for m in moves(t)) if m]
        super().__init__(
            (rule, residuals, tuple(moving)), [*left, *rule.operands, *(rule.operands[i] for i in moving)],
            [rule.results[i] for i in self._out])
        self._rule, self._residuals, self._left, self._moving = rule, residuals, len(left), list(moving)

    def expand(self, *parts: Any) -> list[Any]:
        """The tangents, by a rule for forward mode."""
        start = self._left + len(self._rule.operands)
        tangents: list[Any] = [None] * len(self._rule.operands)
        for i, t in zip(self._moving, parts[start:], strict=True):
            tangents[i] = t
        if not self._rule.is_forward:
            raise missing(self._rule.operation, "jvp", "forward mode")
        _, found = self._rule.derivative(parts[self._left:start], tangents, True)
        return [zeros(self._rule.results[i]) if found[i] is None else found[i] for i in self._out]

    def derivative(self, primals: Parts, tangents: Parts, forward: bool) -> Jvp:
        """Its results and their tangents: of tangents alone the same operation, else by a rule for forward mode."""
        results = self.bind(primals)
        start = self._left + len(self._rule.operands)
        if all(t is None for t in tangents[:start]):
            moved = [zeros(a) if t is None else t for a, t in zip(self.operands[start:], tangents[start:], strict=True)]
            return results, self.bind([*primals[:start], *moved])
        moving = [i for i, t in enumerate(tangents) if t is not None]

        def function(*changed: Any) -> list[Any]:
            given = list(primals)
            for i, x in zip(moving, changed, strict=True):
                given[i] = x
            return self.expand(*given)

        return results, jvp(function, [primals[i] for i in moving], [tangents[i] for i in moving])[1]

    def depend(self, batched: Sequence[bool]) -> list[bool]:
        """Which results depend on operands that have a mapped dimension: the operation's do, or their tangents."""
        start = self._left + len(self._rule.operands)
        given = list(batched[self._left:start])
        for i, b in zip(self._moving, batched[start:], strict=True):
            given[i] = given[i] or b
        found = self._rule.depend(given)
        return [found[i] for i in self._out]

    def transposed(self, cotangents: Parts, operands: Parts, linear: Sequence[bool]) -> list[Any]:
        """Cotangents of the tangents, by the rule for the backward pass."""
        rule, operation = self._rule, self._rule.operation
        full: list[Any] = [None] * len(rule.results)
        for i, c in zip(self._out, cotangents, strict=True):
            full[i] = c
        given = [zero_of(c.aval) if isinstance(c, Zero) else c for c in rule.cotangents(full)]
        flags, start = [], 0
        for t in rule.types:
            stop = start + len(parts_in(t))
            flags.append(any(start <= i < stop for i in self._moving))
            start = stop
        accumulators: list[Accumulator] = [
            (Accumulator if f else NullAccumulator)(t.to_ct_aval()) for t, f in zip(rule.types, flags, strict=True)]
        residuals = tree.unflatten(self._residuals, list(operands[:self._left]))
        operation.vjp_bwd(residuals, operation.out_tree.unflatten(given), *rule.inputs(accumulators))
        found = gathered(rule.types, accumulators)
        return [None] * (self._left + len(rule.operands)) + [found[i] for i in self._moving]


def recorded(rule: Any, primals: Parts, tangents: Parts) -> tuple[list[Any], list[Any]]:
    """The results, and their tangents by an operation that the rule for the backward pass transposes."""
    values = rule.presented(primals)
    moving = rule.inputs([not isinstance(t, Zero) for t in rule.tangents(tangents)])
    result, residuals, *moved = rule.operation.vjp_fwd(moving, *rule.inputs(values))
    results, _ = rule.found(rule.outputs(result), [None] * len(rule.out_types))
    left, structure = tree.flatten(residuals)
    there = [i for i, t in enumerate(tangents) if t is not None]
    linear = Linear(rule, structure, [type_of_array(x) for x in left], there)
    found = linear.bind([*left, *primals, *(tangents[i] for i in there)])
    changes: list[Any] = [None] * len(results)
    for i, t in zip(linear._out, found, strict=True):
        changes[i] = t
    return results, changes
