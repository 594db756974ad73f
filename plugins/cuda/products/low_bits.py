# SPDX-License-Identifier: Apache-2.0
"""What is known of the lowest bits of a value's elements, from the operations that made it."""

from __future__ import annotations

from olympus_core.program import Value
from olympus_core.toolkit.passes import Builder

_MOVES = frozenset({"bitcast_convert", "transpose", "reshape", "broadcast_in_dim", "slice", "reverse"})
_DEPTH = 32  # operations on a path; what is made of more is not known


def are_zero(value: Value, bits: int, program: Builder) -> bool:
    """Whether the lowest bits of every element are known to be zero.

    Args:
        value: The value, of any element type.
        bits: How many bits.
        program: What is written so far.
    """
    known: dict[Value, bool] = {}

    def ask(x: Value, depth: int) -> bool:
        if x not in known:
            known[x] = answer(x, depth)
        return known[x]

    def answer(x: Value, depth: int) -> bool:
        number = program.splat_of(x)
        if number is not None:
            return int.from_bytes(number.tobytes(), "little") & ((1 << bits) - 1) == 0
        producer = program.producer(x)
        if producer is None or not depth:
            return False
        operands = producer.operands
        if producer.name in _MOVES:
            # Between element types of two sizes bits change their places.
            return operands[0].type.dtype.itemsize == x.type.dtype.itemsize and ask(operands[0], depth - 1)
        if producer.name == "and":
            return any(ask(y, depth - 1) for y in operands)
        if producer.name in ("or", "xor"):
            return all(ask(y, depth - 1) for y in operands)
        return producer.name == "select" and all(ask(y, depth - 1) for y in operands[1:])

    return ask(value, _DEPTH)
