# SPDX-License-Identifier: Apache-2.0
"""Compilation of CUDA C++ to machine code."""

from __future__ import annotations

import ctypes

from ..errors import CudaCompileError, NvrtcError
from .library import COMPILATION_FAILED, library


def version() -> tuple[int, int]:
    """The compiler's version, which is part of the key of cached machine code.

    Raises:
        NvrtcNotFoundError: If there is no compiler.
    """
    major, minor = ctypes.c_int(), ctypes.c_int()
    library().call("nvrtcVersion", ctypes.byref(major), ctypes.byref(minor))
    return major.value, minor.value


def architectures() -> tuple[str, ...]:
    """The architectures that it supports, oldest first, such as `sm_90`."""
    count = ctypes.c_int()
    library().call("nvrtcGetNumSupportedArchs", ctypes.byref(count))
    numbers = (ctypes.c_int * count.value)()
    library().call("nvrtcGetSupportedArchs", numbers)
    return tuple(f"sm_{number}" for number in numbers)


def options(architecture: str, fused: bool) -> tuple[str, ...]:
    """The compiler's options, which are part of the key of cached machine code.

    Args:
        architecture: The GPU's, such as `sm_90`.
        fused: Whether multiplications and additions may be fused (FMA).
    """
    return (f"--gpu-architecture={architecture}", "--std=c++17", "-default-device", "--minimal",
            f"--fmad={'true' if fused else 'false'}")


def compile_cubin(text: str, architecture: str, name: str, fused: bool = False) -> bytes:
    """Compiles a text.

    Args:
        text: CUDA C++ without includes.
        architecture: The GPU's, such as `sm_90`.
        name: The text's name in errors.
        fused: Whether multiplications and additions may be fused (FMA).

    Returns:
        A cubin, which the driver loads.

    Raises:
        NvrtcNotFoundError: If there is no compiler.
        CudaCompileError: If the compiler rejects the text; the error has its log.
        NvrtcError: For any other failure, such as an unknown architecture.
    """
    lib = library()
    program = ctypes.c_void_p()
    lib.call("nvrtcCreateProgram", ctypes.byref(program), text.encode(), f"{name}.cu".encode(), 0, None, None)
    try:
        given = [option.encode() for option in options(architecture, fused)]
        status = lib.status("nvrtcCompileProgram", program, len(given), (ctypes.c_char_p * len(given))(*given))
        if status:
            log = lib.bytes_of(program, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog").rstrip(b"\0").decode()
            if status == COMPILATION_FAILED:
                raise CudaCompileError(name, architecture, log, text)
            raise NvrtcError("nvrtcCompileProgram", lib.status_text(status), log)
        return lib.bytes_of(program, "nvrtcGetCUBINSize", "nvrtcGetCUBIN")
    finally:
        lib.call("nvrtcDestroyProgram", ctypes.byref(program))
