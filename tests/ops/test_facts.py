# SPDX-License-Identifier: Apache-2.0
"""What records say beside their meaning: complete, not contradicted by their references, and written nowhere else."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

from olympus_core import dtypes
from olympus_core.errors import OperandError
from olympus_core.ops import OPERATIONS
from olympus_core.program import ArrayType, OperationRecord

ROOT = Path(__file__).parents[2]
FLOATS = (*dtypes.FLOATS, *dtypes.NARROW_FLOATS)
UNIFORM = [record for record in OPERATIONS.values() if record.arity]
FUNCTIONS = [record for record in UNIFORM if record.exactness.kind == "function"]


def result_type(record: OperationRecord, dtype: np.dtype) -> np.dtype | None:
    """The element type of an elementwise operation's result; None where it does not take the operands' type."""
    try:
        return record.type_rule([ArrayType((), dtype)] * record.arity, {}, ())[0].dtype
    except OperandError:
        return None


@pytest.mark.parametrize("record", UNIFORM, ids=lambda r: r.name)
def test_every_element_type_has_a_bound_that_fits_the_kind(record: OperationRecord) -> None:
    exactness = record.exactness
    assert exactness.kind in ("exact", "rounded", "function")
    for dtype in (*FLOATS, *dtypes.COMPLEXES):
        if result_type(record, dtype) is None:
            continue
        bound = exactness.ulps(dtype)
        if dtypes.is_complex(dtype):  # where nothing is said parts are computed as those of real numbers
            assert 0 <= bound <= 32 and (exactness.complex is not None or exactness.kind != "function")
        else:
            assert 1 <= bound <= 64 if exactness.kind == "function" else bound == 0
    takes_complex = result_type(record, dtypes.complex64) is not None
    assert takes_complex or (exactness.complex is None and not exactness.branch_cuts and not exactness.complex_near_one)


@pytest.mark.parametrize("record", OPERATIONS.values(), ids=lambda r: r.name)
def test_costs_say_what_is_expensive(record: OperationRecord) -> None:
    assert 0 <= record.cost <= 100
    assert (record.cost == 0) <= (record.category == "structure")
    assert record.cost >= 3 or record.exactness.kind != "function"


def test_who_combines_what() -> None:
    combining = {record.combine for record in OPERATIONS.values()} - {None}
    for record in OPERATIONS.values():
        is_combining = record.category == "cumulative" or (record.category == "reduction" and "arg" not in record.name)
        assert (record.combine is not None) == is_combining
        assert (record.identity is not None) == (is_combining or record in combining)
        assert record.communicates == (record.category == "collective" and record.name != "axis_index")
    (generator,) = (record for record in OPERATIONS.values() if record.random_bits)
    assert generator.random_bits == sum(8 * t.dtype.itemsize for t in generator.type_rule(
        [ArrayType((), dtypes.uint32)] * 4, {}, ()))


@pytest.mark.parametrize("record", [r for r in OPERATIONS.values() if r.decomposition], ids=lambda r: r.name)
def test_what_an_operation_consists_of_gives_its_results(record: OperationRecord) -> None:
    assert record.decomposition is not None and record.reference is not None
    words = list(np.random.default_rng(1).integers(0, 1 << 32, (4, 9), np.uint32))
    for found, wanted in zip(record.decomposition(*words), record.reference(words, {}), strict=True):
        np.testing.assert_array_equal(found, wanted)


def samples_of(record: OperationRecord, count: int, dtype: np.dtype) -> list[np.ndarray]:
    """Operands from within the intervals of a function's samples."""
    intervals = record.samples.floats or ((-3.0, 3.3),)
    return [np.linspace(*intervals[min(i, len(intervals) - 1)], count + 2)[1:-1].astype(dtype)
            for i in range(record.arity)]


@pytest.mark.parametrize("record", FUNCTIONS, ids=lambda r: r.name)
def test_references_have_values_of_their_samples_as_exact_as_they_promise(record: OperationRecord) -> None:
    """The reference of float32 against that of float64."""
    assert record.reference is not None
    operands = samples_of(record, 500, dtypes.float32)
    (found,) = record.reference(operands, {})
    (wide,) = record.reference([x.astype(np.float64) for x in operands], {})
    assert np.isfinite(wide).all()
    place = np.spacing(np.maximum(np.abs(wide), record.exactness.near).astype(np.float32)).astype(np.float64)
    assert (np.abs(found - wide) <= record.exactness.ulps(dtypes.float32) * place).all()


# What is chosen from the set, and says nothing about an operation: profiles, and what `--quick` and large arrays try.
SELECTIONS = {"conformance/profiles.py", "conformance/samples/catalogue.py", "conformance/suite/single/operations.py",
              "olympus/transforms/jaxpr/plain.py",  # which primitives have the parameter `accuracy`
              "plugins/pjrt/stablehlo/elementwise.py"}  # which operations the dialect lacks


def collections_of(path: Path) -> list[tuple[int, list[str]]]:
    """Lists, sets and dicts of plain numbers with operations' names in a file: the line, and the names."""
    found = []
    tree = ast.parse(path.read_text(encoding="utf-8"))
    public = {id(node.value) for node in tree.body if isinstance(node, ast.Assign)
              and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Set, ast.List, ast.Tuple)) and id(node) not in public:
            names = [e.value for e in node.elts if isinstance(e, ast.Constant)]
        elif isinstance(node, ast.Dict) and all(_is_figure(value) for value in node.values):
            names = [e.value for e in node.keys if isinstance(e, ast.Constant)]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            words = node.value.split()
            names = words if all(word in OPERATIONS for word in words) else []  # type: ignore[assignment]
        else:
            continue
        found.append((node.lineno, [name for name in names if isinstance(name, str)]))
    return found


def _is_figure(node: ast.expr) -> bool:
    elements = node.elts if isinstance(node, ast.Tuple) else [node]
    return all(isinstance(e, (ast.Constant, ast.UnaryOp)) and not isinstance(getattr(e, "value", 0), str)
               for e in elements)


def test_no_second_table_says_how_exact_or_expensive_functions_are() -> None:
    """Tables that say what an operation becomes on a platform hold functions; lists of names and figures are facts."""
    functions = {record.name for record in FUNCTIONS}
    wrong = []
    for root in ("olympus", "olympus_core", "plugins", "conformance"):
        for path in sorted((ROOT / root).rglob("*.py")):
            where = path.relative_to(ROOT).as_posix()
            for line, names in collections_of(path) if where not in SELECTIONS else ():
                if len(functions.intersection(names)) > 2:
                    wrong.append(f"{where}:{line}: {', '.join(names[:5])}")
    assert not wrong, "say it in the operation's record instead:\n" + "\n".join(wrong)
