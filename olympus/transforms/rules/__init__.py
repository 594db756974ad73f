# SPDX-License-Identifier: Apache-2.0
"""The rules of all operations, by families: derivatives and batching side by side. Importing it fills the table."""

from . import (
    call,
    collective,
    conditional,
    contract,
    elementwise,
    fourier,
    host,
    indexing,
    linear_algebra,
    loops,
    manual,
    random,
    reduce,
    special_functions,
    spectral,
    structure,
)

__all__ = [
    "call", "collective", "conditional", "contract", "elementwise", "fourier", "host", "indexing", "linear_algebra",
    "loops", "manual", "random", "reduce", "special_functions", "spectral", "structure",
]
