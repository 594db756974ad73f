# SPDX-License-Identifier: Apache-2.0
"""Attention and its derivative in float64, by NumPy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

LEAST = -0.7 * float(np.finfo(np.float32).max)  # a masked score, as `olympus.nn` has it


@dataclass(frozen=True)
class Exact:
    """What an attention gives.

    Args:
        out: The result.
        sums: The logarithms of the sums of exponentials, of shape (batch, heads, queries).
        products: For each query the sum of the result's products with its cotangent, likewise.
        c_query: The cotangent of the queries.
        c_key: The cotangent of the keys.
        c_value: The cotangent of the values.
    """

    out: np.ndarray
    sums: np.ndarray
    products: np.ndarray
    c_query: np.ndarray
    c_key: np.ndarray
    c_value: np.ndarray


def attention(
    query: np.ndarray, key: np.ndarray, value: np.ndarray, cotangent: np.ndarray, scale: float, left: int | None = None,
    right: int | None = None, mask: np.ndarray | None = None,
) -> Exact:
    """The attention of operands of any element type; as in `olympus_cuda.attention.shapes.Shape`."""
    q, k, v, c = (x.astype(np.float64) for x in (query, key, value, cotangent))
    groups, each = k.shape[2], q.shape[2] // k.shape[2]
    k, v = (np.repeat(x, each, axis=2) for x in (k, v))
    scores = np.einsum("bthd,bshd->bhts", q, k) * scale
    row, column = np.ogrid[: scores.shape[2], : scores.shape[3]]
    seen = np.ones(scores.shape, bool)
    if left is not None:
        seen &= column >= row - left
    if right is not None:
        seen &= column <= row + right
    if mask is not None:
        seen &= mask
    scores = np.where(seen, scores, LEAST)
    greatest = scores.max(-1, keepdims=True)
    shares = np.exp(scores - greatest)
    sums = shares.sum(-1, keepdims=True)
    shares = shares / sums
    out = np.einsum("bhts,bshd->bthd", shares, v)
    products = np.einsum("bthd,bthd->bht", c, out)
    of_shares = np.einsum("bthd,bshd->bhts", c, v)
    of_scores = np.where(seen, shares * (of_shares - products[..., None]), 0) * scale

    def together(x: np.ndarray) -> np.ndarray:
        return np.asarray(x.reshape(*x.shape[:2], groups, each, x.shape[-1]).sum(3))

    return Exact(
        out, (greatest + np.log(sums))[..., 0], products, np.einsum("bhts,bshd->bthd", of_scores, k),
        together(np.einsum("bhts,bthd->bshd", of_scores, q)), together(np.einsum("bhts,bthd->bshd", shares, c)))
