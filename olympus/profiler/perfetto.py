# SPDX-License-Identifier: Apache-2.0
"""A profile as a trace: the JSON of Chrome's trace events, which Perfetto, TensorBoard and Chrome read.

The format: "Trace Event Format", Google, 2016, which Perfetto documents among those that it imports.
"""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from olympus_core import monitoring

from .profile import Profile, threads_of

_EXECUTIONS = 1 << 20  # the row of executions, beside those of threads
_PIECE = 10_000  # events that are written at a time
_MOST_LINES = 50  # that hold memory
_IDLE_NS = 10_000  # from which on a pause between executions is told
_CATEGORIES = {"trace": "compilation", "partition": "compilation", "compile": "compilation", "device": "execution"}


def events_of(profile: Profile) -> list[dict[str, Any]]:
    """A process's events; times are microseconds since `epoch_of`.

    Args:
        profile: What it has recorded.
    """
    rows, process, offset = threads_of(profile), profile.process, profile.offset - epoch_of(profile)
    title = f"process {process} on {profile.host}"
    found: list[dict[str, Any]] = [{"name": "process_name", "ph": "M", "pid": process, "args": {"name": title}}]
    found.append({"name": "process_sort_index", "ph": "M", "pid": process, "args": {"sort_index": process}})
    shown = {_EXECUTIONS: "executions",
             **{row: profile.threads.get(thread, f"thread {thread}") for thread, row in rows.items()}}
    found += ({"name": "thread_name", "ph": "M", "pid": process, "tid": row, "args": {"name": name}}
              for row, name in shown.items())

    def event(name: str, kind: str, row: int, start: int, end: int, about: Mapping[str, Any]) -> dict[str, Any]:
        return {"name": name, "cat": _CATEGORIES.get(kind, kind), "ph": "X", "pid": process, "tid": row,
                "ts": (start + offset) / 1e3, "dur": (end - start) / 1e3, "args": dict(about)}

    busy: list[tuple[int, int]] = []
    for span in profile.spans:
        about = {k: v for k, v in span.about.items() if k not in ("by_line", "name") or span.kind == "annotation"}
        if span.location:
            about["line"] = span.location
        row = rows[span.thread]
        if span.kind in ("execution", "device"):
            busy.append((span.start, span.end))
            row = _EXECUTIONS
        found.append(event(span.name, span.kind, row, span.start, span.end, about))
    abouts = [{"line": k.location, "bytes": k.bytes, "additions": k.work} for k in profile.kernels]
    found += (event(profile.kernels[kernel].name, "kernel", rows[thread], start, end, abouts[kernel])
              for kernel, thread, start, end in profile.rows.tolist())
    last = profile.start
    for start, end in sorted(busy):
        if start - last > _IDLE_NS:
            found.append(event("idle", "idle", _EXECUTIONS, last, start, {}))
        last = max(last, end)
    return found


def epoch_of(profile: Profile) -> int:
    """The time of day, in nanoseconds, that a trace's times count from: the full hour before the recording."""
    hour = 3_600_000_000_000
    return (profile.start + profile.offset) // hour * hour


def content_of(profile: Profile, about: Mapping[str, Any]) -> dict[str, Any]:
    """A process's trace.

    Args:
        profile: What it has recorded.
        about: What else is to stand in the file.
    """
    counters = {name: [counter.count, counter.total] for name, counter in sorted(monitoring.counters().items())}
    return {"displayTimeUnit": "ns", "traceEvents": events_of(profile), "metadata": {
        "epoch_ns": epoch_of(profile), "process": profile.process, "processes": profile.processes,
        "job": profile.job, "number": profile.number, "host": profile.host, "seconds": profile.seconds,
        "counters": counters, "dropped_spans": profile.dropped, "is_complete": profile.is_complete,
        "without_kernels": profile.unseen, "memory": memory_of(profile), **about}}


def memory_of(profile: Profile) -> dict[str, Any]:
    """What arrays held at the worst moment that was seen: the bytes, and for each line its bytes and arrays."""
    sums: dict[str, list[int]] = {}
    for one in profile.peak:
        found = sums.setdefault(one.line, [0, 0])
        found[0] += one.size
        found[1] += one.arrays
    lines = [[line, *found] for line, found in sorted(sums.items(), key=lambda item: -item[1][0])]
    return {"peak": sum(one.size for one in profile.peak), "lines": lines[:_MOST_LINES]}


def write(content: Mapping[str, Any], path: str) -> None:
    """Writes a trace, whole or not at all.

    Args:
        content: The trace.
        path: The file, which ends in ``.json.gz``.
    """
    unfinished = f"{path}.{os.getpid()}"
    with gzip.open(unfinished, "wt", encoding="utf-8", compresslevel=3) as file:
        # A piece at a time: `json.dump` is ten times slower than `encode`, and the whole text may be large.
        encode = json.JSONEncoder(default=str).encode
        events = content["traceEvents"]
        file.write('{"traceEvents": [')
        for first in range(0, len(events), _PIECE):
            file.write((", " if first else "") + encode(events[first:first + _PIECE])[1:-1])
        rest = encode({name: value for name, value in content.items() if name != "traceEvents"})
        file.write(f"], {rest[1:]}")
    os.replace(unfinished, path)


def read(path: str | os.PathLike[str]) -> dict[str, Any]:
    """A trace that was written.

    Args:
        path: The file.
    """
    with gzip.open(path, "rt", encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)
    return found


def file_name(host: str, process: int) -> str:
    """The name under which a process's trace is written."""
    return f"{re.sub(r'[^A-Za-z0-9_.-]', '_', host)}.{process}.trace.json.gz"


def merged(contents: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The traces of several processes as one, with who waited for whom.

    Args:
        contents: What `content_of` gave for each.
    """
    epoch = min(c["metadata"]["epoch_ns"] for c in contents)
    events: list[dict[str, Any]] = []
    for content in contents:
        shift = (content["metadata"]["epoch_ns"] - epoch) / 1e3
        events += [{**e, "ts": e["ts"] + shift} if "ts" in e else dict(e) for e in content["traceEvents"]]
    name_the_awaited(events)
    return {"displayTimeUnit": "ns", "traceEvents": events, "metadata": {
        "epoch_ns": epoch, "processes": [c["metadata"] for c in contents]}}


def name_the_awaited(events: Sequence[dict[str, Any]]) -> None:
    """Writes into each wait for other processes for whom it was, and for how long.

    The waits of one launch are matched by their order; the process that came last is the one that the others
    waited for.
    """
    meetings: dict[tuple[Any, ...], dict[int, dict[str, Any]]] = {}
    counts: dict[tuple[Any, ...], int] = {}
    for event in sorted((e for e in events if e.get("cat") == "waiting" and e["args"].get("processes")),
                        key=lambda e: e["ts"]):
        launch = (event["pid"], tuple(event["args"]["processes"]), event["args"]["launch"], event["name"])
        number = counts[launch] = counts.get(launch, -1) + 1
        meetings.setdefault((*launch[1:], number), {})[event["pid"]] = event
    for (processes, *_), met in meetings.items():
        if len(met) < len(processes):  # one of them recorded nothing
            continue
        last = max(met, key=lambda p: met[p]["ts"])
        arrival = met[last]["ts"]
        for process, event in met.items():
            waited = max(0.0, min(arrival, event["ts"] + event["dur"]) - event["ts"])
            event["args"]["waited_for"] = None if process == last else last
            event["args"]["waited_us"] = waited if process != last else 0.0
