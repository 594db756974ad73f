# SPDX-License-Identifier: Apache-2.0
"""The ratios as a picture: a bar for each row on a logarithmic axis, its limit and its roof marked. SVG, as text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from xml.sax.saxutils import escape

from .report import number
from .roof import GOAL
from .summary import Line

_LEFT, _WIDTH, _RIGHT, _HEIGHT = 330, 560, 130, 17
_COLOURS = {"met": "#2a7f62", "MISSED": "#c2452d", "": "#6b7280"}
_MARGIN, _HEAD = 46, 16


class Axis:
    """A logarithmic axis over whole powers of ten.

    Args:
        values: What it has to hold; 1 is always on it.
    """

    def __init__(self, values: Sequence[float]) -> None:
        logs = [math.log10(value) for value in (*values, 1.0)]
        self.low, self.high = math.floor(min(logs)), math.ceil(max(logs))
        if self.low == self.high:
            self.low -= 1

    def x(self, value: float) -> float:
        """The horizontal coordinate of a value."""
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return _LEFT + _WIDTH * min(1.0, max(0.0, share))

    def ticks(self) -> list[float]:
        """The powers of ten."""
        return [10.0**power for power in range(self.low, self.high + 1)]


def plot(lines: Sequence[Line], title: str) -> str:
    """The picture's text; only ratios to the peer are in it."""
    shown = [line for line in lines if line.value and line.value > 0 and line.ratio]
    axis = Axis([value for line in shown for value in (line.value, line.limit, _roof(line)) if value])
    margin = _MARGIN + (_HEAD if any(map(_roof, shown)) else 0)
    parts: list[str] = []
    y = margin + 14
    for row, group in groupby(shown, key=lambda line: line.row):
        parts.append(f'<text x="8" y="{y + 12}" class="row">{escape(row)}</text>')
        y += _HEIGHT + 2
        for line in group:
            parts += _bar(line, axis, y)
            y += _HEIGHT
        y += 7
    width, height = _LEFT + _WIDTH + _RIGHT, y + 28
    grid = [
        f'<line x1="{axis.x(tick):.1f}" x2="{axis.x(tick):.1f}" y1="{margin}" y2="{y}" '
        f'class="{"one" if tick == 1 else "grid"}"/>'
        f'<text x="{axis.x(tick):.1f}" y="{y + 16}" class="tick">{tick:g}</text>'
        for tick in axis.ticks()
    ]
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        "<style>.roof{fill:white;stroke:#1d4ed8;stroke-width:1.5}.reached{fill:#1d4ed8}"
        "text{font:12px sans-serif;fill:#1f2937}.row{font-weight:bold}.tick{text-anchor:middle}"
        ".name{text-anchor:end}.grid{stroke:#e5e7eb}.one{stroke:#1f2937}.limit{stroke:#111827;stroke-width:2}</style>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="8" y="20" class="row">{escape(title)}</text>',
        f'<text x="8" y="38">olympus / peer, less is better, logarithmic; a tick on a bar is the most that it may be: '
        f'<tspan fill="{_COLOURS["met"]}">met</tspan>, <tspan fill="{_COLOURS["MISSED"]}">missed</tspan></text>',
        *([f'<text x="8" y="54">a diamond is where a machine would be that does all it can (its roof), filled where '
           f'{GOAL:g} of it is reached; the second number is the share</text>'] if margin > _MARGIN else []),
        *grid, *parts, "</svg>", "",
    ])


def _roof(line: Line) -> float | None:
    """The ratio that olympus would have at the roof."""
    return line.value * line.share if line.value and line.share else None


def _bar(line: Line, axis: Axis, y: int) -> list[str]:
    value = line.value or 1.0
    one, end = axis.x(1.0), axis.x(value)
    parts = [
        f'<text x="{_LEFT - 8}" y="{y + 12}" class="name">{escape(line.title[:52])}</text>',
        f'<rect x="{min(one, end):.1f}" y="{y + 3}" width="{max(abs(end - one), 1):.1f}" height="{_HEIGHT - 6}" '
        f'fill="{_COLOURS.get(line.verdict, _COLOURS[""])}"/>',
        f'<text x="{_LEFT + _WIDTH + 8}" y="{y + 12}">{number(value)}</text>',
    ]
    if line.limit:
        limit = axis.x(line.limit)
        parts.append(f'<line x1="{limit:.1f}" x2="{limit:.1f}" y1="{y + 1}" y2="{y + _HEIGHT - 1}" class="limit"/>')
    roof = _roof(line)
    if roof is not None and line.share is not None:
        x, middle = axis.x(roof), y + _HEIGHT / 2
        reached = "roof reached" if line.share >= GOAL else "roof"
        parts.append(f'<path d="M{x - 5:.1f} {middle}L{x:.1f} {middle - 5}L{x + 5:.1f} {middle}L{x:.1f} {middle + 5}Z" '
                     f'class="{reached}"/>')
        parts.append(f'<text x="{_LEFT + _WIDTH + 66}" y="{y + 12}">{number(line.share)}</text>')
    return parts
