# SPDX-License-Identifier: Apache-2.0
"""Groups of equal structure have one kernel, whatever their values and lines; those that differ have their own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from olympus_core import ops
from olympus_core.program import Value
from olympus_core.toolkit.fusion import KernelStep

from .running import compare
from .test_plans import Writer

X = np.random.default_rng(5).standard_normal((6, 40)).astype(np.float32)
Layer = Callable[[Writer, Value, Value], Value]


def loops_of(layers: list[Layer]) -> list[int]:
    """Numbers of the kernels' loops of layers, equal where they are the same; results are compared."""
    w = Writer("layers")
    (x, y), outputs = [w.array(6, 40), w.array(6, 40)], list[Value]()
    for i, layer in enumerate(layers):
        outputs.append(layer(w, x, y if i % 2 else x))
        x = w.of(ops.sort, outputs[-1], dimension=1, keys=1)  # a step that no kernel holds
    steps = [s for s in compare(w.finish(outputs), [X, X + 1]).steps if isinstance(s, KernelStep)]
    seen: dict[int, int] = {}
    return [seen.setdefault(id(step.kernel.loop), len(seen)) for step in steps]


def softmax(w: Writer, x: Value, y: Value) -> Value:
    return w.softmax(x, 1)


def plus(number: float) -> Layer:
    return lambda w, x, y: w.of(ops.add, w.softmax(x, 1), w.number(number, x))


def sums(dimension: int) -> Layer:
    return lambda w, x, y: w.of(ops.sub, x, w.total(ops.reduce_sum, x, dimension))


def of_other(w: Writer, x: Value, y: Value) -> Value:
    return w.of(ops.sub, w.total(ops.reduce_max, x, 1), y)


def numbers(values: np.ndarray) -> Layer:
    return lambda w, x, y: w.softmax(w.of(ops.add, x, w.of(ops.constant, value=values)), 1)


def test_what_repeats_is_built_once() -> None:
    assert loops_of([softmax] * 3) == [0, 0, 0]
    assert loops_of([plus(2), softmax, plus(2), softmax]) == [0, 1, 0, 1]


@pytest.mark.parametrize("layers", [
    [plus(2), plus(3)], [plus(0.0), plus(-0.0)], [sums(0), sums(1)], [of_other, of_other],
    [sums(1), softmax],
], ids=["a constant", "the sign of zero", "dimensions", "what is read twice", "operations"])
def test_what_differs_has_kernels_of_its_own(layers: list[Layer]) -> None:
    found = loops_of(layers)
    assert len(found) > 1 and len({*found}) == len(found)


def test_constants_with_different_elements_are_inputs_or_differ() -> None:
    loops_of([numbers(X), numbers(X[::-1].copy()), numbers(X)])


def test_a_kernel_says_the_line_of_its_own_group() -> None:
    w = Writer("lines")
    x = w.array(6, 40)
    outputs = []
    for line in ("a.py:1", "b.py:2"):
        (x,) = w.emit(ops.exp, [x], {}, location=line)
        (x,) = w.emit(ops.reverse, [x], {"dimensions": (0,)}, location=line)
        outputs.append(x)
    plan = compare(w.finish(outputs), [X])
    kernels = [step.kernel for step in plan.steps if isinstance(step, KernelStep)]
    assert [k.location for k in kernels] == ["a.py:1", "b.py:2"] and kernels[0].loop is kernels[1].loop
