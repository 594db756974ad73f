# SPDX-License-Identifier: Apache-2.0
"""Batching: `vmap`, and what of `xmap` stays on one device."""

from .. import rules as rules  # fills the table
from .vmap import map_indices, vmap

__all__ = ["map_indices", "vmap"]
