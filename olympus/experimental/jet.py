# SPDX-License-Identifier: Apache-2.0
"""Taylor mode: all derivatives of a function along a curve up to some order at once."""

from __future__ import annotations

from olympus_core.deferred import listed

from ..transforms.derivatives.taylor import jet

__all__ = ["jet"]
__dir__ = listed(__all__)
