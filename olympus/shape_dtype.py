"""Types of arrays without content, with where the arrays would be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core.partition import explicit_layout
from olympus_core.placement import NamedSharding, Sharding
from olympus_core.program import ArrayType

from .config import enable_x64
from .operands import element_type, shape_argument
from .tracing import Aval, shown_dtype


class ShapeDtypeStruct:
    """Stands for an array where only its shape and element type matter.

    Args:
        shape: Sizes of the dimensions.
        dtype: Type of the elements.
        sharding: Where the array would be.
        weak_type: Whether the element type is weak.

    Example:
        >>> import olympus
        >>> olympus.ShapeDtypeStruct((2, 3), "float32")
        ShapeDtypeStruct(shape=(2, 3), dtype=float32)
    """

    __slots__ = ("dtype", "shape", "sharding", "weak_type")

    def __init__(
        self, shape: Sequence[int], dtype: Any, *, sharding: Sharding | None = None, weak_type: bool = False
    ) -> None:
        self.shape = shape_argument("ShapeDtypeStruct", shape)
        self.dtype = shown_dtype(element_type("ShapeDtypeStruct", dtype))
        self.sharding, self.weak_type = sharding, weak_type

    @property
    def aval(self) -> Aval:
        """What tracing knows of it."""
        layout = None
        if isinstance(self.sharding, NamedSharding) and self.sharding.mesh.has_explicit_axes:
            layout = explicit_layout(self.sharding.layout(len(self.shape)))
        return Aval(ArrayType(self.shape, self.dtype), self.weak_type, layout)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return int(np.prod(self.shape, dtype=np.int64))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShapeDtypeStruct) and (self.shape, self.dtype, self.sharding, self.weak_type) == (
            other.shape, other.dtype, other.sharding, other.weak_type)

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype, self.sharding, self.weak_type))

    def __repr__(self) -> str:
        sharding = f", sharding={self.sharding}" if self.sharding is not None else ""
        return f"ShapeDtypeStruct(shape={self.shape}, dtype={self.dtype.name}{sharding})"


def struct_of(aval: Aval, sharding: Sharding | None = None) -> ShapeDtypeStruct:
    """What stands for an array of this type.

    Args:
        aval: The type.
        sharding: Where the array is; the sharding of the type when left out.
    """
    if sharding is None and aval.layout is not None:
        sharding = aval.sharding
    with enable_x64(True):  # indices of long dimensions have 64 bits in any case
        return ShapeDtypeStruct(aval.shape, aval.dtype, sharding=sharding, weak_type=aval.weak)
