# SPDX-License-Identifier: Apache-2.0
"""Prefetching in serial loops: loads of several iterations are issued before their results are used.

The loads of `prefetch_distance` iterations then overlap, instead of each waiting for the one before.
"""

from __future__ import annotations

from collections.abc import Sequence

from olympus_core.toolkit.c_text import Nests, Writer, steady
from olympus_core.toolkit.loops import Load, Loop

from .functions import storage_type
from .scans import scan_of

_BYTES = 32  # of prefetched elements for each thread
_MOST = 8  # iterations


def prefetched_loads(loop: Loop, nests: Nests) -> tuple[Load, ...]:
    """The loads that may be issued before the stores of earlier iterations; empty where prefetching does not pay."""
    if loop.kind != "serial" or any(isinstance(s, Loop) for s in loop.body) or loop.extent < _MOST:
        return ()
    nest = nests.nest(loop)
    if nest is None:
        scan = scan_of(loop, nests)
        nest = scan.nest if scan is not None else None
    if nest is None:
        return ()
    return tuple(a for a in steady(nest) if isinstance(a, Load) and a.at.stride(loop.index))


def prefetch_distance(loads: Sequence[Load]) -> int:
    """For how many iterations loads are issued at once: a power of two."""
    count = _MOST
    while count > 1 and count * sum(load.parameter.dtype.itemsize for load in loads) > _BYTES:
        count //= 2
    return count


def emit_prefetched_loop(w: Writer, loads: Sequence[Load], loop: Loop) -> None:
    """Writes a loop over groups of iterations, each with its loads first, then a loop over the remainder."""
    count, first = prefetch_distance(loads), w.index(loop.index)
    for reduction in loop.reductions:
        w.declare(reduction.result, w.start(reduction), const=False)
    for recurrence in loop.recurrences:
        w.declare(recurrence.result, w.scalar(recurrence.initial), const=False)
    with w.block():
        w.line(f"{w.index_type} {first} = 0;")
        w.indices[loop.index] = f"({first} + {count - 1})"
        until = f" && {w.condition(loop.until)}" if loop.until is not None else ""
        with w.block(f"for (; {first} + {count} <= {loop.extent}{until}; {first} += {count})"):
            names = [f"l{number}" for number in range(len(loads))]
            for load, name in zip(loads, names, strict=True):
                w.line(f"{storage_type(load.parameter.dtype)} {name}[{count}];")
            w.indices[loop.index] = f"{first}_"
            w.line("#pragma unroll")
            with w.block(f"for (int u = 0; u < {count}; ++u)"):
                w.line(f"const {w.index_type} {first}_ = {first} + u;")
                for load, name in zip(loads, names, strict=True):
                    head = f"if ({w.scalar(load.when)}) " if load.when is not None else ""
                    if head:
                        w.line(f"{name}[u] = {{}};")
                    w.line(f"{head}{name}[u] = {w.element(load)};")
                    w.given[load] = f"{name}[u]"
            w.line("#pragma unroll")
            with w.block(f"for (int u = 0; u < {count}; ++u)"):
                w.line(f"const {w.index_type} {first}_ = {first} + u;")
                w.iteration(loop)
            for load in loads:
                del w.given[load]
        w.indices[loop.index] = first
        has_remainder = loop.extent % count != 0 or loop.until is not None
        if has_remainder:
            until = f" && {w.condition(loop.until)}" if loop.until is not None else ""
            with w.block(f"for (; {first} < {loop.extent}{until}; ++{first})"):
                w.iteration(loop)
    w.closed(loop)
