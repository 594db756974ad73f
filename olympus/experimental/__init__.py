"""Helpers around the core of the language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from olympus_core.deferred import deferred

_MODULES = ("aot", "checkify", "compilation_cache", "custom_partitioning", "jet", "layout", "linalg", "maps",
            "mesh_utils", "multihost_utils", "ode", "pallas", "pjit", "serialize_executable", "shard_map", "sparse")
__all__ = [
    "aot", "checkify", "compilation_cache", "custom_partitioning", "io_callback", "jet", "layout", "linalg", "maps",
    "mesh_utils", "multihost_utils", "ode", "pallas", "pjit", "serialize_executable", "shard_map", "sparse",
]

if TYPE_CHECKING:
    from ..callbacks import io_callback
    from . import (
        aot,
        checkify,
        compilation_cache,
        custom_partitioning,
        jet,
        layout,
        linalg,
        maps,
        mesh_utils,
        multihost_utils,
        ode,
        pallas,
        pjit,
        serialize_executable,
        shard_map,
        sparse,
    )
else:
    __getattr__, __dir__ = deferred(__name__, {**{module: module for module in _MODULES}, "io_callback": ".callbacks"})
