# SPDX-License-Identifier: Apache-2.0
"""Folders and files that only this user can have written."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from olympus_core.errors import UntrustedPathError
from olympus_core.toolkit import ownership, signing
from olympus_core.toolkit.ownership import Folder, read_own, write_own
from olympus_core.toolkit.signing import Signer, user_key
from tests.support.patches import patched_here


def content(folder: Path, name: str = "file", limit: int = 100) -> bytes:
    handle = Folder(str(folder)).open()
    try:
        return read_own(handle, name, limit)
    finally:
        os.close(handle)


def left(folder: Path, name: str, text: bytes) -> None:
    handle = Folder(str(folder)).open()
    try:
        write_own(handle, name, text)
    finally:
        os.close(handle)


def belonging(monkeypatch: pytest.MonkeyPatch, path: Path, owner: int = 54321) -> None:
    """Lets a path seem to be another user's, whoever runs the tests."""
    wanted = os.lstat(path).st_ino

    def told(found: os.stat_result) -> os.stat_result:
        return os.stat_result([*found[:4], owner, *found[5:10]]) if found.st_ino == wanted else found

    for name in ("lstat", "fstat"):
        real = getattr(os, name)
        monkeypatch.setattr(ownership.os, name, lambda place, real=real: told(real(place)))


def test_what_is_made_is_this_user_s_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        os.close(Folder(str(tmp_path / "a" / "b"), create=True).open())
        left(tmp_path / "a" / "b", "file", b"text")
    finally:
        os.umask(before)
    modes = [stat.S_IMODE(p.stat().st_mode) for p in (tmp_path / "a", tmp_path / "a/b", tmp_path / "a/b/file")]
    assert modes == [0o700, 0o700, 0o600]
    assert content(tmp_path / "a" / "b") == b"text"


@pytest.mark.parametrize(("outer", "inner", "is_good"), [
    (0o755, 0o755, True), (0o711, 0o500, True), (0o1777, 0o700, True), (0o700, 0o775, False), (0o700, 0o707, False),
    (0o775, 0o700, False), (0o777, 0o700, False), (0o700, 0o1777, False),
])
def test_modes(tmp_path: Path, outer: int, inner: int, is_good: bool) -> None:
    folder = tmp_path / "outer" / "inner"
    folder.mkdir(parents=True)
    folder.chmod(inner)
    folder.parent.chmod(outer)
    if is_good:
        os.close(Folder(str(folder)).open())
        return
    with pytest.raises(UntrustedPathError, match="can be written to by others") as caught:
        Folder(str(folder))
    assert isinstance(caught.value, PermissionError) and "chmod go-w" in str(caught.value)


@pytest.mark.parametrize("which", ["a", "a/b", "link"])
def test_another_user_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, which: str) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "link").symlink_to("a/b")
    belonging(monkeypatch, tmp_path / which)
    with pytest.raises(UntrustedPathError, match="of user 54321|belongs to user 54321"):
        Folder(str(tmp_path / "link"))


def test_the_superuser_s_folders_on_the_way_are_good_and_at_the_end_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    real = os.geteuid()
    monkeypatch.setattr(ownership, "_user", lambda: real)
    superuser = 777
    patched_here(monkeypatch, ownership, "_is_trusted", lambda owner: owner in (0, real, superuser))
    belonging(monkeypatch, tmp_path / "a", superuser)
    os.close(Folder(str(tmp_path / "a" / "b")).open())
    with pytest.raises(UntrustedPathError, match="belongs to user 777"):
        Folder(str(tmp_path / "a"))


def test_links_are_resolved_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real" / "inner").mkdir(parents=True)
    (tmp_path / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to("real/../real/./inner")
    (tmp_path / "loop").symlink_to("loop")
    monkeypatch.chdir(tmp_path)
    for path in ("one", "./two/", str(tmp_path / "one"), "real/inner/../../one"):
        assert Folder(path).path == os.path.realpath(tmp_path / "real" / "inner")
    with pytest.raises(OSError, match=os.strerror(errno.ELOOP)):
        Folder("loop")
    with pytest.raises(FileNotFoundError):
        Folder("nothing/here")


def test_a_folder_that_was_changed_after_the_check(tmp_path: Path) -> None:
    folder = Folder(str(tmp_path / "a"), create=True)
    (tmp_path / "a").chmod(0o777)
    with pytest.raises(UntrustedPathError, match="others"):
        folder.open()
    (tmp_path / "a").rename(tmp_path / "b")
    with pytest.raises(FileNotFoundError):
        folder.open()
    (tmp_path / "a").mkdir(0o700)
    with pytest.raises(UntrustedPathError, match="another folder"):
        folder.open()
    (tmp_path / "a").rmdir()
    (tmp_path / "a").symlink_to(tmp_path / "b")
    with pytest.raises(OSError, match=f"{os.strerror(errno.ELOOP)}|{os.strerror(errno.ENOTDIR)}"):
        folder.open()


def _linked(file: Path) -> None:
    file.rename(file.with_name("target"))
    file.symlink_to("target")


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "link": (_linked, "is a link"), "names": (lambda f: os.link(f, f.with_name("more")), "has 2 names"),
    "pipe": (lambda f: (f.unlink(), os.mkfifo(f)), "is no file"),
    "folder": (lambda f: (f.unlink(), f.mkdir()), "is no file"),
    "mode": (lambda f: f.chmod(0o620), "others"), "size": (lambda f: os.truncate(f, 101), "101 bytes"),
}


@pytest.mark.parametrize("bad", BAD)
def test_files_that_are_not_read(tmp_path: Path, bad: str) -> None:
    left(tmp_path, "file", b"text")
    change, said = BAD[bad]
    change(tmp_path / "file")
    with pytest.raises(UntrustedPathError, match=said):
        content(tmp_path)


def test_another_user_s_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left(tmp_path, "file", b"text")
    belonging(monkeypatch, tmp_path / "file")
    with pytest.raises(UntrustedPathError, match="belongs to user 54321"):
        content(tmp_path)


def test_writing_replaces_a_link_and_never_follows_it(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir(0o700)
    (tmp_path / "precious").write_text("as it was")
    (tmp_path / "folder" / "link").symlink_to(tmp_path / "precious")
    os.link(tmp_path / "precious", tmp_path / "folder" / "hard")
    for name in ("link", "hard"):
        left(tmp_path / "folder", name, b"text")
        assert content(tmp_path / "folder", name) == b"text"
    assert (tmp_path / "precious").read_text() == "as it was"


def test_a_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left(tmp_path, "file", b"before")

    def write(*_: object) -> int:
        raise OSError(errno.ENOSPC, "full")

    patched_here(monkeypatch, ownership.os, "write", write)
    with pytest.raises(OSError, match="full"):
        left(tmp_path, "file", b"after")
    assert os.listdir(tmp_path) == ["file"] and content(tmp_path) == b"before"


def test_a_key_is_made_once_and_secret(tmp_path: Path) -> None:
    path = tmp_path / "a" / "key"
    with ThreadPoolExecutor(8) as threads:
        found = set(threads.map(lambda _: user_key(str(path)), range(64)))
    ((key, where),) = found
    assert len(key) == 32 and path.read_bytes() == key and where == os.path.realpath(tmp_path / "a")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and os.listdir(tmp_path / "a") == ["key"]


def test_a_key_where_files_have_one_name_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def link(*_: object, **__: object) -> None:
        raise PermissionError(errno.EPERM, "no links here")

    patched_here(monkeypatch, signing.os, "link", link)
    first, _ = user_key(str(tmp_path / "key"))
    assert user_key(str(tmp_path / "key"))[0] == first and os.listdir(tmp_path) == ["key"]


@pytest.mark.parametrize("change", [lambda k: k.chmod(0o640), lambda k: k.write_bytes(b"half"), lambda k: k.unlink()])
def test_a_key_that_others_may_know_is_replaced(tmp_path: Path, change: Callable[[Path], object]) -> None:
    first, _ = user_key(str(tmp_path / "key"))
    change(tmp_path / "key")
    second, _ = user_key(str(tmp_path / "key"))
    assert first != second == user_key(str(tmp_path / "key"))[0]
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600


def test_a_key_is_no_link(tmp_path: Path) -> None:
    (tmp_path / "key").symlink_to(tmp_path / "somewhere")
    with pytest.raises(UntrustedPathError, match="is a link"):
        user_key(str(tmp_path / "key"))
    assert not (tmp_path / "somewhere").exists()


def test_a_signature_is_of_key_name_and_content() -> None:
    import hashlib
    import hmac

    signed = Signer(b"k" * 32).sign(b"name", b"content")
    assert signed == hmac.digest(b"k" * 32, (4).to_bytes(8, "big") + b"namecontent", hashlib.sha256)
    others = [Signer(b"l" * 32).sign(b"name", b"content"), Signer(b"k" * 32).sign(b"namec", b"ontent")]
    assert not any(Signer(b"k" * 32).is_right(other, b"name", b"content") for other in [*others, b"", signed[:-1]])
