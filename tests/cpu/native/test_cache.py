# SPDX-License-Identifier: Apache-2.0
"""Object code on disk."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

import numpy as np
import pytest

from olympus_core.errors.platform import CompilationCacheWarning
from olympus_cpu.native import cache, linker
from olympus_cpu.native.cache import ObjectCache, key_of
from olympus_cpu.native.linker import BASELINE, OPTIMISED, link
from tests.support.folders import cache_key
from tests.support.processes import Processes

from .kernels import loop

TEXT = loop("fill", 1, "  store i64 11, ptr %p0")
KEY = key_of(TEXT, "machine", 2)


def result(library: linker.Library) -> int:
    out = np.zeros(1, np.int64)
    library.run("fill", [out.ctypes.data], 0, 1)
    return int(out[0])


def test_gives_what_was_stored(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path / "a" / "b", cache_key())
    assert cache.load(KEY) is None
    cache.store(KEY, b"content")
    assert cache.load(KEY) == b"content"
    assert ObjectCache(tmp_path / "a" / "b", cache_key()).load(KEY) == b"content"
    assert [p.name for p in (tmp_path / "a" / "b").iterdir()] == [cache.path_of(KEY).name]


def test_key_is_everything_the_code_depends_on() -> None:
    keys = {key_of(t, i, level) for t in (TEXT, TEXT + " ") for i in ("a", "b") for level in (BASELINE, OPTIMISED)}
    assert len(keys) == 8


def test_all_that_writes_code_counts() -> None:
    package = Path(cache.__file__).parent.parent
    folders = {file.parent.relative_to(package).as_posix() for room in ("codegen", "contractions")
               for file in (package / room).rglob("*.py")}
    assert folders == set(cache._WRITERS)


def test_links_without_generating(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = link(TEXT, ["fill"], cache=ObjectCache(tmp_path, cache_key()))
    monkeypatch.setattr(linker, "_generate", None)
    again = link(TEXT, ["fill"], cache=ObjectCache(tmp_path, cache_key()))
    assert (first.from_cache, again.from_cache) == (False, True)
    assert result(again) == 11
    with pytest.raises(TypeError):
        link(TEXT, ["fill"], cache=ObjectCache(tmp_path, cache_key()), level=BASELINE)


@pytest.mark.parametrize("damage", ["flipped", "truncated", "empty", "header", "foreign"])
def test_damaged_file_is_ignored_told_once_and_rewritten(tmp_path: Path, damage: str) -> None:
    link(TEXT, ["fill"], cache=ObjectCache(tmp_path, cache_key()))
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    damaged = {
        "flipped": whole[:-5] + bytes([whole[-5] ^ 1]) + whole[-4:],
        "truncated": whole[: len(whole) // 2],
        "empty": b"",
        "header": whole[:40],
        "foreign": b"something else",
    }[damage]
    cache = ObjectCache(tmp_path, cache_key())
    file.write_bytes(damaged)
    with pytest.warns(CompilationCacheWarning, match="damaged") as told:
        assert result(link(TEXT, ["fill"], cache=cache)) == 11
    assert file.name in told[0].message.problem
    assert file.read_bytes() == whole
    file.write_bytes(damaged)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert result(link(TEXT, ["fill"], cache=cache)) == 11
    assert file.read_bytes() == whole


def test_whole_file_that_is_no_object_code(tmp_path: Path) -> None:
    link(TEXT, ["fill"], cache=ObjectCache(tmp_path, cache_key()))
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    cache = ObjectCache(tmp_path, cache_key())
    cache.store(file.name.split(".")[0], b"no object code at all")
    library = link(TEXT, ["fill"], cache=cache)
    assert result(library) == 11 and not library.from_cache
    assert file.read_bytes() == whole


def test_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = ObjectCache(tmp_path / "file" / "cache", cache_key())
    with pytest.warns(CompilationCacheWarning) as told:
        assert result(link(TEXT, ["fill"], cache=cache)) == 11
        assert result(link(TEXT, ["fill"], cache=cache)) == 11
    kinds = [w.message.problem for w in told]
    assert len(kinds) == len(set(kinds)) <= 2 and any("cannot be written" in k for k in kinds)
    assert isinstance(told[0].message, UserWarning) and "OLYMPUS_COMPILATION_CACHE_DIR" in str(told[0].message)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is read-only for the superuser")
def test_read_only_folder_still_serves(tmp_path: Path) -> None:
    link(TEXT, ["fill"], cache=ObjectCache(tmp_path, cache_key()))
    tmp_path.chmod(0o500)
    try:
        cache = ObjectCache(tmp_path, cache_key())
        assert link(TEXT, ["fill"], cache=cache).from_cache
        with pytest.warns(CompilationCacheWarning, match="written"):
            cache.store(KEY, b"more")
    finally:
        tmp_path.chmod(0o700)


def test_sweep_drops_what_was_not_used_for_longest(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path, cache_key(), limit=10_000)
    keys = [key_of(str(i), "", 0) for i in range(12)]
    for age, key in enumerate(keys):
        cache.path_of(key).write_bytes(bytes(1000))
        os.utime(cache.path_of(key), (1000 + age, 1000 + age))
    old_but_used = ObjectCache(tmp_path, cache_key(), limit=10_000)
    old_but_used.store(keys[0], bytes(900))
    cache.sweep()
    left = {path.name.split(".")[0] for path in tmp_path.iterdir()}
    assert left == {keys[0], *keys[-6:]}


def test_size_stays_bounded(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path, cache_key(), limit=20_000)
    for i in range(200):
        cache.store(key_of(str(i), "", 0), bytes(1000))
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 20_000 + 20_000 // 16 + 2 * 1100


@pytest.mark.processes
def test_many_processes_at_once(tmp_path: Path) -> None:
    program = """
        import sys, warnings
        warnings.simplefilter("error")
        from olympus_cpu.native.cache import ObjectCache, key_of
        cache = ObjectCache(sys.argv[1], sys.argv[2], limit=300_000)
        found = 0
        for turn in range(150):
            for name in range(8):
                payload = bytes([name]) * (5000 + 1000 * name)
                key = key_of(str(name), "", 0)
                got = cache.load(key)
                assert got in (None, payload), (name, len(got))
                found += got is not None
                if got is None or turn % 3 == 0:
                    cache.store(key, payload)
        print(found)
    """
    with Processes(deadline=60) as running:
        for _ in range(4):
            running.start(program, tmp_path, cache_key())
        ends = running.wait()
    assert all(end.returncode == 0 for end in ends), [end.stderr for end in ends]
    assert all(int(end.stdout) > 1000 for end in ends)
    assert len(list(tmp_path.iterdir())) == 8  # no temporary file is left


@pytest.mark.processes
def test_processes_compile_the_same_at_once(tmp_path: Path) -> None:
    program = f"""
        import sys, warnings
        warnings.simplefilter("error")
        import numpy as np
        from olympus_cpu.native.cache import ObjectCache
        from olympus_cpu.native.linker import link
        out = np.zeros(1, np.int64)
        library = link({TEXT!r}, ["fill"], cache=ObjectCache(sys.argv[1], sys.argv[2]))
        library.run("fill", [out.ctypes.data], 0, 1)
        print(out[0])
    """
    with Processes(deadline=60) as running:
        for _ in range(4):
            running.start(program, tmp_path, cache_key())
        ends = running.wait()
    assert [(end.returncode, end.stdout) for end in ends] == [(0, "11\n")] * 4, [end.stderr for end in ends]
    assert len(list(tmp_path.iterdir())) == 1
