"""Shapes and types without content."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core.partition import explicit_layout
from olympus_core.placement import NamedSharding, Sharding
from olympus_core.program import ArrayType

from . import tree
from .config import enable_x64
from .operands import element_type, shape_argument
from .tracing import Aval, aval_of, shown_dtype
from .tracing.aval import ManualAxisType, RegionAval
from .tracing.explicit import visible
from .tracing.tracebacks import entrance
from .transforms.context import varying_axes
from .transforms.jit import Jitted


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


def typeof(x: Any) -> Aval:
    """The type of a value as olympus sees it: element type, shape, and explicit sharding.

    Args:
        x: An array, a traced value, a NumPy array, or a number.

    Returns:
        What tracing knows of it; prints as ``int32[4@X,2]``. In the body of a `shard_map` its `vma` are the manual axes
        along which devices may hold different values, which prints as ``int32[2]{V:x}``.

    Example:
        >>> import numpy as np, olympus
        >>> print(olympus.typeof(np.arange(8)))
        int32[8]
    """
    aval = aval_of(x)
    shown = visible(aval.layout)
    aval = aval if shown is aval.layout else Aval(aval.type, aval.weak, shown)
    varying = varying_axes(x)
    return RegionAval(aval, ManualAxisType(varying=varying)) if varying else aval


@entrance
def eval_shape(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The shapes and element types of a function's results, without computing them.

    Args:
        function: A function of arrays.
        *args: Its arguments; `ShapeDtypeStruct` stands for an array.
        **kwargs: Likewise.

    Returns:
        The results' structure with `ShapeDtypeStruct` as leaves.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.eval_shape(jnp.matmul, jnp.ones((2, 3)), olympus.ShapeDtypeStruct((3, 4), "float32"))
        ShapeDtypeStruct(shape=(2, 4), dtype=float32)
    """
    traced = Jitted(function).trace(*args, **kwargs)
    with enable_x64(True):  # indices of long dimensions have 64 bits in any case
        found = [ShapeDtypeStruct(a.shape, a.dtype, weak_type=a.weak, sharding=None if a.layout is None else a.sharding)
                 for a in traced.out_avals]
    return tree.unflatten(traced.out_tree, found)
