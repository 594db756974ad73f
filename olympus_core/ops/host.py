# SPDX-License-Identifier: Apache-2.0
"""Calls from a program into the host's Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core.dataclass import dataclass
from olympus_core.errors import OperandError
from olympus_core.program import ArrayType, Attributes, FactorRule, OperationRecord, Program

from .rules import check

Types = Sequence[ArrayType]


@dataclass(frozen=True, slots=True)
class HostFunction:
    """A Python function that programs may call, under a name that is the same in every process.

    Args:
        name: Stands for the function in a program's text and fingerprint.
        function: Takes one NumPy array for each operand; gives a sequence with one for each result.

    Example:
        >>> HostFunction("print", print)
        print()
    """

    name: str
    function: Callable[..., Any]

    def __repr__(self) -> str:
        return f"{self.name}()"


def _callback_types(operands: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("host_callback", operands, attributes, regions, required=("callback", "result_types", "ordered"))
    if not isinstance(attributes["callback"], HostFunction):
        raise OperandError("host_callback", "attribute callback is not a HostFunction",
                           type(attributes["callback"]).__name__, "HostFunction(name, function)")
    types = attributes["result_types"]
    if not all(isinstance(t, ArrayType) for t in types):
        raise OperandError("host_callback", "attribute result_types does not hold types only", types,
                           "a tuple of ArrayType")
    return tuple(types)


def _callback_factors(operands: Types, results: Types, attributes: Attributes) -> FactorRule:
    return FactorRule.unsplittable([t.shape for t in operands], [t.shape for t in results])


def _callback(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    callback, types = attributes["callback"], attributes["result_types"]
    given = callback.function(*values)
    results = [np.asarray(v) for v in (given if given is not None else ())]
    found = tuple(ArrayType(v.shape, v.dtype) for v in results)
    if found != tuple(types):
        raise OperandError("host_callback", f"{callback.name} gave other results than it was declared to", found,
                           tuple(types))
    return results


# What is not ordered may be left out when nobody uses its results (`Operation.has_effects`).
host_callback = OperationRecord(
    "host_callback", "host", _callback_types, _callback_factors, reference=_callback, has_effects=True
)
