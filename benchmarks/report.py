# SPDX-License-Identifier: Apache-2.0
"""One result as text, and all of them as JSON for programs."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from .measure import Result, quartiles
from .roof import GOAL, Demand, Roof

_VERDICTS = {True: "met", False: "MISSED", None: "open"}


def table(result: Result, roof: Roof | None = None) -> str:
    """One benchmark: a line for each side, a line for each bar, and what the machine needs at least."""
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
    least = result.least(roof)
    if least is not None:
        shares = ", ".join(f"{side} {number(result.share(side, roof) or 0.0)}" for side in result.medians)
        peers = result.share("peer", roof)
        past = f"; a ratio below {number(peers)} is past the roof" if peers else ""
        lines.append(
            f"  at least {amount(least.seconds * 1e6, 'µs')} ({least.limit}); share of the roof: {shares}; "
            f"goal: {GOAL:g}{past}")
    elif callable(case.demand) and isinstance(result.demand, str):
        lines.append(f"  no share of the roof: {result.demand}")
    return "\n".join(lines)


def as_data(machine: Mapping[str, str], results: Sequence[Result], roof: Roof | None = None) -> dict[str, Any]:
    """Everything that was measured, each sample too."""
    return {
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        **machine,
        **({} if roof is None else {"measured roof": {**asdict(roof), "disturbed": sorted(roof.disturbed)}}),
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
                "roof": _share(result, roof),
                "bars": [
                    {"text": b.text, "figure": result.figure(b), "limit": b.limit, "unit": b.unit, "met": result.met(b)}
                    for b in result.case.bars
                ],
            }
            for result in results
        ],
    }


def _share(result: Result, roof: Roof | None) -> dict[str, Any]:
    """What a row needs at least, and the sides' shares; or why there are none."""
    least = result.least(roof)
    if not isinstance(result.demand, Demand) or least is None:
        return {"none": result.demand if isinstance(result.demand, str) else "no roof was measured"}
    shares = {side: result.share(side, roof) for side in result.medians}
    return {"demand": asdict(result.demand), "seconds": least.seconds, "limit": least.limit, "goal": GOAL,
            "shares": shares}


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
