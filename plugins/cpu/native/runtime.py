"""The native runtime of this process: the modules `*.ll` in this folder, linked with the C library and Python."""

from __future__ import annotations

import ctypes
import platform
import re
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import Any

import numpy as np

from olympus_core.errors import NotSupportedError

from .cache import ObjectCache
from .linker import OPTIMISED, QUICK, Library, link

# The status of an entry whose thread has a Python error to raise.
RAISED = -1

_MODULES = ("pool.ll", "memory.ll", "entry.ll", "loop.ll")

# Pointers that an entry's frame holds; more go to a block.
FRAME = 256

_EXPORTS = (
    "parallel_for", "pool_state", "pool_stop", "pool_forget", "pool_pause", "nothing", "memory_state", "memory_trim",
    "block_type", "array_type", "block_failure", "block_take", "block_dealloc", "block_getbuffer", "entry",
    "entry_failure", "loop", "branch", "copy_bytes",
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
)
_PAUSES = {
    "x86_64": ("declare void @llvm.x86.sse2.pause()", "call void @llvm.x86.sse2.pause()"),
    "aarch64": ("declare void @llvm.aarch64.hint(i32)", "call void @llvm.aarch64.hint(i32 1)"),
}
_FUTEX = {"x86_64": 202, "aarch64": 98}
# Linux's numbers of gettid, getcpu, sched_setaffinity, sched_getaffinity.
_SYSTEM = {"x86_64": (186, 309, 203, 204), "aarch64": (178, 168, 122, 123)}
_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}

_lock = threading.Lock()
_library: Library | None = None
_cache: ObjectCache | None = None


def use_cache(cache: ObjectCache | None) -> None:
    """Says where the runtime's own object code is looked up and left; what is loaded already stays."""
    global _cache
    _cache = cache


def has_threads() -> bool:
    """Whether the pool has threads on this system: it sleeps by a system call that only Linux has."""
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
                level = QUICK if _cache is None else OPTIMISED
                # Threads, and objects that live to the process's end, may be in this code at any time.
                _library = link(_text(), _EXPORTS, _addresses(), level, _cache).make_immortal()
    return _library


def function(name: str, result: Any = None, *arguments: Any) -> Any:
    """One of the runtime's functions, called without Python's lock."""
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
    machine = platform.machine().lower()
    machine = _MACHINES.get(machine, machine)
    if machine not in _PAUSES or ctypes.sizeof(ctypes.c_void_p) != 8:
        raise NotSupportedError(
            f"The CPU platform's compiled execution on {machine}", "its native runtime knows x86-64 and ARM of 64 bits",
            "Use a processor of one of these kinds.",
        )
    declaration, pause = _PAUSES[machine]
    linux = sys.platform == "linux"
    header = object.__basicsize__
    values = {
        "PAUSE_DECLARATION": declaration, "PAUSE": pause, "FUTEX": _FUTEX[machine],
        **dict(zip(("GETTID", "GETCPU", "SETAFFINITY", "GETAFFINITY"), _SYSTEM[machine], strict=True)),
        "HEAD": header, "TYPE": header - 8,
        "RAISED": RAISED, "MONOTONIC": 1 if linux else 6,
        "SIG_SETMASK": 2 if linux else 3, "MAP_FLAGS": 0x22 if linux else 0x1002, "FRAME": FRAME,
        "ADVISE_HUGE": "%h = call i32 @madvise(ptr %sp, i64 %size, i32 14)" if linux else "",
    }
    folder = Path(__file__).parent
    parts = [Template((folder / name).read_text()).substitute(values) for name in _MODULES]
    return _written_out("\n".join([*parts, "attributes #0 = { nounwind }\n"]))


def _written_out(text: str) -> str:
    """The text without the two words that loop.ll has for reading plans."""
    part, word = r"(%\w+) = part (%\w+) (\w+)", r"(%[\w.]+) = word (%\w+) (\w+)"
    text = re.sub(part, r"\1.at = word \2 \3\n  \1 = getelementptr i64, ptr \2, i64 \1.at", text)
    return re.sub(word, r"\1.p = getelementptr i64, ptr \2, i64 \3\n  \1 = load i64, ptr \1.p", text)


def _addresses() -> Mapping[str, int]:
    c_library = ctypes.CDLL(None)
    found = {name: _address(c_library, name) for name in _FROM_C}
    found |= {name: _address(ctypes.pythonapi, name) for name in _FROM_PYTHON}
    return {**found, "Py_None": id(None)}


def _address(library: ctypes.CDLL, name: str) -> int:
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0
