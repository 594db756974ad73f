# SPDX-License-Identifier: Apache-2.0
"""The kernels of attention's derivative: one for queries, one for keys and values; both compute the scores anew.

With shares P and their derivatives' source dP = dO V^T, the scores' derivative is P (dP - d), where d is what
`olympus.nn` gives for each query: the sum of dO O. Two kernels instead of one, so that nothing is added up in an order
that changes from run to run.

References:
    T. Dao, FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning, 2023.
"""

from __future__ import annotations

from ..codegen.module import Module
from ..products.work_steps import module_of
from .pieces import LOG2_E, factor, is_inside, key_range, names, query_range, seen, tile_functions
from .shapes import BACKWARD_OF_KEYS, BACKWARD_OF_QUERIES, THREADS, Shape


def queries_module(shape: Shape) -> Module:
    """The derivative by queries: a block has 128 queries, and goes over the keys.

    The kernel takes query, key, value, the mask if there is one, the logarithms of the sums, the result's cotangent and
    d; it gives the cotangent of the query.
    """
    width, (mma, pair), c = shape.width, names(shape), factor(shape)
    rows, columns = BACKWARD_OF_QUERIES[width].queries, BACKWARD_OF_QUERIES[width].keys
    tiles, tall = -(-shape.queries // rows), rows // 64
    first, last = key_range(shape, rows)
    per_row, per_key = shape.heads * shape.size, shape.groups * shape.size
    body = f"""{tile_functions(shape)}
extern "C" __global__ void __launch_bounds__({THREADS}, 2) attended_back(
    const half_t* query, const half_t* key, const half_t* value,{_mask(shape)}
    const float* sums, const half_t* c_out, const float* shares, half_t* c_query) {{
    extern __shared__ __align__(128) unsigned char memory[];
    half_t *q = (half_t*)memory, *g = q + {rows * width}, *ks = g + {rows * width}, *vs = ks + {2 * columns * width};
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    unsigned by_rows = row_of_lane(), by_columns = column_of_lane();
    const int row0 = ({tiles - 1} - (int)blockIdx.x % {tiles}) * {rows};  // the longest first
    const int h = (int)blockIdx.x / {tiles} % {shape.heads}, b = (int)blockIdx.x / {tiles * shape.heads};
    const int first = {first} / {columns} * {columns}, last = {last};
    const long long of_queries = ((long long)b * {shape.queries * shape.heads} + h) * {shape.size};
    const long long of_keys = ((long long)b * {shape.keys * shape.groups} + h / {shape.shared_heads}) * {shape.size};
    key += of_keys, value += of_keys;
    fetch<{rows}>(q, query + of_queries, row0, {shape.queries}, {per_row});
    fetch<{rows}>(g, c_out + of_queries, row0, {shape.queries}, {per_row});
    fetch<{columns}>(ks, key, first, {shape.keys}, {per_key});
    fetch<{columns}>(vs, value, first, {shape.keys}, {per_key});
    float made[{tall}][{width // 8}][4] = {{}}, sum[{tall}][2], share[{tall}][2];
    #pragma unroll
    for (int i = 0; i < {tall}; ++i)
        #pragma unroll
        for (int r = 0; r < 2; ++r) {{
            const int row = row0 + (warp * {tall} + i) * 16 + lane / 4 + r * 8;
            const long long at = ((long long)b * {shape.heads} + h) * {shape.queries} + row;
            sum[i][r] = row < {shape.queries} ? sums[at] * {LOG2_E!r}f : 0.0f;
            share[i][r] = row < {shape.queries} ? shares[at] : 0.0f;
        }}
    int turn = 0;
    for (int column0 = first; column0 < last; column0 += {columns}, turn ^= 1) {{
        half_t *k = ks + turn * {columns * width}, *v = vs + turn * {columns * width};
        olympus_await_copies();
        __syncthreads();  // keys and values are there, and nobody reads the last ones any more
        if (column0 + {columns} < last) {{
            fetch<{columns}>(ks + (turn ^ 1) * {columns * width}, key, column0 + {columns}, {shape.keys}, {per_key});
            fetch<{columns}>(vs + (turn ^ 1) * {columns * width}, value, column0 + {columns}, {shape.keys}, {per_key});
        }}
        by_rows = anew(by_rows), by_columns = anew(by_columns);
        float s[{tall}][{columns // 8}][4] = {{}}, t[{tall}][{columns // 8}][4] = {{}};
        #pragma unroll 2
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
        #pragma unroll 2
        for (int d = 0; d < {width // 16}; ++d) {{
            unsigned x[{tall}][4];
            #pragma unroll
            for (int i = 0; i < {tall}; ++i) fragment(x[i], g, by_rows, (warp * {tall} + i) * 16, d);
            #pragma unroll
            for (int j = 0; j < {columns // 16}; ++j) {{
                unsigned y[4];
                fragment(y, v, by_columns, j * 16, d);
                #pragma unroll
                for (int i = 0; i < {tall}; ++i) {{
                    {mma}(t[i][j * 2], x[i], y[0], y[1]);
                    {mma}(t[i][j * 2 + 1], x[i], y[2], y[3]);
                }}
            }}
        }}
        const bool inside = {is_inside(shape, "row0", rows, "column0", columns)};
        #pragma unroll
        for (int i = 0; i < {tall}; ++i)
            #pragma unroll
            for (int j = 0; j < {columns // 8}; ++j)
                #pragma unroll
                for (int e = 0; e < 4; ++e) {{
                    float p = olympus_quick_exp2(fmaf(s[i][j][e], {c}, -sum[i][e / 2]));
                    const int row = row0 + (warp * {tall} + i) * 16 + lane / 4 + e / 2 * 8;
                    const int column = column0 + j * 8 + lane % 4 * 2 + e % 2;
                    if (!inside && !(row < {shape.queries} && column < {shape.keys} && {seen(shape, "row", "column")}))
                        s[i][j][e] = 0;
                    else s[i][j][e] = p * (t[i][j][e] - share[i][e / 2]);
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
                transposed(y, k, by_rows, j * 16, d);
                #pragma unroll
                for (int i = 0; i < {tall}; ++i) {{
                    {mma}(made[i][d * 2], x[i], y[0], y[1]);
                    {mma}(made[i][d * 2 + 1], x[i], y[2], y[3]);
                }}
            }}
        }}
    }}
    olympus_await_copies();
    __syncthreads();
    #pragma unroll
    for (int i = 0; i < {tall}; ++i)
        #pragma unroll
        for (int r = 0; r < 2; ++r)
            #pragma unroll
            for (int j = 0; j < {width // 8}; ++j)
                *(unsigned*)(place(q, (warp * {tall} + i) * 16 + lane / 4 + r * 8, j) + lane % 4 * 2) =
                    {pair}(made[i][j][r * 2] * {shape.scale!r}f, made[i][j][r * 2 + 1] * {shape.scale!r}f);
    __syncwarp();
    put<{tall * 16}>(c_query + of_queries, q, warp * {tall * 16}, row0, {shape.queries}, {per_row});
}}
"""
    shared = (2 * rows + 4 * columns) * width * 2
    return module_of("attended_back", body, tiles * shape.heads * shape.batch, THREADS, shared)


def keys_module(shape: Shape) -> Module:
    """The derivative by keys and values: a block has 64 keys, and goes over the queries of all heads that share them.

    The kernel takes what that of `queries_module` takes, and gives the cotangents of key and value. The scores are
    transposed here: a warp has 16 keys.
    """
    width, (mma, pair), c = shape.width, names(shape), factor(shape)
    rows, columns = BACKWARD_OF_KEYS[width].queries, BACKWARD_OF_KEYS[width].keys
    tiles = -(-shape.keys // columns)
    first, last = query_range(shape, columns)
    per_row, per_key = shape.heads * shape.size, shape.groups * shape.size
    # A query that sees nothing has equal shares of all keys, whose scores change nothing.
    is_blind = "big[at] < -1e38f" if shape.mask is not None else "false"
    body = f"""{tile_functions(shape)}
__device__ __forceinline__ void fetch_all(
    half_t* q, float* big, const half_t* query, const half_t* c_out, const float* sums, const float* shares,
    int b, int h, int row0) {{
    const long long of_queries = ((long long)b * {shape.queries * shape.heads} + h) * {shape.size};
    fetch<{rows}>(q, query + of_queries, row0, {shape.queries}, {per_row});
    fetch<{rows}>(q + {rows * width}, c_out + of_queries, row0, {shape.queries}, {per_row});
    const int row = row0 + (int)threadIdx.x % {rows};  // half of the threads copy sums, the others shares
    const float* from = (int)threadIdx.x < {rows} ? sums : shares;
    olympus_copy_word_async(big + threadIdx.x, from + (((long long)b * {shape.heads} + h) * {shape.queries} + row),
                            row < {shape.queries});
}}

extern "C" __global__ void __launch_bounds__({THREADS}, 2) attended_back(
    const half_t* query, const half_t* key, const half_t* value,{_mask(shape)}
    const float* sums, const half_t* c_out, const float* shares, half_t* c_key, half_t* c_value) {{
    extern __shared__ __align__(128) unsigned char memory[];
    half_t *k = (half_t*)memory, *v = k + {columns * width}, *qs = v + {columns * width};
    float* bigs = (float*)(qs + {4 * rows * width});
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    unsigned by_rows = row_of_lane(), by_columns = column_of_lane();
    const int column0 = (int)blockIdx.x % {tiles} * {columns};
    const int group = (int)blockIdx.x / {tiles} % {shape.groups}, b = (int)blockIdx.x / {tiles * shape.groups};
    const int first = {first} / {rows} * {rows}, each = max(0, ({last} - first + {rows - 1}) / {rows});
    const long long of_keys = ((long long)b * {shape.keys * shape.groups} + group) * {shape.size};
    fetch<{columns}>(k, key + of_keys, column0, {shape.keys}, {per_key});
    fetch<{columns}>(v, value + of_keys, column0, {shape.keys}, {per_key});
    int h = group * {shape.shared_heads}, row0 = first;
    if (each) fetch_all(qs, bigs, query, c_out, sums, shares, b, h, row0);
    float for_k[{width // 8}][4] = {{}}, for_v[{width // 8}][4] = {{}};
    for (int turn = 0; turn < each * {shape.shared_heads}; ++turn) {{
        half_t *q = qs + turn % 2 * {2 * rows * width}, *g = q + {rows * width};
        const float* big = bigs + turn % 2 * {2 * rows};
        const int row_now = row0, h_now = h;
        row0 += {rows};
        if (row0 >= first + each * {rows}) row0 = first, ++h;
        olympus_await_copies();
        __syncthreads();  // the queries are there, and nobody reads the last ones any more
        if (turn + 1 < each * {shape.shared_heads})
            fetch_all(qs + (turn + 1) % 2 * {2 * rows * width}, bigs + (turn + 1) % 2 * {2 * rows}, query, c_out, sums,
                      shares, b, h, row0);
        by_rows = anew(by_rows), by_columns = anew(by_columns);
        float s[{rows // 8}][4] = {{}}, t[{rows // 8}][4] = {{}};
        #pragma unroll 2
        for (int d = 0; d < {width // 16}; ++d) {{
            unsigned x[4];
            fragment(x, k, by_rows, warp * 16, d);
            #pragma unroll
            for (int j = 0; j < {rows // 16}; ++j) {{
                unsigned y[4];
                fragment(y, q, by_columns, j * 16, d);
                {mma}(s[j * 2], x, y[0], y[1]);
                {mma}(s[j * 2 + 1], x, y[2], y[3]);
            }}
        }}
        const bool inside = {is_inside(shape, "row_now", rows, "column0", columns)};
        #pragma unroll
        for (int j = 0; j < {rows // 8}; ++j)
            #pragma unroll
            for (int e = 0; e < 4; ++e) {{
                const int at = j * 8 + lane % 4 * 2 + e % 2, row = row_now + at, h = h_now;
                const int column = column0 + warp * 16 + lane / 4 + e / 2 * 8;
                const bool counts = inside ||
                    row < {shape.queries} && column < {shape.keys} && {seen(shape, "row", "column")};
                s[j][e] = {is_blind} ? {1 / shape.keys!r}f :
                    counts ? olympus_quick_exp2(fmaf(s[j][e], {c}, big[at] * -{LOG2_E!r}f)) : 0.0f;
            }}
        #pragma unroll
        for (int j = 0; j < {rows // 16}; ++j) {{
            unsigned x[4];
            #pragma unroll
            for (int e = 0; e < 4; ++e) x[e] = {pair}(s[j * 2 + e / 2][e % 2 * 2], s[j * 2 + e / 2][e % 2 * 2 + 1]);
            #pragma unroll
            for (int d = 0; d < {width // 16}; ++d) {{
                unsigned y[4];
                transposed(y, g, by_rows, j * 16, d);
                {mma}(for_v[d * 2], x, y[0], y[1]);
                {mma}(for_v[d * 2 + 1], x, y[2], y[3]);
            }}
        }}
        #pragma unroll 2
        for (int d = 0; d < {width // 16}; ++d) {{
            unsigned x[4];
            fragment(x, v, by_rows, warp * 16, d);
            #pragma unroll
            for (int j = 0; j < {rows // 16}; ++j) {{
                unsigned y[4];
                fragment(y, g, by_columns, j * 16, d);
                {mma}(t[j * 2], x, y[0], y[1]);
                {mma}(t[j * 2 + 1], x, y[2], y[3]);
            }}
        }}
        #pragma unroll
        for (int j = 0; j < {rows // 8}; ++j)
            #pragma unroll
            for (int e = 0; e < 4; ++e) {{
                const int at = j * 8 + lane % 4 * 2 + e % 2;
                s[j][e] = {is_blind} ? 0.0f : s[j][e] * (t[j][e] - big[{rows} + at]);
            }}
        #pragma unroll
        for (int j = 0; j < {rows // 16}; ++j) {{
            unsigned x[4];
            #pragma unroll
            for (int e = 0; e < 4; ++e) x[e] = {pair}(s[j * 2 + e / 2][e % 2 * 2], s[j * 2 + e / 2][e % 2 * 2 + 1]);
            #pragma unroll
            for (int d = 0; d < {width // 16}; ++d) {{
                unsigned y[4];
                transposed(y, q, by_rows, j * 16, d);
                {mma}(for_k[d * 2], x, y[0], y[1]);
                {mma}(for_k[d * 2 + 1], x, y[2], y[3]);
            }}
        }}
    }}
    olympus_await_copies();
    __syncthreads();
    #pragma unroll
    for (int r = 0; r < 2; ++r)
        #pragma unroll
        for (int j = 0; j < {width // 8}; ++j) {{
            const int at = warp * 16 + lane / 4 + r * 8;
            *(unsigned*)(place(k, at, j) + lane % 4 * 2) =
                {pair}(for_k[j][r * 2] * {shape.scale!r}f, for_k[j][r * 2 + 1] * {shape.scale!r}f);
            *(unsigned*)(place(v, at, j) + lane % 4 * 2) = {pair}(for_v[j][r * 2], for_v[j][r * 2 + 1]);
        }}
    __syncwarp();
    put<16>(c_key + of_keys, k, warp * 16, column0, {shape.keys}, {per_key});
    put<16>(c_value + of_keys, v, warp * 16, column0, {shape.keys}, {per_key});
}}
"""
    shared = (2 * columns + 4 * rows) * width * 2 + 4 * rows * 4
    return module_of("attended_back", body, tiles * shape.groups * shape.batch, THREADS, shared)


def _mask(shape: Shape) -> str:
    return " const unsigned char* mask," if shape.mask is not None else ""
