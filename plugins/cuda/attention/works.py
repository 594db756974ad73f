# SPDX-License-Identifier: Apache-2.0
"""The works of attention: `olympus.nn` names these operations in programs for CUDA."""

from __future__ import annotations

from functools import partial

from olympus_core.errors import OlympusInternalError
from olympus_core.program import Operation
from olympus_core.toolkit import Kernel, KernelFactory

from ..products.work_steps import BufferSlice, KernelLaunchStep, ProductWork, Variant
from .backward import keys_module, queries_module
from .forward import forward_module
from .shapes import shape_of

ATTENTION, GRADIENT = "fused_attention", "fused_attention_gradient"


def attention_work(operation: Operation) -> ProductWork:
    """The work of an attention, forwards."""
    count = len(operation.operands) + len(operation.results)
    step = KernelLaunchStep(partial(forward_module, shape_of(operation)), tuple(map(BufferSlice, range(count))))
    return ProductWork(operation.operands, operation.results, (Variant((step,)),))


def gradient_work(operation: Operation) -> ProductWork:
    """The work of an attention's derivative: first that of the queries, then that of keys and values."""
    shape, count = shape_of(operation), len(operation.operands)
    given = tuple(map(BufferSlice, range(count)))
    c_query, c_key, c_value = (BufferSlice(count + i) for i in range(3))
    return ProductWork(operation.operands, operation.results, (Variant((
        KernelLaunchStep(partial(queries_module, shape), (*given, c_query)),
        KernelLaunchStep(partial(keys_module, shape), (*given, c_key, c_value)))),))


def _on_host(operation: Operation) -> Kernel:
    """The operation by its meaning: of what depends on constants only, which the operation table computes."""
    reference, attributes = operation.record.reference, operation.attributes
    if reference is None:
        raise OlympusInternalError(f"operation {operation.name} has no reference")
    return Kernel(lambda *operands: tuple(reference(operands, attributes)), is_tuple=True)


ON_HOST: dict[str, KernelFactory] = dict.fromkeys((ATTENTION, GRADIENT), _on_host)
