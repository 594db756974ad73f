# SPDX-License-Identifier: Apache-2.0
"""Texts of CUDA C++ compiled by the host's compiler, once each, and launched."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from .memory import damage

_HERE = Path(__file__).resolve().parent
# Without optimisation: most kernels run for less time than it takes.
_FLAGS = ("-std=c++17", "-O0", "-fPIC", "-shared", "-ffp-contract=off", "-fno-exceptions", "-fno-rtti", "-w",
          "-fno-math-errno", "-fno-strict-aliasing", "-fno-asynchronous-unwind-tables")
# What the runtime has answers for: each would be undefined on a GPU, or stop it.
_RUNTIME = ("runtime.cpp", "checker.cpp")
_CHECKS = "-fsanitize=alignment,bounds,signed-integer-overflow,integer-divide-by-zero,shift-exponent"
# Every access to memory calls the runtime.
_CHECKED = ("-fsanitize=thread", "-DOLYMPUS_CHECKED")
_KEPT_SECONDS = 24 * 3600.0
_COMPILER_DEADLINE = 120.0
_BOUNDS = r"(?:__launch_bounds__\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\s*)?"
_KERNEL = re.compile(rf"__global__\s+{_BOUNDS}void\s+{_BOUNDS}(\w+)\s*\(")
_ALIGNED = r"(?:__align__\s*\(\s*\d+\s*\)\s*)?"
_DYNAMIC = re.compile(rf"extern\s+__shared__\s+{_ALIGNED}([\w:\s]+?)\s*{_ALIGNED}(\w+)\s*\[\s*\]\s*;")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)


class EmulationError(RuntimeError):
    """A kernel does not compile, or did what a GPU does not allow."""


class _Index(ctypes.Structure):
    _fields_ = [("x", ctypes.c_uint), ("y", ctypes.c_uint), ("z", ctypes.c_uint)]

# Names a folder that is given every text that is run: for `python -m tests.cuda.machine_code`.
KEPT_TEXTS = "OLYMPUS_TESTS_KEEP_TEXTS"


def missing() -> str | None:
    """What keeps kernels from being run here, in words; None if nothing does."""
    return None if shutil.which("g++") else "no g++ to compile emulated kernels with"


@functools.cache
def _folder() -> Path:
    """Where compiled objects are: one folder for all processes with this compiler and these headers."""
    identity = hashlib.sha256(" ".join((*_FLAGS, _CHECKS)).encode())
    for path in sorted((*_HERE.glob("*.h"), *_HERE.glob("*.cpp"))):
        identity.update(path.read_bytes())
    identity.update(subprocess.run(["g++", "--version"], capture_output=True, check=True, timeout=60).stdout)
    folder = Path(tempfile.gettempdir()) / f"olympus-emulation-{os.getuid()}" / identity.hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.parent.glob("*/*"):
        try:
            if time.time() - old.stat().st_mtime > _KEPT_SECONDS:
                old.unlink()
        except FileNotFoundError:
            pass  # another process was as tidy
    return folder


def _built(name: str, arguments: Sequence[str], text: str | None = None) -> Path:
    target = _folder() / f"{name}.so"
    if target.exists():
        os.utime(target)
        return target
    part = target.with_name(f"{name}.{os.getpid()}.{threading.get_ident()}.part")
    run = subprocess.run(["g++", *_FLAGS, *arguments, "-o", str(part)], input=text, text=True, capture_output=True,
                         timeout=_COMPILER_DEADLINE, check=False)
    if run.returncode:
        part.unlink(missing_ok=True)
        raise EmulationError(f"the host's compiler refuses the kernels:\n{run.stderr}\n{text}")
    os.replace(part, target)
    return target


@functools.cache
def _runtime() -> ctypes.CDLL:
    path = _built("runtime", ["-O2", *(str(_HERE / name) for name in _RUNTIME)])
    return ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)


@functools.cache
def _math() -> ctypes.CDLL:
    return ctypes.CDLL("libm.so.6", mode=ctypes.RTLD_GLOBAL)


def source(text: str) -> tuple[str, tuple[str, ...]]:
    """The text as the host's compiler takes it, and the names of its kernels."""
    names = tuple(dict.fromkeys(_KERNEL.findall(_COMMENT.sub(" ", text))))
    body = _DYNAMIC.sub(r"\1* const \2 = (\1*)olympus_dynamic;", text)
    # Internal names: what no kernel uses is never compiled.
    kernels = [f"OLYMPUS_KERNEL({name})" for name in names]
    lines = ['#include "cuda_emulation.h"', "namespace {", '#line 1 "the text"', body, "}", *kernels]
    return "\n".join(lines) + "\n", names


class _Loaded:
    """A compiled text in this process; its kernels share memory, so that one runs at a time."""

    def __init__(self, digest: str, text: str, checked: bool) -> None:
        _math()
        _runtime()
        flags = [_CHECKS, *(_CHECKED if checked else ()), "-I", str(_HERE), "-nostartfiles", "-nodefaultlibs"]
        path = _built(digest, [*flags, "-x", "c++", "-"], text)
        self.library = ctypes.CDLL(str(path))
        self.lock = threading.Lock()


_loaded: dict[str, _Loaded] = {}
_loading = threading.Lock()


class EmulatedModule:
    """Kernels of one text, ready to be launched.

    Args:
        text: CUDA C++ as the GPU's compiler takes it.
        checked: Whether every access to memory is watched: for races between threads, for shared memory that is read
            before it is written, and, where a launch is given `bounds`, for what is outside of all buffers. It takes
            several times as long.

    Raises:
        EmulationError: If the host's compiler refuses it.
    """

    def __init__(self, text: str, checked: bool = False) -> None:
        full, self.names = source(text)
        digest = hashlib.sha256(full.encode()).hexdigest()[:32] + ("-checked" if checked else "")
        with _loading:
            if digest not in _loaded:
                _loaded[digest] = _Loaded(digest, full, checked)
                if (folder := os.environ.get(KEPT_TEXTS)) is not None:
                    Path(folder, f"{digest}.cu").write_text(text)
            self._loaded = _loaded[digest]

    def launch(
        self,
        name: str,
        grid: int | tuple[int, ...],
        block: int | tuple[int, ...],
        shared_bytes: int,
        addresses: Sequence[int],
        bounds: Iterable[tuple[int, int]] = (),
    ) -> None:
        """Runs a kernel to its end.

        Args:
            name: The kernel's function.
            grid: Number of blocks, one number for each dimension.
            block: Threads of a block, likewise.
            shared_bytes: Dynamic shared memory of a block.
            addresses: The arguments: addresses, or whole numbers, or the bits of floats.
            bounds: Addresses and sizes of buffers in `Guarded` memory, whose guards are looked at afterwards; a checked
                module may touch nothing else.

        Raises:
            EmulationError: If there is no such kernel, or it did what a GPU does not allow.
        """
        if name not in self.names:
            raise EmulationError(f"no kernel {name}; there are {', '.join(self.names) or 'none'}")
        library = self._loaded.library
        arity = getattr(library, f"olympus_arity_{name}")()
        if arity != len(addresses):
            raise EmulationError(f"kernel {name} takes {arity} arguments, not {len(addresses)}")
        function = getattr(library, f"olympus_launch_{name}")
        function.argtypes = [_Index, _Index, ctypes.c_ulong, ctypes.c_void_p, ctypes.c_char_p,
                             ctypes.c_void_p, ctypes.c_ulong]
        arguments = (ctypes.c_uint64 * max(1, len(addresses)))(*(a & (1 << 64) - 1 for a in addresses))
        known = list(bounds)
        buffers = (ctypes.c_uint64 * max(1, 2 * len(known)))(*(number for pair in known for number in pair))
        error = ctypes.create_string_buffer(512)
        with self._loaded.lock:
            failed = function(_index(grid), _index(block), shared_bytes, arguments, error, buffers, len(known))
        if failed:
            raise EmulationError(error.value.decode())
        for place, (address, nbytes) in enumerate(known):
            found = damage(address, nbytes)
            if found is not None:
                raise EmulationError(f"kernel {name} wrote {found} (buffer {place} of {nbytes} bytes)")


def _index(given: int | tuple[int, ...]) -> _Index:
    return _Index(*((given, 1, 1) if isinstance(given, int) else (*given, 1, 1)[:3]))
