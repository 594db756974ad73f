# SPDX-License-Identifier: Apache-2.0
"""Every operation has all its parts, and the table in the room's README names those with attributes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from olympus_core import ops
from olympus_core.ops import OPERATIONS
from olympus_core.program import OperationRecord

README = Path(ops.__file__).with_name("README.md").read_text(encoding="utf-8")


def tabled():
    """Names in the table: a backticked word is an operation's name when it begins its entry.

    A cell holds runs of names (`` `a b c` (operands; attributes), `d` (...) ``); what stands in parentheses are
    operands and attributes.
    """
    names = []
    for line in README.splitlines():
        if line.startswith("| `"):
            cell = line.split("|", 2)[2]
            cell = cell.split("; the last dimension", 1)[0].split(" where a layout", 1)[0]
            cell = re.sub(r"\([^()]*\)", "", cell)
            for words in re.findall(r"`([^`]+)`", cell):
                names.extend(words.split())
    return names


def test_the_table_names_every_operation_with_attributes_or_operands_of_its_own_once():
    names = tabled()
    assert len(names) == len(set(names))
    uniform = {r.name for module in (ops.unary, ops.binary) for r in vars(module).values()
               if isinstance(r, OperationRecord)}
    assert {name.rstrip("_") for name in names} == set(OPERATIONS) - uniform
    assert all(OPERATIONS[name].arity for name in uniform)
    assert all(isinstance(getattr(ops, name), OperationRecord) for name in names)
    assert all(getattr(ops, name).name == name.rstrip("_") for name in names)


def test_records_are_public_and_no_two_have_one_name():
    records = {id(r): r for r in vars(ops).values() if isinstance(r, OperationRecord)}
    assert len({r.name for r in records.values()}) == len(records)
    assert {r.name: r for r in records.values()} == OPERATIONS
    public = {name for name in ops.__all__ if isinstance(getattr(ops, name), OperationRecord)}
    assert {name.rstrip("_") for name in public} == set(OPERATIONS)
    for module in (ops.binary, ops.unary, ops.control, ops.collective, ops.host):
        for record in vars(module).values():
            if isinstance(record, OperationRecord):
                assert OPERATIONS[record.name] is record


@pytest.mark.parametrize("record", OPERATIONS.values(), ids=lambda r: r.name)
def test_every_record_is_complete(record):
    assert re.fullmatch(r"[a-z][a-z0-9_]*[a-z0-9]", record.name)
    assert callable(record.type_rule)
    meanings = [record.reference, record.control_steps, record.group_reference]
    given = [kind for kind, meaning in zip(("array", "control", "collective"), meanings, strict=True) if meaning]
    if record.name == "manual":  # its meaning is the interpreter's, over all devices
        assert (given, record.category, record.factor_rule) == ([], "control", None)
    elif record.category in ("control", "collective"):
        assert given == [record.category]
        assert record.factor_rule is None
        assert record.localize is None
    else:
        assert given == ["array"]
        assert callable(record.factor_rule)
    assert all(isinstance(s, frozenset) and s for s in record.additive)
    assert record.has_effects == (record.category == "host")
