# SPDX-License-Identifier: Apache-2.0
"""An operation table out of an array-API namespace; what the namespace lacks runs in NumPy on the host."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.program import Operation

from .optable import Kernel, KernelFactory, OperationTable, TableFunction, table_from_references
from .quiet import quietly

_REAL: frozenset[np.dtype] = frozenset({dtypes.float32, dtypes.float64})
_FLOATING: frozenset[np.dtype] = _REAL | frozenset(dtypes.COMPLEXES)
_INTEGERS: frozenset[np.dtype] = frozenset(dtypes.INTEGERS)
_BOOL: frozenset[np.dtype] = frozenset({dtypes.bool_})
_NUMBERS: frozenset[np.dtype] = _FLOATING | _INTEGERS

# Operation: the standard's function, and the element types for which both mean the same.
_ELEMENTWISE: dict[str, tuple[str, frozenset[np.dtype]]] = {
    "neg": ("negative", _NUMBERS - frozenset(dtypes.UNSIGNED)), "abs": ("abs", _FLOATING),
    "floor": ("floor", _REAL), "ceil": ("ceil", _REAL), "round": ("round", _REAL),
    "exp": ("exp", _FLOATING), "expm1": ("expm1", _REAL), "log": ("log", _FLOATING), "log1p": ("log1p", _REAL),
    "sqrt": ("sqrt", _FLOATING), "sin": ("sin", _FLOATING), "cos": ("cos", _FLOATING), "tan": ("tan", _REAL),
    "asin": ("asin", _REAL), "acos": ("acos", _REAL), "atan": ("atan", _REAL), "sinh": ("sinh", _REAL),
    "cosh": ("cosh", _REAL), "tanh": ("tanh", _REAL), "asinh": ("asinh", _REAL), "acosh": ("acosh", _REAL),
    "atanh": ("atanh", _REAL), "is_finite": ("isfinite", _REAL),
    "add": ("add", _NUMBERS), "sub": ("subtract", _NUMBERS), "mul": ("multiply", _NUMBERS),
    "div": ("divide", _FLOATING), "pow": ("pow", _REAL), "atan2": ("atan2", _REAL),
    "and": ("bitwise_and", _INTEGERS), "or": ("bitwise_or", _INTEGERS), "xor": ("bitwise_xor", _INTEGERS),
    "not": ("bitwise_invert", _INTEGERS),
    "eq": ("equal", _NUMBERS | _BOOL), "ne": ("not_equal", _NUMBERS | _BOOL), "lt": ("less", _REAL | _INTEGERS),
    "le": ("less_equal", _REAL | _INTEGERS), "gt": ("greater", _REAL | _INTEGERS),
    "ge": ("greater_equal", _REAL | _INTEGERS),
}
_REDUCTIONS: dict[str, tuple[str, frozenset[np.dtype]]] = {
    "reduce_sum": ("sum", _NUMBERS), "reduce_prod": ("prod", _NUMBERS),
    "reduce_max": ("max", _INTEGERS), "reduce_min": ("min", _INTEGERS),
}
_LOGICAL = {"and": "logical_and", "or": "logical_or", "xor": "logical_xor", "not": "logical_not"}


def table_from_namespace(
    namespace: Any, to_host: Callable[[Any], np.ndarray] = np.asarray,
    from_host: Callable[[np.ndarray], Any] | None = None,
) -> OperationTable:
    """The operations of an array-API namespace, such as NumPy's or PyTorch's.

    Args:
        namespace: A module with the functions of the array-API standard.
        to_host: Makes a NumPy array of one of its arrays.
        from_host: Makes one of a NumPy array; the namespace's `asarray` when None.

    Example:
        >>> table_from_namespace(np).names >= {"sin", "reshape", "sort"}
        True
    """
    from olympus_core.ops import OPERATIONS

    to_device = namespace.asarray if from_host is None else from_host
    references = table_from_references().functions
    functions = {
        # What calls the user's Python is given host arrays, and gives them.
        name: function if OPERATIONS[name].category == "host" else _through_numpy(function, to_host, to_device)
        for name, function in references.items()
    }
    factories: dict[str, KernelFactory] = {}
    for name, (function_name, accepted) in _ELEMENTWISE.items():
        factories[name] = _elementwise(getattr(namespace, function_name, None), accepted,
                                    getattr(namespace, _LOGICAL.get(name, ""), None))
    for name, (function_name, accepted) in _REDUCTIONS.items():
        factories[name] = _reduction(getattr(namespace, function_name, None), accepted)
    factories.update(
        concatenate=lambda operation: _concatenate(namespace, operation),
        dot_general=lambda operation: _matmul(namespace, operation),
    )
    trials = _Trials(to_host, to_device)
    factories = {name: trials.guarded(factory) for name, factory in factories.items()}
    factories.update(
        reshape=_shaped(namespace.reshape, "shape"), transpose=_shaped(namespace.permute_dims, "permutation"),
        broadcast_in_dim=lambda operation: _broadcast(namespace, operation),
    )
    factories = {name: _keeping_arrays(factory, to_device) for name, factory in factories.items()}
    return OperationTable(functions, factories, to_device, to_host, guard=quietly)


class _Trials:
    """Whether a namespace's functions take an element type: not every library does all that the standard asks for.

    Args:
        to_host: Makes a NumPy array of one of its arrays.
        to_device: Makes one of a NumPy array.
    """

    def __init__(self, to_host: Callable[[Any], np.ndarray], to_device: Callable[[np.ndarray], Any]) -> None:
        self._read, self._make = to_host, to_device
        self._answers: dict[tuple[Any, ...], bool] = {}

    def guarded(self, factory: KernelFactory) -> KernelFactory:
        """The factory; it leaves operations whose kernel fails on ones, or gives another type, to the references."""

        def make(operation: Operation) -> Kernel | None:
            kernel = factory(operation)
            if kernel is None:
                return None
            key = (operation.name, operation.results[0].type.dtype,
                   *((v.type.dtype, v.type.ndim) for v in operation.operands))
            if key not in self._answers:
                self._answers[key] = self._works(kernel, operation)
            return kernel if self._answers[key] else None

        return make

    def _works(self, kernel: Kernel, operation: Operation) -> bool:
        ones = [self._make(np.ones((1,) * v.type.ndim, v.type.dtype)) for v in operation.operands]
        try:
            result = self._read(quietly(kernel.function, *ones))
        except Exception:  # noqa: BLE001  (whatever a library says to refuse)
            return False
        return result.dtype == operation.results[0].type.dtype


def _keeping_arrays(factory: KernelFactory, to_device: Callable[[Any], Any]) -> KernelFactory:
    """NumPy's namespace gives scalars where the standard wants arrays without dimensions."""

    def make(operation: Operation) -> Kernel | None:
        kernel = factory(operation)
        if kernel is None or operation.results[0].type.ndim:
            return kernel
        return Kernel(_with_arrays(kernel.function, to_device))

    return make


def _with_arrays(function: Callable[..., Any], to_device: Callable[[Any], Any]) -> Callable[..., Any]:
    def kernel(*operands: Any) -> Any:
        result = function(*operands)
        return to_device(np.asarray(result)) if isinstance(result, np.generic) else result

    return kernel


def _through_numpy(
    reference: TableFunction, to_host: Callable[[Any], np.ndarray], to_device: Callable[[np.ndarray], Any]
) -> TableFunction:
    def function(operands: Sequence[Any], attributes: Mapping[str, Any]) -> tuple[Any, ...]:
        results = reference([to_host(x) for x in operands], attributes)
        # Copies: the namespace may take the memory over, and references may give an operand back.
        return tuple(to_device(np.array(r)) for r in results)

    return function


def _elementwise(function: Any, accepted: frozenset[np.dtype], logical: Any) -> KernelFactory:
    def make(operation: Operation) -> Kernel | None:
        dtype = operation.operands[0].type.dtype
        if dtype in _BOOL and logical is not None:
            return Kernel(logical)
        return Kernel(function) if function is not None and dtype in accepted else None

    return make


def _reduction(function: Any, accepted: frozenset[np.dtype]) -> KernelFactory:
    def make(operation: Operation) -> Kernel | None:
        type, axes = operation.operands[0].type, tuple(operation.attributes["dimensions"])
        if function is None or type.dtype not in accepted or not type.size or not axes:
            return None
        if operation.record.exactness.kind in ("sum", "product"):
            return Kernel(lambda x: function(x, axis=axes, dtype=x.dtype))
        return Kernel(lambda x: function(x, axis=axes))

    return make


def _shaped(function: Any, attribute: str) -> KernelFactory:
    def make(operation: Operation) -> Kernel:
        value = tuple(operation.attributes[attribute])
        return Kernel(lambda x: function(x, value))

    return make


def _broadcast(namespace: Any, operation: Operation) -> Kernel:
    operand, result = operation.operands[0].type, operation.results[0].type
    aligned = [1] * result.ndim
    for size, dimension in zip(operand.shape, operation.attributes["dimensions"], strict=True):
        aligned[dimension] = size
    middle, shape = tuple(aligned), result.shape
    return Kernel(lambda x: namespace.broadcast_to(namespace.reshape(x, middle), shape))


def _concatenate(namespace: Any, operation: Operation) -> Kernel:
    axis = operation.attributes["dimension"]
    return Kernel(lambda *operands: namespace.concat(operands, axis=axis))


def _matmul(namespace: Any, operation: Operation) -> Kernel | None:
    (x, y), attributes = [v.type for v in operation.operands], operation.attributes
    plain = tuple(attributes["lhs_contracting"]) == (1,) and tuple(attributes["rhs_contracting"]) == (0,)
    plain = plain and not attributes["lhs_batch"]
    is_one_type = x.dtype == y.dtype == operation.results[0].type.dtype
    if not plain or x.ndim != 2 or y.ndim != 2 or x.dtype not in _NUMBERS or not is_one_type:
        return None
    return Kernel(namespace.matmul)
