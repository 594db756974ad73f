# SPDX-License-Identifier: Apache-2.0
"""NCCL through ctypes."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from ..errors import NcclError, NcclNotFoundError
from ..nvidia import LibraryLocation, declare
from . import nccl_types

LOCATION = LibraryLocation(
    "OLYMPUS_NCCL_LIBRARY", "nccl/lib/libnccl.so.2", ("libnccl.so.2", "libnccl.so"),
    # GPUs of one process must not read each other's buffers: memory of CUDA's asynchronous pools belongs to one GPU.
    settings=(("NCCL_P2P_DIRECT_DISABLE", "1"),),
)
_POINTER, _SIZE, _INT = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
_SIGNATURES: dict[str, list[Any]] = {
    "ncclGetVersion": [_POINTER],
    "ncclGetUniqueId": [_POINTER],
    "ncclCommInitRankConfig": [_POINTER, _INT, nccl_types.UniqueId, _INT, _POINTER],
    "ncclCommGetAsyncError": [_POINTER, _POINTER],
    "ncclCommFinalize": [_POINTER],
    "ncclCommDestroy": [_POINTER],
    "ncclCommAbort": [_POINTER],
    "ncclGroupStart": [],
    "ncclGroupEnd": [],
    "ncclAllReduce": [_POINTER, _POINTER, _SIZE, _INT, _INT, _POINTER, _POINTER],
    "ncclReduceScatter": [_POINTER, _POINTER, _SIZE, _INT, _INT, _POINTER, _POINTER],
    "ncclAllGather": [_POINTER, _POINTER, _SIZE, _INT, _POINTER, _POINTER],
    "ncclBroadcast": [_POINTER, _POINTER, _SIZE, _INT, _INT, _POINTER, _POINTER],
    "ncclSend": [_POINTER, _SIZE, _INT, _INT, _POINTER, _POINTER],
    "ncclRecv": [_POINTER, _SIZE, _INT, _INT, _POINTER, _POINTER],
}


@cache
def library() -> Library:
    """The library, loaded at the first call.

    Raises:
        NcclNotFoundError: If there is none.
    """
    return LOCATION.load(Library, NcclNotFoundError)


class Library:
    """NCCL as it is loaded in this process.

    Args:
        loaded: The loaded library.
    """

    def __init__(self, loaded: ctypes.CDLL) -> None:
        self.loaded = loaded
        declare(loaded, _SIGNATURES)
        self._text, self._detail = loaded.ncclGetErrorString, loaded.ncclGetLastError
        self._text.argtypes, self._text.restype = [_INT], ctypes.c_char_p
        self._detail.argtypes, self._detail.restype = [_POINTER], ctypes.c_char_p

    def version(self) -> int:
        """The library's version, such as 23203."""
        number = ctypes.c_int()
        self.call("ncclGetVersion", ctypes.byref(number))
        return number.value

    def unique_id(self) -> bytes:
        """The unique id of a new communicator."""
        made = nccl_types.UniqueId()
        self.call("ncclGetUniqueId", ctypes.byref(made))
        return bytes(made)

    def call(self, function: str, *arguments: Any) -> None:
        """Calls a function; a non-blocking one may still be in progress when this returns.

        Raises:
            NcclError: If it fails.
        """
        status = getattr(self.loaded, function)(*arguments)
        if status not in (nccl_types.SUCCESS, nccl_types.IN_PROGRESS):
            raise self.error(function, status)

    def error(self, function: str, status: int) -> NcclError:
        """The error of a status other than success."""
        text: bytes = self._text(status)
        detail: bytes | None = self._detail(None)
        return NcclError(function, text.decode(errors="replace"), (detail or b"").decode(errors="replace"))

    def state(self, communicator: int) -> int:
        """The asynchronous state of a communicator: `SUCCESS`, `IN_PROGRESS`, or the status of a failure."""
        status = ctypes.c_int()
        failed = self.loaded.ncclCommGetAsyncError(communicator, ctypes.byref(status))
        return int(failed or status.value)
