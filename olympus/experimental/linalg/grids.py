# SPDX-License-Identifier: Apache-2.0
"""The grid of devices over which a matrix is split, and blocks that are dealt to its rows and columns in turn."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from olympus_core.errors import ArgumentError, described
from olympus_core.placement import Mesh, NamedSharding, PartitionSpec
from olympus_core.placement.spec import spec_of

from ... import lax
from ... import numpy as jnp
from ...operands import dtype_of, shape_of
from ...tracing import aval_of
from ...transforms.context import current_mesh
from ...transforms.explicit import auto_axes
from ...transforms.shard_map import shard_map

# Blocks have so many rows where nothing is said, unless the longer side's devices would have more than so many.
_ROWS, _MOST = 128, 4


@dataclass(frozen=True, slots=True)
class Side:
    """The devices along the rows or the columns of a grid: one mesh axis, several, or none.

    Args:
        axes: The mesh axes.
        size: How many devices.
    """

    axes: tuple[str, ...]
    size: int

    def rank(self) -> Any:
        """The place of this device."""
        return lax.axis_index(self.axes) if self.axes else jnp.int32(0)

    def spread(self, x: Any, source: int) -> Any:
        """The value of one of the devices, for all."""
        return lax.pbroadcast(x, self.axes, source) if self.axes else x

    def gather(self, x: Any) -> Any:
        """The values of all devices, along a new dimension in front."""
        return lax.all_gather(x, self.axes) if self.axes else x[None]

    def total(self, x: Any) -> Any:
        """The sum of the devices' values."""
        return lax.psum(x, self.axes) if self.axes else x


@dataclass(frozen=True, slots=True)
class Grid:
    """A mesh as rows and columns of devices.

    Args:
        mesh: The mesh.
        rows: The devices among which rows of a matrix are divided.
        columns: Those among which columns are divided.
    """

    mesh: Mesh
    rows: Side
    columns: Side

    @property
    def common(self) -> int:
        """The least number that both sides divide."""
        return math.lcm(self.rows.size, self.columns.size)

    def spec(self, shape: Sequence[int] | None = None) -> PartitionSpec:
        """The spec of a matrix, or of a vector that is split as rows; only of what divides where a shape is given."""
        sides = (self.rows, self.columns)[:2 if shape is None else len(shape)]
        return spec_of(tuple(
            side.axes if shape is None or not shape[d] % side.size else () for d, side in enumerate(sides)))

    def run(self, f: Callable[..., Any], shapes: Any, *operands: Any) -> Any:
        """Calls a function of whole matrices; over explicit axes, results of these shapes are split as they can."""
        if not self.mesh.has_explicit_axes:
            return f(*operands)
        if isinstance(shapes, list):
            where: Any = tuple(NamedSharding(self.mesh, self.spec(shape)) for shape in shapes)
        else:
            where = NamedSharding(self.mesh, self.spec(shapes))
        return auto_axes(f, out_sharding=where)(*operands)

    def map(self, f: Callable[..., Any], count: int, *operands: Any) -> Any:
        """Maps a function over the devices' blocks of matrices that divide; it gives `count` such blocks."""
        specs = self.spec()
        return shard_map(f, mesh=self.mesh, in_specs=(specs,) * len(operands),
                         out_specs=specs if count == 1 else (specs,) * count)(*operands)


def grid_of(function: str, mesh: Mesh | None, axes: Any, *operands: Any) -> Grid:
    """The grid that arguments of a function name, or that an operand is split over.

    Args:
        function: The function, for errors.
        mesh: The mesh; else that of an operand's sharding, or the one in use.
        axes: The axes for rows and those for columns, each a name or several; the first two of the mesh for None.
        *operands: The matrices.
    """
    found = mesh if mesh is not None else _mesh_of(operands)
    if not isinstance(found, Mesh):
        raise ArgumentError(function, "a mesh is needed", described(found), "a mesh of olympus.make_mesh",
                            "Pass mesh=, or call it under olympus.set_mesh(mesh).")
    names = found.axis_names
    given = (names[0], names[1:2]) if axes is None else axes
    if isinstance(given, str) or len(given) != 2:
        raise ArgumentError(function, "axes does not fit", described(axes), "a pair: axes for rows, axes for columns")
    rows, columns = ((side,) if isinstance(side, str) else tuple(side) for side in given)
    check_axes(function, found, (*rows, *columns))
    return Grid(found, Side(rows, found.parts(rows)), Side(columns, found.parts(columns)))


def check_axes(function: str, mesh: Mesh, axes: Sequence[str]) -> None:
    """Refuses what are not different axes of a mesh."""
    if not set(axes) <= set(mesh.axis_names) or len(set(axes)) != len(axes):
        raise ArgumentError(function, "axes does not fit", described(tuple(axes)),
                            f"different axes among {mesh.axis_names}")


def _mesh_of(operands: Sequence[Any]) -> Mesh | None:
    for operand in operands:
        sharding = getattr(operand, "sharding", None)
        if isinstance(sharding, NamedSharding) and isinstance(sharding.mesh, Mesh):
            return sharding.mesh
        layout = aval_of(operand).layout
        if layout is not None:
            return layout.mesh
    return current_mesh()


def check_matrix(function: str, what: str, x: Any, square: bool = False) -> tuple[int, int]:
    """The shape of a matrix; refuses everything else."""
    shape = shape_of(x)
    if len(shape) != 2 or (square and shape[0] != shape[1]):
        raise ArgumentError(function, f"{what} is no {'square ' if square else ''}matrix", f"shape {shape}",
                            "(n, n)" if square else "(m, n)", "Map over further dimensions with olympus.vmap.")
    return shape[0], shape[1]


def padded(x: Any, rows: int, columns: int) -> Any:
    """A matrix with zeros below and on the right, up to a size."""
    m, n = shape_of(x)
    return x if (m, n) == (rows, columns) else jnp.pad(x, ((0, rows - m), (0, columns - n)))


def padded_square(x: Any, size: int) -> Any:
    """A square matrix, continued by the identity up to a size."""
    n = shape_of(x)[0]
    if n == size:
        return x
    return padded(x, size, size) + jnp.diag((jnp.arange(size) >= n).astype(dtype_of(x)))


@dataclass(frozen=True, slots=True)
class Blocks:
    """Blocks of rows or of columns, dealt to the devices of a side in turn: block k to device k modulo their number.

    Args:
        side: The devices.
        count: How many blocks; the side's size divides it.
        size: Rows, or columns, of each.
    """

    side: Side
    count: int
    size: int

    @property
    def each(self) -> int:
        """How many blocks a device has."""
        return self.count // self.side.size

    def place(self, block: int) -> int:
        """Where a block begins on its device; what later blocks a device has begin there or after it."""
        return block // self.side.size * self.size

    def owner(self, block: int) -> int:
        """The device of a block."""
        return block % self.side.size

    def numbers(self, block: int) -> Any:
        """The numbers of this device's blocks from the place of a block on."""
        return jnp.arange(block // self.side.size, self.each) * self.side.size + self.side.rank()

    def after(self, block: int) -> Any:
        """For each row from the place of a block on whether it is of a later block."""
        return jnp.repeat(self.numbers(block) > block, self.size)

    def dealt(self, x: Any, axis: int) -> Any:
        """This device's blocks, from consecutive parts of a matrix on consecutive devices."""
        return self._sent(x, axis, True)

    def collected(self, x: Any, axis: int) -> Any:
        """This device's part of the matrix, from its blocks."""
        return self._sent(x, axis, False)

    def joined(self, parts: Any, block: int) -> Any:
        """Gathered rows of all devices from the place of a block on, as rows of the matrix from that block on."""
        devices, rows, width = shape_of(parts)
        blocks = parts.reshape(devices, rows // self.size, self.size, width).swapaxes(0, 1)
        return blocks.reshape(devices * rows, width)[self.owner(block) * self.size:]

    def own(self, rows: Any, block: int) -> Any:
        """Of rows of a matrix from a block on this device's, from the place of that block; zeros up to that block."""
        numbers = self.numbers(block)
        blocks = rows.reshape(shape_of(rows)[0] // self.size, self.size, shape_of(rows)[1])
        mine = jnp.take(blocks, numbers - block, axis=0, mode="clip")
        mine = jnp.where((numbers > block)[:, None, None], mine, jnp.zeros((), dtype_of(rows)))
        return mine.reshape(shape_of(numbers)[0] * self.size, shape_of(rows)[1])

    def _sent(self, x: Any, axis: int, deal: bool) -> Any:
        """Blocks sent to where they belong, each device sending and getting one at a time."""
        if self.each == 1 or self.side.size == 1:
            return x
        shape, rank = shape_of(x), self.side.rank()
        parts = x.reshape(*shape[:axis], self.each, self.size, *shape[axis + 1:])
        made = parts
        for sends, gets, pairs in _rounds(self.side.size, self.each, deal):
            block = lax.dynamic_index_in_dim(parts, jnp.asarray(sends)[rank], axis, keepdims=True)
            block = lax.ppermute(block, self.side.axes, pairs)
            made = lax.dynamic_update_slice_in_dim(made, block, jnp.asarray(gets)[rank], axis)
        return made.reshape(shape)


@functools.lru_cache(maxsize=256)
def _rounds(devices: int, each: int, deal: bool) -> tuple[tuple[tuple[int, ...], tuple[int, ...], Any], ...]:
    """How blocks go from consecutive parts to being dealt in turn, or back, in `each` rounds.

    As many blocks leave each device as come to it, so that they divide into rounds in which each device sends one and
    gets one (König's theorem on the edges of regular bipartite graphs).

    Returns:
        For each round which of its blocks a device sends, where it puts the one that comes, and the pairs of devices.
    """
    left: list[dict[int, list[tuple[int, int]]]] = [{} for _ in range(devices)]
    for block in range(devices * each):
        ends = [divmod(block, each), divmod(block, devices)[::-1]]
        (source, send), (target, get) = ends if deal else reversed(ends)
        left[source].setdefault(target, []).append((send, get))
    rounds = []
    for _ in range(each):
        sender: dict[int, int] = {}
        for source in range(devices):
            _match(source, left, sender, set())
        sends, gets = [0] * devices, [0] * devices
        for target, source in sender.items():
            sends[source], gets[target] = left[source][target].pop()
            if not left[source][target]:
                del left[source][target]
        rounds.append((tuple(sends), tuple(gets), tuple((source, target) for target, source in sorted(sender.items()))))
    return tuple(rounds)


def _match(source: int, left: Sequence[dict[int, Any]], sender: dict[int, int], tried: set[int]) -> bool:
    """Finds a device for a source to send to, where others may have to send to other ones."""
    for target in left[source]:
        if target not in tried:
            tried.add(target)
            if target not in sender or _match(sender[target], left, sender, tried):
                sender[target] = source
                return True
    return False


def dealt_over(grid: Grid, n: int, block_size: int | None) -> tuple[Blocks, Blocks]:
    """The blocks of rows and of columns of a square matrix of n rows.

    More blocks keep all devices at work for longer, and each is a step of the program.
    """
    times = -(-n // ((block_size or _ROWS) * grid.common))
    count = grid.common * max(times if block_size else min(times, _MOST), 1)
    size = max(-(-n // count), 1)
    return Blocks(grid.rows, count, size), Blocks(grid.columns, count, size)


def check_block_size(function: str, block_size: int | None) -> None:
    """Refuses what is no size of blocks."""
    if block_size is not None and (isinstance(block_size, bool) or not isinstance(block_size, int) or block_size < 1):
        raise ArgumentError(function, "block_size does not fit", described(block_size), "a positive integer, or None")
