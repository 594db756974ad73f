# SPDX-License-Identifier: Apache-2.0
"""Kernels as loop nests: the form that platforms which generate code emit from."""

from .form import (
    Affine,
    Compute,
    Constant,
    Index,
    IndexValue,
    Inside,
    Kernel,
    Load,
    Loop,
    Parameter,
    Recurrence,
    Reduction,
    Scalar,
    Statement,
    Store,
    addressed_by,
    operands_of,
    results_of,
)
from .reference import run_kernel
from .text import kernel_key, print_kernel
from .verify import verify_kernel

__all__ = [
    "Affine", "Compute", "Constant", "Index", "IndexValue", "Inside", "Kernel", "Load", "Loop", "Parameter",
    "Recurrence", "Reduction", "Scalar", "Statement", "Store", "addressed_by", "kernel_key", "operands_of",
    "print_kernel", "results_of", "run_kernel", "verify_kernel",
]
