# SPDX-License-Identifier: Apache-2.0
"""Attention."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ArgumentError, described
from olympus_core.runtime import get_world

from .. import lax
from ..numpy.searching import where as numpy_where
from ..numpy.shapes import broadcast_to
from ..operands import cast, dtype_of, integers, is_number, known, shape_of
from ..tracing import aval_of
from ..transforms.jit import api
from ..typing import ArrayLike
from .composed_attention import composed

__all__ = ["dot_product_attention"]


def dot_product_attention(
    query: ArrayLike, key: ArrayLike, value: ArrayLike, bias: ArrayLike | None = None, mask: ArrayLike | None = None, *,
    scale: float | None = None, is_causal: bool = False, query_seq_lengths: ArrayLike | None = None,
    key_value_seq_lengths: ArrayLike | None = None, local_window_size: int | tuple[int, int] | None = None,
    implementation: str | None = None, return_residual: bool = False,
) -> Any:
    """Attention: for each query the values, weighted by how well their keys fit.

    Args:
        query: Of shape (batch, T, heads, size), or without batch.
        key: Of shape (batch, S, key heads, size); the number of heads is a multiple of that of key heads.
        value: Of the shape of `key`.
        bias: What is added to the products, broadcast to (batch, heads, T, S).
        mask: Bools likewise; where they are false a key does not count.
        scale: The factor of the products; one over the root of the size for None.
        is_causal: Whether a query sees only keys that do not come after it.
        query_seq_lengths: How many queries of each batch count.
        key_value_seq_lengths: How many keys of each batch count.
        local_window_size: How many keys before and after its own position a query sees.
        implementation: Accepted; there is one.
        return_residual: Whether to give the logarithms of the sums of exponentials too.

    Returns:
        An array of the shape of `query`; and of its shape without the size, these logarithms, if they are asked for.

    Raises:
        ArgumentError: If the shapes do not fit.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> x = jnp.ones((1, 4, 2, 8))
        >>> olympus.nn.dot_product_attention(x, x, x).shape
        (1, 4, 2, 8)
    """
    q, k, v = shape_of(query), shape_of(key), shape_of(value)
    if not (len(q) == len(k) == len(v) and len(q) in (3, 4)):
        raise ArgumentError("dot_product_attention", "query, key and value have not three or four dimensions",
                            f"{q}, {k}, {v}", "(batch, length, heads, size) or (length, heads, size) each")
    if k != v or q[-1] != k[-1] or q[:-3] != k[:-3] or not k[-2] or q[-2] % k[-2]:
        raise ArgumentError("dot_product_attention", "the shapes do not fit", f"query {q}, key {k}, value {v}",
                            "equal batch and size; key and value alike; query heads must be a multiple of the key's")
    if mask is not None and not dtypes.is_bool(dtype_of(mask)):
        raise ArgumentError("dot_product_attention", "the mask holds no bools", repr(aval_of(mask)), "bools",
                            "Give what is added to the scores as bias=, or write mask.astype(bool).")
    window = None
    if local_window_size is not None:
        window = integers("dot_product_attention", local_window_size, "the window's size", least=0)
        window = window * 2 if len(window) == 1 else window
        if len(window) != 2:
            raise ArgumentError("dot_product_attention", "the window does not fit", described(local_window_size),
                                "how many keys before and after, or one number for both")
    if scale is not None and not is_number(scale):
        host = known("dot_product_attention", scale, "the scale")
        if host.size != 1 or dtypes.is_complex(host.dtype):
            raise ArgumentError("dot_product_attention", "the scale is no number", described(host), "one real number")
        scale = float(host.item())
    if isinstance(scale, complex):
        raise ArgumentError("dot_product_attention", "the scale is not real", scale, "one real number")
    if len(q) == 3:
        query, key, value = (lax.expand_dims(x, 0) for x in (query, key, value))
    found = _attention(
        query, key, value, bias, mask, query_seq_lengths, key_value_seq_lengths,
        scale=float(q[-1] ** -0.5 if scale is None else scale), causal=bool(is_causal), window=window,
        residual=bool(return_residual))
    found = tuple(lax.squeeze(x, 0) for x in found) if len(q) == 3 else found
    return found if return_residual else found[0]


@api(static=("scale", "causal", "window", "residual"))
def _attention(
    query: Any, key: Any, value: Any, bias: Any, mask: Any, query_lengths: Any, key_lengths: Any, scale: float,
    causal: bool, window: tuple[int, ...] | None, residual: bool,
) -> tuple[Any, ...]:
    batch, length, _, _ = shape_of(query)
    fused = _fused(query, key, value, bias, mask, query_lengths, key_lengths, scale, causal, window, residual)
    found, sums = composed(
        query, key, value, bias, mask, query_lengths, key_lengths, scale, causal, window, residual,
    ) if fused is None else fused
    if query_lengths is not None:
        there = lax.lt(lax.broadcasted_iota(np.int32, (batch, length), 1), broadcast_to(
            lax.expand_dims(cast(query_lengths, dtypes.int32), 1), (batch, length)))
        found = numpy_where(lax.reshape(there, (batch, length, 1, 1)), found, 0)
    return (found, cast(lax.transpose(sums, (0, 2, 1)), dtype_of(query))) if residual else (found,)


def _fused(
    query: Any, key: Any, value: Any, bias: Any, mask: Any, query_lengths: Any, key_lengths: Any, scale: float,
    causal: bool, window: tuple[int, ...] | None, residual: bool,
) -> tuple[Any, Any] | None:
    """The attention as one operation where the platform has a kernel for it; else None."""
    if get_world().default_device().platform != "cuda":
        return None
    from .fused_attention import fused

    # What queries beyond the length give is zero in the end: only the logarithms tell them from others.
    lengths = query_lengths if residual else None
    return None if bias is not None else fused(query, key, value, mask, lengths, key_lengths, scale, causal, window)
