# SPDX-License-Identifier: Apache-2.0
"""Rewrites x / (1 + exp(y)) as x * logistic(-y): one division and a shorter polynomial."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from olympus_core import dtypes, ops
from olympus_core.toolkit.loops import Compute, Constant, Loop, Scalar, Statement, operands_of

from .hoist import loops_in

_TYPES = frozenset({dtypes.float32, dtypes.float64})


def with_logistic_quotients(before: Iterable[Statement], loop: Loop, constants: Mapping[int, Constant]) -> Loop:
    """The loop with x * logistic(-y) for x / (1 + exp(y)); where exp(y) overflows they differ by less than x 2^-127.

    Args:
        before: The statements before the loop.
        loop: The loop.
        constants: Constants by the identity of their elements.
    """
    if not any(_is(statement, "exp") for inner in loops_in(loop) for statement in inner.body):
        return loop
    uses = Counter(id(scalar) for statement in before for scalar in operands_of(statement))
    uses.update(id(scalar) for inner in loops_in(loop) for scalar in operands_of(inner))
    uses.update(id(scalar) for inner in loops_in(loop) for statement in inner.body for scalar in operands_of(statement)
                if not isinstance(statement, Loop))
    return _rewritten(loop, uses, constants)


def _rewritten(loop: Loop, uses: Mapping[int, int], constants: Mapping[int, Constant]) -> Loop:
    made: dict[int, Compute] = {}  # by their single result, within this loop
    gone: set[int] = set()
    body: list[Statement] = []

    def one(scalar: Scalar) -> bool:
        constant = constants.get(id(scalar))
        return constant is not None and bool(constant.value == 1)

    def once(scalar: Scalar, name: str) -> Compute | None:
        found = made.get(id(scalar))
        return found if found is not None and found.record.name == name and uses[id(scalar)] == 1 else None

    for statement in loop.body:
        if isinstance(statement, Loop):
            body.append(_rewritten(statement, uses, constants))
            continue
        body.append(statement)
        if not isinstance(statement, Compute) or len(statement.results) != 1:
            continue
        made[id(statement.results[0])] = statement
        if statement.record.name != "div" or statement.results[0].dtype not in _TYPES:
            continue
        top, bottom = statement.operands
        total = once(bottom, "add")
        if total is None or not any(one(scalar) for scalar in total.operands):
            continue
        first, second = total.operands
        power = once(second if one(first) else first, "exp")
        if power is None:
            continue
        body.pop()
        gone |= {id(total), id(power)}
        (exponent,) = power.operands
        negation = made.get(id(exponent))
        if negation is not None and negation.record.name == "neg":
            (argument,) = negation.operands
            if uses[id(exponent)] == 1:
                gone.add(id(negation))
        else:
            argument = Scalar(exponent.dtype)
            body.append(Compute((argument,), ops.neg, (exponent,)))
        if one(top):
            body.append(Compute(statement.results, ops.logistic, (argument,)))
        else:
            share = Scalar(top.dtype)
            body += [Compute((share,), ops.logistic, (argument,)), Compute(statement.results, ops.mul, (top, share))]
    return replace(loop, body=tuple(s for s in body if id(s) not in gone))


def _is(statement: Statement, name: str) -> bool:
    return isinstance(statement, Compute) and statement.record.name == name
