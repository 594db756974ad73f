# SPDX-License-Identifier: Apache-2.0
"""Mustpass lists: for each version of the suite, the ids that each profile adds; files that people review."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..requirement import PROFILES, Test

Lists = Mapping[str, tuple[str, ...]]

FOLDER = Path(__file__).resolve().parent.parent / "mustpass"


def parse_version(text: str) -> tuple[int, int]:
    """The two numbers of ``major.minor``."""
    major, _, minor = text.partition(".")
    return int(major), int(minor or 0)


def expected(tests: Iterable[Test], version: str) -> Lists:
    """The sorted lists for the tests of a suite; tests newer than `version` are left out."""
    held: dict[str, list[str]] = {profile: [] for profile in PROFILES}
    for test in tests:
        if parse_version(test.requirement.since) <= parse_version(version):
            held[test.profile].append(test.id)
    return {profile: tuple(sorted(ids)) for profile, ids in held.items()}


def read(folder: Path) -> Lists:
    """The lists of one version's folder; a missing file is an empty list."""
    held = {}
    for profile in PROFILES:
        path = folder / f"{profile}.txt"
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        held[profile] = tuple(line for line in lines if line)
    return held


def read_all(folder: Path = FOLDER) -> dict[str, Lists]:
    """The lists of every version that has a folder, the oldest first."""
    found = [path for path in folder.iterdir() if path.is_dir()] if folder.exists() else []
    return {path.name: read(path) for path in sorted(found, key=lambda path: parse_version(path.name))}


def write(lists: Lists, version: str, folder: Path = FOLDER) -> list[Path]:
    """Writes the files of a version."""
    paths = []
    for profile, ids in lists.items():
        path = folder / version / f"{profile}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{identifier}\n" for identifier in ids), "utf-8")
        paths.append(path)
    return paths


def differences(listed: Lists, wanted: Lists) -> list[str]:
    """The differences of the lists, one line for each id, in the form of a diff."""
    lines = []
    for profile in PROFILES:
        old, new = set(listed.get(profile, ())), set(wanted.get(profile, ()))
        lines += [f"{profile}: - {identifier}" for identifier in sorted(old - new)]
        lines += [f"{profile}: + {identifier}" for identifier in sorted(new - old)]
    return lines


def digests(lists: Lists) -> dict[str, str]:
    """For each profile the digest of its list, whatever the order of the lines."""
    return {
        profile: hashlib.sha256("\n".join(sorted(lists.get(profile, ()))).encode()).hexdigest() for profile in PROFILES
    }
