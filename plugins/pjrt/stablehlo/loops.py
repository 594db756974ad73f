# SPDX-License-Identifier: Apache-2.0
"""Functions as loops of StableHLO in float64: what enters them in a table, and what their steps are written with."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.program import ArrayType, Operation

from .arithmetic import Number
from .literals import integers
from .writer import Emission, Name, Writer

Function = Callable[..., Number]
_INT32 = np.dtype(np.int32)


def in_double(table: dict[str, Emission]) -> Callable[[str], Callable[[Function], Function]]:
    """A decorator that enters functions of numbers in float64 in a table; other floats are converted, and back.

    Args:
        table: The emission functions by their operations.
    """
    def emits(name: str) -> Callable[[Function], Function]:
        def enter(function: Function) -> Function:
            def emission(w: Writer, operation: Operation, xs: Sequence[Name]) -> Sequence[Name]:
                wide = [Number(w, w.convert(x, dtypes.float64)) for x in xs]
                return [w.convert(function(*wide).name, operation.results[0].type.dtype)]

            table[name] = emission
            return function

        return enter

    return emits


def loop(
    state: Sequence[Number], most: int, step: Callable[[Number, Sequence[Number]], Sequence[Number]],
    unfinished: Callable[[Sequence[Number]], Number] | None = None,
) -> list[Number]:
    """Steps with a count from 0 on, until no element is unfinished, or there were the most."""
    w = state[0].writer
    kinds = [ArrayType((), _INT32), *(x.name.type for x in state)]

    def goes_on(inner: Writer, names: Sequence[Name]) -> Sequence[Name]:
        few = inner.compare("LT", names[0], inner.scalar(most, _INT32))
        if unfinished is None:
            return [few]
        open_ = unfinished([Number(inner, name) for name in names[1:]]).name
        found = inner.reduce(open_, inner.scalar(False, dtypes.bool_), range(len(open_.shape)), "or")
        return [inner.same("and", few, found)]

    def again(inner: Writer, names: Sequence[Name]) -> Sequence[Name]:
        after = step(Number(inner, names[0]), [Number(inner, name) for name in names[1:]])
        return [inner.same("add", names[0], inner.scalar(1, _INT32)), *(x.name for x in after)]

    found = w.write("while", [w.scalar(0, _INT32), *(x.name for x in state)], kinds, "",
                    [w.region(kinds, goes_on), w.region(kinds, again)])
    return [Number(w, name) for name in found[1:]]


def beside(count: Number, x: Number) -> Number:
    """A loop's count beside other numbers."""
    w = x.writer
    return Number(w, w.broadcast(w.convert(count.name, dtypes.float64), x.name.shape))


def entry(w: Writer, row: np.ndarray, count: Number, x: Number) -> Number:
    """The entry of a table at a loop's count, beside other numbers."""
    one = w.op("dynamic_slice", [w.constant(row), count.name], ArrayType((1,), dtypes.float64),
               f"slice_sizes = {integers([1])}")
    return Number(w, w.broadcast(w.reshape(one, ()), x.name.shape))
