# SPDX-License-Identifier: Apache-2.0
"""What a platform declares that it can do: declared means tested, undeclared means refused before running."""

from __future__ import annotations

import numpy as np

from olympus_core.dataclass import public_dataclass


@public_dataclass(frozen=True, slots=True)
class Capabilities:
    """The optional abilities of a client.

    Args:
        dtypes: The element types that buffers may have.
        operations: Names of the operations that `compile` takes; None for the whole set.
        donation: `execute` may reuse the buffers of donated inputs.
        asynchronous: `execute` may return before its outputs are ready.
        multi_process: `open_communicator` works over several processes.
        dlpack: Buffers have ``__dlpack__``.
    """

    dtypes: frozenset[np.dtype]
    operations: frozenset[str] | None = None
    donation: bool = False
    asynchronous: bool = False
    multi_process: bool = False
    dlpack: bool = False
