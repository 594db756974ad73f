# SPDX-License-Identifier: Apache-2.0
"""The kernels around the libraries' calls, every access of which is watched: no races, nothing beside the operands."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from olympus_cuda.codegen.module import Module
from olympus_cuda.linear_algebra import kernels, reflections

from ..emulation import EmulatedModule, missing
from ..emulation.memory import Guarded
from .works import DTYPES, adjoint, close, matrices

pytestmark = pytest.mark.skipif(missing() is not None, reason=str(missing()))


def launched(written: Callable[[], Module], arrays: list[np.ndarray], *numbers: int) -> list[np.ndarray]:
    """What a kernel leaves in its operands."""
    module = written()
    (launch,) = next(iter(module.launches.values()))
    buffers = [Guarded(x) for x in arrays]
    EmulatedModule(module.text, checked=True).launch(
        launch.function, (launch.grid, 1, 1), (launch.block, 1, 1), launch.shared,
        [*(b.address for b in buffers), *numbers], [b.bound for b in buffers])
    return [b.read(x.dtype, x.shape) for b, x in zip(buffers, arrays, strict=True)]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_qr_of_small_matrices(dtype: np.dtype) -> None:
    for m, n in ((6, 4), (3, 5), (70, 2), (2, 70), (1, 1)):
        x, k = matrices((3, m, n), dtype), min(m, n)
        _, packed, taus = launched(reflections.decomposed(dtype, 3, m, n), [x, x * 0, matrices((3, k), dtype)], m, n)
        if m >= n:
            _, _, q = launched(reflections.multiplied(dtype, 3, m, n), [packed, taus, x * 0], m, n, k)
            close(q @ np.triu(packed[:, :n]), x)
            close(adjoint(q) @ q, np.broadcast_to(np.eye(n), (3, n, n)))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_moves(dtype: np.dtype) -> None:
    x = matrices((2, 5, 70), dtype)
    for conjugated in (False, True):
        expected = x.conj() if conjugated else x
        written = kernels.transposed(dtype, 2, 66, 4, conjugated)
        _, found = launched(written, [x, matrices((2, 66, 4), dtype, 1)], 66, 4, 5 * 70, 70)
        np.testing.assert_array_equal(found, np.swapaxes(expected[:, :4, :66], 1, 2))
        written = kernels.moved(dtype, 2 * 3 * 9, conjugated)
        _, found = launched(written, [x, matrices((2, 3, 9), dtype, 1)], 54, 3, 9, 5 * 70, 70)
        np.testing.assert_array_equal(found, expected[:, :3, :9])
    square = matrices((3, 9, 9), dtype)
    np.testing.assert_array_equal(launched(kernels.lower_part(dtype, 243), [square], 243, 9)[0], np.tril(square))


@pytest.mark.parametrize("dtype", DTYPES[:2], ids=str)
def test_failures(dtype: np.dtype) -> None:
    x = matrices((4, 300), dtype)
    x[0, 299], x[2, 0], x[3, 1] = np.nan, -np.inf, np.nan
    before = np.array([0, 7, 0, 0], np.int32)
    assert launched(kernels.checked(dtype, 4, 1, False), [x, before], 300, 300, 1, 1)[1].tolist() == [1, 0, 1, 1]
    assert launched(kernels.checked(dtype, 4, 1, True), [x, before], 150, 300, 2, 1)[1].tolist() == [0, 7, 1, 0]
    by_two = launched(kernels.checked(dtype, 4, 2, True), [x, before], 300, 300, 1, 2)[1]
    assert by_two.tolist() == [1, 7, 1, 1]
    alone = launched(kernels.checked(dtype, 4, 1, False, nan_alone=True), [x, before], 300, 300, 1, 1)[1]
    assert alone.tolist() == [1, 0, 0, 1]
    failed, _ = launched(kernels.joined(4), [before, np.array([0, 0, -3, 0], np.int32)], 4)
    assert (failed != 0).tolist() == [False, True, True, False]
    found, _ = launched(kernels.filled(dtype, 1200, True), [x, failed], 1200, 300)
    assert np.isnan(found[[1, 2]]).all()
    np.testing.assert_array_equal(found[[0, 3]], x[[0, 3]])
    found, _ = launched(kernels.filled(dtype, 1200, False), [x, failed], 1200, 300)
    assert not found[[1, 2]].any()


@pytest.mark.parametrize("shared_rows", [8192, 5])
def test_exchanges(shared_rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "SHARED_ROWS", shared_rows)
    rows, count, random = 600, 520, np.random.default_rng(0)
    pivots = np.array([[random.integers(i, rows) for i in range(count)] for _ in range(2)], np.int32)
    order = np.broadcast_to(np.arange(rows, dtype=np.int32), (2, rows)).copy()
    for one, exchanges in zip(order, pivots, strict=True):
        for i, other in enumerate(exchanges):
            one[[i, other]] = one[[other, i]]
    found, orders = launched(kernels.counted_pivots(2, rows), [pivots + 1, order * 0], rows, count)
    np.testing.assert_array_equal(found, pivots)
    np.testing.assert_array_equal(orders, order)
    broken = np.array([[-7, 0, 9]], np.int32)
    found, orders = launched(kernels.counted_pivots(1, 3), [broken, np.zeros((1, 3), np.int32)], 3, 3)
    assert found.tolist() == orders.tolist() == [[0, 1, 2]]


def test_vectors_of_conjugate_values() -> None:
    x = np.array([[[0.0, 1, 0], [-1, 0, 0], [0, 0, 2]]])
    values = np.array([[1j, -1j, 2]])
    columns = np.array([[[1, 0, 0], [0, 1, 0], [0, 0, 1]]], np.float64)  # each row is one: they are column-major
    *_, found = launched(kernels.complex_vectors(DTYPES[1], 9), [values, columns, np.zeros((1, 3, 3), DTYPES[3])], 9, 3)
    np.testing.assert_allclose(x @ found, found * values[:, None])


def test_addresses() -> None:
    x = np.zeros(100, np.uint8)
    buffer, found = Guarded(x), Guarded(np.zeros(3, np.uint64))
    module = kernels.pointers(3)()
    EmulatedModule(module.text, checked=True).launch(
        "pointers", (1, 1, 1), (256, 1, 1), 0, [buffer.address, found.address, 3, 24], [buffer.bound, found.bound])
    assert found.read(np.dtype(np.uint64), (3,)).tolist() == [buffer.address + 24 * i for i in range(3)]
