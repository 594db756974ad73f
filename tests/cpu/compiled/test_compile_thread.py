# SPDX-License-Identifier: Apache-2.0
"""Code that a thread compiles while texts are written: whoever comes first does a job, and others wait for it."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus_core.errors import OlympusInternalError, ThreadStartError
from olympus_cpu.compiled import compile_thread as module
from olympus_cpu.compiled import kernels
from olympus_cpu.compiled.compile_thread import Job, compile_thread


def test_a_job_is_done_once_by_whoever_comes_first() -> None:
    makers: list[str] = []
    begun, may_end = threading.Event(), threading.Event()

    def make() -> int:
        makers.append(threading.current_thread().name)
        begun.set()
        may_end.wait(60)
        return 5

    job = Job(make)
    with compile_thread() as start:
        start(job)
        begun.wait(60)
        job()  # another thread is at it: nothing to do, nothing to wait for
        may_end.set()
        assert job.result() == 5
    assert job.result() == 5 and makers == ["olympus-compile"]


def test_a_job_that_failed_in_the_thread_gives_its_error_to_whoever_needs_it() -> None:
    done = threading.Event()

    def fail() -> int:
        raise OlympusInternalError("no code")

    job = Job(fail)
    with compile_thread() as start:
        start(job)
        start(done.set)  # the thread is still there
        assert done.wait(60)
    with pytest.raises(OlympusInternalError, match="no code"):
        job.result()


def test_where_no_thread_starts_whoever_needs_the_result_makes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(target: Any, name: str, purpose: str, **_: Any) -> None:
        raise ThreadStartError(name, purpose, None, None)

    monkeypatch.setattr(module, "start_thread", refuse)
    job = Job(lambda: threading.current_thread())
    with compile_thread() as start:
        start(job)
    assert job.result() is threading.current_thread()


@pytest.mark.parametrize("count", [1, 2])
def test_kernels_of_several_modules_give_the_right_results(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "_MODULE_CHARACTERS", 10)
    monkeypatch.setattr(kernels, "processors", lambda: count)
    names: list[tuple[str, ...]] = []
    own = kernels.link

    def noting(recipe: Any, exports: Any, **named: Any) -> Any:
        names.append(tuple(exports))
        return own(recipe, exports, **named)

    monkeypatch.setattr(kernels, "link", noting)
    x = np.arange(60, dtype=np.float32).reshape(6, 10) / 7

    def f(x: Any) -> Any:
        y = x - jnp.sum(x * x, axis=1, keepdims=True) * (0.25 + count)
        return y - jnp.max(y, axis=0), jnp.cumsum(y, axis=0)

    found = olympus.jit(f)(x)
    y = x - (x * x).sum(axis=1, keepdims=True) * (0.25 + count)
    for one, right in zip(found, (y - y.max(axis=0), y.cumsum(axis=0)), strict=True):
        np.testing.assert_allclose(one, right, 1e-5, 1e-4)
    assert len(names) > 1 and all(len(each) == 1 for each in names)
