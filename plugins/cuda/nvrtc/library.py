# SPDX-License-Identifier: Apache-2.0
"""NVRTC through ctypes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

from ..errors import NvrtcError, NvrtcNotFoundError
from ..nvidia import LibraryLocation, declare

LOCATION = LibraryLocation(
    "OLYMPUS_NVRTC_LIBRARY", "cu*/lib/libnvrtc.so.*",
    ("libnvrtc.so.13", "libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so"),
)
COMPILATION_FAILED = 6
_POINTER, _TEXT = ctypes.c_void_p, ctypes.c_char_p
_SIGNATURES: dict[str, list[Any]] = {
    "nvrtcVersion": [_POINTER, _POINTER],
    "nvrtcGetNumSupportedArchs": [_POINTER],
    "nvrtcGetSupportedArchs": [_POINTER],
    "nvrtcCreateProgram": [_POINTER, _TEXT, _TEXT, ctypes.c_int, _POINTER, _POINTER],
    "nvrtcDestroyProgram": [_POINTER],
    "nvrtcCompileProgram": [_POINTER, ctypes.c_int, _POINTER],
    "nvrtcGetCUBINSize": [_POINTER, _POINTER],
    "nvrtcGetCUBIN": [_POINTER, _POINTER],
    "nvrtcGetProgramLogSize": [_POINTER, _POINTER],
    "nvrtcGetProgramLog": [_POINTER, _POINTER],
}


class Library:
    """NVRTC as it is loaded in this process.

    Args:
        handle: The loaded library.
    """

    __slots__ = ("_handle", "_text")

    def __init__(self, handle: ctypes.CDLL) -> None:
        self._handle = handle
        declare(handle, _SIGNATURES)
        self._text = handle.nvrtcGetErrorString
        self._text.argtypes, self._text.restype = [ctypes.c_int], ctypes.c_char_p

    def call(self, name: str, *arguments: Any) -> None:
        """Calls a function that has to succeed."""
        status = self.status(name, *arguments)
        if status:
            raise NvrtcError(name, self.status_text(status))

    def status(self, name: str, *arguments: Any) -> int:
        """Calls a function and returns its status."""
        function: Callable[..., int] = getattr(self._handle, name)
        return function(*arguments)

    def status_text(self, status: int) -> str:
        """The text of a status."""
        text: bytes = self._text(status)
        return text.decode()

    def bytes_of(self, program: ctypes.c_void_p, size_name: str, name: str) -> bytes:
        """The result of a pair of functions, one for its size and one for its contents."""
        size = ctypes.c_size_t()
        self.call(size_name, program, ctypes.byref(size))
        contents = ctypes.create_string_buffer(size.value)
        self.call(name, program, contents)
        return contents.raw


@cache
def library() -> Library:
    """The library, loaded at the first call.

    Raises:
        NvrtcNotFoundError: If there is none.
    """
    return LOCATION.load(Library, NvrtcNotFoundError)
