# SPDX-License-Identifier: Apache-2.0
"""Helpers around the core of the language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from olympus_core.deferred import deferred

_MODULES = ("aot", "buffer_callback", "checkify", "compilation_cache", "compute_on", "custom_partitioning", "jet",
            "key_reuse", "layout", "linalg", "maps", "mesh_utils", "multihost_utils", "ode", "pallas", "pjit", "random",
            "rnn", "scheduling_groups", "serialize_executable", "shard_alike", "shard_map", "sparse", "topologies",
            "xla_metadata")
__all__ = [
    "aot", "buffer_callback", "checkify", "compilation_cache", "compute_on", "cur_qdd", "custom_partitioning",
    "io_callback", "jet", "key_reuse", "layout", "linalg", "maps", "mesh_utils", "multihost_utils", "ode", "pallas",
    "pjit", "random", "rnn", "scheduling_groups", "serialize_executable", "shard_alike", "shard_map", "sparse",
    "topologies", "xla_metadata",
]

if TYPE_CHECKING:
    from ..callbacks import io_callback
    from ..transforms.high.mutable import cur_qdd
    from . import (
        aot,
        buffer_callback,
        checkify,
        compilation_cache,
        compute_on,
        custom_partitioning,
        jet,
        key_reuse,
        layout,
        linalg,
        maps,
        mesh_utils,
        multihost_utils,
        ode,
        pallas,
        pjit,
        random,
        rnn,
        scheduling_groups,
        serialize_executable,
        shard_alike,
        shard_map,
        sparse,
        topologies,
        xla_metadata,
    )
else:
    __getattr__, __dir__ = deferred(__name__, {
        **{module: module for module in _MODULES}, "cur_qdd": ".transforms.high.mutable", "io_callback": ".callbacks"})
