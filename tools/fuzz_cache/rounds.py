# SPDX-License-Identifier: Apache-2.0
"""One round of the fuzzer: code is compiled and cached, the cache is damaged, and the same code is requested again."""

from __future__ import annotations

import random
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from olympus_core.errors import CompilationCacheWarning
from olympus_cpu.native.cache import ObjectCache
from olympus_cpu.native.linker import BASELINE, link

from .damage import FILES, folder_damaged, key_damaged

# Modules that differ only in a constant, so that a module used for another one gives a wrong result.
_TEXT = """
define void @number(ptr %table, i64 %low, i64 %high, i64 %chunk) {{
  %out = load ptr, ptr %table
  store i64 {number}, ptr %out
  ret void
}}
"""
NUMBERS = tuple(range(1001, 1009))


class WrongError(Exception):
    """A result was wrong, or a damaged file was used."""


def number_of(number: int, cache: ObjectCache) -> int:
    """The result of the module of a constant, through a cache."""
    out = np.zeros(1, np.int64)
    library = link(_TEXT.format(number=number), ["number"], level=BASELINE, cache=cache)
    library.run("number", [out.ctypes.data], 0, 1)
    return int(out[0])


def numbers_round(root: Path, chance: random.Random, tell: Callable[[str], None]) -> int:
    """Damages files of a folder and checks all results; returns the number of damaged files.

    Args:
        root: The round's folder.
        chance: The source of randomness.
        tell: Receives a description of each step before it is tried.

    Raises:
        WrongError: A result was wrong.
    """
    folder, key = root / "kept", root / "key" / "cache.key"
    _check(ObjectCache(folder, key))
    files = sorted(folder.glob("*.object"))
    kinds = sorted(FILES)
    done = []
    for file in chance.sample(files, chance.randrange(1, len(files))):
        if file.is_file() and not file.is_symlink():
            kind = chance.choice(kinds)
            tell(f"{kind}: {file.name[:8]}")
            FILES[kind](file, chance)
            done.append(kind)
    if chance.random() < 0.1:
        tell(key_damaged(key, chance))
    if chance.random() < 0.1:
        tell(folder_damaged(folder, chance))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", CompilationCacheWarning)
        cache = ObjectCache(folder, key)
        _check(cache)
        _check(cache)
    return len(done)


def _check(cache: ObjectCache) -> None:
    for number in NUMBERS:
        found = number_of(number, cache)
        if found != number:
            raise WrongError(f"{found} where {number} belongs")


@contextmanager
def round_folder() -> Iterator[Path]:
    """A temporary folder, which is removed whatever its permissions are."""
    root = Path(tempfile.mkdtemp(prefix="olympus-fuzz-cache-"))
    try:
        yield root
    finally:
        shutil.rmtree(root, ignore_errors=True)
