# SPDX-License-Identifier: Apache-2.0
"""All results in one table: for the terminal, and as Markdown for the documentation."""

from __future__ import annotations

import io
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from .measure import Bar, Result, quartiles
from .report import amount, number
from .roof import GOAL, Roof

_STYLES = {"met": "green", "MISSED": "bold red", "FAILED": "bold red"}
_SHARE = f"of the roof ({GOAL:g})"


@dataclass(frozen=True)
class Line:
    """One line of the table.

    Attributes:
        name: The benchmark's name.
        title: What is measured.
        row: Its heading.
        olympus: Median and spread.
        peer: The same of the peer.
        numpy: The same of NumPy.
        figure: The bar's figure; a ratio's with the spread of those of the rounds.
        ratio: Whether the figure is a ratio to the peer.
        value: The figure as a number; None when it was not measured.
        limit: The most that it may be.
        verdict: ``met``, ``MISSED``, ``FAILED``, or nothing.
        share: The share of the roof that olympus reaches; None where there is none.
        peers_share: The same of the peer.
        roof: What the roof is there: a level of the memory, or a type's arithmetic.
    """

    name: str
    title: str
    row: str
    olympus: str
    peer: str
    numpy: str
    figure: str
    ratio: bool
    value: float | None
    limit: float | None
    verdict: str
    share: float | None = None
    peers_share: float | None = None
    roof: str = ""

    @property
    def shares(self) -> tuple[str, str]:
        """The shares as the table shows them: olympus's with what the roof is, and the peer's."""
        mine = "" if self.share is None else f"{number(self.share)} {self.roof}"
        return mine, "" if self.peers_share is None else number(self.peers_share)


def lines(results: Sequence[Result], roof: Roof | None = None) -> list[Line]:
    """A line for the first bar of each result, which has the shares of the roof, and one for each further limit."""
    found = [
        _line(result, bar, None if i else roof) for result in results for i, bar in enumerate(result.case.bars)
        if not i or bar.limit is not None
    ]
    # The run is ordered by server; the table by heading.
    headings = list(dict.fromkeys(line.row for line in found))
    return sorted(found, key=lambda line: headings.index(line.row))


def count(found: Sequence[Line]) -> str:
    """How many bars are met, missed, and not measured."""
    verdicts = [line.verdict for line in found if line.limit is not None]
    told = f"{verdicts.count('met')} of {len(verdicts)} bars met, {verdicts.count('MISSED')} missed"
    failed = verdicts.count("FAILED")
    told += f", {failed} without a figure" if failed else ""
    shares = [line.share for line in found if line.share is not None]
    if shares:
        told += f"; {sum(share >= GOAL for share in shares)} of {len(shares)} rows with a roof reach {GOAL:g} of it"
    return told


def terminal(found: Sequence[Line], where: Mapping[str, str], width: int = 150) -> str:
    """The table for the terminal, plain text without colours."""
    console = Console(file=io.StringIO(), width=width, color_system=None)
    _print(console, found, where)
    return console.file.getvalue()  # type: ignore[attr-defined]


def show(found: Sequence[Line], where: Mapping[str, str]) -> None:
    """Prints the table, with colours where the terminal has them."""
    _print(Console(width=max(Console().width, 130)), found, where)


def _print(console: Console, found: Sequence[Line], where: Mapping[str, str]) -> None:
    for key, text in where.items():
        console.print(Text(f"{key}: {text}"))
    table = Table(box=SIMPLE, pad_edge=False)
    has_shares = any(line.share is not None for line in found)
    further = (_SHARE, "peer's") if has_shares else ()
    for heading in ("name", "what", "olympus", "peer", "NumPy", "figure", "bar", "", *further):
        right = heading in ("olympus", "peer", "NumPy", "figure", "bar", *further)
        table.add_column(
            heading, justify="right" if right else "left", overflow="fold", no_wrap=heading == _SHARE)
    for row, group in _grouped(found):
        table.add_row(Text(row, style="bold"))
        for line in group:
            bar = "" if line.limit is None else f"≤ {line.limit:g}"
            cells = (line.name, line.title, line.olympus, line.peer, line.numpy, line.figure, bar)
            shares = [Text(text) for text in line.shares] if has_shares else []
            if line.share is not None and line.share >= GOAL:
                shares[0].stylize("green")
            table.add_row(*map(Text, cells), Text(line.verdict, style=_STYLES.get(line.verdict, "")), *shares)
        table.add_section()
    console.print(table)
    console.print(Text(count(found)))


def markdown(found: Sequence[Line]) -> str:
    """The table in Markdown, a table for each heading."""
    text = []
    for row, group in _grouped(found):
        members = list(group)
        has_shares = any(line.share is not None for line in members)
        headings = ("olympus", "peer", "NumPy", "olympus / peer", "bar", *((_SHARE, "peer's") if has_shares else ()))
        text += [f"| {' | '.join((row, *headings))} |", "|---" * (1 + len(headings)) + "|"]
        for line in members:
            bar = "" if line.limit is None else f"{line.limit:g}: {line.verdict.lower()}"
            cells = (line.title, line.olympus, line.peer, line.numpy, line.figure, bar,
                     *(line.shares if has_shares else ()))
            text.append("| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |")
        text.append("")
    return "\n".join([*text, count(found), ""])


def _grouped(found: Sequence[Line]) -> Iterator[tuple[str, Iterator[Line]]]:
    return groupby(found, key=lambda line: line.row)


def _line(result: Result, bar: Bar, roof: Roof | None) -> Line:
    case = result.case
    first = "olympus" if "olympus" in case.sides else next(iter(case.sides))
    figure, met = result.figure(bar), result.met(bar)
    shown = "" if figure is None else f"{number(figure)} {bar.unit}".strip()
    # Figures other than ratios to the peer need a label.
    is_ratio = bar.text == "olympus / peer"
    if is_ratio and figure is not None:
        shown += _spread([a / b for a, b in zip(result.samples["olympus"], result.samples["peer"], strict=False)])
    title = case.title if is_ratio else f"{case.title}; {bar.text}"
    least = result.least(roof)
    verdict = {True: "met", False: "MISSED", None: ""}[met]
    return Line(
        name=case.name, title=title, row=case.row, olympus=_cell(result, first), peer=_cell(result, "peer"),
        numpy=_cell(result, "numpy"), figure=shown, ratio=is_ratio, value=figure, limit=bar.limit,
        verdict="FAILED" if figure is None else verdict, share=result.share("olympus", roof),
        peers_share=result.share("peer", roof), roof=least.limit if least is not None else "",
    )


def _cell(result: Result, side: str) -> str:
    """A side's median, and half of the distance of its quartiles as a share of it."""
    if side not in result.case.sides:
        return ""
    values = result.samples.get(side)
    if not values:
        return "failed: " + result.failures.get(side, "no sample").strip().splitlines()[0][:60]
    return amount(statistics.median(values), result.case.unit) + _spread(values)


def _spread(values: Sequence[float]) -> str:
    median = statistics.median(values)
    first, third = quartiles(values)
    return f" ±{(third - first) / 2 / abs(median):.0%}" if median and len(values) > 1 else ""
