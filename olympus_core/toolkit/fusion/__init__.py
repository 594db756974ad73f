# SPDX-License-Identifier: Apache-2.0
"""From device programs to kernels: what is fused, what has memory of its own, what stays an operation."""

from .costs import arithmetic, estimate, multiplications
from .lowering import lowering_passes
from .options import FusionOptions
from .plan import Plan, plan
from .steps import KernelStep, OperationStep, ViewStep

__all__ = [
    "FusionOptions", "KernelStep", "OperationStep", "Plan", "ViewStep", "arithmetic", "estimate", "lowering_passes",
    "multiplications", "plan",
]
