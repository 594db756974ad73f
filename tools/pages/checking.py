# SPDX-License-Identifier: Apache-2.0
"""Which pages are run, and when what they print is what they say."""

from __future__ import annotations

import doctest
from pathlib import Path

from .blocks import Block

DOCS = Path(__file__).resolve().parents[2] / "docs"
# A guide whose steps change files, programs that are run under both, and what docstrings give: each has its own test.
ELSEWHERE = {"writing-a-platform.md", "writing-a-generator.md", "coming-from-jax.md", "config.md"}
PAGES = sorted(path for path in DOCS.glob("*.md") if path.name not in ELSEWHERE)


def agrees(block: Block, printed: str) -> bool:
    r"""Whether a block printed what its page says; `...` stands for anything.

    Args:
        block: The block.
        printed: What it printed.

    Example:
        >>> agrees(Block("python", "", 1, "took ... s\n"), "took 0.3 s\n")
        True
    """
    said, found = _lines(block.printed or ""), _lines(printed)
    return doctest.OutputChecker().check_output(said, found, doctest.ELLIPSIS)


def _lines(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())
