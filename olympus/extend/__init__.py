# SPDX-License-Identifier: Apache-2.0
"""For libraries that build on olympus: programs as data, operations of their own, functions with transformations."""

from typing import TYPE_CHECKING

from olympus_core.deferred import deferred as _deferred

if TYPE_CHECKING:
    from . import backend, core, kernels, linear_util, source_info_util
else:
    __getattr__, __dir__ = _deferred(__name__, {
        module: module for module in ("backend", "core", "kernels", "linear_util", "source_info_util")})

__all__ = ["backend", "core", "kernels", "linear_util", "source_info_util"]
