# SPDX-License-Identifier: Apache-2.0
"""Operations on values of libraries' own types, as programs have them: one operation on the arrays of these values.

What it is made of, its derivative, its transpose and its batching are asked of a `Rule`, its only attribute.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from ...tracing import Aval, stage
from ...trees import inside as tree
from ..batching.vmap import Later, map_indices
from ..derivatives.forward import linear_transpose
from ..jaxpr.primitive import Primitive, register_lowering
from ..jaxpr.writing import Lowering
from ..traces.arithmetic import zeros
from ..traces.table import BatchingCall, Jvp, JvpCall, TransposeCall

Parts = Sequence[Any]


class Rule(ABC):
    """What is known of one operation. Equal where `key` is.

    Args:
        key: What it is for caches.
        operands: The types of the arrays that it takes.
        results: The types of those that it gives.
    """

    def __init__(self, key: Any, operands: Sequence[Aval], results: Sequence[Aval]) -> None:
        self.key, self.operands, self.results = key, tuple(operands), tuple(results)

    @abstractmethod
    def expand(self, *parts: Any) -> list[Any]:
        """What it is made of."""

    @abstractmethod
    def derivative(self, primals: Parts, tangents: Parts, forward: bool) -> Jvp:
        """Its results and their tangents; those that are None are zero. `forward`: they are not to be transposed."""

    def transposed(self, cotangents: Parts, operands: Parts, linear: Sequence[bool]) -> list[Any]:
        """A cotangent for each operand, which is None where it is not linear; operands that are linear are None."""
        moving = [i for i, is_linear in enumerate(linear) if is_linear]

        def function(*changed: Any) -> list[Any]:
            given = list(operands)
            for i, x in zip(moving, changed, strict=True):
                given[i] = x
            return self.expand(*given)

        back = linear_transpose(function, *(self.operands[i] for i in moving))
        full = [zeros(a) if c is None else c for a, c in zip(self.results, cotangents, strict=True)]
        found: list[Any] = [None] * len(operands)
        for i, c in zip(moving, back(full), strict=True):
            found[i] = c
        return found

    def depend(self, batched: Sequence[bool]) -> list[bool]:
        """Which results depend on operands that have a mapped dimension."""
        program, _, _ = stage(self.expand, self.operands, "high")
        found = {id(v) for v, b in zip(program.inputs, batched, strict=False) if b}
        for operation in program.operations:
            if any(id(v) in found for v in operation.operands):
                found.update(map(id, operation.results))
        return [id(v) in found for v in program.outputs]

    def bind(self, parts: Parts) -> list[Any]:
        """Appends it to what is traced, or does it."""
        return high_p.bind(*parts, rule=self)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and (self.key, self.operands) == (other.key, other.operands)

    def __hash__(self) -> int:
        return hash((type(self), self.key, self.operands))

    def __repr__(self) -> str:
        return f"{self.key[0] if isinstance(self.key, tuple) else self.key}"


class Mapped(Rule):
    """An operation for all indices of a mapped dimension.

    Args:
        inner: The operation for one.
        size: How many there are.
        batched: Which operands have the dimension, in front.
    """

    def __init__(self, inner: Rule, size: int, batched: Sequence[bool]) -> None:
        def front(aval: Aval) -> Aval:
            return Aval(aval.type.with_shape((size, *aval.shape)), aval.weak)

        operands = [front(a) if b else a for a, b in zip(inner.operands, batched, strict=True)]
        self.given = inner.depend(batched)
        results = [front(a) if b else a for a, b in zip(inner.results, self.given, strict=True)]
        super().__init__((inner, size, tuple(batched)), operands, results)
        self._inner, self._size, self._batched = inner, size, tuple(batched)

    def depend(self, batched: Sequence[bool]) -> list[bool]:
        """Which results depend on operands that have a further mapped dimension."""
        return self._inner.depend(batched)

    def _map(
        self, function: Any, groups: Sequence[tuple[Parts, Sequence[bool]]], given: Callable[[], Sequence[bool]],
        adds: bool = False,
    ) -> list[Any]:
        """A function for all indices; `given` says of its results which have the dimension, the others may be sums."""
        values = [x for parts, _ in groups for x in parts]
        axes = tuple(0 if b else None for _, batched in groups for b in batched)
        mapped = map_indices(
            repr(self), lambda *xs: tuple(function(*xs)), self._size,
            [(x, a is not None) for x, a in zip(values, axes, strict=True)],
            tree.structure((tuple(values), {})), Later(lambda: tuple(0 if b else None for b in given())),
            sum_match=adds)
        return list(mapped)

    def expand(self, *parts: Any) -> list[Any]:
        """What it is made of."""
        return self._map(self._inner.expand, [(parts, self._batched)], lambda: self.given)

    def derivative(self, primals: Parts, tangents: Parts, forward: bool) -> Jvp:
        """Its results and their tangents."""
        moving = [i for i, t in enumerate(tangents) if t is not None]
        kept: list[int] = []

        def function(*given: Any) -> list[Any]:
            changes: list[Any] = [None] * len(primals)
            for i, t in zip(moving, given[len(primals):], strict=True):
                changes[i] = t
            results, found = self._inner.derivative(given[:len(primals)], changes, forward)
            kept[:] = [i for i, t in enumerate(found) if t is not None]
            return [*results, *(found[i] for i in kept)]

        found = self._map(function, [
            (primals, self._batched), ([tangents[i] for i in moving], [self._batched[i] for i in moving]),
        ], lambda: [*self.given, *(self.given[i] for i in kept)])
        count = len(self.results)
        changes: list[Any] = [None] * count
        for i, t in zip(kept, found[count:], strict=True):
            changes[i] = t
        return found[:count], changes

    def transposed(self, cotangents: Parts, operands: Parts, linear: Sequence[bool]) -> list[Any]:
        """A cotangent for each operand."""
        there = [i for i, c in enumerate(cotangents) if c is not None]
        known = [i for i, is_linear in enumerate(linear) if not is_linear]
        kept: list[int] = []

        def function(*given: Any) -> list[Any]:
            cts: list[Any] = [None] * len(cotangents)
            for i, c in zip(there, given, strict=False):
                cts[i] = c
            values: list[Any] = [None] * len(operands)
            for i, x in zip(known, given[len(there):], strict=True):
                values[i] = x
            found = self._inner.transposed(cts, values, linear)
            kept[:] = [i for i, c in enumerate(found) if c is not None]
            return [found[i] for i in kept]

        given = self._map(function, [
            ([cotangents[i] for i in there], [self.given[i] for i in there]),
            ([operands[i] for i in known], [self._batched[i] for i in known]),
        ], lambda: [self._batched[i] for i in kept], adds=True)
        found: list[Any] = [None] * len(operands)
        for i, c in zip(kept, given, strict=True):
            found[i] = c
        return found


high_p = Primitive("high")
high_p.multiple_results = True
high_p.def_abstract_eval(lambda *avals, rule: list(rule.results))
register_lowering(high_p, Lowering(lambda *parts, rule: rule.expand(*parts), multiple_results=True))


def _rule(call: Any) -> Rule:
    found: Rule = call.attributes["params"].values["rule"]
    return found


def _differentiate(call: JvpCall) -> Jvp:
    return _rule(call).derivative(call.primals, call.tangents, call.forward)


def _transpose(call: TransposeCall) -> Sequence[Any]:
    operands = [None if is_linear else x for x, is_linear in zip(call.operands, call.linear, strict=True)]
    return _rule(call).transposed(call.cotangents, operands, call.linear)


def _batch(call: BatchingCall) -> list[tuple[Any, bool]]:
    rule = Mapped(_rule(call), call.size, call.batched)
    return list(zip(rule.bind(call.values), rule.given, strict=True))


high_p.rules.jvp, high_p.rules.transpose, high_p.rules.batching = _differentiate, _transpose, _batch
