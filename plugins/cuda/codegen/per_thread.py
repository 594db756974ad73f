# SPDX-License-Identifier: Apache-2.0
"""Kernels in which each iteration is computed by one thread."""

from __future__ import annotations

from functools import partial

from olympus_core.toolkit.c_text import Nest, Nests, PerThreadPlan, Writer, emit_indices, is_aligned, loops_of, steady
from olympus_core.toolkit.loops import Kernel

from .functions import storage_type
from .prefetch import emit_prefetched_loop, prefetched_loads
from .vectors import step


def emit_per_thread(writer: Writer, kernel: Kernel, plan: PerThreadPlan) -> int:
    """Writes a function whose threads compute one iteration, or one vector of iterations, each.

    Returns:
        The bytes of scratch memory that it needs.
    """
    unsigned = "unsigned long long" if plan.is_wide else "unsigned int"
    writer.line(f"const {unsigned} t = ({unsigned})blockIdx.x * {plan.block} + threadIdx.x;")
    if plan.threads % plan.block:
        writer.line(f"if (t >= {plan.threads}) return;")
    emit_indices(writer, plan)
    nests = Nests(kernel)
    for loop in loops_of(plan.body):
        loads = prefetched_loads(loop, nests)
        if loads:
            writer.loop_emitters[id(loop)] = partial(emit_prefetched_loop, writer, loads)
    scratch = _scratch(writer, kernel, plan)
    if plan.width == 1:
        writer.statements(plan.body)
        return scratch
    last, width = plan.levels[-1], plan.width
    nest = Nest((last,), plan.body)
    vectors = [a for a in steady(nest) if is_aligned(a, nest, width)]
    if last.extent % width == 0:
        step(writer, plan.body, last.index, width, vectors)
        return scratch
    first = writer.index(last.index)
    with writer.block(f"if ({first} + {width} <= {last.extent})"):
        step(writer, plan.body, last.index, width, vectors)
    with writer.block("else"):
        rest = f"{first}_"
        with writer.block(f"for ({writer.index_type} {rest} = {first}; {rest} < {last.extent}; ++{rest})"):
            writer.indices[last.index] = rest
            writer.statements(plan.body)
            writer.indices[last.index] = first
    return scratch


def _scratch(writer: Writer, kernel: Kernel, plan: PerThreadPlan) -> int:
    """Declares scratch memory of each thread; returns the bytes of all threads together."""
    nbytes = 0
    for parameter in kernel.parameters:
        if parameter.role == "local":
            name, kind = writer.parameters[parameter], storage_type(parameter.dtype)
            writer.line(f"{kind}* const {name} = ({kind}*)(scratch + {nbytes}ull) + t * {parameter.size}ull;")
            nbytes += -(-parameter.size * parameter.dtype.itemsize * plan.threads // 16) * 16
    return nbytes
