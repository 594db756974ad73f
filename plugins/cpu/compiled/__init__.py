# SPDX-License-Identifier: Apache-2.0
"""Compiled execution: fused kernels and GEMMs, linked, and run by one native call for each group of steps."""

from .kernel_generator import CpuKernelGenerator, open_generator

__all__ = ["CpuKernelGenerator", "open_generator"]
