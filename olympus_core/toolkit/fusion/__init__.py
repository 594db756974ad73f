"""From device programs to kernels: what is fused, what has memory of its own, what stays an operation."""

from .costs import estimate
from .lowering import lowering_passes
from .options import FusionOptions
from .plan import Plan, plan
from .steps import KernelStep, OperationStep, ViewStep

__all__ = ["FusionOptions", "KernelStep", "OperationStep", "Plan", "ViewStep", "estimate", "lowering_passes", "plan"]
