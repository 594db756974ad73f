# SPDX-License-Identifier: Apache-2.0
"""Named axes: what a mesh of devices and an abstract mesh have in common."""

from __future__ import annotations

import enum
import math
import operator
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, NoReturn

from olympus_core.errors import AxisTypesError, FrozenError, MeshNamesError, MeshSizesError


class AxisType(enum.Enum):
    """How shardings over a mesh axis come about.

    `Auto`: the partitioner chooses. `Explicit`: they are part of the type, known while tracing.
    `Manual`: the program is written for one device.
    """

    Auto = enum.auto()
    Explicit = enum.auto()
    Manual = enum.auto()

    def __repr__(self) -> str:
        return self.name


class Immutable:
    """A value whose attributes are set once, while it is made, with `object.__setattr__`."""

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise FrozenError(type(self).__name__, name)

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenError(type(self).__name__, name)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self


class NamedAxes(Immutable):
    """Axes with names, sizes and types.

    Attributes:
        axis_names: The names.
        axis_types: How shardings over each axis come about.
        shape_tuple: Name and size of each axis.
    """

    __slots__ = ("_sizes", "axis_names", "axis_types", "shape_tuple")
    axis_names: tuple[str, ...]
    axis_types: tuple[AxisType, ...]
    shape_tuple: tuple[tuple[str, int], ...]
    _sizes: dict[str, int]

    def _set_axes(self, names: tuple[str, ...], sizes: tuple[int, ...], types: tuple[AxisType, ...]) -> None:
        pairs = tuple(zip(names, sizes, strict=True))
        for attribute, value in (
            ("axis_names", names), ("axis_types", types), ("shape_tuple", pairs), ("_sizes", dict(pairs)),
        ):
            object.__setattr__(self, attribute, value)

    @property
    def shape(self) -> OrderedDict[str, int]:
        """Size of each axis, by name."""
        return OrderedDict(self.shape_tuple)

    @property
    def axis_sizes(self) -> tuple[int, ...]:
        """Sizes of the axes."""
        return tuple(n for _, n in self.shape_tuple)

    @property
    def size(self) -> int:
        """Number of devices."""
        return math.prod(self._sizes.values())

    @property
    def empty(self) -> bool:
        """Whether it has no axes."""
        return not self.axis_names

    @property
    def are_all_axes_auto(self) -> bool:
        """Whether the partitioner chooses over every axis."""
        return self._are_all(AxisType.Auto)

    @property
    def are_all_axes_explicit(self) -> bool:
        """Whether shardings over every axis are part of the type."""
        return self._are_all(AxisType.Explicit)

    @property
    def are_all_axes_manual(self) -> bool:
        """Whether programs are written for one device along every axis."""
        return self._are_all(AxisType.Manual)

    @property
    def auto_axes(self) -> tuple[str, ...]:
        """The axes over which the partitioner chooses."""
        return self._of_type(AxisType.Auto)

    @property
    def explicit_axes(self) -> tuple[str, ...]:
        """The axes over which shardings are part of the type."""
        return self._of_type(AxisType.Explicit)

    @property
    def manual_axes(self) -> tuple[str, ...]:
        """The axes along which programs are written for one device."""
        return self._of_type(AxisType.Manual)

    @property
    def has_explicit_axes(self) -> bool:
        """Whether shardings over some axis are part of the type."""
        return AxisType.Explicit in self.axis_types

    def _are_all(self, kind: AxisType) -> bool:
        return bool(self.axis_types) and all(t is kind for t in self.axis_types)

    def _of_type(self, kind: AxisType) -> tuple[str, ...]:
        return tuple(name for name, t in zip(self.axis_names, self.axis_types, strict=True) if t is kind)

    def parts(self, axes: Sequence[str]) -> int:
        """Into how many parts these axes split a dimension."""
        sizes = self._sizes
        return math.prod([sizes[axis] for axis in axes])

    def __repr__(self) -> str:
        inside = ", ".join(f"{name!r}: {size}" for name, size in self.shape_tuple)
        if any(t is not AxisType.Auto for t in self.axis_types):
            inside += f", axis_types={self.axis_types!r}"
        return f"{type(self).__name__}({inside})"


def axis_names_of(names: str | Sequence[str]) -> tuple[str, ...]:
    """The names as a tuple; a plain string names one axis."""
    return (names,) if isinstance(names, str) else tuple(names)


def axis_types_of(types: AxisType | Sequence[AxisType] | None, count: int) -> tuple[AxisType, ...]:
    """The types as a tuple: one stands for all axes, None for `Auto`."""
    if types is None or isinstance(types, AxisType):
        return (types or AxisType.Auto,) * count
    return tuple(types)


def axis_sizes_of(sizes: int | Sequence[int]) -> tuple[int, ...]:
    """The sizes as a tuple of positive Python integers; a plain integer stands for one axis."""
    try:
        result = tuple(operator.index(n) for n in ((sizes,) if hasattr(sizes, "__index__") else sizes))
    except TypeError:
        raise MeshSizesError(sizes) from None
    if any(n < 1 for n in result):
        raise MeshSizesError(sizes)
    return result


def check_axes(names: tuple[Any, ...], shape: tuple[int, ...], types: tuple[Any, ...]) -> None:
    """Raises the typed error for names and types that do not fit a mesh of this shape."""
    valid = all(isinstance(n, str) and n for n in names)
    if not valid or len(names) != len(shape) or len(set(names)) != len(names):
        raise MeshNamesError(names, shape)
    if len(types) != len(names) or not all(isinstance(t, AxisType) for t in types):
        raise AxisTypesError(types, len(names))
