# SPDX-License-Identifier: Apache-2.0
"""Counting what an optimised program communicates, on messages made by hand."""

from __future__ import annotations

from olympus_tpu.optimized import collectives, in_loops


def varint(number: int) -> bytes:
    out = b""
    while number > 0x7F:
        out, number = out + bytes([number & 0x7F | 0x80]), number >> 7
    return out + bytes([number])


def field(number: int, value: bytes | int) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def computation(*opcodes: str) -> bytes:
    instructions = (field(1, b"name") + field(2, code.encode()) + field(35, 300) for code in opcodes)
    return field(3, field(1, b"main") + b"".join(field(2, i) for i in instructions))


def test_each_is_counted_once() -> None:
    module = field(1, b"module") + varint(9 << 3 | 5) + b"abcd" + varint(10 << 3 | 1) + b"abcdefgh" + computation(
        "add", "all-reduce", "all-gather-start", "all-gather-done", "collective-permute-start",
        "collective-permute-done", "fusion",
    ) + computation("all-reduce", "reduce-scatter", "all-to-all")
    expected = {"all_reduce": 2, "all_gather": 1, "permute": 1, "reduce_scatter": 1, "all_to_all": 1}
    assert collectives(module, "hlo") == expected
    assert collectives(field(1, module) + field(2, b"config")) == expected


def test_a_program_without_any() -> None:
    assert collectives(field(1, computation("add"))) == {} == collectives(b"")
    assert in_loops(field(1, computation("all-reduce"))) == {} == in_loops(b"")


def numbered(number: int, *instructions: tuple[str, list[int], bool]) -> bytes:
    """A computation with a number; its instructions call others by theirs, packed or one by one."""
    parts = [field(5, number)]
    for opcode, called, is_packed in instructions:
        calls = field(38, b"".join(map(varint, called))) if is_packed else b"".join(field(38, n) for n in called)
        parts.append(field(2, field(2, opcode.encode()) + calls))
    return field(3, b"".join(parts))


def test_those_in_loops() -> None:
    module = (
        numbered(300, ("all-gather-start", [], True), ("call", [302], False))  # the body
        + numbered(301, ("compare", [], True))
        + numbered(302, ("collective-permute", [], True))
        + numbered(303, ("while", [304, 301], True), ("all-reduce", [305], True))  # in a branch
        + numbered(304, ("all-reduce", [305], True), ("while", [300, 301], False))
        + numbered(305, ("add", [], True))
        + numbered(306, ("conditional", [303, 305], True), ("all-to-all", [], True), ("call", [302], True))
    )
    assert in_loops(module, "hlo") == {"all_gather": 1, "permute": 1, "all_reduce": 1}
    assert collectives(module, "hlo") == {"all_gather": 1, "permute": 1, "all_reduce": 2, "all_to_all": 1}
