# SPDX-License-Identifier: Apache-2.0
"""QR decompositions of batches of small matrices: a block for each, which lies in shared memory.

The reflections are LAPACK's `geqr2`, `larfg` and `org2r` (Anderson et al., LAPACK Users' Guide, 1999): one thread for
each column. cuSOLVER has no call for a batch of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from olympus_core import dtypes

from ..codegen import functions
from ..codegen.module import Module
from ..products.work_steps import module_of

_THREADS = 64
_MOST_BYTES, _MOST = 32 << 10, 128  # of a matrix, and of each of its dimensions
_N = "unsigned long long"
_HEAD = f'extern "C" __global__ void __launch_bounds__({_THREADS}) '


def fits(dtype: np.dtype, rows: int, columns: int) -> bool:
    """Whether the kernels take matrices of a size."""
    return max(rows, columns) <= _MOST and rows * columns * dtype.itemsize <= _MOST_BYTES


def decomposed(dtype: np.dtype, batch: int, rows: int, columns: int) -> Callable[[], Module]:
    """`geqrf`: (matrices, reflections with R, their factors) rows, columns.

    Args:
        dtype: The elements' type.
        batch: Number of matrices.
        rows: Rows of each.
        columns: Columns of each.
    """
    kind, real, of = functions.storage_type(dtype), functions.storage_type(dtypes.real_part(dtype)), _Arithmetic(dtype)
    below = "a[r * columns + k]"
    text = f"""{_HEAD}decomposed(const {kind}* x, {kind}* y, {kind}* factors, {_N} rows, {_N} columns) {{
    extern __shared__ {kind} a[];
    __shared__ {kind} factor, divisor;
    {_N} size = rows * columns, count = rows < columns ? rows : columns;
    x += blockIdx.x * size, y += blockIdx.x * size, factors += blockIdx.x * count;
    for ({_N} i = threadIdx.x; i < size; i += {_THREADS}) a[i] = x[i];
    __syncthreads();
    for ({_N} k = 0; k < count; ++k) {{
        if (threadIdx.x == 0) {{
            {kind} alpha = a[k * columns + k];
            {real} scale = {of.size("alpha")}, sum = 0;
            bool is_zero = {of.imaginary("alpha")} == 0;
            for ({_N} r = k + 1; r < rows; ++r) {{
                scale = max(scale, {of.size(below)});
                is_zero = is_zero && {of.is_zero(below)};
            }}
            if (scale == 0) scale = 1;
            for ({_N} r = k; r < rows; ++r) sum += {of.square(below, "scale")};
            {real} beta = scale * sqrt(sum);
            if (!signbit({of.real("alpha")})) beta = -beta;
            divisor = {of.minus_real("alpha", "beta")};
            factor = {of.factor("alpha", "beta")};
            if (is_zero) factor = {of.zero};
            else a[k * columns + k] = {of.of_real("beta")};
            factors[k] = factor;
        }}
        __syncthreads();
        {kind} tau = {of.conjugate("factor")};
        if (!({of.is_zero("tau")})) {{
            for ({_N} r = k + 1 + threadIdx.x; r < rows; r += {_THREADS}) {below} = {of.divided(below, "divisor")};
            __syncthreads();
{_applied(of, "k", "k + 1")}        }}
        __syncthreads();
    }}
    for ({_N} i = threadIdx.x; i < size; i += {_THREADS}) y[i] = a[i];
}}
"""
    return partial(module_of, "decomposed", text, batch, _THREADS, rows * columns * dtype.itemsize)


def multiplied(dtype: np.dtype, batch: int, rows: int, columns: int) -> Callable[[], Module]:
    """`householder_product`: (reflections, their factors, products) rows, columns, number of factors.

    Args:
        dtype: The elements' type.
        batch: Number of matrices.
        rows: Rows of each.
        columns: Columns of each.
    """
    kind, of = functions.storage_type(dtype), _Arithmetic(dtype)
    own = of.negative(of.product("tau", "a[r * columns + k]"))
    arguments = f"const {kind}* x, const {kind}* factors, {kind}* y, {_N} rows, {_N} columns, {_N} count"
    text = f"""{_HEAD}multiplied({arguments}) {{
    extern __shared__ {kind} a[];
    {_N} size = rows * columns;
    x += blockIdx.x * size, y += blockIdx.x * size, factors += blockIdx.x * count;
    for ({_N} i = threadIdx.x; i < size; i += {_THREADS}) {{
        a[i] = x[i];
        if (i % columns >= count) a[i] = i / columns == i % columns ? {of.one} : {of.zero};
    }}
    __syncthreads();
    for ({_N} k = count; k-- > 0;) {{
        {kind} tau = factors[k];
{_applied(of, "k", "k + 1")}        __syncthreads();
        for ({_N} r = threadIdx.x; r < rows; r += {_THREADS}) {{
            {kind} value = {own};
            if (r < k) value = {of.zero};
            if (r == k) value = {of.difference(of.one, "tau")};
            a[r * columns + k] = value;
        }}
        __syncthreads();
    }}
    for ({_N} i = threadIdx.x; i < size; i += {_THREADS}) y[i] = a[i];
}}
"""
    return partial(module_of, "multiplied", text, batch, _THREADS, rows * columns * dtype.itemsize)


def _applied(of: _Arithmetic, column: str, first: str) -> str:
    """A reflection, whose vector is below the diagonal of a column, applied to the columns from one on."""
    vector, element = f"a[r * columns + {column}]", "a[r * columns + j]"
    return f"""            for ({_N} j = {first} + threadIdx.x; j < columns; j += {_THREADS}) {{
                {of.kind} sum = a[{column} * columns + j];
                for ({_N} r = {column} + 1; r < rows; ++r)
                    sum = {of.sum("sum", of.product(of.conjugate(vector), element))};
                sum = {of.product("tau", "sum")};
                a[{column} * columns + j] = {of.difference(f"a[{column} * columns + j]", "sum")};
                for ({_N} r = {column} + 1; r < rows; ++r)
                    {element} = {of.difference(element, of.product(vector, "sum"))};
            }}
"""


class _Arithmetic:
    """Arithmetic of real or complex numbers, as C++.

    Args:
        dtype: The numbers' type.
    """

    def __init__(self, dtype: np.dtype) -> None:
        self._is_complex, self.kind = dtypes.is_complex(dtype), functions.storage_type(dtype)
        self.zero, self.one = (f"{self.kind}{{0, 0}}", f"{self.kind}{{1, 0}}") if self._is_complex else (
            f"{self.kind}(0)", f"{self.kind}(1)")

    def _either(self, name: str, sign: str, x: str, y: str) -> str:
        return f"olympus_complex_{name}({x}, {y})" if self._is_complex else f"({x} {sign} {y})"

    def sum(self, x: str, y: str) -> str:
        """X + y."""
        return self._either("add", "+", x, y)

    def difference(self, x: str, y: str) -> str:
        """X - y."""
        return self._either("sub", "-", x, y)

    def product(self, x: str, y: str) -> str:
        """X y."""
        return self._either("mul", "*", x, y)

    def divided(self, x: str, y: str) -> str:
        """X / y."""
        return self._either("div", "/", x, y)

    def negative(self, x: str) -> str:
        """-x."""
        return f"olympus_complex_neg({x})" if self._is_complex else f"(-{x})"

    def conjugate(self, x: str) -> str:
        """The conjugate."""
        return f"olympus_complex_conj({x})" if self._is_complex else x

    def real(self, x: str) -> str:
        """The real part."""
        return f"{x}.re" if self._is_complex else x

    def imaginary(self, x: str) -> str:
        """The imaginary part."""
        return f"{x}.im" if self._is_complex else "0"

    def of_real(self, x: str) -> str:
        """A real number as one of this type."""
        return f"{self.kind}{{{x}, 0}}" if self._is_complex else x

    def minus_real(self, x: str, y: str) -> str:
        """X - y of a real y."""
        return f"{self.kind}{{{x}.re - {y}, {x}.im}}" if self._is_complex else f"({x} - {y})"

    def factor(self, alpha: str, beta: str) -> str:
        """(beta - alpha) / beta of a real beta."""
        if self._is_complex:
            return f"{self.kind}{{({beta} - {alpha}.re) / {beta}, -{alpha}.im / {beta}}}"
        return f"({beta} - {alpha}) / {beta}"

    def size(self, x: str) -> str:
        """The greater of both parts' sizes."""
        return f"max(fabs({x}.re), fabs({x}.im))" if self._is_complex else f"fabs({x})"

    def is_zero(self, x: str) -> str:
        """Whether it is zero."""
        return f"{x}.re == 0 && {x}.im == 0" if self._is_complex else f"{x} == 0"

    def square(self, x: str, scale: str) -> str:
        """The square of its size in units of a scale."""
        parts = [f"{x}.re", f"{x}.im"] if self._is_complex else [x]
        return " + ".join(f"({p} / {scale}) * ({p} / {scale})" for p in parts)
