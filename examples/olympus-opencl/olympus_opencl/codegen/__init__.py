"""OpenCL C as text from the toolkit's loop nests."""

from __future__ import annotations

from .emit import Launch, Module, emit_module
from .functions import supports

__all__ = ["Launch", "Module", "emit_module", "supports"]
