# SPDX-License-Identifier: Apache-2.0
"""Products of a scan outside of its loop: one before it in place of one in every turn, or one after it.

A product of a scanned array's part with what never changes waits for no turn: `x_t @ w` for all turns is one product of
many rows. A product that is only added to a carried value, as a weight's gradient is, is one over all turns' contracted
elements: its operands are stacked, and the carried value need not be read and written in every turn. A sum of what is
stacked anyway, as a bias's gradient is, is then one over all turns, too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from olympus_core import dtypes, ops
from olympus_core.dataclass import dataclass, field, replace
from olympus_core.program import Operation, Program, Value
from olympus_core.toolkit.basic_blocks import ScanShape
from olympus_core.toolkit.flatten import flatten
from olympus_core.toolkit.passes import Builder, Match, Rule, needed_operations, op

from .product_rules import product_sizes

_MOST_ROWS = 256  # of a product in a turn, or elements that it contracts: more are as fast in their turn
_LEAST_WORK = 1 << 12  # multiplications of a turn
_LEAST_CONTRACTED = 16  # by a product before the loop: with fewer, memory takes longer than arithmetic
_LEAST_TURNS = 8
_MOST_BYTES = 1 << 26  # of memory for what all turns have


@dataclass(slots=True)
class _Scan:
    """A scan that is being rewritten.

    Args:
        operation: The scan as it was.
        shape: How its operands are divided.
        operands: Its operands now.
        body: Its body, whose calls are written out.
        scanned: By the part that a turn sees, the whole array.
        stacked: By a value of the body, its number among the new results that are stacked.
        before: By a product of the body, the part of the product before the loop that takes its place.
        after: By the number of a carried value, the product or sum that is added up in it.
    """

    operation: Operation
    shape: ScanShape
    operands: tuple[Value, ...]
    body: Program
    scanned: dict[Value, Value] = field(default_factory=dict)
    stacked: dict[Value, int] = field(default_factory=dict)
    before: dict[Operation, Value] = field(default_factory=dict)
    after: dict[int, Operation] = field(default_factory=dict)
    bytes: int = 0

    def takes(self, nbytes: int) -> bool:
        """Whether memory for one more value of all turns may be taken, which it then is."""
        fits = self.bytes + nbytes <= _MOST_BYTES
        self.bytes += nbytes if fits else 0
        return fits


def _hoisted(new: Builder, match: Match) -> tuple[Value, ...] | None:
    operation = match.operation
    length = operation.attributes["length"]
    if not isinstance(length, int) or length < _LEAST_TURNS:
        return None
    (region,) = operation.regions
    scan = _Scan(operation, ScanShape(operation), match.operands, flatten(region).program(region.name))
    *_, parts = scan.shape.split(scan.body.inputs)
    scan.scanned.update(zip(parts, scan.shape.split(scan.operands)[2], strict=True))
    products = [o for o in scan.body.operations if _is_product(o)]
    _find_sums(scan, products)
    _find_known(scan, [o for o in products if o not in scan.after.values()])
    if not scan.before and not scan.after:
        return None
    return _written(new, scan)


def _is_product(operation: Operation) -> bool:
    if operation.name != "dot_general" or operation.attributes["lhs_batch"]:
        return False
    types = [v.type for v in (*operation.operands, *operation.results)]
    return (all(t.dtype in (dtypes.float32, dtypes.float64) for t in types)
            and math.prod(product_sizes(operation)) >= _LEAST_WORK)


def _is_sum(operation: Operation) -> bool:
    return operation.name == "reduce_sum" and operation.results[0].type.dtype in (dtypes.float32, dtypes.float64)


def _find_known(scan: _Scan, products: Sequence[Operation]) -> None:
    """Products of a scanned array's part with what never changes."""
    fixed = set(scan.body.inputs[: scan.shape.constants])
    for operation in products:
        sides = [i for i, x in enumerate(operation.operands) if x in scan.scanned]
        if len(sides) != 1 or operation.operands[1 - sides[0]] not in fixed:
            continue
        (result,) = operation.results
        *_, contracted = sizes = product_sizes(operation)
        pays = sizes[1 + sides[0]] <= _MOST_ROWS and contracted >= _LEAST_CONTRACTED
        if pays and scan.takes(scan.shape.length * result.type.nbytes):
            scan.before[operation] = Value(result.type)


def _find_sums(scan: _Scan, products: Sequence[Operation]) -> None:
    """Products, and sums of what they stack, that are added to a carried value, which nothing else takes."""
    fixed = set(scan.body.inputs[: scan.shape.constants])
    producers = {v: o for o in scan.body.operations for v in o.results}
    uses = Counter([*scan.body.outputs, *(v for o in scan.body.operations for v in o.operands)])
    added_up: dict[int, Operation] = {}
    for number in range(scan.shape.carry):
        carry, sum_ = scan.body.inputs[scan.shape.constants + number], producers.get(scan.body.outputs[number])
        if sum_ is None or sum_.name != "add" or uses[carry] != 1 or uses[sum_.results[0]] != 1:
            continue
        if carry not in sum_.operands:
            continue
        added = sum_.operands[1 - sum_.operands.index(carry)]
        term = producers.get(added)
        if term is not None and uses[added] == 1 and fixed.isdisjoint(term.operands):
            added_up[number] = term
    for number, term in added_up.items():
        if term not in products:
            continue
        missing = dict.fromkeys(x for x in term.operands if x not in scan.scanned and x not in scan.stacked)
        nbytes = sum(x.type.nbytes for x in missing)
        # Each turn writes and reads the operands in place of the sum.
        pays = product_sizes(term)[3] <= _MOST_ROWS and nbytes <= term.results[0].type.nbytes
        if pays and scan.takes(scan.shape.length * nbytes):
            scan.stacked.update({x: len(scan.stacked) + i for i, x in enumerate(missing)})
            scan.after[number] = term
    scan.after.update({number: term for number, term in added_up.items() if _is_sum(term) and (
        term.operands[0] in scan.stacked)})


def _written(new: Builder, scan: _Scan) -> tuple[Value, ...]:
    """The scan without the products, and these before and after it."""
    operation, body, shape = scan.operation, scan.body, scan.shape
    inner = dict(zip(body.inputs, scan.operands, strict=True))
    early = [_of_all_turns(new, scan, o, inner) for o in scan.before]
    kept = [n for n in range(shape.carry) if n not in scan.after]
    starts = shape.split(scan.operands)[1]

    def divided(arguments: Sequence[Value], further: Iterable[Value]) -> list[Value]:
        constants, carry, parts = shape.split(arguments)
        return [*constants, *(carry[n] for n in kept), *parts, *further]

    inputs, operands = divided(body.inputs, scan.before.values()), divided(scan.operands, early)
    outputs = [*(body.outputs[n] for n in kept), *body.outputs[shape.carry:], *scan.stacked]
    gone = {o.results[0]: part for o, part in scan.before.items()}
    outputs = [gone.get(v, v) for v in outputs]
    steps = [step if gone.keys().isdisjoint(step.operands) else replace(
        step, operands=tuple(gone.get(v, v) for v in step.operands)) for step in body.operations]
    region = Program(body.name, tuple(inputs), needed_operations(steps, outputs), tuple(outputs))
    attributes = {**operation.attributes, "carry": len(kept)}
    types = ops.scan.type_rule([v.type for v in operands], attributes, (region,))
    results = new.emit(Operation(
        ops.scan, tuple(operands), attributes, (region,), tuple(map(Value, types)), operation.location))
    ends = dict(zip(kept, results[: len(kept)], strict=True))
    stacks = results[len(kept):]
    known = len(body.outputs) - shape.carry
    whole = {**scan.scanned, **{x: stacks[known + i] for x, i in scan.stacked.items()}}
    for number, product in scan.after.items():
        ends[number] = new.apply(ops.add, starts[number], _over_all_turns(new, product, whole))
    return (*(ends[n] for n in range(shape.carry)), *stacks[:known])


def _of_all_turns(new: Builder, scan: _Scan, product: Operation, inner: dict[Value, Value]) -> Value:
    """The products of all turns, turn by turn."""
    side = next(i for i, x in enumerate(product.operands) if x in scan.scanned)
    name = ("lhs", "rhs")[side]
    operands = [scan.scanned[x] if i == side else inner[x] for i, x in enumerate(product.operands)]
    attributes = _moved(product.attributes, (name,))
    found = new.apply(product.record, *operands, **attributes)
    turn = 0 if side == 0 else product.operands[0].type.ndim - len(product.attributes["lhs_contracting"])
    return new.transpose(found, (turn, *(d for d in range(found.type.ndim) if d != turn)))


def _over_all_turns(new: Builder, product: Operation, whole: dict[Value, Value]) -> Value:
    """The sum of the products, or of the sums, of all turns: the turns are contracted, too."""
    if _is_sum(product):
        dimensions = (0, *(d + 1 for d in product.attributes["dimensions"]))
        return new.apply(product.record, whole[product.operands[0]], **{**product.attributes, "dimensions": dimensions})
    attributes = _moved(product.attributes, ("lhs", "rhs"))
    for name in ("lhs", "rhs"):
        attributes[f"{name}_contracting"] = (0, *attributes[f"{name}_contracting"])
    return new.apply(product.record, *(whole[x] for x in product.operands), **attributes)


def _moved(attributes: Any, names: Sequence[str]) -> dict[str, Any]:
    """The attributes of a product whose operands of these names have turns as a further first dimension."""
    return {**attributes, **{
        f"{name}_contracting": tuple(d + 1 for d in attributes[f"{name}_contracting"]) for name in names}}


# With what scans add up and know beforehand outside of them.
SCAN_RULES = (Rule(op("scan"), _hoisted),)
