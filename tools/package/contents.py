# SPDX-License-Identifier: Apache-2.0
"""What a wheel and a source distribution hold, beside what the repository has."""

from __future__ import annotations

import subprocess
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

# Read in the repository: users' documentation is not in the rooms, and of the native runtime its LLVM IR is installed.
_NOT_INSTALLED = ("README.md",)
_SOURCES = ("olympus_cpu/", (".c", ".h"))


def tracked(root: Path) -> set[str]:
    """The repository's files, by their paths in it."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True).stdout
    return {name for name in listed.split("\0") if name}


def in_packages(files: set[str], packages: Mapping[str, str]) -> set[str]:
    """Where the files of packages are installed, those that nobody installs included.

    Args:
        files: The repository's.
        packages: The folder of each package that is at the top.
    """
    return {
        package + name.removeprefix(folder)
        for package, folder in packages.items() for name in files
        if name.startswith(folder + "/")
        and not any(name.startswith(other + "/") for other in packages.values() if other.startswith(folder + "/"))
    }


def is_installed(name: str) -> bool:
    """Whether a file of a package has to be in the wheel."""
    folder, suffixes = _SOURCES
    return Path(name).name not in _NOT_INSTALLED and not (name.startswith(folder) and name.endswith(suffixes))


def in_wheel(path: Path) -> set[str]:
    """A wheel's files, without its metadata."""
    with zipfile.ZipFile(path) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def licences_in_wheel(path: Path) -> set[str]:
    """The names of the licence files in a wheel's metadata."""
    with zipfile.ZipFile(path) as archive:
        return {Path(name).name for name in archive.namelist() if ".dist-info/licenses/" in name}


def in_source_distribution(path: Path) -> set[str]:
    """A source distribution's files, without its folder and what the build writes."""
    with tarfile.open(path) as archive:
        names = {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}
    return {name for name in names if not (name in ("PKG-INFO", "setup.cfg") or ".egg-info/" in name)}
