"""OpenCL C as a language of the toolkit's writer."""

from __future__ import annotations

import numpy as np

from olympus_core import dtypes
from olympus_core.toolkit.c_text import Language, is_narrow

from . import functions


class OpenClLanguage(Language):
    """OpenCL C 1.2: nothing is overloaded but its own functions, so names say the types.

    Example:
        >>> OPENCL.literal(np.float32(np.inf), dtypes.float32), OPENCL.literal(np.complex64(1), dtypes.complex64)
        ('as_float(0x7f800000u)', '(float2)(0x1.0000000000000p+0f, 0x0.0p+0f)')
    """

    signed_suffix, unsigned_suffix = "L", "UL"
    register_type = staticmethod(functions.register_type)
    function_of = staticmethod(functions.function_of)

    def storage_type(self, dtype: np.dtype) -> str:
        """By its bits where registers hold it otherwise."""
        return functions.STORAGE[dtype]

    def special(self, number: float, dtype: np.dtype) -> str:
        """By its bits."""
        if dtype == dtypes.float64:
            return f"as_double({hex(int(np.float64(number).view(np.uint64)))}UL)"
        return f"as_float({hex(int(np.float32(number).view(np.uint32)))}u)"

    def pair(self, real: str, imaginary: str, dtype: np.dtype) -> str:
        """A vector of two."""
        return f"({self.register_type(dtype)})({real}, {imaginary})"

    def converted(self, value: str, source: np.dtype, result: np.dtype) -> str:
        """By a function of both types."""
        return f"olympus_convert_{source.name}_to_{result.name}({value})"

    def number(self, text: str, dtype: np.dtype) -> str:
        """From a whole number, rounded once."""
        if is_narrow(dtype):
            return f"olympus_round_{dtype.name}(olympus_single_int64((long)({text})))"
        kind = self.register_type(dtype)
        if dtypes.is_complex(dtype):
            return f"({kind})(({kind.removesuffix('2')})({text}), 0)"
        return f"({kind})({text})"

    def bits(self, value: str, source: np.dtype, result: np.dtype) -> str:
        """By way of an unsigned integer."""
        return f"olympus_frombits_{result.name}(olympus_bits_{source.name}({value}))"

    def given(self, name: str) -> str:
        """A pointer."""
        return f"&{name}"


OPENCL = OpenClLanguage()
