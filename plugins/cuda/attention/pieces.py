# SPDX-License-Identifier: Apache-2.0
"""Pieces of text that kernels of attention share: tiles in shared memory, fragments of matrices, who sees whom.

A tile's row is `width` elements of 16 bits in chunks of 16 bytes; chunk c of row r stands at place c ^ (r & 7), so that
the eight rows that `ldmatrix` reads at once lie in different banks.
"""

from __future__ import annotations

from .shapes import THREADS, Shape

# In place of a masked score, so that a query that sees nothing does not give NaN: -2^100, whose products are exact; and
# the logarithm of such a query's sum, which is that of `olympus.nn`'s composition.
MASKED, BLIND = "-1.2676506002282294e30f", "-2.3819764230e38f"
NOTHING = "__uint_as_float(0xff800000u)"  # minus infinity
LOG2_E = 1.4426950408889634
LOG_2 = 0.6931471805599453


def factor(shape: Shape) -> str:
    """What scores are multiplied by, so that 2^x gives the exponential."""
    return f"{shape.scale * LOG2_E!r}f"


def names(shape: Shape) -> tuple[str, str]:
    """The device functions that multiply, and that pair two numbers in a word."""
    return f"olympus_mma_{shape.dtype.name}", f"olympus_pair_{shape.dtype.name}"


def tile_functions(shape: Shape) -> str:
    """Device functions on tiles."""
    width, chunks = shape.width, shape.width // 8
    return f"""typedef unsigned short half_t;

__device__ __forceinline__ half_t* place(half_t* tile, int row, int chunk) {{
    return tile + row * {width} + (chunk ^ (row & 7)) * 8;
}}

// Starts copying rows of an array whose rows are `stride` elements apart; rows from `count` on are zeros.
template <int rows>
__device__ __forceinline__ void fetch(half_t* tile, const half_t* from, int first, int count, int stride) {{
    const int row = (int)threadIdx.x / {chunks}, c = (int)threadIdx.x % {chunks};
    const bool inside = {f"c < {shape.size // 8}" if shape.size < width else "true"};
    const half_t* next = from + ((long long)(first + row) * stride + c * 8);
    tile = place(tile, row, c);
    #pragma unroll
    for (int i = 0; i < rows; i += {THREADS // chunks}) {{  // these steps leave row & 7 as it is
        const bool wanted = inside && first + row + i < count;  // else its address is not looked at
        olympus_copy_async(tile + i * {width}, next + (long long)i * stride, wanted);
    }}
}}

// Writes rows of a tile to an array, by a warp; rows from `count` on are not there.
template <int rows>
__device__ __forceinline__ void put(half_t* to, half_t* tile, int from, int first, int count, int stride) {{
    const int lane = (int)threadIdx.x % 32;
    #pragma unroll
    for (int i = 0; i < rows * {chunks} / 32; ++i) {{
        const int row = from + (i * 32 + lane) / {chunks}, c = (i * 32 + lane) % {chunks};
        if (first + row < count && c < {shape.size // 8})
            *(uint4*)(to + (long long)(first + row) * stride + c * 8) = *(const uint4*)place(tile, row, c);
    }}
}}

// Where this lane's row begins, in bytes, for row r of a tile: as the first operand, rows as columns of the second one,
// and rows as contracted elements of the second one. Row r is a multiple of 16; elements begin at 16 k.
__device__ __forceinline__ unsigned row_of_lane() {{
    const unsigned lane = threadIdx.x % 32, row = lane % 16;
    return row * {width * 2} + ((lane / 16) ^ (row & 7)) * 16;
}}

__device__ __forceinline__ unsigned column_of_lane() {{
    const unsigned lane = threadIdx.x % 32, row = lane % 8 + lane / 16 * 8;
    return row * {width * 2} + ((lane / 8 % 2) ^ (row & 7)) * 16;
}}

// The same number, computed from anew: else the compiler keeps what follows from it in registers from turn to turn.
__device__ __forceinline__ unsigned anew(unsigned x) {{
    asm volatile("" : "+r"(x));
    return x;
}}

// Words 0 and 1 are for the lower eight columns, words 2 and 3 for the upper ones where it is the second operand.
__device__ __forceinline__ void fragment(unsigned (&x)[4], const half_t* tile, unsigned of_lane, int r, int k) {{
    olympus_load_matrices(x, tile + r * {width}, of_lane ^ (unsigned)(k * 32));
}}

__device__ __forceinline__ void transposed(unsigned (&x)[4], const half_t* tile, unsigned of_lane, int r, int k) {{
    olympus_load_transposes(x, tile + r * {width}, of_lane ^ (unsigned)(k * 32));
}}
"""


def mask_index(shape: Shape, b: str, h: str, row: str, column: str) -> str:
    """The index of a mask's element."""
    if shape.mask is None:
        return "0"
    parts, step = [], 1
    sizes = (shape.batch, shape.heads, shape.queries, shape.keys)
    for has, size, name in reversed(list(zip(shape.mask, sizes, (b, h, row, column), strict=True))):
        if has:
            parts.append(f"(long long){name} * {step}")
            step *= size
    return " + ".join(parts) or "0"


def near(shape: Shape, row: str, column: str) -> str:
    """Whether a query sees a key by their positions; empty where it does everywhere."""
    parts = []
    if shape.right is not None:
        parts.append(f"{column} <= {row} + {shape.right}")
    if shape.left is not None:
        parts.append(f"{column} >= {row} - {shape.left}")
    return " && ".join(parts)


def seen(shape: Shape, row: str, column: str) -> str:
    """Whether a query sees a key of the array."""
    parts = [part for part in (near(shape, row, column),) if part]
    if shape.mask is not None:
        parts.append(f"mask[{mask_index(shape, 'b', 'h', row, column)}]")
    return " && ".join(parts) or "true"


def key_range(shape: Shape, rows: int) -> tuple[str, str]:
    """The first key, and the one behind the last, that a tile of queries from `row0` on may see.

    With a mask a query may see nothing, and then all keys count alike: all are visited.
    """
    first, last = "0", str(shape.keys)
    if shape.mask is None:
        if shape.left is not None:
            first = f"max(0, row0 - {shape.left})"
        if shape.right is not None:
            last = f"min({shape.keys}, row0 + {rows + shape.right})"
    return first, last


def query_range(shape: Shape, columns: int) -> tuple[str, str]:
    """The first query, and the one behind the last, that may see a tile of keys from `column0` on."""
    first, last = "0", str(shape.queries)
    if shape.mask is None:
        if shape.right is not None:
            first = f"max(0, column0 - {shape.right})"
        if shape.left is not None:
            last = f"min({shape.queries}, column0 + {columns + shape.left})"
    return first, last


def is_inside(shape: Shape, row0: str, rows: int, column0: str, columns: int) -> str:
    """Whether all queries of a tile see all keys of another, both within the arrays, so that nothing is compared."""
    if shape.mask is not None:
        return "false"
    parts = [f"{column0} + {columns} <= {shape.keys}", f"{row0} + {rows} <= {shape.queries}"]
    if shape.right is not None:
        parts.append(f"{column0} + {columns - 1} <= {row0} + {shape.right}")
    if shape.left is not None:
        parts.append(f"{column0} >= {row0} + {rows - 1} - {shape.left}")
    return " && ".join(parts)
