# SPDX-License-Identifier: Apache-2.0
"""Functions whose batching by `olympus.vmap` the user says."""

from olympus_core.deferred import listed

from .transforms.derivatives.custom_batching import custom_vmap, sequential_vmap

__all__ = ["custom_vmap", "sequential_vmap"]
__dir__ = listed(__all__)
