# SPDX-License-Identifier: Apache-2.0
"""Each work gives NumPy's numbers with olympus, and a work with wrong numbers is refused."""

from __future__ import annotations

import hashlib
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.processes import ProgramError, RefusedError, environment
from benchmarks.programs.works import WORKS
from benchmarks.programs.works.chains import CHAINS
from benchmarks.programs.works.reductions import REDUCTIONS
from benchmarks.programs.works.side import Side, Work, WrongResultError, compare, other_threads_run
from benchmarks.servers import Kind, Servers

SMALL: list[tuple[str, dict[str, Any]]] = [
    *(("chain", {"which": which, "size": 1000, "dtype": "float32"}) for which in CHAINS),
    *(("reduction", {"which": which, "shape": [30, 50]}) for which in REDUCTIONS),
    ("ten", {}), ("fresh", {"size": 100}), ("fresh_mlp", {}), ("call", {}), ("tree", {}),
    ("put", {}),
    *(("eager", {"which": which}) for which in ("add", "sin", "index")),
    ("convolution", {"images": 2, "size": 6, "features": 4}),
    ("matmul", {"size": 32, "dtype": "float32"}), ("matmul", {"size": 32, "dtype": "bfloat16"}), ("small_matmuls", {}),
    ("widened_matmul", {"size": 32, "dtype": "int8", "result": "int32"}),
    ("widened_matmul", {"size": 32, "dtype": "bfloat16", "result": "float32"}),
    ("mlp", {}), ("attention", {}), ("sum_sin", {"size": 64}), ("product", {"size": 32}),
    *(("samples", {"which": which, "count": 40_000}) for which in ("gamma", "poisson", "normal")),
    *(("special", {"which": which, "entries": 1000}) for which in ("logsumexp", "gammaln", "betainc")),
    ("segments", {"count": 10, "entries": 1000}), ("sparse_product", {"size": 50, "entries": 300}),
    ("transform", {"shape": [256]}), ("transform", {"shape": [2, 16, 8]}),
    ("dense", {"size": 32}), ("twenty", {}), ("transformer", {"tokens": 16, "width": 32, "heads": 4}),
    ("transformer", {"tokens": 16, "width": 32, "heads": 4, "gradient": True}),
    *(("decomposition", {"which": which, "shape": shape}) for which in ("cholesky", "qr", "svd", "eigh", "solve")
      for shape in ((8, 8), (6, 5, 5))),
]


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("lorenz", {}), ("remat", {}), ("pmapped", {}), ("ahead", {}), ("pair", {}),
    ("parts", {"which": "local"}), ("parts", {"which": "callback"}),
]
PROGRAMS: list[tuple[str, dict[str, Any]]] = [
    ("gpt", {"depth": 2, "width": 16, "batch": 2, "tokens": 8}),
    ("encoder", {"depth": 2, "width": 16, "batch": 2, "tokens": 8}),
    ("cnn", {"batch": 2, "size": 8}), ("resnet", {"batch": 2, "size": 8, "width": 4}),
    ("unet", {"batch": 2, "size": 8, "width": 8}),
    ("mlp_step", {"batch": 8, "sizes": [12, 8, 10]}), ("lstm", {"width": 8, "turns": 5, "batch": 4}),
    ("graph", {"nodes": 20, "edges": 50, "width": 8}),
    ("data_parallel", {"batch": 16}), ("fully_sharded", {"batch": 16}),
    ("examples", {"count": 8, "width": 4}), ("embedding", {"words": 50, "width": 4, "count": 20}),
    ("heat", {"size": 8, "turns": 3}), ("bodies", {"count": 12}),
    ("neighbours", {"asked": 5, "known": 40, "width": 4, "count": 3}), ("monte_carlo", {"paths": 400, "days": 20}),
    ("mandelbrot", {"size": 32, "turns": 10}),
]


@pytest.mark.parametrize(("name", "arguments"), PROGRAMS, ids=lambda value: value if isinstance(value, str) else "")
def test_program_is_right_and_learns(name: str, arguments: dict[str, Any], tmp_path: Path) -> None:
    side = Side("olympus")
    work = WORKS[name](side, **arguments)
    work.check(side, tmp_path)
    if work.truth is None:
        # NumPy has no gradient; one that is right lowers the loss of one batch.
        step, state, batch = (work.names[name] for name in ("step", "state", "batch"))
        losses = []
        for _ in range(12):
            state, loss = step(state, *batch)
            losses.append(float(loss))
        assert losses[-1] < losses[0]


def test_sides_are_compared_with_each_other(tmp_path: Path) -> None:
    def work(loss: float, slope: float) -> Work:
        return Work("r", {"r": {"loss": loss, "first": [np.full(2, slope)]}}, tree=True)

    side = Side("numpy")
    work(1.0, 2.0).check(side, tmp_path)
    work(1.0, 2.0).check(side, tmp_path)
    for wrong in (work(1.1, 2.0), work(1.0, 2.1)):
        with pytest.raises(WrongResultError, match="of the largest"):
            wrong.check(side, tmp_path)


@pytest.mark.parametrize("library", ["olympus", "numpy"])
@pytest.mark.parametrize(("name", "arguments"), SMALL, ids=lambda value: value if isinstance(value, str) else "")
def test_work_is_right_and_can_be_timed(library: str, name: str, arguments: dict[str, Any]) -> None:
    side = Side(library)
    work = WORKS[name](side, **arguments)
    work.check(side)
    assert work.timer(side).timeit(1) > 0


@pytest.mark.parametrize("which", ["count", "scan", "until", "nested", "update"])
def test_loops_are_right(which: str) -> None:
    side = Side("olympus")
    WORKS["loop"](side, which=which).check(side)


@pytest.mark.parametrize("which", ["cholesky", "solve", "fit", "sort", "check"])
def test_loops_that_solve_are_right(which: str) -> None:
    side = Side("olympus")
    WORKS["solver_loop"](side, which=which).check(side)


def test_mapped_loops_are_right() -> None:
    side = Side("olympus")
    WORKS["mapped_loop"](side, size=400).check(side)


@pytest.mark.parametrize(("name", "arguments"), CALLS, ids=lambda value: value if isinstance(value, str) else "")
def test_calls_are_right(name: str, arguments: dict[str, Any]) -> None:
    side = Side("olympus")
    WORKS[name](side, **arguments).check(side)


def test_places_of_shards_are_right() -> None:
    side = Side("olympus")
    WORKS["shards"](side).check(side)


def test_psum_is_right_in_one_process() -> None:
    side = Side("olympus")
    WORKS["psum"](side, bytes_each=64).check(side)


def test_every_work_is_tested() -> None:
    others = {"psum", "device_copy", "loop", "mapped_loop", "shards", "solver_loop"}
    assert {name for name, _ in [*SMALL, *CALLS, *PROGRAMS]} | others == set(WORKS)


def test_wrong_numbers_are_refused() -> None:
    side = Side("numpy")
    with pytest.raises(WrongResultError, match="off by 0.5 of the largest"):
        Work("x", {"x": np.array([1.0, 2.0])}, np.array([1.0, 4.0])).check(side)
    with pytest.raises(WrongResultError, match="off by nan"):
        Work("x", {"x": np.array([np.nan])}, np.array([1.0])).check(side)
    with pytest.raises(WrongResultError, match="shape"):
        compare(np.zeros(3), np.zeros(4), 1.0)
    with pytest.raises(WrongResultError):
        compare({"a": np.ones(3)}, {"a": np.zeros(3)}, 1e-3)


def test_chains_are_what_their_names_say() -> None:
    x = np.linspace(-3, 3, 50)
    np.testing.assert_allclose(CHAINS["silu"][1](np, x), x * (1 / (1 + np.exp(-x))))
    np.testing.assert_allclose(CHAINS["relu"][1](np, x), np.where(1.5 * x + 0.25 > 0, 1.5 * x + 0.25, 0))
    np.testing.assert_allclose(CHAINS["expcos"][1](np, x, 2 * x), np.exp(-(x**2)) * np.cos(2 * x))
    # The tanh form of gelu, at points of a published table of x Phi(x), within its known distance.
    points = np.array([-1.0, 0.0, 1.0, 2.0])
    np.testing.assert_allclose(CHAINS["gelu"][1](np, points), [-0.15865, 0, 0.84134, 1.95450], atol=5e-4)


@pytest.mark.processes
def test_server_refuses_goes_on_and_comes_back() -> None:
    servers, kind = Servers(), Kind()

    def ask(**request: Any) -> float:
        return servers.ask("numpy", kind, sys.executable, request)

    try:
        assert ask(do="open", work="call", **{"with": {}}) > 0
        with pytest.raises(RefusedError, match="KeyError: 'nothing'"):
            ask(do="open", work="nothing", **{"with": {}})
        first = servers._running["numpy"]._processes[0]
        # A refusal leaves the server and its work as they were.
        assert ask(do="time", count=3) > 0
        assert first.popen.poll() is None
        first.kill()
        first.popen.wait()
        with pytest.raises(ProgramError, match="ended without an answer"):
            ask(do="time", count=3)
        assert ask(do="open", work="call", **{"with": {}}) > 0
        second = servers._running["numpy"]._processes[0]
        assert second.popen.pid != first.popen.pid
        servers.ask("numpy", Kind(wide=True), sys.executable, {"do": "close"})
        assert second.popen.poll() is not None
    finally:
        servers.close()
    assert not servers._running


@pytest.mark.processes
def test_job_that_refuses_is_begun_anew() -> None:
    """The processes of a job may be anywhere after one has refused."""
    servers, kind = Servers(), Kind(processes=2)

    def ask(work: str, **arguments: Any) -> float:
        return servers.ask("olympus", kind, sys.executable, {"do": "open", "work": work, "with": arguments})

    try:
        with pytest.raises(RefusedError, match="TypeError"):
            ask("psum", wrong=1)
        assert not servers._running
        assert ask("psum", bytes_each=16) > 0
        assert len(servers._running["olympus"]._processes) == 2
    finally:
        servers.close()


def test_environment_is_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLYMPUS_NUM_THREADS", "1")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setenv("UNRELATED", "kept")
    made = environment({"EXTRA": "1"})
    assert "OLYMPUS_NUM_THREADS" not in made
    assert "OMP_NUM_THREADS" not in made
    assert made["UNRELATED"] == "kept"
    assert made["EXTRA"] == "1"
    # Nothing that an earlier run has kept, nor the user's.
    assert made["XDG_CACHE_HOME"] == environment({})["XDG_CACHE_HOME"]


def test_kind_is_told_in_each_librarys_variables() -> None:
    kind = Kind(devices=2, wide=True)
    assert kind.variables("olympus") == {"OLYMPUS_NUM_CPU_DEVICES": "2", "OLYMPUS_ENABLE_X64": "1"}
    assert kind.variables("jax") == {"JAX_NUM_CPU_DEVICES": "2", "JAX_ENABLE_X64": "1"}
    assert kind.variables("numpy") == {}
    commands = Kind(processes=3).commands("jax", "python")
    assert [command[3] for command in commands] == ["0", "1", "2"]
    assert len({command[5] for command in commands}) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="threads' states are read from Linux's /proc")
def test_threads_that_compute_are_seen_and_those_that_wait_are_not() -> None:
    def becomes(expected: bool) -> bool:
        end = time.monotonic() + 30.0
        while other_threads_run() is not expected and time.monotonic() < end:
            pass
        return other_threads_run() is expected

    # It computes without Python's lock.
    busy = threading.Thread(target=hashlib.pbkdf2_hmac, args=("sha256", b"olympus", b"salt", 2_000_000))
    busy.start()
    assert becomes(True)
    busy.join(60.0)
    waits, release = threading.Event(), threading.Event()
    idle = threading.Thread(target=lambda: (waits.set(), release.wait(60.0)))
    idle.start()
    assert waits.wait(10.0)
    assert becomes(False)
    release.set()
    idle.join(10.0)
