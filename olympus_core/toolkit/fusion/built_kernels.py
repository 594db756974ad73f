# SPDX-License-Identifier: Apache-2.0
"""The kernels of a plan by their groups' structure: what repeats, such as a model's layers, is built once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from olympus_core.program import Operation, Value

from ..passes.builder import operation_key
from .group import Body, Group
from .phases import BuiltKernel, location_of

Structure = tuple[Hashable, tuple[Value, ...]]  # equal for groups of equal kernels; and the values that it numbers


def structure_of(
    group: Group, body: Body, stored: Sequence[Value], operations: Sequence[Operation]
) -> Structure | None:
    """All that a group's kernel is built of; None where that cannot be told.

    Args:
        group: What it computes.
        body: What writes its elements.
        stored: The members that others read.
        operations: All that it computes.
    """
    makers, numbers = {v: o for o in operations for v in o.results}, dict[Value, int]()
    keys: dict[Operation, Any] = {}  # in an order that does not depend on what other groups share with this one

    def reach(values: Iterable[Value]) -> None:
        for operation in [makers[v] for v in values if v in makers]:
            if operation not in keys:
                reach(operation.operands)
                keys[operation] = operation_key(operation)

    def told(values: Sequence[Value]) -> tuple[Hashable, ...]:
        return tuple([(numbers.setdefault(v, len(numbers)), v.type, body.producer(v) is None) for v in values])

    reach(group.members)
    if group.kind == "scatter" or None in keys.values():
        return None
    does = [(k[0], k[-1], told(o.operands), told(o.results)) for o, k in keys.items()]
    if any((maker := body.producer(v)) is not None and maker not in keys for v in numbers):
        return None  # a constant that is no kernel's may be read at a fixed position
    members = [(told((v,)), group.phases[v], group.used[v], told(group.leaves[v])) for v in group.members]
    return (tuple(does), tuple(members), told(stored), group.space, group.kind), tuple(numbers)


def for_other_values(
    found: tuple[BuiltKernel, Structure], own: Structure, operations: Sequence[Operation]
) -> BuiltKernel:
    """The kernel of a group of equal structure, for these values.

    Args:
        found: The kernel, and what it was built of.
        own: The same with other values.
        operations: All that these are computed by.
    """
    built, now = found[0], dict(zip(found[1][1], own[1], strict=True))
    kernel = replace(built.kernel, location=location_of(operations))
    return BuiltKernel(kernel, tuple([now[v] for v in built.inputs]), tuple([now[v] for v in built.outputs]))
