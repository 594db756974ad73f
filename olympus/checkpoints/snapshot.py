# SPDX-License-Identifier: Apache-2.0
"""A tree at the moment of a save: its structure, what this process holds of it in host memory, and who writes what."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import described
from olympus_core.errors.checkpoints import CheckpointLeafError
from olympus_core.placement import Layout, NamedSharding, Sharding, sharding_of
from olympus_core.placement.boxes import Box, part_numbers

from ..array import is_concrete
from ..transforms.calls import place
from ..trees.paths import keystr
from .chunks import Grid, Writers, chunk_shape, holders, part_of
from .elements import dtype_of, stored_as
from .manifest import ARRAYS, KEY_KINDS, ArrayRecord, Record, ValueRecord
from .outline import Leaf, decoded, encoded, outline_of
from .store import cut


@dataclass(slots=True)
class Held:
    """An array of the tree, and what this process has of it.

    Args:
        number: Its number among the leaves.
        record: What the manifest says of it.
        parts: Into how many parts each dimension is sharded.
        owners: For each part the processes that hold it; empty until that is known.
        home: The process that holds all of it, where one does: its own copy, or the only one there is.
        content: By number of the part its elements, in host memory.
        writers: For each chunk the process that writes it.
    """

    number: int
    record: ArrayRecord
    parts: tuple[int, ...]
    owners: list[tuple[int, ...]]
    home: int | None
    content: dict[int, np.ndarray] = field(default_factory=dict)
    writers: list[int] = field(default_factory=list)

    @property
    def grid(self) -> Grid:
        """Its chunks."""
        return self.record.grid

    def chunks_of(self, process: int) -> Iterator[tuple[tuple[int, ...], np.ndarray]]:
        """The index and the content of each chunk that this process writes."""
        grid = self.grid
        along = [max(1, count // cut_) for count, cut_ in zip(grid.counts, self.parts, strict=True)]
        for index, writer in zip(grid.indices(), self.writers, strict=True):
            if writer == process:
                content = self.content[part_of(index, along, self.parts)]
                yield index, cut(content, grid.box(index), self._part_box(index, along))

    def _part_box(self, index: tuple[int, ...], along: list[int]) -> Box:
        found = []
        for i, step, size, count in zip(index, along, self.record.shape, self.parts, strict=True):
            part = i // step if count > 1 else 0
            found.append((part * (size // count), (part + 1) * (size // count)))
        return tuple(found)


@dataclass(slots=True)
class Snapshot:
    """A tree at the moment of a save.

    Args:
        outline: Its structure.
        leaves: What the manifest says of its leaves.
        arrays: Its arrays.
        process: This process.
        count: The number of processes.
    """

    outline: Any
    leaves: list[Record]
    arrays: list[Held]
    process: int
    count: int
    _writers: Writers = field(init=False, repr=False)

    @property
    def homes(self) -> dict[str, int]:
        """For each array that one process holds all of, which one; this process's own where it is left out."""
        return {str(array.number): array.home for array in self.arrays
                if array.home is not None and array.home != self.process}

    @property
    def local(self) -> list[Held]:
        """The arrays that one process holds all of."""
        return [array for array in self.arrays if array.home is not None]

    def digest(self) -> str:
        """Equal in processes that save the same: structure, types, shardings, and values that are no arrays."""
        return _digest([self.outline, self.leaf_digests()])

    def _facts(self, number: int) -> list[Any]:
        """What all processes must say alike of a leaf."""
        leaf = self.leaves[number]
        if isinstance(leaf, ValueRecord):
            return [leaf.path, leaf.value]
        return [leaf.path, leaf.kind, leaf.type, leaf.weak, leaf.sharding, leaf.chunk]

    def outline_digest(self) -> str:
        """Equal in processes whose trees have the same structure."""
        return _digest([self.outline, len(self.leaves)])

    def leaf_digests(self) -> list[str]:
        """For each leaf a text that is equal in processes where the leaf is alike."""
        # Who holds which part decides who writes it.
        owners = {array.number: array.owners for array in self.arrays if array.home is None}
        return [_digest([self._facts(number), owners.get(number)])[:16] for number in range(len(self.leaves))]

    def words(self, number: int) -> str:
        """What is saved of a leaf, in words."""
        leaf = self.leaves[number]
        return repr(decoded(leaf.value)) if isinstance(leaf, ValueRecord) else f"{leaf.type}, {leaf.sharding}"

    def content_digests(self) -> dict[str, str]:
        """For each array of which every process has its own copy, a digest of the copy."""
        return {str(array.number): _content_digest(array.content) for array in self.local
                if len(array.owners[0]) == self.count > 1}

    def assign_local(self, homes: list[dict[str, int]]) -> None:
        """Decides who writes the arrays that one process holds all of, once it is known which all have.

        Args:
            homes: Every process's `homes`.

        Raises:
            CheckpointLeafError: When an array is one process's for some and their own for others.
        """
        for array in self.local:
            said = {found.get(str(array.number), process) for process, found in enumerate(homes)}
            owners: tuple[int, ...]
            if len(said) == 1:
                owners = (said.pop(),)
            elif said == set(range(self.count)):
                owners = tuple(range(self.count))
            else:
                raise CheckpointLeafError(
                    "Some processes have an array of their own where others have one that they share.",
                    [array.record.path], "Place it alike in all processes.")
            array.owners = [owners] * math.prod(array.parts)
            array.writers = self._writers.assign(array.grid, array.parts, array.owners, _itemsize(array.record))

    def __post_init__(self) -> None:
        # Those that several processes share first: who writes them is known to all without asking.
        self._writers = Writers(self.count)
        for array in self.arrays:
            if array.home is None:
                array.writers = self._writers.assign(array.grid, array.parts, array.owners, _itemsize(array.record))


def _itemsize(record: ArrayRecord) -> int:
    return dtype_of(record.stored).itemsize


def _content_digest(content: dict[int, np.ndarray]) -> str:
    found = hashlib.sha256()
    for part in sorted(content):
        found.update(np.ascontiguousarray(content[part]).reshape(-1).view(np.uint8).data)
    return found.hexdigest()[:32]


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def snapshot(tree: Any, process: int, count: int) -> Snapshot:
    """Takes a tree apart, and brings to host memory what this process will write of it.

    Waits for arrays that are being computed. What was taken stays as it is, whatever becomes of the tree's arrays.

    Args:
        tree: The tree.
        process: This process.
        count: The number of processes.

    Raises:
        CheckpointLeafError: When something in the tree cannot be saved.
        DeletedError: When an array was deleted or donated.
        ClosedDevicesError: When an array is of a job that is over.
    """
    outline, leaves = outline_of(tree)
    refused = [leaf for leaf in leaves if not _can_be_saved(leaf.value)]
    if refused:
        raise CheckpointLeafError(
            f"A tree has a leaf that cannot be saved: {described(refused[0].value)}.",
            [keystr(leaf.path) or "the root" for leaf in refused],
            "Save arrays, random keys, and Python's numbers, texts and bytes; make an array of what is none, and call "
            "save outside of jit.")
    records: list[Record] = []
    arrays: list[Held] = []
    sources: dict[int, Any] = {}
    for number, leaf in enumerate(leaves):
        value = encoded(leaf.value)
        if value is not None:
            records.append(ValueRecord(keystr(leaf.path), value))
            continue
        held, source = _held(number, leaf, process)
        arrays.append(held)
        records.append(held.record)
        sources[number] = source
    found = Snapshot(outline, records, arrays, process, count)
    for held in arrays:
        _fetch(held, sources[held.number], process)
    return found


def _can_be_saved(value: Any) -> bool:
    if is_concrete(value):  # keys of a library's generator have a type that another program need not know
        return not dtypes.is_key(value.aval.dtype) or value.aval.dtype in KEY_KINDS.values()
    if isinstance(value, (np.ndarray, np.generic)):
        return stored_as(value.dtype.newbyteorder("=")) is not None
    return encoded(value) is not None and type(value) is not tuple


def _held(number: int, leaf: Leaf, process: int) -> tuple[Held, Any]:
    value, kind = leaf.value, "array"
    name = "/".join((ARRAYS, *leaf.name))
    if not is_concrete(value):
        kind = "numpy" if isinstance(value, np.ndarray) else "scalar"
        # The user may write to it as soon as save has returned.
        value = np.array(value, value.dtype.newbyteorder("="), order="C", copy=True)
        return _of_host(number, leaf, name, kind, value, process), value
    value._check_alive()
    shape, dtype = value.shape, value.aval.dtype
    if dtypes.is_key(dtype):
        kind = next(name for name, known in KEY_KINDS.items() if known == dtype)
        shape, dtype = (*shape, dtype.itemsize // 4), dtypes.uint32
    sharding: Sharding = value.sharding
    layout = sharding.layout(len(shape))
    if layout.unreduced:  # what is saved is the sum
        sharding = sharding_of(Layout(layout.mesh, layout.dims))
        value, layout = place(value, sharding), sharding.layout(len(shape))
    layout.mesh.check_open()  # of another job the processes' numbers mean nothing
    parts = layout.parts()
    processes = {device.process_index for device in sharding.devices}
    home = processes.pop() if len(processes) == 1 else None
    stored = stored_as(dtype) or ""
    record = ArrayRecord(
        keystr(leaf.path), name, kind, shape, dtype.name, stored,
        chunk_shape(shape, parts, dtype.itemsize), value.weak_type, _words(sharding))
    return Held(number, record, parts, [] if home is not None else holders(sharding, len(shape)), home), value


def _of_host(number: int, leaf: Leaf, name: str, kind: str, value: np.ndarray, process: int) -> Held:
    parts = (1,) * value.ndim
    record = ArrayRecord(
        keystr(leaf.path), name, kind, value.shape, value.dtype.name, stored_as(value.dtype) or "",
        chunk_shape(value.shape, parts, value.dtype.itemsize), False, "host memory")
    return Held(number, record, parts, [], process)


def _fetch(held: Held, value: Any, process: int) -> None:
    """Brings to the host what this process may write; buffers see to it that what was read stays as it is."""
    if isinstance(value, np.ndarray):
        held.content[0] = value
        return
    wanted = None if held.home is not None else _parts_of(held, process)
    numbers = part_numbers(value.sharding.layout(len(held.record.shape)))
    if held.home is not None and held.home != process:
        return
    buffers = value._buffers
    for position, buffer in zip(value.sharding.local_positions, buffers, strict=True):
        number = numbers[position]
        if number not in held.content and (wanted is None or number in wanted):
            content = buffer.to_host()
            if held.record.kind in KEY_KINDS:
                content = content.reshape(*content.shape, 1).view(np.uint32)
            held.content[number] = content


def _parts_of(held: Held, process: int) -> set[int]:
    """The parts of which this process writes something."""
    along = [max(1, count // cut_) for count, cut_ in zip(held.grid.counts, held.parts, strict=True)]
    return {part_of(index, along, held.parts)
            for index, writer in zip(held.grid.indices(), held.writers, strict=True) if writer == process}


def _words(sharding: Sharding) -> str:
    """A sharding as people read it, and the same in every process."""
    if len(sharding.devices) == 1:
        return "one device"
    if isinstance(sharding, NamedSharding):
        axes = ", ".join(f"{name}: {size}" for name, size in sharding.mesh.shape_tuple)
        return f"{sharding.spec!r} over ({axes})"
    return f"{type(sharding).__name__} over {len(sharding.devices)} devices"


def with_checksums(leaves: list[Record], checksums: dict[int, list[str]]) -> tuple[Record, ...]:
    """The leaves with the checksums of their chunks, by number of the leaf."""
    return tuple(replace(leaf, checksums=tuple(checksums[number])) if isinstance(leaf, ArrayRecord) else leaf
                 for number, leaf in enumerate(leaves))
