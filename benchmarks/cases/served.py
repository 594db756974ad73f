# SPDX-License-Identifier: Apache-2.0
"""The common part of the rows whose programs are works of `programs/works/`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from benchmarks.measure import Bar, Case, Sample, Setup, ratio
from benchmarks.roof import TYPES, Demand
from benchmarks.servers import Kind

# Microseconds that a sample lasts at least: long beside what the clock and the request disturb.
_SAMPLE = 10_000.0
_MOST_CALLS = 100_000


@contextmanager
def serve(
    side: str, kind: Kind, work: str, arguments: Mapping[str, Any], setup: Setup, *, compared: bool = False,
) -> Iterator[Sample]:
    """Opens a work in a side's server; each sample gives the microseconds of one of many calls.

    With `compared` the sides' results are compared with each other.
    """
    python = setup.python_of(side)

    def time(count: int) -> float:
        return setup.servers.ask(side, kind, python, {"do": "time", "count": count})

    request = {"do": "open", "work": work, "with": dict(arguments)}
    if compared:
        request["against"] = setup.servers.folder(request)
    once = setup.servers.ask(side, kind, python, request)
    count = 1
    try:
        while once * count < _SAMPLE / 2 and count < _MOST_CALLS:
            # At most tenfold at a time: the first calls are slower than those that will be measured.
            count = min(_MOST_CALLS, count * 10, max(count + 1, int(_SAMPLE / once)))
            once = time(count)
        yield lambda: time(count)
    finally:
        setup.servers.forget(side)


def demand(kind: Kind, setup: Setup) -> Demand:
    """What the work that olympus's server holds needs at least, counted there from its arrays and its program."""
    def of(name: str) -> float:
        return setup.servers.ask("olympus", kind, setup.python, {"do": "demand", "of": name})

    return Demand(of("read"), of("written"), {name: of(name) for name in TYPES})


def case(
    name: str, title: str, row: str, limit: float | None, work: str, arguments: Mapping[str, Any] | None = None,
    kind: Kind | None = None, sides: Sequence[str] = ("olympus", "peer", "numpy"), bars: Sequence[Bar] = (),
    in_quick: bool = True, extra: Mapping[str, Any] | None = None, rounds: int = 31, uncounted: str = "",
) -> Case:
    """A row of olympus beside the others.

    Args:
        name: Its name.
        title: What is measured.
        row: Its heading.
        limit: The most that olympus over the peer may be.
        work: The work's name.
        arguments: Its arguments.
        kind: What the processes are like.
        sides: Who runs it.
        bars: Bars beside the ratio.
        in_quick: Whether it belongs to the quick run.
        extra: More sides, by name what opens them.
        rounds: Samples of each side.
        uncounted: Why what it needs at least is not counted; nothing where it is.
    """
    kind = kind or Kind()
    if kind.platform is not None:
        uncounted = uncounted or "the roof is that of the processors, not of a GPU"
    opened = {side: partial(serve, side, kind, work, arguments or {}) for side in sides}
    return Case(
        name=name, title=title, unit="µs", row=row, sides={**opened, **(extra or {})},
        bars=(ratio("olympus", "peer", limit), *bars), rounds=rounds, quick_rounds=7, warmups=2, seconds=4.0,
        in_quick=in_quick, demand=uncounted or partial(demand, kind),
    )
