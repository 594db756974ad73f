"""Elementwise operations: all operands get the mapped dimension in front."""

from __future__ import annotations

from olympus_core.ops import OPERATIONS
from olympus_core.program import OperationRecord

from ....tracing import bind_all
from ...traces.batching_call import Call, Result, all_batched
from .table import Rule


def elementwise(call: Call) -> list[Result]:
    """The operation on operands that all have the mapped dimension."""
    values = [call.front(i) for i in range(len(call.values))]
    return all_batched(*bind_all(call.record, values, call.attributes, (), call.weak))


def _is_elementwise(record: OperationRecord) -> bool:
    return record.category == "elementwise" or record.name == "threefry2x32"


ELEMENTWISE: dict[str, Rule] = {name: elementwise for name, r in OPERATIONS.items() if _is_elementwise(r)}
