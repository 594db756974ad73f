# SPDX-License-Identifier: Apache-2.0
"""What tracing knows of a value: its type, whether that is weak, and its explicit sharding; element types of keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.config import config
from olympus_core.errors import ArgumentError
from olympus_core.partition import explicit_layout, same_layout, type_text
from olympus_core.placement import AbstractMesh, Layout, NamedSharding, PartitionSpec, spec_of
from olympus_core.program import ArrayType

_NO_AXES = AbstractMesh((), ())
# The element type of the tangents of what has none.
float0 = np.dtype([("float0", np.void, 0)])


class ManualAxisType:
    """Over which manual axes a value varies, is a term of a sum, or stands for a sum's operand.

    Args:
        varying: The axes along which devices hold different values.
        unreduced: The axes along which devices hold terms of a sum.
        reduced: The axes along which devices hold the same value, whose cotangent is unreduced.

    Example:
        >>> from olympus.sharding import ManualAxisType
        >>> ManualAxisType(varying={"x"}).varying
        frozenset({'x'})
    """

    __slots__ = ("reduced", "unreduced", "varying")

    def __init__(
        self, *, varying: Iterable[str] = (), unreduced: Iterable[str] = (), reduced: Iterable[str] = ()
    ) -> None:
        self.varying, self.unreduced, self.reduced = frozenset(varying), frozenset(unreduced), frozenset(reduced)

    @property
    def empty(self) -> bool:
        """Whether it names no axis."""
        return not (self.varying or self.unreduced or self.reduced)

    def update(
        self, *, varying: Iterable[str] | None = None, unreduced: Iterable[str] | None = None,
        reduced: Iterable[str] | None = None,
    ) -> ManualAxisType:
        """The same with other axes.

        Args:
            varying: The axes along which devices hold different values; the same when left out.
            unreduced: Likewise, for terms of sums.
            reduced: Likewise, for operands of sums.
        """
        return ManualAxisType(
            varying=self.varying if varying is None else varying,
            unreduced=self.unreduced if unreduced is None else unreduced,
            reduced=self.reduced if reduced is None else reduced)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ManualAxisType) and (self.varying, self.unreduced, self.reduced) == (
            other.varying, other.unreduced, other.reduced)

    def __hash__(self) -> int:
        return hash((self.varying, self.unreduced, self.reduced))

    def __repr__(self) -> str:
        return f"ManualAxisType(varying={self.varying}, unreduced={self.unreduced}, reduced={self.reduced})"


class Aval:
    """An abstract value.

    Args:
        type: Shape and element type.
        weak: Whether the element type gives way to others' in promotion, as a Python number's does.
        layout: Where its mesh has explicit axes, its sharding as far as it is part of the type: over these axes.
    """

    __slots__ = ("layout", "type", "weak")

    def __init__(self, type: ArrayType, weak: bool = False, layout: Layout | None = None) -> None:
        self.type, self.weak, self.layout = type, weak, layout

    @property
    def aval(self) -> Aval:
        """The same: where only types matter, it stands for an array of its type."""
        return self

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions."""
        return self.type.shape

    @property
    def dtype(self) -> np.dtype:
        """Type of the elements."""
        return self.type.dtype

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.type.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return self.type.size

    @property
    def weak_type(self) -> bool:
        """Whether the element type is weak."""
        return self.weak

    @property
    def sharding(self) -> NamedSharding:
        """The sharding as far as it is part of the type; over a mesh without axes where none is known of."""
        if self.layout is None:
            return NamedSharding(_NO_AXES, PartitionSpec(*[None] * self.ndim))
        layout = self.layout
        return NamedSharding(layout.mesh, spec_of(layout.dims, layout.unreduced, layout.reduced))

    @property
    def manual_axis_type(self) -> ManualAxisType:
        """What it says of manual axes; see `olympus.typeof`, which finds out."""
        return ManualAxisType()

    @property
    def vma(self) -> frozenset[str]:
        """The manual axes along which devices hold different values; see `olympus.typeof`, which finds out."""
        return self.manual_axis_type.varying

    def update(self, **changes: Any) -> Aval:
        """The same with another `shape`, `dtype`, `weak_type` or `sharding`.

        Args:
            **changes: What is another one. With another shape and no sharding, none is part of the type.
        """
        unknown = changes.keys() - {"shape", "dtype", "weak_type", "sharding"}
        if unknown:
            raise ArgumentError("update", "a type has no such field", ", ".join(sorted(unknown)),
                                "shape, dtype, weak_type, sharding")
        type_ = ArrayType(tuple(changes.get("shape", self.shape)), np.dtype(changes.get("dtype", self.dtype)))
        layout = None if "shape" in changes else self.layout
        if isinstance(sharding := changes.get("sharding"), NamedSharding) and sharding.mesh.has_explicit_axes:
            layout = explicit_layout(sharding.layout(type_.ndim))
        elif "sharding" in changes:
            layout = None
        return Aval(type_, bool(changes.get("weak_type", self.weak)), layout)

    def strip_weak_type(self) -> Aval:
        """The same, not weak."""
        return self.update(weak_type=False)

    def to_tangent_aval(self) -> Aval:
        """The type of the tangents of values of this type: that of integers' and bools' has the element type float0."""
        return self if has_tangent(self) else Aval(ArrayType(self.shape, float0), False, self.layout)

    at_least_vspace = to_tangent_aval  # the peers' older name
    to_ct_aval = to_tangent_aval

    def lo_ty(self) -> list[Aval]:
        """The types of the arrays that a value consists of: one of itself."""
        return [self]

    def lower_val(self, value: Any) -> list[Any]:
        """The arrays that a value consists of: itself.

        Args:
            value: The value.
        """
        return [value]

    def raise_val(self, value: Any) -> Any:
        """The value that consists of an array: itself.

        Args:
            value: The array.
        """
        return value

    def normalize(self) -> Aval:
        """The same, not weak."""
        return self.strip_weak_type() if self.weak else self

    def dec_rank(self, size: int | None, spec: int | None) -> Aval:
        """The type of one index of a mapped dimension.

        Args:
            size: How many indices there are.
            spec: The dimension; None where none is mapped.
        """
        return self if spec is None else Aval(
            ArrayType((*self.shape[:spec], *self.shape[spec + 1:]), self.dtype), self.weak)

    def inc_rank(self, size: int | None, spec: int | None) -> Aval:
        """The type of all indices of a mapped dimension.

        Args:
            size: How many indices there are.
            spec: Where the dimension stands; None where none is mapped.
        """
        return self if spec is None or size is None else Aval(
            ArrayType((*self.shape[:spec], size, *self.shape[spec:]), self.dtype), self.weak)

    def leading_axis_spec(self) -> int:
        """The dimension that `scan` walks along: the first."""
        return 0

    def str_short(self, short_dtypes: bool = False) -> str:
        """Element type and shape: ``float32[2,3]``.

        Args:
            short_dtypes: Whether to write ``f32[2,3]``.
        """
        name = dtypes.name_of(self.dtype)
        return f"{short_name(name) if short_dtypes else name}[{','.join(map(str, self.shape))}]"

    def __eq__(self, other: object) -> bool:
        # Equal types may be of values on different meshes: a cache of what is placed asks for the layouts, too.
        return (isinstance(other, Aval) and self.type is other.type and self.weak == other.weak
                and same_layout(self.layout, other.layout))

    def __hash__(self) -> int:
        layout = self.layout
        return hash((id(self.type), self.weak,
                     layout if layout is not None and (layout.is_split or layout.reduced) else None))

    def __repr__(self) -> str:
        return type_text(self.type, self.layout)


_SHORT = {"float": "f", "int": "i", "uint": "u", "complex": "c", "bfloat": "bf"}


def short_name(name: str) -> str:
    """The short name of an element type: ``f32`` of ``float32``."""
    letters = name.rstrip("0123456789")
    return _SHORT[letters] + name[len(letters):] if letters in _SHORT and letters != name else name


class RegionAval(Aval):
    """What is known of a value of one device's part of a program: the manual axes over which it varies, too."""

    __slots__ = ("_manual",)

    def __init__(self, aval: Aval, manual: ManualAxisType) -> None:
        super().__init__(aval.type, aval.weak, aval.layout)
        self._manual = manual

    @property
    def manual_axis_type(self) -> ManualAxisType:
        """What it says of manual axes."""
        return self._manual

    def __eq__(self, other: object) -> bool:
        return Aval.__eq__(self, other) and isinstance(other, Aval) and self._manual == other.manual_axis_type

    def __hash__(self) -> int:
        return Aval.__hash__(self)

    def __repr__(self) -> str:
        varying = ",".join(sorted(self._manual.varying))
        return Aval.__repr__(self) + (f"{{V:{varying}}}" if varying else "")


def has_tangent(aval: Aval) -> bool:
    """Whether values of this type have tangents: real and complex numbers have, integers and bools have not."""
    return dtypes.is_float(aval.dtype) or dtypes.is_complex(aval.dtype)


PYTHON_SCALARS = {bool: dtypes.bool_, int: dtypes.int32, float: dtypes.float32, complex: dtypes.complex64}
_WIDE = {bool: dtypes.bool_, int: dtypes.int64, float: dtypes.float64, complex: dtypes.complex128}


def canonical_dtype(dtype: Any) -> np.dtype:
    """The element type that stands for `dtype` under the present setting of `olympus_enable_x64`, in native bytes."""
    dtype = np.dtype(dtype)
    if not dtype.isnative:  # a host array of another machine: it is converted on its way in
        dtype = dtype.newbyteorder("=")
    return dtype if config.enable_x64 else dtypes.narrowed(dtype)


def scalar_dtype(kind: type) -> np.dtype:
    """The element type of a Python number of this class."""
    return (_WIDE if config.enable_x64 else PYTHON_SCALARS)[kind]


class extended(np.generic):  # the peers' name
    """The kind of element types that are not numbers."""


class prng_key(extended):  # the peers' name
    """The kind of the element types of keys of random numbers."""


class KeyDtype:
    """An element type of keys; `dtype` is what stands for it in programs.

    Args:
        dtype: That type.
    """

    __slots__ = ("dtype",)
    type = prng_key
    kind = "V"

    def __init__(self, dtype: np.dtype) -> None:
        self.dtype = dtype

    @property
    def name(self) -> str:
        """What people call it: ``key<fry>``."""
        return dtypes.name_of(self.dtype)

    @property
    def names(self) -> tuple[str, ...] | None:
        """The name of its only field, as an element type of NumPy has it."""
        return self.dtype.names

    @property
    def itemsize(self) -> int:
        """Bytes of a key."""
        return self.dtype.itemsize

    def __repr__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KeyDtype) and self.dtype == other.dtype or (
            isinstance(other, np.dtype) and other == self.dtype)

    def __hash__(self) -> int:
        return hash(self.dtype)


_SHOWN = {dtype: KeyDtype(dtype) for dtype in dtypes.KEYS}


def shown_dtype(dtype: np.dtype) -> Any:
    """An element type as users see it."""
    if dtype.kind != "V" or not dtypes.is_key(dtype):
        return dtype
    return _SHOWN.get(dtype) or KeyDtype(dtype)
