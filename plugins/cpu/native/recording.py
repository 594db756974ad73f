# SPDX-License-Identifier: Apache-2.0
"""`KernelRecorder`: what each stage of each native call took, while a profile is recorded."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core.plugin import KernelDescription, KernelTimes

from .runtime import runtime

_ROWS = 1 << 16  # that the C code writes before it asks for room
_MOST = 4_000_000  # rows that are kept; of later ones the sums remain
_COLUMNS = 5  # self, stage, thread, start, end


class _Record(ctypes.Structure):
    """Record in recording.c."""

    _fields_ = (
        ("rows", ctypes.c_void_p), ("capacity", ctypes.c_int64), ("used", ctypes.c_int64), ("lost", ctypes.c_int64),
        ("last", ctypes.c_void_p), ("on_full", ctypes.py_object), ("run", ctypes.c_void_p),
    )


class KernelRecorder:
    """Records from now on; one at a time in a process.

    A call that is under way when it ends is not in it.
    """

    def __init__(self) -> None:
        self._rows = np.zeros((_ROWS, _COLUMNS), np.int64)
        self._kept: list[np.ndarray] = []
        self._entries: dict[int, Any] = {}  # a function's `self`, by its address
        self._sums: dict[tuple[int, int], list[int]] = {}
        self._count = 0
        self._record = _Record(self._rows.ctypes.data, _ROWS, 0, 0, None, self._make_room,
                               runtime()["run_recorded"])
        _current().value = ctypes.addressof(self._record)

    def stop(self) -> KernelTimes:
        """Ends the recording.

        Returns:
            What was recorded.
        """
        _current().value = None
        self._make_room()
        abouts: list[KernelDescription] = []
        numbers: dict[tuple[int, int], int] = {}
        for address, (_, _, _, told) in self._entries.items():
            for stage, about in enumerate(told):
                numbers[address, stage] = len(abouts)
                abouts.append(about)
        rows = np.concatenate(self._kept) if self._kept else np.zeros((0, _COLUMNS), np.int64)
        times = np.empty((len(rows), 4), np.int64)
        times[:, 1:] = rows[:, 2:]
        for address in self._entries:
            chosen = rows[:, 0] == address
            times[chosen, 0] = numbers[address, 0] + rows[chosen, 1]
        later = {numbers[key]: (count, total) for key, (count, total) in self._sums.items()}
        self._entries, self._record.on_full = {}, None  # it held this recorder, which holds it
        return KernelTimes(tuple(abouts), times, later, self._record.lost)

    def _make_room(self) -> None:
        used = self._record.used
        rows = self._rows[:used].copy()
        self._record.used, self._record.last = 0, None
        begins = rows[1:, 0] != rows[:-1, 0]
        held_by = rows[np.concatenate([[True], begins])[:used], 0]  # the rows that hold a reference
        for address, count in zip(*np.unique(held_by, return_counts=True), strict=True):
            held = ctypes.cast(int(address), ctypes.py_object)
            self._entries.setdefault(int(address), held.value)
            for _ in range(int(count)):
                _let_go(held)
        if self._count < _MOST:
            self._kept.append(rows)
            self._count += used
            return
        for address, stage, _, start, end in rows.tolist():
            found = self._sums.setdefault((address, stage), [0, 0])
            found[0] += 1
            found[1] += end - start


def _current() -> ctypes.c_void_p:
    """Where the C code looks for a record."""
    return ctypes.c_void_p.from_address(runtime()["record"])


_let_go: Callable[[Any], None] = ctypes.pythonapi.Py_DecRef
_let_go.argtypes = (ctypes.py_object,)  # type: ignore[attr-defined]  # a function of ctypes
_let_go.restype = None  # type: ignore[attr-defined]
