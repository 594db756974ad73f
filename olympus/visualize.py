# SPDX-License-Identifier: Apache-2.0
"""Drawings of shardings: a box for each part of an array, with the devices that hold it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from olympus_core.errors import ArgumentError, VisualizeRankError, described
from olympus_core.placement import Sharding, platform_label

from .displays import COLORS, color_number, contrast
from .operands import shape_argument

if TYPE_CHECKING:
    from rich.table import Table

# A square array is ten lines high, and a character is 2.5 times as high as wide.
_HEIGHT = 10
_RATIO = 2.5
# An array of one dimension is a strip of one line, seven tenths as wide as a square.
_STRIP = 0.7


@dataclass(frozen=True, slots=True)
class _Drawing:
    """Texts of the cells, and the inner width and height that all of them share."""

    cells: tuple[tuple[str, ...], ...]
    width: int
    height: int


def sharding_text(
    shape: Sequence[int], sharding: Sharding, *, scale: float = 1.0, min_width: int = 9, max_width: int = 80
) -> str:
    """The parts of an array as boxes, with the devices of all processes that hold each.

    Args:
        shape: The array's shape, of one or two dimensions.
        sharding: How it lies on its devices.
        scale: Factor of the drawing's size.
        min_width: Least width of a box, with one of its two lines on each side.
        max_width: Greatest width of the drawing, as far as the texts fit.

    Returns:
        The lines of the drawing, without a line break at the end.

    Raises:
        VisualizeRankError: For no, or more than two, dimensions.
        IndivisibleError: Where the sharding does not divide the shape.

    Example:
        ``print(sharding_text((8, 8), NamedSharding(mesh, PartitionSpec("x"))))``
    """
    drawing = _draw(shape, sharding, scale, min_width, max_width)
    line = "─" * drawing.width
    columns = len(drawing.cells[0])
    above = (drawing.height - 1) // 2
    blank = "│" + "│".join([" " * drawing.width] * columns) + "│"
    lines = ["┌" + "┬".join([line] * columns) + "┐"]
    for row, texts in enumerate(drawing.cells):
        if row:
            lines.append("├" + "┼".join([line] * columns) + "┤")
        lines += [blank] * above
        lines.append("│" + "│".join(_center(text, drawing.width) for text in texts) + "│")
        lines += [blank] * (drawing.height - 1 - above)
    lines.append("└" + "┴".join([line] * columns) + "┘")
    return "\n".join(lines)


def sharding_table(
    shape: Sequence[int], sharding: Sharding, *, scale: float = 1.0, min_width: int = 9, max_width: int = 80,
    color_map: Callable[[float], Sequence[float]] | None = None,
) -> Table:
    """The same drawing as `sharding_text`, with coloured fields in place of lines, for rich to print."""
    from rich.table import Table
    from rich.text import Text

    drawing = _draw(shape, sharding, scale, min_width, max_width)
    width, height = drawing.width + 2, drawing.height + 2
    above = (height - 1) // 2
    table = Table(show_header=False, padding=0, pad_edge=False, box=None)
    for row, texts in enumerate(drawing.cells):
        fields = []
        for column, text in enumerate(texts):
            place = color_number(row, column, sum(map(len, drawing.cells)), len(texts))
            color = COLORS[place % len(COLORS)] if color_map is None else _color(color_map, place)
            lines = [" " * width] * above + [_center(text, width)] + [" " * width] * (height - 1 - above)
            fields.append(Text("\n".join(lines), style=f"{contrast(color)} on {color}", no_wrap=True))
        table.add_row(*fields)
    return table


def _color(color_map: Callable[[float], Sequence[float]], place: int) -> str:
    """A field's colour of a colour map: as many as there are colours of our own, far from their neighbours."""
    parts = color_map(place * 3 % len(COLORS) / (len(COLORS) - 1))
    try:
        red, green, blue = (round(min(max(float(part), 0.0), 1.0) * 255) for part in parts[:3])
    except (TypeError, ValueError):
        raise ArgumentError("visualize_sharding", "color_map gives no colour", described(parts),
                            "three numbers between 0 and 1: red, green, blue") from None
    return f"#{red:02x}{green:02x}{blue:02x}"


def _draw(shape: Sequence[int], sharding: Sharding, scale: float, min_width: int, max_width: int) -> _Drawing:
    shape = shape_argument("visualize_sharding", shape)
    if not isinstance(sharding, Sharding):
        raise ArgumentError("visualize_sharding", "the second argument is not a sharding", described(sharding),
                            "a sharding, such as x.sharding")
    if len(shape) not in (1, 2):
        raise VisualizeRankError(shape)
    cells = _cells(shape, sharding)
    rows, columns = len(cells), len(cells[0])
    base = int(_HEIGHT * scale)
    if len(shape) == 2:
        width = int(int(base * shape[1] / max(shape[0], 1)) / columns * _RATIO)
        # Two lines of a box's height are its borders, but it has room for its text.
        inside = base // rows
        height = max(inside - 1, 1)
    else:
        width, height = int(base * _STRIP * _RATIO / columns), 1
    width = min(max(width, min_width), max_width) - 2
    width = min(width, (max_width - columns - 1) // columns)
    return _Drawing(cells, max(width, *(len(text) for row in cells for text in row)), height)


def _cells(shape: tuple[int, ...], sharding: Sharding) -> tuple[tuple[str, ...], ...]:
    """The texts in rows and columns: the ids of each part's devices."""
    layout = sharding.layout(len(shape))
    layout.shard_shape(shape)
    rows, columns = (1, *layout.parts())[-2:]
    ids: list[list[list[int]]] = [[[] for _ in range(columns)] for _ in range(rows)]
    for device, part in zip(sharding.devices, layout.coordinates().tolist(), strict=True):
        row, column = (0, *part)[-2:]
        ids[row][column].append(device.id)
    label = platform_label(sharding.devices[0])
    return tuple(tuple(f"{label} {','.join(map(str, sorted(held)))}" for held in row) for row in ids)


def _center(text: str, width: int) -> str:
    """The text in the middle; a space that is left over stands right of it."""
    left = (width - len(text)) // 2
    return " " * left + text + " " * (width - len(text) - left)
