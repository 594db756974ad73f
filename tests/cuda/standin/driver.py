# SPDX-License-Identifier: Apache-2.0
"""The functions of `cupy.cuda.driver` that the driver interface calls."""

from __future__ import annotations

import ctypes
import re

from tests.cuda.emulation import EmulatedModule

from .machine import MACHINE, Item, Violation, accesses

_MAGIC = b"olympus emulated\n"
_MOST_THREADS, _MOST_SHARED, _MOST_BLOCKS = 1024, 48 << 10, (1 << 31) - 1
_modules: dict[int, tuple[EmulatedModule, str]] = {}
_functions: dict[int, tuple[EmulatedModule, str, tuple[bool | None, ...], int]] = {}
_known: dict[bytes, int] = {}
_SHARED_ATTRIBUTE, _MOST_ALLOWED = 8, 232_448  # of an H200's block
_allowed: dict[int, int] = {}


class CUDADriverError(RuntimeError):
    """An error of the driver."""


def moduleLoadData(image: bytes) -> int:
    if type(image) is not bytes or not image.startswith(_MAGIC):
        raise Violation("what is loaded is no machine code of the stand-in's compiler")
    text = image[len(_MAGIC):].decode()
    handle = next(MACHINE.numbers)
    _modules[handle] = EmulatedModule(text), text
    return handle


def moduleGetFunction(module: int, name: str) -> int:
    emulated, text = _modules[module]
    if name not in emulated.names:
        raise CUDADriverError("CUDA_ERROR_NOT_FOUND: named symbol not found")
    handle = next(MACHINE.numbers)
    _functions[handle] = emulated, name, _written(text, name), MACHINE.device
    return handle


def funcSetAttribute(function: int, attribute: int, value: int) -> None:
    if attribute != _SHARED_ATTRIBUTE or not 0 <= value <= _MOST_ALLOWED:
        raise CUDADriverError("CUDA_ERROR_INVALID_VALUE: invalid argument")
    _allowed[function] = value


def launchKernel(
    function: int, grid_x: int, grid_y: int, grid_z: int, block_x: int, block_y: int, block_z: int, shared: int,
    stream: int, parameters: int, extra: int,
) -> None:
    emulated, name, writes, _ = _functions[function]
    found, what = MACHINE.stream(stream), f"kernel {name}"
    MACHINE.check_current(found)
    threads = block_x * block_y * block_z
    MACHINE.check(0 < threads <= _MOST_THREADS, f"{what} is launched with {threads} threads in a block")
    MACHINE.check(0 < grid_x <= _MOST_BLOCKS and 0 < grid_y < 65536 and 0 < grid_z < 65536,
                  f"{what} is launched with a grid of {grid_x} x {grid_y} x {grid_z}")
    MACHINE.check(0 <= shared <= _allowed.get(function, _MOST_SHARED),
                  f"{what} is launched with {shared} bytes of shared memory")
    MACHINE.check(extra == 0, f"{what} is launched with further arguments")
    pointers = (ctypes.c_uint64 * len(writes)).from_address(parameters)
    values = [ctypes.c_uint64.from_address(p).value for p in pointers]
    touched = [(a, w) for a, w in zip(values, writes, strict=True) if w is not None]
    with MACHINE.lock:
        blocks = [MACHINE.block_of(access, what) for access in accesses(touched)]
        bounds = sorted({(b.address, b.nbytes) for b in blocks})

        def run() -> None:
            emulated.launch(name, (grid_x, grid_y, grid_z), (block_x, block_y, block_z), shared, values, bounds)

        # An input that is an output too is written.
        MACHINE.launches += 1
        MACHINE.enqueue(found, Item(what, run, accesses(sorted(touched, key=lambda pair: pair[1]))))


def _written(text: str, name: str) -> tuple[bool | None, ...]:
    """For each of a kernel's arguments whether it may be written to; None for numbers, which have 8 bytes."""
    found = re.search(rf"__global__[^;{{]*?\b{name}\s*\(([^)]*)\)", re.sub(r"__launch_bounds__\s*\([^)]*\)", "", text))
    if found is None:
        raise Violation(f"kernel {name} has no list of arguments that can be read")
    arguments = [a for a in found[1].split(",") if a.strip()]
    for argument in arguments:
        if "*" not in argument and not argument.strip().startswith("unsigned long long "):
            raise Violation(f"argument {argument.strip()!r} of kernel {name} is neither pointer nor unsigned long long")
    return tuple("const" not in a.split("*")[0] if "*" in a else None for a in arguments)
