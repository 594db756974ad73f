# SPDX-License-Identifier: Apache-2.0
"""The operation table of the CPU platform: NumPy functions for the frequent operations, references for the others.

Every entry must give the reference's result; `tests/cpu/fallback/test_table.py` compares them. Narrow floats, integer
division and saturating conversions have no entry and run by their references.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.program import Operation
from olympus_core.toolkit import Kernel, KernelFactory, OperationTable, table_from_references

from ..fourier.table import FOURIER
from ..linear_algebra import LINEAR_ALGEBRA
from .data_movement import DATA_MOVEMENT
from .matmul import dot_general
from .sorting import SORT_FACTORIES

_FLOATS: frozenset[np.dtype] = frozenset({dtypes.float32, dtypes.float64})
_COMPLEXES: frozenset[np.dtype] = frozenset(dtypes.COMPLEXES)
_INTEGERS: frozenset[np.dtype] = frozenset(dtypes.INTEGERS)
_BOOL: frozenset[np.dtype] = frozenset({dtypes.bool_})
_NUMBERS: frozenset[np.dtype] = _FLOATS | _COMPLEXES | _INTEGERS
_ORDERED: frozenset[np.dtype] = _FLOATS | _INTEGERS | _BOOL

_UFUNCS: dict[str, tuple[np.ufunc, frozenset[np.dtype]]] = {
    "neg": (np.negative, _NUMBERS), "abs": (np.absolute, _FLOATS | _COMPLEXES),
    "floor": (np.floor, _FLOATS), "ceil": (np.ceil, _FLOATS), "round": (np.rint, _FLOATS),
    "sqrt": (np.sqrt, _FLOATS | _COMPLEXES),
    "is_finite": (np.isfinite, _FLOATS), "not": (np.invert, _INTEGERS | _BOOL),
    "add": (np.add, _NUMBERS), "sub": (np.subtract, _NUMBERS), "mul": (np.multiply, _NUMBERS),
    "div": (np.divide, _FLOATS | _COMPLEXES), "pow": (np.power, _FLOATS),
    "max": (np.maximum, _ORDERED), "min": (np.minimum, _ORDERED),
    "and": (np.bitwise_and, _INTEGERS | _BOOL), "or": (np.bitwise_or, _INTEGERS | _BOOL),
    "xor": (np.bitwise_xor, _INTEGERS | _BOOL),
    "eq": (np.equal, _NUMBERS | _BOOL), "ne": (np.not_equal, _NUMBERS | _BOOL),
    "lt": (np.less, _ORDERED), "le": (np.less_equal, _ORDERED),
    "gt": (np.greater, _ORDERED), "ge": (np.greater_equal, _ORDERED),
}

# NumPy's float32 versions err in the last digit; in float64 and rounded once they are what the reference gives.
_PRECISE_UFUNCS: dict[str, np.ufunc] = {
    "exp": np.exp, "expm1": np.expm1, "log": np.log, "log1p": np.log1p, "sin": np.sin, "cos": np.cos, "tan": np.tan,
    "tanh": np.tanh, "atan2": np.arctan2,
}

_REDUCTIONS: dict[str, tuple[np.ufunc, frozenset[np.dtype]]] = {
    "reduce_sum": (np.add, _NUMBERS), "reduce_prod": (np.multiply, _NUMBERS),
    "reduce_max": (np.maximum, _ORDERED), "reduce_min": (np.minimum, _ORDERED),
    "reduce_and": (np.bitwise_and, _INTEGERS | _BOOL), "reduce_or": (np.bitwise_or, _INTEGERS | _BOOL),
}


def _precise_factory(ufunc: np.ufunc) -> KernelFactory:
    plain = _ufunc_factory(ufunc, _FLOATS)

    def make(operation: Operation) -> Kernel | None:
        dtype = operation.operands[0].type.dtype
        if dtype != dtypes.float32:
            return plain(operation) if dtype == dtypes.float64 else None
        wide, asarray = dtypes.float64, np.asarray

        def run(*operands: np.ndarray) -> np.ndarray:
            return asarray(ufunc(*(x.astype(wide) for x in operands))).astype(dtype)

        return Kernel(run, is_fresh=True)

    return make


def _ufunc_factory(ufunc: np.ufunc, accepted: frozenset[np.dtype]) -> KernelFactory:
    def make(operation: Operation) -> Kernel | None:
        if operation.operands[0].type.dtype not in accepted:
            return None
        return Kernel(ufunc if operation.results[0].type.ndim else _as_array(ufunc), is_fresh=True)

    return make


def _reduction_factory(ufunc: np.ufunc, accepted: frozenset[np.dtype]) -> KernelFactory:
    def make(operation: Operation) -> Kernel | None:
        type, axes = operation.operands[0].type, tuple(operation.attributes["dimensions"])
        if type.dtype not in accepted or type.size == 0 or not axes:
            return None
        reduce, dtype = ufunc.reduce, type.dtype
        if operation.results[0].type.ndim:
            return Kernel(lambda x: reduce(x, axes, dtype), is_fresh=True)
        asarray = np.asarray
        return Kernel(lambda x: asarray(reduce(x, axes, dtype)), is_fresh=True)

    return make


def _as_array(function: Callable[..., Any]) -> Callable[..., np.ndarray]:
    """A function that gives arrays where NumPy gives scalars."""
    asarray = np.asarray
    return lambda *operands: asarray(function(*operands))


def _select(operation: Operation) -> Kernel | None:
    predicate, on_true = operation.operands[0].type, operation.operands[1].type
    return Kernel(np.where, is_fresh=True) if predicate.shape == on_true.shape else None


def _convert(operation: Operation) -> Kernel | None:
    source, target = operation.operands[0].type.dtype, operation.results[0].type.dtype
    to_wide = source in _FLOATS | _INTEGERS | _BOOL and target in _FLOATS | _COMPLEXES
    if not (to_wide or (source in _INTEGERS | _BOOL and target in _INTEGERS)):
        return None
    return Kernel(lambda x: x.astype(target, "K", "unsafe", True, False), is_fresh=source != target)


def _constant(operation: Operation) -> Kernel:
    value = operation.attributes["value"]
    return Kernel(lambda: value)


@lru_cache(maxsize=1)
def cpu_table() -> OperationTable:
    """The table of the CPU platform."""
    factories: dict[str, KernelFactory] = {name: _ufunc_factory(*entry) for name, entry in _UFUNCS.items()}
    factories.update({name: _precise_factory(ufunc) for name, ufunc in _PRECISE_UFUNCS.items()})
    factories.update({name: _reduction_factory(*entry) for name, entry in _REDUCTIONS.items()})
    factories.update(DATA_MOVEMENT)
    factories.update(SORT_FACTORIES)
    factories.update(FOURIER)
    factories.update(LINEAR_ALGEBRA)
    factories.update(select=_select, convert=_convert, constant=_constant, dot_general=dot_general)
    references = table_from_references()
    return OperationTable(references.functions, factories, guard=references.guard, settle=settle)


def settle(array: np.ndarray) -> np.ndarray:
    """A result in row-major order that does not keep a much larger array alive; a copy where needed."""
    base = array.base
    if base is None or array.flags.c_contiguous and getattr(base, "nbytes", 0) <= 2 * array.nbytes + 1024:
        return array
    return array.copy("C")
