# SPDX-License-Identifier: Apache-2.0
"""Docstrings in Google's style, taken apart."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field

_HEADING = re.compile(r"(Args|Attributes|Returns|Yields|Raises|Example|Examples):$")
_ENTRY = re.compile(r"(\S[^:]*): ?(.*)$")


@dataclass
class Docstring:
    """A docstring's parts.

    Attributes:
        summary: Its first sentence.
        text: The paragraphs that follow.
        sections: The lines of each section, without their indentation.
    """

    summary: str = ""
    text: list[str] = field(default_factory=list)
    sections: dict[str, list[str]] = field(default_factory=dict)

    def entries(self, section: str) -> list[tuple[str, str]]:
        """The names of a section such as ``Args`` with what is said of each."""
        found: list[tuple[str, str]] = []
        for line in self.sections.get(section, []):
            entry = _ENTRY.match(line)
            if entry and not line.startswith(" "):
                found.append((entry[1], entry[2]))
            elif found and line:
                found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}".strip())
        return found

    def sentence(self, section: str) -> str:
        """A section such as ``Returns`` as running text."""
        return " ".join(line.strip() for line in self.sections.get(section, []) if line.strip())


def parse(text: str | None) -> Docstring:
    """Takes a docstring apart.

    Args:
        text: As it stands in the source; None for none.

    Returns:
        Its parts.

    Example:
        >>> parse('''Adds.
        ...
        ...     Args:
        ...         x: A number,
        ...             or two.
        ... ''').entries("Args")
        [('x', 'A number, or two.')]
    """
    lines = inspect.cleandoc(text or "").splitlines()
    result, section, body = Docstring(), None, []
    for line in lines:
        heading = _HEADING.match(line)
        if heading:
            section = heading[1].replace("Examples", "Example")
            result.sections[section] = []
        elif section is not None and (not line or line.startswith(" ")):
            result.sections[section].append(line)
        else:
            section = None
            body.append(line)
    for name, content in result.sections.items():
        result.sections[name] = inspect.cleandoc("\n" + "\n".join(content)).splitlines()
    paragraphs = [" ".join(p.split("\n")) for p in "\n".join(body).strip().split("\n\n") if p.strip()]
    if paragraphs:
        result.summary, result.text = paragraphs[0].strip(), [p.strip() for p in paragraphs[1:]]
    return result
