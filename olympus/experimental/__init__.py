"""Helpers around the core of the language."""

from . import mesh_utils, multihost_utils

__all__ = ["mesh_utils", "multihost_utils"]
