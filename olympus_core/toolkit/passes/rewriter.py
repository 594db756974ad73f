# SPDX-License-Identifier: Apache-2.0
"""One traversal of a program that replaces operations by rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from olympus_core.dataclass import dataclass
from olympus_core.errors import OlympusInternalError
from olympus_core.program import Operation, Value

from ..flatten import Flat
from .builder import Builder
from .pass_list import Pass
from .patterns import Match, Pattern

# Writes the replacement and gives the values that take the results' place, with the same types; None, and nothing
# written, where the rule does not apply after all.
Build = Callable[[Builder, Match], Value | tuple[Value, ...] | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern, and what takes the place of the operation that it is found for.

    Args:
        pattern: The pattern. Where its root has no names it is tried for operations that no other rule names.
        build: Writes the replacement, or declines.
    """

    pattern: Pattern
    build: Build


def rewriting_pass(name: str, *rules: Rule, simplifies: bool = False) -> Pass:
    """A pass that replaces operations by rules, in one traversal: operands are replaced before what takes them.

    What a rule writes is not looked at again; nothing that is left without use and has no effect stays.

    Args:
        name: The pass's name.
        rules: The rules, of which the first that applies replaces an operation.
        simplifies: See `Builder`.

    Example:
        >>> from olympus_core import ops
        >>> from olympus_core.toolkit.passes import anything, op
        >>> square = Rule(op("square", anything("x")), lambda new, match: new.apply(ops.mul, match["x"], match["x"]))
        >>> rewriting_pass("squares", square).name
        'squares'
    """
    index: dict[str, list[Rule]] = {}
    for rule in rules:
        for one in rule.pattern.names or ("",):
            index.setdefault(one, []).append(rule)
    rest = index.pop("", [])

    def run(flat: Flat) -> Flat:
        if simplifies or rest or any(operation.name in index for operation in flat.operations):
            return _rewritten(flat, lambda operation: index.get(operation.name, rest), simplifies)
        return flat

    return Pass(name, run)


def _rewritten(flat: Flat, rules_for: Callable[[Operation], Sequence[Rule]], simplifies: bool) -> Flat:
    builder = Builder(flat.inputs, simplifies)
    uses = Counter([*flat.outputs, *(v for operation in flat.operations for v in operation.operands)])
    builder.uses.update({v: uses[v] for v in flat.inputs})
    now: dict[Value, Value] = {v: v for v in flat.inputs}
    for operation in flat.operations:
        operands = tuple([now[v] for v in operation.operands])
        results = _replaced(builder, operation, operands, rules_for(operation))
        for before, after in zip(operation.results, results, strict=True):
            now[before] = after
            # What only passed an operand on takes it no more.
            builder.uses[after] += uses[before] - operands.count(after)
    outputs = tuple(now[v] for v in flat.outputs)
    kept = needed_operations(builder.operations, outputs)
    is_same = len(kept) == len(flat.operations) and all(a is b for a, b in zip(kept, flat.operations, strict=True))
    return flat if is_same and outputs == flat.outputs else Flat(flat.inputs, kept, outputs)


def _replaced(
    builder: Builder, operation: Operation, operands: tuple[Value, ...], rules: Sequence[Rule]
) -> tuple[Value, ...]:
    builder.location = operation.location
    for rule in rules:
        match = Match(operation, operands, builder)
        if not rule.pattern.matches_operation(match, operation, operands):
            continue
        before = len(builder.operations)
        built = rule.build(builder, match)
        if built is not None:
            return built if isinstance(built, tuple) else (built,)
        if len(builder.operations) != before:
            raise OlympusInternalError(f"a rule for {operation.name} has written operations and does not apply")
    return builder.copy(operation, operands)


def needed_operations(operations: Sequence[Operation], outputs: Sequence[Value]) -> tuple[Operation, ...]:
    """Without the operations whose results nobody takes and that have no effect."""
    needed, kept = set(outputs), []
    for operation in reversed(operations):
        if operation.has_effects or not needed.isdisjoint(operation.results):
            needed.update(operation.operands)
            kept.append(operation)
    return tuple(reversed(kept))
