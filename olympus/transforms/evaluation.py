# SPDX-License-Identifier: Apache-2.0
"""Evaluation: an operation that is bound outside of all traces runs at once, as a cached program of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any

import numpy as np

from olympus_core.ops import sharding_constraint
from olympus_core.partition import constraint_layout
from olympus_core.placement import sharding_of
from olympus_core.program import OperationRecord, Program
from olympus_core.runtime import BoundedCache, SizedEntry, size_of

from ..tracing import bind_all
from ..tracing.explicit import current_hidden_axes
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
        key = (record, tuple(sorted(attributes.items())), *map(_standing_for, regions), weak, current_hidden_axes())
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
    """What stands for a region in a key: its text's digest with what it names, or itself where that is not all."""
    objects: list[Any] = []
    return (region.fingerprint, *objects) if _is_told_by_text(region, objects) else region


def _is_told_by_text(region: Program, objects: list[Any]) -> bool:
    """Whether text says all of a region, up to the objects that it names, such as meshes, which are collected."""
    annotation = annotation_of(region)
    if annotation is not None and not annotation.evaluates_alike:
        return False
    for operation in region.operations:
        if operation.record.category in ("host", "external"):
            return False
        for value in operation.attributes.values():
            _collect(value, objects)
        if not all(_is_told_by_text(inner, objects) for inner in operation.regions):
            return False
    return True


def _collect(value: Any, objects: list[Any]) -> None:
    """Notes objects whose text may be that of others: meshes of the same shape lie on different devices."""
    if isinstance(value, (tuple, list)):
        for part in value:
            _collect(part, objects)
    elif not isinstance(value, _PLAIN):
        objects.append(value)


_PLAIN = (str, int, float, complex, type(None), np.ndarray, np.generic, np.dtype, Enum)  # text is all that there is
