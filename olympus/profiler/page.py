# SPDX-License-Identifier: Apache-2.0
"""A profile as one page for a browser: the tables, memory by line and a timeline. It fetches nothing."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .accounting import PYTHON, Limits, Row, share, totals
from .report import notes_of, short, time_text, waits_of

_MOST_EVENTS = 100_000  # in the page; the shortest are left out, and the page says so
# The order of the colours in page.css.
_KINDS = ("kernel", "operation", "callback", "waiting", "collective", "compilation", "transfer", "execution", "call",
          "ready", "annotation", "idle", "event")


def write(content: Mapping[str, Any], path: Path) -> None:
    """Writes the page of a merged trace.

    Args:
        content: What `perfetto.merged` gave.
        path: The file.
    """
    path.write_text(page(content), encoding="utf-8")


def page(content: Mapping[str, Any]) -> str:
    """The page of a merged trace, as text.

    Args:
        content: What `perfetto.merged` gave.
    """
    here = Path(__file__).parent
    metadata = sorted(content["metadata"]["processes"], key=lambda m: m["process"])
    title = f"olympus profile: {metadata[0].get('program', '')}"
    parts = [_process(m, len(metadata) > 1) for m in metadata]
    data = json.dumps(_timeline(content["traceEvents"]), separators=(",", ":")).replace("<", "\\u003c")
    legend = "".join(f'<span class="key"><i class="c{i}"></i>{kind}</span>' for i, kind in enumerate(_KINDS))
    waits = "".join(f"<li>process {one} waited {time_text(s)} for process {other}</li>" for (one, other), s in sorted(
        waits_of(content["traceEvents"]).items(), key=lambda item: -item[1]))
    notes = "".join(f"<p class='note'>{html.escape(note[0].upper() + note[1:])}.</p>" for note in notes_of(metadata))
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title><style>{(here / "page.css").read_text(encoding="utf-8")}</style></head>
<body><h1>{html.escape(title)}</h1>
{f"<ul>{waits}</ul>" if waits else ""}
<h2>Timeline</h2><p class="note">Turn the wheel to zoom, drag to move, double-click to see all.
<span id="left"></span></p><p>{legend}</p>
<div id="frame"><canvas id="timeline"></canvas><div id="tip" hidden></div></div>
{notes}{"".join(parts)}
<script type="application/json" id="data">{data}</script>
<script>{(here / "page.js").read_text(encoding="utf-8")}</script></body></html>
"""


def _process(about: Mapping[str, Any], is_one_of_many: bool) -> str:
    """The tables of a process."""
    rows = [Row(*row) for row in about["table"]]
    limits = Limits(*about["limits"]) if about["limits"] is not None else None
    seconds = about["seconds"] or 1.0
    title = f"Where the time of process {about['process']} went" if is_one_of_many else "Where the time went"
    cells = []
    for row in totals(rows):
        cells.append(_cells(row, seconds, None, "sum"))
        cells += [_cells(r, seconds, limits if r.what == "kernels" else None, "line")
                  for r in rows if r.what == row.what and r.line]
    told = sum(row.seconds for row in totals(rows))
    end = (f"<tr class='sum'><td>all</td><td>{time_text(told)}</td><td>{told / seconds:.1%}</td>"
           "<td colspan=3></td></tr>")
    note = "" if limits is None else (
        f"<p class='note'>Limits, measured at the end: {limits.bandwidth / 1e9:.1f} GB/s, "
        f"{limits.arithmetic / 1e9:.0f} billion float32 operations in a second. "
        "Above 100 % data came from caches, or the machine was busier then.</p>")
    return (f"<h2>{title}</h2>{note}<table><tr><th>what</th><th>time</th><th>share</th><th>count</th><th>limit</th>"
            f"<th>kernels, operations</th></tr>{''.join(cells)}{end}</table>{_memory(about.get('memory') or {})}")


def _cells(row: Row, seconds: float, limits: Limits | None, kind: str) -> str:
    part = row.seconds / seconds
    near = ""
    if limits is not None:
        found, of = share(row, limits)
        near = f"{found:.0%} {of}" if of else ""
    bar = f"<i class='bar' style='width:{min(part, 1.0) * 100:.2f}%'></i>"
    label = row.what if kind == "sum" else short(row.line)
    label = "Python between calls" if row.what == PYTHON else label
    return (f"<tr class='{kind}'><td>{html.escape(label)}</td><td>{time_text(row.seconds)}</td><td class='share'>{bar}"
            f"<b>{part:.1%}</b></td><td>{row.times or ''}</td><td>{near}</td>"
            f"<td>{html.escape(row.name[:200])}</td></tr>")


def _memory(memory: Mapping[str, Any]) -> str:
    """What arrays held at the worst moment, by the lines that made them."""
    lines: Sequence[Sequence[Any]] = memory.get("lines", ())
    if not lines:
        return ""
    peak = memory["peak"] or 1
    rows = "".join(
        f"<tr class='line'><td>{html.escape(short(line) or '(no line)')}</td><td>{size / 2**20:,.1f} MiB</td>"
        f"<td class='share'><i class='bar' style='width:{size / peak * 100:.2f}%'></i><b>{size / peak:.1%}</b></td>"
        f"<td>{count}</td></tr>" for line, size, count in lines)
    return (f"<h2>Memory at its peak: {peak / 2**20:,.1f} MiB in arrays</h2><table><tr><th>line</th><th>bytes</th>"
            f"<th>share</th><th>arrays</th></tr>{rows}</table>")


def _timeline(events: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """What the page's script draws: rows of processes and threads, and spans by numbers."""
    rows: dict[tuple[int, int], int] = {}
    titles: dict[tuple[int, int], str] = {}
    texts: dict[str, int] = {}
    spans = []
    for event in events:
        if event["ph"] == "M":
            if event["name"] == "thread_name":
                titles[event["pid"], event["tid"]] = f"{event['pid']}: {event['args']['name']}"
            continue
        spans.append(event)
    spans.sort(key=lambda e: -e["dur"])
    left, spans = len(spans) - _MOST_EVENTS, spans[:_MOST_EVENTS]
    begin = min((e["ts"] for e in spans), default=0.0)
    for key in sorted({(e["pid"], e["tid"]) for e in spans}):
        rows[key] = len(rows)
    drawn = []
    for event in spans:  # the longest first, so that what is inside of another is drawn over it
        kind = event["cat"] if event["cat"] in _KINDS else "event"
        told = "".join(f"\n{k}: {short(str(v))}" for k, v in event["args"].items() if v not in (None, "", ()))
        text = texts.setdefault(event["name"] + told, len(texts))
        drawn.append([rows[event["pid"], event["tid"]], _KINDS.index(kind), round(event["ts"] - begin, 3),
                      round(event["dur"], 3), text])
    return {"rows": [titles.get(key, str(key)) for key in rows], "spans": drawn, "texts": list(texts),
            "left": max(0, left)}
