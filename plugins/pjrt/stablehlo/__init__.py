# SPDX-License-Identifier: Apache-2.0
"""StableHLO: the text of a device program for the compilers behind PJRT libraries."""

from . import (
    collectives,
    contractions,
    control,
    elementwise,
    fourier,
    indexing,
    linear_algebra,
    randomness,
    reductions,
    special,
    structure,
)
from .module import emit, emit_program
from .policy import Precision, TypePolicy, tpu_policy
from .table import EMISSIONS

__all__ = ["EMISSIONS", "Precision", "TypePolicy", "emit", "emit_program", "tpu_policy"]

# Importing the modules fills the table.
_FAMILIES = (
    collectives, contractions, control, elementwise, fourier, indexing, linear_algebra, randomness, reductions, special,
    structure,
)
