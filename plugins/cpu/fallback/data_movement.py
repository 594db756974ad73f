# SPDX-License-Identifier: Apache-2.0
"""Operations that only move elements, as NumPy views where possible."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core.program import Operation
from olympus_core.toolkit import Kernel, KernelFactory

_SMALL = 1 << 14  # bytes below which a copy is cheaper than a broadcast view


def _broadcast_in_dim(operation: Operation) -> Kernel:
    operand, result = operation.operands[0].type, operation.results[0].type
    shape = result.shape
    aligned = [1] * result.ndim
    for size, dimension in zip(operand.shape, operation.attributes["dimensions"], strict=True):
        aligned[dimension] = size
    middle = tuple(aligned)
    if middle == shape:
        return Kernel(lambda x: x.reshape(shape))
    if result.nbytes > _SMALL:
        return Kernel(lambda x: np.broadcast_to(x.reshape(middle), shape))
    empty, dtype = np.empty, result.dtype

    def kernel(x: np.ndarray) -> np.ndarray:
        out = empty(shape, dtype)
        out[...] = x.reshape(middle)
        return out

    return Kernel(kernel, is_fresh=True)


def _reshape(operation: Operation) -> Kernel:
    shape = operation.results[0].type.shape
    return Kernel(lambda x: x.reshape(shape))


def _transpose(operation: Operation) -> Kernel:
    permutation = tuple(operation.attributes["permutation"])
    return Kernel(lambda x: x.transpose(permutation))


def _slice(operation: Operation) -> Kernel:
    attributes = operation.attributes
    strides = attributes["strides"] or (1,) * len(attributes["starts"])
    index: Any = (*map(slice, attributes["starts"], attributes["limits"], strides), ...)
    return Kernel(lambda x: x[index])


def _reverse(operation: Operation) -> Kernel:
    index = (*(slice(None, None, -1) if d in operation.attributes["dimensions"] else slice(None)
               for d in range(operation.results[0].type.ndim)), ...)
    return Kernel(lambda x: x[index])


def _concatenate(operation: Operation) -> Kernel:
    axis, concatenate = operation.attributes["dimension"], np.concatenate
    return Kernel(lambda *operands: concatenate(operands, axis), is_fresh=True)


def _dynamic_slice(operation: Operation) -> Kernel:
    sizes = tuple(operation.attributes["sizes"])
    limits = [full - size for full, size in zip(operation.operands[0].type.shape, sizes, strict=True)]

    def kernel(x: np.ndarray, *starts: np.ndarray) -> np.ndarray:
        firsts = [min(max(int(s), 0), limit) for s, limit in zip(starts, limits, strict=True)]
        index: Any = (*(slice(a, a + n) for a, n in zip(firsts, sizes, strict=True)), ...)
        part: np.ndarray = x[index]
        return part

    return Kernel(kernel)


def _dynamic_update_slice(operation: Operation) -> Kernel:
    sizes = operation.operands[1].type.shape
    limits = [full - size for full, size in zip(operation.operands[0].type.shape, sizes, strict=True)]

    def kernel(x: np.ndarray, update: np.ndarray, *starts: np.ndarray) -> np.ndarray:
        firsts = [min(max(int(s), 0), limit) for s, limit in zip(starts, limits, strict=True)]
        out = x.copy("C")
        index: Any = (*(slice(a, a + n) for a, n in zip(firsts, sizes, strict=True)), ...)
        out[index] = update
        return out

    return Kernel(kernel, is_fresh=True)


DATA_MOVEMENT: dict[str, KernelFactory] = {
    "broadcast_in_dim": _broadcast_in_dim, "reshape": _reshape, "transpose": _transpose, "slice": _slice,
    "reverse": _reverse, "concatenate": _concatenate, "dynamic_slice": _dynamic_slice,
    "dynamic_update_slice": _dynamic_update_slice,
}
