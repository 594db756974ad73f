"""Operations that move elements: dimensions shift by one."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core import ops

from ....tracing import aval_of, bind
from ...traces.batching_call import Call, Result, all_batched, constant, spread_to
from .table import Rule


def _broadcast_in_dim(call: Call) -> list[Result]:
    shape, dims = call.attributes["shape"], call.attributes["dimensions"]
    return all_batched(call.bind(call.values[0], shape=(call.size, *shape), dimensions=(0, *(d + 1 for d in dims))))


def _reshape(call: Call) -> list[Result]:
    return all_batched(call.bind(call.values[0], shape=(call.size, *call.attributes["shape"])))


def _transpose(call: Call) -> list[Result]:
    order = (0, *(d + 1 for d in call.attributes["permutation"]))
    return all_batched(call.bind(call.values[0], permutation=order))


def _slice(call: Call) -> list[Result]:
    starts, limits, strides = (call.attributes[name] for name in ("starts", "limits", "strides"))
    return all_batched(call.bind(
        call.values[0], starts=(0, *starts), limits=(call.size, *limits), strides=(1, *strides)))


def _pad(call: Call) -> list[Result]:
    amounts: dict[str, Any] = {name: (0, *call.attributes[name]) for name in ("low", "high", "interior")}
    x, value = call.front(0), call.values[1]
    if not call.batched[1]:
        return all_batched(call.bind(x, value, **amounts))
    # Each index has its own padding value: it is put where a padded mask says.
    aval = aval_of(x)
    padded = call.bind(x, constant(0, aval.dtype), **amounts)
    shape = aval_of(padded).shape
    there = bind(ops.pad, np.ones(aval.shape, bool), np.zeros((), bool), **amounts)
    return all_batched(bind(ops.select, there, padded, spread_to(value, shape, (0,)), weak=call.weak))


def _concatenate(call: Call) -> list[Result]:
    values = [call.front(i) for i in range(len(call.values))]
    return all_batched(call.bind(*values, dimension=call.attributes["dimension"] + 1))


def _reverse(call: Call) -> list[Result]:
    return all_batched(call.bind(call.values[0], **call.shifted("dimensions")))


def _sharding_constraint(call: Call) -> list[Result]:
    x, mesh, dims = call.values[0], call.attributes["mesh"], call.attributes["dims"]
    layout = aval_of(x).layout
    front = tuple(axis for axis in call.trace.mesh_axes if axis in mesh.axis_names)
    if not front and layout is not None and layout.mesh is mesh:
        front = layout.dims[0]  # an explicit type says where the mapped dimension is
    used = {axis for axes in dims for axis in axes}
    front = tuple(axis for axis in front if axis not in used)
    if aval_of(x).shape[0] % mesh.parts(front):
        front = ()
    return all_batched(call.bind(x, dims=(front, *dims)))


def _source(call: Call) -> list[Result]:
    """Without operands nothing is mapped."""
    return [(bind(call.record, **call.attributes), False)]


STRUCTURE: dict[str, Rule] = {
    "broadcast_in_dim": _broadcast_in_dim, "reshape": _reshape, "transpose": _transpose, "slice": _slice, "pad": _pad,
    "concatenate": _concatenate, "reverse": _reverse, "sharding_constraint": _sharding_constraint, "iota": _source,
    "constant": _source,
}
