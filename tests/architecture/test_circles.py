# SPDX-License-Identifier: Apache-2.0
"""No module needs itself: circles of imports, with those inside functions and for type checkers only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from .source import all_files, imports, module_of

# Types between two classes of one idea, each with its reason. What is no circle any more is taken off the list.
ALLOWED = [
    # An operation holds its record, whose rules are functions of operations.
    {"olympus_core.program.program", "olympus_core.program.record"},
]


@cache
def graph() -> dict[str, set[str]]:
    """For each module of all packages those that it imports."""
    modules = {module_of(path): path for path in all_files()}
    found: dict[str, set[str]] = {}
    for module, path in modules.items():
        targets = {t if t in modules else t.rpartition(".")[0] for t, _ in imports(path, types=True)}
        found[module] = (targets & modules.keys()) - {module}
    return found


def circles(imported: Mapping[str, Iterable[str]]) -> list[set[str]]:
    """The sets of modules each of which reaches all others of its set."""
    reached: dict[str, set[str]] = {}
    for start in imported:
        pending, reached[start] = [start], set()
        while pending:
            for target in imported[pending.pop()]:
                if target not in reached[start]:
                    reached[start].add(target)
                    pending.append(target)
    found: list[set[str]] = []
    for module, others in reached.items():
        circle = {other for other in others if module in reached[other]}
        if circle and circle not in found:
            found.append(circle)
    return found


def test_there_are_no_circles_of_imports() -> None:
    there = circles(graph())
    assert [sorted(circle) for circle in there if circle not in ALLOWED] == []
    assert [sorted(circle) for circle in ALLOWED if circle not in there] == [], "these are gone: take them off the list"


def test_circles_are_found() -> None:
    assert circles({"a": ["b"], "b": ["c"], "c": ["b"], "d": []}) == [{"b", "c"}]
