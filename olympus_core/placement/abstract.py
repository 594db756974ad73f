# SPDX-License-Identifier: Apache-2.0
"""Abstract meshes: axes without devices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn

from olympus_core.dataclass import public_dataclass
from olympus_core.errors import AbstractMeshError

from .axes import AxisType, NamedAxes, axis_names_of, axis_sizes_of, axis_types_of, check_axes


@public_dataclass(frozen=True, slots=True)
class AbstractDevice:
    """What kind of devices an abstract mesh is of.

    Args:
        device_kind: The hardware's name, as `Device.device_kind` gives it.
        num_cores: How many cores each has, where that is known.
        platform: The platform's name.
    """

    device_kind: str
    num_cores: int | None = None
    platform: str | None = None


class AbstractMesh(NamedAxes):
    """Names, sizes and types of axes, for programs whose devices are not chosen yet.

    Args:
        axis_sizes: Size of each axis.
        axis_names: The axes' names; a plain string for one axis.
        axis_types: One `AxisType` for each axis (a single one stands for all); `Auto` when left out.
        abstract_device: What kind of devices it is of, where that is said.

    Raises:
        MeshError: For names, sizes and types that do not fit.

    Example:
        >>> AbstractMesh((4, 2), ("i", "j"))
        AbstractMesh('i': 4, 'j': 2)
    """

    __slots__ = ("_hash", "abstract_device")
    _hash: int
    abstract_device: AbstractDevice | None

    def __init__(
        self, axis_sizes: int | Sequence[int], axis_names: str | Sequence[str],
        axis_types: AxisType | Sequence[AxisType] | None = None, *, abstract_device: AbstractDevice | None = None,
    ) -> None:
        sizes, names = axis_sizes_of(axis_sizes), axis_names_of(axis_names)
        types = axis_types_of(axis_types, len(names))
        check_axes(names, sizes, types)
        self._set_axes(names, sizes, types)
        object.__setattr__(self, "_hash", hash((self.shape_tuple, types)))
        object.__setattr__(self, "abstract_device", abstract_device)

    @property
    def abstract_mesh(self) -> AbstractMesh:
        """Itself, as a mesh of devices gives its abstract mesh."""
        return self

    def update(
        self, axis_sizes: int | Sequence[int] | None = None, axis_names: str | Sequence[str] | None = None,
        axis_types: AxisType | Sequence[AxisType] | None = None,
    ) -> AbstractMesh:
        """The mesh with other sizes, names or types.

        Args:
            axis_sizes: Size of each axis; the same when left out.
            axis_names: The axes' names; the same when left out.
            axis_types: The axes' types; the same when left out.
        """
        return AbstractMesh(
            self.axis_sizes if axis_sizes is None else axis_sizes,
            self.axis_names if axis_names is None else axis_names,
            self.axis_types if axis_types is None else axis_types, abstract_device=self.abstract_device,
        )

    def update_axis_types(self, name_to_type: Mapping[str, AxisType]) -> AbstractMesh:
        """The mesh with other types for some axes.

        Args:
            name_to_type: The new types, by the axes' names.
        """
        return self.update(axis_types=[
            name_to_type.get(name, kind) for name, kind in zip(self.axis_names, self.axis_types, strict=True)])

    @property
    def devices(self) -> NoReturn:
        """Raises `AbstractMeshError`: there are none."""
        raise AbstractMeshError(repr(self))

    @property
    def flat_devices(self) -> NoReturn:
        """Raises `AbstractMeshError`: there are none."""
        raise AbstractMeshError(repr(self))

    def check_open(self) -> None:
        """Raises, since nothing can be placed on it.

        Raises:
            AbstractMeshError: Always.
        """
        raise AbstractMeshError(repr(self))

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, AbstractMesh) and self.shape_tuple == other.shape_tuple
            and self.axis_types == other.axis_types and self.abstract_device == other.abstract_device
        )

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        return _unpickled, (self.axis_sizes, self.axis_names, self.axis_types, self.abstract_device)


def _unpickled(
    sizes: tuple[int, ...], names: tuple[str, ...], types: tuple[AxisType, ...], device: AbstractDevice | None
) -> AbstractMesh:
    return AbstractMesh(sizes, names, types, abstract_device=device)
