# SPDX-License-Identifier: Apache-2.0
"""Memory of buffers: unused memory is freed."""

from __future__ import annotations

import numpy as np

from ...context import Context
from ...memory import require_no_growth
from ...requirement import Case, requirement

_SIZE = 1 << 20  # float32: 4 MiB each


@requirement(
    "memory/buffers_returned",
    "The memory of buffers that are deleted, or that nobody holds any more, MUST be used again or given back.",
    why="A program reads more data in a day than the machine has memory.",
    profile="minimal",
    cases=[Case("deleted", {"delete": True}), Case("dropped", {"delete": False})],
)
def buffers_returned(context: Context, delete: bool) -> None:
    """Many times the bound goes through every device, read back now and then."""
    value = context.random.random(_SIZE).astype(np.float32)

    def iteration(i: int) -> None:
        for device in context.devices:
            buffer = context.put(value, device)
            if i % 4 == 0:
                buffer.to_host()
            else:
                buffer.block_until_ready()
            if delete:
                buffer.delete()

    require_no_growth(context, iteration, iterations=60, nbytes=value.nbytes * len(context.devices), what="buffers")


@requirement(
    "memory/copies_returned",
    "The memory of copies on other devices MUST be used again or given back like that of any buffer.",
    why="Arrays are moved between devices in every step of many programs.",
    profile="minimal",
    cases=[Case(needs=("devices:2",))],
)
def copies_returned(context: Context) -> None:
    """The source stays, its copies go."""
    source, *others = context.devices
    buffer = context.put(context.random.random(_SIZE).astype(np.float32), source)

    def iteration(_: int) -> None:
        for device in others:
            copy = buffer.copy_to(device)
            copy.block_until_ready()
            copy.delete()

    require_no_growth(context, iteration, iterations=60, nbytes=4 * _SIZE * len(others), what="copies")
