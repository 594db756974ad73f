"""What is known of a program's values, and operations written in place of others."""

from __future__ import annotations

import numpy as np
import pytest

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Value
from olympus_core.toolkit.flatten import Flat
from olympus_core.toolkit.rewriting import Rewriting, splat_of, varying_values


def made(new: Rewriting) -> dict:
    return {v: operation for operation in new.operations for v in operation.results}


@pytest.mark.parametrize("number", [0.0, -0.0, 2.5])
def test_a_number_everywhere_is_found_behind_broadcasts(number: float) -> None:
    new = Rewriting("here.py:1")
    whole = new.apply(ops.reshape, new.splat(number, (2, 3), dtypes.float32), shape=(6,))
    found = splat_of(whole, made(new))
    assert found is not None and found.shape == () and found.tobytes() == np.float32(number).tobytes()
    assert {operation.location for operation in new.operations} == {"here.py:1"}


def test_other_values_are_no_number() -> None:
    new = Rewriting(None)
    x = Value(ArrayType((2,), dtypes.float32))
    several = new.apply(ops.constant, value=np.arange(2, dtype=np.float32))
    none = new.splat(1, (0,), dtypes.float32)
    doubled = new.apply(ops.add, x, new.splat(1, (2,), dtypes.float32))
    assert all(splat_of(value, made(new)) is None for value in (x, several, none, doubled))


def test_what_depends_on_constants_alone_does_not_vary() -> None:
    new = Rewriting(None)
    x = Value(ArrayType((2,), dtypes.float32))
    constant = new.splat(1, (2,), dtypes.float32)
    still, moving = new.apply(ops.add, constant, constant), new.apply(ops.add, constant, x)
    found = varying_values(Flat((x,), tuple(new.operations), (still, moving)))
    assert {x, moving} <= found and found.isdisjoint({constant, still})


def test_all_results_of_an_operation() -> None:
    new = Rewriting(None)
    keys, numbers = (Value(ArrayType((4,), dtypes.int32)) for _ in range(2))
    results = new.apply_all(ops.sort, keys, numbers, dimension=0, keys=1)
    assert [v.type for v in results] == [keys.type, numbers.type] and new.operations[-1].results == results
