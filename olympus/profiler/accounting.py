# SPDX-License-Identifier: Apache-2.0
"""Where the time of a profile went: every instant belongs to exactly one row, so that the rows add up to the whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .profile import Profile

# What counts at an instant at which several things are under way: the first of these. What is left is Python's.
_ORDER = (
    ("kernel", "kernels"), ("device", "executions"), ("operation", "operations without a kernel"),
    ("callback", "callbacks"), ("waiting", "waiting for other processes"), ("collective", "collectives"),
    ("compile", "compiling"), ("partition", "partitioning"), ("trace", "tracing"), ("transfer", "transfers"),
    ("execution", "around kernels"), ("call", "calls"), ("ready", "waiting for devices"),
)
PYTHON = "Python between calls"
_BY_LINE = ("kernel", "device", "operation", "callback", "waiting", "collective", "transfer")


class Limits(NamedTuple):
    """What this machine can do at most, measured.

    Args:
        bandwidth: Bytes in a second, read and written.
        arithmetic: Additions or multiplications of float32 in a second, in a matrix product.
    """

    bandwidth: float
    arithmetic: float


class Row(NamedTuple):
    """A row of the table.

    Args:
        what: What the time was spent on.
        line: The user's line; empty for all lines together.
        name: What stands there: kernels' or operations' names; empty for all together.
        seconds: The time in which nothing that comes before it in the order was under way.
        times: How often.
        bytes: Of kernels what they read and wrote.
        work: Of kernels their arithmetic, in additions.
        took: Their time, with what others did at the same time.
    """

    what: str
    line: str
    name: str
    seconds: float
    times: int
    bytes: float = 0.0
    work: float = 0.0
    took: float = 0.0


def rows_of(profile: Profile) -> list[Row]:
    """The table of a process: for each kind of work a row, then its lines, the longest first.

    Args:
        profile: What it has recorded.
    """
    intervals = {kind: _intervals(profile, kind) for kind, _ in _ORDER}
    found: list[Row] = []
    known = np.zeros((0, 2), np.int64)
    total = 0.0
    for kind, words in _ORDER:
        own = intervals[kind]
        before, known = _length(known), _union(np.concatenate([known, own]))
        seconds = (_length(known) - before) / 1e9
        total += seconds
        if not len(own):
            continue
        found.append(Row(words, "", "", seconds, len(own)))
        if kind in _BY_LINE:
            found += _lines(words, seconds, _kernels(profile) if kind == "kernel" else _spans(profile, kind))
    found.append(Row(PYTHON, "", "", profile.seconds - total, 0))
    return found


def _intervals(profile: Profile, kind: str) -> np.ndarray:
    """When something of a kind was under way, cut to the recording."""
    if kind == "kernel":
        found = profile.rows[:, 2:]
    else:
        found = np.array([(s.start, s.end) for s in profile.spans if s.kind == kind], np.int64).reshape(-1, 2)
    found = np.clip(found, profile.start, profile.end)
    return found[found[:, 1] > found[:, 0]]


def _union(intervals: np.ndarray) -> np.ndarray:
    """Disjoint intervals that cover the same instants."""
    if not len(intervals):
        return intervals
    ordered = intervals[np.argsort(intervals[:, 0], kind="stable")]
    ends = np.maximum.accumulate(ordered[:, 1])
    begins = np.concatenate([[True], ordered[1:, 0] > ends[:-1]])
    first = np.flatnonzero(begins)
    last = np.concatenate([first[1:] - 1, [len(ordered) - 1]])
    return np.stack([ordered[first, 0], ends[last]], axis=1)


def _length(disjoint: np.ndarray) -> int:
    return int((disjoint[:, 1] - disjoint[:, 0]).sum())


def _kernels(profile: Profile) -> Iterable[tuple[str, str, int, int, float, float]]:
    """For each kernel its line, name, nanoseconds, executions, bytes and arithmetic."""
    kernels, count = profile.kernels, len(profile.kernels)
    took = np.bincount(profile.rows[:, 0], profile.rows[:, 3] - profile.rows[:, 2], count)
    times = np.bincount(profile.rows[:, 0], minlength=count)
    for i, kernel in enumerate(kernels):
        more, nanoseconds = profile.later.get(i, (0, 0))
        runs = int(times[i]) + more
        if runs:
            yield (kernel.location, kernel.name, int(took[i]) + nanoseconds, runs, float(kernel.bytes * runs),
                   kernel.work * runs)


def _spans(profile: Profile, kind: str) -> Iterable[tuple[str, str, int, int, float, float]]:
    for span in profile.spans:
        if span.kind == kind:
            line = span.location or span.name.partition(" at ")[2]  # waits say it in their label
            yield line, span.name, span.end - span.start, 1, float(span.about.get("bytes", 0)), 0.0


def _lines(what: str, seconds: float, parts: Iterable[tuple[str, str, int, int, float, float]]) -> list[Row]:
    """The time by line; where some were under way together, each has its share."""
    sums: dict[str, list[Any]] = {}
    for line, name, took, count, size, work in parts:
        found = sums.setdefault(line, [{}, 0, 0, 0.0, 0.0])
        found[0][name] = found[0].get(name, 0) + took
        for i, value in enumerate((took, count, size, work), 1):
            found[i] += value
    whole = sum(found[1] for found in sums.values()) or 1
    rows = [
        Row(what, line or "(no line)", _listed(names), seconds * took / whole, count, size, work, took / 1e9)
        for line, (names, took, count, size, work) in sums.items()
    ]
    return sorted(rows, key=lambda row: -row.seconds)


def _listed(names: Mapping[str, int]) -> str:
    """The names of what ran at a line, each once, that which took longest first."""
    ordered = sorted(names, key=names.__getitem__, reverse=True)
    return ", ".join(dict.fromkeys(", ".join(ordered).split(", ")))


def totals(rows: Sequence[Row]) -> list[Row]:
    """The rows that stand for all lines together: their seconds add up to the whole."""
    return [row for row in rows if not row.line]


def share(row: Row, limits: Limits) -> tuple[float, str]:
    """How near kernels come to what the machine can do: the greater share, and of which limit."""
    if not row.took:
        return 0.0, ""
    bandwidth = row.bytes / row.took / limits.bandwidth if limits.bandwidth else 0.0
    arithmetic = row.work / row.took / limits.arithmetic if limits.arithmetic else 0.0
    return max((bandwidth, "of bandwidth"), (arithmetic, "of arithmetic"))


def measured() -> Limits:
    """Measures the limits: by a sum of two arrays that no cache holds, and by a matrix product. Takes some 0.7 s."""
    from time import perf_counter

    from ..numpy import ones
    from ..transforms.jit import jit

    size, edge, least = 1 << 24, 1024, 0.25

    def best(function: Any, *arguments: Any) -> float:
        times: list[float] = []
        end = perf_counter() + least
        while len(times) < 2 or perf_counter() < end:  # others may use the machine, too: the best counts
            begun = perf_counter()
            function(*arguments).block_until_ready()
            times.append(perf_counter() - begun)
        return min(times)

    x, a = ones(size), ones((edge, edge))
    moved = best(jit(lambda x: x + 1), x)
    multiplied = best(jit(lambda a: a @ a), a)
    return Limits(8 * size / moved, 2 * edge**3 / multiplied)
