# SPDX-License-Identifier: Apache-2.0
"""python -m tools.pages.pictures: draws the five pictures of docs/sharding.md, as SVG in docs/pictures.

Who holds what is asked of the shardings themselves; what is drawn here cannot differ from what they do.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator

import olympus
from olympus.sharding import Mesh, NamedSharding
from olympus.sharding import PartitionSpec as P

from .checking import DOCS

FOLDER = DOCS / "pictures"
# Eight tints that differ in lightness, too; black text is readable on all of them.
_COLOURS = ["#9ecae9", "#ffbf79", "#88d27a", "#ff9d98", "#d6a5c9", "#f2cf5b", "#83bcb6", "#d8b5a5"]
_CELL = 40
_GREY = "#888888"  # on white and on black


def pictures() -> dict[str, str]:
    """The text of each picture by its file's name; needs eight devices."""
    grid = olympus.make_mesh((4, 2), ("i", "j"), devices=olympus.devices()[:8])
    line = olympus.make_mesh((4,), ("k",), devices=olympus.devices()[:4])
    split = _owners(grid, P("i", "j"))
    rows, columns = _owners(line, P("k", None)), _owners(line, P(None, "k"))
    half = 8 * _CELL
    return {
        "mesh.svg": _svg(420, 210, [*_mesh(110, 40, grid)]),
        "split.svg": _svg(420, 210, [*_array(60, 40, split), *_axes(60, 40, "i", "j")]),
        "replicated.svg": _svg(800, 210, [
            *(part for copy in range(2) for part in _array(60 + copy * 370, 40, {
                box: devices[copy: copy + 1] for box, devices in _owners(grid, P("i", None)).items()})),
            *_axes(60, 40, "i", ""), _text(60 + 370 + 4 * _CELL, 26, "the same rows again: j = 1")]),
        "sum.svg": _svg(720, 210, [
            *_array(20, 40, split), *_arrow(350, 120, "each adds its own"),
            *_column(510, 40, split), *_arrow(560, 120, "all-reduce"), _box(680, 100, 30, 40, "#dddddd", "Σ")]),
        "transpose.svg": _svg(820, 210, [
            *_array(20, 40, rows), *_arrow(20 + half + 10, 120, "all-to-all"), *_array(480, 40, columns)]),
    }


def main() -> None:
    """Writes them."""
    olympus.config.update("olympus_num_cpu_devices", 8)
    FOLDER.mkdir(exist_ok=True)
    for name, text in pictures().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    sys.stdout.write(f"written: {FOLDER}\n")


def _owners(mesh: Mesh, spec: P) -> dict[tuple[int, int, int, int], list[int]]:
    """The devices of each box (first and last row, first and last column) of an array of 4 x 8."""
    found = defaultdict(list)
    for device, (rows, columns) in NamedSharding(mesh, spec).devices_indices_map((4, 8)).items():
        found[(*rows.indices(4)[:2], *columns.indices(8)[:2])].append(device.id)
    return dict(found)


def _mesh(left: int, top: int, mesh: Mesh) -> Iterator[str]:
    for i, row in enumerate(mesh.devices):
        yield _text(left - 14, top + i * _CELL + 25, f"i = {i}", "end")
        for j, device in enumerate(row):
            yield _box(left + j * 110, top + i * _CELL, 100, _CELL - 8, _COLOURS[device.id], f"device {device.id}")
    for j in range(mesh.devices.shape[1]):
        yield _text(left + j * 110 + 50, top - 12, f"j = {j}")


def _array(left: int, top: int, owners: dict[tuple[int, int, int, int], list[int]]) -> Iterator[str]:
    for (first, last, begin, end), (device,) in owners.items():
        width, height = (end - begin) * _CELL, (last - first) * _CELL
        yield _box(left + begin * _CELL, top + first * _CELL, width, height, _COLOURS[device], str(device))
    for number in range(8):
        for row in range(4):
            yield (f'<rect x="{left + number * _CELL}" y="{top + row * _CELL}" width="{_CELL}" height="{_CELL}" '
                   'fill="none" stroke="#555555" stroke-width="0.5" stroke-opacity="0.5"/>')


def _axes(left: int, top: int, down: str, across: str) -> Iterator[str]:
    yield _text(left + 4 * _CELL, top - 14, f"{across} →" if across else "columns are not cut: j = 0")
    yield _text(left - 12, top + 2 * _CELL + 5, f"{down} ↓", "end")


def _column(left: int, top: int, owners: dict[tuple[int, int, int, int], list[int]]) -> Iterator[str]:
    for number, (device,) in enumerate(sorted(owners.values())):
        yield _box(left, top + number * 20, 40, 18, _COLOURS[device], "σ")


def _arrow(left: int, middle: int, label: str) -> Iterator[str]:
    width = 7 * len(label) + 10
    yield _text(left + width / 2, middle - 12, label)
    yield (f'<path d="M{left} {middle} h{width - 8} m-8 -6 l8 6 l-8 6" fill="none" stroke="{_GREY}" stroke-width="2"/>')


def _box(x: float, y: float, width: float, height: float, colour: str, label: str) -> str:
    return (f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{colour}" stroke="#555555"/>'
            f'<text x="{x + width / 2:g}" y="{y + height / 2 + 5:g}" text-anchor="middle">{label}</text>')


def _text(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{_GREY}">{text}</text>'


def _svg(width: int, height: int, parts: list[str]) -> str:
    body = "\n".join(parts)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'font-family="sans-serif" font-size="14">\n{body}\n</svg>\n')


if __name__ == "__main__":
    main()
