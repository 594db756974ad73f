# SPDX-License-Identifier: Apache-2.0
"""Control flow in one native call, against Python's own loops over NumPy."""

from __future__ import annotations

import signal
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus_cpu.compiled.loops import LoopStep
from tests.support.processes import Processes


def random(*shape: int, dtype: Any = np.float32, seed: int = 0) -> np.ndarray:
    return np.random.default_rng((seed, *shape)).standard_normal(shape).astype(dtype)


def test_a_loop_is_one_step(found: list[Any]) -> None:
    got = olympus.jit(lambda x: lax.fori_loop(0, 100, lambda i, c: c * 0.5 + 1, x))(random(3))
    np.testing.assert_array_equal(got, np.full(3, 2, "f4"))
    (step,) = found
    assert isinstance(step, LoopStep) and step.trip_count == 100 and step.reusable == ((0, 0),)


@pytest.mark.parametrize("trip_count", [0, 1, 2, 3, 10])
def test_carries_that_are_swapped(trip_count: int) -> None:
    got = olympus.jit(lambda a, b: lax.fori_loop(0, trip_count, lambda i, s: (s[1], s[0] + s[1], s[2]), (a, b, b)))(
        np.float32(1), np.float32(2))
    a, b = 1.0, 2.0
    for _ in range(trip_count):
        a, b = b, a + b
    assert [float(v) for v in got] == [a, b, 2.0]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "u1", "bool", "c8", "f2"])
def test_parts_of_arrays_at_odd_addresses(dtype: str, reverse: bool) -> None:
    x = (random(7, 3) * 5).astype(dtype)

    def step(c: Any, a: Any) -> Any:
        return c ^ a if dtype == "bool" else c + a, (c, a[::-1], a[0])

    with olympus.enable_x64(True):
        got = olympus.jit(lambda c, x: lax.scan(step, c, x, reverse=reverse))(x[0], x)
    c, rows = x[0], []
    for a in x[::-1] if reverse else x:
        rows.append((c, a[::-1], a[0]))
        c = c ^ a if dtype == "bool" else c + a
    rows = rows[::-1] if reverse else rows
    np.testing.assert_array_equal(got[0], c)
    for mine, theirs in zip(got[1], zip(*rows, strict=True), strict=True):
        np.testing.assert_array_equal(mine, np.stack(theirs))


def test_a_result_that_is_two_results() -> None:
    x = random(5, 4)
    c, (p, q, r) = olympus.jit(lambda x: lax.scan(lambda c, a: (c + a, (c + a, c + a, x[0])), x[0], x))(x)
    totals = np.stack([x[0] + x[:i + 1].sum(0) for i in range(5)])
    for each in (p, q):
        np.testing.assert_allclose(each, totals, rtol=1e-5)
    np.testing.assert_array_equal(r, np.broadcast_to(x[0], x.shape))
    np.testing.assert_allclose(c, totals[-1], rtol=1e-5)


def test_as_long_as_a_condition_holds(found: list[Any]) -> None:
    def collatz(n: Any) -> Any:
        return lax.while_loop(
            lambda s: s[0] != 1, lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1), (n, 0))

    for n, trip_count in ((1, 0), (2, 1), (27, 111)):
        assert [int(v) for v in olympus.jit(collatz)(n)] == [1, trip_count]
    assert isinstance(found[0], LoopStep) and found[0].trip_count is None


@pytest.mark.parametrize("trip_count", [0, 1, 2, 3, 4, 5, 63, 64, 65, 66, 191, 192, 193, 500])
def test_carries_that_are_swapped_until_a_condition(trip_count: int) -> None:
    n, a, b = olympus.jit(lambda n: lax.while_loop(
        lambda s: s[0] != n, lambda s: (s[0] + 1, s[2], s[1] * 3 + s[2]), (0, 1, 2)))(trip_count)
    c, d = 1, 2
    for _ in range(trip_count):
        c, d = d, (c * 3 + d) & 0xFFFFFFFF
    assert [int(n), int(a) & 0xFFFFFFFF, int(b) & 0xFFFFFFFF] == [trip_count, c, d]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("trip_count", [2, 3, 4, 63, 64, 65, 66, 191, 192, 193, 500])
def test_long_scans_with_all_kinds_of_carries(trip_count: int, reverse: bool) -> None:
    def step(s: Any, x: Any) -> Any:  # one that follows its stack, two that are swapped, one in place
        follows, a, b, total = s
        follows = follows * 3 + x[0]
        return (follows, b, a + x[1], total + b), (follows, a)

    xs = np.random.default_rng(trip_count).integers(0, 1 << 32, (trip_count, 2), np.uint32)
    start = np.arange(1, 5, dtype=np.uint32)
    got, stacks = olympus.jit(lambda s, xs: lax.scan(step, s, xs, reverse=reverse))(tuple(start), xs)
    s, rows = tuple(start[i:i + 1] for i in range(4)), []
    for x in xs[::-1] if reverse else xs:
        s, row = step(s, x[:, None])
        rows.append(row)
    assert [int(v) for v in got] == [int(v[0]) for v in s]
    for mine, theirs in zip(stacks, zip(*(rows[::-1] if reverse else rows), strict=True), strict=True):
        np.testing.assert_array_equal(mine, np.concatenate(theirs))


def test_a_condition_that_is_a_carry() -> None:
    got = olympus.jit(lambda x: lax.while_loop(lambda s: s[0], lambda s: (s[1] < 5, s[1] + 1), (True, x)))(0)
    assert [int(v) for v in got] == [0, 6]


def test_loops_in_branches_in_loops(found: list[Any]) -> None:
    def f(x: Any) -> Any:
        def step(c: Any, a: Any) -> Any:
            even = lax.cond(a % 2 == 0, lambda c: (c * 2, c), lambda c: (lax.fori_loop(
                0, 3, lambda i, d: d + i, c), c + 7), c)
            return even[0] % 1000, even[1]

        return lax.scan(step, jnp.int32(1), x)

    x = np.arange(20, dtype=np.int32)
    last, each = olympus.jit(f)(x)
    c, rows = 1, []
    for a in x:
        rows.append(c if a % 2 == 0 else c + 7)
        c = (c * 2 if a % 2 == 0 else c + 3) % 1000
    assert int(last) == c
    np.testing.assert_array_equal(each, rows)
    assert len(found) == 3 and None not in found


@pytest.mark.parametrize("index", [-3, 0, 1, 2, 9])
def test_branches(index: int) -> None:
    def f(i: Any, x: Any) -> Any:
        return lax.switch(i, [lambda x: (x + 1, x), lambda x: (x * 2, x.at[0].set(5.0)), lambda x: (x, x)], x)

    x = random(6)
    got = olympus.jit(f)(index, x)
    changed = x.copy()
    changed[0] = 5
    expected = [(x + 1, x), (x * 2, changed), (x, x)][min(max(index, 0), 2)]
    for mine, theirs in zip(got, expected, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_products_in_loops() -> None:
    w, b, x = random(64, 64) / 8, random(64, seed=1), random(300, 64, seed=2)
    got = olympus.jit(lambda x, w, b: lax.fori_loop(0, 7, lambda i, c: jnp.tanh(c @ w + b), x))(x, w, b)
    for _ in range(7):
        x = np.tanh(x @ w + b)
    np.testing.assert_allclose(got, x, rtol=1e-4, atol=1e-4)


def test_large_iterations_use_all_threads() -> None:
    x = random(3_000_001)
    got = olympus.jit(lambda x: lax.scan(lambda c, a: (c * 0.5 + a, c.sum()), x, np.arange(4, dtype="f4")))(x)
    c, sums = x, []
    for a in range(4):
        sums.append(c.sum(dtype="f8"))
        c = c * np.float32(0.5) + np.float32(a)
    np.testing.assert_allclose(got[0], c, rtol=1e-6)
    np.testing.assert_allclose(got[1], sums, rtol=1e-4)


def test_large_parts_at_odd_addresses() -> None:
    x = random(3, 9_000_001)  # parts so large are stored past the caches, at whole cache lines only
    carry, got = olympus.jit(lambda x: lax.scan(lambda c, a: (c + 1, a * 2), 0, x))(x)
    np.testing.assert_array_equal(got, x * 2)
    assert int(carry) == 3


@pytest.mark.parametrize("donate", [(), (0,)])
def test_donated_carries(donate: tuple[int, ...]) -> None:
    x = random(1000)
    f = olympus.jit(lambda c, d: lax.fori_loop(0, 5, lambda i, s: (s[0] * 2, s[1]), (c, d)), donate_argnums=donate)
    for _ in range(3):
        given = jnp.asarray(x)
        got = f(given, x)
        np.testing.assert_array_equal(got[0], x * 32)
        np.testing.assert_array_equal(got[1], x)
        assert given.is_deleted() == bool(donate)


def test_arguments_are_left_as_they_are() -> None:
    x = jnp.asarray(random(100))
    before = np.array(x)
    f = olympus.jit(lambda c: (lax.fori_loop(0, 5, lambda i, s: s * 2, c), lax.while_loop(
        lambda s: s[0] < 4, lambda s: (s[0] + 1, s[1] - 1), (0, c))[1]))
    for _ in range(4):
        twice, less = f(x)
        np.testing.assert_array_equal(x, before)
        np.testing.assert_array_equal(twice, before * 32)
        np.testing.assert_array_equal(less, before - 1 - 1 - 1 - 1)


def test_constants_of_a_region() -> None:
    table = random(50)
    got = olympus.jit(lambda i: lax.fori_loop(0, 5, lambda k, s: s + jnp.asarray(table)[(i + k) % 50], 0.0))(48)
    np.testing.assert_allclose(got, table[[48, 49, 0, 1, 2]].sum(), rtol=1e-5)


def test_what_kernels_cannot_do_is_left_to_python(found: list[Any]) -> None:
    x = random(5, 20_000)  # NumPy sorts so many faster
    got = olympus.jit(lambda x: lax.scan(lambda c, a: (jnp.sort(c + a), a), x[0], x)[0])(x)
    c = x[0]
    for a in x:
        c = np.sort(c + a)
    np.testing.assert_array_equal(got, c)
    assert found and not any(found)


@pytest.mark.parametrize("devices", [1, 2, 8])
def test_devices_side_by_side(devices: int) -> None:
    x = np.arange(devices * 6, dtype=np.float32).reshape(devices * 2, 3)
    mesh = olympus.make_mesh((devices,), ("i",))

    def f(x: Any) -> Any:  # each device has another trip count
        return lax.while_loop(lambda s: s.sum() < 1000, lambda s: s * 2 + 1, x)

    g = olympus.jit(olympus.shard_map(f, mesh=mesh, in_specs=P("i"), out_specs=P("i")))
    for _ in range(4):
        got = np.asarray(g(olympus.device_put(x, NamedSharding(mesh, P("i")))))
        for part, mine in zip(np.split(x, devices), np.split(got, devices), strict=True):
            while part.sum() < 1000:
                part = part * 2 + 1
            np.testing.assert_array_equal(mine, part)


def test_from_many_threads() -> None:
    f = olympus.jit(lambda x: lax.fori_loop(0, 200, lambda i, c: c + x, x))
    wrong: list[float] = []

    def run(value: float) -> None:
        wrong.extend(value for _ in range(50) if float(f(np.float32(value))) != 201 * value)

    threads = [threading.Thread(target=run, args=(float(i),)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not wrong


def test_derivatives_go_through() -> None:
    x = random(30) / 10
    f = olympus.jit(olympus.grad(lambda x: lax.scan(lambda c, a: (jnp.sin(c) + a, None), 0.0, x)[0]))
    expected = np.ones(30)
    c, slopes = 0.0, []
    for a in x:
        slopes.append(np.cos(c))
        c = np.sin(c) + a
    for i in range(29):
        expected[i] = np.prod(slopes[i + 1:])
    np.testing.assert_allclose(f(x), expected, rtol=1e-4)


@given(st.data())
@settings(deadline=None, max_examples=40, derandomize=True)
def test_any_program(data: Any) -> None:
    """Turns of random assignments between carries, against the same in NumPy."""
    count, trip_count = data.draw(st.integers(1, 4)), data.draw(st.sampled_from([*range(7), 64, 65, 97]))
    kinds = [data.draw(st.sampled_from(["keep", "take", "add", "scale", "put", "part", "splat"])) for _ in range(count)]
    others = [data.draw(st.integers(0, count - 1)) for _ in range(count)]
    reverse, size = data.draw(st.booleans()), data.draw(st.sampled_from([1, 3, 64, 200]))
    xs = random(trip_count, size, seed=size)

    def step(s: Any, a: Any, np_: Any) -> tuple[list[Any], list[Any]]:
        new = []
        for i, (kind, j) in enumerate(zip(kinds, others, strict=True)):
            if kind == "put":
                put = s[i].at[j % size].set(s[j][0]) if np_ is jnp else s[i].copy()
                if np_ is np:
                    put[j % size] = s[j][0]
                new.append(put)
            else:
                new.append({"keep": s[i], "take": s[j], "add": s[i] + s[j], "scale": s[i] * 0.5, "part": a,
                            "splat": np_.full(size, 3.0, np_.float32)}[kind])
        return new, [s[0], new[-1], s[0][:1] + a[:1]]

    start = [random(size, seed=100 + i) for i in range(count)]
    carry, each = olympus.jit(lambda s, xs: lax.scan(
        lambda s, a: step(s, a, jnp), s, xs, reverse=reverse))(start, xs)
    rows: list[list[np.ndarray]] = []
    s: Any = start
    for a in xs[::-1] if reverse else xs:
        s, row = step(s, a, np)
        rows.append(row)
    for mine, theirs in zip(carry, s, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-6)
    for k, mine in enumerate(each):
        expected = [row[k] for row in (rows[::-1] if reverse else rows)]
        np.testing.assert_allclose(mine, np.array(expected).reshape(mine.shape), rtol=1e-6)


@pytest.mark.parametrize("size", [3, 1_000_000])
def test_an_endless_loop_can_be_interrupted(size: int) -> None:
    text = f"""
        import signal, threading, olympus
        from olympus import lax

        def interrupt():
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

        f = olympus.jit(lambda x, limit: lax.while_loop(lambda c: c.sum() > limit, lambda c: c * 0.5 + 1, x))
        x = olympus.numpy.ones({size})
        f(x, 1e9).block_until_ready()
        timer = threading.Timer(0.3, interrupt)
        timer.start()
        try:
            f(x, -1.0).block_until_ready()
        except KeyboardInterrupt:
            print("interrupted")
        print(float(f(x, 1e9)[0]))
    """
    with Processes() as running:
        running.start(text)
        (end,) = running.wait()
    assert end.returncode == 0, end.stderr
    assert end.stdout == "interrupted\n1.0\n"


def test_nothing_but_signals_interrupts() -> None:
    before = signal.getsignal(signal.SIGINT)
    f = olympus.jit(lambda x: lax.while_loop(lambda c: c < 30_000_000, lambda c: c + 1, x))
    assert int(f(0)) == 30_000_000
    assert signal.getsignal(signal.SIGINT) is before


def test_two_updates_of_a_carry_are_made_in_place(found: list[Any]) -> None:
    x = random(300, 40)

    def update(i: Any, c: Any) -> Any:
        return c.at[i].add(1.0).at[i + 1].multiply(2.0)

    got = olympus.jit(lambda x: lax.fori_loop(0, 299, update, x))(x)
    for i in range(299):
        x[i] += 1
        x[i + 1] *= 2
    np.testing.assert_allclose(got, x, rtol=1e-6)
    (step,) = found
    assert (1, 1) in step.reusable


def test_a_chain_does_not_write_over_what_its_product_still_reads() -> None:
    c, b = random(8192, 512), random(8192, 512, seed=1)

    def f(c: Any, b: Any) -> Any:
        h = c.at[0, 0].add(1.0)
        return h.at[:512].set(h.T @ b)

    h = c.astype("f8")
    h[0, 0] += 1
    expected = h.copy()
    expected[:512] = h.T @ b
    for donate in ((), (0,)):
        got = olympus.jit(f, donate_argnums=donate)(jnp.asarray(c), b)
        np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-2)


@pytest.mark.parametrize("writer", ["update", "open"])
@pytest.mark.parametrize("pending", [False, True])
def test_what_a_queued_execution_reads_is_not_written_over(writer: str, pending: bool) -> None:
    reader = olympus.jit(lambda x: lax.fori_loop(0, 30, lambda i, c: jnp.sin(c) + x, x))

    def update(x: Any) -> Any:
        return x.at[:3].set(-1.0) if writer == "update" else lax.while_loop(lambda c: c[0] >= 0, lambda c: c - 1.0, x)

    write = olympus.jit(update, donate_argnums=0)
    make = olympus.jit(lambda x: jnp.cos(x) * 0 + x)
    given = np.linspace(0, 1, 1_000_000, dtype=np.float32)
    expected = None
    for _ in range(4):
        x = make(given)
        if not pending:
            x.block_until_ready()
        y = reader(x)
        write(x)
        expected = np.asarray(reader(jnp.asarray(given))) if expected is None else expected
        np.testing.assert_array_equal(y, expected)


def test_an_open_loop_leaves_other_threads_alone() -> None:
    text = """
        import sys, threading, time, olympus
        from olympus import lax

        f = olympus.jit(lambda c: lax.while_loop(lambda s: s >= 0, lambda s: s * 1, c))
        threading.Thread(target=f, args=(olympus.numpy.int32(1),), daemon=True).start()
        end = time.monotonic() + 1
        while time.monotonic() < end:
            pass
        print("alive", flush=True)
        __import__("os")._exit(0)
    """
    with Processes() as running:
        running.start(text)
        (end,) = running.wait()
    assert (end.returncode, end.stdout) == (0, "alive\n"), end.stderr
