# SPDX-License-Identifier: Apache-2.0
"""`Gemm`: a matrix product with its descriptors, its division into tasks, and its code in two tiers."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Iterator
from functools import lru_cache, partial

import numpy as np

from ..codegen.target import Target
from ..native.cache import ObjectCache
from ..native.linker import BASELINE, OPTIMISED, Library, Recipe, is_cached, link
from ..native.schedule import EVEN
from .gemm_layout import ADDRESS_WORDS, GEMM_WORDS, PACK_WORDS, GemmLayout, passes_of
from .gemm_variant import (
    AMX_ROWS,
    AMX_WORDS,
    KC,
    MC_TILES,
    NC_PANELS,
    PANEL_GROUP,
    GemmVariant,
    bytes_of,
    most_tiles,
    speed_of,
    summary_rows,
    target_of,
    tile_shape,
)
from .microkernel_assembly import has_assembly

_FEW_COLUMNS = 1024  # up to so many columns packing rows does not pay, because each row is read few times,
_MANY_RESULTS = 1 << 20  # unless the result is as large as this
_FEW_ROWS = 24  # up to so many rows packing columns does not pay
_SMALL_ROWS, _SMALL_BYTES = 256, 1 << 16  # nor where columns stay in the first-level caches unpacked,
_WIDE = 128  # nor where a panel's rows are two cache lines, as far as columns are near
# Rows that are contiguous are read where they lie, not packed, up to so many bytes of columns in a pass (beyond, rows
# leave the second-level cache), and of a stride from one contracted element to the next (beyond, each is on a page).
_ACROSS_COLUMNS, _ACROSS_STRIDE = 1 << 19, 1 << 12
_TASK = 1 << 19  # multiplications of a task: some ten microseconds
_TASKS = 16  # enough tasks for a few threads to finish at about the same time
_LEAST_SHARE = 0.9  # of the rows in a task's register tiles that must not be padding
# Bytes of columns that the third-level cache may hold. Prefetches of what is near delay the loads of its panel.
_NEAR = 1 << 23
# By AMX a panel is multiplied so fast that it has to be prefetched from the third level; few tasks read it less often.
_NEAR_AMX, _TASKS_AMX = 1 << 18, 8
_LONG = 1 << 34  # multiplications from which on baseline code would cost more than it saves
_NC = 1024  # columns of a task (BLIS: nc)
# The register tile, in rows and bytes of a row, by which passes are made shorter: whatever the machine's tile is, since
# the passes decide the order of the sums.
ORDER_ROWS, ORDER_COLUMNS = 6, 64


class Gemm:
    """A GEMM with the descriptors that its kernels read.

    Args:
        layout: The layout of the operands.
        variant: The code that it needs.
        target: The processor.
        members: Number of operand pairs whose products are added up.
        splits: Number of partial results, each over a share of the contracted elements (split-K).
    """

    # Written by hand: a dataclass would cost a millisecond of every process's first GEMM.
    __slots__ = (
        "_kept", "descriptor", "layout", "members", "pack_descriptor", "pack_total", "packed_bytes",
        "packs_columns", "splits", "target", "total", "variant",
    )

    def __init__(
        self, layout: GemmLayout, variant: GemmVariant, target: Target, members: int = 1, splits: int = 1
    ) -> None:
        self.layout, self.variant, self.members, self.splits = layout, variant, members, splits
        self.target = target_of(variant, target)
        self.pack_descriptor: np.ndarray | None = None
        self.pack_total = self.packed_bytes = 0
        self._kept: list[np.ndarray] = []
        tile, width = tile_shape(self.target, variant)
        size = bytes_of(variant.compute)
        rows, columns = len(layout.x_rows), len(layout.y_columns)
        panels = -(-columns // width)
        contiguous = bool(np.all(np.diff(layout.y_columns) == bytes_of(variant.source)))
        direct = variant.source == variant.compute and contiguous and columns % width == 0
        # Contracted elements, or words of them; in front of a panel of words is a summary of its columns.
        group = variant.group
        unit = AMX_ROWS if variant.uses_amx else 1
        length = -(-layout.length // (group * unit)) * unit
        padding = length * group - layout.length
        head = summary_rows(variant)
        depth = len(layout.segments) * length + head
        is_small = rows <= _SMALL_ROWS and depth * columns * size <= _SMALL_BYTES
        # Few rows, or windows that overlap, leave the caches to columns as they lie.
        leaves_room = rows <= _SMALL_ROWS or (
            layout.x_stride == size and layout.x_rows[1] - layout.x_rows[0] < layout.length * size)
        is_near = width * size >= _WIDE and depth * columns * size <= _NEAR and leaves_room
        self.packs_columns = not (variant.copies_columns or direct and (rows <= _FEW_ROWS or is_small or is_near))
        near = _NEAR_AMX if variant.uses_amx else _NEAR
        self.variant = variant._replace(prefetches=self.packs_columns and columns * depth * size > near)
        stacks, stack_index = np.unique(layout.y_batches, return_inverse=True)
        segments = []
        for member in range(self.members):
            for i, (x, y) in enumerate(layout.segments):
                at = (head + i * length) * width * size if self.packs_columns else y
                segments.append((1 + member, x, 1 + self.members + member, at))
        panel_row = width * size
        y_stride = panel_row if self.packs_columns else layout.y_stride
        # Where tasks pack their columns, shorter passes make room for all rows and columns in one task.
        shorter = next(n for n in (1, 2, 4) if n == 4 or (
            columns <= NC_PANELS * n * ORDER_COLUMNS // size and rows <= MC_TILES * n * ORDER_ROWS))
        shorter = shorter if variant.copies_columns else 1
        # Passes decide the order of sums: those of bfloat16 end between the same pairs, whatever the processor.
        limit, unit = (AMX_WORDS, unit) if variant.uses_amx else (KC // 2, 1) if group == 2 else (
            KC // shorter, 2 if variant.source == "bfloat" else 1)
        passes, parts = passes_of(
            np.array(segments, np.int64), length, layout.x_stride * group, y_stride, limit, unit)
        y_batches = stack_index * (panels * depth * width * size) if self.packs_columns else layout.y_batches
        across = min(panels, NC_PANELS * shorter if variant.copies_columns else _NC // width)
        divides_columns = not variant.packs_rows
        block_rows, block_panels = self._blocks(panels, across, most_tiles(variant) * shorter, divides_columns)
        tiles, column_blocks = -(-rows // tile), -(-panels // block_panels)
        row_blocks = _even(-(-rows // block_rows), tiles, len(layout.x_batches) * splits * column_blocks)
        reads_across = self._reads_across(tile, columns * min(depth, KC) * size)
        numbers = {
            "out_slot": 1 + 2 * self.members, "rows": rows, "columns": columns, "panels": panels,
            "block_rows": 0, "tiles": tiles, "block_panels": block_panels, "row_blocks": row_blocks,
            "column_blocks": column_blocks, "x_stride": layout.x_stride,
            "y_stride": panel_row if variant.copies_columns else y_stride,
            "ahead": panel_row if self.variant.prefetches else 0,
            "panel_stride": depth * panel_row if self.packs_columns else panel_row, "pass_count": len(passes),
            "x_rows": self._address(layout.x_rows), "out_rows": self._address(layout.out_rows),
            "batches": self._address(np.stack([layout.x_batches, y_batches, layout.out_batches], axis=1)),
            "passes": self._address(passes), "segments": self._address(parts), "splits": splits,
            "split_stride": len(layout.x_batches) * rows * columns * bytes_of(variant.result),
            "are_rows_apart": int(bool(np.all(np.diff(layout.x_rows) >= bytes_of(variant.source)))),
            "are_segments_together": int(variant.packs_rows and not reads_across and (
                variant.copies_columns or self.packs_columns and members == 1)),
            "y_columns": self._address(layout.y_columns), "y_source_stride": layout.y_stride,
            "is_contiguous": int(contiguous), "padding": padding, "reads_across": int(reads_across),
            "out_stride": _only(np.diff(layout.out_rows)),
        }
        self.descriptor = np.array([numbers[name] for name in GEMM_WORDS], np.int64)
        self.total = len(layout.x_batches) * splits * row_blocks * column_blocks
        if self.packs_columns:
            words = {
                "groups": -(-panels // PANEL_GROUP), "panels": panels, "columns": columns,
                "segment_count": len(layout.segments), "length": length, "padding": padding,
                "y_stride": layout.y_stride, "is_contiguous": int(contiguous),
                "y_columns": self._address(layout.y_columns), "segments": self._address(layout.segments[:, 1]),
                "batches": self._address(stacks),
            }
            self.pack_descriptor = np.array([words[name] for name in PACK_WORDS], np.int64)
            self.pack_total = len(stacks) * -(-panels // PANEL_GROUP)
            self.packed_bytes = len(stacks) * panels * depth * width * size

    @property
    def is_long(self) -> bool:
        """Whether optimised code saves so much of one execution that it is worth waiting for."""
        return self.layout.multiplications * self.members >= _LONG

    def multiplying(self, cache: ObjectCache | None, level: int) -> Library:
        """The code that multiplies; at level `BASELINE` only its micro-kernel is optimised."""
        whole = self._whole()
        if level == OPTIMISED or _is_available(whole, cache):
            return _linked(whole, ("product",), OPTIMISED, cache)
        sums = None
        if self._has_microkernel():
            sums = _linked(self._microkernel(), ("sums",), OPTIMISED, cache)
        return _linked(self._macrokernel(), ("product",), BASELINE, cache, sums)

    def packing(self, cache: ObjectCache | None, level: int) -> Library | None:
        """The code that packs columns; None where they are not packed."""
        if not self.packs_columns:
            return None
        pack = self._pack()
        if level == OPTIMISED or _is_available(pack, cache):
            return _linked(pack, ("pack",), OPTIMISED, cache)
        return _linked(self._quick_pack(), ("pack",), BASELINE, cache)

    def first_tier(self, cache: ObjectCache | None) -> int:
        """The level of the first calls' code: optimised where it is available or worth waiting for."""
        if self.is_long or (_is_available(self._whole(), cache) and (
                not self.packs_columns or _is_available(self._pack(), cache))):
            return OPTIMISED
        return BASELINE

    def compile_jobs(self, cache: ObjectCache | None) -> Iterator[Callable[[], object]]:
        """Jobs for a compile thread. Their texts are written here, when each is requested, and not in that thread.

        Two threads that run Python would alternate in intervals of milliseconds.
        """
        level = self.first_tier(cache)
        if level == OPTIMISED:
            if not _is_available(self._whole(), cache):
                self._whole().write()
        else:
            around = self._macrokernel()
            if self._has_microkernel():
                sums = self._microkernel()
                if not _is_available(sums, cache):
                    sums.write()
                yield partial(_linked, sums, ("sums",), OPTIMISED, cache)
            if not _is_available(around, cache, BASELINE):
                around.write()
        yield partial(self.multiplying, cache, level)
        if self.packs_columns:
            pack = self._pack() if level == OPTIMISED else self._quick_pack()
            if not _is_available(pack, cache, level):
                pack.write()
            yield partial(self.packing, cache, level)

    def _has_microkernel(self) -> bool:
        """Whether the baseline tier's micro-kernel is a module of its own."""
        return not (self.variant.uses_amx or has_assembly(self.variant, self.target))

    def _whole(self) -> Recipe:
        name = "amx_module" if self.variant.uses_amx else "gemm_module"
        return Recipe(f"product of {self.variant}", partial(_text, name, self.variant, self.target))

    def _microkernel(self) -> Recipe:
        return Recipe(f"sums of {self.variant}", partial(_text, "microkernel_module", self.variant, self.target))

    def _macrokernel(self) -> Recipe:
        name = "baseline_amx_module" if self.variant.uses_amx else "baseline_module"
        return Recipe(f"quick product of {self.variant}", partial(_text, name, self.variant, self.target))

    def _pack(self) -> Recipe:
        variant = self._packing_variant()
        return Recipe(f"packing of {variant}", partial(_text, "pack_module", variant, self.target))

    def _quick_pack(self) -> Recipe:
        variant = self._packing_variant()
        return Recipe(f"quick packing of {variant}", partial(_text, "baseline_packing_module", variant, self.target))

    def _packing_variant(self) -> GemmVariant:
        """The variant of packing, which does not depend on the result's type and the rows."""
        along = packs_along(self.layout, self.variant.source)
        compute = self.variant.compute
        return self.variant._replace(
            result=compute, packs_rows=True, packs_along=along, copies_columns=False, prefetches=False, tile_rows=0)

    def _blocks(self, panels: int, across: int, most: int, divides_columns: bool = False) -> tuple[int, int]:
        """Rows and panels of a task: large tasks read less memory, small ones keep all threads busy.

        Args:
            panels: Number of panels.
            across: Panels of a task at most.
            most: Register tiles of rows in a task at most.
            divides_columns: Whether columns are divided before rows, so that a thread reads few of them often.
        """
        tile, width = tile_shape(self.target, self.variant)
        tiles = -(-len(self.layout.x_rows) // tile)
        count = -(-tiles // most)
        down = -(-tiles // count)
        length = -(-self.layout.length // self.variant.group)
        work = tile * width * len(self.layout.segments) * length * self.members // speed_of(self.variant)

        enough = _TASKS_AMX if self.variant.uses_amx else _TASKS

        def has_few_tasks() -> bool:
            blocks = -(-tiles // down) * -(-panels // across)
            return blocks * len(self.layout.x_batches) * self.splits < enough

        while divides_columns and across > 1 and down * across * work > 2 * _TASK and has_few_tasks():
            across = -(-across // 2)
        # Else rows are divided first: a second block of columns would pack the same rows again.
        while down > 1 and down * across * work > 2 * _TASK and has_few_tasks():
            down = -(-down // 2)
        while across > 1 and across * work > _TASK and down == 1 and not self.variant.packs_rows and has_few_tasks():
            across = -(-across // 2)
        return down * tile, across

    def _reads_across(self, tile: int, column_bytes: int) -> bool:
        """Whether each tile's rows are contiguous, and read where they lie."""
        layout, variant = self.layout, self.variant
        size, rows = bytes_of(variant.source), layout.x_rows
        if not variant.packs_rows or variant.copies_columns or variant.group > 1 or variant.source != variant.compute:
            return False
        if len(rows) % tile or column_bytes > _ACROSS_COLUMNS or layout.x_stride > _ACROSS_STRIDE:
            return False
        return bool(np.all(np.diff(rows.reshape(-1, tile), axis=1) == size))

    def rows_of_tasks(self) -> int:
        """Rows of each task where all tasks have whole rows of the result, and equally many."""
        tile, width = tile_shape(self.target, self.variant)
        rows, panels = len(self.layout.x_rows), -(-len(self.layout.y_columns) // width)
        if len(self.layout.x_batches) == 1:
            return self._blocks(panels, panels, most_tiles(self.variant))[0]
        found = [n for n in range(1, most_tiles(self.variant) * tile + 1) if rows % n == 0]
        return max(found, key=lambda n: (round(n / -(-n // tile), 1), n))

    def can_have_tasks_of(self, block_rows: int) -> bool:
        """Whether tasks can have so many rows each: few enough to pack, and with little padding."""
        tile, _ = tile_shape(self.target, self.variant)
        rows, tiles = len(self.layout.x_rows), -(-block_rows // tile)
        return tiles <= most_tiles(self.variant) and block_rows >= _LEAST_SHARE * tiles * tile and (
            len(self.layout.x_batches) == 1 or rows % block_rows == 0)

    def cut_rows(self, block_rows: int) -> None:
        """Makes every task so many whole rows of the result."""
        numbers = dict(zip(GEMM_WORDS, range(len(GEMM_WORDS)), strict=True))
        row_blocks = -(-len(self.layout.x_rows) // block_rows)
        for name, value in (("block_rows", block_rows), ("row_blocks", row_blocks),
                            ("block_panels", self.descriptor[numbers["panels"]]), ("column_blocks", 1)):
            self.descriptor[numbers[name]] = value
        if block_rows % tile_shape(self.target, self.variant)[0]:
            self.descriptor[numbers["reads_across"]] = 0
        self.total = len(self.layout.x_batches) * row_blocks

    def relocated(self, address: int) -> tuple[np.ndarray, dict[int, np.ndarray]]:
        """A descriptor without the addresses in it, and the tables that stand there, by the numbers of their words.

        Args:
            address: Which of the two descriptors, by its own address.
        """
        is_pack = self.pack_descriptor is not None and address == self.pack_descriptor.ctypes.data
        descriptor, names = (self.pack_descriptor, PACK_WORDS) if is_pack else (self.descriptor, GEMM_WORDS)
        tables = {int(table.ctypes.data): table for table in self._kept}
        words = np.array(descriptor)
        found = {i: tables[int(words[i])] for i, name in enumerate(names) if name in ADDRESS_WORDS}
        words[list(found)] = 0
        return words, found

    def _address(self, array: np.ndarray) -> int:
        array = np.ascontiguousarray(array, np.int64)
        self._kept.append(array)
        return int(array.ctypes.data)


def _only(distances: np.ndarray) -> int:
    """The distance that all are; 0 where they differ, or there is none."""
    return int(distances[0]) if len(distances) and np.all(distances == distances[0]) else 0


def _even(blocks: int, tiles: int, others: int) -> int:
    """The number of blocks of rows with which two or four threads have equally many tasks, where tiles suffice."""
    unit = EVEN // math.gcd(EVEN, others)
    return min(blocks + -blocks % unit, tiles) if blocks > 1 else blocks


def _linked(
    recipe: Recipe, names: tuple[str, ...], level: int, cache: ObjectCache | None, needs: Library | None = None
) -> Library:
    """A linked module, shared by all GEMMs of its variant; waits where another thread is compiling it."""
    key = recipe, level, cache
    if len(_available) >= _MOST_NOTED:  # what is forgotten is looked up again, in `_made` or on disk
        _available.clear()
        _making.clear()
    with _making.setdefault(key, threading.RLock()):
        made = _made(recipe, names, level, cache, needs)
        _available.add(key)
    return made.note()


@lru_cache(maxsize=128)
def _made(
    recipe: Recipe, names: tuple[str, ...], level: int, cache: ObjectCache | None, needs: Library | None
) -> Library:
    return link(recipe, names, needs, level, cache)


_MOST_NOTED = 1024

# Locks of modules that are or were compiled; a child of fork must not inherit one that another thread held.
_making: dict[tuple[Recipe, int, ObjectCache | None], threading.RLock] = {}
os.register_at_fork(after_in_child=_making.clear)
_available: set[tuple[Recipe, int, ObjectCache | None]] = set()  # compiled in this process; there may be more on disk


def forget_gemm_code() -> None:
    """Frees the code of GEMMs that no program uses."""
    _available.clear()
    _made.cache_clear()


def _text(name: str, variant: GemmVariant, target: Target) -> str:
    """The text of a module; what writes it is imported only for code that is not cached."""
    from . import texts

    write: Callable[[GemmVariant, Target], str] = getattr(texts, name)
    return write(variant, target)


def _is_available(recipe: Recipe, cache: ObjectCache | None, level: int = OPTIMISED) -> bool:
    """Whether a module's code need not be compiled."""
    return (recipe, level, cache) in _available or is_cached(recipe, level, cache)


def packs_along(layout: GemmLayout, source: str) -> bool:
    """Whether the contracted elements of each column are contiguous."""
    return layout.y_stride == bytes_of(source) and layout.length > 1


def packs_rows(layout: GemmLayout, source: str, compute: str) -> bool:
    """Whether a GEMM's rows are packed before they are multiplied."""
    if source != compute or (layout.x_stride != bytes_of(source) and layout.length > 1):
        return True
    columns = len(layout.y_columns)
    return columns > _FEW_COLUMNS or columns * len(layout.x_rows) >= _MANY_RESULTS
