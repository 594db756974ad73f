# SPDX-License-Identifier: Apache-2.0
"""Benchmarks, and running their sides alternately."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field

from .processes import ProgramError
from .roof import Demand, Least, Roof
from .servers import Servers

Sample = Callable[[], float]
_SECONDS = {"µs": 1e-6, "ms": 1e-3, "s": 1.0}


@dataclass(frozen=True)
class Setup:
    """The settings that all benchmarks of one run share.

    Attributes:
        python: The interpreter that has olympus.
        peer_python: The interpreter that has the peer.
        quick: Whether a rough figure is enough.
        servers: The programs that serve more than one benchmark.
    """

    python: str
    peer_python: str
    quick: bool = False
    servers: Servers = field(default_factory=Servers)

    def python_of(self, side: str) -> str:
        """The interpreter that a side runs with."""
        return self.peer_python if side == "peer" else self.python


@dataclass(frozen=True)
class Bar:
    """A figure made of the sides' medians, and the most that it may be.

    Attributes:
        text: The figure in words, such as ``olympus / peer``.
        figure: Computes it.
        limit: The most that it may be; None when it is only shown.
        unit: Its unit.
    """

    text: str
    figure: Callable[[Mapping[str, float]], float]
    limit: float | None = None
    unit: str = ""


def ratio(side: str, other: str, limit: float | None = None) -> Bar:
    """One side's median over another's."""
    return Bar(f"{side} / {other}", lambda medians: medians[side] / medians[other], limit)


def at_most(side: str, limit: float, unit: str) -> Bar:
    """One side's median."""
    return Bar(side, lambda medians: medians[side], limit, unit)


def difference(side: str, other: str, limit: float, unit: str) -> Bar:
    """One side's median less another's."""
    return Bar(f"{side} - {other}", lambda medians: medians[side] - medians[other], limit, unit)


@dataclass(frozen=True)
class Case:
    """One benchmark.

    Attributes:
        name: Its name, for ``--only``.
        title: What is measured.
        unit: The samples' unit.
        sides: For each side what opens it: inside of the context, each call gives one sample.
        bars: What must hold.
        rounds: Samples of each side.
        quick_rounds: The same for ``--quick``.
        warmups: Rounds that are thrown away.
        row: The heading that it stands under in the table.
        least: Rounds that are run even when the time is over.
        seconds: The time after which no round begins, warm-ups not counted; None for no such time.
        in_quick: Whether ``--quick`` runs it.
        demand: Asks what the row needs at least, while its sides are open; or why there is no honest count of it.
    """

    name: str
    title: str
    unit: str
    sides: Mapping[str, Callable[[Setup], AbstractContextManager[Sample]]]
    bars: Sequence[Bar]
    rounds: int
    quick_rounds: int
    warmups: int = 1
    row: str = "other"
    least: int = 5
    seconds: float | None = None
    in_quick: bool = True
    demand: Callable[[Setup], Demand] | str = "not the time of a kernel"


@dataclass
class Result:
    """The result of one benchmark.

    Attributes:
        case: The benchmark.
        samples: The samples of each side, in the order of the rounds.
        failures: The error of each side that failed.
        load: The machine's load when it was over: how many threads wanted to run, over a minute. Its own count too.
        demand: What it needs at least, or why that is not known.
    """

    case: Case
    samples: dict[str, list[float]] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    load: float = 0.0
    demand: Demand | str = "not measured"

    @property
    def medians(self) -> dict[str, float]:
        """The median of each side that was measured."""
        return {side: statistics.median(values) for side, values in self.samples.items()}

    def figure(self, bar: Bar) -> float | None:
        """A bar's figure; None when a side that it needs was not measured."""
        try:
            return bar.figure(self.medians)
        except KeyError:
            return None

    def met(self, bar: Bar) -> bool | None:
        """Whether a bar holds; None when it has no limit or no figure."""
        figure = self.figure(bar)
        return None if figure is None or bar.limit is None else figure <= bar.limit

    def least(self, roof: Roof | None) -> Least | None:
        """The least time that a machine needs for it; None where that is not known."""
        return None if roof is None or isinstance(self.demand, str) else roof.least(self.demand)

    def share(self, side: str, roof: Roof | None) -> float | None:
        """The share of the roof that a side reaches; None where it has none."""
        least, median = self.least(roof), self.medians.get(side)
        return None if least is None or median is None else least.seconds / (median * _SECONDS[self.case.unit])


def quartiles(values: Sequence[float]) -> tuple[float, float]:
    """The first and the third quartile."""
    if len(values) < 2:
        return values[0], values[0]
    first, _, third = statistics.quantiles(values, n=4, method="inclusive")
    return first, third


def run(case: Case, setup: Setup) -> Result:
    """Runs a benchmark with its sides alternating, so that a temporary disturbance affects all of them.

    A side that fails is left out from there on; its samples are dropped.
    """
    result = Result(case)
    with ExitStack() as stack:
        samplers: dict[str, Sample] = {}
        for side, opener in case.sides.items():
            try:
                samplers[side] = stack.enter_context(opener(setup))
            except ProgramError as error:
                result.failures[side] = str(error)
        result.demand = _demand(case, setup)
        least = min(case.least, 3) if setup.quick else case.least
        seconds = (case.seconds or float("inf")) / (3 if setup.quick else 1)
        started = 0.0
        for number in range(case.warmups + (case.quick_rounds if setup.quick else case.rounds)):
            if number == case.warmups:
                started = time.monotonic()
            if number >= case.warmups + least and time.monotonic() - started > seconds:
                break
            for side in in_turn(tuple(samplers), number):
                try:
                    value = samplers[side]()
                except ProgramError as error:
                    result.failures[side] = str(error)
                    del samplers[side]
                    result.samples.pop(side, None)
                    continue
                if number >= case.warmups:
                    result.samples.setdefault(side, []).append(value)
    result.load = os.getloadavg()[0]
    return result


def in_turn(sides: Sequence[str], number: int) -> tuple[str, ...]:
    """A round's order of sides: each comes after different ones, as it finds the caches that the one before left."""
    return tuple(sides) if number % 2 == 0 else (*sides[:1], *sides[:0:-1])


def _demand(case: Case, setup: Setup) -> Demand | str:
    if isinstance(case.demand, str):
        return case.demand
    try:
        return case.demand(setup)
    except ProgramError as error:
        return f"not counted: {error}"
