# SPDX-License-Identifier: Apache-2.0
"""Kinds of memory."""

from __future__ import annotations

from olympus_core.deferred import listed

from .formats import Space

__all__ = ["Space"]
__dir__ = listed(__all__)
