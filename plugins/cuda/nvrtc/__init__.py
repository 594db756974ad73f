# SPDX-License-Identifier: Apache-2.0
"""NVRTC, NVIDIA's run-time compiler: CUDA C++ to machine code; needs neither a GPU nor CuPy."""

from __future__ import annotations

from .compile import architectures, compile_cubin, options, version

__all__ = ["architectures", "compile_cubin", "options", "version"]
