# SPDX-License-Identifier: Apache-2.0
"""The Fourier transform: StableHLO's is along the last dimension."""

from __future__ import annotations

from collections.abc import Sequence

from olympus_core.program import Operation

from .literals import integers
from .table import emits
from .writer import Name, Writer

Names = Sequence[Name]


@emits("fft")
def _fft(w: Writer, operation: Operation, xs: Names) -> Names:
    """Between two transpositions where the dimension is not the last one."""
    (x,), result = xs, operation.results[0].type
    kind, dimension, length = (operation.attributes[name] for name in ("kind", "dimension", "length"))
    if not x.type.size or not result.size:
        return [w.splat(0, result)]
    ndim = len(x.shape)
    order = [d for d in range(ndim) if d != dimension] + [dimension]
    back = [order.index(d) for d in range(ndim)]
    is_last = order == list(range(ndim))
    if not is_last:
        x = w.op("transpose", [x], x.type.with_shape([x.shape[d] for d in order]), f"permutation = {integers(order)}")
    found = w.op("fft", [x], result.with_shape([result.shape[d] for d in order]),
                 f"fft_type = #stablehlo<fft_type {kind.upper()}>, fft_length = {integers([length])}")
    return [found if is_last else w.op("transpose", [found], result, f"permutation = {integers(back)}")]
