"""Kernels in which each iteration is computed by one thread."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from olympus_core.toolkit.loops import Kernel, Load, Store

from .access_analysis import is_aligned, steady
from .functions import storage_type
from .nests import Nest, Nests, loops_of
from .prefetch import emit_prefetched_loop, prefetched_loads
from .schedule import PerThreadPlan
from .vectors import emit_vector_load, step, vector
from .writer import Writer


def emit_per_thread(writer: Writer, kernel: Kernel, plan: PerThreadPlan) -> int:
    """Writes a function whose threads compute one iteration, or one vector of iterations, each.

    Returns:
        The bytes of scratch memory that it needs.
    """
    unsigned = "unsigned long long" if plan.is_wide else "unsigned int"
    if plan.vectors > 1:
        _emit_several_vectors(writer, plan, unsigned)
        return 0
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


def _emit_several_vectors(writer: Writer, plan: PerThreadPlan, unsigned: str) -> None:
    """Writes threads that take several vectors, a block apart, and load all of them before they compute."""
    last, width, w = plan.levels[-1], plan.width, writer
    nest = Nest((last,), plan.body)
    vectors = [a for a in steady(nest) if is_aligned(a, nest, width)]
    loads = [a for a in vectors if isinstance(a, Load)]
    stores = [a for a in vectors if isinstance(a, Store)]

    @contextmanager
    def each_vector() -> Iterator[None]:
        w.line("#pragma unroll")
        with w.block(f"for (int j = 0; j < {plan.vectors}; ++j)"):
            start = f"({unsigned})blockIdx.x * {plan.vectors * plan.block}"
            w.line(f"const {unsigned} t = {start} + j * {plan.block} + threadIdx.x;")
            emit_indices(w, plan)
            if plan.threads % (plan.vectors * plan.block) == 0:
                yield
                return
            with w.block(f"if (t < {plan.threads})"):
                yield

    for number, load in enumerate(loads):
        w.line(f"{vector(load, width)} l{number}[{plan.vectors}];")
    with each_vector():
        for number, load in enumerate(loads):
            emit_vector_load(w, load, f"l{number}[j]", width, declare=False)
            w.given[load] = f"l{number}[j].at[v]"
    with each_vector():
        step(w, plan.body, last.index, width, stores)


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
