# SPDX-License-Identifier: Apache-2.0
"""The client: what it declares and measures, and that it can be opened and closed, also next to another."""

from __future__ import annotations

import os
import threading

import numpy as np

from olympus_core import dtypes
from olympus_core.ops import OPERATIONS
from olympus_core.plugin import Capabilities

from ...checks import require, require_equal, require_same_bits
from ...context import Context
from ...requirement import requirement

_FIGURES = ("bytes_in_use", "bytes_limit", "peak_bytes_in_use")


@requirement(
    "client/capabilities",
    "A client MUST declare its abilities as a `Capabilities`: element types and operations of the contract, and truth "
    "values; and they MUST NOT change.",
    why="What is declared is used without asking again.",
    profile="minimal",
)
def capabilities(context: Context) -> None:
    """Types of all fields."""
    declared = context.client.capabilities
    require(isinstance(declared, Capabilities), observed=f"capabilities is a {type(declared).__name__}",
            required="a Capabilities")
    unknown = [d for d in declared.dtypes if not isinstance(d, np.dtype) or d not in dtypes.ALL]
    require(isinstance(declared.dtypes, frozenset) and not unknown,
            observed=f"the element types are a {type(declared.dtypes).__name__} with the unknown {unknown}",
            required="a frozenset of the contract's element types")
    if declared.operations is not None:
        strange = sorted(declared.operations - set(OPERATIONS))
        require(isinstance(declared.operations, frozenset) and not strange,
                observed=f"the operations are a {type(declared.operations).__name__} with the unknown {strange}",
                required="None, or a frozenset of names of operations")
    for what in ("donation", "asynchronous", "multi_process", "dlpack"):
        value = getattr(declared, what)
        require(isinstance(value, bool), observed=f"{what} is {value!r}", required="True or False")
    require_equal(context.client.capabilities, context.capabilities, "what is declared now")


@requirement(
    "client/memory_stats",
    "`memory_stats` MUST give a mapping from names, whose figures in bytes are integers that are not negative, with a "
    "peak that is not below what is in use.",
    why="Users decide by these figures what fits on a device.",
    profile="minimal",
)
def memory_stats(context: Context) -> None:
    """On every device, with a buffer there."""
    for device in context.devices:
        buffer = context.put(np.ones(1000, np.float32), device)
        stats = context.client.memory_stats(device)
        require(isinstance(stats, dict) and all(isinstance(name, str) for name in stats),
                observed=f"memory_stats gave {stats!r}", required="a mapping from names")
        for name in _FIGURES:
            value = stats.get(name, 0)
            require(isinstance(value, int) and not isinstance(value, bool) and value >= 0,
                    observed=f"{name} is {value!r}", required="an integer, 0 or more")
        if "peak_bytes_in_use" in stats and "bytes_in_use" in stats:
            require(stats["peak_bytes_in_use"] >= stats["bytes_in_use"],
                    observed=f"{stats['peak_bytes_in_use']} at most and {stats['bytes_in_use']} now",
                    required="a peak that is not lower")
        buffer.delete()


@requirement(
    "client/synchronize",
    "`synchronize` MUST return when nothing is under way any more, also where nothing ever was; then every buffer MUST "
    "be ready.",
    why="Measurements and the end of a program wait by it.",
    profile="minimal",
)
def synchronize(context: Context) -> None:
    """Twice with nothing to do, once with buffers."""
    context.client.synchronize()
    buffers = [context.put(np.full((100, 100), i, np.float32), d) for d in context.devices for i in range(4)]
    context.client.synchronize()
    context.client.synchronize()
    for buffer in buffers:
        require(buffer.is_ready() is True, observed="a buffer is not ready after synchronize", required="ready")


@requirement(
    "client/two_at_once",
    "Two clients of a platform that are open at once MUST NOT see each other's contents, and closing one MUST leave "
    "the other working.",
    why="A test or a notebook opens the platform again while another part of the process still uses it.",
    profile="minimal",
)
def two_at_once(context: Context) -> None:
    """Different contents on devices that look alike, read after the other client is gone."""
    mine = [np.full(1000, i, np.int32) for i in range(8)]
    here = [context.put(x) for x in mine]
    other = context.open_again()
    try:
        there = [other.client.buffer_from_host(-1 - x, other.devices[0]) for x in mine]
        for x, a, b in zip(mine, here, there, strict=True):
            require_same_bits(a.to_host(), x, "the first client's buffer")
            require_same_bits(b.to_host(), -1 - x, "the second client's buffer")
    finally:
        other.close()
    for x, a in zip(mine, here, strict=True):
        require_same_bits(a.to_host(), x, "the first client's buffer after the second client is closed")
    require_same_bits(context.put(mine[3]).to_host(), mine[3], "a new buffer after the second client is closed")


@requirement(
    "client/close_returns",
    "`close` MUST give back what `open` took: threads and files MUST NOT become more with each client that is opened "
    "and closed.",
    why="A process that opens a platform for each of its jobs ends when it has no files or threads left.",
    profile="minimal",
)
def close_returns(context: Context) -> None:
    """The first rounds may fill caches; after that nothing may grow."""

    def round_trip() -> None:
        session = context.open_again()
        session.client.buffer_from_host(np.ones(10, np.float32), session.devices[0]).to_host()
        session.close()

    for _ in range(2):
        round_trip()
    before = _held()
    rounds = 8
    for _ in range(rounds):
        round_trip()
    after = _held()
    for what, count in after.items():
        grown = count - before[what]
        require(grown < rounds // 2, observed=f"{rounds} clients, opened and closed, left {grown} more {what}",
                required="none")


def _held() -> dict[str, int]:
    held = {"threads": threading.active_count()}
    for what, folder in (("files", "/proc/self/fd"), ("system threads", "/proc/self/task")):
        if os.path.isdir(folder):  # elsewhere Python's own threads are all that can be counted
            held[what] = len(os.listdir(folder))
    return held
