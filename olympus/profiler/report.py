# SPDX-License-Identifier: Apache-2.0
"""The table that people want first, as text."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from .accounting import PYTHON, Limits, Row, share, totals

_LINES = 12  # of a kind of work that are shown
_LEAST = 0.002  # of the whole, below which a line is not shown


def short(line: str) -> str:
    """A line without the folder that the program was started in."""
    here = os.getcwd() + os.sep
    return line.removeprefix(here)


def time_text(seconds: float) -> str:
    """A time in the unit that suits it."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.1f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f} us"


def text_of(rows: Sequence[Row], seconds: float, limits: Limits | None) -> str:
    """The table of a process.

    Args:
        rows: Its rows.
        seconds: How long was recorded.
        limits: What the machine can do; None where it was not measured.
    """
    lines: list[tuple[str, ...]] = [("where the time went", "time", "share", "count", "limit", "what")]
    whole = seconds or 1.0
    for row in totals(rows):
        lines.append((row.what, time_text(row.seconds), f"{row.seconds / whole:.1%}", str(row.times or ""), "", ""))
        mine = [r for r in rows if r.what == row.what and r.line]
        shown = [r for i, r in enumerate(mine[:_LINES]) if not i or r.seconds >= _LEAST * whole]
        for r in shown:
            near = ""
            if limits is not None and r.what == "kernels":
                part, of = share(r, limits)
                near = f"{part:.0%} {of}" if of and r.took else ""
            lines.append((f"  {short(r.line)}", time_text(r.seconds), f"{r.seconds / whole:.1%}", str(r.times), near,
                          r.name[:60]))
        left = mine[len(shown):]
        if left and shown:
            lines.append((f"  {len(left)} more", time_text(sum(r.seconds for r in left)),
                          f"{sum(r.seconds for r in left) / whole:.1%}", str(sum(r.times for r in left)), "", ""))
    told = sum(row.seconds for row in totals(rows))
    lines.append(("all", time_text(told), f"{told / whole:.1%}", "", "", ""))
    text = _aligned(lines)
    if limits is not None:
        text += (f"\nlimits, measured at the end: {limits.bandwidth / 1e9:.1f} GB/s, "
                 f"{limits.arithmetic / 1e9:.0f} billion float32 operations/s"
                 "\nabove 100 % data came from caches, or the machine was busier then")
    return text


def text_of_all(content: Mapping[str, Any]) -> str:
    """The tables of a merged trace: of all processes, and of the first one by lines.

    Args:
        content: What `perfetto.merged` gave.
    """
    metadata = sorted(content["metadata"]["processes"], key=lambda m: m["process"])
    first = metadata[0]
    limits = Limits(*first["limits"]) if first["limits"] is not None else None
    text = text_of([Row(*row) for row in first["table"]], first["seconds"], limits)
    if len(metadata) > 1:
        every = processes_text(metadata, waits_of(content["traceEvents"]))
        text = f"{every}\n\nprocess {first['process']}\n{text}"
    return "\n".join([text, *notes_of(metadata)])


def notes_of(metadata: Sequence[Mapping[str, Any]]) -> list[str]:
    """What the tables do not show, in words.

    Args:
        metadata: What each process's trace says of itself.
    """
    silent = sorted({platform for m in metadata for platform in m["without_kernels"]})
    found = [f"of kernels on {platform} nothing is told, since the platform records none: its rows are executions"
             for platform in silent]
    for m in metadata:
        if m["dropped_spans"]:
            found.append(f"process {m['process']}: {m['dropped_spans']} spans are not in it, for there were too many")
        if not m["is_complete"]:
            found.append(f"process {m['process']}: not all executions had ended when the profile did")
    return found


def processes_text(metadata: Sequence[Mapping[str, Any]], waits: Mapping[tuple[int, int], float]) -> str:
    """A table with a row for each process, and who waited for whom.

    Args:
        metadata: What each process's trace says of itself.
        waits: For pairs of processes for how many seconds the first waited for the second.
    """
    tables = {m["process"]: {r.what: r for r in totals([Row(*row) for row in m["table"]])} for m in metadata}
    kinds = list(dict.fromkeys(what for table in tables.values() for what in table if what != PYTHON)) + [PYTHON]
    lines: list[tuple[str, ...]] = [("process", "all", *kinds)]
    for m in sorted(metadata, key=lambda m: m["process"]):
        table = tables[m["process"]]
        lines.append((str(m["process"]), time_text(m["seconds"]),
                      *(time_text(table[k].seconds) if k in table else "" for k in kinds)))
    text = _aligned(lines)
    for (one, other), seconds in sorted(waits.items(), key=lambda item: -item[1]):
        text += f"\nprocess {one} waited {time_text(seconds)} for process {other}"
    return text


def waits_of(events: Sequence[Mapping[str, Any]]) -> dict[tuple[int, int], float]:
    """Who waited for whom, and for how many seconds, of merged events."""
    found: dict[tuple[int, int], float] = {}
    for event in events:
        other = event.get("args", {}).get("waited_for")
        if other is not None and event["args"]["waited_us"] > 0:
            key = event["pid"], other
            found[key] = found.get(key, 0.0) + event["args"]["waited_us"] / 1e6
    return found


def _aligned(lines: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    last = len(widths) - 1
    out = []
    for line in lines:
        cells = [cell.ljust(width) if i == 0 or i >= 4 and last == 5 else cell.rjust(width)
                 for i, (cell, width) in enumerate(zip(line, widths, strict=True))]
        out.append("  ".join(cells).rstrip())
    out.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(out)
