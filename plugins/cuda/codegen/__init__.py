# SPDX-License-Identifier: Apache-2.0
"""Emission: CUDA C++ as text from the toolkit's loop nests."""

from __future__ import annotations

from .emit import emit_module
from .module import Launch, Module
from .options import OPTIONS
from .target import Target, supports

__all__ = ["OPTIONS", "Launch", "Module", "Target", "emit_module", "supports"]
