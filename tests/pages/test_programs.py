# SPDX-License-Identifier: Apache-2.0
"""The programs and commands of the pages run as they stand there, and print what stands there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.pages.blocks import NOT_RUN, blocks
from tools.pages.checking import PAGES, agrees
from tools.pages.running import run

RUN = [page for page in PAGES if list(blocks(page.read_text(encoding="utf-8")))]

pytestmark = [pytest.mark.slow, pytest.mark.processes]


@pytest.mark.parametrize("page", RUN, ids=lambda page: page.stem)
def test_a_page_s_programs_print_what_it_says(page: Path, tmp_path: Path) -> None:
    if page.stem == "checkpoints":
        pytest.importorskip("tensorstore", reason="needs TensorStore, the extra 'checkpoints'")
    results = run(page, tmp_path)
    wrong = [f"{page.name}:{block.line} printed\n{printed}and the page says\n{block.printed}"
             for block, printed in zip(blocks(page.read_text(encoding="utf-8")), results, strict=True)
             if not agrees(block, printed)]
    assert not wrong, "\n".join(wrong)


def test_a_program_that_prints_something_else_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text('```python\nprint(1)\n1 / 0\n```\n\n```text\n1\nZeroDivisionError: ...\n```\n\n'
                    '```python title="a.py"\nprint("a")\n```\n\n```console\n$ python a.py\nb\n```\n'
                    f"{NOT_RUN}\n```python\nraise SystemExit\n```\n")
    (tmp_path / "there").mkdir()
    found = list(blocks(page.read_text()))
    results = run(page, tmp_path / "there")
    assert [block.kind for block in found] == ["python", "file", "console"]
    assert results == ["1\nZeroDivisionError: division by zero\n", "", "a\n"]
    assert [agrees(*pair) for pair in zip(found, results, strict=True)] == [True, True, False]
