# SPDX-License-Identifier: Apache-2.0
"""CUDA C++ as a language of the toolkit's writer."""

from __future__ import annotations

import numpy as np

from olympus_core import dtypes
from olympus_core.toolkit.c_text import Language

from . import functions


class CudaLanguage(Language):
    """CUDA C++: its functions are overloaded, and `functions/` has them.

    Example:
        >>> CUDA.literal(np.float32(-1.5), dtypes.float32), CUDA.literal(np.int8(-3), dtypes.int8)
        ('-0x1.8000000000000p+0f', '(signed char)-3')
    """

    storage_type = staticmethod(functions.storage_type)
    register_type = staticmethod(functions.register_type)
    function_of = staticmethod(functions.function_of)

    def special(self, number: float, dtype: np.dtype) -> str:
        """By its bits."""
        if dtype == dtypes.float64:
            return f"__longlong_as_double({int(np.float64(number).view(np.int64))}ll)"
        return f"__uint_as_float({hex(int(np.float32(number).view(np.uint32)))}u)"

    def pair(self, real: str, imaginary: str, dtype: np.dtype) -> str:
        """A structure."""
        return f"{self.register_type(dtype)}{{{real}, {imaginary}}}"

    def converted(self, value: str, source: np.dtype, result: np.dtype) -> str:
        """By a function that takes every type."""
        return f"olympus_convert_{result.name}({value})"

    def number(self, text: str, dtype: np.dtype) -> str:
        """By way of double."""
        return f"olympus_convert_{dtype.name}((double)({text}))"

    def bits(self, value: str, source: np.dtype, result: np.dtype) -> str:
        """By way of an unsigned integer."""
        return f"olympus_from_bits_{result.name}(olympus_bits_{source.name}({value}))"

    def given(self, name: str) -> str:
        """A reference."""
        return name


CUDA = CudaLanguage()
literal, loaded, stored, combined, expression = CUDA.literal, CUDA.loaded, CUDA.stored, CUDA.combined, CUDA.expression
