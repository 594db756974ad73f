# SPDX-License-Identifier: Apache-2.0
"""Compiled programs as the runtime runs them: memory, donation, several devices, what is left to the table."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus_core.errors import ArgumentError, NotCompiledWarning, OlympusInternalError
from olympus_cpu.compiled import kernels

from ...support.processes import run_processes


def address(x: olympus.Array) -> int:
    return int(np.asarray(x).__array_interface__["data"][0])


def allocation(x: olympus.Array) -> Any:
    return x._buffers[0].allocation


class TestMemory:
    def test_results_are_blocks_that_begin_at_cache_lines(self) -> None:
        x = jnp.arange(1000.0) + 1
        assert allocation(x).address % 64 == 0
        assert address(x) == allocation(x).address

    def test_a_donated_array_is_written_over(self) -> None:
        step = olympus.jit(lambda x, y: x * 2 + y, donate_argnums=0)
        x, y = jnp.arange(1000.0) + 0, jnp.ones(1000)
        before = allocation(x).address
        result = step(x, y)
        assert allocation(result).address == before
        assert x.is_deleted()
        np.testing.assert_array_equal(result, np.arange(1000, dtype="f4") * 2 + 1)

    def test_what_numpy_looks_at_is_not_written_over(self) -> None:
        step = olympus.jit(lambda x: x * 2, donate_argnums=0)
        x = jnp.arange(1000.0) + 0
        host = np.asarray(x)
        kept = host.copy()
        step(x)
        np.testing.assert_array_equal(host, kept)

    def test_what_another_array_shares_is_not_written_over(self) -> None:
        same = olympus.jit(lambda x: x.reshape(10, 100))
        step = olympus.jit(lambda x: x * 2, donate_argnums=0)
        x = jnp.arange(1000.0) + 0
        other = same(x)
        step(x)
        np.testing.assert_array_equal(other, np.arange(1000, dtype="f4").reshape(10, 100))

    def test_a_shifted_read_is_not_written_over(self) -> None:
        step = olympus.jit(lambda x: jnp.concatenate([x[1:], x[:1]]) + x, donate_argnums=0)
        x = jnp.arange(50_000.0) + 0
        expected = np.roll(np.arange(50_000, dtype="f4"), -1) + np.arange(50_000, dtype="f4")
        np.testing.assert_array_equal(step(x), expected)

    def test_donation_on_several_devices(self) -> None:
        mesh = olympus.make_mesh((8,), ("x",))
        step = olympus.jit(lambda x: x * 2, donate_argnums=0)
        x = olympus.jit(lambda x: x + 1)(olympus.device_put(jnp.arange(64.0), NamedSharding(mesh, P("x"))))
        before = {b.allocation.address for b in x._buffers}
        result = step(x)
        assert {b.allocation.address for b in result._buffers} == before
        np.testing.assert_array_equal(result, 2 * (np.arange(64) + 1))

    def test_a_matrix_product_is_finished_in_place(self) -> None:
        f = olympus.jit(lambda x, y, b: jnp.maximum(x @ y + b, 0))
        x, y, b = (jnp.asarray(np.random.default_rng(i).normal(size=s).astype("f4"))
                   for i, s in enumerate([(300, 200), (200, 100), (100,)]))
        expected = np.maximum(np.asarray(x) @ np.asarray(y) + np.asarray(b), 0)
        for _ in range(3):
            np.testing.assert_allclose(f(x, y, b), expected, rtol=1e-5, atol=1e-5)

    def test_results_that_are_the_input_outlive_it(self) -> None:
        f = olympus.jit(lambda x: (x, x.reshape(2, 4), x + 1))
        x = jnp.arange(8.0)
        same, shaped, more = f(x)
        x.delete()
        np.testing.assert_array_equal(same, np.arange(8))
        np.testing.assert_array_equal(shaped, np.arange(8).reshape(2, 4))
        np.testing.assert_array_equal(more, np.arange(8) + 1)


@pytest.mark.parametrize("shape", [(), (0,), (1,), (7,), (3, 0, 2), (5, 1, 3)])
def test_every_shape(shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(0).normal(size=shape).astype("f4")
    result = olympus.jit(lambda x: (x * 2 + 1, x.sum(), jnp.sum(x, axis=tuple(range(x.ndim))[:1])))(x)
    np.testing.assert_allclose(result[0], x * 2 + 1, rtol=1e-6)
    np.testing.assert_allclose(result[1], x.sum(), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(result[2], x.sum(0) if shape else x, rtol=1e-5, atol=1e-6)


def test_hot_programs_are_compiled_again_and_give_the_same() -> None:
    f = olympus.jit(lambda x: jnp.where(x > 3, x * 2 - 1, x / 3 + 0.125) * 1.0078125)
    x = jnp.arange(100.0)
    first = np.asarray(f(x))
    for _ in range(10):
        np.testing.assert_array_equal(f(x), first)


def test_programs_over_devices_with_reductions() -> None:
    mesh = olympus.make_mesh((4, 2), ("x", "y"))
    host = np.random.default_rng(0).normal(size=(16, 24)).astype("f4")
    x = olympus.device_put(host, NamedSharding(mesh, P("x", "y")))
    f = olympus.jit(lambda x: (x.sum(), x.max(1), x.T @ x, (x - x.mean(0)).std(1)))
    total, top, gram, spread = f(x)
    np.testing.assert_allclose(total, host.sum(), rtol=1e-5)
    np.testing.assert_array_equal(top, host.max(1))
    np.testing.assert_allclose(gram, host.T @ host, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(spread, (host - host.mean(0)).std(1), rtol=1e-5)


def test_control_flow_between_kernels() -> None:
    def f(x: Any) -> Any:
        y = olympus.lax.fori_loop(0, 5, lambda i, c: c * 2 + i, x)
        z = olympus.lax.cond(y.sum() > 0, lambda v: v + 1, lambda v: v - 1, y)
        return olympus.lax.scan(lambda c, v: (c + v, c * v), z[0], z)

    carry, stacked = olympus.jit(f)(jnp.arange(6.0))
    x = np.arange(6, dtype="f4")
    for i in range(5):
        x = x * 2 + i
    x = x + 1
    sums, c = [], x[0]
    for v in x:
        sums.append(c * v)
        c = c + v
    np.testing.assert_allclose(carry, c)
    np.testing.assert_allclose(stacked, np.array(sums))


class TestLeftToTheTable:
    def test_a_program_that_cannot_be_compiled_runs_with_a_warning(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*arguments: Any) -> str:
            raise OlympusInternalError("no code today")

        monkeypatch.setattr(kernels.KernelStore, "_code", refuse)
        with pytest.warns(NotCompiledWarning, match="no code today"):
            result = olympus.jit(lambda x: x * 3 + 0.375)(jnp.arange(5.0))
        np.testing.assert_array_equal(result, np.arange(5) * 3 + 0.375)

    def test_an_operation_without_kernel_is_logged_once_with_the_line(self, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.INFO, "olympus.cpu")
        f = olympus.jit(lambda x: jnp.sort(x * 2))  # long ones are NumPy's
        f(jnp.arange(500.0))
        f(jnp.arange(600.0))
        (line,) = [r for r in caplog.records if r.getMessage().startswith("sort(")]
        assert "test_execution.py" in line.getMessage() and line.levelno == logging.INFO

    def test_what_may_be_slow_is_a_warning(self, caplog: pytest.LogCaptureFixture) -> None:
        zero = np.zeros((), jnp.float8_e5m2)
        f = olympus.jit(lambda x: olympus.lax.pad(x, zero, ((1, 1, 0),)))
        for count in (5, 6, 0):
            f(np.ones(count, zero.dtype))
        (line,) = [r for r in caplog.records if r.levelno == logging.WARNING]
        assert line.getMessage().startswith("pad(float8_e5m2") and "test_execution.py" in line.getMessage()


def test_dumps(tmp_path: Path) -> None:
    code = (
        "import olympus, olympus.numpy as jnp\n"
        "def shape(x): return jnp.where(x > 1, x, 2 * x)\n"
        "print(olympus.jit(shape)(jnp.arange(3.)))\n"
    )
    (done,) = run_processes(code, 1, env={"OLYMPUS_DUMP_TO": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    kernels_text = next(tmp_path.glob("shape*.kernels.txt")).read_text()
    assert "kernel" in kernels_text
    assert "select" in kernels_text
    assert "define void" in next(tmp_path.glob("shape*.ll")).read_text()
    assert "select" in next(tmp_path.glob("shape*.program.txt")).read_text()


class TestSharedWithNumPy:
    def test_what_anybody_may_write_to_is_copied(self) -> None:
        host = np.arange(1000.0, dtype="f4")
        view = host[:]
        view.flags.writeable = False  # its base is not
        x, y = olympus.device_put(host), olympus.device_put(view)
        host[:] = 0
        np.testing.assert_array_equal(x, np.arange(1000))
        np.testing.assert_array_equal(y, np.arange(1000))

    def test_locked_arrays_are_shared(self) -> None:
        host = np.arange(1000.0, dtype="f4")
        host.flags.writeable = False
        x = olympus.device_put(host)
        assert np.shares_memory(np.asarray(x), host)
        np.testing.assert_array_equal(x + 1, np.arange(1000) + 1)

    def test_sharing_can_be_asked_for_and_refused(self) -> None:
        host = np.arange(1000.0, dtype="f4")
        assert np.shares_memory(np.asarray(olympus.device_put(host, may_alias=True)), host)
        host.flags.writeable = False
        assert not np.shares_memory(np.asarray(olympus.device_put(host, may_alias=False)), host)

    def test_shared_memory_is_not_written_over(self) -> None:
        host = np.arange(1000.0, dtype="f4")
        x = olympus.device_put(host, may_alias=True)
        olympus.jit(lambda x: x * 2, donate_argnums=0)(x)
        np.testing.assert_array_equal(host, np.arange(1000))

    def test_results_are_read_where_they_are(self) -> None:
        x = jnp.arange(1000.0) + 1
        assert np.shares_memory(np.asarray(x), np.asarray(x))
        assert np.from_dlpack(x).__array_interface__["data"][0] == allocation(x).address

    def test_large_results_of_any_length(self) -> None:
        # From 32 MiB on stores go past the caches, and these lengths are no whole number of anything.
        x = np.arange(3000 * 3001, dtype="f4").reshape(3000, 3001)
        placed = olympus.device_put(x)
        assert not np.asarray(jnp.zeros((3000, 3001))).any()
        for found, wanted in ((placed[:-1], x[:-1]), (jnp.ravel(placed)[3:], x.ravel()[3:]), (placed + 1, x + 1)):
            np.testing.assert_array_equal(np.asarray(found), wanted)

    def test_dlpack_without_a_copy_uses_the_memory_or_says_why_not(self) -> None:
        whole = np.arange(1100, dtype="f4")
        first = -whole.ctypes.data % 64 // 4
        host = whole[first:first + 1000]
        x = jnp.from_dlpack(host, copy=False)
        assert np.shares_memory(np.asarray(x), host)
        np.testing.assert_array_equal(np.asarray(x + 1), host + 1)
        assert not np.shares_memory(np.asarray(jnp.from_dlpack(host)), host)
        with pytest.raises(ArgumentError, match="cannot be used as it is"):
            jnp.from_dlpack(np.asfortranarray(np.ones((3, 4), "f4")), copy=False)


@pytest.mark.parametrize("columns", range(2, 10))
def test_what_is_beside_a_quotient_stays_zero(columns: int) -> None:
    """LLVM took the zeros of lanes that are not there for operands of the quotient, and 0 / 0 for padding."""
    x = np.arange(1, 6, dtype="f4").reshape(5, 1)
    wanted = np.pad(x / (x + 1), ((0, 0), (0, columns - 1)))
    edges = [(0, 0, 0), (0, columns - 1, 0)]
    of_arrays = olympus.jit(lambda a, b: lax.pad(a / b, np.float32(0), edges))
    np.testing.assert_array_equal(np.asarray(of_arrays(x, x + 1)), wanted)
    of_numbers = olympus.jit(lambda a, b: lax.pad(
        jnp.broadcast_to(a, (5, 1)) / jnp.broadcast_to(b, (5, 1)), np.float32(0), edges))
    wanted = np.pad(np.full((5, 1), 0.75, "f4"), ((0, 0), (0, columns - 1)))
    np.testing.assert_array_equal(np.asarray(of_numbers(np.float32(3), np.float32(4))), wanted)
