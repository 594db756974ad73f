# SPDX-License-Identifier: Apache-2.0
"""What notebooks show of arrays, shardings and meshes: who holds what, in colours that are readable on any ground.

IPython asks for it by `_repr_html_` (https://ipython.readthedocs.io/en/stable/config/integrating.html).
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from olympus_core.placement import Device, Mesh, NamedSharding, Sharding, platform_label

# Neighbours in this list are easy to tell apart, on dark and on light ground.
COLORS = (
    "#393b79", "#8ca252", "#bd9e39", "#ad494a", "#7b4173", "#6b6ecf", "#b5cf6b", "#e7ba52", "#d6616b", "#ce6dbd",
)

_MOST_CELLS, _MOST_DEVICES = 1024, 6
_FIELD = "padding:0.25em 0.8em;text-align:center;border:1px solid #80808080;"
_HEAD = "padding:0.25em 0.6em;text-align:center;font-weight:normal;opacity:0.7;"


class _Field(NamedTuple):
    """A field of a drawing: its text, its colour's number, and what a pointer on it shows."""

    text: str
    color: int
    hint: str


def array_html(text: str, shape: Sequence[int], sharding: Sharding) -> str | None:
    """An array's text, and a drawing of who holds what; None for what lies on one device, where the text says all.

    Args:
        text: The array as text.
        shape: Its shape.
        sharding: Where it lies.
    """
    if len(sharding.devices) < 2:
        return None
    return (f'<div><pre style="margin:0 0 0.5em 0">{html.escape(text)}</pre>{_drawing(shape, sharding)}'
            f"<small>{html.escape(f'{tuple(shape)} by {sharding}')}</small></div>")


def sharding_html(sharding: Sharding) -> str:
    """A sharding's text, and a drawing of the parts that it makes."""
    rank = len(sharding.spec) if isinstance(sharding, NamedSharding) else None
    drawing = "" if rank is None else _drawing(sharding.layout(rank).parts(), sharding)
    return f"<div>{drawing}<small>{html.escape(repr(sharding))}</small></div>"


def mesh_html(mesh: Mesh) -> str:
    """A mesh's text, and its devices in a table of its axes, in the colours of their processes."""
    sizes = mesh.axis_sizes or (1,)
    if mesh.size > _MOST_CELLS:
        return f"<div><small>{html.escape(repr(mesh))}, {mesh.size} devices</small></div>"
    rows = np.array(mesh.flat_devices, object).reshape(-1, sizes[-1])
    fields = [[_Field(_named([d]), d.process_index, f"process {d.process_index}, {d!r}") for d in row] for row in rows]
    *before, last = mesh.axis_names or ("",)
    beside = [", ".join(f"{name}={i}" for name, i in zip(before, np.unravel_index(row, sizes[:-1]), strict=True))
              for row in range(len(rows))] if before else [""]
    above = [f"{last}={i}" if last else "" for i in range(sizes[-1])]
    return f"<div>{_table(fields, above, beside)}<small>{html.escape(repr(mesh))}</small></div>"


def _drawing(shape: Sequence[int], sharding: Sharding) -> str:
    """The parts of an array: the last split dimension to the right, those before it downwards."""
    layout = sharding.layout(len(shape))
    parts = layout.parts()
    split = [dim for dim, count in enumerate(parts) if count > 1]
    columns = parts[split[-1]] if split else 1
    count = int(np.prod([parts[dim] for dim in split], dtype=int))
    if count > _MOST_CELLS:
        return ""
    holders: list[list[Device]] = [[] for _ in range(count)]
    index_of: dict[int, str] = {}
    places = layout.coordinates().tolist()
    for device, place, index in zip(sharding.devices, places, layout.indices(tuple(shape)), strict=True):
        cell = int(np.ravel_multi_index([place[dim] for dim in split], [parts[dim] for dim in split])) if split else 0
        holders[cell].append(device)
        index_of[cell] = ", ".join(_slice(s, n) for s, n in zip(index, shape, strict=True))
    fields = [[_Field(_named(holders[c]), color_number(*divmod(c, columns), count, columns),
                      f"[{index_of[c]}] on {_all(holders[c])}")
               for c in range(row, row + columns)] for row in range(0, count, columns)]
    return _table(fields)


def _slice(s: slice, size: int) -> str:
    start, stop, _ = s.indices(size)
    return f"{start}:{stop}"


def _named(devices: Sequence[Device]) -> str:
    """A family and ids; of many devices the first ones."""
    ids = sorted(device.id for device in devices)
    rest = f", … ({len(ids)} devices)" if len(ids) > _MOST_DEVICES else ""
    return f"{platform_label(devices[0])} {', '.join(map(str, ids[:_MOST_DEVICES]))}{rest}"


def _all(devices: Sequence[Device]) -> str:
    return ", ".join(map(str, devices))


def _table(fields: Sequence[Sequence[_Field]], above: Sequence[str] = (), beside: Sequence[str] = ()) -> str:
    lines = []
    if any(above):
        corner = f'<th style="{_HEAD}"></th>' if any(beside) else ""
        lines.append(corner + "".join(f'<th style="{_HEAD}">{html.escape(text)}</th>' for text in above))
    for row, cells in enumerate(fields):
        head = f'<th style="{_HEAD}">{html.escape(beside[row])}</th>' if any(beside) else ""
        lines.append(head + "".join(map(_cell, cells)))
    rows = "".join(f'<tr style="background:none">{line}</tr>' for line in lines)
    return f'<table style="border-collapse:collapse;margin:0 0 0.25em 0">{rows}</table>'


def _cell(field: _Field) -> str:
    color = COLORS[field.color % len(COLORS)]
    style = f"{_FIELD}background:{color};color:{contrast(color)}"
    return f'<td style="{style}" title="{html.escape(field.hint)}">{html.escape(field.text)}</td>'


def color_number(row: int, column: int, count: int, columns: int) -> int:
    """Which colour a field has: another one than all others where there are enough, else than its neighbours.

    Args:
        row: Its row.
        column: Its column.
        count: How many fields there are.
        columns: How many of them stand beside each other.
    """
    # Three steps from row to row: neighbours below differ from those beside.
    return row * (columns if count <= len(COLORS) else 3) + column


def contrast(color: str) -> str:
    """Black or white, whichever is easier to read on this colour."""
    red, green, blue = (int(color[i:i + 2], 16) for i in (1, 3, 5))
    return "#000000" if red * 0.299 + green * 0.587 + blue * 0.114 > 150 else "#ffffff"
