# SPDX-License-Identifier: Apache-2.0
"""Types of values under the names by which libraries make them and ask for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core.errors import ArgumentError, described
from olympus_core.partition import explicit_layout
from olympus_core.placement import Layout, NamedSharding, Sharding
from olympus_core.program import ArrayType

from .aval import Aval
from .high import HighType


class _OfAvals(type):
    """Every type that tracing knows is an instance; of a library's own classes only what they made."""

    def __instancecheck__(cls, instance: object) -> bool:
        if cls.__module__ == __name__:
            return isinstance(instance, (Aval, HighType))
        return super().__instancecheck__(instance)


class AbstractValue(Aval, metaclass=_OfAvals):
    """What is known of a value before it exists; made as a `ShapedArray`."""

    __slots__ = ()


class ShapedArray(AbstractValue):
    """The type of an array: what `olympus.typeof` and variables of jaxprs give are instances.

    Args:
        shape: Sizes of the dimensions.
        dtype: Type of the elements.
        weak_type: Whether the element type is weak.
        sharding: Where the array is; part of the type where its mesh has explicit axes.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.core.ShapedArray((2, 3), jnp.float32) == olympus.typeof(jnp.ones((2, 3)))
        True
    """

    __slots__ = ()

    def __init__(
        self, shape: Sequence[int], dtype: Any, weak_type: bool = False, *, sharding: Sharding | None = None
    ) -> None:
        try:
            kind = np.dtype(dtype)
        except TypeError as error:
            raise ArgumentError("ShapedArray", "the element type is not known", described(dtype),
                                "such as 'float32'") from error
        layout: Layout | None = None
        if isinstance(sharding, NamedSharding) and sharding.mesh.has_explicit_axes:
            layout = explicit_layout(sharding.layout(len(shape)))
        super().__init__(ArrayType(tuple(shape), kind), weak_type, layout)
