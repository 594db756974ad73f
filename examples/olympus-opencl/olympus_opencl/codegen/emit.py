"""Emission: the text of a module from kernels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from olympus_core.toolkit.c_text import PerThreadPlan, Writer, emit_indices, is_overwritten, loops_of
from olympus_core.toolkit.loops import Kernel, Parameter

from ..devices import Target
from .declarations import halved
from .functions import needed
from .group import WorkGroup
from .language import OPENCL
from .schedule import scheduled
from .vectors import emit_vector_sum, emit_vectors, is_vector_sum

HEAD = "#pragma OPENCL FP_CONTRACT OFF\n#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#endif\n"
_KERNEL = "kernel __attribute__((reqd_work_group_size({}, 1, 1)))"


@dataclass(frozen=True, slots=True)
class Launch:
    """How a kernel is launched.

    Args:
        function: The name of its function, which takes a pointer for each argument and, where `scratch` is not zero,
            one to that much memory.
        grid: Number of work-groups.
        block: Work-items of a group.
        scratch: Bytes of device memory that it needs while it runs.
        number: Its number where the function is one for several kernels: the last argument.
    """

    function: str
    grid: int
    block: int
    scratch: int = 0
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Module:
    """Kernels as OpenCL C.

    Args:
        text: The source.
        launches: The launch of each kernel, by its name.
    """

    text: str
    launches: Mapping[str, Launch]


def emit_module(kernels: Iterable[tuple[Kernel, str]], target: Target) -> Module:
    """Emits kernels, each with the name of its function; the text depends on them and the target alone.

    Example:
        >>> import numpy as np
        >>> from olympus_core.toolkit.loops import Affine, Index, Load, Loop, Scalar, Store
        >>> i, x, i32 = Index("i"), Scalar(np.dtype("i4")), np.dtype("i4")
        >>> a, b = Parameter("a", i32, 8, "input"), Parameter("b", i32, 8, "output")
        >>> body = (Load(x, a, Affine.of(i)), Store(b, Affine.of(i), x))
        >>> target = Target("a GPU", frozenset(), False, False, 4, 256, 32768)
        >>> emit_module([(Kernel("copy", (a, b), Loop(i, 8, "lanes", body)), "copy")], target).launches["copy"]
        Launch(function='copy', grid=2, block=1, scratch=0, number=None)
    """
    written = [_function(kernel, name, target) for kernel, name in kernels]
    launches = {launch.function: launch for _, _, launch in written}
    # Drivers for processors compile one function much sooner than several.
    joined = written if target.is_cpu and len(written) > 1 else []
    texts = [f"{'inline' if joined else _KERNEL.format(f[2].block)} {f[0]}" for f in written]
    if joined:
        names = [f"p{i}" for i in range(max(count for _, count, _ in joined))]
        cases = [f"    case {i}: {launch.function}({', '.join(names[:count])}); break;\n"
                 for i, (_, count, launch) in enumerate(joined)]
        arguments = "".join(f"global void* {name}, " for name in names)
        texts.append(f"{_KERNEL.format(1)} void joined({arguments}const int number) {{\n"
                     f"    switch (number) {{\n{''.join(cases)}    }}\n}}\n")
        launches |= {launch.function: replace(launch, function="joined", number=i)
                     for i, (_, _, launch) in enumerate(joined)}
    body = "\n".join(texts)
    functions = needed(body)
    functions = (halved(functions + body) if target.widest < 16 else "") + functions
    unaligned = "".join(f"typedef {name} {name}u __attribute__((aligned({1 if name[:2] == 'uc' else 4})));\n"
                        for name in sorted(set(re.findall(r"\*\(global (?:const )?(\w+)u\*\)", body))))
    return Module(HEAD + unaligned + functions + body, launches)


def _function(kernel: Kernel, name: str, target: Target) -> tuple[str, int, Launch]:
    """The text of a function, the number of its arguments, and how it is launched."""
    parameters = {p: f"p{i}" for i, p in enumerate(kernel.parameters)}
    plan = scheduled(kernel, target)
    writer = Writer(OPENCL, parameters, "long" if plan.is_wide else "int")
    local: list[str] = []
    if isinstance(plan, PerThreadPlan):
        scratch, grid, block = _per_thread(writer, kernel, plan, target), plan.grid, 1 if target.is_cpu else plan.block
    else:
        group = WorkGroup(writer, kernel, plan, target.local_bytes // 2)
        group.emit()
        scratch, grid, block = group.scratch * plan.rows, plan.rows, plan.size
        # Truth values are bytes there.
        local = [f"local {kind.replace('bool', 'uchar')} {slot}[{block}]" for (kind, _), slot in group.slots.items()]
        local += group.declared
    arguments = [_declared(p, kernel, parameters[p]) for p in kernel.arguments]
    arguments += ["global uchar* scratch"] if scratch else []
    head = f"void {name}({', '.join(arguments)}) {{  // {kernel.name}\n"
    text = head + "\n".join([*(f"    {line};" for line in local), *writer.lines]) + "\n}\n"
    return text, len(arguments), Launch(name, grid, block, scratch)


def _per_thread(writer: Writer, kernel: Kernel, plan: PerThreadPlan, target: Target) -> int:
    """Writes a function whose work-items compute one iteration, or one vector of them; gives its scratch memory."""
    unsigned, is_whole = "ulong" if plan.is_wide else "uint", plan.threads % plan.block == 0
    first = f"({unsigned})get_group_id(0) * {plan.block}"
    if target.is_cpu and plan.block > 1:  # one work-item loops over them: drivers compile that sooner than a group
        end = f"first + {plan.block}"
        end = end if is_whole else f"{end} < {plan.threads} ? {end} : {plan.threads}"
        writer.line(f"const {unsigned} first = {first}, end = {end};")
        with writer.block(f"for ({unsigned} t = first; t < end; ++t)"):
            return _iteration(writer, kernel, plan, target, "continue")
    writer.line(f"const {unsigned} t = {first} + ({unsigned})get_local_id(0);")
    if not is_whole:
        writer.line(f"if (t >= {plan.threads}) return;")
    return _iteration(writer, kernel, plan, target, "return")


def _iteration(writer: Writer, kernel: Kernel, plan: PerThreadPlan, target: Target, leave: str) -> int:
    """Writes iteration `t`; gives the scratch memory of all."""
    emit_indices(writer, plan, leave)
    nbytes = 0
    for parameter in kernel.parameters:
        if parameter.role == "local":
            name, kind = writer.parameters[parameter], writer.language.storage_type(parameter.dtype)
            place = f"(global {kind}*)(scratch + {nbytes}UL) + (ulong)t * {parameter.size}"
            writer.line(f"global {kind}* const {name} = {place};")
            nbytes += -(-parameter.size * parameter.dtype.itemsize * plan.threads // 16) * 16
    if plan.width > 1:
        emit_vectors(writer, plan, target)
    else:
        if target.is_cpu and not plan.is_wide:
            for loop in loops_of(plan.body):
                if is_vector_sum(loop):
                    writer.loop_emitters[id(loop)] = partial(emit_vector_sum, writer, target)
        writer.statements(plan.body)
    return nbytes


def _declared(parameter: Parameter, kernel: Kernel, name: str) -> str:
    """A pointer parameter; `restrict` for an input that no output may alias."""
    kind = OPENCL.storage_type(parameter.dtype)
    if parameter.role != "input":
        return f"global {kind}* {name}"
    return f"global const {kind}* {'' if is_overwritten(parameter, kernel) else 'restrict '}{name}"
