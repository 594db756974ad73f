# SPDX-License-Identifier: Apache-2.0
"""The result of emission: the text of a module, and the launches of each of its kernels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Launch:
    """How a kernel is launched.

    Args:
        function: The name of its function, which takes one pointer for each input and output, then, where `scratch`
            is not zero, one to that much memory.
        grid: Number of blocks.
        block: Threads of a block.
        shared: Bytes of dynamic shared memory of a block.
        scratch: Bytes of device memory that it needs while it runs. They need no initial content, and keep theirs from
            one launch of a kernel to the next.
    """

    function: str
    grid: int
    block: int
    shared: int = 0
    scratch: int = 0


@dataclass(frozen=True, slots=True)
class Module:
    """Kernels as CUDA C++.

    Args:
        text: The whole source; it includes nothing.
        launches: For each kernel, by its name, the launches that compute it, one after the other in one stream. Each
            takes the kernel's pointers and the same scratch memory.
    """

    text: str
    launches: Mapping[str, tuple[Launch, ...]]
