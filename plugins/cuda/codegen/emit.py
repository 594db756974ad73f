# SPDX-License-Identifier: Apache-2.0
"""Emission: the text of a module from kernels."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from olympus_core.toolkit.c_text import Writer, is_overwritten
from olympus_core.toolkit.loops import Kernel, Parameter

from .column_reduction import emit_column_reduction
from .cooperative import CooperativeWriter
from .functions import mentioned, needed, storage_type
from .language import CUDA
from .module import Launch, Module
from .per_thread import emit_per_thread
from .schedule import ColumnReductionPlan, CooperativePlan, Plan, schedule
from .target import Target
from .vectors import VECTOR
from .warp_primitives import shuffle_functions


def emit_module(kernels: Iterable[tuple[Kernel, str]], target: Target = Target()) -> Module:  # noqa: B008 (frozen)
    """Emits kernels as CUDA C++.

    Args:
        kernels: The kernels, each with the name of its function.
        target: The GPU that they are compiled for.

    Returns:
        The text, which depends on the kernels and the target alone, and the launches of each kernel.

    Example:
        >>> from olympus_core.toolkit.loops import Affine, Index, Load, Loop, Parameter, Scalar, Store
        >>> i, x, f32 = Index("i"), Scalar(np.dtype("f4")), np.dtype("f4")
        >>> a, b = Parameter("a", f32, 8, "input"), Parameter("b", f32, 8, "output")
        >>> body = (Load(x, a, Affine.of(i)), Store(b, Affine.of(i), x))
        >>> module = emit_module([(Kernel("copy", (a, b), Loop(i, 8, "lanes", body)), "copy")])
        >>> module.launches["copy"]
        (Launch(function='copy', grid=1, block=32, shared=0, scratch=0),)
    """
    texts: list[str] = []
    launches: dict[str, tuple[Launch, ...]] = {}
    summed: set[np.dtype] = set()
    for kernel, name in kernels:
        made: list[Launch] = []
        for number, (part, plan) in enumerate(schedule(kernel, target)):
            function = name if number == 0 else f"{name}_{number}"
            text, launch, types = _function(kernel, part, plan, function)
            texts.append(text)
            made.append(launch)
            summed |= types
        launches[name] = tuple(made)
    own = shuffle_functions(summed)
    body = own + "\n".join(texts)
    head = needed(mentioned(body))
    if "olympus_vector<" in body:
        head = VECTOR + "\n" + head
    return Module(head + body, launches)


def _function(whole: Kernel, kernel: Kernel, plan: Plan, name: str) -> tuple[str, Launch, set[np.dtype]]:
    parameters = {p: f"p{i}" for i, p in enumerate(kernel.parameters)}
    is_wide = plan.flat.is_wide if isinstance(plan, ColumnReductionPlan) else plan.is_wide
    writer = Writer(CUDA, parameters, "long long" if is_wide else "int")
    scratch, summed = 0, set[np.dtype]()
    shared: list[str] = []
    if isinstance(plan, CooperativePlan):
        group = CooperativeWriter(writer, kernel, plan)
        group.emit()
        scratch, summed = group.layout.scratch * plan.rows, group.summed
        shared = [f"    __shared__ {kind} {slot}[32];" for (kind, _), slot in group.slots.items()]
        shared += [f"    __shared__ {declared};" for declared in group.shared]
    elif isinstance(plan, ColumnReductionPlan):
        slots = emit_column_reduction(writer, plan)
        shared = [f"    __shared__ {kind} {slot}[{plan.block}];" for (kind, _), slot in slots.items()]
    else:
        scratch = emit_per_thread(writer, kernel, plan)
    arguments = [_declared(p, kernel, parameters[p]) for p in kernel.arguments if p in whole.parameters]
    for parameter in kernel.parameters:
        if parameter not in whole.parameters:  # passed from one launch to the next
            kind = storage_type(parameter.dtype)
            shared.insert(0, f"    {kind}* const {parameters[parameter]} = ({kind}*)(scratch + {scratch}ull);")
            scratch += -(-parameter.size * parameter.dtype.itemsize // 256) * 256
    if scratch:
        arguments.append("unsigned char* scratch")
    head = (f"// {kernel.name}\nextern \"C\" __global__ void __launch_bounds__({plan.block})\n"
            f"{name}({', '.join(arguments)}) {{\n")
    text = head + "\n".join([*shared, *writer.lines]) + "\n}\n"
    return text, Launch(name, plan.grid, plan.block, 0, scratch), summed


def _declared(parameter: Parameter, kernel: Kernel, name: str) -> str:
    """A pointer parameter; `__restrict__` for an input that no output may alias."""
    kind = storage_type(parameter.dtype)
    if parameter.role != "input":
        return f"{kind}* {name}"
    return f"const {kind}* {'' if is_overwritten(parameter, kernel) else '__restrict__ '}{name}"
