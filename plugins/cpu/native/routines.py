# SPDX-License-Identifier: Apache-2.0
"""Routines: code written in C for one operation, such as a decomposition or a sort, that runs by words of its own.

A routine is a kernel. Its table holds the address of its words, then those of operands, of results and of its
workspace, so that it can stand among other kernels, in loops too, and be called by the operation table all the same.
"""

from __future__ import annotations

import ctypes
import os
import re
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from olympus_core.dataclass import dataclass
from olympus_core.program import Operation, Value

from .cache import ObjectCache
from .entry import PARALLEL, RELEASED
from .lapack import address
from .linker import BASELINE, OPTIMISED, Library, is_cached, link
from .memory import allocator
from .pool import pool
from .runtime import object_cache
from .schedule import schedule

# From so many seconds on optimised code, which LLVM makes 20 to 100 ms later, saves more than it costs.
_LONG_SECONDS = 1e-2
_FLOATS = ("f32", "f64")
_SMALL = ("cholesky", "triangular_solve", "lu", "eigh", "eigvalsh")


class _Unit(NamedTuple):
    """A text beside which its C files stand, with the functions that others call, but for those of other floats."""

    folder: str
    file: str
    functions: tuple[str, ...]
    others: tuple[str, ...] = ()


_UNITS = {
    "batches": _Unit("linear_algebra", "batches", ("batch",)),
    "small": _Unit("linear_algebra", "small", tuple(f"{name}_{kind}" for name in _SMALL for kind in _FLOATS)),
    "sorts": _Unit("sorting", "sorts", ("sort_lines",)),
    "greatest": _Unit("sorting", "greatest", ("greatest_of_lines",)),
    **{f"lines_{kind}": _Unit("fourier", "lines", ("begin", f"transform_{kind}"), tuple({*_FLOATS} - {kind}))
       for kind in _FLOATS},
}
# The libraries that they become: the numbers of these stand in stored calls.
UNITS = tuple((name, level) for name in _UNITS for level in (BASELINE, OPTIMISED))


# Of units that are being compiled; a child of fork must not inherit one that another thread held.
_locks: defaultdict[tuple[str, int], threading.Lock] = defaultdict(threading.Lock)
os.register_at_fork(after_in_child=_locks.clear)


def unit(name: str, level: int) -> Library:
    """The code of one of the texts, waited for where another thread compiles it.

    Threads of the pool may run it at any time, so it is never unloaded.
    """
    with _locks[name, level]:
        return _made(name, level)


@cache
def _made(name: str, level: int) -> Library:
    c_library = ctypes.CDLL(None)
    found = {name: ctypes.cast(getattr(c_library, name), ctypes.c_void_p).value or 0
             for name in ("memcpy", "memset")}
    made = link(_text(name), _UNITS[name].functions, found, level, object_cache()).make_immortal()
    _linked.add((name, level))
    return made


_linked: set[tuple[str, int]] = set()  # the texts whose code is there, with its level


@cache
def _text(name: str) -> str:
    unit = _UNITS[name]
    text = (Path(__file__).parent.parent / unit.folder / f"{unit.file}.ll").read_text()
    for other in unit.others:
        text = re.sub(rf"^define [^(]*_{other}\(.*?^}}\n", "", text, flags=re.MULTILINE | re.DOTALL)
    return text


def first_tier(name: str, seconds: float) -> int:
    """The level of the first calls' code: optimised where it is available or worth waiting for.

    Args:
        name: The text.
        seconds: About how long one execution runs it.
    """
    is_there = (name, OPTIMISED) in _linked or is_cached(_text(name), OPTIMISED, object_cache())
    return OPTIMISED if is_there or seconds >= _LONG_SECONDS else BASELINE


@dataclass(frozen=True, eq=False)
class Routine:
    """A function over a range, such as the matrices of a batch.

    Args:
        unit: The text that has its code.
        function: Its name there.
        words: What it reads, without the addresses of functions.
        functions: Places of the words that hold the address of a function of LAPACK or BLAS, with its name.
        total: The length of the range.
        chunk: The part of the range of one call, the same on every machine.
        workspace: Bytes that all calls need together.
        seconds: About how long the range takes in one thread.
    """

    unit: str
    function: str
    words: np.ndarray
    functions: tuple[tuple[int, str], ...]
    total: int
    chunk: int
    workspace: int
    seconds: float

    def kernel(self, level: int) -> int:
        """The address of its code of a level."""
        return unit(self.unit, level)[self.function]

    def first_tier(self, iterations: float) -> int:
        """The level of the first calls' code: optimised where it is available or worth waiting for.

        Args:
            iterations: How often one execution runs it.
        """
        return first_tier(self.unit, self.seconds * iterations)

    @property
    def is_to_be_made(self) -> bool:
        """Whether the code of its first calls is not there yet."""
        return not {(self.unit, BASELINE), (self.unit, OPTIMISED)} & _linked

    def compile_jobs(self, cache: ObjectCache | None) -> Iterator[Callable[[], object]]:
        """Jobs for a compile thread: the code of its first calls.

        Args:
            cache: Not used: routines are kept with the runtime.
        """
        yield partial(self.kernel, self.first_tier(1.0))

    @cached_property
    def bound(self) -> np.ndarray:
        """The words with the addresses of functions."""
        return bound(self.words, self.functions)

    def run(self, operands: Sequence[np.ndarray], results: Sequence[np.ndarray], level: int = OPTIMISED) -> None:
        """Calls its code of a level for row-major arrays, over the pool's threads."""
        work = allocator().take(self.workspace) if self.workspace else None
        table = np.array([x.ctypes.data for x in (self.bound, *operands, *results)]
                         + ([] if work is None else [work.address]), np.int64)
        pool().parallel_for(self.kernel(level), table.ctypes.data, self.total, self.chunk)

    def mode(self, tables: int) -> int:
        """How an entry of as many runs calls it."""
        found = schedule(self.total, self.seconds * tables, tables).mode
        is_one = tables == 1 and self.chunk >= self.total
        return RELEASED if is_one and found == PARALLEL else found


def bound(words: np.ndarray, functions: Sequence[tuple[int, str]]) -> np.ndarray:
    """Words with the addresses of functions of LAPACK or BLAS in their places."""
    found = words.copy()
    for place, name in functions:
        found[place] = address(name)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class RoutineStep:
    """A routine in a group of kernels.

    Args:
        inputs: The operands.
        outputs: The results.
        routine: What computes them.
        reusable: Always empty: results cannot overwrite operands.
        name: The operation.
        location: The user's line.
    """

    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    routine: Routine
    reusable: tuple[tuple[int, int], ...] = ()
    name: str = "routine"
    location: str | None = None

    @property
    def addresses(self) -> tuple[int, ...]:
        """Of its words."""
        return (int(self.routine.bound.ctypes.data),)

    @property
    def memory(self) -> tuple[int, ...]:
        """Bytes of each temporary: its workspace."""
        return (self.routine.workspace,) if self.routine.workspace else ()


def routine_step(operation: Operation, routine: Routine | None) -> RoutineStep | None:
    """The step of an operation that is a routine."""
    return None if routine is None else RoutineStep(
        operation.operands, operation.results, routine, (), operation.name, operation.location)
