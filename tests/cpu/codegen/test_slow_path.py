# SPDX-License-Identifier: Apache-2.0
"""Code for rare operands: one function of the module's own, however often it may be called."""

from __future__ import annotations

import re

import numpy as np
import pytest

from olympus_cpu.codegen.builder import FunctionBuilder, Ir, module_text
from olympus_cpu.codegen.math import emit_math
from olympus_cpu.codegen.target import Target

from .jit import HOST, PLAIN, elementwise, loop_text

TARGETS = pytest.mark.parametrize("target", [HOST, PLAIN], ids=["host", "plain"])
FUNCTION = re.compile(r"^define internal .*@(olympus\.[\w.]+)\(", re.MULTILINE)


def chain(operation: str, times: int):
    def write(b: FunctionBuilder, x: Ir) -> Ir:
        y = x
        for _ in range(times):
            y = emit_math(b, operation, *((y, x) if operation == "pow" else (y,)))
        return y

    return write


def allocations(text: str) -> int:
    return text[text.index("@f("):].count(" = alloca ")


@pytest.mark.parametrize("operation", ["sin", "cos", "tan", "pow"])
@pytest.mark.parametrize("element", ["float", "double"])
@pytest.mark.parametrize("lanes", [1, 16])
def test_a_module_holds_them_once(operation: str, element: str, lanes: int) -> None:
    once, often = (loop_text(chain(operation, times), [element], element, lanes, HOST) for times in (1, 40))
    assert FUNCTION.findall(once) == FUNCTION.findall(often) != []
    assert len(set(FUNCTION.findall(often))) == len(FUNCTION.findall(often))
    assert allocations(often) == allocations(once) > 0
    calls = re.findall(r"call void @olympus\.\w+\.\w+[\w.]*\(", often[often.index("@f("):])
    assert len(calls) == 40


def test_functions_of_one_module_share_them() -> None:
    bodies = []
    for name in ("f", "g"):
        b = FunctionBuilder(HOST, name, [("x", "float")], result="float")
        b.ret(emit_math(b, "sin", b.parameter("x")))
        bodies.append(b)
    found = FUNCTION.findall(module_text(bodies))
    assert len(found) == len(set(found)) and "olympus.slow_path.sin.float.1" in found


@TARGETS
@pytest.mark.parametrize("operation", ["sin", "cos", "tan", "pow"])
@pytest.mark.parametrize("element", ["float", "double"])
def test_others_in_the_vector_have_the_bits_they_have_alone(operation: str, element: str, target: Target) -> None:
    kind = np.float32 if element == "float" else np.float64
    count = 2 if operation == "pow" else 1
    random = np.random.default_rng(8)
    operands = [random.uniform(0.5, 3, 256).astype(kind) for _ in range(count)]
    run = elementwise(lambda b, *x: emit_math(b, operation, *x), [element] * count, element, 16, target)
    usual = run(*operands)
    rare = [1e9, 3e30, -4e7, np.inf, -np.inf, np.nan] if count == 1 else [-2.0, 0.0, -0.0, np.inf, -np.inf, np.nan]
    places = np.arange(3, 256, 21)
    operands[0][places] = np.resize(rare, places.size)
    found = run(*operands)
    others = np.setdiff1d(np.arange(256), places)
    np.testing.assert_array_equal(found[others], usual[others])
    alone = elementwise(lambda b, *x: emit_math(b, operation, *x), [element] * count, element, 1, target)
    np.testing.assert_array_equal(found, alone(*operands))


def test_a_detour_leaves_what_was_known_before_it() -> None:
    b = FunctionBuilder(HOST, "f", [("x", "i64")], result="i64")
    x = b.parameter("x")
    before = b.add(x, b.like(1, x))
    join = b.side_exit(b.icmp("sgt", x, b.like(5, x)))
    inside = b.add(x, b.like(2, x))
    (joined,) = join([inside], lambda: [b.mul(before, before)])
    assert b.add(x, b.like(1, x)) is before and b.add(x, b.like(2, x)) is not inside
    b.ret(joined)
    assert "phi i64" in b.function_text()
