# SPDX-License-Identifier: Apache-2.0
"""The third-party examples: installed by pip, with nothing but public names, and as far as their reports say."""

from __future__ import annotations

import ast
import io
import json
import shutil
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from .packages import ROOT, SEAM, install, passes, run_in

EXAMPLES = ("olympus-arrayapi", "olympus-inplace", "olympus-opencl")
# Lines of code: neither blank, nor comment, nor docstring.
LIMITS = {"olympus-arrayapi": 300, "olympus-inplace": 300, "olympus-opencl": 1500}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copies of the examples: a build leaves things in them."""
    folder = tmp_path_factory.mktemp("examples")
    for name in EXAMPLES:
        shutil.copytree(ROOT / "examples" / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "build"))
    return folder


@pytest.fixture(scope="module")
def site(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where they are installed."""
    target = tmp_path_factory.mktemp("site")
    install(target, *(sources / name for name in EXAMPLES))
    return target


def modules(name: str) -> list[Path]:
    found = sorted((ROOT / "examples" / name / name.replace("-", "_")).rglob("*.py"))
    assert found
    return found


def olympus_names(path: Path) -> Iterator[tuple[str, str]]:
    """Every name of olympus's that a file imports: (module, name)."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((a.name, "") for a in node.names if a.name.startswith("olympus"))
        elif isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").startswith("olympus"):
            yield from ((node.module or "", a.name) for a in node.names)


def code_lines(path: Path) -> int:
    text = path.read_text()
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    strings: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            strings.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    skipped = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    used = {line for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type not in skipped
            for line in range(token.start[0], token.end[0] + 1)}
    return len(used - strings)


@pytest.mark.parametrize("name", EXAMPLES)
def test_public_names_only(name: str) -> None:
    own = name.replace("-", "_")
    found = [pair for path in modules(name) for pair in olympus_names(path) if not pair[0].startswith(own)]
    assert found
    for module, imported in found:
        room = ".".join(module.split(".")[:2]) if module.startswith("olympus_core.toolkit.") else module
        assert module == "olympus_core" and imported in SEAM or room in {f"olympus_core.{r}" for r in SEAM}, module
        assert not imported.startswith("_"), f"{module}.{imported}"
    for path in modules(name):
        for node in ast.walk(ast.parse(path.read_text())):
            # What begins with an underscore is one's own.
            if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
                assert isinstance(node.value, ast.Name) and node.value.id == "self", f"{path}:{node.lineno}"


@pytest.mark.parametrize("name", EXAMPLES)
def test_size(name: str) -> None:
    assert sum(code_lines(path) for path in modules(name)) <= LIMITS[name]


@pytest.mark.parametrize("name", EXAMPLES)
def test_its_own_tests_pass(site: Path, sources: Path, name: str) -> None:
    if name == "olympus-opencl":
        pytest.importorskip("pyopencl", reason="PyOpenCL and PoCL are for Linux on x86_64")
    finished = run_in(site, ["pytest", "-q", "-W", "error", "-p", "no:cacheprovider"], cwd=sources / name)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert " passed" in finished.stdout


@pytest.mark.parametrize("platform", ["array_api_strict", "inplace"])
def test_single(site: Path, tmp_path: Path, platform: str) -> None:
    if platform == "array_api_strict":
        pytest.importorskip("array_api_strict")
    # What takes long and is about the toolkit is left to the reports.
    areas = ("operations", "control", "execution", "local_collectives", "donation", "threads", "errors", "callbacks")
    passes(site, platform, "single", tmp_path, "--only", *(f"{area}/*" for area in areas))


def test_communicators_need_their_own_processes_only(site: Path, tmp_path: Path) -> None:
    """The first thing that a job does: no test before it has brought all processes together."""
    passes(site, "inplace", "multi", tmp_path, "--only", "communicators/opened_by_some")


@pytest.mark.parametrize(("name", "platform", "profile"), [
    ("olympus-arrayapi", "array_api_strict", "full"), ("olympus-arrayapi", "torch", "full"),
    ("olympus-inplace", "inplace", "full"), ("olympus-opencl", "opencl", "full"),
])
def test_the_report(name: str, platform: str, profile: str) -> None:
    """What is kept beside the code is a whole run that passed; the suite's own command reads it."""
    report = json.loads((ROOT / "examples" / name / "reports" / platform / "report.json").read_text())
    assert report["facts"]["platform"] == platform and not report["facts"]["waivers"]
    assert report["highest"] == profile and not report["facts"]["quick"]
    assert not [r["id"] for r in report["results"] if r["status"] not in ("pass", "not supported", "warning")]


def test_a_library_that_is_missing_breaks_nothing(site: Path, tmp_path: Path) -> None:
    finished = run_in(site, ["olympus", "doctor"], cwd=tmp_path)
    assert finished.returncode == 0, finished.stderr
    state = "torch: unavailable: not installed: torch" if not _has("torch") else "torch: "
    assert state in finished.stdout


def _has(package: str) -> bool:
    import importlib.util

    return importlib.util.find_spec(package) is not None
