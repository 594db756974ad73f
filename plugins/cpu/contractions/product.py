"""A product of matrices as steps of a native program."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from functools import lru_cache, partial

import numpy as np

from ..codegen.target import Target
from ..native.cache import ObjectCache
from ..native.linker import OPTIMISED, QUICK, Library, Recipe, is_cached, link
from .assembly import has_assembly
from .emit import BLOCK, PANELS, PASS, product_module
from .forms import PACK, PRODUCT, Form, passes_of
from .kinds import ProductKind, bytes_of, tile_shape
from .packing import GROUP, pack_module
from .quick import quick_module, sums_module

_FEW_COLUMNS = 1024  # rows are read so few times that packing them does not pay,
_MANY_RESULTS = 1 << 20  # unless there are many of them
_FEW_ROWS = 24  # the same of columns
_SMALL_ROWS, _SMALL_BYTES = 256, 1 << 16  # and of columns that stay in the first caches as they are
_PIECE = 1 << 19  # multiplications in a piece of work: some ten microseconds
_PIECES = 16  # pieces, with which some threads finish at about the same time
_LEAST_SHARE = 0.9  # of a piece's tiles that must be rows of its own
_LONG = 1 << 34  # multiplications from which on quick code around the sums would cost more than it saves
_WIDTH = 1024  # columns of a piece of work where rows are packed


class Product:
    """A product whose numbers are laid out for its kernels.

    Args:
        form: The operands' layout.
        kind: The code it needs.
        target: The processor.
        members: Number of operand pairs whose products are added up.
        parts: Number of results, each with a share of the contracted elements.
    """

    # Written by hand: a dataclass would take a millisecond of every process's first product.
    __slots__ = (
        "_kept", "descriptor", "form", "kind", "members", "pack_descriptor", "pack_total", "packed_bytes",
        "packs_columns", "parts", "target", "total",
    )

    def __init__(self, form: Form, kind: ProductKind, target: Target, members: int = 1, parts: int = 1) -> None:
        self.form, self.kind, self.target, self.members, self.parts = form, kind, target, members, parts
        self.pack_descriptor: np.ndarray | None = None
        self.pack_total = self.packed_bytes = 0
        self._kept: list[np.ndarray] = []
        tile, width = tile_shape(self.target, kind.compute)
        size = bytes_of(kind.compute)
        rows, columns = len(form.x_rows), len(form.y_columns)
        panels = -(-columns // width)
        contiguous = bool(np.all(np.diff(form.y_columns) == bytes_of(kind.source)))
        direct = kind.source == kind.compute and contiguous and columns % width == 0
        depth = len(form.segments) * form.length
        is_small = rows <= _SMALL_ROWS and depth * columns * size <= _SMALL_BYTES
        self.packs_columns = not (kind.copies_columns or direct and (rows <= _FEW_ROWS or is_small))
        stacks, stack_index = np.unique(form.y_batches, return_inverse=True)
        segments = []
        for member in range(self.members):
            for i, (x, y) in enumerate(form.segments):
                at = i * form.length * width * size if self.packs_columns else y
                segments.append((1 + member, x, 1 + self.members + member, at))
        panel_row = width * size
        y_stride = panel_row if self.packs_columns else form.y_stride
        # Where pieces copy their columns, shorter passes leave room for all rows and columns in one piece.
        shorter = next(n for n in (1, 2, 4) if n == 4 or panels <= PANELS * n and rows <= BLOCK * n * tile)
        shorter = shorter if kind.copies_columns else 1
        passes, cut = passes_of(np.array(segments, np.int64), form.length, form.x_stride, y_stride, PASS // shorter)
        y_batches = stack_index * (panels * depth * width * size) if self.packs_columns else form.y_batches
        across = min(panels, PANELS * shorter if kind.copies_columns else _WIDTH // width)
        block_rows, block_panels = self._blocks(panels, across, BLOCK * shorter)
        numbers = {
            "out_slot": 1 + 2 * self.members, "rows": rows, "columns": columns, "panels": panels,
            "block_rows": block_rows, "block_panels": block_panels, "row_blocks": -(-rows // block_rows),
            "column_blocks": -(-panels // block_panels), "x_stride": form.x_stride,
            "y_stride": panel_row if kind.copies_columns else y_stride,
            "ahead": panel_row if self.packs_columns else 0,
            "panel_stride": depth * panel_row if self.packs_columns else panel_row, "pass_count": len(passes),
            "x_rows": self._address(form.x_rows), "out_rows": self._address(form.out_rows),
            "batches": self._address(np.stack([form.x_batches, y_batches, form.out_batches], axis=1)),
            "passes": self._address(passes), "segments": self._address(cut), "parts": parts,
            "part_stride": len(form.x_batches) * rows * columns * bytes_of(kind.result),
            "are_rows_together": int(bool(np.all(np.diff(form.x_rows) == bytes_of(kind.source)))),
            "y_columns": self._address(form.y_columns), "y_source_stride": form.y_stride,
            "is_contiguous": int(contiguous),
        }
        self.descriptor = np.array([numbers[name] for name in PRODUCT], np.int64)
        self.total = len(form.x_batches) * parts * numbers["row_blocks"] * numbers["column_blocks"]
        if self.packs_columns:
            words = {
                "groups": -(-panels // GROUP), "panels": panels, "columns": columns,
                "segment_count": len(form.segments), "length": form.length,
                "y_stride": form.y_stride, "is_contiguous": int(contiguous),
                "y_columns": self._address(form.y_columns), "segments": self._address(form.segments[:, 1]),
                "batches": self._address(stacks),
            }
            self.pack_descriptor = np.array([words[name] for name in PACK], np.int64)
            self.pack_total = len(stacks) * -(-panels // GROUP)
            self.packed_bytes = len(stacks) * panels * depth * width * size

    @property
    def is_long(self) -> bool:
        """Whether the best code saves so much of one execution that it is waited for."""
        return self.form.multiplications * self.members >= _LONG

    def multiplying(self, cache: ObjectCache | None, level: int) -> Library:
        """The code that multiplies; of `QUICK` code all but the innermost loop, whose sums must stay in registers."""
        whole = self._whole()
        if level == OPTIMISED or _is_at_hand(whole, cache):
            return _linked(whole, ("product",), OPTIMISED, cache)
        return self._quick(cache)

    def packing(self, cache: ObjectCache | None, level: int) -> Library | None:
        """The code that packs columns, if they are packed."""
        if not self.packs_columns:
            return None
        pack = self._pack()
        if level == OPTIMISED or _is_at_hand(pack, cache):
            return _linked(pack, ("pack",), OPTIMISED, cache)
        return self._quick(cache)

    def _quick(self, cache: ObjectCache | None) -> Library:
        """One module of what multiplies and packs: each has its price, whatever is in it."""
        sums = None
        if not has_assembly(self.kind, self.target):
            sums = _linked(self._sums(), ("sums",), OPTIMISED, cache)
        names = ("product", "pack") if self.packs_columns else ("product",)
        return _linked(self._around(), names, QUICK, cache, sums)

    def first_level(self, cache: ObjectCache | None) -> int:
        """How good the code of the first calls is: the best where it is at hand, or worth to be waited for."""
        if self.is_long or (_is_at_hand(self._whole(), cache) and (
                not self.packs_columns or _is_at_hand(self._pack(), cache))):
            return OPTIMISED
        return QUICK

    def beginnings(self, cache: ObjectCache | None) -> Iterator[Callable[[], object]]:
        """What another thread may make meanwhile; what each has to write is written here, when it is asked for."""
        # Two threads that run Python take turns of milliseconds.
        level = self.first_level(cache)
        if level == OPTIMISED:
            if cache is None or not _is_at_hand(self._whole(), cache):
                self._whole().write()
        else:
            around = self._around()
            if not has_assembly(self.kind, self.target):
                sums = self._sums()
                if not _is_at_hand(sums, cache):
                    sums.write()
                yield partial(_linked, sums, ("sums",), OPTIMISED, cache)
            if not _is_at_hand(around, cache, QUICK):
                around.write()
        yield partial(self.multiplying, cache, level)
        if self.packs_columns:
            if level == OPTIMISED and not _is_at_hand(self._pack(), cache):
                self._pack().write()
            yield partial(self.packing, cache, level)

    def _whole(self) -> Recipe:
        return Recipe(f"product of {self.kind}", partial(product_module, self.kind, self.target))

    def _sums(self) -> Recipe:
        return Recipe(f"sums of {self.kind}", partial(sums_module, self.kind, self.target))

    def _around(self) -> Recipe:
        packing = self._packing_kind() if self.packs_columns else None
        write = partial(quick_module, self.kind, packing, self.target)
        return Recipe(f"quick product of {self.kind}, {packing}", write)

    def _pack(self) -> Recipe:
        kind = self._packing_kind()
        return Recipe(f"packing of {kind}", partial(pack_module, kind, self.target))

    def _packing_kind(self) -> ProductKind:
        """What the code that packs depends on: it is the same whatever the result and the rows are."""
        along = packs_along(self.form, self.kind.source)
        return self.kind._replace(result=self.kind.compute, packs_rows=True, packs_along=along, copies_columns=False)

    def _blocks(self, panels: int, across: int, most: int = BLOCK) -> tuple[int, int]:
        """Rows and panels of a piece of work: large ones read less, small ones keep all threads busy."""
        tile, width = tile_shape(self.target, self.kind.compute)
        tiles = -(-len(self.form.x_rows) // tile)
        count = -(-tiles // most)
        down = -(-tiles // count)
        work = tile * width * len(self.form.segments) * self.form.length * self.members
        # Rows are cut first: a second block of columns would pack the same rows again.
        while down > 1 and down * across * work > 2 * _PIECE and (
                -(-tiles // down) * -(-panels // across) * len(self.form.x_batches) * self.parts < _PIECES):
            down = -(-down // 2)
        return down * tile, across

    def rows_of_pieces(self) -> int:
        """How many rows each piece should have if all pieces are to have whole rows, and equally many."""
        tile, width = tile_shape(self.target, self.kind.compute)
        rows, panels = len(self.form.x_rows), -(-len(self.form.y_columns) // width)
        if len(self.form.x_batches) == 1:
            return self._blocks(panels, panels)[0]
        found = [n for n in range(1, BLOCK * tile + 1) if rows % n == 0]
        return max(found, key=lambda n: (round(n / -(-n // tile), 1), n))

    def has_pieces_of(self, block_rows: int) -> bool:
        """Whether pieces can have so many rows each: neither too many to pack, nor too uneven."""
        tile, _ = tile_shape(self.target, self.kind.compute)
        rows, tiles = len(self.form.x_rows), -(-block_rows // tile)
        return tiles <= BLOCK and block_rows >= _LEAST_SHARE * tiles * tile and (
            len(self.form.x_batches) == 1 or rows % block_rows == 0)

    def cut_rows(self, block_rows: int) -> None:
        """Makes every piece so many whole rows of the result."""
        numbers = dict(zip(PRODUCT, range(len(PRODUCT)), strict=True))
        row_blocks = -(-len(self.form.x_rows) // block_rows)
        for name, value in (("block_rows", block_rows), ("row_blocks", row_blocks),
                            ("block_panels", self.descriptor[numbers["panels"]]), ("column_blocks", 1)):
            self.descriptor[numbers[name]] = value
        self.total = len(self.form.x_batches) * row_blocks

    def _address(self, array: np.ndarray) -> int:
        array = np.ascontiguousarray(array, np.int64)
        self._kept.append(array)
        return int(array.ctypes.data)


def _linked(
    recipe: Recipe, names: tuple[str, ...], level: int, cache: ObjectCache | None, needs: Library | None = None
) -> Library:
    """A module in this process; all products of its kind share it, and who comes while a thread makes it waits."""
    key = recipe, level, cache
    if len(_at_hand) >= _NOTED:  # what is forgotten is asked for again, of `_made` or of the disk
        _at_hand.clear()
        _making.clear()
    with _making.setdefault(key, threading.RLock()):
        made = _made(recipe, names, level, cache, needs)
        _at_hand.add(key)
    return made


@lru_cache(maxsize=128)
def _made(
    recipe: Recipe, names: tuple[str, ...], level: int, cache: ObjectCache | None, needs: Library | None
) -> Library:
    return link(recipe, names, needs, level, cache)


_NOTED = 1024

# Locks of what is or was made; a child of fork must not inherit one that another thread held.
_making: dict[tuple[Recipe, int, ObjectCache | None], threading.RLock] = {}
os.register_at_fork(after_in_child=_making.clear)
_at_hand: set[tuple[Recipe, int, ObjectCache | None]] = set()  # what was made here; the disk may have more


def forget_products() -> None:
    """Lets go of the code of products that no program uses."""
    _at_hand.clear()
    _made.cache_clear()


def _is_at_hand(recipe: Recipe, cache: ObjectCache | None, level: int = OPTIMISED) -> bool:
    """Whether a module's code needs no LLVM."""
    return (recipe, level, cache) in _at_hand or (cache is not None and is_cached(recipe, level, cache))


def packs_along(form: Form, source: str) -> bool:
    """Whether contracted elements of columns lie side by side."""
    return form.y_stride == bytes_of(source) and form.length > 1


def packs_rows(form: Form, source: str, compute: str) -> bool:
    """Whether a product's rows are copied before they are multiplied."""
    if source != compute or (form.x_stride != bytes_of(source) and form.length > 1):
        return True
    columns = len(form.y_columns)
    return columns > _FEW_COLUMNS or columns * len(form.x_rows) >= _MANY_RESULTS


