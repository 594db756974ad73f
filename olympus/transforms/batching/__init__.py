"""Batching: `vmap`, its trace, and a rule for each operation."""

from .vmap import map_indices, vmap

__all__ = ["map_indices", "vmap"]
