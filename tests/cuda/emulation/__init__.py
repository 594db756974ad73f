# SPDX-License-Identifier: Apache-2.0
"""CUDA C++ run by the host's processor: what kernels do, without a GPU."""

from __future__ import annotations

from .compile import EmulatedModule, EmulationError, missing
from .memory import Guarded

__all__ = ["EmulatedModule", "EmulationError", "Guarded", "missing"]
