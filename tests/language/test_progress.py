# SPDX-License-Identifier: Apache-2.0
"""A first call that takes long says on a terminal what it does, and elsewhere nothing."""

from __future__ import annotations

import contextlib
import io
import re
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import progress
from olympus_core.config import config
from tests.support.processes import wait_until


class Terminal(io.StringIO):
    """A stderr that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    return Terminal()


def blocked_until(found: Callable[[], bool], terminal: Terminal) -> olympus.Array:
    """The result of a function whose tracing lasts until something is found on the terminal."""

    @olympus.jit
    def train_step(x: olympus.Array) -> olympus.Array:
        wait_until(found, "the line on the terminal", 20.0)
        return x + 1

    with contextlib.redirect_stderr(terminal):
        return train_step(jnp.ones(3))


def test_it_names_the_function_and_the_line_that_is_traced(terminal: Terminal) -> None:
    said = re.compile(r"olympus: first call of train_step, \d+ s: tracing .*\n?.*\.py:\d+")
    y = blocked_until(lambda: said.search(terminal.getvalue()) is not None, terminal)
    np.testing.assert_array_equal(y, 2)


def test_it_is_gone_when_the_call_is(terminal: Terminal) -> None:
    blocked_until(lambda: "train_step" in terminal.getvalue(), terminal)
    wait_until(lambda: "\x1b[?25h" in terminal.getvalue(), "the cursor being shown again", 20.0)
    wait_until(lambda: not progress._watcher._calls, "no call being watched", 20.0)


@pytest.mark.parametrize(("module", "name", "stage"), [
    ("olympus_cpu.client", "compile", "compiling"),
    ("olympus_core.partition.walk", "walk", "splitting it over the devices"),
    ("olympus.transforms.jit", "_place", "planning"),
])
def test_the_stage_is_told_by_the_frames(module: str, name: str, stage: str) -> None:
    """A thread that waits in a function of this name and module."""
    space: dict[str, Any] = {"__name__": module}
    exec(f"def {name}(started, ended):\n    started.set()\n    ended.wait()\n", space)
    started, ended = threading.Event(), threading.Event()
    thread = threading.Thread(target=space[name], args=(started, ended))
    thread.start()
    try:
        assert started.wait(20.0)
        assert progress._doing(thread.ident or 0) == stage
    finally:
        ended.set()
        thread.join()
    assert re.fullmatch(r"tracing .*test_progress\.py:\d+", progress._doing(threading.get_ident()))


@pytest.mark.parametrize("how", ["a file", "off"])
def test_elsewhere_nothing_is_said_and_no_thread_is_started(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal() if how == "off" else io.StringIO()
    watched: list[str] = []
    monkeypatch.setattr(progress._watcher, "begin", lambda call: watched.append(call.name))
    with contextlib.redirect_stderr(stream), config.override("olympus_progress", how != "off"):
        olympus.jit(lambda x: x - 7)(jnp.ones(5))
    assert not watched and not stream.getvalue()


def test_an_error_ends_it(terminal: Terminal) -> None:
    @olympus.jit
    def broken(x: olympus.Array) -> olympus.Array:
        wait_until(lambda: "broken" in terminal.getvalue(), "the line on the terminal", 20.0)
        raise ValueError("as intended")

    with contextlib.redirect_stderr(terminal), pytest.raises(ValueError, match="as intended"):
        broken(jnp.ones(3))
    assert not progress._watcher._calls
