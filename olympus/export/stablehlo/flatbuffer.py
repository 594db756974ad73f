# SPDX-License-Identifier: Apache-2.0
"""FlatBuffers: tables of fields by number, as JAX's artefacts are; read with checks, a bounded number of objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from olympus_core.errors import ArtefactError

T = TypeVar("T")
_MOST_OBJECTS = 1 << 20  # tables, vectors and strings of one buffer that are read


class Buffer:
    """The bytes of a FlatBuffer.

    Args:
        data: The bytes.

    Raises:
        ArtefactError: By all methods, for bytes that are none.
    """

    def __init__(self, data: bytes) -> None:
        self._data, self._read = data, 0

    def root(self) -> Table:
        """The table that the buffer begins with."""
        return Table(self, self.number(0, 4))

    def number(self, at: int, size: int, signed: bool = False) -> int:
        """The integer of so many bytes at a place."""
        if at < 0 or at + size > len(self._data):
            raise ArtefactError("a table of it lies outside of it")
        return int.from_bytes(self._data[at:at + size], "little", signed=signed)

    def content(self, at: int, size: int) -> bytes:
        """So many bytes at a place."""
        if size > len(self._data) - at:
            raise ArtefactError("a vector of it is longer than it is")
        return self._data[at:at + size]

    def count(self) -> None:
        """Told of an object that is read: many may share bytes, and a small buffer then stands for a huge tree."""
        self._read += 1
        if self._read > _MOST_OBJECTS:
            raise ArtefactError("it has too many tables")


class Table:
    """A table of a FlatBuffer.

    Args:
        buffer: The buffer.
        at: Its place.
    """

    __slots__ = ("_at", "_buffer", "_size", "_slots")

    def __init__(self, buffer: Buffer, at: int) -> None:
        buffer.count()
        self._buffer, self._at = buffer, at
        self._slots = at - buffer.number(at, 4, signed=True)
        self._size = buffer.number(self._slots, 2)

    def integer(self, field: int, size: int = 4, default: int = 0, signed: bool = False) -> int:
        """A field that is an integer of so many bytes."""
        at = self._place(field)
        return default if at is None else self._buffer.number(at, size, signed)

    def text(self, field: int) -> str | None:
        """A field that is a string; None where it is not there."""
        at = self._target(field)
        return None if at is None else self._string(at)

    def content(self, field: int) -> bytes | None:
        """A field that is a vector of bytes."""
        at = self._target(field)
        return None if at is None else self._buffer.content(at + 4, self._buffer.number(at, 4))

    def table(self, field: int) -> Table | None:
        """A field that is a table."""
        at = self._target(field)
        return None if at is None else Table(self._buffer, at)

    def tables(self, field: int) -> list[Table]:
        """A field that is a vector of tables; empty where it is not there."""
        return self._vector(field, lambda at: Table(self._buffer, at))

    def texts(self, field: int) -> list[str]:
        """A field that is a vector of strings."""
        return self._vector(field, self._string)

    def integers(self, field: int, size: int) -> list[int]:
        """A field that is a vector of integers of so many bytes."""
        at = self._target(field)
        if at is None:
            return []
        content = self._buffer.content(at + 4, size * self._buffer.number(at, 4))
        return [int.from_bytes(content[i:i + size], "little") for i in range(0, len(content), size)]

    def _place(self, field: int) -> int | None:
        slot = 4 + 2 * field
        offset = self._buffer.number(self._slots + slot, 2) if slot + 2 <= self._size else 0
        return self._at + offset if offset else None

    def _target(self, field: int) -> int | None:
        at = self._place(field)
        return None if at is None else at + self._buffer.number(at, 4)

    def _string(self, at: int) -> str:
        self._buffer.count()
        try:
            return self._buffer.content(at + 4, self._buffer.number(at, 4)).decode()
        except UnicodeDecodeError as error:
            raise ArtefactError("a string of it is none") from error

    def _vector(self, field: int, read: Callable[[int], T]) -> list[T]:
        at = self._target(field)
        if at is None:
            return []
        count = self._buffer.number(at, 4)
        self._buffer.content(at + 4, 4 * count)
        places = range(at + 4, at + 4 + 4 * count, 4)
        return [read(place + self._buffer.number(place, 4)) for place in places]


__all__ = ["Buffer", "Table"]
