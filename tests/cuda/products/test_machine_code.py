# SPDX-License-Identifier: Apache-2.0
"""Every kind of own kernel becomes machine code for the GPUs that there are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Operation, Value
from olympus_cuda import nvrtc
from olympus_cuda.codegen.module import Module
from olympus_cuda.errors import NvrtcNotFoundError
from olympus_cuda.products import convolutions
from olympus_cuda.products.copies import bytes_module, copy_module, zeros_module
from olympus_cuda.products.scatters import scattered_module
from olympus_cuda.products.tiled import Epilogue, epilogue_module
from olympus_cuda.products.work_steps import KernelLaunchStep, ProductWork

from .emulated_gpu import made_step, operation_of, some


def _missing() -> str | None:
    try:
        nvrtc.version()
    except NvrtcNotFoundError:
        return "NVRTC is missing: pip install nvidia-cuda-nvrtc"
    return None


def kernels_of(operation: Operation) -> Iterator[Module]:
    """The modules of an operation's work."""
    work = made_step(operation)
    assert isinstance(work, ProductWork)
    for variant in work.variants:
        yield from (part.module for part in variant.steps if isinstance(part, KernelLaunchStep))


def modules() -> Iterator[Module]:
    """Own kernels of all kinds."""
    for dtype in (dtypes.int8, dtypes.float8_e4m3fn, dtypes.complex128):
        arrays = [some((5, 7, 2), dtype), some((7, 6, 2), dtype)]
        yield from kernels_of(operation_of(ops.dot_general, arrays, lhs_contracting=(1,), rhs_contracting=(0,),
                                           lhs_batch=(2,), rhs_batch=(2,)))
    arrays = [some((2, 2000), dtypes.complex64), some((2000, 3), dtypes.complex64)]
    yield from kernels_of(operation_of(ops.dot_general, arrays, lhs_contracting=(1,), rhs_contracting=(0,),
                                       lhs_batch=(), rhs_batch=()))
    arrays = [some((2, 6, 8, 9), dtypes.float16), some((4, 3, 3, 3), dtypes.float16)]
    yield from kernels_of(operation_of(
        ops.convolution, arrays, window_strides=(2, 1), padding=((1, -1), (0, 2)), lhs_dilation=(1, 2),
        rhs_dilation=(2, 1), lhs_layout="NCHW", rhs_layout="OIHW", out_layout="NCHW", feature_groups=2, batch_groups=1))
    for length in (40, 5000):
        values = tuple(Value(ArrayType((2, length, 3), d))
                       for d in (dtypes.complex64, dtypes.float16, dtypes.int64, dtypes.bool_))
        attributes = {"dimension": 1, "keys": 4}
        yield from kernels_of(Operation(ops.sort, values, attributes, (), tuple(Value(v.type) for v in values), None))
    yield zeros_module(1000)
    yield bytes_module(1001)
    yield scattered_module(dtypes.bfloat16, 100, 7, 5000, "mul")
    yield scattered_module(dtypes.complex64, 100, 1, 5000, "add")
    yield copy_module(dtypes.float32, dtypes.bfloat16, [(64, 1), (64, 64)])
    yield epilogue_module(dtypes.bfloat16, 64, 64, Epilogue(True, True))
    yield epilogue_module(dtypes.float16, 64, 64, Epilogue(True, gelu=True))


@pytest.mark.skipif(_missing() is not None, reason=str(_missing()))
def test_own_kernels_for_three_architectures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(convolutions, "_LARGE", 0)
    texts = {module.text: next(iter(module.launches)) for module in modules()}
    assert len(texts) > 12
    for text, name in texts.items():
        for architecture in ("sm_80", "sm_90", "sm_100"):
            code = nvrtc.compile_cubin(text, architecture, name)
            assert code[:4] == b"\x7fELF" and f".text.{name}".encode() in code
