# SPDX-License-Identifier: Apache-2.0
"""Products of bytes that a program has widened: what was converted to wider integers is multiplied as it was.

A sum of products that wraps at 32 bits or fewer is the same for bytes and for the wider integers that they became.
Programs write such conversions themselves, and convolutions and products of uint8 by int8 are traced with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, OperationRecord, Program, Value
from olympus_core.toolkit.passes import Builder

from ..codegen.target import Target

_BYTES = frozenset({dtypes.int8, dtypes.uint8})
_MOST_BITS = 32


def _record(name: str, of: OperationRecord) -> OperationRecord:
    """An operation on narrow elements with the result that another one has on elements of type `dtype`."""

    def type_rule(
        types: Sequence[ArrayType], attributes: Mapping[str, Any], regions: Sequence[Program]
    ) -> Sequence[ArrayType]:
        plain = {k: v for k, v in attributes.items() if k != "dtype"}
        return of.type_rule([ArrayType(t.shape, attributes["dtype"]) for t in types], plain, regions)

    return OperationRecord(name, "contraction", type_rule)


BYTE_DOT = _record("dot_general_of_bytes", ops.dot_general)
NARROW_CONVOLUTION = _record("convolution_of_narrow", ops.convolution)


def narrow_operands(new: Builder, operands: Sequence[Value], result: np.dtype) -> tuple[Value, ...] | None:
    """The bytes that both operands were converted from; None where they were not, or no instruction multiplies bytes.

    Args:
        new: Knows what made the operands.
        operands: They, of one type of integers.
        result: The element type of the result.
    """
    wide = operands[0].type.dtype
    if not (dtypes.is_integer(wide) and dtypes.is_integer(result) and Target.host().has_byte_dots and (
            dtypes.bits_of(result) <= min(dtypes.bits_of(wide), _MOST_BITS))):
        return None
    found = []
    for value in operands:
        producer = new.producer(value)
        if producer is None or producer.name != "convert" or producer.operands[0].type.dtype not in _BYTES:
            return None
        found.append(producer.operands[0])
    return tuple(found)
