# SPDX-License-Identifier: Apache-2.0
"""Evaluation: an operation that is bound outside of all traces runs at once, as a cached program of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from olympus_core.ops import sharding_constraint
from olympus_core.partition import constraint_layout
from olympus_core.placement import sharding_of
from olympus_core.program import OperationRecord, Program
from olympus_core.runtime import BoundedCache, SizedEntry, size_of

from ..tracing import bind_all
from ..tracing.explicit import current_hidden_axes
from ..trees.kinds import marks_of
from .caches import kept
from .constraint import placed_in
from .jit import Jitted
from .traces.annotations import annotation_of


class Operation(Jitted, SizedEntry):
    """One operation with its attributes and regions, evaluated."""

    def __init__(self, run: Callable[..., Any], regions: Sequence[Program]) -> None:
        SizedEntry.__init__(self, _BYTES + sum(map(size_of, regions)))
        Jitted.__init__(self, run)


_BYTES = 6_144  # about what it takes without its programs
_operations: BoundedCache[Any, Operation] = kept(BoundedCache())
# Few: functions of the host hold what nobody can count.
_host_operations: BoundedCache[Any, Operation] = kept(BoundedCache(32))


def evaluate(
    record: OperationRecord, operands: Sequence[Any], attributes: Mapping[str, Any], regions: Sequence[Program],
    weak: bool | None,
) -> list[Any]:
    """Runs one operation at once."""
    if record.category == "external" and (done := attributes["params"].evaluated(operands)) is not None:
        return list(done)
    if record is sharding_constraint:  # values that are there are moved, over whatever devices
        sharding = sharding_of(constraint_layout(attributes))
        return [placed_in(operands[0], sharding.with_memory_kind(attributes.get("memory_kind", "device")))]

    def run(*values: Any) -> tuple[Any, ...]:
        return tuple(bind_all(record, values, attributes, regions, weak))

    try:
        given = tuple(sorted(attributes.items()))
        kinds = [marks_of(value) for _, value in given if type(value) is float]
        key = (record, given, *kinds, *map(_standing_for, regions), weak, current_hidden_axes())
        found = _operations.get(key) or _host_operations.get(key)
    except TypeError:  # an attribute that cannot be a key, such as a constant's array
        return list(Jitted(run)(*operands))
    if found is None:
        run.__name__ = record.name
        made = Operation(run, regions)
        found = (_host_operations if record.category == "host" else _operations).remember(key, made, made)
    found.was_used = True
    return list(found(*operands))


def _standing_for(region: Program) -> Any:
    """What stands for a region in a key: its content, or itself where its text and meshes are not all of it."""
    return region.identity if _is_told_by_text(region) else region


def _is_told_by_text(region: Program) -> bool:
    annotation = annotation_of(region)
    return (annotation is None or annotation.evaluates_alike) and all(
        operation.record.category not in ("host", "external") and all(map(_is_told_by_text, operation.regions))
        for operation in region.operations)
