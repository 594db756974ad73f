# SPDX-License-Identifier: Apache-2.0
"""Reductions over columns: neighbouring threads take neighbouring iterations, and several threads share each sum."""

from __future__ import annotations

import numpy as np

from olympus_core.toolkit.c_text import Nest, Writer, emit_indices, neutral
from olympus_core.toolkit.loops import Loop, Store

from .functions import register_type
from .language import combined, literal
from .schedule import SIDE, ColumnReductionPlan


def emit_column_reduction(writer: Writer, plan: ColumnReductionPlan) -> dict[tuple[str, int], str]:
    """Writes a function whose block computes `SIDE` iterations by `plan.split` threads each.

    Returns:
        The names of shared memory for partial sums, by the register's type and a number.
    """
    flat, w = plan.flat, writer
    unsigned = "unsigned long long" if flat.is_wide else "unsigned int"
    w.line(f"const int x = threadIdx.x % {SIDE}, y = threadIdx.x / {SIDE};")
    w.line(f"const {unsigned} mine = ({unsigned})blockIdx.x * {SIDE} + x;")
    # All threads have to reach the barriers: those beyond the last iteration repeat its sums.
    w.line(f"const {unsigned} t = mine < {flat.threads} ? mine : {flat.threads - 1};")
    emit_indices(w, flat)
    slots: dict[tuple[str, int], str] = {}
    last = max(i for i, s in enumerate(flat.body) if isinstance(s, Loop))
    reduced = 0
    for i, statement in enumerate(flat.body):
        if isinstance(statement, Loop):
            _shared_sum(w, plan, plan.nests[id(statement)], slots, reduced)
            reduced += 1
            if i == last:
                w.line(f"if (y != 0 || mine >= {flat.threads}) return;")
        elif isinstance(statement, Store):
            w.store(statement)
        else:
            w.pure(statement)
    return slots


def _shared_sum(
    w: Writer, plan: ColumnReductionPlan, nest: Nest, slots: dict[tuple[str, int], str], reduced: int
) -> None:
    """Writes the `reduced`-th reduction; consecutive ones alternate between two sets of slots."""
    names = [f"a{reduced}_{number}" for number in range(len(nest.reductions))]
    for reduction, name in zip(nest.reductions, names, strict=True):
        dtype = np.dtype(reduction.result.dtype)
        w.line(f"{register_type(dtype)} {name} = {literal(neutral(reduction.operation, dtype), dtype)};")
    w.line("#pragma unroll 8")
    with w.block(f"for ({w.index_type} g = y; g < {nest.size}; g += {plan.split})"):
        below = 1
        for number, level in reversed(list(enumerate(nest.levels))):
            index = "g" if below == 1 else f"g / {below}"
            below *= level.extent
            index = index if number == 0 else f"{index} % {level.extent}"
            w.line(f"const {w.index_type} {w.index(level.index)} = {index};")
        limits = [w.condition(level.until) for level in nest.levels if level.until is not None]
        if limits:
            w.line(f"if (!({' && '.join(limits)})) continue;")
        w.statements(nest.statements)
        for reduction, name in zip(nest.reductions, names, strict=True):
            w.accumulate(reduction.operation, reduction.result, reduction.contribution, name)
    for number, (reduction, name) in enumerate(zip(nest.reductions, names, strict=True)):
        key = register_type(reduction.result.dtype), 2 * number + reduced % 2
        slot = slots.setdefault(key, f"sums{len(slots)}")
        w.line(f"{slot}[threadIdx.x] = {name};")
    w.line("__syncthreads();")
    for number, (reduction, name) in enumerate(zip(nest.reductions, names, strict=True)):
        dtype = reduction.result.dtype
        slot = slots[register_type(dtype), 2 * number + reduced % 2]
        w.line(f"{name} = {slot}[x];")
        other = f"{slot}[k * {SIDE} + x]"
        w.line("#pragma unroll")
        w.line(f"for (int k = 1; k < {plan.split}; ++k) "
               f"{name} = {combined(reduction.operation, dtype, name, other, rounded=False)};")
        w.declare(reduction.result, combined(reduction.operation, dtype, w.scalar(reduction.initial), name))
