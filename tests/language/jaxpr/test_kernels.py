# SPDX-License-Identifier: Apache-2.0
"""Operations whose code is a loop nest: compiled by the platform, split, differentiated; and the example's."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError, KernelFormError, NotExportableError
from olympus.extend.core import Primitive
from olympus.extend.kernels import lower_kernel
from olympus.interpreters import mlir
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus.test_util import check_grads
from olympus_core import ops
from olympus_core.program import attribute_text, run
from olympus_core.toolkit.loops import Affine, Compute, Index, Kernel, Load, Loop, Parameter, Scalar, Store
from olympus_core.toolkit.optable import table_from_references

EXAMPLE = runpy.run_path(str(Path(__file__).parents[3] / "examples" / "operations" / "linear_recurrence.py"))
X = np.sin(np.arange(128, dtype=np.float32)).reshape(8, 16)


def recurrence(x: Any) -> Any:
    return EXAMPLE["linear_recurrence"](x, 0.75)


def expected(x: np.ndarray, reverse: bool = False) -> np.ndarray:
    found, y = np.zeros(x.shape), np.zeros(x.shape[:-1])
    for i in reversed(range(x.shape[-1])) if reverse else range(x.shape[-1]):
        y = found[..., i] = 0.75 * y + x[..., i]
    return found


def test_the_example() -> None:
    for f in (recurrence, olympus.jit(recurrence), olympus.vmap(recurrence)):
        np.testing.assert_allclose(f(X), expected(X), rtol=1e-5, atol=1e-6)
    reverse = olympus.jit(lambda x: EXAMPLE["linear_recurrence"](x, 0.75, True))
    np.testing.assert_allclose(reverse(X), expected(X, True), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(olympus.jit(olympus.vmap(recurrence, 1, 1))(X[:, None]), expected(X)[:, None],
                               rtol=1e-5, atol=1e-6)
    check_grads(lambda x: jnp.sin(recurrence(x)), (X[:2, :4],), 2, ("fwd", "rev"), rtol=3e-2, atol=3e-2)
    with olympus.enable_x64(True):
        np.testing.assert_allclose(recurrence(X.astype(np.float64)), expected(X.astype(np.float64)), rtol=1e-14)
    assert recurrence(np.ones((0, 3), "f")).shape == (0, 3)


def test_its_kernel_is_compiled_among_others() -> None:
    compiled = olympus.jit(lambda x: recurrence(x * 2) + 1).lower(X).compile()
    np.testing.assert_allclose(compiled(X), expected(2 * X) + 1, rtol=1e-5, atol=1e-6)
    assert "kernel linear_recurrence(" in compiled.as_text("kernels")


def test_each_device_has_a_nest_of_its_rows() -> None:
    mesh = olympus.make_mesh((8,), ("i",))
    x = olympus.device_put(X, NamedSharding(mesh, P("i")))
    found = olympus.jit(recurrence)(x)
    np.testing.assert_allclose(found, expected(X), rtol=1e-5, atol=1e-6)
    assert found.sharding.spec[0] == "i" and "no collectives" in olympus.explain(recurrence, x)
    columns = olympus.device_put(X, NamedSharding(mesh, P(None, "i")))
    np.testing.assert_allclose(olympus.jit(recurrence)(columns), expected(X), rtol=1e-5, atol=1e-6)


def added(operands: Any, results: Any, *, wrong: str = "") -> Any:
    """The sum of two arrays; or a kernel that is wrong somehow."""
    i, dtype = Index("i"), operands[0].dtype
    x, y, z = (Parameter(name, dtype, operands[0].size, role)
               for name, role in (("x", "input"), ("y", "input"), ("z", "output")))
    a, b, c = (Scalar(dtype) for _ in range(3))
    at = Affine.of(i, 2 if wrong == "address" else 1)
    body = (Load(a, x, at), Load(b, y, at), Compute((c,), ops.add, (a, b)), Store(z, at, c))
    kernel = Kernel("added", (x, z) if wrong == "parameters" else (x, y, z), Loop(i, x.size, "lanes", body))
    return "kernel" if wrong == "kind" else kernel


def sum_of(**params: Any) -> Any:
    prim = Primitive("added")
    prim.def_abstract_eval(lambda x, y, **params: x)
    mlir.register_lowering(prim, lower_kernel(added))
    return lambda x, y: prim.bind(x, y, **params)


def test_without_a_sharding_rule_and_by_reference() -> None:
    mesh = olympus.make_mesh((8,), ("i",))
    x = olympus.device_put(X, NamedSharding(mesh, P("i")))
    f = sum_of()
    np.testing.assert_array_equal(olympus.jit(f)(x, 1 + x), X + (X + 1))
    program = olympus.make_program(f)(X, X)
    np.testing.assert_array_equal(run(program, [X, X])[0], 2 * X)
    (operation,) = program.operations
    (nest,) = operation.record.expansion([v.type for v in operation.operands], operation.attributes, "cpu").operations
    assert "mul" not in attribute_text(nest.attributes) and "add(" in attribute_text(nest.attributes)
    kernel = table_from_references().kernel(nest)
    np.testing.assert_array_equal(kernel.function(X, X)[0], 2 * X)
    for dtype in (np.int32, jnp.bfloat16, np.complex64):
        values = (X * 10).astype(dtype)
        np.testing.assert_array_equal(np.asarray(olympus.jit(f)(values, values)), values + values)


def test_kernels_that_are_wrong() -> None:
    with pytest.raises(ArgumentError, match="no kernel"):
        sum_of(wrong="kind")(X, X)
    with pytest.raises(KernelFormError):
        sum_of(wrong="address")(X, X)
    with pytest.raises((ArgumentError, KernelFormError)):
        sum_of(wrong="parameters")(X, X)
    with pytest.raises(ArgumentError, match="other parameters"):
        sum_of()(X, X[:1])
    spec = olympus.ShapeDtypeStruct(X.shape, "float32")
    with pytest.raises(NotExportableError, match="loop_nest"):
        olympus.export.export(olympus.jit(recurrence))(spec)


def test_the_example_s_program(capsys: Any) -> None:
    EXAMPLE["main"]()
    assert "below 1e-6: True" in capsys.readouterr().out
