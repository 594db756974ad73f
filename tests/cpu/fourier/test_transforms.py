# SPDX-License-Identifier: Apache-2.0
"""Fourier transforms by native code against PocketFFT in extended precision; PocketFFT's own error is the measure."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import fft as scipy_fft

import olympus
import olympus.numpy as jnp
from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Operation, OperationRecord, Value
from olympus_core.toolkit.flatten import Flat
from olympus_cpu.compiled.passes import TRANSFORMS
from olympus_cpu.fourier import table
from olympus_cpu.fourier.merging import SEVERAL
from olympus_cpu.fourier.passes import Step, cut, cuts, fits
from olympus_cpu.fourier.plan import radices, roots, stages_length
from olympus_cpu.native.linker import BASELINE, OPTIMISED, Library
from olympus_cpu.native.pool import pool

SINGLE, DOUBLE = np.dtype(np.float32), np.dtype(np.float64)
KINDS = ("fft", "ifft", "rfft", "irfft")
# All radices, alone and after another; cut lines at 256 for one line, above 4096 for many; convolutions from 41 on.
LENGTHS = [*range(1, 20), 26, 29, 33, 37, 41, 49, 60, 64, 82, 101, 121, 128, 243, 256, 343, 407, 509, 512, 625, 1000,
           1024, 2026, 2048, 4096]
LONG = [5120, 8192, 9216, 16384, 50000, 65536]


def complex_of(number: np.dtype) -> np.dtype:
    return dtypes.complex64 if number == SINGLE else dtypes.complex128


def numbers(shape: Sequence[int], number: np.dtype, is_real: bool) -> np.ndarray:
    random = np.random.default_rng(math.prod(shape))
    x = random.standard_normal(shape)
    return x.astype(number) if is_real else (x + 1j * random.standard_normal(shape)).astype(complex_of(number))


def operation(x: np.ndarray, steps: Sequence[Step]) -> Operation:
    record: OperationRecord = SEVERAL if len(steps) > 1 else ops.fft
    attributes = {"steps": tuple(map(tuple, steps))} if len(steps) > 1 else steps[0]._asdict()
    type = ArrayType(x.shape, x.dtype)
    results = record.type_rule([type], attributes, ())
    return Operation(record, (Value(type),), attributes, (), tuple(map(Value, results)))


def transformed(x: np.ndarray, steps: Sequence[Step]) -> np.ndarray:
    found = table.native(operation(x, steps)).function(x)
    assert isinstance(found, np.ndarray) and found.flags.c_contiguous
    return found


def by_scipy(x: np.ndarray, steps: Sequence[Step], wide: bool) -> np.ndarray:
    found = x.astype(np.clongdouble if np.iscomplexobj(x) else np.longdouble) if wide else x
    for kind, dimension, length in steps:
        found = getattr(scipy_fft, kind)(found, length, dimension)
    return found


def check(shape: Sequence[int], steps: Sequence[Step], number: np.dtype) -> None:
    """The root of the mean square error is at most 1.6 of the library's and a unit, or 6 units for a convolution."""
    x = numbers(shape, number, steps[0].kind == "rfft")
    assert fits(x.shape, steps, number)
    before = x.copy()
    found = transformed(x, steps)
    np.testing.assert_array_equal(x, before)
    wanted, narrow = by_scipy(x, steps, True), by_scipy(x, steps, False)
    assert (found.shape, found.dtype) == (narrow.shape, narrow.dtype)

    def error(y: np.ndarray) -> float:
        return float(np.sqrt(np.mean(np.abs(y - wanted) ** 2) / np.mean(np.abs(wanted) ** 2)))

    unit = float(np.finfo(number).eps) / 2
    units = 5 if any(radices(one.complex_length) is None for one in steps) else 0
    assert error(found) <= max(1.6 * error(narrow), units * unit) + unit, (shape, steps)


def step(kind: str, shape: Sequence[int], dimension: int) -> Step:
    return Step(kind, dimension, 2 * (shape[dimension] - 1) if kind == "irfft" else shape[dimension])


@pytest.mark.parametrize("number", [SINGLE, DOUBLE], ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_lengths(kind: str, number: np.dtype) -> None:
    """A line, a few, more than lanes, and lines side by side, fewer than lanes, as many, and in wide groups."""
    for length in LENGTHS:
        size = length // 2 + 1 if kind == "irfft" else length
        for shape, dimension in [((size,), 0), ((11, size), 1), ((size, 3), 0), ((2, size, 41), 1)]:
            one = [Step(kind, dimension, length)]
            if math.prod(shape) <= 1 << 17 and fits(shape, one, number):
                check(shape, one, number)


@pytest.mark.parametrize("number", [SINGLE, DOUBLE], ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_long_lines(kind: str, number: np.dtype) -> None:
    for length in LONG:
        size = length // 2 + 1 if kind == "irfft" else length
        is_cut = cuts((9, size), [Step(kind, 1, length)], number)
        assert is_cut == ((length // 2 if kind in ("rfft", "irfft") else length) > 4096,)
        for shape in ((size,), (3, size), (9, size)):
            if math.prod(shape) <= 1 << 18:
                check(shape, [Step(kind, len(shape) - 1, length)], number)


@pytest.mark.parametrize("number", [SINGLE, DOUBLE], ids=str)
@pytest.mark.parametrize("shape", [(4, 6), (3, 4, 6, 10), (70, 8, 6), (8, 64, 64), (40, 40, 40), (5, 2, 8448)], ids=str)
def test_several_dimensions(shape: tuple[int, ...], number: np.dtype) -> None:
    """Items in a cache and passes over all; real numbers before and after; lines that are cut among others."""
    last = len(shape) - 1
    others = list(range(max(0, last - 2), last))
    check(shape, [step("fft", shape, d) for d in [last, *others]], number)
    check(shape, [step("ifft" if d % 2 else "fft", shape, d) for d in [others[-1], last]], number)
    check(shape, [step("rfft", shape, last), *(step("fft", shape, d) for d in others)], number)
    half = (*shape[:-1], shape[-1] // 2 + 1)
    check(half, [*(step("ifft", half, d) for d in others), Step("irfft", last, shape[-1])], number)
    check(shape, [step("fft" if shape[0] % 2 else "rfft", shape, 0), step("fft", shape, 1)], number)
    mixed = [step("rfft", shape, last), *(step("fft", shape, d) for d in others[1:]), Step("irfft", others[0], 14)]
    if shape[others[0]] == 8:
        check(shape, mixed, number)


@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=3), st.integers(0, 2), st.sampled_from(KINDS),
    st.sampled_from([SINGLE, DOUBLE]),
)
@settings(max_examples=60, deadline=None)
def test_any_shape(shape: list[int], dimension: int, kind: str, number: np.dtype) -> None:
    dimension %= len(shape)
    one = step(kind, shape, dimension)
    if kind == "irfft" and sum(shape) % 2:
        one = one._replace(length=one.length + 1)
    if one.length >= 1 and fits(tuple(shape), [one], number):
        check(shape, [one], number)


def test_results_depend_neither_on_threads_nor_on_other_lines() -> None:
    x = numbers((64, 40, 64), SINGLE, False)
    steps = [step("fft", x.shape, 2), step("fft", x.shape, 1)]
    long = numbers((9, 8192), SINGLE, False)
    lines = [step("fft", long.shape, 1)]
    wanted, wanted_long = transformed(x, steps), transformed(long, lines)
    before = pool().threads
    try:
        for threads in (1, 2, 3):
            pool().resize(threads)
            np.testing.assert_array_equal(transformed(x, steps), wanted)
            np.testing.assert_array_equal(transformed(long, lines), wanted_long)
    finally:
        pool().resize(before)
    np.testing.assert_array_equal(transformed(x[5:30], steps), wanted[5:30])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_finite_stays_in_its_line(kind: str, bad: float) -> None:
    for lines, length in ((16, 24), (12, 600), (3, 1024), (9, 10240), (12, 101), (12, 99)):
        x = numbers((lines, length // 2 + 1 if kind == "irfft" else length), SINGLE, kind == "rfft")
        one = Step(kind, 1, length)
        wanted = transformed(x, [one])
        x[1, 5] = bad
        with np.errstate(all="ignore"):
            found = transformed(x, [one])
            assert not np.isfinite(found[1]).any()
        found[1] = wanted[1]
        np.testing.assert_array_equal(found, wanted)


def test_parts_of_the_ends_that_mean_nothing_are_not_read() -> None:
    """A real line's first and middle elements are real: their imaginary parts are passed over, whatever they are."""
    for shape in ((3, 9), (12, 9), (1, 2049), (2, 8193), (5, 42)):
        x = numbers(shape, DOUBLE, False)
        one = [step("irfft", shape, 1)]
        wanted = transformed(x, one)
        x.imag[:, 0], x.imag[:, -1] = np.nan, np.inf
        np.testing.assert_array_equal(transformed(x, one), wanted)


def test_roots_are_rounded_once() -> None:
    for length in (1, 2, 3, 5, 8, 12, 1000, 4096, 99991):
        k = np.arange(0, 3 * length, max(1, length // 500))
        angle = -2 * np.pi * np.longdouble(1) * (k % length) / length
        np.testing.assert_allclose(roots(length, k), np.stack([np.cos(angle), np.sin(angle)], -1), rtol=0, atol=3e-16)
    np.testing.assert_array_equal(roots(4, np.arange(4)) + 0.0, [[1, 0], [0, -1], [-1, 0], [0, 1]])


@pytest.mark.parametrize("number", [SINGLE, DOUBLE], ids=str)
def test_both_tiers_give_the_same_bits_and_hot_calls_get_optimised_code(
    number: np.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[Callable[[], None]] = []
    levels: list[int] = []
    own = table.unit

    def noting(name: str, level: int) -> Library:
        levels.append(level)
        return own(name, level)

    monkeypatch.setattr(table, "unit", noting)
    monkeypatch.setattr(table, "first_tier", lambda name, seconds: BASELINE)
    monkeypatch.setattr(table, "_optimiser", lambda: SimpleNamespace(submit=waiting.append))
    for length in (1, 60, 343, 407, 1024, 9216):  # all radices, a convolution, one cut in two
        for is_real, kind in itertools.product((True, False), KINDS[:2]):
            x = numbers((3, length), number, False)
            steps = [Step(kind, 1, length)]
            if is_real:
                x, steps = x.real.copy(), [Step("rfft", 1, length)]
            function = table.native(operation(x, steps)).function
            assert levels.pop() == BASELINE and not waiting
            quick = [function(x).tobytes() for _ in range(3)]
            waiting.pop()()
            assert levels.pop() == OPTIMISED and {function(x).tobytes(), *quick} == {quick[0]}


def test_which_lengths_have_code() -> None:
    assert [n for n in range(1, 90) if radices(n) is None] == [41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 82, 83, 86, 89]
    for n in range(1, 3000):
        found = radices(n)
        assert found is None or math.prod(found) == n
        assert stages_length(n) == n if found else 2 * n <= stages_length(n) + 1 <= max(3 * n, 20)
    assert cut(1 << 20, SINGLE) == (1024, 1024)
    assert cut(3 ** 12, SINGLE) is None
    assert cut(8 * 10007, SINGLE) is None
    for shape in ((9, 1009), (509,), (3, 2 ** 20), (4, 4093)):
        assert fits(shape, [Step("fft", len(shape) - 1, shape[-1])], SINGLE)
    for shape in ((0, 8), (3 ** 12,), (9, 3 ** 12), (1, 4093), (1, 99991)):
        assert not fits(shape, [Step("fft", len(shape) - 1, shape[-1])], SINGLE)


def program(
    shape: tuple[int, ...], steps: Sequence[Step], dtype: np.dtype = dtypes.complex64, twice: bool = False
) -> Flat:
    """The steps one after the other; `twice`: the first result is a result of the program, too."""
    start = value = Value(ArrayType(shape, dtype))
    operations, values = [], []
    for one in steps:
        (type,) = ops.fft.type_rule([value.type], one._asdict(), ())
        result = Value(type)
        operations.append(Operation(ops.fft, (value,), one._asdict(), (), (result,)))
        value = result
        values.append(result)
    return Flat((start,), tuple(operations), (values[0], value) if twice else (value,))


def names(flat: Flat) -> list[str]:
    return [one.name for one in TRANSFORMS(flat).operations]


def test_transforms_of_several_dimensions_are_merged() -> None:
    fft = [Step("fft", d, n) for d, n in enumerate((4, 6, 8))]
    (one,) = TRANSFORMS(program((4, 6, 8), fft)).operations
    assert one.name == "fft_several"
    assert [dimension for _, dimension, _ in one.attributes["steps"]] == [2, 1, 0]
    real = [Step("rfft", 2, 8), *fft[:2]]
    (one,) = TRANSFORMS(program((4, 6, 8), real, dtypes.float32)).operations
    assert [kind for kind, _, _ in one.attributes["steps"]] == ["rfft", "fft", "fft"]
    merged = TRANSFORMS(program((4, 6, 8), fft))
    assert TRANSFORMS(merged) is merged


def test_transforms_that_are_not_merged() -> None:
    fft = [Step("fft", 0, 4), Step("fft", 1, 6)]
    assert names(program((4, 6), fft, twice=True)) == ["fft", "fft"]
    assert names(program((4, 6), [fft[0], Step("ifft", 0, 4)])) == ["fft", "fft"]
    assert names(program((2, 4093), [Step("fft", 0, 2), Step("fft", 1, 4093)])) == ["fft", "fft"]
    assert names(program((0, 4, 6), [Step("fft", 1, 4), Step("fft", 2, 6)])) == ["fft", "fft"]
    there_and_back = [Step("irfft", 1, 10), Step("rfft", 0, 4)]
    assert names(program((4, 6), there_and_back)) == ["fft", "fft"]


@pytest.mark.parametrize("name", ["fft2", "ifft2", "rfft2", "irfft2", "fftn", "rfftn"])
def test_the_language_calls_it(name: str) -> None:
    for shape in ((6, 4, 10), (16, 64, 66)):
        x = numbers(shape, SINGLE, name.startswith("r"))
        found = np.asarray(olympus.jit(getattr(jnp.fft, name))(x))
        wanted = getattr(scipy_fft, name)(x)
        assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
        np.testing.assert_allclose(found, wanted, rtol=0, atol=2e-6 * np.abs(wanted).max())


def test_lines_without_code_are_the_librarys() -> None:
    for kind, length in itertools.product(KINDS, (4093, 6561)):
        x = numbers((1, length // 2 + 1 if kind == "irfft" else length), DOUBLE, kind == "rfft")
        kernel = table.FOURIER["fft"](operation(x, [Step(kind, 1, length)]))
        assert kernel is not None
        np.testing.assert_array_equal(kernel.function(x), by_scipy(x, [Step(kind, 1, length)], False))
