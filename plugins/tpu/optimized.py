"""Reading of an optimised program what it communicates: a walk over the few fields of its message that are needed."""

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
    """How often each collective stands in a program, by the names of the operations.

    Args:
        code: The program's message.
        format: ``"hlo_with_config"``, or ``"hlo"``.
    """
    module = next(_parts(code, 1), b"") if format == "hlo_with_config" else code
    found: Counter[str] = Counter()
    for computation in _parts(module, 3):
        for instruction in _parts(computation, 2):
            opcode = next(_parts(instruction, 2), b"").decode("utf-8", "replace")
            # One that runs beside others is two instructions: its start and its end.
            name = _NAMES.get(opcode.removesuffix("-start"))
            if name is not None:
                found[name] += 1
    return dict(found)


def _parts(message: bytes, number: int) -> Iterator[bytes]:
    """The contents of a message's fields of a number that hold bytes."""
    place = 0
    while place < len(message):
        key, place = _varint(message, place)
        kind = key & 7
        if kind == 2:
            size, place = _varint(message, place)
            if key >> 3 == number:
                yield message[place : place + size]
            place += size
        elif kind == 0:
            _, place = _varint(message, place)
        else:
            place += 4 if kind == 5 else 8


def _varint(message: bytes, place: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = message[place]
        place += 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, place
