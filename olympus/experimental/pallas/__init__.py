# SPDX-License-Identifier: Apache-2.0
"""Kernels on a grid, in the peer's language: references to blocks, `program_id`, conditions and loops.

    from olympus.experimental import pallas as pl

A kernel becomes an ordinary program, on every platform: each step of the grid is a turn of a loop over references
(decision 0076). So it can be jitted, mapped and differentiated as other functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from olympus_core.deferred import deferred

from ...dynamic_slices import Slice
from .call import pallas_call
from .grid import num_programs, program_id
from .kernels import (
    align_to,
    broadcast_to,
    cdiv,
    debug_check,
    debug_print,
    dot,
    ds,
    dslice,
    empty,
    empty_like,
    empty_ref_like,
    estimate_cost,
    load,
    loop,
    multiple_of,
    next_power_of_2,
    reciprocal,
    run_scoped,
    run_state,
    store,
    strides_from_shape,
    swap,
    when,
    with_scoped,
)
from .refused import (
    core_map,
    delay,
    enable_debug_checks,
    enable_poison_buffers,
    get_global,
    kernel,
    lower_as_mlir,
    pallas_export_experimental,
    select_ref,
    semaphore,
    semaphore_read,
    semaphore_signal,
    semaphore_wait,
)
from .specs import (
    ANY,
    HOST,
    BlockDim,
    Blocked,
    BlockSpec,
    BoundedSlice,
    Buffered,
    CompilerParams,
    CostEstimate,
    Element,
    GridSpec,
    Indirect,
    MemoryRef,
    MemorySpace,
    Squeezed,
    no_block_spec,
    squeezed,
)

if TYPE_CHECKING:
    from . import triton

__all__ = [
    "ANY", "BlockDim", "BlockSpec", "Blocked", "BoundedSlice", "Buffered", "CompilerParams", "CostEstimate", "Element",
    "GridSpec", "HOST", "Indirect", "MemoryRef", "MemorySpace", "Slice", "Squeezed", "align_to", "broadcast_to", "cdiv",
    "core_map", "debug_check", "debug_print", "delay", "dot", "ds", "dslice", "empty", "empty_like", "empty_ref_like",
    "enable_debug_checks", "enable_poison_buffers", "estimate_cost", "get_global", "kernel", "load", "loop",
    "lower_as_mlir", "multiple_of", "next_power_of_2", "no_block_spec", "num_programs", "pallas_call",
    "pallas_export_experimental", "program_id", "reciprocal", "run_scoped", "run_state", "select_ref", "semaphore",
    "semaphore_read", "semaphore_signal", "semaphore_wait", "squeezed", "store", "strides_from_shape", "swap", "triton",
    "when", "with_scoped",
]
__getattr__, __dir__ = deferred(__name__, {"triton": "triton"})  # few kernels were written for it
