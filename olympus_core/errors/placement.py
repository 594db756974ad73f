# SPDX-License-Identifier: Apache-2.0
"""Errors about meshes, specs and shardings."""

from __future__ import annotations

from collections.abc import Sequence

from .base import OlympusError

__all__ = [
    "AbstractMeshError", "AxisTypesError", "ClosedDevicesError", "DefaultDeviceError", "DeviceCountError",
    "DeviceNotFoundError", "FrozenError", "IncompatibleDevicesError", "IndivisibleError", "LocalMeshError",
    "MemoryKindError", "MeshError", "MeshNamesError", "MeshSizesError", "NotAMeshError", "NotShardedError",
    "PlacementError", "PositionalShapeError", "RepeatedAxisError", "RepeatedDeviceError", "ShardedDimensionError",
    "ShardingRankError", "SpecEntryError", "SpecError", "SpecRankError", "SplitAxisError", "TilingError",
    "UnknownAxisError", "UnreducedAxisError", "VisualizeRankError",
]


class PlacementError(OlympusError, ValueError):
    """Base of the errors about where data is placed."""


class FrozenError(OlympusError, AttributeError):
    """A mesh, spec or sharding was changed after it was made.

    Args:
        kind: The class of the value.
        attribute: The attribute that was to be set or deleted.
    """

    def __init__(self, kind: str, attribute: str) -> None:
        self.kind, self.attribute = kind, attribute
        super().__init__(f"A {kind} cannot be changed.", given=f"attribute {attribute!r}",
                         fix=f"Make a new {kind} with the values that you want.")


class MeshError(PlacementError):
    """A mesh cannot be made of what was given."""


class MeshNamesError(MeshError):
    """The names of a mesh's axes do not fit its dimensions, or are not different non-empty strings.

    Args:
        names: The names.
        shape: The sizes of the axes.
    """

    def __init__(self, names: Sequence[object], shape: Sequence[int]) -> None:
        self.names, self.shape = tuple(names), tuple(shape)
        count = "one axis name" if len(self.shape) == 1 else f"{len(self.shape)} axis names"
        super().__init__(
            f"A mesh of shape {self.shape} needs {count}, all different.", given=f"names {self.names!r}",
            expected="different, non-empty strings, one for each dimension of the devices",
            fix="Name every axis, or reshape the devices.",
        )


class LocalMeshError(MeshError):
    """This process's devices of a mesh are no rectangular part of it, so that they are no mesh with its axes.

    Args:
        mesh: The mesh, in text.
    """

    def __init__(self, mesh: str) -> None:
        self.mesh = mesh
        super().__init__("This process's devices are no rectangular part of the mesh.", given=mesh,
                         expected="a mesh in which each process has a block of devices",
                         fix="Make the mesh with olympus.make_mesh, or use mesh.local_devices.")


class MeshSizesError(MeshError):
    """The sizes of a mesh's axes are not positive integers.

    Args:
        sizes: The sizes.
    """

    def __init__(self, sizes: object) -> None:
        self.sizes = sizes
        super().__init__("The axes of a mesh have sizes of at least 1.", given=f"sizes {sizes!r}",
                         expected="positive integers, one for each axis", fix="Choose sizes of at least 1.")


class AxisTypesError(MeshError):
    """The axis types of a mesh do not fit its axes.

    Args:
        types: What was given.
        axes: Number of axes.
    """

    def __init__(self, types: Sequence[object], axes: int) -> None:
        self.types, self.axes = tuple(types), axes
        super().__init__(
            "A mesh needs one AxisType for each axis.", given=f"axis_types={self.types!r}",
            expected=f"{axes} of AxisType.Auto, AxisType.Explicit, AxisType.Manual",
            fix=f"Write axis_types=(AxisType.Auto,) * {axes}, or leave it out.",
        )


class RepeatedDeviceError(MeshError):
    """A device stands more than once in a mesh or a sharding.

    Args:
        devices: Texts of the devices that are repeated.
    """

    def __init__(self, devices: Sequence[str]) -> None:
        self.devices = tuple(devices)
        super().__init__("A device stands more than once.", given=", ".join(self.devices) + " repeated",
                         expected="each device once", fix="Use each device once.")


class DeviceCountError(MeshError):
    """The number of devices does not fit the shape of a mesh.

    Args:
        shape: The shape that was asked for.
        needed: How many devices it needs.
        available: How many devices were given.
    """

    def __init__(self, shape: Sequence[int], needed: int, available: int) -> None:
        self.shape, self.needed, self.available = tuple(shape), needed, available
        super().__init__(
            f"A mesh of shape {self.shape} needs {needed} devices, and {available} were given.",
            given=f"{available} devices", expected=f"{needed} devices, the product of {self.shape}",
            fix="Choose sizes whose product is the number of devices, or give other devices with devices=.",
        )


class SplitAxisError(MeshError, NotImplementedError):
    """A mesh shape needs a side of the torus to be shared by two mesh axes, and that was forbidden.

    Args:
        shape: The shape that was asked for.
        sides: The sides of the torus.
    """

    def __init__(self, shape: Sequence[int], sides: Sequence[int]) -> None:
        self.shape, self.sides = tuple(shape), tuple(sides)
        super().__init__(
            f"A mesh of shape {self.shape} cannot be made of whole sides of a torus of sides {self.sides}.",
            given="allow_split_physical_axes=False",
            expected="axes whose sizes are products of sides of the torus",
            fix="Leave allow_split_physical_axes at True, or choose other sizes.",
        )


class DeviceNotFoundError(PlacementError, LookupError):
    """A device was restored where there is none of its platform and number.

    Args:
        platform: The platform.
        id: The device's number.
        known: The numbers of the platform's devices.
    """

    def __init__(self, platform: str, id: int, known: Sequence[int]) -> None:
        self.platform, self.id = platform, id
        super().__init__(
            f"There is no device {id} of platform {platform!r} in this job.", given=f"{platform}:{id}, from elsewhere",
            expected=f"a number among {list(known)}" if known else "a device of an open platform",
            fix="Restore the value in a job with as many devices, or send the specs alone and make the mesh anew.")


class AbstractMeshError(MeshError):
    """Devices were asked of an abstract mesh, which has none.

    Args:
        mesh: The mesh, in text.
    """

    def __init__(self, mesh: str) -> None:
        self.mesh = mesh
        super().__init__("An abstract mesh has axes and no devices.", given=mesh, expected="a mesh of devices",
                         fix="Make a mesh with olympus.make_mesh and place data with that.")


class NotAMeshError(PlacementError, TypeError):
    """Something else was given where a mesh was expected.

    Args:
        given: Text of what was given.
    """

    def __init__(self, given: str) -> None:
        self.given = given
        super().__init__("A NamedSharding needs a mesh as its first argument.", given=given,
                         expected="a Mesh or an AbstractMesh",
                         fix="Write NamedSharding(mesh, spec) with a mesh from olympus.make_mesh.")


class MemoryKindError(PlacementError):
    """A kind of memory that no device has.

    Args:
        kind: What was given.
        kinds: The kinds that there are.
    """

    def __init__(self, kind: object, kinds: Sequence[str]) -> None:
        self.kind, self.kinds = kind, tuple(kinds)
        super().__init__("Devices have no memory of this kind.", given=repr(kind),
                         expected=", ".join(map(repr, kinds)), fix="Name one of these kinds, or leave memory_kind out.")


class SpecError(PlacementError):
    """A partition spec does not fit its mesh or its array."""


class SpecEntryError(SpecError, TypeError):
    """An entry of a spec is not of a kind that a spec can have.

    Args:
        entry: The entry.
        expected: What it may be, where it is not the entry of a dimension.
    """

    def __init__(self, entry: object, expected: str | None = None) -> None:
        self.entry = entry
        super().__init__("An entry of a PartitionSpec is None, an axis name or a tuple of axis names.",
                         given=repr(entry), expected=expected,
                         fix="Write the name of a mesh axis, such as PartitionSpec('x', None).")


class RepeatedAxisError(SpecError):
    """A spec names a mesh axis more than once.

    Args:
        axes: The axes that are repeated.
        entries: All entries of the spec.
    """

    def __init__(self, axes: Sequence[str], entries: Sequence[object]) -> None:
        self.axes, self.entries = tuple(axes), tuple(entries)
        names = ", ".join(map(repr, self.axes))
        super().__init__(
            f"A mesh axis can split one dimension only; {names} {'stands' if len(self.axes) == 1 else 'stand'} "
            "more than once.",
            given=f"PartitionSpec{self.entries!r}", fix="Name each axis in one place.",
        )


class UnreducedAxisError(SpecError):
    """A spec is unreduced or reduced over an axis that is not explicit.

    Args:
        axis: The axis.
        spec: The spec, in text.
        mesh: The mesh, in text.
    """

    def __init__(self, axis: str, spec: str, mesh: str) -> None:
        self.axis, self.spec, self.mesh = axis, spec, mesh
        super().__init__(
            f"The spec is unreduced or reduced over axis {axis!r}, which is not explicit.", given=f"{spec} on {mesh}",
            expected="explicit axes: over others the partitioner decides when sums are made",
            fix="Make the axis explicit: olympus.make_mesh(..., axis_types=AxisType.Explicit).",
        )


class UnknownAxisError(SpecError):
    """A spec names an axis that its mesh does not have.

    Args:
        axis: The axis.
        spec: The spec, in text.
        mesh: The mesh, in text.
        names: The mesh's axes.
    """

    def __init__(self, axis: str, spec: str, mesh: str, names: Sequence[str]) -> None:
        self.axis, self.spec, self.mesh, self.names = axis, spec, mesh, tuple(names)
        super().__init__(
            f"The spec names axis {axis!r}, which the mesh does not have.", given=f"{spec} on {mesh}",
            expected=f"axes among {self.names!r}",
            fix="Name an axis of this mesh, or use the mesh that has the axis.",
        )


class SpecRankError(SpecError):
    """A spec has more entries than its array has dimensions.

    Args:
        spec: The spec, in text.
        entries: Number of its entries.
        ndim: Number of the array's dimensions.
    """

    def __init__(self, spec: str, entries: int, ndim: int) -> None:
        self.spec, self.entries, self.ndim = spec, entries, ndim
        super().__init__(
            f"The spec has {entries} entries, and the array {ndim} dimension{'' if ndim == 1 else 's'}.",
            given=spec, expected=f"at most {ndim} entries", fix="Give at most one entry for each dimension.",
        )


class ShardingRankError(PlacementError):
    """A sharding fits arrays of another number of dimensions only.

    Args:
        sharding: The sharding, in text.
        expected: The number of dimensions that it fits.
        ndim: The array's.
    """

    def __init__(self, sharding: str, expected: int, ndim: int) -> None:
        self.sharding, self.expected, self.ndim = sharding, expected, ndim
        super().__init__(
            f"This sharding is for arrays of {expected} dimension{'' if expected == 1 else 's'}, "
            f"and the array has {ndim}.",
            given=sharding, expected=f"a sharding for {ndim} dimensions",
            fix="Reshape the sharding to one size for each dimension of the array, or use a NamedSharding.",
        )


class PositionalShapeError(PlacementError):
    """A positional sharding cannot take a shape, or has no such dimension.

    Args:
        shape: The sharding's shape.
        asked: The shape or the dimension that was asked for.
    """

    def __init__(self, shape: Sequence[int], asked: object) -> None:
        self.shape, self.asked = tuple(shape), asked
        super().__init__(
            f"A PositionalSharding of shape {self.shape} does not allow {asked!r}.",
            expected="a shape with the same number of shards, or one of its dimensions",
            fix="Choose sizes whose product is the number of shards.",
        )


class TilingError(PlacementError):
    """A tiling is not one that a GSPMDSharding can be made of.

    Args:
        given: The tiling, in text.
        devices: Number of devices.
    """

    def __init__(self, given: str, devices: int) -> None:
        self.given, self.devices = given, devices
        super().__init__(
            f"This is not a tiling over {devices} device{'' if devices == 1 else 's'}.", given=given,
            expected="'{replicated}', '{devices=[2,4]<=[8]}', '{devices=[2,1,4]<=[8] last_tile_dim_replicate}', "
                     "'{devices=[2,2]0,2,1,3}', or a Layout over the same devices",
            fix="Write a tiling that uses each device once, or use a NamedSharding.",
        )


class ShardedDimensionError(PlacementError):
    """A dimension cannot be split over devices one index for each device.

    Args:
        shape: The array's shape.
        dimension: The dimension.
        devices: Number of devices.
    """

    def __init__(self, shape: Sequence[int], dimension: int, devices: int) -> None:
        self.shape, self.dimension, self.devices = tuple(shape), dimension, devices
        super().__init__(
            f"Dimension {dimension} of an array of shape {self.shape} cannot be mapped over "
            f"{devices} device{'' if devices == 1 else 's'}.",
            expected="a dimension of the array, of at most as many indices as there are devices",
            fix="Choose another dimension, or None to place a copy on each device.",
        )


class IndivisibleError(PlacementError):
    """A dimension's size does not divide among the devices of its mesh axes.

    Args:
        shape: The array's shape.
        dimension: The dimension.
        axes: The mesh axes that split it.
        parts: Into how many parts they split it.
    """

    def __init__(self, shape: Sequence[int], dimension: int, axes: Sequence[str], parts: int) -> None:
        self.shape, self.dimension, self.axes, self.parts = tuple(shape), dimension, tuple(axes), parts
        size = shape[dimension]
        below, above = size // parts * parts, (size // parts + 1) * parts
        fits = f"{below} or {above}" if below else str(above)
        names = ", ".join(map(repr, axes))
        super().__init__(
            f"Dimension {dimension} of an array of shape {tuple(shape)} cannot be split over mesh "
            f"{'axes' if len(axes) > 1 else 'axis'} {names}: {size} is not a multiple of {parts}.",
            given=f"size {size}, {parts} parts",
            expected=f"a multiple of {parts}; the nearest are {fits}",
            fix="Pad or trim the array, or leave this dimension whole (None in the PartitionSpec).",
        )


class IncompatibleDevicesError(PlacementError):
    """Arguments are committed to different devices.

    Args:
        function: The function that was called.
        arguments: For each argument: its path, type, devices, and where it was committed, in text.
    """

    def __init__(self, function: str, arguments: Sequence[str]) -> None:
        self.function, self.arguments = function, tuple(arguments)
        super().__init__(
            f"{function} was given arguments committed to different devices.",
            given="".join(f"\n    {line}" for line in arguments),
            expected="all committed arguments on the same devices",
            fix="Move them to one sharding with olympus.device_put(x, sharding) before the call.",
        )


class ClosedDevicesError(PlacementError, RuntimeError):
    """Something is to be put on, or computed on, devices of a job that is over.

    Args:
        devices: The devices.
    """

    def __init__(self, devices: Sequence[str]) -> None:
        self.devices = tuple(devices)
        shown = ", ".join(self.devices[:8]) + (", ..." if len(self.devices) > 8 else "")
        super().__init__(
            "These devices belong to a job that is over: olympus.distributed.shutdown() has closed them.",
            given=shown,
            expected="devices that olympus.devices() gives now",
            fix="Make meshes and shardings anew, of olympus.devices(). What this process holds of an old array can "
                "still be read, with np.asarray, and put on the new devices.",
        )


class DefaultDeviceError(PlacementError):
    """The default device belongs to another process, which cannot hold what this one makes.

    Args:
        device: The device.
        owner: Index of the process that it belongs to.
        process: This process.
    """

    def __init__(self, device: str, owner: int, process: int) -> None:
        self.device, self.owner, self.process = device, owner, process
        super().__init__(
            f"The default device {device} belongs to process {owner}; this is process {process}.",
            expected="one of olympus.local_devices()",
            fix="Set olympus_default_device to a device of this process, or place arrays with olympus.device_put.",
        )


class VisualizeRankError(PlacementError):
    """A sharding of an array with no, or more than two, dimensions was to be drawn.

    Args:
        shape: The array's shape.
    """

    def __init__(self, shape: Sequence[int]) -> None:
        self.shape = tuple(shape)
        fix = "Print its sharding instead, or draw " + (
            "x.reshape(1)." if not self.shape else "one of its slices of two dimensions.")
        super().__init__(f"An array of {len(self.shape)} dimensions cannot be drawn as boxes.",
                         given=f"shape {self.shape}", expected="1 or 2 dimensions", fix=fix)


class NotShardedError(PlacementError, TypeError):
    """A value without a sharding was to be drawn.

    Args:
        kind: The value's class.
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        super().__init__("Only an array that lies on devices has a sharding to draw.", given=f"a {kind}",
                         expected="an olympus.Array", fix="Place it with olympus.device_put first.")
