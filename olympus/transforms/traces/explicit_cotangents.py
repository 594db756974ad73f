# SPDX-License-Identifier: Apache-2.0
"""Cotangents where mesh axes are explicit: each has the sharding of the value that it belongs to."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from olympus_core.errors import ShardingTypeError
from olympus_core.partition import same_layout
from olympus_core.placement import Layout, sharding_of
from olympus_core.program import OperationRecord, Program

from ...tracing import Aval, aval_of, bind_all
from ...tracing.explicit import hide_axes, visible
from ..constraint import placed_in
from .arithmetic import zeros


def in_automatic_mode(avals: Sequence[Aval]) -> contextlib.AbstractContextManager[Any]:
    """Lets the partitioner split the backward pass: only the shardings of its results are fixed, by `resharded`."""
    layouts = [aval.layout for aval in avals if aval.layout is not None]
    return hide_axes(layouts[0].mesh.axis_names) if layouts else contextlib.nullcontext()


def bind_again(
    record: OperationRecord, operands: Sequence[Any], attributes: Mapping[str, Any], regions: Sequence[Program],
    weak: bool | None,
) -> list[Any]:
    """Binds an operation of a program that was traced before.

    What was traced in a scope where axes are not explicit may not follow from its operands; such scopes end with a
    constraint, which says where the result is.
    """
    try:
        return bind_all(record, operands, attributes, regions, weak)
    except ShardingTypeError:
        with in_automatic_mode([aval_of(operand) for operand in operands]):
            return bind_all(record, operands, attributes, regions, weak)


def cotangent_layout(layout: Layout | None) -> Layout | None:
    """The layout of a value's cotangent: of a sum's terms each has the whole cotangent, and the other way round."""
    if layout is None or not (layout.unreduced or layout.reduced):
        return layout
    return Layout(layout.mesh, layout.dims, layout.reduced, layout.unreduced)


def zero_cotangent(aval: Aval) -> Any:
    """Zeros as the cotangent of a value: they lie as it would."""
    return resharded(zeros(Aval(aval.type)), aval)


def zero_tangent(aval: Aval) -> Any:
    """Zeros as the tangent of a value: they lie as the value does."""
    layout = visible(aval.layout)
    made = zeros(Aval(aval.type))
    return made if layout is None or same_layout(None, layout) else placed_in(made, sharding_of(layout))


def resharded(value: Any, aval: Aval) -> Any:
    """A cotangent in the explicit sharding of the value that it belongs to."""
    layout, own = cotangent_layout(visible(aval.layout)), aval_of(value).layout
    # Of what the partitioner splits nothing is known: it is to be said that it is whole, too.
    if layout is None or (own is not None and same_layout(own, layout)):
        return value
    return placed_in(value, sharding_of(layout))
