# SPDX-License-Identifier: Apache-2.0
"""Transposed convolutions without multiplications by zero: one convolution for each phase of the dilation, interleaved.

A dilated operand has zeros between its elements, so each output element uses only the kernel elements of one residue:
with a dilation of 2 in two dimensions a quarter of them (polyphase decomposition).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np

from olympus_core import ops
from olympus_core.program import Value
from olympus_core.toolkit.passes import Builder

Padding = tuple[tuple[int, int], ...]


def polyphase_convolution(
    new: Builder, x: Value, kernel: Value, dilation: Sequence[int], padding: Padding, sizes: Sequence[int],
    dtype: np.dtype, convolve: Callable[[Value, Value, Padding], Value],
) -> Value | None:
    """The convolution of a dilated operand with features last; None where nothing would be saved.

    A phase without a kernel element, as where a window of one is dilated, is zero.

    Args:
        new: Where operations are written.
        x: The operand, (batch, spatial..., features).
        kernel: The kernel, (spatial..., in, out).
        dilation: The operand's dilation in each spatial dimension.
        padding: The padding of the dilated operand.
        sizes: The sizes of the result's spatial dimensions.
        dtype: The element type of the result.
        convolve: Writes the convolution of an operand and a kernel with a padding and unit strides.
    """
    window, count = kernel.type.shape[:-2], len(dilation)
    if 0 in window:
        return None
    wholes = [-(-n // d) for n, d in zip(sizes, dilation, strict=True)]
    parts = {}
    features = kernel.type.shape[-1]
    for phase in itertools.product(*map(range, dilation)):
        # Output o of this phase uses kernel elements r, r + d, ...: those over elements and not over zeros.
        residues = [(low - o) % d for o, d, (low, _) in zip(phase, dilation, padding, strict=True)]
        ends = (*window, *kernel.type.shape[-2:])
        if any(r >= k for r, k in zip(residues, window, strict=True)):
            shape = (x.type.shape[0], *(n for size in wholes for n in (size, 1)), features)
            parts[phase] = new.splat(0, shape, dtype)
            continue
        part = new.apply(
            ops.slice, kernel, starts=(*residues, 0, 0), limits=ends, strides=(*dilation, 1, 1))
        own = []
        for i, (o, r, d, (low, _)) in enumerate(zip(phase, residues, dilation, padding, strict=True)):
            first = (o - low + r) // d
            own.append((-first, wholes[i] + part.type.shape[i] - 1 - x.type.shape[i + 1] + first))
        out = convolve(x, part, tuple(own))
        shape = out.type.shape
        split = [n for size in shape[1:-1] for n in (size, 1)]
        parts[phase] = new.apply(ops.reshape, out, shape=(shape[0], *split, shape[-1]))
    for i in reversed(range(count)):
        groups: dict[tuple[int, ...], list[Value]] = {}
        for phase, value in parts.items():
            groups.setdefault(phase[:i], []).append(value)
        parts = {phase: new.apply(ops.concatenate, *values, dimension=2 * i + 2) if len(values) > 1 else values[0]
                 for phase, values in groups.items()}
    (out,) = parts.values()
    batch = out.type.shape[0]
    whole = [n * d for n, d in zip(wholes, dilation, strict=True)]
    out = new.apply(ops.reshape, out, shape=(batch, *whole, features))
    if math.prod(whole) == math.prod(sizes):
        return out
    return new.apply(
        ops.slice, out, starts=(0,) * (count + 2), limits=(batch, *sizes, features), strides=(1,) * (count + 2))
