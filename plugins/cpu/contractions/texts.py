# SPDX-License-Identifier: Apache-2.0
"""The texts of a GEMM's modules, by name; imported only for code that is not cached."""

from .amx import amx_module, baseline_amx_module
from .baseline import baseline_module, baseline_packing_module, microkernel_module
from .gemm_kernel import gemm_module
from .packing import pack_module

__all__ = [
    "amx_module", "baseline_module", "baseline_packing_module", "gemm_module", "microkernel_module", "pack_module",
    "baseline_amx_module",
]
