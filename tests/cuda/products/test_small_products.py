# SPDX-License-Identifier: Apache-2.0
"""Small products as sums of products of broadcasts: of every form and type, against the reference of the product."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from olympus_core import dtypes, ops
from olympus_core.program import Operation, Value
from olympus_core.toolkit import Flat
from olympus_cuda.products.small_products import SMALL_PRODUCTS, is_small

from ..conftest import RunWithGpus
from .emulated_gpu import assert_near, expected, operation_of, some

FORMS: list[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = [
    ((3, 4), (4, 5), {"lhs_contracting": (1,), "rhs_contracting": (0,), "lhs_batch": (), "rhs_batch": ()}),
    ((4, 3), (5, 4), {"lhs_contracting": (0,), "rhs_contracting": (1,), "lhs_batch": (), "rhs_batch": ()}),
    ((2, 3, 4), (4, 2, 5), {"lhs_contracting": (2,), "rhs_contracting": (0,), "lhs_batch": (0,), "rhs_batch": (1,)}),
    ((2, 3, 4, 6), (6, 4, 3), {"lhs_contracting": (1, 3), "rhs_contracting": (2, 0), "lhs_batch": (), "rhs_batch": ()}),
    ((3, 2, 7), (2, 3), {"lhs_contracting": (), "rhs_contracting": (), "lhs_batch": (0, 1), "rhs_batch": (1, 0)}),
    ((9,), (9,), {"lhs_contracting": (0,), "rhs_contracting": (0,), "lhs_batch": (), "rhs_batch": ()}),
    ((3,), (4,), {"lhs_contracting": (), "rhs_contracting": (), "lhs_batch": (), "rhs_batch": ()}),
    ((1, 4), (4, 1), {"lhs_contracting": (1,), "rhs_contracting": (0,), "lhs_batch": (), "rhs_batch": ()}),
]
TYPES = [d for d in dtypes.ALL if not dtypes.is_bool(d)]


def rewritten(operation: Operation, arrays: list[np.ndarray]) -> list[np.ndarray]:
    """What the pass makes of a product, by the references; there is no product left."""
    flat = SMALL_PRODUCTS(Flat(operation.operands, (operation,), operation.results))
    assert "dot_general" not in [each.name for each in flat.operations]
    values: dict[Value, np.ndarray] = dict(zip(operation.operands, arrays, strict=True))
    for each in flat.operations:
        assert each.record.reference is not None
        given = [values[v] for v in each.operands]
        values.update(zip(each.results, each.record.reference(given, each.attributes), strict=True))
    return [values[v] for v in flat.outputs]


@pytest.mark.parametrize("dtype", TYPES, ids=lambda d: d.name)
@pytest.mark.parametrize(("left", "right", "attributes"), FORMS)
def test_forms(
    left: tuple[int, ...], right: tuple[int, ...], attributes: dict[str, Any], dtype: np.dtype
) -> None:
    arrays = [some(left, dtype), some(right, dtype, 1)]
    operation = operation_of(ops.dot_general, arrays, **attributes)
    for found, wanted in zip(rewritten(operation, arrays), expected(operation, arrays), strict=True):
        assert_near(found, wanted)


@pytest.mark.parametrize(("dtype", "result"), [
    ("bfloat16", "float32"), ("float32", "bfloat16"), ("int8", "int32"), ("uint8", "int32"), ("int32", "uint64"),
    ("complex64", "complex128"), ("float16", "float64")])
def test_results_of_other_types(dtype: str, result: str) -> None:
    arrays = [some((3, 4), getattr(dtypes, dtype)), some((4, 5), getattr(dtypes, dtype), 1)]
    operation = operation_of(ops.dot_general, arrays, **FORMS[0][2], dtype=getattr(dtypes, result))
    for found, wanted in zip(rewritten(operation, arrays), expected(operation, arrays), strict=True):
        assert_near(found, wanted)


def test_what_counts_as_small() -> None:
    def product(rows: int, inner: int, columns: int, dtype: np.dtype = dtypes.float32) -> Operation:
        return operation_of(ops.dot_general, [np.zeros((rows, inner), dtype), np.zeros((inner, columns), dtype)],
                            **FORMS[0][2])

    assert is_small(product(32, 64, 32)) and not is_small(product(32, 64, 33))
    assert is_small(product(1, 1 << 16, 1))
    assert not is_small(product(3, 0, 4)) and not is_small(product(3, 4, 0))
    signed = [np.zeros((3, 4), np.int8), np.zeros((4, 5), np.int8)]
    assert is_small(operation_of(ops.dot_general, signed, **FORMS[0][2], dtype=dtypes.uint64))


def test_layers_of_small_products_are_one_kernel_each(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus("""
        import numpy as np
        import olympus
        import olympus.numpy as jnp
        from tests.cuda.standin.machine import MACHINE
        random = np.random.default_rng(0)
        x = random.standard_normal((32, 32)).astype(np.float32)
        ws = [(random.standard_normal((32, 32)) / 5).astype(np.float32) for _ in range(10)]

        def layers(np_, x, ws):
            for w in ws:
                x = np_.tanh(x @ w)
            return x

        f = olympus.jit(lambda x, ws: layers(jnp, x, ws))
        x_, ws_ = olympus.device_put((x, ws))
        before = MACHINE.launches
        np.testing.assert_allclose(np.asarray(f(x_, ws_)), layers(np, x, ws), rtol=1e-4, atol=1e-5)
        assert MACHINE.launches - before == 10, MACHINE.launches - before
        """)
