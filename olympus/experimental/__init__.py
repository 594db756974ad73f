"""Helpers around the core of the language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from olympus_core.deferred import deferred

__all__ = ["aot", "layout", "maps", "mesh_utils", "multihost_utils", "ode", "pjit", "shard_map", "sparse"]

if TYPE_CHECKING:
    from . import aot, layout, maps, mesh_utils, multihost_utils, ode, pjit, shard_map, sparse
else:
    __getattr__, __dir__ = deferred(__name__, {module: module for module in __all__})
