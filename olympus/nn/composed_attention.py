# SPDX-License-Identifier: Apache-2.0
"""Attention by products and a softmax: what it means, and how it is computed where there is no kernel for it."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core import dtypes

from .. import lax
from ..numpy.arithmetic import add, multiply
from ..numpy.einstein_summation import einsum
from ..numpy.searching import where as numpy_where
from ..numpy.shapes import broadcast_to
from ..operands import broadcast_shape, cast, dtype_of, shape_of
from .activations import _logsumexp, _softmax


def composed(
    query: Any, key: Any, value: Any, bias: Any, mask: Any, query_lengths: Any, key_lengths: Any, scale: float,
    causal: bool, window: tuple[int, ...] | None, residual: bool,
) -> tuple[Any, Any]:
    """Attention by products and a softmax.

    Args:
        query: As in `dot_product_attention`, with a batch.
        key: Likewise.
        value: Likewise.
        bias: Likewise.
        mask: Likewise.
        query_lengths: How many queries of each batch count.
        key_lengths: How many keys of each batch count.
        scale: The factor of the products.
        causal: Whether a query sees only keys that do not come after it.
        window: How many keys before and after its own position a query sees.
        residual: Whether the logarithms of the sums are wanted.

    Returns:
        The result, and the logarithms, of shape (batch, heads, T); None where they are not wanted.
    """
    batch, length, heads, size = shape_of(query)
    groups = shape_of(key)[2]
    keys = shape_of(key)[1]
    grouped = lax.reshape(query, (batch, length, groups, heads // groups, size))
    wide: np.dtype[Any] = dtypes.float32 if dtype_of(query).itemsize < 4 else dtype_of(query)
    scores = einsum("btghd,bsgd->bghts", grouped, key, preferred_element_type=wide)
    scores = multiply(lax.reshape(scores, (batch, heads, length, keys)), scale)
    if bias is not None:
        scores = add(scores, cast(bias, wide))
    seen = _seen(batch, length, keys, query_lengths, key_lengths, causal, window)
    if mask is not None:
        seen = mask if seen is None else lax.bitwise_and(*(broadcast_to(m, broadcast_shape(
            "dot_product_attention", [shape_of(mask), shape_of(seen)])) for m in (mask, seen)))
    if seen is not None:
        # The least number rather than minus infinity: a query that sees nothing must not give NaN.
        scores = numpy_where(seen, scores, -0.7 * float(np.finfo(wide).max))
    shares = cast(_softmax(scores, None, axis=-1), dtype_of(value))
    shares = lax.reshape(shares, (batch, groups, heads // groups, length, keys))
    found = lax.reshape(einsum("bghts,bsgd->btghd", shares, value), (batch, length, heads, size))
    return found, _logsumexp(scores, None, None, axis=-1, keepdims=False, signed=False) if residual else None


def _seen(
    batch: int, length: int, keys: int, query_lengths: Any, key_lengths: Any, causal: bool, window: Any
) -> Any:
    """Which keys each query may see, broadcast to (batch, heads, T, S); None for all."""
    row, column = (lax.broadcasted_iota(np.int32, (1, 1, length, keys), d) for d in (2, 3))
    parts = []
    if causal:
        parts.append(lax.ge(row, column))
    if window is not None:
        parts += [lax.le(column, lax.add(row, window[1])), lax.ge(column, lax.sub(row, window[0]))]
    for lengths, position in ((query_lengths, row), (key_lengths, column)):
        if lengths is not None:
            limit = lax.reshape(cast(lengths, dtypes.int32), (batch, 1, 1, 1))
            whole = (batch, 1, length, keys)
            parts.append(lax.lt(broadcast_to(position, whole), broadcast_to(limit, whole)))
    found = None
    for part in parts:
        if found is None:
            found = part
        else:
            shape = broadcast_shape("dot_product_attention", [shape_of(found), shape_of(part)])
            found = lax.bitwise_and(broadcast_to(found, shape), broadcast_to(part, shape))
    return found
