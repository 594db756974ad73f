# SPDX-License-Identifier: Apache-2.0
"""What stand-ins for cuSOLVER and cuBLAS share: handles, checks of arguments, matrices in column-major memory."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable, Sequence

import numpy as np

from .machine import MACHINE, Access, Item, Violation

DTYPES = {"s": np.dtype(np.float32), "d": np.dtype(np.float64), "c": np.dtype(np.complex64),
          "z": np.dtype(np.complex128)}
_GARBAGE = 0xA7
_HANDLES = itertools.count(0x7000, 16)
_handles: dict[int, list[object]] = {}  # library, device, and the stream that has had it


def real(dtype: np.dtype) -> np.dtype:
    """The type of a number's parts."""
    return np.zeros((), dtype).real.dtype


def new_handle(library: str) -> int:
    """A handle of a library for the current device."""
    found = next(_HANDLES)
    _handles[found] = [library, MACHINE.device, None]
    return found


def end_handle(library: str, handle: int) -> None:
    """Destroys a handle."""
    MACHINE.check(_handles.pop(handle, [None])[0] == library, f"{handle!r} is no live handle of {library}")


class Call:
    """A call under examination.

    Args:
        library: The library.
        name: The function.
        handle: The handle.
        numbers: All other arguments.
    """

    def __init__(self, library: str, name: str, handle: int, numbers: Sequence[object]) -> None:
        self.name = f"{library}.{name}"
        for number in (handle, *numbers):
            self.check(type(number) is int, f"{number!r} is no whole number")
        entry = _handles.get(handle)
        self.check(entry is not None and entry[0] == library, f"{handle!r} is no live handle of {library}")
        assert entry is not None
        self.check(entry[1] == MACHINE.device, f"its handle is of device {entry[1]}, current is {MACHINE.device}")
        self._entry = entry
        self._accesses: list[Access] = []

    def check(self, condition: object, message: str) -> None:
        """Refuses what the library refuses."""
        MACHINE.check(condition, f"{self.name}: {message}")

    def one_of(self, value: int, *allowed: int) -> None:
        """A choice of the library's."""
        self.check(value in allowed, f"{value} is none of {allowed}")

    def memory(self, address: int, count: int, dtype: np.dtype, writes: bool = True) -> np.ndarray:
        """So many elements at an address."""
        self.check(address % dtype.itemsize == 0, f"{address:#x} is not aligned for {dtype}")
        if not count:
            return np.zeros(0, dtype)
        self._accesses.append(Access(address, count * dtype.itemsize, writes))
        return seen(address, count, dtype)

    def matrix(
        self, address: int, rows: int, columns: int, leading: int, dtype: np.dtype, writes: bool = True
    ) -> np.ndarray:
        """A matrix in column-major order."""
        self.check(rows >= 0 and columns >= 0, f"a matrix of {rows} x {columns}")
        self.check(leading >= max(1, rows), f"a leading dimension of {leading} for {rows} rows")
        count = (columns - 1) * leading + rows if rows and columns else 0
        flat = self.memory(address, count, dtype, writes)
        return as_matrix(flat, rows, columns, leading)

    def stack(
        self, address: int, batch: int, rows: int, columns: int, leading: int, dtype: np.dtype, writes: bool = True
    ) -> list[np.ndarray]:
        """Matrices one behind the other, each of which takes leading x columns elements."""
        self.check(leading >= max(1, rows), f"a leading dimension of {leading} for {rows} rows")
        flat = self.memory(address, batch * leading * columns, dtype, writes)
        each = leading * columns
        return [as_matrix(flat[i * each:(i + 1) * each], rows, columns, leading) for i in range(batch)]

    def pointed(
        self, address: int, batch: int, rows: int, columns: int, leading: int, dtype: np.dtype
    ) -> Callable[[], list[np.ndarray]]:
        """Matrices whose addresses are in the device's memory, to be found when the work runs."""
        self.check(leading >= max(1, rows), f"a leading dimension of {leading} for {rows} rows")
        addresses = self.memory(address, batch, np.dtype(np.uint64), writes=False)

        def found() -> list[np.ndarray]:
            count = (columns - 1) * leading + rows if rows and columns else 0
            for each in map(int, addresses):
                inside = any(b.address <= each and each + count * dtype.itemsize <= b.address + b.nbytes
                             for b in list(MACHINE.blocks.values()))
                if not inside or each % dtype.itemsize:
                    raise Violation(f"{self.name}: {each:#x} points at no matrix")
            return [as_matrix(seen(each, count, dtype), rows, columns, leading) for each in map(int, addresses)]

        return found

    def workspace(self, address: int, given: int, wanted: int, dtype: np.dtype) -> np.ndarray:
        """The workspace: at least as large as the library has said."""
        self.check(given >= wanted, f"a workspace of {given} where it takes {wanted}")
        return self.memory(address, given, dtype)

    def enqueue(self, run: Callable[[], None], workspaces: Sequence[np.ndarray] = ()) -> None:
        """Puts the work into the current stream; workspaces have no content afterwards."""
        handle = getattr(MACHINE.local, "stream", None)
        self.check(handle is not None, "CuPy's current stream is the default one")
        stream = MACHINE.stream(handle)
        MACHINE.check_current(stream)
        self.check(stream.captured is None, "the library waits, which a stream that is captured does not allow")
        self.check(self._entry[2] in (None, handle), "its handle has been in another stream")
        self._entry[2] = handle

        def whole() -> None:
            run()
            for space in workspaces:
                spoil(space)

        touched = sorted(self._accesses, key=lambda access: access.writes)
        MACHINE.enqueue(stream, Item(self.name, whole, tuple(touched)))


def seen(address: int, count: int, dtype: np.dtype) -> np.ndarray:
    """Memory as an array."""
    return np.frombuffer((ctypes.c_uint8 * (count * dtype.itemsize)).from_address(address), dtype)


def as_matrix(flat: np.ndarray, rows: int, columns: int, leading: int) -> np.ndarray:
    """A matrix in column-major order, of its memory."""
    size = flat.dtype.itemsize
    shape = (rows, columns)
    return np.lib.stride_tricks.as_strided(flat, shape, (size, size * leading)) if flat.size else np.zeros(shape)


def spoil(x: np.ndarray) -> None:
    """What the library leaves in memory that is not a result."""
    x[...] = np.frombuffer(bytes([_GARBAGE]) * x.dtype.itemsize, x.dtype)[0]
