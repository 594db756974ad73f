"""Entry points of the installed distributions, found by their files.

The standard library's reader imports the parsing of e-mail and archives, a twelfth of what a short program takes. It is
asked where distributions may lie in other than plain folders.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any, Protocol

_INFORMATION = {".dist-info": "METADATA", ".egg-info": "PKG-INFO"}
_FACT = re.compile(r"^(Name|Version):[ \t]*(\S+)", re.MULTILINE)


class Distribution(Protocol):
    """What is asked of a distribution."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def version(self) -> str:
        """Its version."""


class EntryPoint(Protocol):
    """What is asked of an entry point; the standard library's are such."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def value(self) -> str:
        """The module, and after a colon what is meant in it."""

    @property
    def dist(self) -> Distribution | None:
        """What brings it."""

    def load(self) -> Any:
        """Imports it."""


@dataclass(frozen=True)
class FoundDistribution:
    """A distribution that was found by its files."""

    name: str
    version: str


@dataclass(frozen=True)
class FoundEntry:
    """An entry point that was found by its files."""

    name: str
    value: str
    dist: FoundDistribution

    def load(self) -> Any:
        """Imports it."""
        module, _, names = self.value.partition("[")[0].replace(" ", "").partition(":")
        return reduce(getattr, filter(None, names.split(".")), importlib.import_module(module))


def entry_points(group: str) -> Iterable[EntryPoint]:
    """The entry points of a group; of several distributions of one name the first on the path counts."""
    if all(map(_is_plain, sys.path)) and sum(hasattr(finder, "find_distributions") for finder in sys.meta_path) == 1:
        return list(_found(group))
    from importlib import metadata

    return metadata.entry_points(group=group)


def _is_plain(place: str) -> bool:
    return place.endswith(".zip") and not os.path.exists(place) or not place.endswith(".egg") and (
        not os.path.isfile(place))


def _found(group: str) -> Iterator[FoundEntry]:
    seen: set[str] = set()
    for place in dict.fromkeys(sys.path):
        try:
            with os.scandir(place or ".") as entries:
                folders = sorted((e.name, e.path) for e in entries if e.name.endswith(tuple(_INFORMATION)))
        except OSError:  # the path may name what is not there
            continue
        for folder, path in folders:
            stem, kind = os.path.splitext(folder)
            project = re.sub(r"[-_.]+", "-", stem.partition("-")[0]).lower()
            if project not in seen:
                seen.add(project)
                yield from _of_distribution(path, stem, kind, group)


def _of_distribution(path: str, stem: str, kind: str, group: str) -> Iterator[FoundEntry]:
    lines = _section(_read(path, "entry_points.txt"), group)
    if not lines:
        return
    facts = dict(reversed(_FACT.findall(_read(path, _INFORMATION[kind]).partition("\n\n")[0])))
    name, _, version = stem.partition("-")
    distribution = FoundDistribution(facts.get("Name", name), facts.get("Version", version))
    for line in lines:
        key, _, value = line.partition("=")
        yield FoundEntry(key.strip(), value.strip(), distribution)


def _section(text: str, group: str) -> list[str]:
    """The lines of a section that say something."""
    lines, inside = [], False
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            inside = line == f"[{group}]"
        elif inside and "=" in line and not line.startswith("#"):
            lines.append(line)
    return lines


def _read(folder: str, name: str) -> str:
    try:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""
