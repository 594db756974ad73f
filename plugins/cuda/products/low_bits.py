"""What is known of the lowest bits of a value's elements, from the operations that made it."""

from __future__ import annotations

from olympus_core.program import Value
from olympus_core.toolkit.passes import Builder

_MOVES = frozenset({"bitcast_convert", "transpose", "reshape", "broadcast_in_dim", "slice", "reverse"})
_DEPTH = 32  # operations on a path; what is made of more is not known


def are_zero(value: Value, bits: int, program: Builder, depth: int = _DEPTH) -> bool:
    """Whether the lowest bits of every element are known to be zero.

    Args:
        value: The value, of any element type.
        bits: How many bits.
        program: What is written so far.
        depth: How many operations back it is looked.
    """
    number = program.splat_of(value)
    if number is not None:
        word = int.from_bytes(number.tobytes(), "little")
        return word & ((1 << bits) - 1) == 0
    producer = program.producer(value)
    if producer is None or not depth:
        return False
    name, operands = producer.name, producer.operands
    if name in _MOVES:
        # Between element types of two sizes bits change their places.
        same = operands[0].type.dtype.itemsize == value.type.dtype.itemsize
        return same and are_zero(operands[0], bits, program, depth - 1)
    if name == "and":
        return any(are_zero(x, bits, program, depth - 1) for x in operands)
    if name in ("or", "xor"):
        return all(are_zero(x, bits, program, depth - 1) for x in operands)
    if name == "select":
        return all(are_zero(x, bits, program, depth - 1) for x in operands[1:])
    return False
