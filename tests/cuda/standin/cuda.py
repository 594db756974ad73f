# SPDX-License-Identifier: Apache-2.0
"""What stands for the module `cupy.cuda`."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import os
import sys
from collections.abc import Callable
from typing import Any

from . import conditional, driver, runtime
from .machine import MACHINE, Access, CUDARuntimeError, Item, Pinned, Violation

__all__ = ["Stream", "alloc_pinned_memory", "driver", "runtime"]


def __getattr__(name: str) -> Any:
    """Libraries that are loaded when they are asked for."""
    if name not in ("cublas", "cusolver") or name in os.environ.get("OLYMPUS_STANDIN_LACKS", "").split(","):
        raise AttributeError(name)
    return importlib.import_module(f".{name}", __package__)


class Stream:
    """A stream of the current device."""

    def __init__(self, *, non_blocking: bool = False) -> None:
        self.ptr = runtime.new_stream(int(non_blocking))

    def __enter__(self) -> Stream:
        """The stream in which bindings of libraries enqueue: the thread's current one."""
        MACHINE.check_current(MACHINE.stream(self.ptr))
        before = MACHINE.local.__dict__.setdefault("before", [])
        before.append(getattr(MACHINE.local, "stream", None))
        MACHINE.local.stream = self.ptr
        return self

    def __exit__(self, *error: object) -> None:
        MACHINE.local.stream = MACHINE.local.before.pop()

    def __del__(self, is_over: Callable[[], bool] = sys.is_finalizing) -> None:
        if not is_over():
            runtime.end_stream(self.ptr)


def alloc_pinned_memory(size: int) -> Pinned:
    """Pinned memory."""
    return Pinned(MACHINE, size)


_ENQUEUE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_ACCESS = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@_ACCESS
def _access(stream: int, address: int, nbytes: int, writes: int) -> None:
    """What the work that comes next touches."""
    MACHINE.local.__dict__.setdefault("accesses", []).append(Access(address, nbytes, bool(writes)))


@_ENQUEUE
def _enqueue(stream: int, function: int, argument: int) -> None:
    """How stand-ins for NVIDIA's libraries put their work into a stream."""
    run = _FUNCTION(function)
    touched = sorted(MACHINE.local.__dict__.pop("accesses", []), key=lambda access: access.writes)
    item = Item("a library's work", lambda: run(argument), tuple(touched))
    with contextlib.suppress(Violation, CUDARuntimeError):  # told by the next call: a callback of C cannot raise
        MACHINE.enqueue(MACHINE.stream(stream), item)


def connect(path: str) -> Any:
    """Tells a stand-in for a library how work is put into streams."""
    library = ctypes.CDLL(path)
    for name, kind, function in (("enqueue", _ENQUEUE, _enqueue), ("access", _ACCESS, _access)):
        tell = getattr(library, f"olympus_fake_set_{name}", None)
        if tell is not None:
            tell.argtypes, tell.restype = [kind], None
            tell(function)
    return library


for _name in ("OLYMPUS_CUBLASLT_LIBRARY", "OLYMPUS_NCCL_LIBRARY"):
    if os.path.exists(os.environ.get(_name, "")):
        connect(os.environ[_name])
conditional.connect()
