# SPDX-License-Identifier: Apache-2.0
"""Matrix products by tiled kernels in shared memory, with operands read through any index function."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import OlympusInternalError
from olympus_core.ops.rules import sum_dtype
from olympus_core.program import Operation
from olympus_core.toolkit.c_text import split_index, strides_of

from ..codegen import functions
from ..codegen.module import Module
from .copies import index_type
from .matrices import Dot, roles_of
from .work_steps import module_of

_TILE, _DEPTH, _THREADS, _EACH = 64, 16, 256, 4
_FEWEST_COLUMNS = 16  # with fewer, most of a tile would be empty
_FEW_RESULTS, _LONG_SUM = 1 << 15, 1 << 10  # few long sums are divided among the threads of a block
_ROOT = float(np.float32(math.sqrt(2 / math.pi)))
_ADDITION = {
    "float": "acc = fmaf(x, y, acc);", "double": "acc = fma(x, y, acc);",
    "unsigned int": "acc += x * y;", "unsigned long long": "acc += x * y;",
    "olympus_complex64": "acc.re = fmaf(x.re, y.re, fmaf(-x.im, y.im, acc.re)); "
                         "acc.im = fmaf(x.re, y.im, fmaf(x.im, y.re, acc.im));",
    "olympus_complex128": "acc.re = fma(x.re, y.re, fma(-x.im, y.im, acc.re)); "
                          "acc.im = fma(x.re, y.im, fma(x.im, y.re, acc.im));",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """How a kernel reads its operands and writes its result.

    Args:
        groups: Number of products.
        rows: Rows of each result.
        columns: Columns of each result.
        inner: Contracted elements.
        x: Lines that set `at` for `group`, `row` and `k`, or return false where the element is zero.
        y: The index for `group`, `column` and `k`.
        out: The index for `group`, `row` and `column`.
        index: The type of indices.
        x_lines_up: Whether the first operand is contiguous along `k`; else along `row`.
        y_lines_up: Whether the second operand is contiguous along `k`; else along `column`.
        columns_line_up: Whether the result is contiguous along columns; else along rows.
    """

    groups: int
    rows: int
    columns: int
    inner: int
    x: str
    y: str
    out: str
    index: str
    x_lines_up: bool = True
    y_lines_up: bool = False
    columns_line_up: bool = True


@dataclass(frozen=True, slots=True)
class Epilogue:
    """The function that is applied to each element of a product before it is rounded.

    Args:
        bias: Whether a vector, the third operand, is added to each row.
        relu: Whether ReLU is applied after the bias; NaN stays NaN.
        gelu: Whether GELU in its tanh form is applied after the bias.
    """

    bias: bool = False
    relu: bool = False
    gelu: bool = False


def sum_type(source: np.dtype, result: np.dtype) -> np.dtype | None:
    """The element type of sums, as in the reference; None where it is not of the operands' kind."""
    wide = sum_dtype(source, result)
    if dtypes.is_integer(source):
        if not dtypes.is_integer(wide):
            return None
        # Sums that wrap around have the right low bits in any wider unsigned type.
        return dtypes.uint64 if max(wide.itemsize, result.itemsize) > 4 else dtypes.uint32
    return wide if dtypes.is_float(source) or dtypes.is_complex(source) else None


def tiled_module(
    source: np.dtype, result: np.dtype, reading: Reading, epilogue: Epilogue | None = None
) -> Module:
    """The kernel of a product of types that `sum_type` supports."""
    wide = sum_type(source, result)
    if wide is None:
        raise OlympusInternalError(f"no kernel adds products of {source.name} up to {result.name}")
    if reading.columns < _FEWEST_COLUMNS:
        return _direct_module(source, result, wide, reading, epilogue)
    sums, kept = functions.register_type(wide), functions.storage_type(source)
    index, r = reading.index, reading
    column_tiles, row_tiles = -(-r.columns // _TILE), -(-r.rows // _TILE)
    zero = "{0, 0}" if dtypes.is_complex(wide) else "0"
    store = _stored(source, result, "acc[i][j]")
    bias, after = _epilogue_text(result, epilogue or Epilogue(), "acc[i][j]")
    body = f"""{_readers(source, wide, r)}
extern "C" __global__ void __launch_bounds__({_THREADS}) multiplied(
    const {kept}* x, const {kept}* y,{bias} {functions.storage_type(result)}* out) {{
    __shared__ {sums} xs[{_DEPTH}][{_TILE + 1}], ys[{_DEPTH}][{_TILE + 1}];
    {index} column0 = blockIdx.x % {column_tiles} * {_TILE}, row0 = blockIdx.x / {column_tiles} % {row_tiles} * {_TILE};
    {index} group = blockIdx.x / {column_tiles * row_tiles};
    unsigned across = threadIdx.x % {_DEPTH}, down = threadIdx.x / {_DEPTH};
    {sums} acc[{_EACH}][{_EACH}] = {{}};
    for ({index} k0 = 0; k0 < {r.inner}; k0 += {_DEPTH}) {{
        for (unsigned i = threadIdx.x; i < {_TILE * _DEPTH}; i += {_THREADS}) {{
            unsigned k = {f"i % {_DEPTH}" if r.x_lines_up else f"i / {_TILE}"};
            unsigned row = {f"i / {_DEPTH}" if r.x_lines_up else f"i % {_TILE}"};
            {sums} value = {zero};
            if (row0 + row >= {r.rows} || k0 + k >= {r.inner} || !first(x, group, row0 + row, k0 + k, value))
                value = {zero};
            xs[k][row] = value;
        }}
        for (unsigned i = threadIdx.x; i < {_TILE * _DEPTH}; i += {_THREADS}) {{
            unsigned k = {f"i % {_DEPTH}" if r.y_lines_up else f"i / {_TILE}"};
            unsigned column = {f"i / {_DEPTH}" if r.y_lines_up else f"i % {_TILE}"};
            {sums} value = {zero};
            if (column0 + column < {r.columns} && k0 + k < {r.inner}) second(y, group, column0 + column, k0 + k, value);
            ys[k][column] = value;
        }}
        __syncthreads();
        for (unsigned k = 0; k < {_DEPTH}; ++k) {{
            {sums} from_x[{_EACH}], from_y[{_EACH}];
            for (int i = 0; i < {_EACH}; ++i) from_x[i] = xs[k][down + {_DEPTH} * i];
            for (int j = 0; j < {_EACH}; ++j) from_y[j] = ys[k][across + {_DEPTH} * j];
            for (int i = 0; i < {_EACH}; ++i)
                for (int j = 0; j < {_EACH}; ++j) add(from_x[i], from_y[j], acc[i][j]);
        }}
        __syncthreads();
    }}
    for (int i = 0; i < {_EACH}; ++i) {{
        for (int j = 0; j < {_EACH}; ++j) {{
            {index} row = row0 + down + {_DEPTH} * i, column = column0 + across + {_DEPTH} * j;
            if (row >= {r.rows} || column >= {r.columns}) continue;{after}
            out[{r.out}] = {store};
        }}
    }}
}}
"""
    return module_of("multiplied", body, column_tiles * row_tiles * r.groups, _THREADS)


def _direct_module(
    source: np.dtype, result: np.dtype, wide: np.dtype, r: Reading, epilogue: Epilogue | None
) -> Module:
    """The kernel for results with few columns: a thread for each element, or a block where elements are few."""
    sums, kept, index = functions.register_type(wide), functions.storage_type(source), r.index
    bias, after = _epilogue_text(result, epilogue or Epilogue(), "acc")
    total, across = r.groups * r.rows * r.columns, r.groups * r.columns
    # Neighbouring threads write adjacent elements.
    row, group, column = (
        (f"i / {across}", f"i % {across} / {r.columns}", f"i % {r.columns}") if r.columns_line_up else
        (f"i % {r.rows}", f"i / {r.rows * r.columns}", f"i / {r.rows} % {r.columns}"))
    in_blocks = total < _FEW_RESULTS and r.inner >= _LONG_SUM
    start, first, step, together = f"({index})blockIdx.x * {_THREADS} + threadIdx.x", "0", 1, ""
    if in_blocks:
        start, first, step = "blockIdx.x", "threadIdx.x", _THREADS
        one = f"{sums}{{1, 0}}" if dtypes.is_complex(wide) else f"({sums})1"
        together = f"""
    __shared__ {sums} parts[{_THREADS}];
    parts[threadIdx.x] = acc;
    __syncthreads();
    for (unsigned half = {_THREADS // 2}; half > 0; half /= 2) {{
        if (threadIdx.x < half) add(parts[threadIdx.x + half], {one}, parts[threadIdx.x]);
        __syncthreads();
    }}
    if (threadIdx.x > 0) return;
    acc = parts[0];"""
    body = f"""{_readers(source, wide, r)}
extern "C" __global__ void __launch_bounds__({_THREADS}) multiplied(
    const {kept}* x, const {kept}* y,{bias} {functions.storage_type(result)}* out) {{
    {index} i = {start};
    if (i >= {total}) return;
    {index} row = {row}, group = {group}, column = {column};
    {sums} acc = {{}}, from_x, from_y;
    for ({index} k = {first}; k < {r.inner}; k += {step}) {{
        if (!first(x, group, row, k, from_x)) continue;
        second(y, group, column, k, from_y);
        add(from_x, from_y, acc);
    }}{together}
    {after}
    out[{r.out}] = {_stored(source, result, "acc")};
}}
"""
    return module_of("multiplied", body, total if in_blocks else -(-total // _THREADS), _THREADS)


def _readers(source: np.dtype, wide: np.dtype, r: Reading) -> str:
    """Device functions that read an element of each operand, and that add a product."""
    sums, kept, index, head = (functions.register_type(wide), functions.storage_type(source), r.index,
                               "__device__ __forceinline__")
    # Integers are widened by their own sign.
    load = f"olympus_convert_{wide.name}(olympus_load_{source.name}(x[at]))"
    if dtypes.is_integer(source):
        load = f"({sums})x[at]"
    return f"""{head} bool first(const {kept}* x, {index} group, {index} row, {index} k, {sums}& value) {{
    {index} at;
    {r.x}
    value = {load};
    return true;
}}

{head} void second(const {kept}* x, {index} group, {index} column, {index} k, {sums}& value) {{
    {index} at = {r.y};
    value = {load};
}}

{head} void add({sums} x, {sums} y, {sums}& acc) {{ {_ADDITION[sums]} }}
"""


def _stored(source: np.dtype, result: np.dtype, value: str) -> str:
    """A sum converted to the result's storage type."""
    if dtypes.is_integer(source):
        return f"({functions.storage_type(result)}){value}"
    return f"olympus_store_{result.name}(olympus_convert_{result.name}({value}))"


def epilogue_module(dtype: np.dtype, rows: int, columns: int, epilogue: Epilogue) -> Module:
    """A kernel that applies an epilogue in place, where the library cannot."""
    bias, after = _epilogue_text(dtype, epilogue, "value")
    index, stored = index_type(rows * columns), functions.storage_type(dtype)
    body = f"""extern "C" __global__ void __launch_bounds__({_THREADS}) finished({bias} {stored}* out) {{
    {index} i = ({index})blockIdx.x * {_THREADS} + threadIdx.x, column = i % {columns};
    if (i >= {rows * columns}) return;
    {functions.register_type(dtype)} value = olympus_load_{dtype.name}(out[i]);
    {after}
    out[i] = olympus_store_{dtype.name}(value);
}}
"""
    return module_of("finished", body, -(-rows * columns // _THREADS), _THREADS)


def _epilogue_text(dtype: np.dtype, epilogue: Epilogue, value: str) -> tuple[str, str]:
    """The parameter for the bias, and the epilogue of the element in `column`; sums are float32 here."""
    stored = functions.storage_type(dtype)
    parameter = f" const {stored}* bias," if epilogue.bias else ""
    text = f" {value} += olympus_load_{dtype.name}(bias[column]);" if epilogue.bias else ""
    if epilogue.relu:
        text += f" if ({value} < 0) {value} = 0;"
    if epilogue.gelu:
        inner = f"{_ROOT}f * ({value} + 0.044715f * {value} * {value} * {value})"
        text += f" {value} = 0.5f * {value} * (1.0f + olympus_float_tanh({inner}));"
    return parameter, text


def reading_of_dot(operation: Operation) -> Reading:
    """The index functions of a `dot_general` whose operands are read in place."""
    dot: Dot = roles_of(operation)
    batch, rows, columns, inner = dot.sizes
    x = [split_index(name, [(a.size, a.x) for a in axes])
         for name, axes in (("group", dot.batch), ("row", dot.rows), ("k", dot.inner))]
    y = [split_index(name, [(a.size, a.y) for a in axes])
         for name, axes in (("group", dot.batch), ("column", dot.columns), ("k", dot.inner))]
    whole = strides_of((batch, rows, columns))
    return Reading(
        batch, rows, columns, inner, f"at = {' + '.join(x)};", " + ".join(y),
        f"group * {whole[0]} + row * {whole[1]} + column",
        index_type(*(v.type.size for v in (*operation.operands, *operation.results))),
        _lines_up([a.x for a in dot.inner]), _lines_up([a.y for a in dot.inner]),
    )


def _lines_up(strides: list[int]) -> bool:
    return 1 in strides
