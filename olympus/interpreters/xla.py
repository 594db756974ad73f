# SPDX-License-Identifier: Apache-2.0
"""Compiling one operation that a library adds; which classes of values stand for arrays."""

from olympus_core.deferred import listed

from ..transforms.jaxpr.writing import apply_primitive
from .registers import ArrayClasses

canonicalize_dtype_handlers = ArrayClasses()

__all__ = ["apply_primitive", "canonicalize_dtype_handlers"]
__dir__ = listed(__all__)
