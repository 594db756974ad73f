"""Entry points found by files are those that the standard library finds."""

from __future__ import annotations

import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

from olympus_core.plugin.version import VERSION
from olympus_core.runtime import discovery

ENTRIES = """
[other]
cpu = wrong:module

[olympus.platforms]
# a remark
one = first.hooks
two=second : thing.inner [extra]
[after]
three = third
"""


def install(folder: Path, name: str, entries: str = ENTRIES, kind: str = "dist-info", file: str = "METADATA") -> None:
    information = folder / f"{name.replace('-', '_')}-2.5.{kind}"
    information.mkdir(parents=True)
    (information / file).write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.5\n\nName: not-this\n")
    (information / "entry_points.txt").write_text(entries)


def both(group: str) -> tuple[set[tuple[str, ...]], set[tuple[str, ...]]]:
    found, wanted = (
        {(e.name, e.dist.name, e.dist.version) for e in entries if e.dist is not None}
        for entries in (discovery.entry_points(group), metadata.entry_points(group=group))
    )
    return found, wanted


@pytest.mark.parametrize("group", ["olympus.platforms", "console_scripts", "pytest11"])
def test_what_is_installed(group: str) -> None:
    found, wanted = both(group)
    assert found == wanted
    assert found


@pytest.mark.parametrize(("kind", "file"), [("dist-info", "METADATA"), ("egg-info", "PKG-INFO")])
def test_sections_and_facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, file: str) -> None:
    install(tmp_path, "some-plugin", kind=kind, file=file)
    monkeypatch.setattr(sys, "path", [str(tmp_path / "nowhere"), str(tmp_path), *sys.path])
    found, wanted = both("olympus.platforms")
    assert found == wanted
    assert {("one", "some-plugin", "2.5"), ("two", "some-plugin", "2.5")} <= found


def test_the_first_of_one_name_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / "a", "some-plugin", "[olympus.platforms]\nfirst = a\n")
    install(tmp_path / "b", "Some_Plugin", "[olympus.platforms]\nsecond = b\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "a"), str(tmp_path / "b"), *sys.path])
    names = {e.name for e in discovery.entry_points("olympus.platforms")}
    assert "first" in names
    assert "second" not in names


def test_archives_are_read_by_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "packed.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("packed-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: packed\nVersion: 1.0\n")
        file.writestr("packed-1.0.dist-info/entry_points.txt", "[olympus.platforms]\npacked = packed\n")
    monkeypatch.setattr(sys, "path", [str(archive), *sys.path])
    assert "packed" in {e.name for e in discovery.entry_points("olympus.platforms")}


@pytest.mark.parametrize(("value", "meant"), [
    ("os", "os"), ("os.path : join", "os.path:join"), ("collections:OrderedDict.fromkeys [x]", None),
])
def test_loading(value: str, meant: str | None) -> None:
    found = discovery.FoundEntry("name", value, discovery.FoundDistribution("some", "1"))
    assert found.load() == metadata.EntryPoint("name", meant or value, "group").load()


def test_the_version_is_the_distributions() -> None:
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    assert f'\nversion = "{VERSION}"\n' in text
