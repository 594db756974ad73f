# SPDX-License-Identifier: Apache-2.0
"""The names of the core are terms of docs/glossary.md, or plain words; and the page is of what there is."""

from __future__ import annotations

import ast
import re

import pytest

from .source import ROOT, files, name_of, nodes

PAGE = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
TERMS = [tuple(cell.strip() for cell in row) for row in ROW.findall(PAGE)][1:]
PLAIN = set(re.findall(r"[a-z0-9]+", PAGE.rpartition("\n\n")[2]))
# Words that once were names here, and hid standard ones.
RETIRED = {
    "straight", "whole", "dual", "mark", "marks", "planned", "lockstep", "jam", "turn", "turns", "turning", "keeping",
    "strips", "stripped", "weaving", "cell", "board", "ticket", "crew", "clique", "place", "places", "door", "maker",
    "parts", "quick", "cone", "dear",
}
# Where such a word is the field's own: `make quick`, unroll-and-jam.
STANDARD = {"unroll_and_jam": "jam", "UnrollAndJam": "jam"}


def words(name: str) -> list[str]:
    """What a name in snake or camel case consists of."""
    parts = [p for part in name.split("_") for p in re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+", part)]
    return [part.lower() for part in parts]


def names(*packages: str) -> dict[str, str]:
    """The file names and class names of packages, each with the file where it stands."""
    found: dict[str, str] = {}
    for path in [path for package in packages for path in files(package)]:
        stem = path.parent.name if path.name == "__init__.py" else path.stem
        found.setdefault(stem, name_of(path))
        for node in nodes(path):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, name_of(path))
    return found


def term_words() -> set[str]:
    """The words that the terms of the page consist of."""
    return {word for term, _, _ in TERMS for word in re.findall(r"[a-z0-9]+", term.lower())}


def forms(singular: set[str]) -> set[str]:
    """Words in the singular and in the plural."""
    plural = {word + ending for word in singular for ending in ("s", "es")}
    return singular | plural | {f"{word[:-1]}ies" for word in singular} | {word.removesuffix("s") for word in singular}


def text_of(name: str) -> str:
    """A term or a text with words that are set apart by single spaces, in small letters."""
    return re.sub(r"[_\-\s]+", " ", re.sub(r"([a-z])([A-Z])", r"\1 \2", name)).lower()


def test_every_term_has_a_meaning_and_a_source() -> None:
    assert len(TERMS) > 150
    assert not [row for row in TERMS if not all(row)]
    terms = [term.lower() for term, _, _ in TERMS]
    assert terms == sorted(set(terms))


def test_the_cores_names_are_terms_or_plain_words() -> None:
    page = forms(term_words() | PLAIN)
    unknown = {
        f"{where}: {name} ({word})" for name, where in names("olympus_core").items() for word in words(name)
        if word not in page
    }
    assert not unknown, "no term of docs/glossary.md: take the standard term, or add a line there"


def test_the_page_names_only_what_there_is() -> None:
    folders = (ROOT / "olympus", ROOT / "olympus_core", ROOT / "plugins", ROOT / "conformance")
    kinds = ("*.py", "*.pyi", "*.c", "*.h", "*.md")
    text = text_of(" ".join(
        path.read_text(encoding="utf-8") for folder in folders for kind in kinds for path in folder.rglob(kind)))
    assert not [name for term, _, _ in TERMS for name in term.split(", ") if text_of(name) not in text]


def test_plain_words_are_used() -> None:
    used = {word for name in names("olympus_core") for word in words(name)}
    assert not {word for word in PLAIN if not forms({word}) & used}
    assert not PLAIN & forms(term_words())


@pytest.mark.parametrize("package", ["olympus", "olympus_core", "olympus_cpu", "olympus_cuda", "olympus_pjrt",
                                     "olympus_tpu", "olympus_conformance"])
def test_retired_words_are_no_names(package: str) -> None:
    assert not {
        f"{where}: {name}" for name, where in names(package).items() for word in words(name)
        if word in RETIRED and STANDARD.get(name) != word
    }
