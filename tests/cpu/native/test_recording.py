# SPDX-License-Identifier: Apache-2.0
"""Recordings of native calls: every stage has its row, more come than fit at once, and no reference is left behind."""

from __future__ import annotations

import sys
import threading

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus_cpu.native import recording
from olympus_cpu.native.recording import KernelRecorder


def test_each_execution_has_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "_ROWS", 16)
    monkeypatch.setattr(recording, "_MOST", 100)
    f, g = olympus.jit(lambda x: x * 3 + 1), olympus.jit(lambda x: jnp.sum(x - 2))
    x = jnp.arange(8.0)
    f(x), g(x)
    for _ in range(5):  # until no better code takes the place of this one
        f(x), g(x)
    recorder = KernelRecorder()
    for _ in range(100):
        f(x)
        g(x)
    entries = list(recorder._entries.values())
    times = recorder.stop()
    assert times.lost == 0
    counts = np.bincount(times.rows[:, 0], minlength=len(times.kernels))
    for kernel, (more, nanoseconds) in times.later.items():
        counts[kernel] += more
        assert nanoseconds >= 0
    told = {k.name for k, count in zip(times.kernels, counts, strict=True) if count}
    assert len(told) >= 2 and any("reduce_sum" in name for name in told), told
    assert counts.sum() >= 200
    assert (times.rows[:, 3] >= times.rows[:, 2]).all() and set(times.rows[:, 1]) == {threading.get_ident()}
    del recorder, times
    before = [sys.getrefcount(entry) for entry in entries]
    again = KernelRecorder()
    for _ in range(50):
        f(x)
        g(x)
    again.stop()
    del again
    assert [sys.getrefcount(entry) for entry in entries] == before
