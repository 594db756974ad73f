"""Kernels whose iterations are computed by a work-group: loops are divided, sums go through local memory."""

from __future__ import annotations

from collections.abc import Hashable

from olympus_core.toolkit.c_text import MANY, Sharing, ThreadGroup, Writer, accesses, neutral, owner
from olympus_core.toolkit.loops import Kernel, Loop, Parameter, Store

from .schedule import GroupPlan


class WorkGroup(ThreadGroup):
    """Writes the function of a group plan.

    Args:
        writer: Where the text goes.
        kernel: The kernel.
        plan: How it becomes work-items.
        local_bytes: Local memory that its scratch may take; more of it is global memory.
    """

    def __init__(self, writer: Writer, kernel: Kernel, plan: GroupPlan, local_bytes: int) -> None:
        super().__init__(writer, kernel)
        self.plan = plan
        self.slots: dict[tuple[str, int], str] = {}  # by register type and a number, local memory for partial sums
        self.scratch = 0  # bytes of global memory for each group
        self.declared: list[str] = []  # local memory
        self._places(local_bytes)

    def _places(self, local_bytes: int) -> None:
        scratch = [p for p in self.kernel.parameters if p.role == "local"]
        sizes = [-(-p.size * p.dtype.itemsize // 16) * 16 for p in scratch]
        self._global: dict[Parameter, int] = {}
        for parameter, nbytes in zip(scratch, sizes, strict=True):
            if sum(sizes) <= local_bytes:
                kind = self.w.language.storage_type(parameter.dtype)
                self.declared.append(f"local {kind} {self.w.parameters[parameter]}[{parameter.size}]")
            else:
                self._global[parameter] = self.scratch
                self.scratch += nbytes

    def emit(self) -> None:
        """Writes the function's body."""
        w, plan = self.w, self.plan
        w.line("const int t = (int)get_local_id(0);")
        w.line(f"const {w.index_type} row = ({w.index_type})get_group_id(0);")
        for parameter, offset in self._global.items():
            kind, name = w.language.storage_type(parameter.dtype), w.parameters[parameter]
            w.line(f"global {kind}* const {name} = (global {kind}*)(scratch + (ulong)row * {self.scratch} + {offset});")
        self.outer(plan.levels)
        self.statements(plan.body)

    def barrier(self) -> None:
        """Writes a barrier of the group."""
        self.w.line("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);")
        self.hazards.clear()

    def divided(self, loop: Loop) -> bool:
        """Writes a nest of which each work-item takes its share of the iterations."""
        nest = self.plan.nests.get(id(loop))
        if nest is None:
            return False
        w, size, sharing = self.w, self.plan.size, Sharing(self.plan.size, 1)
        touched: list[tuple[Hashable, bool, Hashable]] = []
        for access in accesses(nest.statements):
            who = owner(access, nest, sharing)
            touched.append((access.parameter, isinstance(access, Store), MANY if who is None else who))
        if self.hazards.conflicts(touched):
            self.barrier()
        totals = [f"a{self.names + number}" for number in range(len(nest.reductions))]
        self.names += len(totals)
        for reduction, name in zip(nest.reductions, totals, strict=True):
            dtype = reduction.result.dtype
            start = w.language.literal(neutral(reduction.operation, dtype), dtype)
            w.line(f"{w.language.register_type(dtype)} {name} = {start};")
        with w.block(f"for ({w.index_type} g = t; g < {nest.size}; g += {size})"):
            self.indices(nest, 1)
            limits = [w.condition(level.until) for level in nest.levels if level.until is not None]
            if limits:
                w.line(f"if (!({' && '.join(limits)})) continue;")
            w.statements(nest.statements)
            for reduction, name in zip(nest.reductions, totals, strict=True):
                w.accumulate(reduction.operation, reduction.result, reduction.contribution, name)
        self.hazards.note(touched)
        if totals:
            self._reduce(loop, totals)
        return True

    def _reduce(self, loop: Loop, totals: list[str]) -> None:
        """Partial sums become one, which all work-items then know; consecutive ones alternate between two slots."""
        w, size, slots = self.w, self.plan.size, []
        language = w.language
        reductions = self.plan.nests[id(loop)].reductions
        for number, (reduction, name) in enumerate(zip(reductions, totals, strict=True)):
            kind = language.register_type(reduction.result.dtype)
            slot = self.slots.setdefault((kind, 2 * number + self.reduced % 2), f"sums{len(self.slots)}")
            slots.append(slot)
            w.line(f"{slot}[t] = {name};")
        self.reduced += 1
        distance = size // 2
        while distance:
            self.barrier()
            with w.block(f"if (t < {distance})"):
                for reduction, slot in zip(reductions, slots, strict=True):
                    pair = f"{slot}[t]", f"{slot}[t + {distance}]"
                    value = language.combined(reduction.operation, reduction.result.dtype, *pair, rounded=False)
                    w.line(f"{slot}[t] = {value};")
            distance //= 2
        self.barrier()
        for reduction, slot in zip(reductions, slots, strict=True):
            initial, dtype = w.scalar(reduction.initial), reduction.result.dtype
            w.declare(reduction.result, language.combined(reduction.operation, dtype, initial, f"{slot}[0]"))
