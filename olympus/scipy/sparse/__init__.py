# SPDX-License-Identifier: Apache-2.0
"""Linear operators that are given as functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from olympus_core.deferred import deferred

__all__ = ["linalg"]

if TYPE_CHECKING:
    from . import linalg as linalg
else:
    __getattr__, __dir__ = deferred(__name__, {module: module for module in __all__})
