# SPDX-License-Identifier: Apache-2.0
"""The blocks of code of a page, in its order.

What a block is, its fence says:

- ``python``: run in the page's own process; what it prints stands in a block ``text`` behind it.
- ``python title="train.py"``: written into the page's folder under that name.
- ``console``: lines that begin with ``$ `` are run there; the others are what they print.
- Anything else, and what follows a line ``<!-- shown, not run -->``, is only shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

NOT_RUN = "<!-- shown, not run -->"
_FENCE = re.compile(r"^```(\w*)(?: title=\"([^\"]+)\")?[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A block that is run or written.

    Attributes:
        kind: ``python``, ``file`` or ``console``.
        text: The program, or the command without its ``$ ``.
        line: Where the text begins in the page, from 1.
        printed: What the page says is printed; None where it says nothing.
        span: The place of `printed` in the page's text; empty where it would have to be put in.
        name: The file's name.
    """

    kind: str
    text: str
    line: int
    printed: str | None = None
    span: tuple[int, int] = (0, 0)
    name: str = ""


def blocks(page: str) -> Iterator[Block]:
    r"""The blocks of a page that are run or written.

    Args:
        page: Its text.

    Example:
        >>> [b.kind for b in blocks('```python\n1\n```\n\n```console\n$ ls\n$ pwd\n```\n')]
        ['python', 'console', 'console']
    """
    found = list(_FENCE.finditer(page))
    for number, match in enumerate(found):
        language, title, text = match.groups()
        line = page.count("\n", 0, match.start(3)) + 1
        if page[: match.start()].rstrip().endswith(NOT_RUN) or text.startswith(">>> "):
            continue  # the examples of the reference are run with the modules in which they stand
        if title and language != "text":
            yield Block("file", text, line, name=title)
        elif language == "python":
            yield Block("python", text, line, *_printed(page, match, found[number + 1: number + 2]))
        elif language == "console":
            yield from _commands(text, line, match.start(3))


def _printed(page: str, match: re.Match[str], following: list[re.Match[str]]) -> tuple[str | None, tuple[int, int]]:
    """What stands in the block `text` right behind a program, and where."""
    for other in following:
        if other[1] == "text" and not page[match.end(): other.start()].strip():
            return other[3], other.span(3)
    return None, (match.end(), match.end())


def _commands(text: str, line: int, start: int) -> Iterator[Block]:
    for part in re.finditer(r"^\$ ((?:.*\\n)*.*\n)((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
        span = (start + part.start(2), start + part.end(2))
        yield Block("console", part[1], line + text.count("\n", 0, part.start()), part[2], span)
