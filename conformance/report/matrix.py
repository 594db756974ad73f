# SPDX-License-Identifier: Apache-2.0
"""Tables of results: operations, collectives and other requirements by element type."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from olympus_core import dtypes, ops

from ..outcome import Status
from .schema import Result
from .words import WORST, split

_PROCESSES = re.compile(r"(\d+) process(es)?\Z")
_DTYPES = [str(dtype) for dtype in dtypes.ALL]

ANY = "any"  # the column of results without an element type
Position = tuple[str, tuple[str, str]]  # row; column's group and name


@dataclass(frozen=True, slots=True)
class Matrix:
    """A table of results.

    Args:
        title: Its title.
        rows: The rows' names.
        columns: The columns' groups and names; those of one group are adjacent.
        cells: The results at a row and a column.
    """

    title: str
    rows: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]
    cells: Mapping[Position, tuple[Result, ...]]


def worst(results: Iterable[Result]) -> Status:
    """The status that represents several results."""
    return min((result.status for result in results), key=WORST.index)


def matrices(results: Iterable[Result]) -> list[Matrix]:
    """The tables that are not empty."""
    listed = list(results)
    found = [
        _matrix("Operations and element types", listed, _operation),
        _matrix("Collectives, element types and processes", listed, _collective),
        _matrix("Other requirements and element types", listed, _other),
    ]
    return [matrix for matrix in found if matrix.rows]


def _matrix(title: str, results: list[Result], position_of: Callable[[Result], Position | None]) -> Matrix:
    cells: dict[Position, list[Result]] = {}
    for result in results:
        where = position_of(result)
        if where is not None:
            cells.setdefault(where, []).append(result)
    columns = sorted({column for _, column in cells}, key=_column_order)
    rows = sorted({row for row, _ in cells})
    return Matrix(title, tuple(rows), tuple(columns), {where: tuple(held) for where, held in cells.items()})


def _column_order(column: tuple[str, str]) -> tuple[int, int, str]:
    group, name = column
    return _order(group), _order(name), name.rjust(12)  # so that 2 processes come before 10


def _order(name: str) -> int:
    """The order of element types, after results without one."""
    return _DTYPES.index(name) if name in _DTYPES else -1


def _operation(result: Result) -> Position | None:
    area, _, parts = split(result.id)
    if area != "operations":
        return None
    names = [part for part in parts if part in ops.OPERATIONS]
    kinds = [part for part in parts if part in _DTYPES]
    return (names[0], ("", kinds[0] if kinds else ANY)) if names else None


def _collective(result: Result) -> Position | None:
    area, name, parts = split(result.id)
    if area != "collectives":
        return None
    kinds = [part for part in parts if part in _DTYPES]
    jobs = [part for part in parts if _PROCESSES.match(part)]
    rest = [part for part in parts if part not in kinds and part not in jobs]
    count = _PROCESSES.match(jobs[0]) if jobs else None
    return " ".join([name, *rest]), (kinds[0] if kinds else ANY, count[1] if count else "1")


def _other(result: Result) -> Position | None:
    area, name, parts = split(result.id)
    kinds = [part for part in parts if part in _DTYPES]
    return (f"{area}/{name}", ("", kinds[0])) if kinds and area not in ("operations", "collectives") else None
