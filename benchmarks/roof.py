# SPDX-License-Identifier: Apache-2.0
"""The roofline: what this machine can do at most, what a row needs, and the share that a side reaches of it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from .processes import PROGRAMS, ProgramError, run_to_end

GOAL = 0.85
# The working set that is the memory's: at least so many bytes, and so many times the caches.
_LARGEST, _TIMES = 1 << 27, 4
# Those whose arithmetic is counted and measured.
TYPES = ("float32", "float64", "bfloat16")


@dataclass(frozen=True)
class Demand:
    """What a computation needs at least, whoever does it.

    Attributes:
        read: Bytes of what goes in, each once.
        written: Bytes of what comes out.
        flops: Additions and multiplications, by the type in which they are made.
    """

    read: float
    written: float
    flops: Mapping[str, float] = field(default_factory=dict)

    @property
    def touched(self) -> float:
        """The bytes of the working set."""
        return self.read + self.written


@dataclass(frozen=True)
class Least:
    """The least time that a machine needs for a demand.

    Attributes:
        seconds: The time.
        limit: What it is the time of: a level of the memory, or a type's arithmetic.
    """

    seconds: float
    limit: str


@dataclass(frozen=True)
class Roof:
    """What a machine can do at most, measured.

    Attributes:
        threads: The threads that did it together: as many as olympus computes with.
        read: Bytes a second that are read, by the bytes that are touched again and again.
        copy: The same of bytes that are read and written in equal parts.
        flops: Additions and multiplications a second, two for each multiply-add, by type.
        caches: Bytes of each level of caches, of all processors together; empty where the system does not tell.
        disturbed: The figures of which no round was undisturbed, such as ``float32`` and ``read 32768``: they may be
            too low, and shares of them too high.
    """

    threads: int
    read: Mapping[int, float]
    copy: Mapping[int, float]
    flops: Mapping[str, float]
    caches: Mapping[str, int] = field(default_factory=dict)
    disturbed: frozenset[str] = frozenset()

    @staticmethod
    def parse(text: str, caches: Mapping[str, int] | None = None) -> Roof:
        """What `programs/roof.py` has printed."""
        found = json.loads(text)
        read, copy = ({int(size): rate for size, rate in found[name].items()} for name in ("read", "copy"))
        return Roof(found["threads"], read, copy, found["flops"], caches or {}, frozenset(found["disturbed"]))

    def together(self, other: Roof) -> Roof:
        """The most of two measurements: what disturbs the machine makes it slower, never quicker."""
        read, copy, flops = (
            {key: max(mine.get(key, 0.0), its.get(key, 0.0)) for key in {**mine, **its}}
            for mine, its in ((self.read, other.read), (self.copy, other.copy), (self.flops, other.flops)))
        return Roof(self.threads, read, copy, flops, self.caches, self.disturbed & other.disturbed)

    def bandwidth(self, touched: float, written: float = 0.0) -> float:
        """Bytes a second, read and written, of a working set.

        Args:
            touched: Its bytes.
            written: Those of them that are written. More than half cost as much as half.
        """
        share = min(1.0, 2 * written / touched) if touched else 0.0
        return 1 / ((1 - share) / _at(self.read, touched) + share / _at(self.copy, touched))

    def level(self, touched: float) -> str:
        """The level of the memory that holds a working set."""
        return next((name for name, size in self.caches.items() if touched <= size), "memory")

    def least(self, demand: Demand) -> Least:
        """The least time for a demand: of its bytes, or of its arithmetic, whichever takes longer.

        Bytes and arithmetic may overlap; the arithmetic of several types may not, as the same units do it.
        """
        moving = demand.touched / self.bandwidth(demand.touched, demand.written) if demand.touched else 0.0
        times = {name: count / self._peak(name) for name, count in demand.flops.items() if count}
        computing = sum(times.values())
        if computing > moving:
            return Least(computing, max(times, key=lambda name: times[name]))
        return Least(moving, self.level(demand.touched))

    def _peak(self, name: str) -> float:
        # A type without instructions of its own is computed as float32.
        return self.flops.get(name, self.flops["float32"])

    def describe(self) -> str:
        """The figures in a line."""
        levels = [(name, _at(self.read, size / 2), _at(self.copy, size / 2)) for name, size in self.caches.items()]
        largest = max(self.read)
        levels.append(("memory", self.read[largest], self.copy[largest]))
        moved = ", ".join(f"{name} {read / 1e9:.0f} ({copy / 1e9:.0f})" for name, read, copy in levels)
        made = ", ".join(f"{name} {rate / 1e9:.0f}" for name, rate in self.flops.items())
        told = f"{self.threads} threads read (copy) GB/s: {moved}; multiply and add GFLOP/s: {made}"
        if self.disturbed:
            told += f"; DISTURBED, shares may be too high: {', '.join(sorted(self.disturbed))}"
        return told


def _at(rates: Mapping[int, float], size: float) -> float:
    """The rate at a size, between two measured ones by its logarithm.

    A smaller working set is never slower than a larger one: where it was measured so, it was disturbed.
    """
    sizes = sorted(rates)
    most = [max(rates[other] for other in sizes[k:]) for k in range(len(sizes))]
    if size <= sizes[0]:
        return most[0]
    for k in range(1, len(sizes)):
        if size <= sizes[k]:
            share = math.log(size / sizes[k - 1]) / math.log(sizes[k] / sizes[k - 1])
            return 1 / ((1 - share) / most[k - 1] + share / most[k])
    return most[-1]


def measured(python: str, caches: Mapping[str, int]) -> Roof:
    """Measures this machine, in a process of its own.

    Args:
        python: The interpreter that has olympus.
        caches: What the system tells of the caches.

    Raises:
        ProgramError: The program failed, or printed something else.
    """
    largest = max(_LARGEST, _TIMES * max(caches.values(), default=0))
    _, (output,) = run_to_end([[python, str(PROGRAMS / "roof.py"), str(largest)]], {}, 120.0)
    try:
        return Roof.parse(output.strip().splitlines()[-1], caches)
    except (IndexError, KeyError, ValueError) as error:
        raise ProgramError(f"printed no roof:\n{output[-1000:]}") from error
