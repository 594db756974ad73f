# SPDX-License-Identifier: Apache-2.0
"""The collectives of an optimized program, by a minimal parser of its protocol buffer message."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

# Names of the compiler's operations, as those of olympus.
_NAMES = {
    "all-reduce": "all_reduce", "all-gather": "all_gather", "reduce-scatter": "reduce_scatter",
    "all-to-all": "all_to_all", "ragged-all-to-all": "all_to_all", "collective-permute": "permute",
    "collective-broadcast": "broadcast",
}


def collectives(code: bytes, format: str = "hlo_with_config") -> dict[str, int]:
    """The number of each collective in a program, by the names of the operations.

    Args:
        code: The program's message.
        format: ``"hlo_with_config"``, or ``"hlo"``.
    """
    return dict(sum((found for found, _, _ in _computations(code, format).values()), Counter()))


def in_loops(code: bytes, format: str = "hlo_with_config") -> dict[str, int]:
    """The number of these in loops and in what loops call; the program does not contain trip counts."""
    computations = _computations(code, format)
    pending = [number for _, _, bodies in computations.values() for number in bodies]
    inside: set[int] = set()
    while pending:
        number = pending.pop()
        if number in computations and number not in inside:
            inside.add(number)
            pending += [*computations[number][1], *computations[number][2]]
    return dict(sum((computations[number][0] for number in inside), Counter()))


def _computations(code: bytes, format: str) -> dict[int, tuple[Counter[str], list[int], list[int]]]:
    """For each computation, by its number: its collectives, the computations that it calls, and its loop bodies."""
    module = next(parts(code, 1), b"") if format == "hlo_with_config" else code
    known: dict[int, tuple[Counter[str], list[int], list[int]]] = {}
    for computation in parts(module, 3):
        found: Counter[str] = Counter()
        called: list[int] = []
        bodies: list[int] = []
        for instruction in parts(computation, 2):
            opcode = next(parts(instruction, 2), b"").decode("utf-8", "replace")
            # An asynchronous collective is two instructions: its start and its end.
            name = _NAMES.get(opcode.removesuffix("-start"))
            if name is not None:
                found[name] += 1
            (bodies if opcode == "while" else called).extend(_integers(instruction, 38))
        number = next(_integers(computation, 5), -1 - len(known))
        known[number] = (found, called, bodies)
    return known


def parts(message: bytes, number: int) -> Iterator[bytes]:
    """The contents of a message's fields of a number that hold bytes."""
    return (value for key, value in _fields(message) if key == number and isinstance(value, bytes))


def _integers(message: bytes, number: int) -> Iterator[int]:
    """The integers of a message's fields of a number, packed or not."""
    for key, value in _fields(message):
        if key == number and isinstance(value, int):
            yield value
        elif key == number and isinstance(value, bytes):
            offset = 0
            while offset < len(value):
                found, offset = _varint(value, offset)
                yield found


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """A message's fields that hold integers or bytes."""
    offset = 0
    while offset < len(message):
        key, offset = _varint(message, offset)
        kind = key & 7
        if kind == 2:
            size, offset = _varint(message, offset)
            yield key >> 3, message[offset : offset + size]
            offset += size
        elif kind == 0:
            value, offset = _varint(message, offset)
            yield key >> 3, value
        else:
            offset += 4 if kind == 5 else 8


def _varint(message: bytes, offset: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = message[offset]
        offset += 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, offset
