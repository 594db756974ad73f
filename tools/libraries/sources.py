# SPDX-License-Identifier: Apache-2.0
"""The source distributions, in which the libraries' tests come: fetched by pip and unpacked beside this repository."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

from .catalogue import Library


def folder(library: Library, place: Path) -> Path:
    """The unpacked source distribution, fetched at the first need.

    Args:
        library: The library.
        place: Where source distributions are kept.

    Raises:
        FileNotFoundError: The index has no source distribution of this version.
    """
    kept = place / library.requirement
    if not kept.is_dir():
        archives = place / "archives" / library.requirement
        archives.mkdir(parents=True, exist_ok=True)
        if not any(archives.iterdir()):
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:",
                       "--dest", str(archives), library.requirement]
            subprocess.run(command, check=True)
        found = sorted(archives.glob("*.tar.gz"))
        if not found:
            raise FileNotFoundError(f"{library.requirement} has no source distribution")
        unpacked = place / f"{library.requirement}.part"
        with tarfile.open(found[0]) as archive:
            archive.extractall(unpacked, filter="data")
        next(child for child in unpacked.iterdir() if child.is_dir()).rename(kept)
    return kept


WRITTEN = Path(__file__).with_name("written")


def test_files(library: Library, place: Path) -> list[Path]:
    """The files with the library's tests, without those that are left out, and that written from its documentation.

    Args:
        library: The library.
        place: Where source distributions are kept.
    """
    written = sorted(WRITTEN.glob(f"{library.name}_test.py"))
    if not library.tests:
        return written
    base = folder(library, place)
    found = {path for pattern in library.tests for path in base.glob(pattern)}
    return sorted(found - {base / name for name, _ in library.left_out}) + written
