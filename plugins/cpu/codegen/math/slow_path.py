# SPDX-License-Identifier: Apache-2.0
"""Slow paths: where inlined code is wrong for an operand, an out-of-line function computes the result.

The module defines the out-of-line function once, however often it is called. Operands and results pass through memory,
so the cold block at each call is short and only the result needs a phi. Inlined slow paths would take LLVM longer than
all other code.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..builder import FunctionBuilder, Ir
from ..target import Target

_ALIGNMENT = 64  # of scratch memory


class SlowPath(NamedTuple):
    """A function's slow path.

    Args:
        name: The function's name, with the type.
        needs_slow_path: Writes the mask of the lanes for which the inlined code is wrong.
        value: Writes the function's value, right for all operands.
        one_by_one: Whether the out-of-line function is a scalar loop without optimisation, which compiles fastest.
    """

    name: str
    needs_slow_path: Callable[..., Ir]
    value: Callable[..., Ir]
    one_by_one: bool = False


class _Written(NamedTuple):
    text: str
    declarations: Mapping[str, str]
    definitions: Mapping[str, str]


def with_slow_path(
    b: FunctionBuilder, path: SlowPath, operands: Sequence[Ir], fast: Callable[[Callable[[], None]], Ir]
) -> Ir:
    """A function's value by inlined code, or by a call of the out-of-line function where an operand needs it.

    Args:
        b: Where the code goes.
        path: The slow path.
        operands: The function's operands.
        fast: Writes the inlined code, and calls its argument where that code branches to the slow path.
    """
    lanes, element = operands[0].lanes, operands[0].element
    width = 1 if path.one_by_one else math.gcd(lanes, b.target.lanes(element))
    joins = []

    def call() -> list[Ir]:
        name = f"olympus.slow_path.{path.name}.{width}"
        if name not in b.definitions:
            written = _written(b.target, path, name, len(operands), element, width)
            b.declarations.update(written.declarations)
            b.definitions.update({**written.definitions, name: written.text})
        buffers = [b.scratch(element, lanes, number) for number in range(len(operands))]
        for buffer, value in zip(buffers, operands, strict=True):
            b.store(buffer, value, _ALIGNMENT)
        b.emit(f"call void @{name}({', '.join(v.typed for v in (*buffers, b.constant(lanes, 'i64')))})")
        return [b.load(buffers[0], element, lanes, _ALIGNMENT)]

    result = fast(lambda: joins.append(b.side_exit(b.any(path.needs_slow_path(b, *operands)))))
    (join,) = joins
    return join([result], call)[0]


@lru_cache(maxsize=256)
def _written(target: Target, path: SlowPath, name: str, operands: int, element: str, width: int) -> _Written:
    """The out-of-line function: a loop over arrays of operands, `width` lanes a time; results overwrite the first."""
    names = [f"x{i}" for i in range(operands)]
    parameters = [*((x, "ptr") for x in names), ("count", "i64")]
    attributes = "noinline optnone" if path.one_by_one else "noinline"
    b = FunctionBuilder(target, name, parameters, attributes=attributes, internal=True)
    with b.for_loop(b.constant(0, "i64"), b.parameter("count"), width) as iteration:
        pointers = [b.gep(b.parameter(x), iteration.index, element) for x in names]
        b.store(pointers[0], path.value(b, *(b.load(pointer, element, width) for pointer in pointers)))
        iteration.next([])
    b.ret()
    return _Written(b.function_text(), b.declarations, b.definitions)
