"""Kernels in which each iteration is computed by one thread."""

from __future__ import annotations

from functools import partial

from olympus_core.toolkit.loops import Kernel

from .access_analysis import is_aligned, steady
from .functions import storage_type
from .nests import Nest, Nests, loops_of
from .prefetch import emit_prefetched_loop, prefetched_loads
from .schedule import PerThreadPlan
from .vectors import step
from .writer import Writer


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


def emit_indices(writer: Writer, plan: PerThreadPlan) -> None:
    """Writes the loop indices of thread `t`, and the statements of the outer loops."""
    counts = [level.extent for level in plan.levels]
    if counts:
        counts[-1] = -(-counts[-1] // plan.width)
    below = 1
    found: list[str] = []
    for number in reversed(range(len(counts))):
        index = "t" if below == 1 else f"t / {below}"
        below *= counts[number]
        if counts[number] == 1:
            index = "0"
        elif below < plan.threads:
            index = f"{index} % {counts[number]}"
        found.append(index)
    for level, index in zip(plan.levels, reversed(found), strict=True):
        scale = f" * {plan.width}" if level is plan.levels[-1] and plan.width > 1 else ""
        name = writer.index(level.index)
        writer.line(f"const {writer.index_type} {name} = ({writer.index_type})({index}){scale};")
        if level.until is not None:
            writer.line(f"if (!({writer.condition(level.until)})) return;")
        writer.statements(level.held)


def _scratch(writer: Writer, kernel: Kernel, plan: PerThreadPlan) -> int:
    """Declares scratch memory of each thread; returns the bytes of all threads together."""
    nbytes = 0
    for parameter in kernel.parameters:
        if parameter.role == "local":
            name, kind = writer.parameters[parameter], storage_type(parameter.dtype)
            writer.line(f"{kind}* const {name} = ({kind}*)(scratch + {nbytes}ull) + t * {parameter.size}ull;")
            nbytes += -(-parameter.size * parameter.dtype.itemsize * plan.threads // 16) * 16
    return nbytes
