# SPDX-License-Identifier: Apache-2.0
"""Kernels to LLVM IR: one function for each kernel."""

from __future__ import annotations

from collections.abc import Iterable

from olympus_core.toolkit.loops import Kernel, Parameter

from ..builder import FunctionBuilder, Ir, module_text
from ..target import Target
from .bitwise_moves import with_bitwise_moves
from .hoist import extents_of, hoisted
from .logistic_quotients import with_logistic_quotients
from .loops import LoopEmitter
from .recurrence_distribution import with_distributed_recurrences
from .squared_magnitudes import with_squared_magnitudes
from .state import State
from .storage import storage

ALIGNMENT = 64  # of scratch memory, in bytes
SIGNATURE = (("args", "ptr"), ("lo", "i64"), ("hi", "i64"), ("chunk", "i64"))


def emit_kernel(kernel: Kernel, target: Target, function_name: str) -> str:
    """The text of a module with one function that runs a range of a kernel's outermost loop.

    Args:
        kernel: The kernel; every operation in it must be supported (`supports`).
        target: The machine.
        function_name: The function's name.

    Returns:
        LLVM IR of ``void name(ptr args, i64 lo, i64 hi, i64 chunk)``: `args` is a table of the addresses of the
        kernel's arguments in their order; it runs the iterations from `lo` up to `hi` of the outermost loop.
        An output may alias an input of the same type that is read at the same indices.

    Example:
        >>> import numpy as np
        >>> from olympus_core.toolkit.loops import Affine, Index, Load, Loop, Parameter, Scalar, Store
        >>> f32, i, x = np.dtype("f4"), Index("i"), Scalar(np.dtype("f4"))
        >>> a, b = Parameter("a", f32, 100, "input"), Parameter("b", f32, 100, "output")
        >>> copy = Kernel("copy", (a, b), Loop(i, 100, "lanes", (Load(x, a, Affine.of(i)), Store(b, Affine.of(i), x))))
        >>> "define void @copy" in emit_kernel(copy, Target.named("haswell"), "copy")
        True
    """
    return emit_module([(kernel, function_name)], target)


def emit_module(
    kernels: Iterable[tuple[Kernel, str]], target: Target, granule: int = 1, is_short: bool = False
) -> str:
    """The text of a module with a function for each kernel, as `emit_kernel` makes it.

    Args:
        kernels: Kernels with their functions' names.
        target: The machine.
        granule: If the outermost loop is a lanes loop, the functions are only called with an `lo` that is a multiple of
            this, and a `hi` that is a multiple or the end, which saves code.
        is_short: Whether the code is to compile fast, and may run longer; it gives the same bits.

    Returns:
        LLVM IR.
    """
    return module_text([_function(kernel, target, name, granule, is_short) for kernel, name in kernels])


def _function(kernel: Kernel, target: Target, name: str, granule: int, is_short: bool) -> FunctionBuilder:
    b = FunctionBuilder(target, name, SIGNATURE)
    kernel = with_distributed_recurrences(with_squared_magnitudes(with_bitwise_moves(kernel)))
    before, loop, constants = hoisted(kernel)
    loop = with_logistic_quotients(before, loop, constants)
    state = State(b, extents_of(kernel), constants, _addresses(b, kernel))
    has_locals = any(p.role == "local" for p in kernel.parameters)
    emitter = LoopEmitter(state, target.vector_bits, has_locals, granule, is_short)
    for statement in before:
        emitter.statement(statement)
    emitter.outermost(loop, b.parameter("lo"), b.parameter("hi"))
    if state.has_streamed:
        b.order_streams()
    b.ret()
    return b


def _addresses(b: FunctionBuilder, kernel: Kernel) -> dict[int, Ir]:
    """The addresses of the parameters, by their identity."""
    addresses: dict[int, Ir] = {}
    table = b.parameter("args")
    for i, parameter in enumerate(kernel.arguments):
        addresses[id(parameter)] = b.load(b.gep(table, b.constant(i, "i64", 1), "ptr"), "ptr")
    for parameter in kernel.parameters:
        if parameter.role == "local":
            addresses[id(parameter)] = _local(b, parameter)
    return addresses


def _local(b: FunctionBuilder, parameter: Parameter) -> Ir:
    s = storage(parameter.dtype)
    return b.alloca(s.memory, parameter.size * s.parts, ALIGNMENT)
