# SPDX-License-Identifier: Apache-2.0
"""Benchmarks whose samples are given, not measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from benchmarks.measure import Bar, Case, Result, Sample, Setup, ratio
from benchmarks.processes import ProgramError
from benchmarks.roof import Demand, Roof

# 2 GB/s of whatever size, 1 GFLOP/s.
ROOF = Roof(1, {1000: 2e9, 1_000_000: 2e9}, {1000: 2e9, 1_000_000: 2e9}, {"float32": 1e9})


@contextmanager
def open_fake(side: str, values: Sequence[float | str], log: list[str], setup: Setup) -> Iterator[Sample]:
    """Gives the values one after the other; a text is an error. An error in the first place is one of opening."""
    if values and values[0] == "closed":
        raise ProgramError("did not open")
    rest = iter(values)

    def sample() -> float:
        log.append(side)
        value = next(rest)
        if isinstance(value, str):
            raise ProgramError(value)
        return value

    yield sample
    log.append(f"{side} closed")


def fake_case(sides: dict[str, Sequence[float | str]], log: list[str] | None = None, **options: Any) -> Case:
    log = [] if log is None else log
    settings: dict[str, Any] = {
        "name": "fake", "title": "a fake", "unit": "µs", "bars": (ratio("olympus", "peer", 0.5),), "rounds": 3,
        "quick_rounds": 2, "warmups": 1, **options,
    }
    return Case(sides={side: partial(open_fake, side, values, log) for side, values in sides.items()}, **settings)


def fake_result(
    olympus: Sequence[float], peer: Sequence[float], bars: Sequence[Bar] = (ratio("olympus", "peer", 0.5),),
    demand: Demand | str = "none", **options: Any,
) -> Result:
    samples = {side: list(values) for side, values in (("olympus", olympus), ("peer", peer)) if values}
    failures = {side: "it fell\nand more" for side in ("olympus", "peer") if side not in samples}
    return Result(fake_case({"olympus": olympus, "peer": peer}, bars=bars, **options), samples, failures, demand=demand)
