# SPDX-License-Identifier: Apache-2.0
"""For libraries that build on olympus: programs as data, operations of their own, functions with transformations."""

from typing import TYPE_CHECKING

from olympus_core.deferred import deferred as _deferred

if TYPE_CHECKING:
    from . import backend, core, cuda_kernels, kernels, linear_util, random, source_info_util, stablehlo_modules
else:
    __getattr__, __dir__ = _deferred(__name__, {
        module: module for module in (
            "backend", "core", "cuda_kernels", "kernels", "linear_util", "random",
            "source_info_util", "stablehlo_modules")})

__all__ = [
    "backend", "core", "cuda_kernels", "kernels", "linear_util", "random", "source_info_util", "stablehlo_modules",
]
