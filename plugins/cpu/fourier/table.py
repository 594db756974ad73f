# SPDX-License-Identifier: Apache-2.0
"""The entries of the operation table: transforms by the code of this folder, those it has none for by SciPy."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core import dtypes
from olympus_core.program import Operation
from olympus_core.toolkit import Kernel, KernelFactory

from ..native.entry import PARALLEL, Entry, Slots, make_entry
from ..native.entry import Step as Loop
from ..native.linker import BASELINE, OPTIMISED
from ..native.memory import block_array
from ..native.pool import pool
from ..native.routines import first_tier, unit
from ..native.schedule import schedule
from .merging import SEVERAL, steps_of
from .passes import Passes, cuts, fits
from .plan import LANES, LINES

if TYPE_CHECKING:
    from ..compiled.optimiser import Optimiser

_LEAST_FOR_THREADS = 1 << 15  # elements below which starting them costs more than they save
_SECONDS_OF_POINT = 1e-9  # in one pass
_MOST_ITEM = 1 << 23  # bytes of an item that goes through its passes in a cache
_LEAST_LINES = 8  # of an item for each lane, so that few lanes are empty


def native(operation: Operation) -> Kernel:
    """The kernel of transforms along one dimension or several by one native call."""
    steps = steps_of(operation)
    x, result = operation.operands[0].type, operation.results[0].type
    number = dtypes.real_part(x.dtype)
    first = min(step.dimension for step in steps)
    items, inside = math.prod(x.shape[:first]), [step._replace(dimension=step.dimension - first) for step in steps]
    are_cut = cuts(x.shape, steps, number)
    each = Passes(x.shape[first:], inside, are_cut, number)
    seconds = x.size * _SECONDS_OF_POINT
    mode = schedule(x.size, seconds * len(each.found)).mode
    threads = pool().threads if mode == PARALLEL else 1
    fewest = min(one.lines * one.sheets for one in each.found if one.kind == LINES)
    by_items = threads == items == 1 or (
        len(each.found) > 1 and items >= 2 * threads and x.nbytes // items <= _MOST_ITEM
        and fewest >= _LEAST_LINES * LANES[number.itemsize])
    if by_items:
        each.place_items(*(v.size // items * (1 + dtypes.is_complex(v.dtype)) for v in (x, result)))
    else:
        each, items = Passes(x.shape, steps, are_cut, number), 1
    copies, size = threads if by_items else 1, number.itemsize
    scratch, more = (_rounded(n * size) for n in (each.scratch, each.more_scratch))
    workspace = max(one.wide * one.buffer for one in each.found) * 2 * LANES[size] * size
    words = [one.words() for one in each.found]

    def loop(passes: Sequence[np.ndarray], groups: int) -> np.ndarray:
        own = (scratch, more) if by_items else (0, 0)
        return np.array([len(passes), groups, threads, workspace, *own, *(one.ctypes.data for one in passes)], np.int64)

    if by_items:
        loops, totals, seconds = [loop(words, 0)], [items], seconds * len(words)
    else:
        totals = [one.groups for one in each.found]
        loops = [loop([own], total) for own, total in zip(words, totals, strict=True)]
    slots = Slots(1, (result.nbytes,), (scratch * copies, more * copies, workspace * threads, 4 * threads),
                  tuple(one.ctypes.data for one in loops))
    constants = slots.arguments + len(slots.outputs) + len(slots.temporaries)
    tables = [((*range(constants), constants + i),) for i in range(len(loops))]  # in the order of lines.c
    name = f"f{8 * size}"
    chunks = [schedule(total, seconds).chunk if threads > 1 else total for total in totals]

    def made(level: int) -> Entry:
        library = unit(f"lines_{name}", level)
        code = library[f"transform_{name}"]
        plan = [Loop(library["begin"], 1, 1, tables[0])] if threads > 1 else []
        plan += [Loop(code, *one) for one in zip(totals, chunks, tables, strict=True)]
        return make_entry(plan, slots, mode, (words, loops, [one.tables for one in each.found]))

    call = _in_two_tiers(made, first_tier(f"lines_{name}", x.size * _SECONDS_OF_POINT * len(each.found)))
    shape, dtype = result.shape, result.dtype

    def function(x: np.ndarray) -> np.ndarray:
        return block_array(call[0](x if x.flags.c_contiguous else np.ascontiguousarray(x)), shape, dtype)

    return Kernel(function, is_fresh=True)


def _in_two_tiers(made: Callable[[int], Callable[..., Any]], level: int) -> Sequence[Callable[..., Any]]:
    """One call, in whose place an optimised one comes when it is hot.

    Args:
        made: Makes the call with code of a level.
        level: That of the first calls.
    """
    from ..compiled.optimiser import CallCounter  # with the first transform

    call = [made(level)]
    if level == BASELINE:
        renew = partial(operator.setitem, call, 0)
        call[0] = CallCounter(call[0], renew, lambda: _optimiser().submit(lambda: renew(made(OPTIMISED)))).call
    return call


@cache
def _optimiser() -> Optimiser:
    from ..compiled.optimiser import Optimiser

    return Optimiser()


def _rounded(size: int) -> int:
    return -(-size // 64) * 64


def _by_library(operation: Operation) -> Kernel:
    x = operation.operands[0].type
    kind, axis, length = (operation.attributes[name] for name in ("kind", "dimension", "length"))
    rows = math.prod(n for d, n in enumerate(x.shape) if d != axis)

    def run(x: np.ndarray) -> np.ndarray:
        from scipy import fft  # when the first transform runs

        workers = min(rows, pool().threads) if x.size >= _LEAST_FOR_THREADS else 1
        found: np.ndarray = getattr(fft, kind)(x, length, axis, workers=workers)
        return found

    return Kernel(run, is_fresh=True)


def _fft(operation: Operation) -> Kernel | None:
    x, result = operation.operands[0].type, operation.results[0].type
    if not x.size or not result.size:
        return None
    has_code = fits(x.shape, steps_of(operation), dtypes.real_part(x.dtype))
    return native(operation) if has_code else _by_library(operation)


FOURIER: dict[str, KernelFactory] = {"fft": _fft, SEVERAL.name: native}
