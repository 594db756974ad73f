# SPDX-License-Identifier: Apache-2.0
"""The protocol of what a group of steps enqueues beside kernels: library calls and other work in stream order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from olympus_core.program import Value

if TYPE_CHECKING:
    from ..gpu import Gpu, Stream
    from .code import CodeStore


class Enqueue(Protocol):
    """A work that is ready for one GPU."""

    def __call__(self, stream: Stream, addresses: Sequence[int], scratch: int) -> None:
        """Enqueues it; does not wait, and may be captured into a graph.

        Args:
            stream: The stream.
            addresses: Device addresses of its inputs, then of its outputs.
            scratch: The address of `Work.scratch_on` bytes; 0 where there are none.
        """


class Work(Protocol):
    """One unit of work to enqueue; it stands beside `KernelStep` in `KernelGenerator.make`."""

    @property
    def inputs(self) -> tuple[Value, ...]:
        """The values that it reads."""

    @property
    def outputs(self) -> tuple[Value, ...]:
        """The values that it writes: new memory, except where `reusable` permits an input's."""

    @property
    def reusable(self) -> tuple[tuple[int, int], ...]:
        """Pairs (input, output) that may share memory, as in `KernelStep`."""

    def scratch_on(self, gpu: Gpu, ordinal: int) -> int:
        """Bytes of device memory that it needs while it runs on a GPU.

        Args:
            gpu: The driver interface.
            ordinal: The GPU.
        """

    def prepare(self, gpu: Gpu, ordinal: int, code: CodeStore) -> Enqueue:
        """Prepares it for a GPU, once: handles, plans, compiled code.

        Args:
            gpu: The driver interface.
            ordinal: The GPU.
            code: Compiles texts of its own.
        """
