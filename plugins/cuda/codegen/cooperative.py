# SPDX-License-Identifier: Apache-2.0
"""Kernels whose iterations are cooperative groups of threads: reductions of rows, tiles, scans."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from olympus_core.toolkit.c_text import (
    ALL,
    MANY,
    Nest,
    Sharing,
    Writer,
    accesses,
    is_aligned,
    is_overwritten,
    neutral,
    owner,
    steady,
)
from olympus_core.toolkit.loops import Kernel, Load, Loop, Parameter, Reduction, Store

from .block_scan import BlockScan
from .functions import register_type, storage_type
from .language import combined, literal
from .register_cache import RegisterCache, cached_registers
from .scans import Scan
from .schedule import SHARED_BYTES, WARP, CooperativePlan
from .thread_group import CudaThreadGroup
from .vectors import emit_vector_load, step, vector
from .warp_primitives import warp_reduce

MOST_UNROLLED = 16  # vectors of a nest for each thread, up to which the loop over them is unrolled
_LOADED_BYTES = 128  # of a thread's registers for prefetched loads: more would leave room for few blocks at once


@dataclass(slots=True)
class Layout:
    """Where scratch memory lies.

    Args:
        shared: Whether all of it is shared memory.
        scratch: Bytes of global memory for each group.
    """

    shared: bool
    scratch: int


def layout(kernel: Kernel, plan: CooperativePlan, unused: set[Parameter]) -> Layout:
    """Where a kernel's scratch memory lies; parameters in `unused` need none."""
    sizes = [-(-p.size * p.dtype.itemsize // 16) * 16 for p in kernel.parameters
             if p.role == "local" and p not in unused]
    if sum(sizes) * plan.groups <= SHARED_BYTES:
        return Layout(True, 0)
    return Layout(False, sum(sizes))


class CooperativeWriter(CudaThreadGroup):
    """Writes the function of a cooperative plan.

    Args:
        writer: Where the text goes.
        kernel: The kernel.
        plan: How it becomes threads.
    """

    def __init__(self, writer: Writer, kernel: Kernel, plan: CooperativePlan) -> None:
        super().__init__(writer, kernel, plan)
        self.cache: RegisterCache = cached_registers(kernel, plan, MOST_UNROLLED)
        self.layout = layout(kernel, plan, self.cache.unused)
        self.summed: set[np.dtype] = set()
        # By register type and a number, shared memory for partial sums: consecutive reductions alternate between two.
        self.slots: dict[tuple[str, int], str] = {}

    def emit(self) -> None:
        """Writes the function's body."""
        plan, w = self.plan, self.w
        kind = "long long" if plan.is_wide else "int"
        if plan.groups > 1:
            w.line(f"const int t = threadIdx.x % {plan.size};")
            w.line(f"const {kind} row = ({kind})blockIdx.x * {plan.groups} + threadIdx.x / {plan.size};")
            if plan.rows % plan.groups:
                w.line(f"if (row >= {plan.rows}) return;")
        else:
            w.line("const int t = threadIdx.x;")
            w.line(f"const {kind} row = blockIdx.x;")
        self._scratch()
        self.outer(plan.levels)
        for name, type_ in self.cache.arrays:
            w.line(f"{type_} {name};")
        self.statements(plan.body)

    def _scratch(self) -> None:
        plan, w, offset = self.plan, self.w, 0
        for parameter in self.kernel.parameters:
            if parameter.role != "local" or parameter in self.cache.unused:
                continue
            name, kind = w.parameters[parameter], storage_type(parameter.dtype)
            nbytes = -(-parameter.size * parameter.dtype.itemsize // 16) * 16
            if not self.layout.shared:
                position = f"(unsigned long long)row * {self.layout.scratch} + {offset}"
                w.line(f"{kind}* const {name} = ({kind}*)(scratch + {position});")
            elif plan.groups == 1:
                w.line(f"__shared__ __align__(16) {kind} {name}[{parameter.size}];")
            else:
                each = nbytes // parameter.dtype.itemsize
                w.line(f"__shared__ __align__(16) {kind} {name}_all[{each * plan.groups}];")
                w.line(f"{kind}* const {name} = {name}_all + threadIdx.x / {plan.size} * {each};")
            offset += nbytes

    def divided(self, loop: Loop) -> bool:
        """Writes a nest or a scan that the threads compute together; whether the loop is one."""
        shared, scan = self.plan.nests.get(id(loop)), self.plan.scans.get(id(loop))
        if shared is not None:
            self.nest(*shared)
        elif scan is not None:
            self.scan(*scan)
        return shared is not None or scan is not None

    def scan(self, scan: Scan, width: int) -> None:
        """Writes a scan that the threads compute together."""
        touched = self._touched(scan.nest, width)
        if self.hazards.conflicts(touched):
            self.barrier()
        self.summed.add(scan.term.dtype)
        BlockScan(self, scan, width, f"warps{self.names}").emit()
        self.names += 1
        self.hazards.note(touched)

    def _touched(self, nest: Nest, width: int) -> list[tuple[Hashable, bool, Hashable]]:
        """The accesses of a nest to memory: what, whether it is written, by which threads."""
        sharing = Sharing(self.plan.size, width)
        touched: list[tuple[Hashable, bool, Hashable]] = []
        for access in accesses(nest.statements):
            if access in self.cache.dropped or self.cache.names.get(access) and isinstance(access, Load) and (
                    access not in self.cache.first):
                continue
            who = owner(access, nest, sharing)
            touched.append((access.parameter, isinstance(access, Store), MANY if who is None else who))
        return touched

    def nest(self, nest: Nest, width: int) -> None:
        """Writes a nest whose iterations are divided among the threads."""
        w, size = self.w, self.plan.size
        touched = self._touched(nest, width)
        if self.hazards.conflicts(touched):
            self.barrier()
        totals = []
        for reduction in nest.reductions:
            dtype = reduction.result.dtype
            name = f"a{self.names}"
            self.names += 1
            totals.append(name)
            w.line(f"{register_type(dtype)} {name} = {literal(neutral(reduction.operation, dtype), dtype)};")
        vectors = nest.size // width
        per_thread = -(-vectors // size)
        known = steady(nest)
        with w.block():
            if per_thread <= MOST_UNROLLED:
                self._unrolled(nest, width, per_thread, known, totals)
            else:
                w.line("#pragma unroll 4")
                with w.block(f"for ({w.index_type} g = t; g < {vectors}; g += {size})"):
                    self._vector(nest, width, known, totals)
        self.hazards.note(touched)
        if totals:
            self._reduce(nest.reductions, totals)

    def _unrolled(
        self, nest: Nest, width: int, per_thread: int, known: Sequence[Load | Store], totals: Sequence[str]
    ) -> None:
        """Unrolls the loop over a thread's vectors: each vector has its own registers, and all loads come first."""
        w = self.w
        budget = _LOADED_BYTES
        fresh: list[tuple[Load, str]] = []
        for access in known:
            if access in self.cache.names:
                name = self.cache.names[access]
                if isinstance(access, Load) and access in self.cache.first:
                    fresh.append((access, name))
                w.given[access] = f"{name}[j].at[{'v' if width > 1 else 0}]"
                continue
            nbytes = per_thread * width * access.parameter.dtype.itemsize
            early = isinstance(access, Load) and (width == 1 or is_aligned(access, nest, width))
            early = early and not self._is_uniform(access)
            if early and isinstance(access, Load) and per_thread > 1 and nbytes <= budget:
                budget -= nbytes
                name = f"l{len(fresh)}"
                w.line(f"{vector(access, width)} {name}[{per_thread}];")
                fresh.append((access, name))
                w.given[access] = f"{name}[j].at[{'v' if width > 1 else 0}]"
        head = f"for (int j = 0; j < {per_thread}; ++j)"
        if fresh:
            w.line("#pragma unroll")
            with w.block(head):
                self._indices(nest, width, per_thread)
                close = self._guard(nest, width, per_thread)
                for load, name in fresh:
                    emit_vector_load(w, load, f"{name}[j]", width, declare=False)
                self._close(close)
        w.line("#pragma unroll")
        with w.block(head):
            self._indices(nest, width, per_thread)
            close = self._guard(nest, width, per_thread)
            self._step(nest, width, known, totals)
            self._close(close)
        for access in known:
            w.given.pop(access, None)

    def _is_uniform(self, access: Load | Store) -> bool:
        """Whether all groups read the same elements, which are then in a cache, and no store can change them."""
        own = {level.index for level in self.plan.levels if level.extent > 1}
        plain = access.parameter.role == "input" and not access.dynamic and bool(own)
        return plain and not is_overwritten(access.parameter, self.kernel) and own.isdisjoint(
            index for index, _ in access.at.terms)

    def _vector(self, nest: Nest, width: int, known: Sequence[Load | Store], totals: Sequence[str]) -> None:
        self._indices(nest, width, 0)
        close = self._guard(nest, width, 0)
        self._step(nest, width, known, totals)
        self._close(close)

    def _indices(self, nest: Nest, width: int, per_thread: int) -> None:
        """The indices of a vector's first element; `per_thread` is 0 where a loop declares `g`."""
        if per_thread:
            self.w.line(f"const {self.w.index_type} g = {f'j * {self.plan.size} + t' if per_thread > 1 else 't'};")
        self.indices(nest, width)

    def _guard(self, nest: Nest, width: int, per_thread: int) -> int:
        """Opens a block for the iterations that take place, where some do not; the number of open blocks."""
        vectors = nest.size // width
        conditions = [f"g < {vectors}"] if per_thread and vectors < per_thread * self.plan.size else []
        conditions += [self.w.condition(level.until) for level in nest.levels if level.until is not None]
        if not conditions:
            return 0
        self.w.line(f"if ({' && '.join(conditions)}) {{")
        self.w.depth += 1
        return 1

    def _close(self, blocks: int) -> None:
        for _ in range(blocks):
            self.w.depth -= 1
            self.w.line("}")

    def _step(self, nest: Nest, width: int, known: Sequence[Load | Store], totals: Sequence[str]) -> None:
        w = self.w
        vectors = [a for a in known if width > 1 and is_aligned(a, nest, width) and not (
            isinstance(a, Load) and a in w.given)]
        own = [a for a in vectors if not (isinstance(a, Store) and a in self.cache.dropped)]
        terms = [_Term(r, name) for r, name in zip(nest.reductions, totals, strict=True)]
        if width > 1:
            _vector_step(w, nest, width, own, terms)
        else:
            w.statements(nest.statements)
            for term in terms:
                w.accumulate(term.reduction.operation, term.reduction.result, term.reduction.contribution, term.name)
        self._write_through(nest, width)

    def _write_through(self, nest: Nest, width: int) -> None:
        """Stores to memory of cached elements that others read."""
        w = self.w
        for access in nest.statements:
            if isinstance(access, Store) and access in self.cache.names and access not in self.cache.dropped:
                name = f"{self.cache.names[access]}[j]"
                w.line(f"*({vector(access, width)}*)&{w.element(access)} = {name};")

    def _reduce(self, reductions: Sequence[Reduction], totals: Sequence[str]) -> None:
        """Reduces the threads' partial sums to one sum, which all threads then know."""
        w, size = self.w, self.plan.size
        self.summed.update(r.result.dtype for r in reductions)
        pairs = list(zip(reductions, totals, strict=True))
        for reduction, name in pairs:
            dtype, width = reduction.result.dtype, min(size, WARP)
            for line in warp_reduce(reduction.operation, dtype, name, width, self.mask, to_all=size <= WARP):
                w.line(line)
        if size > WARP:
            slots = []
            for number, (reduction, _) in enumerate(pairs):
                kind = register_type(reduction.result.dtype)
                key = kind, 2 * number + self.reduced % 2
                slots.append(self.slots.setdefault(key, f"sums{len(self.slots)}"))
            self.reduced += 1
            self.touch([(slot, True, MANY) for slot in slots])
            with w.block(f"if (t % {WARP} == 0)"):
                for slot, (_, name) in zip(slots, pairs, strict=True):
                    w.line(f"{slot}[t / {WARP}] = {name};")
            self.barrier()
            for slot, (reduction, name) in zip(slots, pairs, strict=True):
                w.line(f"{name} = {slot}[t % {size // WARP}];")
                for line in warp_reduce(reduction.operation, reduction.result.dtype, name, size // WARP, self.mask):
                    w.line(line)
            self.hazards.note([(slot, False, ALL) for slot in slots])
        for reduction, name in pairs:
            dtype = reduction.result.dtype
            w.declare(reduction.result, combined(reduction.operation, dtype, w.scalar(reduction.initial), name))


@dataclass(frozen=True, slots=True)
class _Term:
    reduction: Reduction
    name: str


def _vector_step(
    w: Writer, nest: Nest, width: int, vectors: Sequence[Load | Store], terms: Sequence[_Term]
) -> None:
    def after() -> None:
        for term in terms:
            w.accumulate(term.reduction.operation, term.reduction.result, term.reduction.contribution, term.name)

    step(w, nest.statements, nest.levels[-1].index, width, vectors, after=after)
