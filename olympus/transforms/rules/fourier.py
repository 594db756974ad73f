# SPDX-License-Identifier: Apache-2.0
"""The Fourier transform: linear, so that its derivative is itself; transposed it is one again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import ops

from ...tracing import aval_of, bind
from ..traces.arithmetic import apply, mul
from ..traces.table import (
    Batched,
    BatchingCall,
    Jvp,
    JvpCall,
    TransposeCall,
    all_batched,
    batching_rule,
    jvp_rule,
    transpose_rule,
)


@jvp_rule(ops.fft)
def _fft_jvp(call: JvpCall) -> Jvp:
    y = bind(ops.fft, *call.primals, weak=call.weak, **call.attributes)
    return [y], [apply(ops.fft, call.tangents[0], **call.attributes)]


@transpose_rule(ops.fft)
def _fft_transpose(t: TransposeCall) -> Sequence[Any]:
    kind, dimension, length = (t.attributes[name] for name in ("kind", "dimension", "length"))
    cotangent = t.cotangent
    if kind in ("fft", "ifft"):  # the matrix is symmetric
        return [apply(ops.fft, cotangent, **t.attributes)]
    shape = aval_of(cotangent).shape
    if kind == "rfft":  # the whole transform of the half that was kept
        missing = tuple(length - shape[dimension] if d == dimension else 0 for d in range(len(shape)))
        nothing = (0,) * len(shape)
        zero = np.zeros((), aval_of(cotangent).dtype)
        padded = apply(ops.pad, cotangent, zero, low=nothing, high=missing, interior=nothing)
        return [apply(ops.real, apply(ops.fft, padded, kind="fft", dimension=dimension, length=length))]
    # Every frequency stands for its conjugate, too, but the first one and, of even lengths, the last one.
    half = apply(ops.conj, apply(ops.fft, cotangent, kind="rfft", dimension=dimension, length=length))
    weights = np.full(length // 2 + 1, 2 / length)
    weights[0] = 1 / length
    if length % 2 == 0:
        weights[-1] = 1 / length
    shape, kind_of = aval_of(half).shape, aval_of(half).dtype
    factors = apply(ops.broadcast_in_dim, weights.astype(kind_of), shape=shape, dimensions=(dimension,))
    return [mul(half, factors)]


@batching_rule(ops.fft)
def _fft_batching(call: BatchingCall) -> Batched:
    return all_batched(call.bind(call.values[0], **{
        **call.attributes, "dimension": call.attributes["dimension"] + 1}))
