# SPDX-License-Identifier: Apache-2.0
"""The promises of size; docs/decisions/0002 says what a line of code is; 0025, 0088 and 0123 which limits hold."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from pathlib import Path

from .source import PACKAGES, all_files, files, name_of, nodes

_NOT_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING,
    tokenize.ENDMARKER,
}


def code_lines(path: Path) -> int:
    """Lines of a file that are neither blank, nor comment, nor part of a docstring."""
    found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(path.read_text()).readline):
        if token.type not in _NOT_CODE:
            found.update(range(token.start[0], token.end[0] + 1))
    for node in nodes(path):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            value = body[0].value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                found.difference_update(range(body[0].lineno, (body[0].end_lineno or body[0].lineno) + 1))
    return len(found)


def lines(path: Path) -> int:
    """Lines of a file, without that of its licence."""
    return len([line for line in path.read_text().splitlines() if not line.startswith("# SPDX-License-Identifier")])


def test_core_is_minimal() -> None:
    rooms: Counter[str] = Counter()
    for path in files("olympus_core"):
        rooms[path.relative_to(PACKAGES["olympus_core"]).parts[0]] += code_lines(path)
    toolkit = rooms.pop("toolkit")
    assert sum(rooms.values()) < 18_100, rooms
    assert toolkit < 8_000


def test_contract_is_small() -> None:
    contract = PACKAGES["olympus_core"] / "plugin"
    assert sum(code_lines(p) for p in files("olympus_core") if p.is_relative_to(contract)) < 1_500


def test_no_file_is_long() -> None:
    assert not {name_of(path): lines(path) for path in all_files() if lines(path) > 800}


def test_every_room_has_a_readme() -> None:
    rooms = [path for folder in PACKAGES.values() for path in (folder, *folder.iterdir()) if path.is_dir()]
    missing = [name_of(r) for r in rooms if (r / "__init__.py").exists() and not (r / "README.md").exists()]
    assert not missing


def test_code_lines_leave_explanations_out(tmp_path: Path) -> None:
    file = tmp_path / "example.py"
    function = 'def f():\n    """Five."""\n    return x\n'
    file.write_text('"""One.\n\nTwo."""\n\n# three\nx = (\n    1,  # four\n)\n\n' + function)
    assert code_lines(file) == 5
