# SPDX-License-Identifier: Apache-2.0
"""The kernel of attention: a block has 128 queries, goes over the keys, and keeps sums that it rescales as it goes.

References:
    T. Dao, FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning, 2023.
    M. Milakov, N. Gimelshein, Online normalizer calculation for softmax, 2018.
"""

from __future__ import annotations

from ..codegen.module import Module
from ..products.work_steps import module_of
from .pieces import BLIND, LOG_2, MASKED, NOTHING, factor, is_inside, key_range, names, seen, tile_functions
from .shapes import FORWARD, THREADS, Shape

UNROLL = 2


def forward_module(shape: Shape) -> Module:
    """The kernel; it takes query, key, value, the mask if there is one, the result and the logarithms of the sums."""
    width, (mma, pair) = shape.width, names(shape)
    rows, columns = FORWARD[width].queries, FORWARD[width].keys
    tiles, tall, c = -(-shape.queries // rows), rows // 64, factor(shape)
    first, last = key_range(shape, rows)
    masked = shape.mask is not None
    blind = f"m[i][r] == {MASKED} ? {BLIND} : " if masked else ""
    inside_rows = f"row < {shape.queries} && " if masked else ""
    body = f"""{tile_functions(shape)}
extern "C" __global__ void __launch_bounds__({THREADS}, 2) attended(
    const half_t* query, const half_t* key, const half_t* value,{" const unsigned char* mask," if masked else ""}
    half_t* out, float* sums) {{
    extern __shared__ __align__(128) unsigned char memory[];
    half_t *q = (half_t*)memory, *k = q + {rows * width}, *v = k + {columns * width};
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    unsigned by_rows = row_of_lane(), by_columns = column_of_lane();
    const int tile = {tiles - 1} - (int)blockIdx.x % {tiles};  // the longest first
    const int h = (int)blockIdx.x / {tiles} % {shape.heads}, b = (int)blockIdx.x / {tiles * shape.heads};
    const int row0 = tile * {rows}, first = {first} / {columns} * {columns}, last = {last};
    query += ((long long)b * {shape.queries * shape.heads} + h) * {shape.size};
    const long long of_keys = ((long long)b * {shape.keys * shape.groups} + h / {shape.shared_heads}) * {shape.size};
    key += of_keys, value += of_keys;
    fetch<{rows}>(q, query, row0, {shape.queries}, {shape.heads * shape.size});
    fetch<{columns}>(k, key, first, {shape.keys}, {shape.groups * shape.size});
    float o[{tall}][{width // 8}][4], m[{tall}][2], l[{tall}][2];
    #pragma unroll
    for (int i = 0; i < {tall}; ++i) {{
        m[i][0] = m[i][1] = {NOTHING}, l[i][0] = l[i][1] = 0;
        #pragma unroll
        for (int j = 0; j < {width // 8}; ++j) o[i][j][0] = o[i][j][1] = o[i][j][2] = o[i][j][3] = 0;
    }}
    for (int column0 = first; column0 < last; column0 += {columns}) {{
        olympus_await_copies();
        __syncthreads();  // the keys are there, and nobody reads the last values any more
        fetch<{columns}>(v, value, column0, {shape.keys}, {shape.groups * shape.size});
        by_rows = anew(by_rows), by_columns = anew(by_columns);
        float s[{tall}][{columns // 8}][4] = {{}};
        #pragma unroll {UNROLL}
        for (int d = 0; d < {width // 16}; ++d) {{
            unsigned x[{tall}][4];
            #pragma unroll
            for (int i = 0; i < {tall}; ++i) fragment(x[i], q, by_rows, (warp * {tall} + i) * 16, d);
            #pragma unroll
            for (int j = 0; j < {columns // 16}; ++j) {{
                unsigned y[4];
                fragment(y, k, by_columns, j * 16, d);
                #pragma unroll
                for (int i = 0; i < {tall}; ++i) {{
                    {mma}(s[i][j * 2], x[i], y[0], y[1]);
                    {mma}(s[i][j * 2 + 1], x[i], y[2], y[3]);
                }}
            }}
        }}
        olympus_await_copies();
        __syncthreads();  // the values are there, and nobody reads the keys any more
        if (column0 + {columns} < last)
            fetch<{columns}>(k, key, column0 + {columns}, {shape.keys}, {shape.groups * shape.size});
        if (!({is_inside(shape, "row0", rows, "column0", columns)})) {{
            #pragma unroll
            for (int i = 0; i < {tall}; ++i)
                #pragma unroll
                for (int j = 0; j < {columns // 8}; ++j)
                    #pragma unroll
                    for (int e = 0; e < 4; ++e) {{
                        const int row = row0 + (warp * {tall} + i) * 16 + lane / 4 + e / 2 * 8;
                        const int column = column0 + j * 8 + lane % 4 * 2 + e % 2;
                        if (column >= {shape.keys}) s[i][j][e] = {NOTHING};
                        else if ({inside_rows}!({seen(shape, "row", "column")})) s[i][j][e] = {MASKED};
                    }}
        }}
        #pragma unroll
        for (int i = 0; i < {tall}; ++i)
            #pragma unroll
            for (int r = 0; r < 2; ++r) {{
                float greatest = m[i][r];
                #pragma unroll
                for (int j = 0; j < {columns // 8}; ++j)
                    greatest = fmaxf(greatest, fmaxf(s[i][j][r * 2], s[i][j][r * 2 + 1]));
                greatest = fmaxf(greatest, __shfl_xor_sync(0xffffffffu, greatest, 1));
                greatest = fmaxf(greatest, __shfl_xor_sync(0xffffffffu, greatest, 2));
                const float base = greatest == {NOTHING} ? 0.0f : greatest * {c};
                const float kept = olympus_quick_exp2(m[i][r] * {c} - base);
                float sum = 0;
                #pragma unroll
                for (int j = 0; j < {columns // 8}; ++j)
                    #pragma unroll
                    for (int e = r * 2; e < r * 2 + 2; ++e) {{
                        s[i][j][e] = olympus_quick_exp2(fmaf(s[i][j][e], {c}, -base));
                        sum += s[i][j][e];
                    }}
                m[i][r] = greatest, l[i][r] = fmaf(l[i][r], kept, sum);
                #pragma unroll
                for (int j = 0; j < {width // 8}; ++j) o[i][j][r * 2] *= kept, o[i][j][r * 2 + 1] *= kept;
            }}
        #pragma unroll
        for (int j = 0; j < {columns // 16}; ++j) {{
            unsigned x[{tall}][4];
            #pragma unroll
            for (int i = 0; i < {tall}; ++i)
                #pragma unroll
                for (int e = 0; e < 4; ++e)
                    x[i][e] = {pair}(s[i][j * 2 + e / 2][e % 2 * 2], s[i][j * 2 + e / 2][e % 2 * 2 + 1]);
            #pragma unroll
            for (int d = 0; d < {width // 16}; ++d) {{
                unsigned y[4];
                transposed(y, v, by_rows, j * 16, d);
                #pragma unroll
                for (int i = 0; i < {tall}; ++i) {{
                    {mma}(o[i][d * 2], x[i], y[0], y[1]);
                    {mma}(o[i][d * 2 + 1], x[i], y[2], y[3]);
                }}
            }}
        }}
    }}
    #pragma unroll
    for (int i = 0; i < {tall}; ++i)
        #pragma unroll
        for (int r = 0; r < 2; ++r) {{
            float sum = l[i][r];
            sum += __shfl_xor_sync(0xffffffffu, sum, 1);
            sum += __shfl_xor_sync(0xffffffffu, sum, 2);
            const float share = 1.0f / sum;
            const int at = (warp * {tall} + i) * 16 + lane / 4 + r * 8;
            #pragma unroll
            for (int j = 0; j < {width // 8}; ++j)  // this warp's queries lie there, which nobody else reads
                *(unsigned*)(place(q, at, j) + lane % 4 * 2) =
                    {pair}(o[i][j][r * 2] * share, o[i][j][r * 2 + 1] * share);
            if (lane % 4 == 0 && row0 + at < {shape.queries})
                sums[((long long)b * {shape.heads} + h) * {shape.queries} + row0 + at] =
                    {blind}m[i][r] * {shape.scale!r}f + log2f(sum) * {LOG_2!r}f;
        }}
    __syncwarp();
    out += ((long long)b * {shape.queries * shape.heads} + h) * {shape.size};
    put<{tall * 16}>(out, q, warp * {tall * 16}, row0, {shape.queries}, {shape.heads * shape.size});
}}
"""
    shared = (rows + 2 * columns) * width * 2
    return module_of("attended", body, tiles * shape.heads * shape.batch, THREADS, shared)
