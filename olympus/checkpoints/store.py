# SPDX-License-Identifier: Apache-2.0
"""Reading and writing arrays by TensorStore: plain Zarr 3, each chunk with its checksum."""

from __future__ import annotations

import functools
import math
import os
from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from olympus_core.errors.checkpoints import CheckpointCorruptError, TensorStoreMissingError
from olympus_core.placement.boxes import Box, extent, relative, slices

from .elements import array_metadata, as_stored, dtype_of
from .folders import Syncing
from .manifest import ArrayRecord

# Bytes that are handed to TensorStore at a time, and its threads that write: more only disturb each other, and what is
# not row-major it copies.
_UNDER_WAY = 64 << 20
_THREADS = 2
_CHECKSUM = 4  # bytes, the last of a chunk's file


@functools.cache
def tensorstore() -> Any:
    """The library, which is imported at the first use.

    Raises:
        TensorStoreMissingError: When it is not installed.
    """
    try:
        import tensorstore
    except ImportError as error:
        raise TensorStoreMissingError(str(error)) from error
    return tensorstore


@functools.cache
def _context(is_writing: bool) -> Any:
    # The writer syncs files itself: their folders once, and not again after each file. Nothing is kept in memory.
    return tensorstore().Context({
        "file_io_sync": False, "file_io_concurrency": {"limit": _THREADS if is_writing else "shared"},
        "cache_pool": {"total_bytes_limit": 0},
    })


def _open(folder: Path, record: ArrayRecord, is_writing: bool = False) -> Any:
    metadata = array_metadata(record.shape, record.chunk, record.stored)
    metadata.pop("attributes")
    # What is in the array's own file is not asked: the manifest has the digest.
    return tensorstore().open(
        {
            "driver": "zarr3", "kvstore": {"driver": "file", "path": f"{folder / record.name}/"},
            "metadata": metadata,
            "store_data_equal_to_fill_value": True,  # else zeros would be chunks that are missing
        },
        open=True, assume_metadata=True, context=_context(is_writing),
    ).result()


def chunk_file(record: ArrayRecord, index: Sequence[int]) -> str:
    """The file of a chunk, relative to the checkpoint's folder."""
    return f"{record.name}/{'.'.join(('c', *map(str, index)))}"


class Writer:
    """Writes chunks of arrays, some of them at a time; each is synced as soon as it is written.

    Args:
        folder: The folder that becomes the checkpoint.
        syncing: What syncs the files.
    """

    def __init__(self, folder: Path, syncing: Syncing) -> None:
        self._folder, self._syncing = folder, syncing
        self._pending: deque[tuple[Any, int, Path]] = deque()
        self._bytes = 0

    def write(self, record: ArrayRecord, chunks: Iterable[tuple[tuple[int, ...], np.ndarray]]) -> None:
        """Begins to write chunks of an array.

        Args:
            record: The array.
            chunks: The index of each chunk with its content, which must not change before `finish` has returned.
        """
        opened = None
        for index, content in chunks:
            if opened is None:
                opened = _open(self._folder, record, is_writing=True)
            while self._pending and self._bytes + content.nbytes > _UNDER_WAY:
                self._finish_one()
            part = opened[slices(record.grid.box(index))]
            future = part.write(as_stored(content, record.stored), can_reference_source_data_indefinitely=True)
            self._pending.append((future, content.nbytes, self._folder / chunk_file(record, index)))
            self._bytes += content.nbytes
            while self._pending and self._pending[0][0].done():
                self._finish_one()

    def finish(self) -> None:
        """Waits until all is written, and is being synced."""
        while self._pending:
            self._finish_one()

    def _finish_one(self) -> None:
        future, size, file = self._pending.popleft()
        future.result()
        self._bytes -= size
        self._syncing.add(file)


def written_checksum(folder: Path, record: ArrayRecord, index: Sequence[int]) -> str:
    """The checksum that stands in a chunk's file, which is computed of memory when it is written.

    Raises:
        CheckpointCorruptError: When the file is not there, or has another size.
    """
    name = chunk_file(record, index)
    expected = math.prod(record.chunk) * dtype_of(record.stored).itemsize + _CHECKSUM
    try:
        file = os.open(folder / name, os.O_RDONLY)
    except OSError as error:
        raise CheckpointCorruptError(str(folder), record.path, name, error.strerror or str(error)) from None
    try:
        size = os.fstat(file).st_size
        if size != expected:
            raise CheckpointCorruptError(
                str(folder), record.path, name, f"it has {size:,} bytes instead of {expected:,}")
        return os.pread(file, _CHECKSUM, size - _CHECKSUM).hex()
    finally:
        os.close(file)


def check_chunks(folder: Path, record: ArrayRecord, indices: Iterable[tuple[int, ...]]) -> None:
    """Compares the checksums that stand in chunks' files with those of the manifest.

    Raises:
        CheckpointCorruptError: When one differs, or a file is not there whole.
    """
    grid = record.grid
    for index in indices:
        found, expected = written_checksum(folder, record, index), record.checksums[grid.number(index)]
        if found != expected:
            raise CheckpointCorruptError(str(folder), record.path, chunk_file(record, index),
                                         f"its checksum is {found}, the manifest's {expected}")


class Reader:
    """Reads parts of a checkpoint's arrays; what is read has the checksums that the manifest says.

    Args:
        folder: The checkpoint's folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._opened: dict[str, Any] = {}

    def begin(self, record: ArrayRecord, box: Box) -> Reading:
        """Begins to read a part of an array.

        Args:
            record: The array.
            box: The part.

        Raises:
            CheckpointCorruptError: When a chunk is not there, or is not that of this checkpoint.
        """
        check_chunks(self._folder, record, record.grid.touched(box))
        opened = self._opened.get(record.name)
        if opened is None:
            opened = self._opened[record.name] = _open(self._folder, record)
        return Reading(self._folder, record, box, opened)


class Reading:
    """A part of an array that is being read.

    Args:
        folder: The checkpoint's folder.
        record: The array.
        box: The part.
        opened: TensorStore's array.
    """

    def __init__(self, folder: Path, record: ArrayRecord, box: Box, opened: Any) -> None:
        self._folder, self._record, self._box, self._opened = folder, record, box, opened
        self._future = opened[slices(box)].read() if 0 not in extent(box) else None

    def result(self) -> np.ndarray:
        """The content, of the element type that was saved.

        Raises:
            CheckpointCorruptError: When a chunk does not have its checksum.
        """
        dtype = dtype_of(self._record.dtype)
        if self._future is None:
            return np.empty(extent(self._box), dtype)
        try:
            found: np.ndarray = self._future.result()
        except (ValueError, OSError) as error:
            raise self._damage() or CheckpointCorruptError(
                str(self._folder), self._record.path, None, str(error)) from error
        return np.ascontiguousarray(found).reshape(extent(self._box)).view(dtype)

    def _damage(self) -> CheckpointCorruptError | None:
        """Reads chunk by chunk, to name the one that is damaged."""
        for index in self._record.grid.touched(self._box):
            try:
                self._opened[slices(self._record.grid.box(index))].read().result()
            except (ValueError, OSError) as error:
                is_checksum = "igest mismatch" in str(error)  # TensorStore's words
                reason = "its content does not have its checksum" if is_checksum else str(error)
                return CheckpointCorruptError(
                    str(self._folder), self._record.path, chunk_file(self._record, index), reason)
        return None


def verify(folder: Path, record: ArrayRecord) -> None:
    """Reads every chunk of an array.

    Raises:
        CheckpointCorruptError: When one is not what was written.
    """
    reader = Reader(folder)
    for index in record.grid.indices():
        reader.begin(record, record.grid.box(index)).result()


def cut(content: np.ndarray, box: Box, origin: Box) -> np.ndarray:
    """A part of an array's part.

    Args:
        content: The elements of `origin`.
        box: The part to take.
        origin: The part of the array that `content` is.
    """
    index: tuple[Any, ...] = (*slices(relative(box, origin)), ...)  # an array also where it has no dimensions
    return content[index]
