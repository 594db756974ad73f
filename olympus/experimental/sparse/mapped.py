# SPDX-License-Identifier: Apache-2.0
"""Sparse arrays under `vmap`: one index of a batch dimension is a sparse array without that dimension."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from olympus_core.errors import ArgumentError

from ... import numpy as jnp
from ...transforms.batching.containers import Container, containers
from .bcoo import BCOO
from .bcsr import BCSR

# Each has its parts, whose first dimensions are the batch ones, and static data of which the shape is the first.
Mapped = BCOO | BCSR


def _batch_axis(value: Mapped, axis: int, dimensions: int, allowed: int) -> int:
    found = axis + dimensions if axis < 0 else axis
    if not 0 <= found < allowed:
        raise ArgumentError(
            "vmap", "the mapped dimension of a sparse array is no batch dimension", f"{axis}, of {value!r}",
            f"one of the first {allowed}" if allowed else "None", "Map a dimension that n_batch counts.")
    return found


def _with(value: Mapped, parts: list[Any], shape: tuple[int, ...]) -> Mapped:
    facts = value.tree_flatten()[1]
    return type(value).tree_unflatten((shape, *facts[1:]), parts)  # unchecked: parts may stand for something else


def _element(take: Callable[[Any, Any], Any], _: Any, value: Mapped, axis: int | None) -> Mapped:
    if axis is None:
        return value
    axis = _batch_axis(value, axis, value.ndim, value.n_batch)
    size = value.shape[axis]
    # A batch dimension of a part may be 1 and stand for all indices.
    parts = [jnp.broadcast_to(part, (*part.shape[:axis], size, *part.shape[axis + 1:])) for part in
             value.tree_flatten()[0]]
    return _with(value, [take(part, axis) for part in parts], value.shape[:axis] + value.shape[axis + 1:])


def _of_elements(put: Callable[[Any, Any, Any], Any], size: Any, value: Mapped, axis: int | None) -> Mapped:
    if axis is None:
        return value
    axis = _batch_axis(value, axis, value.ndim + 1, value.n_batch + 1)
    parts = [put(size, part, axis) for part in value.tree_flatten()[0]]
    return _with(value, parts, (*value.shape[:axis], size, *value.shape[axis:]))


for _kind in (BCOO, BCSR):
    containers[_kind] = Container(int, _element, _of_elements)
