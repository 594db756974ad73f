# SPDX-License-Identifier: Apache-2.0
"""Ways to damage a folder of cached code, or to change its owner."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

_READABLE = 1 << 24  # bytes; sparse files are larger

Damage = Callable[[Path, random.Random], None]


def _put(file: Path, content: bytes) -> None:
    """Replaces a file's content, whatever kind of file it has become."""
    file.unlink(missing_ok=True)
    file.write_bytes(content)


def _flipped(file: Path, chance: random.Random) -> None:
    content = bytearray(file.read_bytes())
    for _ in range(chance.choice((1, 1, 2, 50))):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    _put(file, bytes(content) + b"." * (bytes(content) == file.read_bytes()))


def _zeroed(file: Path, chance: random.Random) -> None:
    content = file.read_bytes()
    start = chance.randrange(len(content) - 1)
    middle = content[start : start + chance.choice((64, 512, 4096))]
    _put(file, content[:start] + bytes(b ^ 0xFF for b in middle) + content[start + len(middle) :])


def _truncated(file: Path, chance: random.Random) -> None:
    content = file.read_bytes()
    _put(file, content[: chance.randrange(len(content))])


def _extended(file: Path, chance: random.Random) -> None:
    _put(file, file.read_bytes() + chance.choice((b"\0", chance.randbytes(chance.randrange(1, 5000)))))


def _turned(file: Path, chance: random.Random) -> None:
    content = file.read_bytes()
    at = chance.randrange(1, len(content))
    _put(file, content[at:] + content[:at] + b"\0")


def _other(file: Path, chance: random.Random) -> Path:
    """Another file of the folder that can be read whole; the same one where there is none."""
    others = [f for f in sorted(file.parent.glob("*.object")) if f != file and f.is_file() and not f.is_symlink()]
    return chance.choice([f for f in others if f.stat().st_size < _READABLE] or [file])


def _swapped(file: Path, chance: random.Random) -> None:
    other = _other(file, chance)
    theirs = other.read_bytes()
    _put(other, file.read_bytes())
    _put(file, theirs)


def _another(file: Path, chance: random.Random) -> None:
    _put(file, _other(file, chance).read_bytes())


def _header_of_another(file: Path, chance: random.Random) -> None:
    _put(file, _other(file, chance).read_bytes()[:40] + file.read_bytes()[40:])


def _signed_by_another(file: Path, chance: random.Random) -> None:
    from olympus_core.toolkit.objectcache import ObjectCache

    content, key = _other(file, chance).read_bytes()[40:], file.parent.parent / "strangers" / "cache.key"
    ObjectCache(file.parent, key).store(file.name.partition(".")[0], content)


def _linked(file: Path, chance: random.Random) -> None:
    target = chance.choice((_other(file, chance), Path("/etc/passwd"), file, file.parent / "nothing", file.parent))
    file.unlink()
    file.symlink_to(target)


def _owned_by_another(file: Path, chance: random.Random) -> None:
    _put(file, _other(file, chance).read_bytes())
    try:
        os.chown(file, 12345, -1)
    except PermissionError:  # only the superuser can
        file.chmod(0o666)


def _writable_by_others(file: Path, chance: random.Random) -> None:
    _put(file, _other(file, chance).read_bytes())
    file.chmod(chance.choice((0o666, 0o622, 0o602, 0o620)))


def _hard_linked(file: Path, chance: random.Random) -> None:
    other = _other(file, chance)
    file.unlink()
    os.link(other, file) if other != file else file.touch()


def _pipe(file: Path, chance: random.Random) -> None:
    file.unlink()
    os.mkfifo(file)


def _folder(file: Path, chance: random.Random) -> None:
    file.unlink()
    file.mkdir()


def _sparse(file: Path, chance: random.Random) -> None:
    os.truncate(file, chance.choice((1 << 33, 1 << 40)))


def _locked(file: Path, chance: random.Random) -> None:
    file.chmod(0)


FILES: dict[str, Damage] = {
    "flipped": _flipped, "zeroed": _zeroed, "truncated": _truncated, "extended": _extended, "turned": _turned,
    "emptied": lambda file, chance: _put(file, b""), "random": lambda file, chance: _put(file, chance.randbytes(3000)),
    "removed": lambda file, chance: file.unlink(), "swapped": _swapped, "another": _another,
    "header of another": _header_of_another, "signed by another": _signed_by_another, "linked": _linked,
    "owned by another": _owned_by_another, "writable by others": _writable_by_others, "hard linked": _hard_linked,
    "pipe": _pipe, "folder": _folder, "sparse": _sparse, "locked": _locked,
}


def key_damaged(key: Path, chance: random.Random) -> str:
    """Damages the key in one of several ways; returns the way's name."""
    how = chance.choice(("removed", "emptied", "replaced", "readable"))
    if how == "removed":
        key.unlink(missing_ok=True)
    elif how == "readable":
        key.chmod(0o644)
    else:
        key.write_bytes(b"" if how == "emptied" else chance.randbytes(32))
    return f"key {how}"


def folder_damaged(folder: Path, chance: random.Random) -> str:
    """Makes the folder writable by others, or replaces it by a link; returns the way's name."""
    how = chance.choice(("0777", "0775", "linked"))
    if how == "linked":
        moved = folder.with_name("moved")
        folder.rename(moved)
        folder.symlink_to(moved)
    else:
        folder.chmod(int(how, 8))
    return f"folder {how}"
