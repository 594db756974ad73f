# SPDX-License-Identifier: Apache-2.0
"""The steps of a plan: kernels, operations that stay what they are, and views."""

from __future__ import annotations

from olympus_core.dataclass import dataclass
from olympus_core.program import Operation, Value

from ..loops import Kernel


@dataclass(frozen=True, slots=True, eq=False)
class KernelStep:
    """A kernel to be run.

    Args:
        kernel: The kernel.
        inputs: What its inputs hold.
        outputs: What its outputs hold afterwards.
        reusable: Pairs (input, output) where the output may be written into the input's buffer: nothing reads the
            input later, and the kernel reads each element before it writes over it. Whether the buffer may be written
            at all, and whether the platform's own operations have handed it to someone else, the caller knows.
        updating: Where the output is a copy of an input before some of it is updated: the updates, with the kernel's
            parameters. It is to be run instead of the kernel where the output lies over an input, as `reusable` allows.
        filling: Where it takes long to give an output what it is before the updates: does that. Where the output is
            memory of its own, it and then `updating` are to be run instead of the kernel, each with many threads.
    """

    kernel: Kernel
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    reusable: tuple[tuple[int, int], ...] = ()
    updating: Kernel | None = None
    filling: Kernel | None = None


@dataclass(frozen=True, slots=True, eq=False)
class OperationStep:
    """An operation for the platform's table, or for a step of the platform's own."""

    operation: Operation


@dataclass(frozen=True, slots=True, eq=False)
class ViewStep:
    """The same bytes in another shape, or as elements of another type."""

    result: Value
    source: Value


Step = KernelStep | OperationStep | ViewStep
