# SPDX-License-Identifier: Apache-2.0
"""Memory of other libraries of the process, such as PyTorch and CuPy, as allocations."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from olympus_core.program import ArrayType

from .dlpack import TakenTensor
from .memory import ALIGNMENT, Allocation, ForeignAllocation, StreamContext
from .products.copies import copy_module
from .products.work_steps import BufferSlice, KernelLaunchStep

if TYPE_CHECKING:
    from .compiled.code import CodeStore

_VERSION = (1, 1)  # of DLPack, the newest that is understood


def imported(
    value: Any, context: StreamContext, code: CodeStore, copy: bool | None
) -> tuple[Allocation, ArrayType]:
    """The memory that a value exports, in the order of a stream.

    The exporting library makes the stream wait for its own work, as DLPack's protocol asks of it.

    Args:
        value: An array of another library, on the stream's GPU.
        context: The stream.
        code: Compiles the kernel that copies.
        copy: True copies it; False refuses that; None copies what kernels cannot use as it lies: elements that are not
            one behind the other, or that begin at no multiple of 256 bytes.

    Raises:
        BufferError: If it would have to be copied and may not, or is not exported.
    """
    gpu = context.gpu
    with gpu.using(context.ordinal):
        tensor = TakenTensor(_capsule(value, context.stream.ptr))
        with context.lock:
            context.ticks += 1  # other streams have to wait for what this one waits for now
    type_ = ArrayType(tensor.shape, tensor.dtype)
    if not type_.size:
        return context.allocate(0), type_
    lent = ForeignAllocation(tensor, type_.nbytes, context)
    is_usable = tensor.is_row_major() and tensor.pointer % ALIGNMENT == 0
    if is_usable and not copy:
        return lent, type_
    if copy is False:
        raise BufferError("its elements are not one behind the other" if not tensor.is_row_major() else
                          f"it does not begin at a multiple of {ALIGNMENT} bytes")
    if tensor.is_row_major():
        return lent.copied_to(context), type_
    if any(stride < 0 for stride in tensor.strides):
        raise BufferError("an index of it runs backwards")
    return _gathered(tensor, type_, context, code, lent), type_


def _gathered(
    tensor: TakenTensor, type_: ArrayType, context: StreamContext, code: CodeStore, lent: ForeignAllocation
) -> Allocation:
    """A copy with the elements one behind the other."""
    parts = list(zip(tensor.shape, tensor.strides, strict=True))
    written = partial(copy_module, type_.dtype, type_.dtype, parts)
    step = KernelLaunchStep(written, (BufferSlice(0), BufferSlice(1)))
    ready, target = step.prepare(context.gpu, context.ordinal, code), context.allocate(type_.nbytes)
    with context.gpu.using(context.ordinal), context.lock:
        ready(context.stream, [lent.ptr, target.ptr])
        context.ticks += 1
    return target


def _capsule(value: Any, stream: int) -> Any:
    try:
        return value.__dlpack__(stream=stream, max_version=_VERSION)
    except TypeError:  # a library that does not know version 1
        return value.__dlpack__(stream=stream)
