# SPDX-License-Identifier: Apache-2.0
"""What differs between languages of C's family that are written from loop nests: types, literals, functions' names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import OlympusInternalError
from olympus_core.ops import OPERATIONS

_OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
_INFIX = frozenset({dtypes.float32, dtypes.float64})


def is_narrow(dtype: np.dtype) -> bool:
    """Whether registers hold the elements as float32, so that results have to be rounded.

    Example:
        >>> is_narrow(dtypes.bfloat16), is_narrow(dtypes.float32), is_narrow(dtypes.int8)
        (True, False, False)
    """
    return dtypes.is_float(dtype) and dtype.itemsize < 4


class Language(ABC):
    """How elements, constants and operations are written; what a `Writer` is made with.

    Narrow floats are float32 in registers. The functions that a text calls are the platform's to put before it: for
    each type whose storage is not its register ``olympus_load_<dtype>`` and ``olympus_store_<dtype>``, for narrow
    floats ``olympus_round_<dtype>``, and what `function_of`, `converted` and `bits` name.
    """

    signed_suffix, unsigned_suffix = "ll", "ull"  # of literals of 64 bits

    @abstractmethod
    def storage_type(self, dtype: np.dtype) -> str:
        """The type of elements in memory."""

    @abstractmethod
    def register_type(self, dtype: np.dtype) -> str:
        """The type of elements in registers."""

    @abstractmethod
    def function_of(self, operation: str, dtype: np.dtype, result: np.dtype | None = None) -> str | None:
        """The function of an elementwise operation on operands of a type, or None; the caller rounds narrow results."""

    @abstractmethod
    def special(self, number: float, dtype: np.dtype) -> str:
        """Infinity or NaN, of float32 or float64."""

    @abstractmethod
    def pair(self, real: str, imaginary: str, dtype: np.dtype) -> str:
        """A complex number of its parts."""

    @abstractmethod
    def converted(self, value: str, source: np.dtype, result: np.dtype) -> str:
        """An element of a type as one of another type."""

    @abstractmethod
    def number(self, text: str, dtype: np.dtype) -> str:
        """An expression in loop indices as an element of a type that is not whole numbers."""

    @abstractmethod
    def bits(self, value: str, source: np.dtype, result: np.dtype) -> str:
        """An element with the bits of an element of another type of its size."""

    @abstractmethod
    def given(self, name: str) -> str:
        """The argument by which a function with several results is told the variable for one."""

    def literal(self, value: Any, dtype: np.dtype) -> str:
        """A constant of the register type of an element type, exact to the bit."""
        if dtypes.is_bool(dtype):
            return "true" if value else "false"
        if dtypes.is_integer(dtype):
            return self._integer(int(value), dtype)
        if dtypes.is_complex(dtype):
            part = dtypes.float32 if dtype.itemsize == 8 else dtypes.float64
            number = complex(value)
            return self.pair(self._float(number.real, part), self._float(number.imag, part), dtype)
        return self._float(value, dtypes.float64 if dtype == dtypes.float64 else dtypes.float32)

    def _integer(self, number: int, dtype: np.dtype) -> str:
        if dtype.itemsize == 8:
            if dtype.kind == "u":
                return f"{number}{self.unsigned_suffix}"
            suffix = self.signed_suffix
            return f"({number + 1}{suffix} - 1)" if number == -(1 << 63) else f"{number}{suffix}"
        if dtype.itemsize == 4:
            if dtype.kind == "u":
                return f"{number}u"
            return f"({number + 1} - 1)" if number == -(1 << 31) else str(number)
        return f"({self.register_type(dtype)}){number}"

    def _float(self, value: Any, dtype: np.dtype) -> str:
        number = float(value)
        if not np.isfinite(number):
            return self.special(value, dtype)
        return number.hex() + ("" if dtype == dtypes.float64 else "f")

    def loaded(self, value: str, dtype: np.dtype) -> str:
        """An element of memory as a register value."""
        return f"olympus_load_{dtype.name}({value})" if self._is_packed(dtype) else value

    def stored(self, value: str, dtype: np.dtype) -> str:
        """A register value as it is stored in memory."""
        return f"olympus_store_{dtype.name}({value})" if self._is_packed(dtype) else value

    def _is_packed(self, dtype: np.dtype) -> bool:
        return self.register_type(dtype) != self.storage_type(dtype)

    def combined(self, operation: str, dtype: np.dtype, x: str, y: str, rounded: bool = True) -> str:
        """Two elements combined by a reduction's operation."""
        return self.expression(operation, [x, y], [dtype, dtype], dtype, rounded)

    def expression(
        self, name: str, operands: Sequence[str], types: Sequence[np.dtype], result: np.dtype, rounded: bool = True
    ) -> str:
        """An elementwise operation on register values.

        Args:
            name: The operation.
            operands: Its operands, as expressions.
            types: Their element types.
            result: The result's element type.
            rounded: Whether a narrow result is rounded to its type.

        Raises:
            OlympusInternalError: Where the language has no function for the operation.
        """
        if name == "select":
            return self.chosen(*operands)
        if name == "convert":
            return operands[0] if types[0] == result else self.converted(operands[0], types[0], result)
        if name == "bitcast_convert":
            return self.bits(operands[0], types[0], result)
        if types[0] in _INFIX and name in _OPERATORS:
            return f" {_OPERATORS[name]} ".join(operands)
        function = self.function_of(name, types[0], result)
        if function is None:
            raise OlympusInternalError(f"there is no device function for {name} on {types[0].name}")
        value = f"{function}({', '.join(operands)})"
        if rounded and is_narrow(result) and OPERATIONS[name].exactness.kind != "exact":
            value = f"olympus_round_{result.name}({value})"
        return value

    def chosen(self, which: str, x: str, y: str) -> str:
        """One of two elements."""
        return f"{which} ? {x} : {y}"
