# SPDX-License-Identifier: Apache-2.0
"""A Fourier transform over several dimensions: the operation has one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from olympus_core import ops

from ..tracing import aval_of, bind


def transformed(x: Any, kind: str, lengths: Sequence[int]) -> Any:
    """The transform over the last dimensions.

    Args:
        x: The operand.
        kind: ``fft``, ``ifft``, ``rfft`` or ``irfft``.
        lengths: The size of each of these dimensions; of the real side for the last two.
    """
    first = aval_of(x).ndim - len(lengths)
    dimensions = [(first + i, n) for i, n in enumerate(lengths)]
    found: Any = x
    # The real side of a transform is its last dimension: rfft comes first there, irfft last.
    if kind == "rfft":
        dimensions.reverse()
    for d, n in dimensions:
        is_last = d == first + len(lengths) - 1
        own = kind if is_last or kind in ("fft", "ifft") else {"rfft": "fft", "irfft": "ifft"}[kind]
        found = bind(ops.fft, found, kind=own, dimension=d, length=n)
    return found
