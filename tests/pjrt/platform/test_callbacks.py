# SPDX-License-Identifier: Apache-2.0
"""Programs that call the host's Python, in pieces: compared with the reference, and with what was called when."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest

from olympus_core import ops
from olympus_core.plugin import PlatformSettings
from olympus_core.program import ArrayType, DeviceGroups, Program, ProgramBuilder, Value, run_members

from .opening import Opened

COUNT = 4
VECTOR, INDEX, FLAG = (ArrayType(s, np.dtype(d)) for s, d in (((3,), np.float32), ((), np.int32), ((), np.bool_)))
ALL = {"group": DeviceGroups((tuple(range(COUNT)),))}
Body = Callable[[ProgramBuilder, Sequence[Value]], Sequence[Value]]


@pytest.fixture(scope="module")
def opened() -> Iterator[Opened]:
    it = Opened(PlatformSettings(device_count=COUNT))
    yield it
    it.client.close()


def program(types: Sequence[ArrayType], body: Body) -> Program:
    builder = ProgramBuilder("calling")
    return builder.finish(body(builder, [builder.input(t) for t in types]))


def call(builder: ProgramBuilder, function: Callable, *operands: Value, results: Sequence[ArrayType] = ()):
    return builder.emit(ops.host_callback, operands, {
        "callback": ops.HostFunction("called", function), "result_types": tuple(results), "ordered": True})


def require_reference(opened: Opened, whole: Program, columns: Sequence[Sequence]) -> list[list[np.ndarray]]:
    """Fails unless every device has what the reference gives it."""
    inputs = [[np.asarray(x) for x in column] for column in columns]
    executable = opened.compile(whole, opened.devices)
    buffers = [[opened.put(x, d) for x, d in zip(column, opened.devices, strict=True)] for column in inputs]
    found = [[buffer.to_host() for buffer in column] for column in executable.execute(buffers)]
    for mine, wanted in zip(found, run_members(whole, inputs, tuple(range(COUNT))), strict=True):
        for device in range(COUNT):
            np.testing.assert_array_equal(mine[device], wanted[device])
            assert mine[device].dtype == wanted[device].dtype
    for column, values in zip(buffers, inputs, strict=True):  # they stay as they were
        for buffer, value in zip(column, values, strict=True):
            np.testing.assert_array_equal(buffer.to_host(), value)
    return found


VALUES = [np.float32([i, i + 1, i + 2]) for i in range(COUNT)]


def test_between_collectives_and_in_turns_of_a_loop(opened: Opened) -> None:
    calls: list[float] = []

    def turn(b: ProgramBuilder, v: Sequence[Value]) -> Sequence[Value]:
        call(b, lambda x: calls.append(float(x[0])), v[0])
        (total,) = b.emit(ops.all_reduce, [v[0]], {"reduction": "sum", **ALL})
        return [*b.emit(ops.sub, [total, v[0]]), v[0]]

    def body(b: ProgramBuilder, v: Sequence[Value]) -> Sequence[Value]:
        last, rows = b.emit(ops.scan, v, {"constants": 0, "carry": 1, "length": 3, "reverse": False},
                            [program([VECTOR], turn)])
        (place,) = b.emit(ops.axis_index, [], ALL)
        (moved,) = call(b, lambda x, i: [x * 10 + np.float32(i)], last, place, results=[VECTOR])
        return [*b.emit(ops.add, [moved, v[0]]), rows, v[0], v[0]]

    require_reference(opened, program([VECTOR], body), [VALUES])
    mine = len(calls) // 2  # the others are the reference's
    assert sorted(calls[:mine]) == sorted(calls[mine:]) and len(calls) == 2 * 3 * COUNT


def test_devices_part_ways(opened: Opened) -> None:
    """Branches by device, and loops that end sooner on some."""
    calls: list[str] = []

    def told(b: ProgramBuilder, v: Sequence[Value]) -> Sequence[Value]:
        (twice,) = b.emit(ops.add, [v[0], v[0]])
        call(b, lambda x: calls.append(f"told {x[0]:g}"), twice)
        return list(b.emit(ops.add, [twice, v[0]]))

    def silent(b: ProgramBuilder, v: Sequence[Value]) -> Sequence[Value]:
        return list(b.emit(ops.neg, v))

    def goes_on(b: ProgramBuilder, v: Sequence[Value]) -> Sequence[Value]:
        return call(b, lambda x, n: [np.bool_(x[0] < n)], v[1], v[0], results=[FLAG])

    def turn(b: ProgramBuilder, v: Sequence[Value]) -> Sequence[Value]:
        (one,) = b.emit(ops.constant, [], {"value": np.ones(3, np.float32)})
        return list(b.emit(ops.add, [v[1], one]))

    def body(b: ProgramBuilder, v: Sequence[Value]) -> Sequence[Value]:
        (chosen,) = b.emit(ops.cond, v, {}, [program([VECTOR], silent), program([VECTOR], told)])
        (limit,) = b.emit(ops.convert, [v[0]], {"dtype": np.dtype(np.float32)})
        (counted,) = b.emit(ops.while_, [limit, v[1]], {"constants": 1},
                            [program([ArrayType((), np.dtype(np.float32)), VECTOR], p) for p in (goes_on, turn)])
        return [chosen, counted]

    require_reference(opened, program([INDEX, VECTOR], body), [[np.int32(x) for x in (1, 0, 5, 9)], VALUES])
    assert calls[: len(calls) // 2] == ["told 0", "told 4", "told 6"]


def test_where_a_device_stands_is_known_among_some(opened: Opened) -> None:
    called: list[int] = []

    def told(b: ProgramBuilder, v: Sequence[Value]) -> Sequence[Value]:
        (place,) = b.emit(ops.axis_index, [], ALL)
        call(b, lambda x: called.append(int(x)), place)
        return list(b.emit(ops.convert, [place], {"dtype": np.dtype(np.float32)}))

    whole = program([INDEX], lambda b, v: b.emit(
        ops.cond, [v[0], *b.emit(ops.convert, v, {"dtype": np.dtype(np.float32)})], {},
        [program([ArrayType((), np.dtype(np.float32))], p) for p in (lambda b, v: list(b.emit(ops.neg, v)), told)]))
    executable = opened.compile(whole, opened.devices)
    (column,) = executable.execute([[opened.put(np.int32(i % 2 * i), d) for i, d in enumerate(opened.devices)]])
    assert [float(b.to_host()) for b in column] == [0, 1, 0, 3]
    assert called == [1, 3]


def test_pieces_are_text(opened: Opened) -> None:
    whole = program([VECTOR], lambda b, v: b.emit(
        ops.neg, call(b, lambda x: [x], *b.emit(ops.sin, v), results=[VECTOR])))
    text = opened.compile(whole).text()
    assert text.count("module @") == 2 and text.index("stablehlo.sine") < text.index("stablehlo.negate")
