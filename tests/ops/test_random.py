# SPDX-License-Identifier: Apache-2.0
"""The counter-based generator: known answers, and independence of how the array is split."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core import ops
from olympus_core.errors import OperandError
from olympus_core.program import ArrayType, ProgramBuilder, run, verify

KEY = ArrayType((2,), "uint32")
START = ArrayType((), "int32")


@pytest.mark.parametrize(("key", "counter", "answer"), [
    ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
    ((0xFFFFFFFF,) * 2, (0xFFFFFFFF,) * 2, (0x1CB996FC, 0xBB002BE7)),
    ((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3), (0xC4923A9C, 0x483DF7A0)),
])
def test_known_answers_of_random123(key, counter, answer):
    for shape in ((), (1,), (2, 3)):
        values = [np.full(shape, v, np.uint32) for v in (*key, *counter)]
        words = ops.threefry2x32.reference(values, {})
        for word, expected in zip(words, answer, strict=True):
            np.testing.assert_array_equal(word, np.full(shape, expected, np.uint32))
            assert word.dtype == np.uint32


def bits(key, shape, dtype="uint32", whole=None, starts=()):
    attributes = {"shape": shape, "global_shape": shape if whole is None else whole, "dtype": np.dtype(dtype)}
    values = [np.array(key, np.uint32), *(np.int32(s) for s in starts)]
    (result,) = ops.random_bits.reference(values, attributes)
    assert [ArrayType(result.shape, result.dtype)] == ops.random_bits.type_rule(
        [ArrayType(v.shape, v.dtype) for v in values], attributes, ())
    return result


# Made by another implementation of the same scheme.
@pytest.mark.parametrize(("key", "shape", "dtype", "expected"), [
    ((0, 0), (5,), "uint8", [167, 146, 40, 53, 183]),
    ((0, 0), (5,), "uint16", [20391, 13970, 3624, 43061, 15287]),
    ((0, 0), (5,), "uint32", [4070199207, 4202968722, 1427181096, 2012915765, 2447653815]),
    ((0, 0), (5,), "uint64", [7719171245655871230, 3989946895414531357, 17807037942121513089, 10597664315880824766,
                              9817845818006947190]),
    ((0, 42), (2, 3), "uint32", [[2098992034, 2919706841, 2646866425], [2409546199, 1935504149, 2516274904]]),
    ((0, 42), (), "uint32", 2098992034),
])
def test_bits(key, shape, dtype, expected):
    np.testing.assert_array_equal(bits(key, shape, dtype), np.array(expected, dtype))


@settings(deadline=None, max_examples=60)
@given(st.data(), st.sampled_from(["uint8", "uint16", "uint32", "uint64"]))
def test_a_part_has_the_bits_of_its_place(data, dtype):
    whole = tuple(data.draw(st.lists(st.integers(0, 6), max_size=3)))
    starts = [data.draw(st.integers(0, n)) for n in whole]
    stops = [data.draw(st.integers(s, n)) for s, n in zip(starts, whole, strict=True)]
    key = [data.draw(st.integers(0, 2**32 - 1)) for _ in range(2)]
    box = tuple(slice(s, e) for s, e in zip(starts, stops, strict=True))
    part = bits(key, tuple(e - s for s, e in zip(starts, stops, strict=True)), dtype, whole, starts)
    np.testing.assert_array_equal(part, bits(key, whole, dtype)[box])


def test_places_beyond_32_bits_use_the_high_word():
    whole, starts = (2**20, 2**20), (2**19 + 3, 17)
    index = starts[0] * 2**20 + starts[1]
    assert index >= 2**32
    counter = [np.uint32(index >> 32), np.uint32(index & 0xFFFFFFFF)]
    b0, b1 = ops.threefry2x32.reference([np.asarray(v) for v in (np.uint32(1), np.uint32(2), *counter)], {})
    assert bits((1, 2), (1, 1), "uint32", whole, starts)[0, 0] == b0 ^ b1
    assert int(bits((1, 2), (1, 1), "uint64", whole, starts)[0, 0]) == (int(b0) << 32) | int(b1)


def test_bits_are_even():
    """Each of the 32 bits is set in about half of the words: six standard deviations of room."""
    words = bits((3, 4), (20000,))
    for place in range(32):
        count = int(((words >> np.uint32(place)) & np.uint32(1)).sum())
        assert abs(count - 10000) < 6 * math.sqrt(20000 / 4)


class Emitter:
    """The device at one place of a grid that splits a result evenly."""

    def __init__(self, shape, parts, place):
        self.builder = ProgramBuilder("device")
        self.local = tuple(n // p for n, p in zip(shape, parts, strict=True))
        self.parts, self.place = parts, place

    def emit(self, record, operands, attributes, regions=()):
        return self.builder.emit(record, operands, attributes, regions)

    def local_shape(self, result):
        return self.local

    def offset(self, result, dimension):
        start = np.array(self.place[dimension] * self.local[dimension], np.int32)
        return self.emit(ops.constant, [], {"value": start})[0]

    def is_split(self, result, dimension):
        return self.parts[dimension] > 1


def localized(program, parts, place):
    """The program of one operation, written for one device."""
    (operation,) = program.operations
    emitter = Emitter(operation.results[0].type.shape, parts, place)
    inputs = [emitter.builder.input(v.type) for v in program.inputs]
    local = emitter.builder.finish(operation.record.localize(emitter, operation, inputs))
    verify(local)
    return local


def bits_program(shape, whole, starts):
    builder = ProgramBuilder()
    operands = [builder.input(KEY), *(builder.input(START) for _ in range(starts))]
    attributes = {"shape": shape, "global_shape": whole, "dtype": np.dtype("uint32")}
    return builder.finish(builder.emit(ops.random_bits, operands, attributes))


@pytest.mark.parametrize("starts", [(), (1, 2)])
@pytest.mark.parametrize("parts", [(2, 1), (1, 3), (2, 3), (4, 3)])
def test_each_device_makes_its_own_part(parts, starts):
    shape, key = (4, 6), np.uint32([5, 6])
    program = bits_program(shape, (9, 9) if starts else shape, len(starts))
    inputs = [key, *(np.int32(s) for s in starts)]
    (whole,) = run(program, inputs)
    for place in np.ndindex(*parts):
        (part,) = run(localized(program, parts, place), inputs)
        box = tuple(slice(i * n // p, (i + 1) * n // p) for i, n, p in zip(place, shape, parts, strict=True))
        np.testing.assert_array_equal(part, whole[box])


def test_unsplit_bits_need_no_starts():
    local = localized(bits_program((4, 6), (4, 6), 0), (1, 1), (0, 0))
    assert [len(o.operands) for o in local.operations] == [1]


def test_factor_rules():
    word = ArrayType((2, 3), "uint32")
    rule = ops.threefry2x32.factor_rule([word] * 4, [word] * 2, {})
    assert rule.operands == rule.results * 2 == (((0,), (1,)),) * 4
    assert {f.kind for f in rule.factors} == {"parallel"}
    rule = ops.random_bits.factor_rule([KEY, START, START], [word], {})
    assert [(f.size, f.kind) for f in rule.factors] == [(2, "whole"), (2, "parallel"), (3, "parallel")]
    assert rule.operands == (((0,),), (), ())
    assert rule.results == (((1,), (2,)),)


def attributes(**changes):
    return {"shape": (2,), "global_shape": (2,), "dtype": np.dtype("uint32"), **changes}


@pytest.mark.parametrize(("operands", "given_attributes", "match"), [
    ([ArrayType((2,), "int32")], attributes(), "operands do not fit"),
    ([], attributes(), "operands do not fit"),
    ([KEY, START, START], attributes(), "operands do not fit"),
    ([KEY, ArrayType((), "uint32")], attributes(), "operands do not fit"),
    ([KEY], attributes(dtype=np.dtype("int32")), "unsigned"),
    ([KEY], attributes(global_shape=(2, 2)), "shape of a part"),
    ([KEY, START], attributes(global_shape=(1,)), "shape of a part"),
    ([KEY], attributes(global_shape=(3,)), "needs its starts"),
    ([KEY], {"shape": (2,)}, "missing"),
])
def test_what_does_not_fit_is_refused(operands, given_attributes, match):
    with pytest.raises(OperandError, match=match):
        ops.random_bits.type_rule(operands, given_attributes, ())


def test_threefry_refuses_other_types():
    word = ArrayType((2,), "uint32")
    for operands in ([word] * 3, [word] * 3 + [ArrayType((), "uint32")], [ArrayType((2,), "int32")] * 4):
        with pytest.raises(OperandError, match="threefry2x32"):
            ops.threefry2x32.type_rule(operands, {}, ())
