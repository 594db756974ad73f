# SPDX-License-Identifier: Apache-2.0
"""Files that processes share: memory that is there or an error, whose they are, and what killed processes leave."""

from __future__ import annotations

import os
import resource
import signal
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from olympus_core.errors.platform import SharedMemoryError
from olympus_core.toolkit import mpich, sharedfile
from olympus_core.toolkit.sharedfile import SharedFile, open_shared, remove_leftovers
from tests.cpu.transports.test_pmi import Meeting, Rendezvous
from tests.support.patches import patched_here

_SIZE = 8192


@pytest.fixture
def small_limit() -> Iterator[None]:
    """Files of this process cannot be larger than what the tests' own need."""
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (_SIZE, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


def test_two_have_the_same_memory(tmp_path: Path) -> None:
    first, second = (SharedFile(str(tmp_path / "f"), _SIZE) for _ in range(2))
    first.map(0, _SIZE)[3:6] = b"abc"
    assert second.map(0, _SIZE, writable=False)[:7] == b"\0\0\0abc\0"
    found = os.stat(tmp_path / "f")
    assert stat.S_IMODE(found.st_mode) == 0o600 and found.st_blocks * 512 >= _SIZE
    first.close()
    second.close()


@pytest.mark.usefixtures("small_limit")
def test_memory_that_cannot_be_had_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        SharedFile(str(tmp_path / "f"), 2 * _SIZE)
    file = SharedFile(str(tmp_path / "g"), _SIZE)
    assert file.add(_SIZE) is None
    assert file.size() == _SIZE
    file.close()


def _link(path: Path) -> None:
    path.symlink_to(path.with_name("target"))


def _open_to_others(path: Path) -> None:
    path.touch(mode=0o600)
    path.chmod(0o644)


def _second_name(path: Path) -> None:
    path.touch(mode=0o600)
    path.with_name("target").hardlink_to(path)


def _folder(path: Path) -> None:
    path.mkdir(mode=0o700)


def _pipe(path: Path) -> None:
    os.mkfifo(path, 0o600)


@pytest.mark.parametrize("made", [_link, _open_to_others, _second_name, _folder, _pipe])
def test_what_stands_there_already_is_checked(tmp_path: Path, made) -> None:
    made(tmp_path / "f")
    with pytest.raises(OSError):
        SharedFile(str(tmp_path / "f"), _SIZE)
    assert not (tmp_path / "target").exists() or (tmp_path / "target").stat().st_size == 0


def test_a_file_of_another_user_is_refused(tmp_path: Path) -> None:
    (tmp_path / "f").touch(mode=0o600)
    os.utime(tmp_path / "f")
    with pytest.MonkeyPatch.context() as patch:
        patched_here(patch, os, "geteuid", lambda: os.getuid() + 1)
        with pytest.raises(PermissionError):
            SharedFile(str(tmp_path / "f"), _SIZE)


def test_only_names_without_an_owner_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "olympus-left").touch(mode=0o600)
    (tmp_path / "olympus-open-to-others").touch(mode=0o644)
    (tmp_path / "others-left").touch(mode=0o600)
    (tmp_path / "olympus-link").symlink_to(tmp_path / "others-left")
    file = SharedFile(str(tmp_path / "olympus-used"), _SIZE)
    assert remove_leftovers(str(tmp_path)) == 1
    assert {p.name for p in tmp_path.iterdir()} == {
        "olympus-open-to-others", "others-left", "olympus-link", "olympus-used"}
    mapping = file.map(0, _SIZE)
    file.close()
    assert remove_leftovers(str(tmp_path)) == 0  # mapped is used, too
    mapping.close()
    assert remove_leftovers(str(tmp_path)) == 1


def test_a_file_that_was_removed_while_it_was_opened_is_made_again(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, lock = tmp_path / "f", sharedfile._lock
    path.touch(mode=0o600)

    def late(file: int, deadline: float) -> None:
        if path.exists() and path.stat().st_size == 0 and not taken:
            taken.append(path.unlink())
        lock(file, deadline)

    taken: list[None] = []
    monkeypatch.setattr(sharedfile, "_lock", late)
    file = SharedFile(str(path), _SIZE)
    assert taken and path.stat().st_size == _SIZE
    file.close()


def _both(sizes: list[int], tmp_path: Path) -> list[object]:
    """What two processes get that open memory together."""
    meeting, results = Meeting(2), [None, None]

    def run(process: int) -> None:
        try:
            results[process] = open_shared(Rendezvous(process, meeting, ["a", "a"]), "memory", sizes[process], (0, 1))
        except SharedMemoryError as error:
            results[process] = error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sharedfile, "FOLDER", str(tmp_path))
        threads = [threading.Thread(target=run, args=(p,)) for p in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
    return results


def test_opened_together_it_has_no_name_any_more(tmp_path: Path) -> None:
    first, second = _both([_SIZE, _SIZE], tmp_path)
    first.map(0, _SIZE)[:2] = b"hi"
    assert second.map(0, _SIZE)[:2] == b"hi"
    assert not list(tmp_path.iterdir())
    first.close()
    second.close()


@pytest.mark.usefixtures("small_limit")
def test_all_hear_that_one_cannot_have_it(tmp_path: Path) -> None:
    results = _both([_SIZE, 2 * _SIZE], tmp_path)
    assert all(isinstance(result, SharedMemoryError) and "too large" in str(result) for result in results), results
    assert not list(tmp_path.iterdir())


def test_names_cannot_be_foreseen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = []
    monkeypatch.setattr(sharedfile, "SharedFile", lambda path, size: names.append(path))
    for label in ("a", "a", "b"):
        with pytest.raises(SharedMemoryError):  # there is no file
            open_shared(Rendezvous(0, Meeting(1), ["here"]), label, _SIZE, (0,))
    assert len(set(names)) == 3 and all(len(name.rpartition("-")[2]) == 32 for name in names)


def test_mpis_leftovers_go_when_they_are_old_and_nobody_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {"mpich_shm_left", "mpich_shm_young", "mpich_shm_used", "other"}
    for name in names:
        (tmp_path / name).touch()
    young, mapped = (tmp_path / "mpich_shm_young"), mpich._mapped
    monkeypatch.setattr(mpich, "FOLDER", str(tmp_path))
    monkeypatch.setattr(mpich, "_is_old", lambda entry: entry.name != young.name)
    monkeypatch.setattr(mpich, "_mapped", lambda process: mapped(process) | {"mpich_shm_used"})
    mpich.remove_leftovers()
    assert {p.name for p in tmp_path.iterdir()} == names - {"mpich_shm_left"}


def test_a_segments_age_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mpich_shm_x").touch()
    monkeypatch.setattr(mpich, "FOLDER", str(tmp_path))
    (entry,) = mpich._segments()
    assert not mpich._is_old(entry)
    monkeypatch.setattr(mpich, "_AGE", -1.0)
    assert mpich._is_old(entry)
