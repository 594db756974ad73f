# SPDX-License-Identifier: Apache-2.0
"""What stands in a folder of checkpoints: whole ones are offered, others never; what was left behind goes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import olympus
import olympus.numpy as jnp
from olympus import checkpoints
from olympus.checkpoints import folders, saving
from olympus.errors import (
    ArgumentError,
    CheckpointExistsError,
    CheckpointFolderError,
    CheckpointNotFoundError,
    CheckpointWriteError,
)

from .support import need_tensorstore

need_tensorstore()

AN_HOUR_AGO = 3600.0


def age(path: Path) -> None:
    """Makes a folder look as if nothing had changed in it for an hour."""
    then = path.stat().st_mtime - AN_HOUR_AGO
    os.utime(path, (then, then))


def test_a_step_is_not_written_over(tmp_path: Path) -> None:
    checkpoints.save(tmp_path, {"a": 1}, 3)
    with pytest.raises(CheckpointExistsError, match="Step 3"):
        checkpoints.save(tmp_path, {"a": 2}, 3)
    assert checkpoints.restore(tmp_path) == {"a": 1}
    assert [path.name for path in tmp_path.iterdir()] == ["step-00000003"]


def test_the_latest_step_is_that_of_the_greatest_number(tmp_path: Path) -> None:
    for step in (9, 100, 10, 123456789):
        checkpoints.save(tmp_path, step, step)
    assert folders.steps_in(tmp_path) == [9, 10, 100, 123456789]
    assert checkpoints.restore(tmp_path) == 123456789 and checkpoints.restore(tmp_path, step=9) == 9
    with pytest.raises(CheckpointNotFoundError, match="step 11(?s:.*)9, 10, 100, 123456789"):
        checkpoints.restore(tmp_path, step=11)


@pytest.mark.parametrize("make", [
    lambda f: (f / "step-00000007").mkdir(), lambda f: (f / "step-7").mkdir(), lambda f: (f / "notes.txt").touch(),
    lambda f: (f / ".saving-00000007-0123456789abcdef").mkdir(),
    lambda f: (f / ".removing-00000007-0123456789abcdef").mkdir(),
])
def test_what_is_no_checkpoint_is_not_offered(make: object, tmp_path: Path) -> None:
    make(tmp_path)  # type: ignore[operator]
    with pytest.raises(CheckpointNotFoundError, match="no checkpoint"):
        checkpoints.restore(tmp_path)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(CheckpointNotFoundError, match="no such folder"):
        checkpoints.restore(tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        checkpoints.restore(tmp_path / "none", step=3)


@pytest.mark.parametrize("interrupted", ["_write", "_commit"])
def test_a_save_that_breaks_leaves_the_one_before(
    interrupted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoints.save(tmp_path, {"a": jnp.arange(3)}, 1)

    def broken(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(saving.Writer, "finish", broken)
        if interrupted == "_commit":
            patch.undo()
            patch.setattr(folders.os, "rename", broken)
        with pytest.raises(CheckpointWriteError, match="Step 2 was not saved(?s:.*)No space left"):
            checkpoints.save(tmp_path, {"a": jnp.arange(4)}, 2)
    assert folders.steps_in(tmp_path) == [1]
    checkpoints.save(tmp_path, {"a": jnp.arange(5)}, 2)
    assert len(checkpoints.restore(tmp_path)["a"]) == 5
    for path, _ in folders.unfinished_in(tmp_path):
        age(path)
    checkpoints.save(tmp_path, 0, 3)
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"step-0000000{step}" for step in (1, 2, 3)]


def test_what_is_being_written_stays(tmp_path: Path) -> None:
    temporary, lock, _ = folders.new_temporary(tmp_path, 7)
    age(temporary)
    assert folders.unfinished_in(tmp_path) == [(temporary, True)]
    checkpoints.save(tmp_path, 0, 8)
    assert temporary.is_dir()
    lock.release()  # as the system does for a process that ends
    assert folders.unfinished_in(tmp_path) == [(temporary, False)]
    checkpoints.save(tmp_path, 0, 9)
    assert not temporary.exists() and folders.steps_in(tmp_path) == [8, 9]


def test_what_has_just_begun_or_ends_stays(tmp_path: Path) -> None:
    begun = tmp_path / ".saving-00000007-0123456789abcdef"
    begun.mkdir()
    folders.remove_leftovers(tmp_path)
    assert begun.is_dir()
    age(begun)
    folders.remove_leftovers(tmp_path)
    assert not begun.exists()


def test_without_locks_nothing_that_may_be_written_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(folders.fcntl, "flock", refused)
    temporary, lock, _ = folders.new_temporary(tmp_path, 7)
    lock.release()
    age(temporary)
    checkpoints.save(tmp_path, 5, 8)
    assert temporary.is_dir() and checkpoints.restore(tmp_path) == 5


def test_a_removed_step_is_none_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkpoints.save(tmp_path, {"a": 1}, 3)
    monkeypatch.setattr(folders.shutil, "rmtree", lambda *_, **__: None)  # killed before the files go
    folders.remove_step(tmp_path, 3)
    assert folders.steps_in(tmp_path) == []
    with pytest.raises(CheckpointNotFoundError):
        checkpoints.restore(tmp_path)


def test_object_stores_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckpointFolderError, match="no addresses of object stores"):
        checkpoints.save("gs://bucket/run", 1)


@pytest.mark.parametrize("folder", [None, 3, "", b"x"])
def test_a_folder_is_a_path(folder: object) -> None:
    with pytest.raises(ArgumentError, match="path of a folder"):
        checkpoints.save(folder, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize("step", [-1, True, "3", 1.0, None])
def test_a_step_is_a_number(step: object, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="zero or more"):
        checkpoints.save(tmp_path, 1, step)  # type: ignore[arg-type]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CheckpointWriteError, match="Error"):
        checkpoints.save(tmp_path / "file" / "folder", 1)


def test_without_tensorstore_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from olympus.checkpoints import store

    store.tensorstore.cache_clear()
    monkeypatch.setitem(__import__("sys").modules, "tensorstore", None)
    for call in (lambda: checkpoints.save(tmp_path, 1), lambda: checkpoints.restore(tmp_path),
                 lambda: checkpoints.Manager(tmp_path)):
        with pytest.raises(olympus.errors.TensorStoreMissingError, match=r'"olympus-runtime\[checkpoints\]"'):
            call()
    with pytest.raises(ImportError):
        checkpoints.save(tmp_path, 1)


def test_files_are_synced_where_no_thread_can_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: object) -> None:
        raise RuntimeError("can't create new thread at interpreter shutdown")

    synced = []
    monkeypatch.setattr(folders.threading.Thread, "start", refused)
    monkeypatch.setattr(folders, "_sync_file", synced.append)
    syncing = folders.Syncing(tmp_path)
    files = [tmp_path / "a" / str(i) for i in range(20)]
    files[0].parent.mkdir()
    for file in files:
        file.touch()
        syncing.add(file)
    syncing.finish()
    assert synced == files


def test_a_file_that_cannot_be_synced_is_an_error(tmp_path: Path) -> None:
    syncing = folders.Syncing(tmp_path)
    syncing.add(tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        syncing.finish()
    syncing.close()
