# SPDX-License-Identifier: Apache-2.0
"""One result as text, and all of them as JSON for programs."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .measure import Result, quartiles

_VERDICTS = {True: "met", False: "MISSED", None: "open"}


def table(result: Result) -> str:
    """One benchmark: a line for each side, then a line for each bar."""
    case = result.case
    lines = [f"{case.name}: {case.title}"]
    for side in case.sides:
        values = result.samples.get(side)
        if values is None:
            lines.append(f"  {side:<14} FAILED")
            lines += [f"    {line}" for line in result.failures.get(side, "no sample").splitlines()]
            continue
        first, third = quartiles(values)
        lines.append(
            f"  {side:<14} {amount(statistics.median(values), case.unit):>9} "
            f"quartiles {amount(first, case.unit)} to {amount(third, case.unit)}, "
            f"least {amount(min(values), case.unit)}, {len(values)} rounds"
        )
    for bar in case.bars:
        figure, met = result.figure(bar), result.met(bar)
        line = f"  {bar.text} = " + ("not measured" if figure is None else f"{number(figure)} {bar.unit}".strip())
        if bar.limit is not None:
            line += f"; bar: at most {bar.limit:g} {bar.unit}".rstrip() + f"; {_VERDICTS[met]}"
        lines.append(line)
    return "\n".join(lines)


def as_data(machine: Mapping[str, str], results: Sequence[Result]) -> dict[str, Any]:
    """Everything that was measured, each sample too."""
    return {
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        **machine,
        "benchmarks": [
            {
                "name": result.case.name,
                "title": result.case.title,
                "row": result.case.row,
                "unit": result.case.unit,
                "medians": result.medians,
                "quartiles": {side: quartiles(values) for side, values in result.samples.items()},
                "samples": result.samples,
                "failures": result.failures,
                "load": result.load,
                "bars": [
                    {"text": b.text, "figure": result.figure(b), "limit": b.limit, "unit": b.unit, "met": result.met(b)}
                    for b in result.case.bars
                ],
            }
            for result in results
        ],
    }


def write(folder: Path, name: str, text: str, data: Any) -> Path:
    """Writes the table and the data beside each other; where the table is."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    path = folder / f"{name}.txt"
    path.write_text(text + "\n", encoding="utf-8")
    return path


def number(value: float) -> str:
    """A number with three digits that count."""
    if abs(value) >= 100:
        return f"{value:.0f}"
    return f"{value:.{2 if abs(value) < 1 else 3}g}"


def amount(value: float, unit: str) -> str:
    """A number and its unit; microseconds and milliseconds in the unit that people would choose."""
    steps = ("µs", "ms", "s")
    if unit in steps:
        step = steps.index(unit)
        while abs(value) >= 1000 and step < 2:
            value, step = value / 1000, step + 1
        unit = steps[step]
    return f"{number(value)} {unit}"
