# SPDX-License-Identifier: Apache-2.0
"""Types of arrays without content, with where the arrays would be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core.errors import ArgumentError, ImmutableError, NotSupportedError, described
from olympus_core.partition import explicit_layout
from olympus_core.placement import NamedSharding, PartitionSpec, Sharding
from olympus_core.program import ArrayType

from .operands import element_type, shape_argument
from .tracing import Aval, Reference, aval_of, canonical_dtype, shown_dtype
from .tracing.scopes import current_mesh
from .tracing.values import is_array_like


class ShapeDtypeStruct:
    """Stands for an array where only its shape and element type matter.

    Args:
        shape: Sizes of the dimensions.
        dtype: Type of the elements, which is kept; one of 64 bits stands for that of 32 where functions are traced
            while 64 bits are not enabled.
        sharding: Where the array would be: a sharding, a `Format` with one, or the `PartitionSpec` over the mesh that
            `set_mesh` names.
        weak_type: Whether the element type is weak.
        manual_axis_type: Accepted for compatibility: what varies inside of `shard_map` is found out there.
        is_ref: Not taken: references are made of values.

    Raises:
        ArgumentError: For a sharding that is none, or a spec where no mesh is in use.

    Example:
        >>> import olympus
        >>> olympus.ShapeDtypeStruct((2, 3), "float32")
        ShapeDtypeStruct(shape=(2, 3), dtype=float32)
    """

    __slots__ = ("_is_exact", "_layout", "dtype", "manual_axis_type", "shape", "sharding", "weak_type")
    _is_exact: bool  # whether functions are traced for this element type, whatever is enabled
    _layout: Any
    dtype: Any
    manual_axis_type: Any
    shape: tuple[int, ...]
    sharding: Sharding | None
    weak_type: bool

    def __init__(
        self, shape: Sequence[int], dtype: Any, *, sharding: Any = None, weak_type: bool = False,
        manual_axis_type: Any = None, is_ref: bool = False,
    ) -> None:
        if is_ref:
            raise NotSupportedError("ShapeDtypeStruct with is_ref", "a reference is made of a value",
                                    "Make it inside of the function, with olympus.new_ref.")
        if dtype is None:
            raise ArgumentError("ShapeDtypeStruct", "there is no element type", None, "a type such as 'float32'")
        layout, placed = _placed(sharding)
        for name, value in (
            ("shape", shape_argument("ShapeDtypeStruct", shape)), ("_layout", layout), ("sharding", placed),
            ("dtype", shown_dtype(_whole_type(dtype))), ("weak_type", bool(weak_type)),
            ("manual_axis_type", manual_axis_type), ("_is_exact", False),
        ):
            object.__setattr__(self, name, value)

    @staticmethod
    def like(x: Any) -> ShapeDtypeStruct:
        """What stands for an array like this one, where it is.

        Args:
            x: An array, a NumPy array, a number, or what stands for an array.

        Example:
            >>> import olympus
            >>> olympus.ShapeDtypeStruct.like(1.0)
            ShapeDtypeStruct(shape=(), dtype=float32, weak_type=True)
        """
        sharding = getattr(x, "sharding", None)
        found = x if isinstance(x, Aval) else aval_of(x)
        return struct_of(found, sharding if isinstance(sharding, Sharding) and not isinstance(x, Aval) else None)

    def update(self, **changes: Any) -> ShapeDtypeStruct:
        """The same with other fields.

        Args:
            **changes: The fields, by the names of the arguments.

        Raises:
            ArgumentError: For a name that no field has.

        Example:
            >>> import olympus
            >>> olympus.ShapeDtypeStruct((2, 3), "float32").update(shape=(4,))
            ShapeDtypeStruct(shape=(4,), dtype=float32)
        """
        names = ("shape", "dtype", "sharding", "weak_type", "manual_axis_type", "is_ref")
        unknown = changes.keys() - set(names)
        if unknown:
            raise ArgumentError("ShapeDtypeStruct.update", "there is no such field", ", ".join(sorted(unknown)),
                                ", ".join(names))
        own = {name: getattr(self, name) for name in names}
        own["sharding"] = self.format if self._layout is not None else self.sharding
        return ShapeDtypeStruct(**{**own, **changes})

    @property
    def aval(self) -> Aval:
        """What tracing knows of it."""
        layout = None
        if isinstance(self.sharding, NamedSharding) and self.sharding.mesh.has_explicit_axes:
            layout = explicit_layout(self.sharding.layout(len(self.shape)))
        dtype = self.dtype if self._is_exact else canonical_dtype(self.dtype)
        return Aval(ArrayType(self.shape, dtype), self.weak_type, layout)

    @property
    def format(self) -> Any:
        """Where the array would be, and in which order its elements would lie: a `Format`."""
        from .formats import Format  # most programs never ask

        return Format(self._layout, self.sharding)

    @property
    def is_ref(self) -> bool:
        """False: it stands for no reference."""
        return False

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of a ShapeDtypeStruct without dimensions")
        return self.shape[0]

    def _fields(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self.sharding, self._layout, self.weak_type

    def __setattr__(self, name: str, value: Any) -> None:
        raise ImmutableError("ShapeDtypeStruct", name)

    def __reduce__(self) -> Any:
        placed = self.format if self._layout is not None else self.sharding
        return _made, (self.shape, self.dtype, placed, self.weak_type, self.manual_axis_type, self._is_exact)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShapeDtypeStruct) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())

    def __repr__(self) -> str:
        sharding = f", sharding={self.sharding}" if self.sharding is not None else ""
        layout = f", format={self._layout}" if self._layout is not None else ""
        weak = ", weak_type=True" if self.weak_type else ""
        return f"ShapeDtypeStruct(shape={self.shape}, dtype={self.dtype.name}{sharding}{layout}{weak})"


def _made(shape: Any, dtype: Any, placed: Any, weak: bool, manual: Any, is_exact: bool = False) -> ShapeDtypeStruct:
    """One that was pickled."""
    found = ShapeDtypeStruct(shape, dtype, sharding=placed, weak_type=weak, manual_axis_type=manual)
    object.__setattr__(found, "_is_exact", is_exact)
    return found


def _whole_type(dtype: Any) -> np.dtype:
    """The element type with its 64 bits."""
    found = element_type("ShapeDtypeStruct", dtype, is_told=False)
    asked = np.dtype(dtype)
    return found if found.itemsize == asked.itemsize else asked.newbyteorder("=")


def _placed(given: Any) -> tuple[Any, Sharding | None]:
    """The order of elements and the sharding that a user's argument says."""
    layout = None
    if given is not None and not isinstance(given, (Sharding, PartitionSpec)):
        from .formats import Format

        if isinstance(given, Format):
            layout, given = given.layout, given.sharding
    if isinstance(given, PartitionSpec):
        mesh = current_mesh()
        if mesh is None:
            raise ArgumentError("ShapeDtypeStruct", "a PartitionSpec needs a mesh, and none is in use", repr(given),
                                "a sharding", "Write NamedSharding(mesh, spec), or use olympus.set_mesh(mesh).")
        given = NamedSharding(mesh, given)
    if given is not None and not isinstance(given, Sharding):
        raise ArgumentError("ShapeDtypeStruct", "the sharding is none", described(given),
                            "a Sharding, a PartitionSpec, a Format or None")
    return layout, given


def is_described(x: Any) -> bool:
    """Whether a value is no array and tells the shape and the element type of one, as classes of users do."""
    return hasattr(x, "shape") and hasattr(x, "dtype") and not (is_array_like(x) or isinstance(x, Reference))


def described_struct(x: Any) -> Any:
    """What stands for an array of the shape and element type that a value tells; any other value as it is."""
    if not is_described(x):
        return x
    return ShapeDtypeStruct(x.shape, x.dtype, weak_type=getattr(x, "weak_type", False))


def struct_of(aval: Aval, sharding: Sharding | None = None) -> ShapeDtypeStruct:
    """What stands for an array of this type.

    Args:
        aval: The type.
        sharding: Where the array is; the sharding of the type when left out.
    """
    if sharding is None and aval.layout is not None:
        sharding = aval.sharding
    # Indices of long dimensions have 64 bits in any case.
    return _made(aval.shape, aval.dtype, sharding, aval.weak, None, is_exact=True)
