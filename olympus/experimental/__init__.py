"""Helpers around the core of the language."""

from . import maps, mesh_utils, multihost_utils

__all__ = ["maps", "mesh_utils", "multihost_utils"]
