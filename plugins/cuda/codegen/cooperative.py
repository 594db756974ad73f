"""Kernels whose iterations are teams of threads: rows, columns in blocks, tiles."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from olympus_core.toolkit.loops import Kernel, Load, Loop, Parameter, Reduction, Statement, Store

from .access_analysis import ALL, FIRST, MANY, Hazards, Sharing, is_aligned, is_overwritten, owner, steady
from .block_scan import BlockScan
from .functions import register_type, storage_type
from .literals import literal
from .nests import Nest, accesses, neutral
from .register_cache import RegisterCache, kept
from .scans import Scan
from .schedule import SHARED_BYTES, WARP, CooperativePlan
from .vectors import emit_vector_load, step, vector
from .warp_primitives import warp_reduce
from .writer import Writer, combined

MOST_TURNS = 16  # of a nest's threads, up to which every turn is written for registers of its own
_LOADED_BYTES = 128  # of a thread's registers: more would leave room for few blocks at once


@dataclass(slots=True)
class Layout:
    """Where scratch memory lies.

    Args:
        shared: Whether all of it is shared memory.
        scratch: Bytes of global memory for each team.
    """

    shared: bool
    scratch: int


def layout(kernel: Kernel, plan: CooperativePlan, unused: set[Parameter]) -> Layout:
    """Where a kernel's scratch memory lies."""
    sizes = [-(-p.size * p.dtype.itemsize // 16) * 16 for p in kernel.parameters
             if p.role == "local" and p not in unused]
    if sum(sizes) * plan.teams <= SHARED_BYTES:
        return Layout(True, 0)
    return Layout(False, sum(sizes))


class CooperativeWriter:
    """Writes the function of a team plan.

    Args:
        writer: Where the text goes.
        kernel: The kernel.
        plan: How it becomes threads.
    """

    def __init__(self, writer: Writer, kernel: Kernel, plan: CooperativePlan) -> None:
        self.w, self.kernel, self.plan = writer, kernel, plan
        self.hazards = Hazards(kernel)
        self.kept: RegisterCache = kept(kernel, plan, MOST_TURNS)
        self.layout = layout(kernel, plan, self.kept.unused)
        self.summed: set[np.dtype] = set()
        self.slots: dict[tuple[str, int], str] = {}  # register type and turn: the name of shared memory for sums
        self.shared: list[str] = []  # other shared memory
        self.turn = 0
        self.names = 0

    def emit(self) -> None:
        """The function's body."""
        plan, w = self.plan, self.w
        kind = "long long" if plan.is_wide else "int"
        if plan.teams > 1:
            w.line(f"const int t = threadIdx.x % {plan.size};")
            w.line(f"const {kind} row = ({kind})blockIdx.x * {plan.teams} + threadIdx.x / {plan.size};")
            if plan.rows % plan.teams:
                w.line(f"if (row >= {plan.rows}) return;")
        else:
            w.line("const int t = threadIdx.x;")
            w.line(f"const {kind} row = blockIdx.x;")
        self._scratch()
        below = 1
        places: list[str] = []
        for level in reversed(plan.levels):
            place = "row" if below == 1 else f"row / {below}"
            below *= level.extent
            places.append("0" if level.extent == 1 else place if below == plan.rows else f"{place} % {level.extent}")
        for level, place in zip(plan.levels, reversed(places), strict=True):
            w.line(f"const {kind} {w.index(level.index)} = {place};")
            if level.until is not None:
                w.line(f"if (!({w.condition(level.until)})) return;")
            self.statements(level.held)
        for name, type_ in self.kept.arrays:
            w.line(f"{type_} {name};")
        self.statements(plan.body)

    def _scratch(self) -> None:
        plan, w, offset = self.plan, self.w, 0
        for parameter in self.kernel.parameters:
            if parameter.role != "local" or parameter in self.kept.unused:
                continue
            name, kind = w.parameters[parameter], storage_type(parameter.dtype)
            nbytes = -(-parameter.size * parameter.dtype.itemsize // 16) * 16
            if not self.layout.shared:
                place = f"(unsigned long long)row * {self.layout.scratch} + {offset}"
                w.line(f"{kind}* const {name} = ({kind}*)(scratch + {place});")
            elif plan.teams == 1:
                w.line(f"__shared__ __align__(16) {kind} {name}[{parameter.size}];")
            else:
                each = nbytes // parameter.dtype.itemsize
                w.line(f"__shared__ __align__(16) {kind} {name}_all[{each * plan.teams}];")
                w.line(f"{kind}* const {name} = {name}_all + threadIdx.x / {plan.size} * {each};")
            offset += nbytes

    @property
    def mask(self) -> str:
        """The lanes of a warp that belong to the team."""
        if self.plan.size >= WARP:
            return "0xffffffffu"
        return f"({hex((1 << self.plan.size) - 1)}u << (threadIdx.x & {WARP - self.plan.size}))"

    def barrier(self) -> None:
        """All threads of the team meet."""
        if self.plan.size > WARP:
            self.w.line("__syncthreads();")
        elif self.plan.size > 1:
            self.w.line(f"__syncwarp({self.mask});")
        self.hazards.clear()

    def touch(self, touched: Sequence[tuple[Hashable, bool, Hashable]]) -> None:
        """A barrier where accesses ask for one, before they are written."""
        if self.hazards.conflicts(touched):
            self.barrier()
        self.hazards.note(touched)

    def statements(self, statements: Sequence[Statement]) -> None:
        """What all threads of the team do together."""
        for statement in statements:
            if isinstance(statement, Loop):
                shared, running = self.plan.nests.get(id(statement)), self.plan.scans.get(id(statement))
                if shared is not None:
                    self.nest(*shared)
                elif running is not None:
                    self.scan(*running)
                else:
                    self.uniform(statement)
            elif isinstance(statement, Store):
                self.touch([(statement.parameter, True, FIRST)])
                self.w.store(statement, "t == 0")
            else:
                if isinstance(statement, Load):
                    self.touch([(statement.parameter, False, ALL)])
                self.w.pure(statement)

    def uniform(self, loop: Loop) -> None:
        """A loop that all threads go through together."""
        state, length, turn, names = self.hazards.copy(), len(self.w.lines), self.turn, self.names
        self._uniform(loop)
        # The second iteration comes after the first one's end: written again, knowing what that leaves.
        after = self.hazards.copy()
        del self.w.lines[length:]
        self.turn, self.names = turn, names
        self.hazards.restore(state)
        self.hazards.merge(after)
        self._uniform(loop)
        self.hazards.merge(state)

    def _uniform(self, loop: Loop) -> None:
        w = self.w
        for reduction in loop.reductions:
            w.declare(reduction.result, w.start(reduction), const=False)
        for recurrence in loop.recurrences:
            w.declare(recurrence.result, w.scalar(recurrence.initial), const=False)
        with w.block(w.header(loop)):
            for recurrence in loop.recurrences:
                w.declare(recurrence.inside, w.scalar(recurrence.result))
            self.statements(loop.body)
            w.carried(loop)
        w.closed(loop)

    def scan(self, scan: Scan, width: int) -> None:
        """A running sum that the threads share."""
        touched = self._touched(scan.nest, width)
        if self.hazards.conflicts(touched):
            self.barrier()
        self.summed.add(scan.term.dtype)
        BlockScan(self, scan, width, f"warps{self.names}").emit()
        self.names += 1
        self.hazards.note(touched)

    def _touched(self, nest: Nest, width: int) -> list[tuple[Hashable, bool, Hashable]]:
        """The memory that a nest touches, and who does it."""
        sharing = Sharing(self.plan.size, width)
        touched: list[tuple[Hashable, bool, Hashable]] = []
        for access in accesses(nest.statements):
            if access in self.kept.dropped or self.kept.names.get(access) and isinstance(access, Load) and (
                    access not in self.kept.first):
                continue
            who = owner(access, nest, sharing)
            touched.append((access.parameter, isinstance(access, Store), MANY if who is None else who))
        return touched

    def nest(self, nest: Nest, width: int) -> None:
        """Loops whose iterations the threads share."""
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
        groups = nest.size // width
        turns = -(-groups // size)
        known = steady(nest)
        with w.block():
            if turns <= MOST_TURNS:
                self._turns(nest, width, turns, known, totals)
            else:
                w.line("#pragma unroll 4")
                with w.block(f"for ({w.index_type} g = t; g < {groups}; g += {size})"):
                    self._group(nest, width, known, totals)
        self.hazards.note(touched)
        if totals:
            self._reduce(nest.reductions, totals)

    def _turns(
        self, nest: Nest, width: int, turns: int, known: Sequence[Load | Store], totals: Sequence[str]
    ) -> None:
        """A turn after the other, each with registers of its own; all loads come first."""
        w = self.w
        budget = _LOADED_BYTES
        fresh: list[tuple[Load, str]] = []
        for access in known:
            if access in self.kept.names:
                name = self.kept.names[access]
                if isinstance(access, Load) and access in self.kept.first:
                    fresh.append((access, name))
                w.given[access] = f"{name}[j].at[{'v' if width > 1 else 0}]"
                continue
            nbytes = turns * width * access.parameter.dtype.itemsize
            early = isinstance(access, Load) and (width == 1 or is_aligned(access, nest, width))
            early = early and not self._is_shared(access)
            if early and isinstance(access, Load) and turns > 1 and nbytes <= budget:
                budget -= nbytes
                name = f"l{len(fresh)}"
                w.line(f"{vector(access, width)} {name}[{turns}];")
                fresh.append((access, name))
                w.given[access] = f"{name}[j].at[{'v' if width > 1 else 0}]"
        head = f"for (int j = 0; j < {turns}; ++j)"
        if fresh:
            w.line("#pragma unroll")
            with w.block(head):
                self._places(nest, width, turns)
                close = self._guard(nest, width, turns)
                for load, name in fresh:
                    emit_vector_load(w, load, f"{name}[j]", width, declare=False)
                self._close(close)
        w.line("#pragma unroll")
        with w.block(head):
            self._places(nest, width, turns)
            close = self._guard(nest, width, turns)
            self._step(nest, width, known, totals)
            self._close(close)
        for access in known:
            w.given.pop(access, None)

    def _is_shared(self, access: Load | Store) -> bool:
        """Whether all teams read it, so that it is near, and no store keeps the compiler from reading it early."""
        own = {level.index for level in self.plan.levels if level.extent > 1}
        plain = access.parameter.role == "input" and not access.dynamic and bool(own)
        return plain and not is_overwritten(access.parameter, self.kernel) and own.isdisjoint(
            index for index, _ in access.at.terms)

    def _group(self, nest: Nest, width: int, known: Sequence[Load | Store], totals: Sequence[str]) -> None:
        self._places(nest, width, 0)
        close = self._guard(nest, width, 0)
        self._step(nest, width, known, totals)
        self._close(close)

    def _places(self, nest: Nest, width: int, turns: int) -> None:
        """The indices of a turn's first element."""
        if turns:
            self.w.line(f"const {self.w.index_type} g = {f'j * {self.plan.size} + t' if turns > 1 else 't'};")
        self.places(nest, width)

    def places(self, nest: Nest, width: int) -> None:
        """The indices of the first element of vector `g`."""
        w = self.w
        counts = [level.extent for level in nest.levels]
        counts[-1] //= width
        below = 1
        for number, level in reversed(list(enumerate(nest.levels))):
            place = "g" if below == 1 else f"g / {below}"
            below *= counts[number]
            place = place if number == 0 else f"{place} % {counts[number]}"
            scale = f" * {width}" if width > 1 and number == len(counts) - 1 else ""
            name = w.index(level.index)
            w.line(f"const {w.index_type} {name} = {place}{scale};")

    def _guard(self, nest: Nest, width: int, turns: int) -> int:
        """Opens a block for iterations that take place, where some do not; gives the number of blocks."""
        groups = nest.size // width
        conditions = [f"g < {groups}"] if turns and groups < turns * self.plan.size else []
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
        own = [a for a in vectors if not (isinstance(a, Store) and a in self.kept.dropped)]
        terms = [_Term(r, name) for r, name in zip(nest.reductions, totals, strict=True)]
        if width > 1:
            _vector_step(w, nest, width, own, terms)
        else:
            w.statements(nest.statements)
            for term in terms:
                w.accumulate(term.reduction.operation, term.reduction.result, term.reduction.contribution, term.name)
        self._write_through(nest, width, own)

    def _write_through(self, nest: Nest, width: int, own: Sequence[Load | Store]) -> None:
        """What stays in registers and is wanted in memory too."""
        w = self.w
        for access in nest.statements:
            if isinstance(access, Store) and access in self.kept.names and access not in self.kept.dropped:
                name = f"{self.kept.names[access]}[j]"
                w.line(f"*({vector(access, width)}*)&{w.place(access)} = {name};")

    def _reduce(self, reductions: Sequence[Reduction], totals: Sequence[str]) -> None:
        """What every thread has added up becomes one sum, known to all."""
        w, size = self.w, self.plan.size
        self.summed.update(r.result.dtype for r in reductions)
        pairs = list(zip(reductions, totals, strict=True))
        for reduction, name in pairs:
            dtype, width = reduction.result.dtype, min(size, WARP)
            for line in warp_reduce(reduction.operation, dtype, name, width, self.mask, to_all=size <= WARP):
                w.line(line)
        if size > WARP:
            slots = []
            for place, (reduction, _) in enumerate(pairs):
                kind = register_type(reduction.result.dtype)
                key = kind, 2 * place + self.turn % 2
                slots.append(self.slots.setdefault(key, f"sums{len(self.slots)}"))
            self.turn += 1
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
