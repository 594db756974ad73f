# SPDX-License-Identifier: Apache-2.0
"""Integrals of samples."""

from __future__ import annotations

from olympus_core.deferred import listed

from ..numpy.calculus import trapezoid

__all__ = ["trapezoid"]
__dir__ = listed(__all__)
