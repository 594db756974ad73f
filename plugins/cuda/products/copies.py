# SPDX-License-Identifier: Apache-2.0
"""Kernels that copy an operand into another order of dimensions or another element type."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from olympus_core.toolkit.c_text import joined, split_index

from ..codegen import functions
from ..codegen.module import Module
from ..codegen.vectors import VECTOR
from .work_steps import module_of

_THREADS = 256
_TILE, _TILE_ROWS = 32, 8  # of a transpose through shared memory
_MOST_WORDS = 1 << 31


def index_type(*sizes: int) -> str:
    """The C++ type of indices up to some sizes."""
    return "unsigned" if max(sizes, default=0) < _MOST_WORDS else "unsigned long long"


def copy_module(source: np.dtype, target: np.dtype, parts: Sequence[tuple[int, int]]) -> Module:
    """A kernel that copies an operand into row-major order.

    Args:
        source: The operand's element type.
        target: The copy's element type.
        parts: Sizes of the copy's dimensions, with their strides in the operand.
    """
    parts = joined(parts) or [(1, 1)]
    total = math.prod(size for size, _ in parts)
    from_type, to_type = functions.storage_type(source), functions.storage_type(target)
    index = index_type(total, *(size * stride for size, stride in parts))

    def converted(x: str) -> str:
        if source == target:
            return x
        return f"olympus_store_{target.name}(olympus_convert_{target.name}(olympus_load_{source.name}({x})))"

    head = f'extern "C" __global__ void __launch_bounds__({_THREADS}) copied(const {from_type}* x, {to_type}* y) {{\n'
    side = next((i for i, (_, stride) in enumerate(parts[:-1]) if stride == 1), None)
    if side is None or parts[side][0] < 8 or parts[-1][0] < 8:
        value = converted(f"x[{split_index('i', parts)}]")
        body = (f"    {index} i = ({index})blockIdx.x * {_THREADS} + threadIdx.x;\n"
                f"    if (i < {total}u) y[i] = {value};\n}}\n")
        return module_of("copied", head + body, -(-total // _THREADS), _THREADS)
    return module_of(*_transposing(parts, side, head, from_type, index, converted), _THREADS)


def zeros_module(nbytes: int) -> Module:
    """A kernel that fills memory with zeros; its address is aligned like an allocation's."""
    name, body, grid = _by_vectors("cleared", nbytes, "unsigned char* y", "olympus_vector<unsigned int, 4>{}", "0")
    return module_of(name, body, grid, _THREADS)


def bytes_module(nbytes: int) -> Module:
    """A kernel that copies bytes; both addresses are aligned like allocations'."""
    vectors = "((const olympus_vector<unsigned int, 4>*)x)[i]"
    name, body, grid = _by_vectors("copied", nbytes, "const unsigned char* x, unsigned char* y", vectors, "x[b]")
    return module_of(name, body, grid, _THREADS)


def _by_vectors(name: str, nbytes: int, arguments: str, vector: str, byte: str) -> tuple[str, str, int]:
    """The kernel's name, text and grid: 16 bytes for each thread, and the remainder for the last."""
    index, threads = index_type(nbytes), -(-nbytes // 16)
    rest = f"\n    else for ({index} b = i * 16; b < {nbytes}u; ++b) y[b] = {byte};" if nbytes % 16 else ""
    body = f"""{VECTOR}
extern "C" __global__ void __launch_bounds__({_THREADS}) {name}({arguments}) {{
    {index} i = ({index})blockIdx.x * {_THREADS} + threadIdx.x;
    if (i >= {threads}u) return;
    if (i < {nbytes // 16}u) ((olympus_vector<unsigned int, 4>*)y)[i] = {vector};{rest}
}}
"""
    return name, body, -(-threads // _THREADS)


def _transposing(parts: Sequence[tuple[int, int]], side: int, head: str, from_type: str, index: str,
                  converted: Callable[[str], str]) -> tuple[str, str, int]:
    """The kernel's name, text and grid: tiles of the dimensions that are contiguous in the operand and in the copy."""
    (across, _), (along, step) = parts[side], parts[-1]
    others = [part for i, part in enumerate(parts) if i not in (side, len(parts) - 1)]
    # The same dimensions with their strides in the copy.
    copy_strides = [math.prod(size for size, _ in parts[i + 1:]) for i in range(len(parts))]
    targets = [(size, copy_strides[i]) for i, (size, _) in enumerate(parts) if i not in (side, len(parts) - 1)]
    columns, rows = -(-across // _TILE), -(-along // _TILE)
    grid = columns * rows * math.prod(size for size, _ in others)
    value = converted("tile[lane][r]")
    body = f"""    __shared__ {from_type} tile[{_TILE}][{_TILE + 1}];
    {index} block = blockIdx.x;
    {index} c0 = block % {columns} * {_TILE}, r0 = block / {columns} % {rows} * {_TILE};
    {index} other = block / {columns * rows};
    {index} from = {split_index("other", others)}, to = {split_index("other", targets)};
    {index} lane = threadIdx.x % {_TILE};
    for (unsigned r = threadIdx.x / {_TILE}; r < {_TILE}; r += {_TILE_ROWS})
        if (r0 + r < {along} && c0 + lane < {across}) tile[r][lane] = x[from + (r0 + r) * {step} + c0 + lane];
    __syncthreads();
    for (unsigned r = threadIdx.x / {_TILE}; r < {_TILE}; r += {_TILE_ROWS})
        if (c0 + r < {across} && r0 + lane < {along}) y[to + (c0 + r) * {copy_strides[side]} + r0 + lane] = {value};
}}
"""
    return "copied", head + body, grid
