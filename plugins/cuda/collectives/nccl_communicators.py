# SPDX-License-Identifier: Apache-2.0
"""The NCCL communicators of this process's ranks in a group: initialization, asynchronous errors, abort, end."""

from __future__ import annotations

import contextlib
import ctypes
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from olympus_core.toolkit import start_thread

from ..errors import NcclOpeningError
from . import nccl_types
from .nccl_library import Library

if TYPE_CHECKING:
    from ..gpu import Gpu

_SLICE = 0.001  # seconds between two queries of the library's progress
_EAGER = 0.0002  # seconds in which a wait queries without a pause
_CLOSING_SECONDS = 2.0  # for the other ranks to finalize, too
_ENDING_SECONDS = 5.0  # for kernels to end after an abort


class NcclCommunicators:
    """This process's communicators, which are non-blocking: `is_settled` tells when a call's work is enqueued.

    Args:
        library: NCCL.
        gpu: The driver interface.
        name: The unique id that all ranks were given.
        size: Number of ranks.
        mine: This process's ranks, each with its GPU.
    """

    def __init__(self, library: Library, gpu: Gpu, name: bytes, size: int, mine: Sequence[tuple[int, int]]) -> None:
        self.library, self._gpu, self._mine = library, gpu, tuple(mine)
        self._handles = [ctypes.c_void_p() for _ in mine]
        self._enders: list[threading.Thread] = []
        self._is_open = True
        identity = nccl_types.UniqueId.from_buffer_copy(name)
        # The library may read the configuration until the communicators are open.
        self._config = nccl_types.config_of(blocking=False)
        library.call("ncclGroupStart")
        try:
            for handle, (rank, ordinal) in zip(self._handles, self._mine, strict=True):
                gpu.use(ordinal)
                library.call("ncclCommInitRankConfig", ctypes.byref(handle), size, identity, rank,
                             ctypes.byref(self._config))
        finally:
            library.call("ncclGroupEnd")

    def open(self, check: Callable[[], None], devices: Sequence[str], seconds: float) -> None:
        """Waits until all ranks are connected.

        Raises:
            NcclOpeningError: If they are not in time.
            NcclError: If the library fails.
        """
        try:
            if not is_settled_within([self], check, seconds):
                raise NcclOpeningError(devices, seconds)
        except BaseException:
            self.abort()
            raise

    def handle(self, index: int) -> int:
        """The communicator of one of this process's ranks."""
        return self._handles[index].value or 0

    def begin(self, calls: Callable[[], None]) -> None:
        """Makes calls of all ranks as one NCCL group; no others may be made until `is_settled`."""
        self.library.call("ncclGroupStart")
        try:
            calls()
        finally:
            self.library.call("ncclGroupEnd")

    def is_settled(self) -> bool:
        """Whether everything that was begun is enqueued.

        Raises:
            NcclError: If a communication has failed.
        """
        if not self._is_open:  # there is no communicator left to query
            return True
        settled = True
        for handle in self._handles:
            state = self.library.state(handle.value) if handle.value else nccl_types.IN_PROGRESS
            if state == nccl_types.IN_PROGRESS:
                settled = False
            elif state != nccl_types.SUCCESS:
                raise self.library.error("a communication", state)
        return settled

    def abort(self) -> None:
        """Aborts what is in flight; kernels end soon after this returns."""
        if self._is_open:
            self._end_all("ncclCommAbort")

    def close(self, check: Callable[[], None]) -> None:
        """Destroys the communicators; does not wait for lost processes."""
        if self._is_open:
            try:
                self._finalize(check)
            except Exception:  # noqa: BLE001  (a process is lost: an orderly end is impossible)
                self.abort()
        deadline = time.monotonic() + _ENDING_SECONDS
        for thread in self._enders:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _finalize(self, check: Callable[[], None]) -> None:
        def finalize() -> None:
            for handle in self._handles:
                self.library.call("ncclCommFinalize", handle.value)

        self.begin(finalize)
        if not is_settled_within([self], check, _CLOSING_SECONDS):
            raise TimeoutError
        self._end_all("ncclCommDestroy")

    def _end_all(self, function: str) -> None:
        """Ends each communicator in a thread: a call waits for its GPU's kernel, and may wait for the other calls."""
        self._is_open = False
        self._enders = [
            start_thread(self._end, "olympus-nccl", "the end of a communicator", function, handle.value, ordinal)
            for handle, (_, ordinal) in zip(self._handles, self._mine, strict=True) if handle.value
        ]

    def _end(self, function: str, handle: int, ordinal: int) -> None:
        with contextlib.suppress(Exception):  # the communicator is gone in any case
            self._gpu.use(ordinal)
            self.library.call(function, handle)


def is_settled_within(communicators: Sequence[NcclCommunicators], check: Callable[[], None], seconds: float) -> bool:
    """Whether everything that was begun is enqueued within a time.

    Args:
        communicators: The communicators that began it.
        check: Raises once a process of the job has failed.
        seconds: The time.

    Raises:
        NcclError: If a communication has failed.
    """
    return is_so_within(lambda: all([nccl.is_settled() for nccl in communicators]), check, seconds)


def is_so_within(is_so: Callable[[], bool], check: Callable[[], None], seconds: float) -> bool:
    """Polls a condition that NCCL brings about by itself; whether it holds within a time.

    Args:
        is_so: The condition.
        check: Raises once a process of the job has failed.
        seconds: The time.
    """
    start = time.monotonic()
    while not is_so():
        check()
        passed = time.monotonic() - start
        if passed > seconds:
            return False
        if passed > _EAGER:
            time.sleep(min(_SLICE, passed / 4))
    return True
