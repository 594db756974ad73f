# SPDX-License-Identifier: Apache-2.0
"""Dead code of scans: carries that nothing but themselves reads, as the counter of a loop that does not look at it.

Each costs a kernel in every iteration. So do results that nobody takes, and operands that only these need.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from olympus_core.program import Operation, Program, Value
from olympus_core.toolkit.basic_blocks import ScanShape
from olympus_core.toolkit.flatten import Flat, flatten
from olympus_core.toolkit.passes import needed_operations


def without_dead_carries(flat: Flat) -> Flat:
    """The program whose scans carry, stack and are given only what is used."""
    if all(operation.name != "scan" for operation in flat.operations):
        return flat
    needed, kept = set(flat.outputs), list[Operation]()
    for operation in reversed(flat.operations):
        if not operation.has_effects and needed.isdisjoint(operation.results):
            continue
        if operation.name == "scan":
            operation = _pruned(operation, needed)
        needed.update(operation.operands)
        kept.append(operation)
    kept.reverse()
    is_same = len(kept) == len(flat.operations) and all(a is b for a, b in zip(kept, flat.operations, strict=True))
    return flat if is_same else Flat(flat.inputs, tuple(kept), flat.outputs)


def _pruned(scan: Operation, needed: Container[Value]) -> Operation:
    (region,), shape = scan.regions, ScanShape(scan)
    body = flatten(region)
    first_stacked, first = shape.carry, shape.constants
    live = {n for n, result in enumerate(scan.results) if result in needed}
    while True:
        outputs = [body.outputs[n] for n in sorted(live)]
        operations = needed_operations(body.operations, outputs)
        read = {*outputs, *(v for operation in operations for v in operation.operands)}
        carries = {n for n in range(shape.carry) if body.inputs[first + n] in read}
        if carries <= live:
            break
        live |= carries
    taken = [n for n, v in enumerate(body.inputs) if v in read or n - first in live and n - first < first_stacked]
    if len(live) == len(scan.results) and len(taken) == len(scan.operands):
        return scan
    inner = Program(region.name, _at(body.inputs, taken), operations, tuple(outputs))
    attributes = {**scan.attributes, "constants": sum(n < first for n in taken),
                  "carry": sum(n < first_stacked for n in live)}
    return Operation(scan.record, _at(scan.operands, taken), attributes, (inner,), _at(scan.results, sorted(live)),
                     scan.location)


def _at(values: Sequence[Value], places: Iterable[int]) -> tuple[Value, ...]:
    return tuple(values[n] for n in places)
