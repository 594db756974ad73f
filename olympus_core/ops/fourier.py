# SPDX-License-Identifier: Apache-2.0
"""The discrete Fourier transform along one dimension; those of several dimensions are one after the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import OperandError
from olympus_core.program import ArrayType, Attributes, FactorRule, OperationRecord, Program
from olympus_core.program.exactness import Exactness

from .rules import COMPLEX, PART, FactorTable, check, check_choice, check_dimension, check_domain, is_index, quiet

Types = Sequence[ArrayType]
KINDS = ("fft", "ifft", "rfft", "irfft")
_WIDE = {dtypes.float32: dtypes.complex64, dtypes.float64: dtypes.complex128}


def _type(types: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("fft", types, attributes, regions, 1, ["dimension", "kind", "length"])
    (x,) = types
    kind = check_choice("fft", attributes, "kind", KINDS)
    check_domain("fft", x, PART if kind == "rfft" else COMPLEX, types)
    dimension = check_dimension("fft", attributes, "dimension", x.ndim)
    length = attributes["length"]
    if not is_index(length) or length < 1:
        raise OperandError("fft", "length does not fit", length, "an integer of 1 or more")
    needed = length // 2 + 1 if kind == "irfft" else length
    if x.shape[dimension] != needed:
        raise OperandError("fft", "the dimension does not have the transform's size", f"{x} along {dimension}", needed)
    size = length // 2 + 1 if kind == "rfft" else length
    shape = (*x.shape[:dimension], size, *x.shape[dimension + 1:])
    dtype = _WIDE[x.dtype] if kind == "rfft" else dtypes.real_part(x.dtype) if kind == "irfft" else x.dtype
    return (ArrayType(shape, dtype),)


def _factors(operands: Types, results: Types, attributes: Attributes) -> FactorRule:
    """Every other dimension may be split; the transformed one is whole, of one size before and of another after."""
    table, whole = FactorTable(), attributes["dimension"]
    before = [table.new(n, "whole" if d == whole else "parallel") for d, n in enumerate(operands[0].shape)]
    after = list(before)
    if operands[0].shape[whole] != results[0].shape[whole]:
        after[whole] = table.whole(results[0].shape[whole])
    return table.rule([before], [after])


def _reference(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    """In double precision, rounded once."""
    (x,), axis, length = values, attributes["dimension"], attributes["length"]
    function = getattr(np.fft, attributes["kind"])
    double = x.astype(np.float64 if attributes["kind"] == "rfft" else np.complex128)
    if not x.size:
        shape = list(x.shape)
        shape[axis] = length // 2 + 1 if attributes["kind"] == "rfft" else length
        found = np.zeros(shape, np.float64 if attributes["kind"] == "irfft" else np.complex128)
    else:
        found = function(double, length, axis)
    wide = dtypes.real_part(x.dtype) == dtypes.float64 or x.dtype == dtypes.float64
    if attributes["kind"] == "irfft":
        return [found.astype(dtypes.float64 if wide else dtypes.float32)]
    return [found.astype(dtypes.complex128 if wide else dtypes.complex64)]


# Against the sum of sizes; the error grows with the logarithm of the length (Gentleman and Sande 1966).
fft = OperationRecord(
    "fft", "fourier", _type, _factors, quiet(_reference), additive=(frozenset({0}),),
    exactness=Exactness("transform", 4, 4), cost=20)
