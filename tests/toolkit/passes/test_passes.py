# SPDX-License-Identifier: Apache-2.0
"""Patterns, rules, the traversal that applies them, and lists of passes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus_core import dtypes, ops
from olympus_core.errors import OlympusInternalError
from olympus_core.program import ArrayType, OperationRecord, Value
from olympus_core.toolkit import Flat
from olympus_core.toolkit.dumps import Dump
from olympus_core.toolkit.flatten import flatten
from olympus_core.toolkit.fusion import FusionOptions, lowering_passes
from olympus_core.toolkit.passes import (
    Builder,
    Match,
    Pass,
    PassList,
    Pattern,
    Rule,
    anything,
    op,
    rewriting_pass,
    splat,
)

FLOATS = ArrayType((4,), dtypes.float32)


def program(write: Any, count: int = 2) -> Flat:
    """A program that a function writes; it gives the outputs."""
    inputs = tuple(Value(FLOATS) for _ in range(count))
    new = Builder(inputs)
    outputs = write(new, *inputs)
    return Flat(inputs, tuple(new.operations), outputs if isinstance(outputs, tuple) else (outputs,))


def names(flat: Flat) -> list[str]:
    return [operation.name for operation in flat.operations]


def no_negation(new: Builder, match: Match) -> Value:
    return match["x"]


# -(-x) = x
DOUBLE_NEGATION = rewriting_pass("double-negation", Rule(op("neg", op("neg", anything("x"))), no_negation))


@pytest.mark.parametrize("number", [0.0, -0.0, 2.5])
def test_a_number_everywhere_is_found_behind_broadcasts(number: float) -> None:
    new = Builder()
    new.location = "here.py:1"
    scalar = new.apply(ops.constant, value=np.asarray(number, np.float32))
    whole = new.apply(ops.reshape, new.broadcast(scalar, (2, 3), ()), shape=(6,))
    found = new.splat_of(whole)
    assert found is not None and found.shape == () and found.tobytes() == np.float32(number).tobytes()
    assert {operation.location for operation in new.operations} == {"here.py:1"}


def test_other_values_are_no_number() -> None:
    x = Value(FLOATS)
    new = Builder([x])
    several = new.apply(ops.constant, value=np.arange(4, dtype=np.float32))
    none = new.splat(1, (0,), dtypes.float32)
    doubled = new.apply(ops.add, x, new.splat(1, (4,), dtypes.float32))
    assert all(new.splat_of(value) is None for value in (x, several, none, doubled))


def test_what_depends_on_constants_alone_does_not_vary() -> None:
    x = Value(FLOATS)
    new = Builder([x])
    constant = new.splat(1, (4,), dtypes.float32)
    still, moving = new.apply(ops.add, constant, constant), new.apply(ops.add, constant, x)
    assert new.varies([still, moving]) and new.varies([x]) and not new.varies([constant, still])


def test_all_results_of_an_operation() -> None:
    new = Builder()
    keys, numbers = (Value(ArrayType((4,), dtypes.int32)) for _ in range(2))
    results = new.apply_all(ops.sort, keys, numbers, dimension=0, keys=1)
    assert [v.type for v in results] == [keys.type, numbers.type] and new.operations[-1].results == results


def test_simplifying_writes_an_operation_once_and_computes_numbers() -> None:
    x = Value(FLOATS)
    new = Builder([x], simplifies=True)
    one, two = new.splat(1, (4,), dtypes.float32), new.splat(2, (4,), dtypes.float32)
    assert new.apply(ops.add, x, one) is new.apply(ops.add, x, one)
    three = new.splat_of(new.apply(ops.add, one, two))
    assert three == 3 and [o.name for o in new.operations].count("add") == 1


def test_a_rule_replaces_what_its_pattern_says() -> None:
    flat = program(lambda new, x, y: new.apply(ops.add, new.apply(ops.neg, new.apply(ops.neg, x)), y))
    found = DOUBLE_NEGATION(flat)
    assert names(found) == ["add"] and found.operations[0].operands == found.inputs == flat.inputs


def test_a_program_without_the_pattern_is_the_same_object() -> None:
    for flat in (program(lambda new, x, y: new.apply(ops.add, x, y)), program(lambda new, x, y: new.apply(ops.neg, x))):
        assert DOUBLE_NEGATION(flat) is flat


def test_operands_are_replaced_before_what_takes_them() -> None:
    def four(new: Builder, x: Value, y: Value) -> Value:
        for _ in range(4):
            x = new.apply(ops.neg, x)
        return x

    flat = program(four)
    found = DOUBLE_NEGATION(flat)
    assert not found.operations and found.outputs == (flat.inputs[0],)
    assert DOUBLE_NEGATION(found) is found


def test_the_first_rule_that_applies_counts() -> None:
    def never(new: Builder, match: Match) -> None:
        return None

    def by(record: Any) -> Any:
        return lambda new, match: new.apply(record, *match.operands)

    rules = Rule(op("add"), never), Rule(op("add"), by(ops.sub)), Rule(op("add"), by(ops.mul))
    rest = Rule(Pattern(None, where=lambda operation: len(operation.operands) == 1), by(ops.exp))
    flat = program(lambda new, x, y: new.apply(ops.neg, new.apply(ops.add, x, y)))
    assert names(rewriting_pass("changed", *rules, rest)(flat)) == ["sub", "exp"]


@pytest.mark.parametrize("order", [1, -1])
def test_operands_of_what_commutes_stand_in_either_order(order: int) -> None:
    def relu(commutes: bool) -> Pass:
        rule = Rule(op("max", op("neg", bind="x"), splat("zero"), commutes=commutes),
                    lambda new, match: match["x"] if match.number("zero") == 0 else None)
        return rewriting_pass("relu", rule)

    flat = program(lambda new, x, y: new.apply(
        ops.max, *[new.apply(ops.neg, x), new.splat(0, (4,), dtypes.float32)][::order]))
    assert names(relu(True)(flat)) == ["neg"]
    assert (relu(False)(flat) is flat) == (order == -1)


def test_a_pattern_may_ask_that_nothing_else_takes_a_value() -> None:
    once = rewriting_pass("once", Rule(op("neg", op("exp", anything("x"), uses=1)), no_negation))
    assert names(once(program(lambda new, x, y: new.apply(ops.neg, new.apply(ops.exp, x))))) == []

    def twice(new: Builder, x: Value, y: Value) -> tuple[Value, Value]:
        power = new.apply(ops.exp, x)
        return new.apply(ops.neg, power), power

    flat = program(twice)
    assert once(flat) is flat


def test_uses_are_those_of_what_a_value_was() -> None:
    """What replaces a value that is taken twice is taken twice."""
    both = rewriting_pass("both", Rule(op("exp"), lambda new, match: new.apply(ops.log, *match.operands)),
                          Rule(op("neg", op("log", anything("x"), uses=2)), no_negation))
    flat = program(lambda new, x, y: (lambda power: new.apply(ops.add, new.apply(ops.neg, power), power))(
        new.apply(ops.exp, x)))
    found = both(flat)
    assert names(found) == ["log", "add"] and found.operations[1].operands[0] is flat.inputs[0]


def test_operations_without_use_go_and_those_with_effects_stay() -> None:
    effect = OperationRecord("shout", "host", lambda types, attributes, regions: [], has_effects=True)

    def write(new: Builder, x: Value, y: Value) -> Value:
        new.apply(ops.exp, x)
        new.apply_all(effect, x)
        return new.apply(ops.neg, new.apply(ops.neg, y))

    assert names(DOUBLE_NEGATION(program(write))) == ["shout"]


def test_a_rule_that_writes_and_declines_is_a_fault() -> None:
    def both(new: Builder, match: Match) -> None:
        new.apply(ops.exp, *match.operands)

    with pytest.raises(OlympusInternalError, match="does not apply"):
        rewriting_pass("wrong", Rule(op("neg"), both))(program(lambda new, x, y: new.apply(ops.neg, x)))


def test_passes_run_in_their_order_and_changes_are_observed() -> None:
    seen: list[tuple[int, str, list[str]]] = []
    exponent = rewriting_pass("exponents", Rule(op("exp"), lambda new, match: new.apply(ops.neg, *match.operands)))
    passes = PassList(DOUBLE_NEGATION, exponent, DOUBLE_NEGATION)
    flat = program(lambda new, x, y: new.apply(ops.neg, new.apply(ops.exp, x)))
    found = passes.run(flat, lambda number, name, after: seen.append((number, name, names(after))))
    assert passes.names == ("double-negation", "exponents", "double-negation")
    assert seen == [(2, "exponents", ["neg", "neg"]), (3, "double-negation", [])] and names(found) == []


def test_a_dump_holds_the_program_after_each_pass_that_changed_it(tmp_path: Path) -> None:
    flat = program(lambda new, x, y: new.apply(ops.add, y, new.apply(ops.neg, new.apply(ops.neg, x))))
    stays = Pass("copy", lambda flat: Flat(flat.inputs, flat.operations, flat.outputs))
    PassList(stays, DOUBLE_NEGATION).run(flat, Dump(str(tmp_path)).observer("sum", flat))
    (path,) = tmp_path.iterdir()
    assert path.name == f"sum-{flat.program('sum').fingerprint[:12]}.02-double-negation.program.txt"
    assert "neg" not in path.read_text() and "add" in path.read_text()
    assert Dump(None).observer("sum", flat) is None


SAMPLES = {
    "softmax": lambda x: jnp.exp(x - x.max(1, keepdims=True)) / jnp.exp(x - x.max(1, keepdims=True)).sum(1)[:, None],
    "argmax": lambda x: jnp.argmax(x, axis=0),
    "product": lambda x: (x.T @ x).T,
    "random": lambda x: olympus.random.uniform(olympus.random.key(3), (300,)) + x[0, 0],
    "picked": lambda x: x[np.array([0, 2, 4])] * 2,
    "long": lambda x: jnp.sum(jnp.broadcast_to(x.reshape(-1), (300, x.size))),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_lowering_twice_is_lowering_once(name: str) -> None:
    traced = olympus.jit(SAMPLES[name]).trace(np.ones((8, 16), np.float32)).program
    (lower,) = lowering_passes(lambda record, types: record is None or record.name != "threefry2x32", FusionOptions())
    once = lower(flatten(traced))
    assert lower(once).program(name).text == once.program(name).text
    assert not {"argmax", "random_bits", "threefry2x32", "gather", "call"} & set(names(once))


def test_what_passes_an_operand_on_is_no_use_of_it() -> None:
    def write(new: Builder, x: Value, y: Value) -> Value:
        product = new.apply(ops.mul, x, y)
        return new.apply(ops.neg, new.apply(ops.convert, product, dtype=dtypes.float32))

    same = Rule(op("convert", anything("x")), no_negation)
    once = Rule(op("neg", op("mul", bind="product", uses=1)), lambda new, match: new.apply(
        ops.sub, *match.producer("product").operands))
    assert names(rewriting_pass("once", same, once)(program(write))) == ["sub"]

    def write_both(new: Builder, x: Value, y: Value) -> tuple[Value, ...]:
        product = new.apply(ops.mul, x, y)
        return product, new.apply(ops.neg, new.apply(ops.convert, product, dtype=dtypes.float32))

    assert names(rewriting_pass("once", same, once)(program(write_both))) == ["mul", "neg"]
