# SPDX-License-Identifier: Apache-2.0
"""Where explicit axes are not explicit: inside of `shard_map` they are manual, inside of `auto_axes` automatic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from olympus_core.placement import AxisType, Layout

_hidden: ContextVar[frozenset[str]] = ContextVar("olympus_hidden_axes", default=frozenset())
current_hidden_axes = _hidden.get
# Whether what is traced is one device's part of a program: set where mesh axes become manual.
in_manual_region: ContextVar[bool] = ContextVar("olympus_in_manual_region", default=False)


@contextmanager
def hide_axes(axes: Iterable[str]) -> Iterator[None]:
    """Leaves these axes out of the types of all values while a function is traced."""
    token = _hidden.set(_hidden.get() | frozenset(axes))
    try:
        yield
    finally:
        _hidden.reset(token)


def visible(layout: Layout | None) -> Layout | None:
    """The part of a type's layout that counts here; the very layout where nothing of it is hidden."""
    hidden = _hidden.get()
    if layout is None or not hidden or hidden.isdisjoint(layout.mesh.axis_names):
        return layout
    mesh = layout.mesh
    shown = {a for a, t in zip(mesh.axis_names, mesh.axis_types, strict=True) if t is AxisType.Explicit} - hidden
    if not shown:
        return None
    return Layout(
        mesh, tuple(tuple(axis for axis in axes if axis in shown) for axes in layout.dims),
        tuple(axis for axis in layout.unreduced if axis in shown),
        tuple(axis for axis in layout.reduced if axis in shown))
