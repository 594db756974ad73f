# SPDX-License-Identifier: Apache-2.0
"""Where an operation's name stands in the repository: as a name or string of the code, not as a part of one."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("olympus", "olympus_core", "plugins", "conformance", "tests", "tools", "benchmarks", "examples", "docs")
TEXTS = (".md", ".txt", ".toml", ".json", ".cuh")

# In the order in which a reader wants them; those of the first group are what a new operation costs.
PRODUCT = ("record", "core", "language", "rules", "uses", "platform", "conformance")
OTHER = ("generated", "docs", "tests", "tools", "benchmarks", "examples")
ABOUT = {
    "record": "definition and reference", "core": "the rest of the core", "language": "public functions",
    "rules": "derivative and batching", "uses": "functions made of it", "platform": "how plugins run it",
    "conformance": "samples, tolerances and random programs", "generated": "made from the rest", "docs": "documents",
    "tests": "tests", "tools": "tools", "benchmarks": "benchmarks", "examples": "examples",
}
_RULES = "olympus/transforms/rules/"
_STARTS = {
    "olympus_core/ops/": "record", "olympus_core/": "core", _RULES: "rules", "plugins/": "platform",
    "conformance/mustpass/": "generated", "conformance/": "conformance", "docs/reports/": "generated",
    "examples/": "examples", "docs/": "docs", "tests/": "tests", "tools/": "tools", "benchmarks/": "benchmarks",
}
_CODE = re.compile(r"`[^`]*`|^    .*")  # code within a line of Markdown, where a name is no word of a sentence
_MADE = "do not edit"  # stands at the top of what is made from the rest


@dataclass(frozen=True)
class Occurrences:
    """A file with the name in it.

    Args:
        path: The file, from the repository's root.
        role: What the file is to the operation: one of `PRODUCT` and `OTHER`.
        lines: Where the name stands.
    """

    path: str
    role: str
    lines: tuple[int, ...]

    @property
    def is_product(self) -> bool:
        """Whether it is Python of the product, written by hand."""
        return self.path.endswith(".py") and self.role in PRODUCT


def occurrences(name: str) -> list[Occurrences]:
    """The files in which an operation's name stands, by role.

    Args:
        name: The name in the operation's record, such as ``"while"``; in code it may end in an underscore.
    """
    names = {name, f"{name}_"} if keyword.iskeyword(name) else {name}
    word = re.compile(rf"(?<!\w)(?:olympus_[a-z]+_)?{name}_?(?!\w)")  # CUDA's functions have a prefix
    found = [o for path in _files() if (o := _in_file(path, names, word)) is not None]
    order = (*PRODUCT, *OTHER)
    return sorted(found, key=lambda o: (order.index(o.role), o.path))


def _files() -> Iterator[Path]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            within = path.relative_to(ROOT).parts
            skipped = any(part.startswith(".") or part in ("__pycache__", "build") for part in within)
            if path.suffix in (".py", *TEXTS) and not skipped and path.is_file():
                yield path


def _in_file(path: Path, names: set[str], word: re.Pattern[str]) -> Occurrences | None:
    text = path.read_text(encoding="utf-8", errors="replace")
    if word.search(text) is None:
        return None
    name = path.relative_to(ROOT).as_posix()
    is_made = _MADE in text[:400]
    if path.suffix != ".py":
        lines = [i for i, line in enumerate(text.splitlines(), 1)
                 if any(word.search(part) for part in (_CODE.findall(line) if path.suffix == ".md" else [line]))]
        if not lines:
            return None
        role = next((role for start, role in _STARTS.items() if name.startswith(start)), "docs")
        role = "docs" if role in PRODUCT and path.suffix == ".md" else role
        return Occurrences(name, "generated" if is_made else role, tuple(lines))
    tree = ast.parse(text)
    tokens = sorted(_tokens(tree, names))
    if not tokens:
        return None
    role = next((role for start, role in _STARTS.items() if name.startswith(start)), "")
    if not role:
        role = "language" if any(declares for _, declares in tokens) else "uses"
    return Occurrences(name, "generated" if is_made else role, tuple(dict.fromkeys(line for line, _ in tokens)))


def _tokens(tree: ast.Module, names: set[str]) -> Iterator[tuple[int, bool]]:
    """The lines of a file with one of the names, each with whether it declares the name there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            if node.name in names:
                yield node.lineno, True
        elif isinstance(node, ast.alias):
            if node.name.rpartition(".")[2] in names or node.asname in names:
                yield node.lineno, True
        elif isinstance(node, ast.Name):
            if node.id in names:
                yield node.lineno, isinstance(node.ctx, ast.Store)
        elif isinstance(node, ast.Attribute):
            if node.attr in names:
                yield node.end_lineno or node.lineno, False
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node.value in names or (_is_list(node.value) and names & set(node.value.split())):
                yield node.lineno, False


def _is_list(text: str) -> bool:
    """Whether a string is a list of words, as ``"sin cos tan".split()`` has it."""
    words = text.split()
    return len(words) > 2 and all(word.isidentifier() and word.islower() for word in words)
