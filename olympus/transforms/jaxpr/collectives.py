# SPDX-License-Identifier: Apache-2.0
"""Collectives: groups by the names of axes, as functions know them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from olympus_core import ops
from olympus_core.program import Operation, OperationRecord

from ...tracing import bind_all
from ..axis_groups import group_of
from .known import READINGS, Closed, Form, Params, primitive, taken

_REDUCTIONS = {"sum": "psum", "max": "pmax", "min": "pmin", "prod": "pprod", "and": "pand", "or": "por"}


def _groups(operation: Operation) -> Any:
    parts = operation.attributes["group"].parts
    return None if parts is None else tuple(parts)


def _read_all_reduce(operation: Operation, closed: Closed) -> Form:
    a = operation.attributes
    return Form(_REDUCTIONS[a["reduction"]], {"axes": a["group"].axes, "axis_index_groups": _groups(operation)})


def _all_reduce(reduction: str, name: str) -> None:
    def run(args: Sequence[Any], params: Params) -> list[Any]:
        axes, groups = taken(name, params, ["axes", "axis_index_groups"], {})
        group = group_of(name, tuple(axes), groups)
        return [bind_all(ops.all_reduce, [x], {"reduction": reduction, "group": group})[0] for x in args]

    primitive(name, run)


def _row(
    record: OperationRecord, name: str, params: Mapping[str, str], *, grouped: bool = False, sized: bool = False,
    **others: Any,
) -> None:
    def read(operation: Operation, closed: Closed) -> Form:
        a = operation.attributes
        found: Params = {"axis_name": a["group"].axes, **{key: a[attribute] for key, attribute in params.items()}}
        if grouped:
            found["axis_index_groups"] = _groups(operation)
        if sized:
            found["axis_size"] = a["group"].size
        return Form(name, {**found, **others})

    def run(args: Sequence[Any], given: Params) -> list[Any]:
        further = {"axis_size": given.get("axis_size"), "axis_index_groups": given.get("axis_index_groups")}
        axes, *values = taken(name, given, ["axis_name", *params], {
            **others, **({"axis_size": further["axis_size"]} if sized else {}),
            **({"axis_index_groups": further["axis_index_groups"]} if grouped else {})})
        group = group_of(name, axes, further["axis_index_groups"])
        return bind_all(record, args, {"group": group, **dict(zip(params.values(), values, strict=True))})

    READINGS[record] = read
    primitive(name, run)


READINGS[ops.all_reduce] = _read_all_reduce
for _reduction, _name in _REDUCTIONS.items():
    _all_reduce(_reduction, _name)
_row(ops.all_gather, "all_gather", {"all_gather_dimension": "dimension"}, grouped=True, sized=True, tiled=True)
_row(ops.reduce_scatter, "reduce_scatter", {"scatter_dimension": "dimension", "reduction": "reduction"}, grouped=True,
     sized=True, tiled=True)
_row(ops.all_to_all, "all_to_all", {"split_axis": "split_dimension", "concat_axis": "concat_dimension"}, grouped=True,
     tiled=True)
_row(ops.permute, "ppermute", {"perm": "pairs"})
_row(ops.broadcast, "pbroadcast", {"source": "source"})
_row(ops.axis_index, "axis_index", {})
