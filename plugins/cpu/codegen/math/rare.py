"""Rare operands: what is right for all is a function of the module's own, written once and called where one is rare.

It finds operands in memory and leaves values there: what is written in place is short, and no vector but the result
has a second origin. LLVM would otherwise spend more on the cold blocks than on all else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..builder import FunctionBuilder, Ir
from ..target import Target

_ALIGNMENT = 64  # of scratch memory


class Rare(NamedTuple):
    """Operands that a function's usual code is not right for.

    Args:
        name: The function's, with the type.
        is_rare: Writes which lanes of the operands are such.
        value: Writes the function's value for all operands.
        one_by_one: Whether it takes them one by one, in code that is made in no time.
    """

    name: str
    is_rare: Callable[..., Ir]
    value: Callable[..., Ir]
    one_by_one: bool = False


class _Written(NamedTuple):
    text: str
    declarations: Mapping[str, str]
    definitions: Mapping[str, str]


def detoured(
    b: FunctionBuilder, rare: Rare, operands: Sequence[Ir], usual: Callable[[Callable[[], None]], Ir]
) -> Ir:
    """A function's value by the code that `usual` writes, or by a call where one of the operands is rare.

    Args:
        b: Where the code goes.
        rare: What is rare.
        operands: The function's.
        usual: Writes the usual code, and calls what it is given at the place where it is left.
    """
    lanes, element = operands[0].lanes, operands[0].element
    width = 1 if rare.one_by_one else math.gcd(lanes, b.target.lanes(element))
    joins = []

    def call() -> list[Ir]:
        name = f"olympus.rare.{rare.name}.{width}"
        if name not in b.definitions:
            written = _written(b.target, rare, name, len(operands), element, width)
            b.declarations.update(written.declarations)
            b.definitions.update({**written.definitions, name: written.text})
        places = [b.scratch(element, lanes, number) for number in range(len(operands))]
        for place, value in zip(places, operands, strict=True):
            b.store(place, value, _ALIGNMENT)
        b.emit(f"call void @{name}({', '.join(v.typed for v in (*places, b.constant(lanes, 'i64')))})")
        return [b.load(places[0], element, lanes, _ALIGNMENT)]

    result = usual(lambda: joins.append(b.detour(b.any(rare.is_rare(b, *operands)))))
    (join,) = joins
    return join([result], call)[0]


@lru_cache(maxsize=256)
def _written(target: Target, rare: Rare, name: str, operands: int, element: str, width: int) -> _Written:
    """A function that goes through arrays of operands, some lanes at a time, and leaves values in the first of them."""
    names = [f"x{place}" for place in range(operands)]
    parameters = [*((x, "ptr") for x in names), ("count", "i64")]
    attributes = "noinline optnone" if rare.one_by_one else "noinline"
    b = FunctionBuilder(target, name, parameters, attributes=attributes, internal=True)
    with b.for_loop(b.constant(0, "i64"), b.parameter("count"), width) as turn:
        places = [b.gep(b.parameter(x), turn.index, element) for x in names]
        b.store(places[0], rare.value(b, *(b.load(place, element, width) for place in places)))
        turn.next([])
    b.ret()
    return _Written(b.function_text(), b.declarations, b.definitions)
