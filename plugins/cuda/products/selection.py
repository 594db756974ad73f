# SPDX-License-Identifier: Apache-2.0
"""Selection of the operations with works of their own: products, convolutions, sorts, scatters, linear algebra."""

from __future__ import annotations

from typing import TYPE_CHECKING

from olympus_core.program import Operation
from olympus_core.toolkit.fusion import lowering_passes
from olympus_core.toolkit.passes import PassList

from ..attention.works import ATTENTION, GRADIENT, attention_work, gradient_work
from ..codegen.options import OPTIONS
from ..codegen.target import supports
from ..compiled.work import Work
from ..linear_algebra.library import has_geev, is_available
from ..linear_algebra.table import linear_algebra_work
from .convolutions import convolution_work
from .dots import dot_work
from .epilogues import EPILOGUES, TF32, epilogue_of, product_of
from .epilogues import NAME as EPILOGUE
from .external_kernels import NAME as EXTERNAL
from .external_kernels import external_kernel_work
from .scatters import NAME as SCATTER
from .scatters import SORTED_SCATTERS, scatter_work
from .small_products import SMALL_PRODUCTS
from .sorts import TOP_K, sort_work

if TYPE_CHECKING:
    from ..gpu import Gpu

# `top_k` and scatters of many updates become sorts, small products sums, and others take on epilogues, before the
# toolkit's passes.
PASSES = PassList(TOP_K, SORTED_SCATTERS, SMALL_PRODUCTS, EPILOGUES, TF32, *lowering_passes(supports, OPTIONS))


def made_step(operation: Operation, gpu: Gpu) -> Work | None:
    """The work of an operation, or None.

    Args:
        operation: The operation.
        gpu: The driver interface, which knows what libraries there are.
    """
    if operation.name == "dot_general":
        return dot_work(operation)
    if operation.name == EPILOGUE:
        product, tf32 = product_of(operation), operation.attributes["tf32"]
        return dot_work(product, epilogue_of(operation), operation.operands, tf32)
    if operation.name == ATTENTION:
        return attention_work(operation)
    if operation.name == GRADIENT:
        return gradient_work(operation)
    if operation.name == EXTERNAL:
        return external_kernel_work(operation)
    if operation.name == "convolution":
        return convolution_work(operation)
    if operation.name == "sort":
        return sort_work(operation)
    if operation.name == SCATTER:
        return scatter_work(operation)
    if operation.record.category == "linear_algebra" and is_available(gpu):
        return linear_algebra_work(operation, has_geev(gpu))
    return None


def made_sum(operation: Operation, count: int) -> Work | None:
    """The sum of products of `count` devices as one work: always None, since adding up their results is faster."""
    return None
