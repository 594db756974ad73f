# SPDX-License-Identifier: Apache-2.0
"""Functions over named axes, under the name by which older programs know them."""

from __future__ import annotations

from olympus_core.deferred import listed
from olympus_core.placement import Mesh

from ..transforms.xmap import xmap

__all__ = ["Mesh", "xmap"]
__dir__ = listed(__all__)
