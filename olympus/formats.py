# SPDX-License-Identifier: Apache-2.0
"""Formats: where an array lies, and in which order its elements lie in memory."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any, ClassVar

from olympus_core.errors import ArgumentError, NotSupportedError, described
from olympus_core.placement import AbstractMesh, NamedSharding, PartitionSpec, Sharding
from olympus_core.placement.axes import Immutable

from .tracing import Tracer


class Space(enum.Enum):
    """Kinds of memory: `Device` is the devices' own, `Host` is the host's beside them, `Any` is whichever it is.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.device_put(jnp.ones(3), olympus.memory.Space.Host).sharding.memory_kind
        'pinned_host'
    """

    Device = enum.auto()
    Host = enum.auto()
    Any = enum.auto()

    @property
    def kind(self) -> str | None:
        """The name of the kind in shardings; None for any."""
        return {Space.Device: "device", Space.Host: "pinned_host"}.get(self)

    def sharding_of(self, function: str, value: object) -> Sharding:
        """The sharding of an array, in this memory.

        Args:
            function: Who asks, for errors.
            value: The array.
        """
        sharding = getattr(value, "sharding", None)
        if isinstance(value, Tracer) or not isinstance(sharding, Sharding):
            raise ArgumentError(function, "a kind of memory alone needs an array that lies somewhere",
                                f"{self} for {described(value)}", "a sharding with a kind of memory",
                                "Write sharding.with_memory_kind('pinned_host').")
        return sharding.with_memory_kind(self.kind or sharding.memory_kind)


class _Auto:
    """Stands for the order that the compiler chooses."""

    def __repr__(self) -> str:
        return "AUTO"

    def __reduce__(self) -> str:
        return "Layout.AUTO"


class Layout(Immutable):
    """The order of an array's dimensions in memory.

    Args:
        major_to_minor: The dimensions, the slowest first. Arrays here are kept with the last dimension fastest.
        tiling: Blocks in which a device's memory holds the elements; platforms choose them, so that they are not read.
        sub_byte_element_size_in_bits: Bits of an element that is narrower than a byte; not read either.

    Example:
        >>> from olympus.experimental.layout import Layout
        >>> Layout(major_to_minor=(0, 1))
        Layout(major_to_minor=(0, 1), tiling=None, sub_byte_element_size_in_bits=0)
    """

    AUTO: ClassVar[Any] = _Auto()
    major_to_minor: tuple[int, ...]
    tiling: tuple[tuple[int, ...], ...] | None
    sub_byte_element_size_in_bits: int

    def __init__(
        self, major_to_minor: Sequence[int], tiling: Sequence[Sequence[int]] | None = None,
        sub_byte_element_size_in_bits: int = 0,
    ) -> None:
        self.__dict__.update(
            major_to_minor=tuple(major_to_minor), tiling=None if tiling is None else tuple(map(tuple, tiling)),
            sub_byte_element_size_in_bits=sub_byte_element_size_in_bits)
        if sorted(self.major_to_minor) != list(range(len(self.major_to_minor))):
            raise ArgumentError("Layout", "major_to_minor is no order of dimensions", self.major_to_minor,
                                "each of 0 to n - 1 once")

    def update(self, **changes: Any) -> Layout:
        """The layout with other fields.

        Args:
            **changes: The fields.
        """
        return Layout(**{**self.__dict__, **changes})

    def check_compatible_aval(self, aval_shape: Sequence[int]) -> None:
        """Refuses a shape with another number of dimensions.

        Args:
            aval_shape: The shape.
        """
        if len(aval_shape) != len(self.major_to_minor):
            raise ArgumentError("Layout", "the layout is of another number of dimensions",
                                f"{self} for shape {tuple(aval_shape)}", f"{len(aval_shape)} dimensions")

    def __reduce__(self) -> tuple[Any, ...]:
        return Layout, tuple(self.__dict__.values())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(tuple(self.__dict__.values()))

    def __repr__(self) -> str:
        return (f"Layout(major_to_minor={self.major_to_minor}, tiling={self.tiling}, "
                f"sub_byte_element_size_in_bits={self.sub_byte_element_size_in_bits})")


class Format(Immutable):
    """A layout and a sharding; stands wherever a sharding may stand.

    Args:
        layout: The order in memory: a `Layout`, `Layout.AUTO`, or None for the usual one.
        sharding: The sharding; needed where a layout is given.

    Raises:
        ArgumentError: For a layout without a sharding, or what is neither.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> jnp.ones((2, 3)).format.layout
        Layout(major_to_minor=(0, 1), tiling=(), sub_byte_element_size_in_bits=0)
    """

    __slots__ = ("layout", "sharding")
    layout: Any
    sharding: Any

    def __init__(self, layout: Any = None, sharding: Any = None) -> None:
        if layout is not None and not isinstance(layout, (Layout, _Auto)):
            raise ArgumentError("Format", "the layout is none", described(layout), "a Layout, Layout.AUTO or None")
        if sharding is not None and not isinstance(sharding, (Sharding, PartitionSpec)):
            raise ArgumentError("Format", "the sharding is none", described(sharding), "a Sharding or None")
        is_abstract = isinstance(sharding, NamedSharding) and isinstance(sharding.mesh, AbstractMesh)
        if isinstance(layout, Layout) and (sharding is None or is_abstract):
            raise ArgumentError("Format", "a layout needs a sharding over devices", repr(sharding), "a Sharding",
                                "Pass sharding=x.sharding.")
        object.__setattr__(self, "layout", layout)
        object.__setattr__(self, "sharding", sharding)

    def __reduce__(self) -> tuple[Any, ...]:
        return Format, (self.layout, self.sharding)

    def sharding_of(self, function: str, value: Any = None) -> Any:
        """The sharding, where the layout is one that arrays have.

        Args:
            function: Who asks, for errors.
            value: The array that is to have the format.

        Raises:
            NotSupportedError: For a layout in which the last dimension is not the fastest.
        """
        if isinstance(self.layout, Layout) and value is not None:
            self.layout.check_compatible_aval(value.shape)
        order = getattr(self.layout, "major_to_minor", ())
        if order != tuple(range(len(order))):
            raise NotSupportedError(
                f"{function}: {self.layout}", "arrays are kept with the last dimension fastest, on every platform",
                "Store the transposed array, or use Layout.AUTO; programs choose the order of what is inside of them.")
        return self.sharding

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Format) and (self.layout, self.sharding) == (other.layout, other.sharding)

    def __hash__(self) -> int:
        return hash((self.layout, self.sharding))

    def __repr__(self) -> str:
        return f"Format(layout={self.layout}, sharding={self.sharding})"


def format_of(ndim: int, sharding: Sharding) -> Format:
    """The format of an array."""
    return Format(Layout(tuple(range(ndim)), ()), sharding)

