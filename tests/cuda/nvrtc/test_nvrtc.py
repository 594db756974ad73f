# SPDX-License-Identifier: Apache-2.0
"""CUDA C++ becomes machine code without a GPU, and what is wrong is said."""

from __future__ import annotations

import pytest

from olympus_core.errors import OlympusError
from olympus_cuda import nvrtc
from olympus_cuda.errors import CudaCompileError, NvrtcError, NvrtcNotFoundError
from olympus_cuda.nvrtc import library as library_module

KERNEL = 'extern "C" __global__ void twice(const float* x, float* y) { y[threadIdx.x] = 2 * x[threadIdx.x] + 1; }\n'


def _missing() -> str | None:
    try:
        nvrtc.version()
    except NvrtcNotFoundError:
        return "NVRTC is missing: pip install nvidia-cuda-nvrtc"
    return None


needs_nvrtc = pytest.mark.skipif(_missing() is not None, reason=str(_missing()))


@needs_nvrtc
@pytest.mark.parametrize("architecture", ["sm_80", "sm_90", "sm_100"])
def test_machine_code_is_an_elf_file_of_the_architecture(architecture: str) -> None:
    code = nvrtc.compile_cubin(KERNEL, architecture, "twice")
    assert code[:4] == b"\x7fELF"
    assert b".text.twice" in code and architecture.encode() in code
    assert architecture in nvrtc.architectures()


@needs_nvrtc
def test_what_compiles_is_the_same_each_time_and_fused_only_where_asked() -> None:
    plain = nvrtc.compile_cubin(KERNEL, "sm_90", "twice")
    assert plain == nvrtc.compile_cubin(KERNEL, "sm_90", "twice")
    assert plain != nvrtc.compile_cubin(KERNEL, "sm_90", "twice", fused=True)


@needs_nvrtc
def test_a_wrong_text_is_an_error_with_the_line() -> None:
    with pytest.raises(CudaCompileError) as caught:
        nvrtc.compile_cubin(KERNEL + "\nint wrong = unknown;\n", "sm_90", "mistaken")
    assert "mistaken.cu(3): error" in str(caught.value) and '"unknown" is undefined' in caught.value.log
    assert (caught.value.name, caught.value.architecture) == ("mistaken", "sm_90")
    assert "unknown" in caught.value.text


@needs_nvrtc
def test_an_architecture_that_there_is_not() -> None:
    with pytest.raises(NvrtcError, match="INVALID_OPTION"):
        nvrtc.compile_cubin(KERNEL, "sm_1", "twice")


@needs_nvrtc
def test_version_and_architectures() -> None:
    assert nvrtc.version() >= (12, 0)
    assert {"sm_80", "sm_90"} <= set(nvrtc.architectures())


def test_a_missing_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    library_module.library.cache_clear()
    monkeypatch.setenv(library_module.LOCATION.variable, "libnothing.so.1")
    with pytest.raises(NvrtcNotFoundError, match=r"pip install 'olympus-runtime\[cuda\]'") as caught:
        nvrtc.version()
    assert "libnothing.so.1" in str(caught.value)
    assert isinstance(caught.value, OlympusError) and isinstance(caught.value, ImportError)
    monkeypatch.undo()
    library_module.library.cache_clear()
