# SPDX-License-Identifier: Apache-2.0
"""The checked-in reference pages are those that the code gives; names are described, and their examples run."""

from __future__ import annotations

import doctest
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tools.reference.array_stub import STUB, stub
from tools.reference.docstrings import parse
from tools.reference.names import MODULES, is_ours, public_members, public_names
from tools.reference.pages import pages, signature_of

# They change the process in which the examples run.
UNSHOWN = {"olympus.distributed.initialize", "olympus.distributed.shutdown"}
DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_pages_are_up_to_date() -> None:
    made = pages()
    there = {f"reference/{path.name}" for path in (DOCS / "reference").glob("*.md")} | {"config.md"}
    assert there == set(made), "run `make docs`"
    old = [path for path, text in made.items() if (DOCS / path).read_text(encoding="utf-8") != text]
    assert not old, f"run `make docs`: {old}"


def described(page: str) -> Iterator[tuple[str, Any]]:
    """The public names of a page that olympus describes itself, and the members of its classes."""
    for name, value in public_names(page).items():
        if inspect.ismodule(value) or not is_ours(value):
            continue
        yield f"{page}.{name}", value
        if inspect.isclass(value):
            for member, inner in public_members(value):
                yield f"{page}.{name}.{member}", getattr(inner, "__func__", inner)


@pytest.mark.parametrize("page", MODULES)
def test_every_name_has_a_summary(page: str) -> None:
    found = dict(described(page))
    assert found
    wrong = [name for name, value in found.items() if not parse(value.__doc__).summary.endswith((".", ":"))]
    assert not wrong


@pytest.mark.parametrize("page", MODULES)
def test_sections_speak_of_parameters_that_are_there(page: str) -> None:
    wrong = []
    for name, value in described(page):
        if not inspect.isfunction(inspect.unwrap(value)):
            continue
        said = {n for entry, _ in parse(value.__doc__).entries("Args") for n in entry.split(", ")}
        there = {f"{'*' * (p.kind == p.VAR_POSITIONAL)}{'**' * (p.kind == p.VAR_KEYWORD)}{n}"
                 for n, p in inspect.signature(value).parameters.items()}
        if said and not said <= there | {n.lstrip("*") for n in there}:
            wrong.append((name, sorted(said - there)))
    assert not wrong


@cache
def collected() -> frozenset[str]:
    """The docstrings whose examples pytest runs with the modules in which they stand."""
    finder = doctest.DocTestFinder()
    modules = [m for name, m in sorted(sys.modules.items()) if name.partition(".")[0] in ("olympus", "olympus_core")]
    return frozenset(test.docstring for m in modules for test in finder.find(m))


@pytest.mark.parametrize("page", MODULES)
def test_every_function_shows_an_example(page: str) -> None:
    missing = []
    for name, value in described(page):
        text = getattr(value, "__doc__", None) or ""
        is_function = name.rpartition(".")[0] == page and inspect.isroutine(inspect.unwrap(value))
        refuses = ("NotSupportedError", "Always.") in parse(text).entries("Raises")
        if is_function and ">>>" not in text and not refuses and name not in UNSHOWN:
            missing.append(name)
    assert not missing


@pytest.mark.parametrize("page", MODULES)
def test_every_example_is_run(page: str) -> None:
    """Also those of names that a factory makes: they must be found in the module in which they stand."""
    texts = {name: getattr(value, "__doc__", None) or "" for name, value in described(page)}
    assert not [name for name, text in texts.items() if ">>>" in text and text not in collected()]


def test_docstrings_are_taken_apart() -> None:
    said = parse("""Does it.

    More
    of it.

    Args:
        x: One
            thing.
        *rest: Others: all.

    Raises:
        ValueError: If `x`
            is bad.

    Returns:
        What
        comes out.

    Example:
        >>> 1
        1
    """)
    assert (said.summary, said.text) == ("Does it.", ["More of it."])
    assert said.entries("Args") == [("x", "One thing."), ("*rest", "Others: all.")]
    assert said.entries("Raises") == [("ValueError", "If `x` is bad.")]
    assert said.sentence("Returns") == "What comes out." and said.sections["Example"] == [">>> 1", "1"]
    assert parse(None).summary == ""


def test_signatures() -> None:
    marker = object()

    def f(a: int, /, b: str = "x", *, c: Any = marker, **d: int) -> list[int]:
        raise NotImplementedError

    assert signature_of(f) == "(a: int, /, b: str = 'x', *, c: Any = ..., **d: int) -> list[int]"
    assert signature_of(f, wrap=True) == signature_of(f)
    assert signature_of(f, skip=True) == "(b: str = 'x', *, c: Any = ..., **d: int) -> list[int]"
    assert signature_of(lambda x, *y, z=int: 0) == "(x, *y, z=int)"


def test_the_stub_of_arrays_is_up_to_date() -> None:
    assert STUB.read_text(encoding="utf-8") == stub(), "run `make docs`"
