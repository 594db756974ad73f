# SPDX-License-Identifier: Apache-2.0
"""The native runtime of this process: `runtime.ll`, which the C files became, linked with the C library and Python."""

from __future__ import annotations

import ctypes
import platform
import sys
import threading
from array import array
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from olympus_core.errors import NotSupportedError

from ..machine.huge_pages import wants_huge_pages
from .cache import ObjectCache
from .linker import BASELINE, OPTIMISED, Library, is_cached, link
from .python_api import keep_for_ever

# The status of an entry whose thread has a Python error to raise; RAISED in native.h.
RAISED = -1

# Pointers that an entry's frame holds, more go to a block; FRAME in native.h.
FRAME = 256

_EXPORTS = (
    "parallel_for", "pool_state", "pool_stop", "pool_forget", "pool_pause", "nothing", "memory_state", "memory_trim",
    "block_type", "array_type", "block_failure", "block_take", "block_dealloc", "block_getbuffer", "entry",
    "entry_failure", "loop", "branch", "copy_bytes", "record", "run_recorded",
)
_FROM_C = (
    "syscall", "pthread_create", "pthread_detach", "pthread_sigmask", "sigfillset", "posix_memalign", "free", "mmap",
    "munmap", "madvise", "memset", "memcpy", "clock_gettime",
)
_FROM_PYTHON = (
    "PyLong_AsSsize_t", "PyLong_FromSsize_t", "PyLong_AsVoidPtr", "_PyObject_New", "PyObject_Free", "Py_DecRef",
    "Py_IncRef", "PyBuffer_FillInfo", "PyObject_CallFunctionObjArgs", "PyErr_Occurred", "PyTuple_GetItem",
    "PyTuple_New", "PyTuple_SetItem", "PyBytes_AsString", "PyEval_SaveThread", "PyEval_RestoreThread",
    "PyGILState_GetThisThreadState", "PyGILState_Ensure", "PyGILState_Release", "PyErr_CheckSignals",
    "PyErr_Clear", "PyThread_get_thread_ident",
)
# The instruction that tells the processor that this thread waits in a loop.
_RELAX = {"x86_64": "pause", "aarch64": "yield"}
# Linux's numbers of futex, gettid, getcpu, sched_setaffinity, sched_getaffinity.
_SYSTEM_CALLS = {"x86_64": (202, 186, 309, 203, 204), "aarch64": (98, 178, 168, 122, 123)}
_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}

_lock = threading.Lock()
_library: Library | None = None
_cache: ObjectCache | None = None


def use_cache(cache: ObjectCache | None) -> None:
    """Sets the disk cache of the runtime's own object code; a loaded runtime stays."""
    global _cache
    _cache = cache


def object_cache() -> ObjectCache | None:
    """The disk cache of the runtime's own object code."""
    return _cache


def has_threads() -> bool:
    """Whether the pool has threads on this system: it needs futexes, which only Linux has."""
    return sys.platform == "linux"


def runtime() -> Library:
    """The native runtime, linked at the first call and never unloaded.

    Raises:
        NotSupportedError: The processor is none that it knows.
    """
    global _library
    if _library is None:
        with _lock:
            if _library is None:
                _check_header()
                # Optimising takes four times as long and saves 10 ns of a call: worth it where it is kept on disk.
                text = _text()
                level = OPTIMISED if _cache is not None or is_cached(text, OPTIMISED, None) else BASELINE
                # Threads, and objects that live until the process ends, may run this code at any time.
                _library = link(text, _EXPORTS, _addresses(), level, _cache).make_immortal()
    return _library


def function(name: str, result: Any = None, *arguments: Any) -> Any:
    """One of the runtime's functions, called with the GIL released."""
    return ctypes.CFUNCTYPE(result, *arguments)(runtime()[name])


def _check_header() -> None:
    """What the runtime assumes of objects: the type is the last word of the header, in arrays the address follows."""
    array, header = np.zeros(1), object.__basicsize__
    types = [ctypes.c_void_p.from_address(id(o) + header - 8).value for o in (0, array)]
    address = ctypes.c_void_p.from_address(id(array) + header).value
    if sys.implementation.name != "cpython" or types != [id(int), id(np.ndarray)] or address != array.ctypes.data:
        raise NotSupportedError(
            f"The CPU platform's compiled execution on {sys.implementation.name} {platform.python_version()}",
            "its objects begin in another way than those of CPython", "Use CPython.",
        )


def _text() -> str:
    text = (Path(__file__).parent / "runtime.ll").read_text()
    pause = f'call void asm sideeffect "{_RELAX[_machine()]}", ""()'
    definition = f"define internal void @relax() nounwind {{\n  {pause}\n  ret void\n}}"
    return text.replace("declare void @relax()", definition)


def _machine() -> str:
    machine = platform.machine().lower()
    machine = _MACHINES.get(machine, machine)
    if machine not in _RELAX or ctypes.sizeof(ctypes.c_void_p) != 8:
        raise NotSupportedError(
            f"The CPU platform's compiled execution on {machine}", "its native runtime knows x86-64 and ARM of 64 bits",
            "Use a processor of one of these kinds.",
        )
    return machine


def _addresses() -> Mapping[str, int]:
    c_library = ctypes.CDLL(None)
    found = {name: _address(c_library, name) for name in _FROM_C}
    found |= {name: _address(ctypes.pythonapi, name) for name in _FROM_PYTHON}
    return {**found, "Py_None": id(None), "SYSTEM": _system().buffer_info()[0]}


@lru_cache(maxsize=1)
def _system() -> array[int]:
    """The numbers of this system and of this Python: SYSTEM in native.h, which stays where it is."""
    linux = sys.platform == "linux"
    numbers = array("q", [
        object.__basicsize__,
        1 if linux else 6,  # CLOCK_MONOTONIC
        2 if linux else 3,  # SIG_SETMASK
        0x22 if linux else 0x1002,  # MAP_PRIVATE | MAP_ANONYMOUS
        int(wants_huge_pages()),
        *_SYSTEM_CALLS[_machine()],
    ])
    keep_for_ever(numbers)
    return numbers


def _address(library: ctypes.CDLL, name: str) -> int:
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0
