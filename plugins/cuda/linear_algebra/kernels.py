# SPDX-License-Identifier: Apache-2.0
"""Kernels around the library's calls, for all matrices of a batch at once.

Sizes are arguments, so that each text is compiled once for an element type. A matrix has failed if a number that
belongs to it, in an array of `int`, is not zero.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from olympus_core import dtypes

from ..codegen import functions
from ..codegen.module import Module
from ..products.work_steps import module_of

THREADS = 256
TILE, TILE_ROWS = 32, 8
SHARED_ROWS = 8192  # rows up to which the order of rows is made in shared memory
_N = "unsigned long long"
_HEAD = f'extern "C" __global__ void __launch_bounds__({THREADS}) '
_MOST_SHORT = 1 << 31  # elements up to which indices have 32 bits, which divide many times faster
_NAN = {dtypes.float32: "__int_as_float(0x7fc00000)", dtypes.float64: "__longlong_as_double(0x7ff8000000000000ll)"}

Written = Callable[[], Module]


def _index(total: int) -> tuple[str, str]:
    """The type of indices below a total, and the lines that give each thread its own, `i`."""
    kind = "unsigned" if total < _MOST_SHORT else _N
    return kind, f"    {kind} i = ({kind})blockIdx.x * {THREADS} + threadIdx.x;\n    if (i >= total) return;\n"


def one_each(count: int) -> int:
    """The grid that has a thread for each element."""
    return -(-count // THREADS)


def checked(dtype: np.dtype, batch: int, blocks: int, joined: bool, nan_alone: bool = False) -> Written:
    """A matrix has failed if a number is not finite: (numbers, failed) count, from matrix to matrix, step.

    Args:
        dtype: The numbers' type, real.
        batch: Number of matrices.
        blocks: How many blocks look at a matrix.
        joined: Whether a matrix that has failed before remains so. Several blocks need that.
        nan_alone: Whether infinities are as good as others.
    """
    wrong = "value != value" if nan_alone else "!(value - value == 0)"
    text = f"""{_HEAD}checked(const {_type(dtype)}* x, int* failed, {_N} count, {_N} stride, {_N} step, {_N} blocks) {{
    unsigned b = blockIdx.x / (unsigned)blocks;
    const {_type(dtype)}* mine = x + b * stride;
    bool is_wrong = false;
    for ({_N} i = blockIdx.x % (unsigned)blocks * {THREADS} + threadIdx.x; i < count; i += blocks * {THREADS}) {{
        {_type(dtype)} value = mine[i * step];
        is_wrong |= {wrong};
    }}
    is_wrong = __syncthreads_or(is_wrong);
    if (threadIdx.x == 0{" && is_wrong" if joined else ""}) failed[b] = is_wrong;
}}
"""
    return partial(module_of, "checked", text, batch * blocks, THREADS)


def filled(dtype: np.dtype, total: int, with_nan: bool) -> Written:
    """Fills matrices that have failed with NaN or zeros: (numbers, failed) total, numbers of a matrix.

    Args:
        dtype: The numbers' type, real.
        total: All numbers.
        with_nan: Whether with NaN.
    """
    kind, index = _index(total)
    text = (f"{_HEAD}filled({_type(dtype)}* x, const int* failed, {_N} total, {_N} each) {{\n{index}"
            f"    if (failed[i / ({kind})each]) x[i] = {_NAN[dtype] if with_nan else '0'};\n}}\n")
    return partial(module_of, "filled", text, one_each(total), THREADS)


def joined(batch: int) -> Written:
    """Matrices that have failed at one of two places: (failed, elsewhere) number of matrices."""
    _, index = _index(batch)
    text = (f"{_HEAD}joined(int* failed, const int* elsewhere, {_N} total) {{\n{index}"
            "    failed[i] |= elsewhere[i];\n}\n")
    return partial(module_of, "joined", text, one_each(batch), THREADS)


def lower_part(dtype: np.dtype, total: int) -> Written:
    """Zeros above the diagonals of square matrices: (elements) total, rows."""
    zero = "{0, 0}" if dtypes.is_complex(dtype) else "0"
    kind, index = _index(total)
    text = (f"{_HEAD}lower_part({_type(dtype)}* x, {_N} total, {_N} rows) {{\n{index}"
            f"    {kind} n = rows, row = i / n;\n    if (i - row * n > row % n) x[i] = {zero};\n}}\n")
    return partial(module_of, "lower_part", text, one_each(total), THREADS)


def moved(dtype: np.dtype, total: int, conjugated: bool) -> Written:
    """Matrices with contiguous rows one behind the other: (from, to) total, rows, columns, from matrix, from row.

    Args:
        dtype: The elements' type.
        total: All elements of the result.
        conjugated: Whether complex numbers are conjugated.
    """
    kind, index = _index(total)
    text = (f"{_HEAD}moved(const {_type(dtype)}* x, {_type(dtype)}* y, {_N} total, {_N} rows, {_N} columns, "
            f"{_N} stride, {_N} leading) {{\n{index}"
            f"    {kind} line = i / ({kind})columns, j = i - line * ({kind})columns;\n"
            f"    {kind} b = line / ({kind})rows, r = line - b * ({kind})rows;\n"
            f"    y[i] = {_conjugated('x[b * stride + r * leading + j]', dtype, conjugated)};\n}}\n")
    return partial(module_of, "moved", text, one_each(total), THREADS)


def transposed(dtype: np.dtype, batch: int, rows: int, columns: int, conjugated: bool) -> Written:
    """Matrices whose columns are contiguous, with contiguous rows one behind the other.

    Arguments: (from, to) rows, columns, from matrix, from column, with rows and columns of the result.

    Args:
        dtype: The elements' type.
        batch: Number of matrices.
        rows: Rows of the result.
        columns: Columns of the result.
        conjugated: Whether complex numbers are conjugated.
    """
    value, kind = _conjugated("tile[threadIdx.x % 32][r]", dtype, conjugated), _type(dtype)
    text = f"""{_HEAD}transposed(const {kind}* x, {kind}* y, {_N} rows, {_N} columns, {_N} stride, {_N} leading) {{
    __shared__ {kind} tile[{TILE}][{TILE + 1}];
    {_N} across = (columns + {TILE - 1}) / {TILE}, down = (rows + {TILE - 1}) / {TILE}, block = blockIdx.x;
    {_N} c0 = block % across * {TILE}, r0 = block / across % down * {TILE}, b = block / across / down;
    for (unsigned c = threadIdx.x / {TILE}; c < {TILE}; c += {TILE_ROWS})
        if (c0 + c < columns && r0 + threadIdx.x % {TILE} < rows)
            tile[c][threadIdx.x % {TILE}] = x[b * stride + (c0 + c) * leading + r0 + threadIdx.x % {TILE}];
    __syncthreads();
    for (unsigned r = threadIdx.x / {TILE}; r < {TILE}; r += {TILE_ROWS})
        if (r0 + r < rows && c0 + threadIdx.x % {TILE} < columns)
            y[(b * rows + r0 + r) * columns + c0 + threadIdx.x % {TILE}] = {value};
}}
"""
    grid = batch * -(-rows // TILE) * -(-columns // TILE)
    return partial(module_of, "transposed", text, grid, THREADS)


def pointers(batch: int) -> Written:
    """The addresses of matrices: (matrices, addresses) number of matrices, bytes from one to the next."""
    _, index = _index(batch)
    text = (f"{_HEAD}pointers(const unsigned char* x, {_N}* found, {_N} total, {_N} stride) {{\n{index}"
            f"    found[i] = ({_N})(x + i * stride);\n}}\n")
    return partial(module_of, "pointers", text, one_each(batch), THREADS)


def counted_pivots(batch: int, rows: int) -> Written:
    """The library's exchanges, counted from one, as exchanges counted from zero and the order of the rows after them.

    Arguments: (exchanges, order) rows, number of exchanges.

    Args:
        batch: Number of matrices.
        rows: Rows of a matrix.
    """
    is_small = rows <= SHARED_ROWS
    place = f"__shared__ int order[{SHARED_ROWS}]" if is_small else "int* order = mine"
    copied = f"""
    for ({_N} i = threadIdx.x; i < rows; i += {THREADS}) mine[i] = order[i];""" if is_small else ""
    # An exchange that is none, as one that a library makes of NaN may be, leaves the row where it is.
    text = f"""{_HEAD}counted_pivots(int* pivots, int* orders, {_N} rows, {_N} count) {{
    __shared__ int chunk[{THREADS}];
    int* mine = orders + blockIdx.x * rows;
    {place};
    for ({_N} i = threadIdx.x; i < rows; i += {THREADS}) order[i] = (int)i;
    for ({_N} start = 0; start < count; start += {THREADS}) {{
        {_N} i = start + threadIdx.x;
        if (i < count) {{
            int pivot = pivots[blockIdx.x * count + i] - 1;
            if (pivot < (int)i || pivot >= (int)rows) pivot = (int)i;
            pivots[blockIdx.x * count + i] = chunk[threadIdx.x] = pivot;
        }}
        __syncthreads();
        if (threadIdx.x == 0)
            for ({_N} k = start; k < count && k < start + {THREADS}; ++k) {{
                int other = order[chunk[k - start]];
                order[chunk[k - start]] = order[k];
                order[k] = other;
            }}
        __syncthreads();
    }}{copied}
}}
"""
    return partial(module_of, "counted_pivots", text, batch, THREADS)


def complex_vectors(dtype: np.dtype, total: int) -> Written:
    """Complex vectors of the columns that the library gives for real matrices: (values, columns, vectors) total, rows.

    The vectors of two conjugate values are two columns: their real part, and the first one's imaginary part.

    Args:
        dtype: The columns' type, real.
        total: All elements of the result.
    """
    (kind, index), pair, real = _index(total), _type(_complex_of(dtype)), _type(dtype)
    text = f"""{_HEAD}complex_vectors(const {pair}* values, const {real}* columns, {pair}* y, {_N} total, {_N} rows) {{
{index}    {kind} n = rows, j = i % n, r = i / n % n, b = i / n / n;
    const {real}* mine = columns + b * rows * rows + r;
    {real} imaginary = values[b * rows + j].im;
    bool is_first = imaginary > 0 && j + 1 < rows, is_second = imaginary < 0 && j > 0;
    y[i].re = mine[(is_second ? j - 1 : j) * rows];
    y[i].im = is_first ? mine[(j + 1) * rows] : is_second ? -mine[j * rows] : 0;
}}
"""
    return partial(module_of, "complex_vectors", text, one_each(total), THREADS)


def _type(dtype: np.dtype) -> str:
    return functions.storage_type(dtype)


def _complex_of(dtype: np.dtype) -> np.dtype:
    return np.result_type(dtype, dtypes.complex64)


def _conjugated(value: str, dtype: np.dtype, wanted: bool) -> str:
    return f"olympus_complex_conj({value})" if wanted and dtypes.is_complex(dtype) else value

