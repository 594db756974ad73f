"""Compiling one operation that a library adds."""

from olympus_core.deferred import listed

from ..transforms.jaxpr.writing import apply_primitive

__all__ = ["apply_primitive"]
__dir__ = listed(__all__)
