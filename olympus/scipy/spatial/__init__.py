# SPDX-License-Identifier: Apache-2.0
"""Geometry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from olympus_core.deferred import deferred

__all__ = ["transform"]

if TYPE_CHECKING:
    from . import transform as transform
else:
    __getattr__, __dir__ = deferred(__name__, {module: module for module in __all__})
