# SPDX-License-Identifier: Apache-2.0
"""Compiled code on disk: what others could have written is not used, and damage never gives wrong numbers."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import warnings
from contextlib import suppress
from pathlib import Path

import pytest

from olympus_core.errors import CompilationCacheWarning
from olympus_core.toolkit import ownership
from olympus_core.toolkit.objectcache import ObjectCache
from olympus_core.toolkit.signing import Signer
from tests.support.patches import patched_here
from tools.fuzz_cache.__main__ import _programs
from tools.fuzz_cache.damage import FILES
from tools.fuzz_cache.rounds import WrongError, numbers_round

KEY, OTHER = "1" * 64, "2" * 64


@pytest.fixture
def cache(tmp_path: Path) -> ObjectCache:
    made = ObjectCache(tmp_path / "kept", tmp_path / "key" / "cache.key")
    made.store(KEY, b"content")
    return made


def again(cache: ObjectCache) -> ObjectCache:
    return ObjectCache(cache.folder, cache._key_file)


def unused(cache: ObjectCache, said: str) -> None:
    """The cache gives and takes nothing, and says why once."""
    before = sorted(os.listdir(cache.folder))
    with pytest.warns(CompilationCacheWarning, match=said) as told:
        assert cache.load(KEY) is None
        cache.store(OTHER, b"more")
        assert cache.load(KEY) is None and not cache.has(KEY)
    assert len(told) == 1 and "OLYMPUS_COMPILATION_CACHE_DIR" in str(told[0].message)
    assert sorted(os.listdir(cache.folder)) == before


def test_a_folder_that_others_can_write_to(cache: ObjectCache) -> None:
    cache.folder.chmod(0o777)
    unused(again(cache), "can be written to by others.*0777")
    unused(cache, "can be written to by others.*0777")


def test_a_folder_below_one_that_others_can_write_to(cache: ObjectCache) -> None:
    cache.folder.parent.chmod(0o770)
    unused(again(cache), "can be written to by others.*0770")


def test_a_folder_of_another_user(cache: ObjectCache, monkeypatch: pytest.MonkeyPatch) -> None:
    patched_here(monkeypatch, ownership, "_user", lambda: os.geteuid() + 1)
    unused(again(cache), f"belongs to user {os.geteuid()}")


def test_a_key_in_the_folder_that_it_signs(cache: ObjectCache) -> None:
    for key in (cache.folder / "cache.key", cache.folder / "below" / "cache.key"):
        other = ObjectCache(cache.folder, key)
        with pytest.warns(CompilationCacheWarning, match="lies in the folder.*OLYMPUS_CACHE_KEY_FILE"):
            other.store(OTHER, b"more")
        assert not cache.has(OTHER)


def test_no_place_for_a_key(cache: ObjectCache, tmp_path: Path) -> None:
    unused(ObjectCache(cache.folder, None), "no home folder.*OLYMPUS_CACHE_KEY_FILE")
    (tmp_path / "file").write_text("in the way")
    unused(ObjectCache(cache.folder, tmp_path / "file" / "key"), "cannot be used.*OLYMPUS_CACHE_KEY_FILE")


def test_a_file_of_an_earlier_release_is_replaced_without_a_word(cache: ObjectCache) -> None:
    old = b"olympus\x01" + hashlib.sha256(b"content").digest() + b"content"
    cache.path_of(KEY).write_bytes(old)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cache.load(KEY) is None
        cache.store(KEY, b"new")
        assert cache.load(KEY) == b"new"


def test_another_user_s_signature_counts_as_none(cache: ObjectCache, tmp_path: Path) -> None:
    stranger = ObjectCache(cache.folder, tmp_path / "stranger" / "cache.key")
    stranger.store(KEY, b"machine code")
    with pytest.warns(CompilationCacheWarning, match="not signed with this user's key"):
        assert cache.load(KEY) is None
    cache.store(KEY, b"content")
    assert cache.load(KEY) == b"content"


def test_one_file_does_not_stand_for_another(cache: ObjectCache) -> None:
    shutil.copy(cache.path_of(KEY), cache.path_of(OTHER))
    with pytest.warns(CompilationCacheWarning, match="damaged"):
        assert cache.load(OTHER) is None
    assert cache.load(KEY) == b"content"


def test_a_folder_that_is_removed_is_made_anew(cache: ObjectCache) -> None:
    shutil.rmtree(cache.folder)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cache.load(KEY) is None
        cache.store(KEY, b"again")
        assert cache.load(KEY) == b"again"


def _open_under(folder: Path) -> list[str]:
    """The files in a folder of which this process has descriptors; those of other threads are none of them."""
    found = []
    for descriptor in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):  # closed meanwhile
            found.append(os.readlink(f"/proc/self/fd/{descriptor}"))
    return [path for path in found if path.startswith(f"{folder.resolve()}/")]


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux tells which file a descriptor is of")
def test_no_descriptor_is_kept(cache: ObjectCache) -> None:
    for _ in range(20):
        cache.store(OTHER, b"x")
        cache.load(OTHER)
        cache.load("missing")
        cache.sweep()
    folder = cache.folder.parent  # the key is there, too
    assert not _open_under(folder)
    with cache.path_of(OTHER).open("rb"):
        assert len(_open_under(folder)) == 1


@pytest.mark.parametrize("seed", range(8))
def test_damage_gives_no_wrong_numbers(tmp_path: Path, seed: int) -> None:
    """`python -m tools.fuzz_cache` damages more."""
    done: list[str] = []
    for turn in range(3):
        numbers_round(tmp_path / str(turn), random.Random(f"{seed} {turn}"), done.append)
    assert done


def test_the_fuzzer_sees_what_is_not_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With only those kinds of damage that give code which can be run: a crash would show nothing here."""
    kinds = ("another", "swapped", "signed by another")
    for kind in set(FILES) - set(kinds):
        monkeypatch.delitem(FILES, kind)
    monkeypatch.setattr(Signer, "is_right", lambda *_: True)
    with pytest.raises(WrongError, match="belongs"):
        for turn in range(5):
            numbers_round(tmp_path / str(turn), random.Random(turn), lambda _: None)


@pytest.mark.processes
def test_damage_gives_programs_no_wrong_numbers() -> None:
    count, problem = _programs(11)
    assert count > 3 and problem is None, problem
