# SPDX-License-Identifier: Apache-2.0
"""Platforms that are each right but for one defect: what every requirement is shown to find."""

from __future__ import annotations

from . import (
    asynchrony,
    buffers,
    collectives,
    communicators,
    devices,
    execution,
    kernels,
    lifecycle,
    operations,
    performance,
    programs,
)
from .form import BROKEN, RELEASED, Broken, broken

__all__ = [
    "BROKEN", "RELEASED", "Broken", "asynchrony", "broken", "buffers", "collectives", "communicators", "devices",
    "execution", "kernels", "lifecycle", "operations", "performance", "programs",
]
