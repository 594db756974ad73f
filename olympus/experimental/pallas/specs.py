# SPDX-License-Identifier: Apache-2.0
"""How the operands of a kernel are cut into blocks: `BlockSpec`, `GridSpec`, and where blocks would be kept."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from olympus_core.errors import ArgumentError, NotSupportedError, described

from ...operands import element_type, integer, shape_argument


@dataclass(frozen=True, slots=True)
class Blocked:
    """A dimension of a block whose place counts in blocks; a plain integer means the same.

    Args:
        block_size: How many elements a block has along it.
    """

    block_size: int


@dataclass(frozen=True, slots=True)
class Element:
    """A dimension of a block whose place counts in elements.

    Args:
        block_size: How many elements a block has along it.
        padding: How many elements of no meaning stand before and behind the array.
    """

    block_size: int
    padding: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Squeezed:
    """A dimension of a block that has one element, and that the kernel does not see; None means the same."""


@dataclass(frozen=True, slots=True)
class BoundedSlice:
    """A dimension of a block whose place and size are a slice that the index map gives: not supported.

    Args:
        block_size: The greatest size.
    """

    block_size: int


@dataclass(frozen=True, slots=True)
class Indirect:
    """A dimension of a block whose elements lie where an array says: not supported.

    Args:
        block_size: How many elements a block has along it.
    """

    block_size: int


squeezed = Squeezed()
BlockDim = Element | Squeezed | Blocked | BoundedSlice | Indirect


class MemorySpace(enum.Enum):
    """Where blocks are kept on devices that have several memories; here all are in the device's memory.

    Called with a shape and an element type, a member says what a kernel's scratch is.
    """

    ANY = "any"
    ERROR = "error"
    INDEX = "index"
    KEY = "key"
    HOST = "host"

    def __call__(self, shape: Sequence[int], dtype: Any) -> MemoryRef:
        """Scratch of a shape and element type."""
        return MemoryRef(shape_argument("MemorySpace", shape), element_type("MemorySpace", dtype), self)


ANY, HOST = MemorySpace.ANY, MemorySpace.HOST


@dataclass(frozen=True, slots=True)
class MemoryRef:
    """What scratch of a kernel is like.

    Args:
        shape: Its shape.
        dtype: Its element type.
        memory_space: Where it is kept, where there are several places.
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    memory_space: Any = None


@dataclass(frozen=True, slots=True)
class Buffered:
    """How many buffers a block has where steps overlap; they do not here.

    Args:
        buffer_count: The number.
        use_lookahead: Whether blocks are fetched as early as possible.
        revisit: What becomes of a block that comes again.
    """

    buffer_count: int
    use_lookahead: bool = False
    revisit: Any = None


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """What a kernel takes.

    Args:
        flops: Additions and multiplications.
        transcendentals: Elements of functions such as sin.
        bytes_accessed: Bytes of operands and results.
        remote_bytes_transferred: Bytes between devices.
    """

    flops: int
    transcendentals: int
    bytes_accessed: int
    remote_bytes_transferred: int = 0


class CompilerParams:
    """Parameters of the peer's compilers of kernels; accepted, and without effect.

    Args:
        **parameters: Any.
    """

    def __init__(self, **parameters: Any) -> None:
        self.parameters = parameters


class BlockSpec:
    """How an operand of a kernel is cut into blocks, and which of them a step of the grid sees.

    Args:
        block_shape: For each dimension the size of a block, or None for one element and no dimension in the kernel;
            `Element` and `Blocked` say in what the index map counts. None for the whole array.
        index_map: The indices of the grid to the block's place, one number for each dimension, which counts in blocks.
            None: the first block.
        pipeline_mode: Accepted for compatibility.
        memory_space: Likewise.

    Example:
        >>> from olympus.experimental import pallas as pl
        >>> pl.BlockSpec((None, 128), lambda i: (i, 0)).block_shape
        (None, 128)
    """

    def __init__(
        self, block_shape: Sequence[BlockDim | int | None] | None = None, index_map: Callable[..., Any] | None = None,
        pipeline_mode: Buffered | None = None, *, memory_space: Any = None,
    ) -> None:
        if callable(block_shape):
            raise ArgumentError("BlockSpec", "the block's shape comes before the index map", described(block_shape),
                                "BlockSpec(block_shape, index_map)")
        self.block_shape = None if block_shape is None else tuple(block_shape)
        self.index_map, self.pipeline_mode, self.memory_space = index_map, pipeline_mode, memory_space

    def replace(self, **changes: Any) -> BlockSpec:
        """The same with other parameters.

        Args:
            **changes: They, by name.
        """
        return BlockSpec(**{"block_shape": self.block_shape, "index_map": self.index_map,
                            "pipeline_mode": self.pipeline_mode, "memory_space": self.memory_space, **changes})

    def __repr__(self) -> str:
        return f"BlockSpec(block_shape={self.block_shape}, index_map={self.index_map})"


class _NoBlockSpec:
    """What stands for specs that are not given: each operand is one block."""

    def __repr__(self) -> str:
        return "no_block_spec"


no_block_spec = _NoBlockSpec()


class GridSpec:
    """A grid and the specs of a kernel's operands, in one.

    Args:
        grid: The number of steps along each dimension.
        in_specs: A spec for each argument, or a tree prefix of such.
        out_specs: The same for results.
        scratch_shapes: What the kernel gets besides: see `pallas_call`.
    """

    def __init__(
        self, grid: Any = (), in_specs: Any = no_block_spec, out_specs: Any = no_block_spec, scratch_shapes: Any = (),
    ) -> None:
        self.grid, self.in_specs, self.out_specs, self.scratch_shapes = grid, in_specs, out_specs, scratch_shapes


@dataclass(frozen=True, slots=True)
class Blocks:
    """How one array is cut.

    Args:
        starts: Of the grid's indices, where the block begins, in elements, counted with what stands before the array.
        sizes: The block's sizes.
        shape: The sizes of the block that the kernel sees.
        padding: For each dimension how much stands before and behind the array.
    """

    starts: Callable[[Sequence[Any]], list[Any]]
    sizes: tuple[int, ...]
    shape: tuple[int, ...]
    padding: tuple[tuple[int, int], ...]

    @property
    def is_whole(self) -> bool:
        """Whether the array is one block."""
        return self.starts is _at_the_beginning


def _at_the_beginning(_: Sequence[Any]) -> list[Any]:
    return []


def blocks_of(spec: Any, shape: tuple[int, ...], what: str, rank: int) -> Blocks:
    """How an array is cut by a spec.

    Args:
        spec: The spec; `no_block_spec` or None for a single block.
        shape: The array's shape.
        what: Which operand it is, for errors.
        rank: The number of dimensions of the grid.
    """
    if spec is None or spec is no_block_spec:
        spec = BlockSpec()
    if not isinstance(spec, BlockSpec):
        raise ArgumentError("pallas_call", f"the spec of {what} is none", described(spec), "a BlockSpec")
    if spec.block_shape is None and spec.index_map is None:
        return Blocks(_at_the_beginning, shape, shape, tuple((0, 0) for _ in shape))
    block = shape if spec.block_shape is None else spec.block_shape
    if len(block) != len(shape):
        raise ArgumentError("pallas_call", f"the block of {what} has not the array's number of dimensions",
                            f"block {block} of shape {shape}", f"{len(shape)} entries")
    sizes, factors, padding, seen = [], [], [], []
    for dim, size in zip(block, shape, strict=True):
        if isinstance(dim, (BoundedSlice, Indirect)):
            raise NotSupportedError(f"A block with {type(dim).__name__}", "blocks have the same size at each step",
                                    "Use Element, and a mask in the kernel.")
        length = 1 if dim is None or isinstance(dim, Squeezed) else integer(
            "BlockSpec", getattr(dim, "block_size", dim), "a size of the block", 1)
        sizes.append(length)
        if isinstance(dim, Element):
            factors.append(1)
            padding.append((int(dim.padding[0]), int(dim.padding[1])))
        else:
            factors.append(length)
            padding.append((0, -size % length))
        if not (dim is None or isinstance(dim, Squeezed)):
            seen.append(length)
    index_map = spec.index_map

    def starts(indices: Sequence[Any]) -> list[Any]:
        if index_map is None:
            return [0] * len(factors)
        found = index_map(*indices)
        places = list(found) if isinstance(found, (tuple, list)) else [found]
        if len(places) != len(factors):
            raise ArgumentError("pallas_call", f"the index map of {what} gives not one number for each dimension",
                                f"{len(places)} for block {block}", f"{len(factors)}")
        return [place * factor for place, factor in zip(places, factors, strict=True)]

    return Blocks(starts, tuple(sizes), tuple(seen), tuple(padding))
