# SPDX-License-Identifier: Apache-2.0
"""Checkpoints in the background: the loop goes on, what was taken stays as it was, errors come with the next call."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import checkpoints
from olympus.checkpoints import Manager, saving
from olympus.errors import ArgumentError, CheckpointTimeoutError, CheckpointWriteError

from .support import need_tensorstore

need_tensorstore()


@contextmanager
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Saves write nothing before the event is set."""
    go = threading.Event()
    write = saving.Save._write

    def waiting(self: saving.Save, temporary: Path) -> dict[str, str]:
        assert go.wait(30)
        return write(self, temporary)

    with monkeypatch.context() as patch:
        patch.setattr(saving.Save, "_write", waiting)
        try:
            yield go
        finally:
            go.set()


def test_the_loop_goes_on_while_a_checkpoint_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    step = olympus.jit(lambda state: {"x": state["x"] * 2 + 1}, donate_argnums=0)
    host = np.arange(4.0)
    state = {"x": jnp.arange(5000.0)}
    expected = np.asarray(state["x"]).copy()
    with held(monkeypatch) as go, Manager(tmp_path) as manager:
        assert manager.save(1, {"state": state, "host": host})
        for _ in range(3):
            state = step(state)  # donates what is being saved
        state["x"].delete()
        host[:] = -1
        assert manager.latest() is None
        go.set()
        manager.wait()
        found = manager.restore()
    assert np.array_equal(found["state"]["x"], expected) and np.array_equal(found["host"], np.arange(4.0))


def test_one_save_waits_for_the_one_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with held(monkeypatch) as go, Manager(tmp_path) as manager:
        manager.save(1, {"a": 1})
        with pytest.raises(CheckpointTimeoutError, match=r"step 1 has not ended in 0\.\d s; it is \w+(?s:.*)timeout="):
            manager.wait(timeout=0.05)
        threading.Timer(0.05, go.set).start()
        manager.save(2, {"a": 2})
        assert 1 in manager.steps()
    assert manager.steps() == [1, 2]


def test_old_checkpoints_go(tmp_path: Path) -> None:
    with Manager(tmp_path, keep=2, keep_every=4) as manager:
        for step in range(1, 10):
            manager.save(step, step)
    assert manager.steps() == [4, 8, 9]
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"step-0000000{step}" for step in (4, 8, 9)]
    assert manager.latest() == 9 and manager.restore(step=4) == 4


def test_steps_between_are_not_saved(tmp_path: Path) -> None:
    with Manager(tmp_path, every=3) as manager:
        assert [step for step in range(7) if manager.save(step, step)] == [0, 3, 6]
        assert manager.save(7, 7, force=True)
    assert manager.steps() == [0, 3, 6, 7]


def test_the_step_that_was_saved_last_is_not_saved_again(tmp_path: Path) -> None:
    # As a loop does that saves each second step, and is told to end just after one.
    with Manager(tmp_path, every=2) as manager:
        assert manager.save(2, {"a": 1}) and not manager.save(2, {"a": 1}, force=True)
        assert manager.save(3, {"a": 2}, force=True)
    assert manager.steps() == [2, 3]
    with Manager(tmp_path) as another:  # which has not saved it, and may have something else
        another.save(3, {"a": 5})
        with pytest.raises(olympus.errors.CheckpointExistsError):
            another.wait()


def test_an_error_comes_with_the_next_call_and_once(tmp_path: Path) -> None:
    manager = Manager(tmp_path)
    (tmp_path / "step-00000002").touch()  # in the way
    manager.save(1, 1)
    manager.save(2, 2)
    with pytest.raises(olympus.errors.CheckpointExistsError):
        manager.save(3, 3)
    manager.save(3, 3)
    manager.close()
    assert manager.steps() == [1, 3]


@pytest.mark.parametrize("call", ["wait", "close", "restore", "save of another step", "exit"])
def test_every_call_raises_what_went_wrong(call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise OSError(5, "Input/output error")

    manager = Manager(tmp_path, every=2)
    with monkeypatch.context() as patch:
        patch.setattr(saving.Writer, "finish", broken)
        manager.save(2, {"a": jnp.ones(3)})
        assert manager._thread is not None
        manager._thread.join(30)
    with pytest.raises(CheckpointWriteError, match="Input/output error"):
        if call == "save of another step":
            manager.save(3, 3)
        elif call == "exit":
            with manager:
                pass
        else:
            getattr(manager, call)()
    manager.close()


def test_the_error_of_the_block_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ZeroDivisionError), held(monkeypatch) as go, Manager(tmp_path) as manager:
        manager.save(1, 1)
        go.set()
        raise ZeroDivisionError
    assert checkpoints.restore(tmp_path) == 1  # what was begun is ended


@pytest.mark.parametrize("wrong", [{"keep": 0}, {"every": 0}, {"every": None}, {"keep": True}, {"keep_every": 1.5}])
def test_numbers_of_steps_are_checked(wrong: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=next(iter(wrong))):
        Manager(tmp_path, **wrong)  # type: ignore[arg-type]
