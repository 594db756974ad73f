# SPDX-License-Identifier: Apache-2.0
"""What collectives are made of: phases in which processes send each other blocks of bytes."""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np

from olympus_core.dataclass import dataclass, field
from olympus_core.plugin import Group

from .reduce import tree_blocks

Block = np.ndarray  # one dimension, uint8, contiguous


@dataclass(slots=True)
class Phase:
    """Blocks that are on their way at the same time.

    Between two processes the blocks of a direction arrive in the order in which they stand here; both sides
    know all sizes beforehand. Empty blocks are not sent.

    Args:
        sends: ``(process, block)``; not written to until the communication has ended: it may have to be sent again.
        receives: ``(process, block)`` to be filled.
    """

    sends: list[tuple[int, Block]] = field(default_factory=list)
    receives: list[tuple[int, Block]] = field(default_factory=list)

    def send(self, process: int, array: np.ndarray) -> None:
        """Adds an array to send; it is copied only where it is not contiguous."""
        if array.nbytes:
            self.sends.append((process, as_bytes(np.ascontiguousarray(array))))

    def receive(self, process: int, array: np.ndarray) -> None:
        """Adds a contiguous array to be filled."""
        if array.nbytes:
            self.receives.append((process, as_bytes(array)))

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to wait for."""
        return not self.sends and not self.receives


# A communication under way: asks for one phase after another, then gives one array for each local member.
Steps = Generator[Phase, None, list[np.ndarray]]


def as_bytes(array: np.ndarray) -> Block:
    """The memory of a contiguous array."""
    return array.reshape(-1).view(np.uint8)


class Members:
    """A group, process by process, as one process sees it.

    Attributes:
        size: Number of members.
        processes: The group's processes, ascending.
        positions: For each of them the positions of its members, ascending.
        trees: For each of them the subtrees of a reduction that it can do alone.
        index: This process's index among the processes of the group.
        mine: Positions of this process's members.
        others: Indices of the other processes, beginning with the next one, so that not all send to the same.
        index_of: For each position the index of the process that owns it.

    Args:
        here: This process's index.
        owners: For each position the process that owns it.
    """

    __slots__ = ("index", "index_of", "mine", "others", "positions", "processes", "size", "trees")

    def __init__(self, here: int, owners: Sequence[int]) -> None:
        self.size = len(owners)
        self.processes = tuple(sorted(set(owners)))
        self.positions = tuple(tuple(i for i, o in enumerate(owners) if o == p) for p in self.processes)
        self.trees = tuple(tree_blocks(self.size, positions) for positions in self.positions)
        self.index = self.processes.index(here)
        self.mine = self.positions[self.index]
        count = len(self.processes)
        self.others = tuple((self.index + i) % count for i in range(1, count))
        self.index_of = tuple(self.processes.index(o) for o in owners)

    @classmethod
    def of(cls, group: Group) -> Members:
        """The members of a group of which this process owns at least one."""
        here = next(d.process_index for d in group.devices if d.is_addressable)
        return cls(here, [d.process_index for d in group.devices])


def gather_rows(members: Members, row: Block, sizes: Sequence[int]) -> Generator[Phase, None, list[Block]]:
    """Every process gets every process's bytes, in a number of phases that grows like the logarithm.

    Args:
        members: The group.
        row: This process's bytes.
        sizes: Number of bytes of every process.

    Returns:
        The bytes of every process, by its index.
    """
    count, index = len(members.processes), members.index
    held = [row]  # rows of the processes index, index + 1, ...
    while len(held) < count:
        distance = len(held)
        number = min(distance, count - distance)
        phase = Phase()
        phase.send(members.processes[(index - distance) % count], np.concatenate(held[:number]))
        fresh = [(index + distance + i) % count for i in range(number)]
        into = np.empty(sum(sizes[i] for i in fresh), np.uint8)
        phase.receive(members.processes[(index + distance) % count], into)
        yield phase
        start = 0
        for i in fresh:
            held.append(into[start : start + sizes[i]])
            start += sizes[i]
    return [held[(i - index) % count] for i in range(count)]
