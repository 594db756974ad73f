# SPDX-License-Identifier: Apache-2.0
"""Plugins for other versions of the contract, really installed, met by this olympus and by a later one."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from olympus_core.plugin import API_VERSION

from .packages import ROOT, install, run_in

MAJOR, MINOR = API_VERSION
LATER = (MAJOR, MINOR + 1)  # the contract of the later olympus
# Each plugin's name and the contract that it was written for.
PLUGINS = {
    "ancient": (MAJOR - 1, 9), "present": (MAJOR, MINOR), "later": LATER, "latest": (MAJOR, MINOR + 2),
    "future": (MAJOR + 1, 0),
}

PROJECT = """
[build-system]
requires = ["setuptools>=68"]
build-backend = "setuptools.build_meta"
[project]
name = "olympus-{name}"
version = "3.1"
[project.entry-points."olympus.platforms"]
{name} = "olympus_{name}"
[tool.setuptools]
py-modules = ["olympus_{name}"]
"""

MODULE = """
import pathlib
from olympus_core.plugin import hookimpl

class Platform:
    '''A platform of the references that leaves a trace when it is asked for anything.'''
    name, aliases, priority, api_version = "{name}", (), -1, {version}

    def probe(self):
        from olympus_core.plugin import Probe
        self._trace("probed")
        return Probe(True, "it is there")

    def open(self, settings):
        from olympus_core.toolkit import table_from_references, table_platform
        self._trace("opened")
        return table_platform(self.name, table_from_references(), api_version=self.api_version).open(settings)

    def _trace(self, what):
        pathlib.Path("{name}-" + what).touch()

@hookimpl
def olympus_platform():
    return Platform()
"""

PROGRAM = """
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus_core.plugin import API_VERSION
print(API_VERSION, olympus.devices(), float(olympus.jit(lambda x: jnp.sum(x * x))(np.arange(4.0))))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the plugins are installed."""
    folder, target = tmp_path_factory.mktemp("plugins"), tmp_path_factory.mktemp("site")
    for name, version in PLUGINS.items():
        (folder / name).mkdir()
        (folder / name / "pyproject.toml").write_text(PROJECT.format(name=name))
        (folder / name / f"olympus_{name}.py").write_text(MODULE.format(name=name, version=version))
    install(target, *(folder / name for name in PLUGINS))
    return target


@pytest.fixture(scope="module")
def later_site(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with an olympus whose contract has a minor version more: a copy of the installed packages."""
    target = tmp_path_factory.mktemp("later") / "site"
    shutil.copytree(site, target)
    unneeded = shutil.ignore_patterns("__pycache__")
    for package, source in (("olympus", "olympus"), ("olympus_core", "olympus_core"), ("olympus_cpu", "plugins/cpu"),
                            ("olympus_conformance", "conformance")):
        shutil.copytree(ROOT / source, target / package, ignore=unneeded)
    version = target / "olympus_core/plugin/version.py"
    text, count = re.subn(r"(API_VERSION.*= )\(.*\)", rf"\g<1>{LATER}", version.read_text())
    assert count == 1
    version.write_text(text)
    return target


def program(site: Path, name: str, folder: Path):
    """A user's program that names a platform; the folder has the traces of what the plugin was asked."""
    (folder / "users_program.py").write_text(PROGRAM)
    return run_in(site, ["users_program"], cwd=folder, env={"OLYMPUS_PLATFORMS": name}, deadline=60)


def refused(name: str, spoken: tuple[int, int]) -> tuple[str, str, str]:
    """What must be told of a plugin: what it was made for, what is spoken, and the line to type."""
    made_for = PLUGINS[name]
    package = f"olympus-{name}" if made_for < spoken else "olympus-runtime"
    return (
        f"contract {made_for[0]}.{made_for[1]}", f"contract {spoken[0]}.0 to {spoken[0]}.{spoken[1]}",
        f"pip install --upgrade {package}")


def check_refusal(site: Path, name: str, spoken: tuple[int, int], folder: Path) -> None:
    finished = program(site, name, folder)
    assert finished.returncode == 1 and "ContractVersionError" in finished.stderr, finished.stderr
    for words in refused(name, spoken):
        assert words in finished.stderr
    assert not list(folder.glob(f"{name}-*")), "a plugin that is refused was asked for something"


@pytest.mark.parametrize("name", ["ancient", "later", "future"])
def test_what_this_olympus_refuses(site: Path, tmp_path: Path, name: str) -> None:
    check_refusal(site, name, API_VERSION, tmp_path)


@pytest.mark.parametrize("name", ["ancient", "latest", "future"])
def test_what_a_later_olympus_refuses(later_site: Path, tmp_path: Path, name: str) -> None:
    check_refusal(later_site, name, LATER, tmp_path)


def test_what_this_olympus_takes(site: Path, tmp_path: Path) -> None:
    finished = program(site, "present", tmp_path)
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.strip() == f"{API_VERSION} [PresentDevice(id=0)] 14.0"


@pytest.mark.parametrize(("name", "device"), [("present", "PresentDevice"), ("later", "LaterDevice")])
def test_a_later_olympus_takes_an_older_minor_and_its_own(
    later_site: Path, tmp_path: Path, name: str, device: str
) -> None:
    finished = program(later_site, name, tmp_path)
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.strip() == f"{LATER} [{device}(id=0)] 14.0"


def test_the_others_go_on(site: Path, tmp_path: Path) -> None:
    """A program that names no platform runs on what fits; nothing refused is probed or opened."""
    (tmp_path / "users_program.py").write_text(PROGRAM)
    finished = run_in(site, ["users_program"], cwd=tmp_path, deadline=60)
    assert finished.returncode == 0 and "CpuDevice" in finished.stdout, finished.stderr
    assert {p.name.partition("-")[0] for p in tmp_path.glob("*-probed")} == {"present"}


def test_doctor_shows_all(site: Path, tmp_path: Path) -> None:
    finished = run_in(site, ["olympus", "doctor"], cwd=tmp_path)
    assert finished.returncode == 0, finished.stderr
    text = finished.stdout
    assert f"plugin contract {MAJOR}.{MINOR}" in text
    assert "present: chosen: found automatically, priority -1: it is there" in text
    for name in ("ancient", "later", "latest", "future"):
        assert f"{name}: refused: The plugin {name!r} of olympus-{name} was made for another version" in text
        assert f"from olympus-{name} 3.1, olympus_{name}" in text
        for words in refused(name, API_VERSION):
            assert words in text


def test_the_suite_refuses_too(site: Path, tmp_path: Path) -> None:
    finished = run_in(
        site, ["olympus_conformance", "run", "--platform", "future", "--profile", "minimal", "--quick"], cwd=tmp_path)
    assert finished.returncode == 2, finished.stdout + finished.stderr
    for words in refused("future", API_VERSION):
        assert words in finished.stderr
    assert not list(tmp_path.glob("future-*"))
