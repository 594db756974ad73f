# SPDX-License-Identifier: Apache-2.0
"""The cache of compiled code on disk."""

from __future__ import annotations

from olympus_core.deferred import listed

from . import compilation_cache

__all__ = ["compilation_cache"]
__dir__ = listed(__all__)
