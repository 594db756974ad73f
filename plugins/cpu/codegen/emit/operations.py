# SPDX-License-Identifier: Apache-2.0
"""Elementwise operations on registers: which there are, and what each becomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.dataclass import dataclass
from olympus_core.program import OperationRecord

from ..builder import FunctionBuilder, Ir
from ..math import emit_math, has_math
from .complex_functions import FUNCTIONS, emit_complex
from .complexes import PAIRS, PARTS
from .conversions import bitcast, convert, rounded
from .floats import FLOATS
from .integers import BOOLS, INTEGERS, threefry
from .storage import Storage, storage, storage_of

Parts = tuple[Ir, ...]
Builder = FunctionBuilder


@dataclass(frozen=True, slots=True)
class _Form:
    """An operation whose operands and results are of several types, or which has several results.

    Args:
        takes: Whether it has code for a type of its first operand.
        emit: Writes it: the builder, the operands' parts, the types of the first operand and of the first result.
    """

    takes: Callable[[Storage], bool]
    emit: Callable[[Builder, Sequence[Parts], Storage, Storage], Sequence[Parts]]


def _select(b: Builder, operands: Sequence[Parts], source: Storage, result: Storage) -> Sequence[Parts]:
    predicate, on_true, on_false = operands
    return [tuple(b.select(predicate[0], x, y) for x, y in zip(on_true, on_false, strict=True))]


_FORMS: Mapping[str, _Form] = {
    "select": _Form(lambda s: True, _select),
    "convert": _Form(lambda s: True, lambda b, x, s, result: [convert(b, x[0], s, result)]),
    "bitcast_convert": _Form(
        lambda s: s.kind in ("signed", "unsigned", "float"), lambda b, x, s, result: [bitcast(b, x[0], s, result)]),
    "complex": _Form(
        lambda s: s.dtype in (dtypes.float32, dtypes.float64), lambda b, x, s, result: [(x[0][0], x[1][0])]),
    "threefry2x32": _Form(
        lambda s: s.dtype == dtypes.uint32,
        lambda b, x, s, result: [(word,) for word in threefry(b, *(parts[0] for parts in x))]),
}

_TABLES: Mapping[str, Mapping[str, Callable[..., Ir]]] = {
    "bool": BOOLS, "signed": INTEGERS, "unsigned": INTEGERS, "float": FLOATS,
}


def supports(record: OperationRecord | None, types: Sequence[np.dtype]) -> bool:
    """Whether kernels may hold an operation on elements of these types.

    Args:
        record: The operation; None asks whether kernels can load and store the types.
        types: The element types of its operands, optionally followed by those of its results.

    Returns:
        Whether `emit_kernel` takes it.

    Example:
        >>> from olympus_core import dtypes, ops
        >>> supports(ops.sin, [dtypes.float32]), supports(ops.sin, [dtypes.float8_e5m2])
        (True, False)
    """
    storages = [storage_of(dtype) for dtype in types]
    if not storages or any(s is None for s in storages):
        return False
    # Reductions and scatter combine by operations that all their types have.
    if record is None or record.combine is not None or record is ops.scatter:
        return True
    first = storage(types[0])
    if record.name in _FORMS:
        return _FORMS[record.name].takes(first)
    if first.kind == "complex":
        return record.name in PAIRS or record.name in PARTS or record.name in FUNCTIONS
    return record.name in _TABLES[first.kind] or (first.kind == "float" and has_math(record.name, first.register))


def compute(
    b: Builder,
    name: str,
    operands: Sequence[Parts],
    types: Sequence[np.dtype],
    results: Sequence[np.dtype],
    attributes: Mapping[str, Any],
) -> Sequence[Parts]:
    """The results of an operation on registers of equal numbers of lanes.

    Args:
        b: Where the code goes.
        name: The operation.
        operands: Its operands' parts.
        types: Their element types.
        results: The results' element types.
        attributes: The operation's attributes.
    """
    first = storage(types[0])
    if name in _FORMS:
        return _FORMS[name].emit(b, operands, first, storage(results[0]))
    if first.kind == "complex":
        return [_complex(b, name, operands)]
    return [(_real(b, name, first, [x[0] for x in operands]),)]


def _real(b: Builder, name: str, s: Storage, operands: Sequence[Ir]) -> Ir:
    is_exact = ops.OPERATIONS[name].exactness.kind == "exact"
    if name == "pow" and s.kind == "float" and operands[0].name == b.like(2.0, operands[0]).name:
        name, operands = "exp2", operands[1:]
    emit = _TABLES[s.kind].get(name)
    result = emit(b, s, *operands) if emit is not None else emit_math(b, name, *operands)
    return result if is_exact or s.kind != "float" else rounded(b, s, result)


def _complex(b: Builder, name: str, operands: Sequence[Parts]) -> Parts:
    if name in PARTS:
        return (PARTS[name](b, *operands),)
    if name in PAIRS:
        return PAIRS[name](b, *operands)
    return emit_complex(b, name, *((x[0], x[1]) for x in operands))


def combine(b: Builder, operation: str, dtype: np.dtype, x: Parts, y: Parts) -> Parts:
    """Two elements combined by a reduction's operation."""
    return compute(b, operation, (x, y), (dtype, dtype), (dtype,), {})[0]
