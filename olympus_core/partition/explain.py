# SPDX-License-Identifier: Apache-2.0
"""What a partitioned program says to the devices' links, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from olympus_core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class CollectiveUse:
    """One collective of a partitioned program.

    Args:
        operation: The collective's name.
        location: The user's line that it comes from, if known.
        axes: The mesh axes whose devices talk.
        bytes_per_device: What each device receives, each time.
        devices: How many devices take part, of all groups together.
        why: What it is needed for.
        times: How often a call runs it; None inside a loop whose length is not known beforehand.
    """

    operation: str
    location: str | None
    axes: tuple[str, ...]
    bytes_per_device: int
    devices: int
    why: str
    times: int | None = 1

    @property
    def bytes_in_all(self) -> int:
        """What all devices receive together, each time."""
        return self.bytes_per_device * self.devices


class HasCollectives(Protocol):
    """What `format_collectives` needs: a `Partitioned`."""

    @property
    def collectives(self) -> Sequence[CollectiveUse]:
        """The collectives, in order."""


def format_collectives(partitioned: HasCollectives) -> str:
    """A table of the collectives of a partitioned program.

    Args:
        partitioned: The result of `partition` or `reshard_program`.

    Returns:
        One line for each collective: operation, source line, axes, bytes per device and in all, and why; then
        the totals. A sentence when there are none.
    """
    uses = partitioned.collectives
    if not uses:
        return "no collectives: the devices do not talk"
    heads = ("operation", "line", "axes", "bytes per device", "bytes in all", "why")
    rows = [
        (
            use.operation + ("" if use.times == 1 else " (each iteration)" if use.times is None else f" x{use.times}"),
            use.location or "-", ",".join(use.axes), f"{use.bytes_per_device:,}", f"{use.bytes_in_all:,}", use.why,
        )
        for use in uses
    ]
    widths = [max(len(row[i]) for row in (heads, *rows)) for i in range(len(heads))]
    lines = [_line(heads, widths), _line(["-" * width for width in widths], widths)]
    lines += [_line(row, widths) for row in rows]
    total = sum(use.bytes_per_device * (use.times or 1) for use in uses)
    everybody = sum(use.bytes_in_all * (use.times or 1) for use in uses)
    turns = " (of loops of unknown length: one iteration)" if any(use.times is None for use in uses) else ""
    lines.append(f"total: {total:,} bytes per device, {everybody:,} in all{turns}")
    return "\n".join(lines)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    right = {3, 4}
    return "  ".join(
        cell.rjust(width) if i in right else cell.ljust(width)
        for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ).rstrip()
