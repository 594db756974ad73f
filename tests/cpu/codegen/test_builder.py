# SPDX-License-Identifier: Apache-2.0
"""The IR builder: instructions against NumPy, on this machine and without its newer instructions; all targets emit."""

from __future__ import annotations

import ctypes

import ml_dtypes
import numpy as np
import pytest

from olympus_core.errors.base import OlympusInternalError
from olympus_cpu.codegen.builder import FunctionBuilder, Ir, module_text
from olympus_cpu.codegen.target import Target

from .jit import HOST, PLAIN, elementwise, jit_for_tests, loop_text, object_code

TARGETS = pytest.mark.parametrize("target", [HOST, PLAIN], ids=["host", "plain"])
FLOATS = np.array([0.0, -0.0, 0.25, -0.25, 0.5, 1.5, -1.5, 2.5, -2.5, 3.7, -3.7, 2**22 + 0.5, 2**23 + 1, -(2**24), 1e30,
                   -1e30, np.inf, -np.inf, np.nan, 1e-40, -1e-40, 127.5, -128.5, 255.9, -0.9, 2147483648.0, 65519.0,
                   65520.0, 5.9604645e-08, 2.98e-08, 6.1e-05], np.float64)


def same(found: np.ndarray, wanted: np.ndarray) -> None:
    np.testing.assert_array_equal(found, wanted)
    if found.dtype.kind == "f":
        numbers = ~np.isnan(wanted)
        np.testing.assert_array_equal(np.signbit(found[numbers]), np.signbit(wanted[numbers]))


@TARGETS
@pytest.mark.parametrize("element", ["float", "double"])
@pytest.mark.parametrize("lanes", [1, 4, 16])
def test_rounding(target: Target, element: str, lanes: int) -> None:
    x = FLOATS.astype(np.float32 if element == "float" else np.float64)
    for name, oracle in {"floor": np.floor, "ceil": np.ceil, "rint": np.rint, "trunc": np.trunc, "abs": np.abs,
                         "neg": np.negative}.items():
        same(elementwise(lambda b, v, name=name: getattr(b, name)(v), [element], element, lanes, target)(x), oracle(x))


@TARGETS
def test_extremes_propagate_nan(target: Target) -> None:
    x, y = (part.ravel() for part in np.meshgrid(FLOATS, FLOATS))
    for name, oracle in {"maximum": np.maximum, "minimum": np.minimum}.items():
        write = lambda b, u, v, name=name: getattr(b, name)(u, v)
        found = elementwise(write, ["double", "double"], "double", 4, target)(x, y)
        np.testing.assert_array_equal(found, oracle(x, y))


@pytest.mark.parametrize("bits", [8, 32, 64])
@pytest.mark.parametrize("signed", [True, False])
def test_division_is_defined_everywhere(bits: int, signed: bool) -> None:
    dtype = np.dtype(f"{'i' if signed else 'u'}{bits // 8}")
    limits = np.iinfo(dtype)
    values = np.array([0, 1, 2, 3, 7, limits.max, limits.max - 1, limits.min, limits.min + 1], dtype)
    if signed:
        values = np.concatenate([values, np.array([-1, -2, -7], dtype)])
    x, y = (part.ravel() for part in np.meshgrid(values, values))
    element = f"i{bits}"
    quotient = elementwise(lambda b, u, v: b.div(u, v, signed), [element] * 2, element, 4)(x, y).view(dtype)
    rest = elementwise(lambda b, u, v: b.rem(u, v, signed), [element] * 2, element, 4)(x, y).view(dtype)
    for a, d, q, r in zip(x.tolist(), y.tolist(), quotient.tolist(), rest.tolist(), strict=True):
        if d == 0:
            assert (q, r) == (-1 if signed else limits.max, a)
        else:
            exact = abs(a) // abs(d) * (1 if (a < 0) == (d < 0) else -1)
            assert q == int(np.array(exact).astype(dtype)) if exact <= limits.max else q == limits.min
            assert r == a - exact * d


@TARGETS
@pytest.mark.parametrize("lanes", [1, 8])
def test_half_from_every_bit_pattern(target: Target, lanes: int) -> None:
    bits = np.arange(65536, dtype=np.uint16)
    found = elementwise(lambda b, v: b.convert(v, "float"), ["half"], "float", lanes, target)(bits.view(np.float16))
    same(found, bits.view(np.float16).astype(np.float32))
    narrow = elementwise(lambda b, v: b.convert(v, "float"), ["bfloat"], "float", lanes, target)(bits)
    same(narrow, bits.view(ml_dtypes.bfloat16).astype(np.float32))


@TARGETS
def test_narrowing_rounds_once_half_to_even(target: Target) -> None:
    ties = [np.arange(2**16) * 65536 + low for low in (0x1000, 0x3000, 0x8000)]
    bits = np.concatenate([np.arange(0, 2**32, 9973), *ties]).astype(np.uint32)
    x = bits.view(np.float32)
    with np.errstate(all="ignore"):
        half = elementwise(lambda b, v: b.convert(v, "half"), ["float"], "half", 8, target)(x)
        same(half, x.astype(np.float16))
        brain = elementwise(lambda b, v: b.convert(v, "bfloat"), ["float"], "bfloat", 8, target)(x)
        same(brain.view(ml_dtypes.bfloat16).astype(np.float32), x.astype(ml_dtypes.bfloat16).astype(np.float32))
        # Halfway between two of float16 and a little more: by way of float32 the little is lost.
        wide = np.concatenate([x.astype(np.float64), (1 + 2.0**-11) + np.array([2.0**-40, -(2.0**-40), 0.0])])
        same(elementwise(lambda b, v: b.convert(v, "half"), ["double"], "half", 4, target)(wide),
             wide.astype(np.float16))


@TARGETS
@pytest.mark.parametrize("element", ["i8", "i32", "i64"])
@pytest.mark.parametrize("signed", [True, False])
def test_floats_to_integers_saturate(target: Target, element: str, signed: bool) -> None:
    bits = int(element[1:])
    least, greatest = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    write = lambda b, v: b.convert(v, element, signed=signed)
    found = elementwise(write, ["double"], element, 4, target)(FLOATS)
    if not signed:
        found = found.view(found.dtype.str.replace("i", "u"))
    wanted = [0 if np.isnan(v) else least if v <= least else greatest if v >= greatest else int(v) for v in FLOATS]
    assert found.tolist() == wanted


def test_integers_to_floats() -> None:
    values = np.array([0, 1, -1, 127, -128, 2**24 + 1, 2**53 + 1, 2**62, -(2**63), 2**63 - 1], np.int64)
    same(elementwise(lambda b, v: b.convert(v, "double"), ["i64"], "double", 4)(values), values.astype(np.float64))
    unsigned = elementwise(lambda b, v: b.convert(v, "float", source_signed=False), ["i64"], "float", 4)(values)
    same(unsigned, values.view(np.uint64).astype(np.float32))
    small = values.astype(np.int8)
    same(elementwise(lambda b, v: b.convert(v, "half"), ["i8"], "half", 4)(small), small.astype(np.float16))


def test_lanes() -> None:
    x = np.arange(12, dtype=np.int32)
    swap = elementwise(lambda b, v: b.shuffle(v, [1, 0, 3, 2]), ["i32"], "i32", 4)
    assert swap(x).tolist() == [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10]
    assert elementwise(lambda b, v: b.reverse(v), ["i32"], "i32", 4)(x).tolist()[:4] == [3, 2, 1, 0]
    last = elementwise(lambda b, v: b.splat(b.extract(v, 3), 4), ["i32"], "i32", 4)(x)
    assert last.tolist() == [3] * 4 + [7] * 4 + [11] * 4
    steps = elementwise(lambda b, v: b.add(v, b.constant_lanes([1, 2, 3, 4], "i32")), ["i32"], "i32", 4)(x)
    assert steps.tolist()[:4] == [1, 3, 5, 7]


def _gathering(b: FunctionBuilder) -> None:
    """Doubles elements at masked indices and scatters them to the second array, in reverse."""
    source, target, indices, count = b.parameters
    with b.for_loop(b.constant(0, "i64"), count, 4) as iteration:
        index = b.load(b.gep(indices, iteration.index, "i64"), "i64", 4)
        mask = b.icmp("slt", index, b.like(100, index))
        value = b.gather(source, index, "float", mask)
        b.scatter(target, index, b.add(value, value), mask)
        iteration.next([])
    b.ret()


def _address(write: object, parameters: list[tuple[str, str]]) -> int:
    b = FunctionBuilder(HOST, "f", parameters)
    write(b)
    return jit_for_tests(module_text([b]), ["f"])["f"]


def test_masked_lanes_touch_no_memory() -> None:
    address = _address(_gathering, [("source", "ptr"), ("target", "ptr"), ("indices", "ptr"), ("count", "i64")])
    source, target = np.arange(10, dtype=np.float32), np.zeros(10, np.float32)
    indices = np.array([3, 1 << 50, 5, 9, 1 << 45, 0, 100, 2])  # far beyond any memory
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3, ctypes.c_int64)(address)
    function(source.ctypes.data, target.ctypes.data, indices.ctypes.data, 8)
    assert target.tolist() == [0, 0, 4, 6, 0, 10, 0, 0, 0, 18]


def _cut(b: FunctionBuilder) -> None:
    """Copies the first `count` of 8 elements by masks."""
    source, target, count = b.parameters
    lanes = b.constant_lanes(range(8), "i64")
    mask = b.icmp("slt", lanes, b.splat(count, 8))
    value = b.load_masked(source, "float", mask)
    b.store_masked(target, b.add(value, b.like(1.0, value)), mask)
    b.ret()


def test_masked_vectors() -> None:
    address = _address(_cut, [("source", "ptr"), ("target", "ptr"), ("count", "i64")])
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)(address)
    for count in range(9):
        source, target = np.arange(8, dtype=np.float32), np.full(8, -1, np.float32)
        function(source.ctypes.data, target.ctypes.data, count)
        assert target.tolist() == [i + 1.0 if i < count else -1.0 for i in range(8)]


def _control(b: FunctionBuilder) -> None:
    """Collatz steps of each number below the parameter, summed; the odd ones by `when` into memory."""
    count, out = b.parameters
    one, zero = b.constant(1, "i64"), b.constant(0, "i64")
    with b.for_loop(one, count, 1, [zero]) as iteration:
        with b.while_loop([iteration.index, zero]) as inner:
            value, steps = inner.carried
            inner.proceed_if(b.icmp("ne", value, one))
            odd = b.icmp("ne", b.and_(value, one), zero)
            half, triple = b.lshr(value, 1), b.add(b.mul(value, b.constant(3, "i64")), one)
            inner.next([b.select(odd, triple, half), b.add(steps, one)])
        steps = inner.results[1]
        with b.when(b.icmp("ne", b.and_(iteration.index, one), zero)):
            b.store(b.gep(out, iteration.index, "i64"), steps)
        (doubled,) = b.rarely(b.icmp("sgt", steps, b.constant(20, "i64")), [steps], lambda: [zero])
        iteration.next([b.add(iteration.carried[0], doubled)])
    b.store(out, iteration.results[0])
    b.ret()


def test_blocks_and_loops() -> None:
    address = _address(_control, [("count", "i64"), ("out", "ptr")])
    out = np.zeros(30, np.int64)
    ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p)(address)(30, out.ctypes.data)

    def steps(value: int) -> int:
        count = 0
        while value != 1:
            value, count = (3 * value + 1 if value % 2 else value // 2), count + 1
        return count

    assert out[0] == sum(s for s in map(steps, range(1, 30)) if s <= 20)
    assert out[1:].tolist() == [steps(i) if i % 2 else 0 for i in range(1, 30)]


def test_a_loop_may_run_no_turn() -> None:
    address = _address(_control, [("count", "i64"), ("out", "ptr")])
    out = np.ones(2, np.int64)
    ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p)(address)(1, out.ctypes.data)
    assert out.tolist() == [0, 1]


def test_equal_instructions_are_written_once_where_they_are_known() -> None:
    b = FunctionBuilder(HOST, "f", [("x", "i64"), ("p", "ptr")])
    x, p = b.parameters
    first = b.mul(x, x)
    with b.when(b.icmp("sgt", x, b.constant(0, "i64"))):
        assert b.mul(x, x) == first
        inside = b.add(x, first)
        b.store(p, inside)
    # What only one way computes is not known after it.
    assert b.mul(x, x) == first and b.add(x, first) != inside
    b.ret()
    assert module_text([b]).count("mul i64") == 1


def test_loads_are_never_taken_again() -> None:
    b = FunctionBuilder(HOST, "f", [("p", "ptr")])
    assert b.load(b.parameters[0], "i64") != b.load(b.parameters[0], "i64")


@pytest.mark.parametrize(("value", "element", "text"), [
    (0.1, "float", "0x3FB99999A0000000"), (0.1, "double", "0x3FB999999999999A"), (1.5, "half", "15872"),
    (-1, "i8", "-1"), (255, "i8", "-1"), (2**63, "i64", str(-(2**63))), (True, "i1", "true"), (1.0, "bfloat", "16256"),
])
def test_constants(value: float, element: str, text: str) -> None:
    assert FunctionBuilder(HOST, "f", []).constant(value, element) == Ir(text, element)


def test_faults_of_the_caller_are_told() -> None:
    b = FunctionBuilder(HOST, "f", [("x", "i64")])
    with pytest.raises(OlympusInternalError, match="no end"):
        module_text([b])
    with pytest.raises(OlympusInternalError, match="bitcast"):
        b.bitcast(b.parameters[0], "float")
    b.ret()
    with pytest.raises(OlympusInternalError, match="end of a block"):
        b.emit("ret void")


@pytest.mark.parametrize("name", ["x86-64", "haswell", "skylake-avx512", "neoverse"])
def test_all_targets_emit(name: str) -> None:
    target = Target.named(name)

    def write(b: FunctionBuilder, x: Ir) -> Ir:
        wide = b.convert(x, "double")
        return b.convert(b.fma(b.rint(wide), wide, b.floor(wide)), "half")

    for lanes in (1, target.lanes("float"), 4 * target.lanes("float")):
        code = object_code(loop_text(write, ["half"], "half", lanes, target), target)
        # Nothing that a library would have to bring.
        assert b"__extend" not in code and b"__trunc" not in code and b"rint" not in code and b"fma" not in code


def test_the_package_is_imported_without_the_code_generator() -> None:
    import subprocess
    import sys

    text = "import sys, olympus_cpu.codegen.builder, olympus_cpu.codegen.math; sys.exit('llvmlite' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", text], timeout=60, check=False).returncode == 0
