# SPDX-License-Identifier: Apache-2.0
"""Every source says its licence in a line; `python -m tools.spdx` writes it where it is absent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.spdx.__main__ import LINE, lacks, sources, write

from .source import ROOT


def test_every_source_says_its_licence() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("needs the repository")
    found = list(sources())
    assert len(found) > 1000 and not [str(path.relative_to(ROOT)) for path in found if lacks(path)]


@pytest.mark.parametrize(("name", "text", "written"), [
    ("a.py", '"""A."""\n', f'# {LINE}\n"""A."""\n'),
    ("a.sh", "#!/bin/sh\nls\n", f"#!/bin/sh\n# {LINE}\nls\n"),
    ("a.c", "int x;\n", f"// {LINE}\nint x;\n"),
    ("a.css", "a {}\n", f"/* {LINE} */\na {{}}\n"),
])
def test_the_line_is_written_once(tmp_path: Path, name: str, text: str, written: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert lacks(path)
    write(path)
    assert path.read_text() == written and not lacks(path)
