# SPDX-License-Identifier: Apache-2.0
"""`olympus new-plugin`: what it writes can be installed, runs, and passes; what it refuses, it explains."""

from __future__ import annotations

import ast
from importlib import metadata
from pathlib import Path

import pytest

from olympus.cli import main
from olympus.cli.new_plugin import check_name, write
from olympus_core.errors.platform import FolderInUseError, PluginNameError
from olympus_core.plugin import API_VERSION
from olympus_core.runtime.registry import registry

from .packages import SEAM, install, passes, run_in


@pytest.fixture(scope="module", params=[(), ("--generator",)], ids=["table", "generator"])
def package(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, just written: of each kind."""
    folder = tmp_path_factory.mktemp("new") / "olympus-some-acme"
    assert main(["new-plugin", "some_acme", "--path", str(folder), *request.param]) == 0
    return folder


@pytest.fixture(scope="module")
def site(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where it is installed."""
    target = tmp_path_factory.mktemp("site")
    install(target, package)
    return target


def test_what_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new-plugin", "some_acme"]) == 0
    text = capsys.readouterr().out
    for path in sorted(p for p in (tmp_path / "olympus-some-acme").rglob("*") if p.is_file()):
        assert f"  {path.relative_to(tmp_path / 'olympus-some-acme')}\n" in text
    assert "  cd olympus-some-acme\n  pip install -e '.[test]'\n  python -m pytest\n" in text
    assert "olympus-conformance run --platform some_acme --profile minimal" in text
    assert "Note" not in text


def test_nothing_is_left_to_fill_in(package: Path) -> None:
    for path in (p for p in package.rglob("*") if p.is_file()):
        text = path.read_text()
        # The workflow has no expressions of its own, so every dollar sign is a forgotten name.
        assert "$" not in text, path
        assert all(len(line) <= 120 for line in text.splitlines()), path
    project = (package / "pyproject.toml").read_text()
    assert 'name = "olympus-some-acme"' in project and 'some_acme = "olympus_some_acme.platform"' in project
    version = metadata.version("olympus-runtime")
    assert f'"olympus-runtime>={".".join(version.split(".")[:2])},<' in project
    code = (package / "olympus_some_acme/platform.py").read_text()
    assert f"api_version=({API_VERSION[0]}, {API_VERSION[1]})" in code


def test_it_imports_the_seam_only(package: Path) -> None:
    found = set()
    for path in (package / "olympus_some_acme").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("olympus"):
                found.add(".".join(node.module.split(".")[:2]))
                assert not [alias.name for alias in node.names if alias.name.startswith("_")]
    assert found and found <= {f"olympus_core.{room}" for room in SEAM} | {"olympus_core"}


def test_it_is_found(site: Path, tmp_path: Path) -> None:
    finished = run_in(site, ["olympus", "doctor"], cwd=tmp_path, env={"OLYMPUS_PLATFORMS": "some_acme"})
    assert finished.returncode == 0, finished.stderr
    assert "some_acme: chosen: named by environment variable OLYMPUS_PLATFORMS" in finished.stdout
    assert "from olympus-some-acme 0.1.0, olympus_some_acme.platform" in finished.stdout


def test_its_own_tests_pass(site: Path, package: Path) -> None:
    finished = run_in(site, ["pytest", "-q", "-W", "error", "-p", "no:cacheprovider"], cwd=package)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    # A user's program, and a test for each of the profile's.
    assert " passed" in finished.stdout and "failed" not in finished.stdout and "skipped" not in finished.stdout


def test_it_passes_minimal(site: Path, package: Path, tmp_path: Path) -> None:
    text = passes(site, "some_acme", "minimal", tmp_path, "--waivers", str(package / "waivers.toml"))
    assert "platform some_acme (olympus-some-acme 0.1.0), devices SOME_ACME_0" in text


@pytest.mark.parametrize(("name", "suggestion"), [
    ("Acme", "acme"), ("acme-gpu", "acme_gpu"), ("olympus-acme", "acme"), ("3d", None), ("", None),
    ("a" * 41, "a" * 40), ("ac me", "ac_me"), ("acmé", "acm"), ("_", None),
])
def test_names_that_cannot_be_typed(name: str, suggestion: str | None) -> None:
    with pytest.raises(ValueError, match="cannot be named") as caught:
        check_name(name, registry)
    assert isinstance(caught.value, PluginNameError)
    assert (caught.value.platform, caught.value.suggestion) == (name, suggestion)
    assert ("Did you mean" in str(caught.value)) == (suggestion is not None)


@pytest.mark.parametrize("name", ["cpu", "gpu", "core", "conformance"])
def test_names_that_are_taken(name: str) -> None:
    with pytest.raises(PluginNameError):
        check_name(name, registry)


def test_a_name_that_is_easily_mistaken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-plugin", "cpuu", "--path", str(tmp_path / "new")]) == 0
    assert "easily mistaken for the platform 'cpu'" in capsys.readouterr().out
    assert check_name("quite_different", registry) is None


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert main(["new-plugin", "acme", "--path", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert "not empty" in error and "mine.txt" in error and "--path" in error
    assert [p.name for p in tmp_path.iterdir()] == ["mine.txt"]
    with pytest.raises(FolderInUseError, match="a file"):
        write("acme", tmp_path / "mine.txt")
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_the_start_of_a_generator(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-plugin", "acme", "--generator", "--path", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "olympus-conformance guide generator" in said and "olympus_acme/emitter.py" in said
    assert "olympus-conformance guide generator" in (tmp_path / "README.md").read_text()
    assert (tmp_path / "tests/test_kernels.py").exists()


def test_an_empty_folder_will_do(tmp_path: Path) -> None:
    assert "pyproject.toml" in write("acme", tmp_path)
