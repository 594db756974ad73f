# SPDX-License-Identifier: Apache-2.0
"""The source files, as text and as syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {
    "olympus": ROOT / "olympus", "olympus_core": ROOT / "olympus_core", "olympus_cpu": ROOT / "plugins" / "cpu",
    "olympus_pjrt": ROOT / "plugins" / "pjrt", "olympus_tpu": ROOT / "plugins" / "tpu",
    "olympus_cuda": ROOT / "plugins" / "cuda",
    "olympus_conformance": ROOT / "conformance",
}
_STATEMENTS = (ast.stmt, ast.excepthandler, ast.match_case)
# Packages that are installed from a folder within another one's.
INNER = {"olympus_conformance.pytest_entry": "olympus_conformance_pytest"}


@cache
def files(package: str) -> tuple[Path, ...]:
    """A package's files."""
    found = tuple(sorted(PACKAGES[package].rglob("*.py")))
    assert found, f"no files in {PACKAGES[package]}"
    return found


def all_files() -> Iterator[Path]:
    """The files of all packages."""
    for package in PACKAGES:
        yield from files(package)


@cache
def tree(path: Path) -> ast.Module:
    """A file's syntax tree."""
    return ast.parse(path.read_text(), filename=str(path))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a file's syntax tree."""
    return tuple(ast.walk(tree(path)))


def name_of(path: Path) -> str:
    """A file's place in the repository, as text."""
    return path.relative_to(ROOT).as_posix()


def module_of(path: Path) -> str:
    """A file's module."""
    package, folder = next((p, f) for p, f in PACKAGES.items() if path.is_relative_to(f))
    parts = path.relative_to(folder).with_suffix("").parts
    module = ".".join((package, *(part for part in parts if part != "__init__")))
    return INNER.get(module, module)


@cache
def imports(path: Path, types: bool = False) -> tuple[tuple[str, int], ...]:
    """Every module that a file imports, absolute, with its line; with `types` also for type checkers only."""
    module = module_of(path)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    return tuple(imported(tree(path), package, types))


def imported(module: ast.Module, package: str, types: bool = False) -> Iterator[tuple[str, int]]:
    """What a module of a package imports; `imports` for a syntax tree."""
    pending: list[ast.AST] = [module]
    while pending:
        node = pending.pop()
        if not types and isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            pending += node.orelse
        elif isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            # `from a import b` may mean the module a.b.
            yield from ((f"{base}.{alias.name}", node.lineno) for alias in node.names)
        else:
            # Expressions import nothing, and are most of a tree.
            pending += (child for child in ast.iter_child_nodes(node) if isinstance(child, _STATEMENTS))
