# SPDX-License-Identifier: Apache-2.0
"""The kernels of attention become machine code that keeps everything in registers."""

from __future__ import annotations

import ctypes
import re

import pytest

from olympus_core import dtypes
from olympus_cuda.attention.backward import keys_module, queries_module
from olympus_cuda.attention.forward import forward_module
from olympus_cuda.attention.shapes import Shape
from olympus_cuda.nvrtc.compile import options
from olympus_cuda.nvrtc.library import library

from ..nvrtc.test_nvrtc import needs_nvrtc

_SHARED = 99 << 10  # bytes that a block may have on every GPU with these tensor cores


def compiled(text: str, architecture: str) -> str:
    """What the compiler tells of its registers."""
    lib, program = library(), ctypes.c_void_p()
    given = [option.encode() for option in (*options(architecture, False), "--ptxas-options=-v")]
    lib.call("nvrtcCreateProgram", ctypes.byref(program), text.encode(), b"attention.cu", 0, None, None)
    try:
        lib.call("nvrtcCompileProgram", program, len(given), (ctypes.c_char_p * len(given))(*given))
        return lib.bytes_of(program, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog").decode()
    finally:
        lib.call("nvrtcDestroyProgram", ctypes.byref(program))


@needs_nvrtc
@pytest.mark.parametrize("size", [64, 128])
@pytest.mark.parametrize("made", [forward_module, queries_module, keys_module], ids=lambda f: f.__name__)
@pytest.mark.parametrize("is_masked", [False, True])
def test_nothing_is_spilled(size: int, made: type, is_masked: bool) -> None:
    mask = (True, False, True, True) if is_masked else None
    module = made(Shape(dtypes.bfloat16, 4, 2048, 2048, 16, 4, size, size ** -0.5, None, 0, mask))
    ((launch,),) = module.launches.values()
    assert launch.shared <= _SHARED
    for architecture in ("sm_80", "sm_90", "sm_100"):
        said = compiled(module.text, architecture)
        assert re.findall(r"(\d+) bytes spill stores, (\d+) bytes spill loads", said) == [("0", "0")], said
