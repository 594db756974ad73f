"""No module of the core needs itself: circles of imports, with those inside functions and for type checkers only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .source import files, imports, module_of

# Types between two classes of one idea: an operation holds its record, whose rules are functions of operations.
ALLOWED = [{"olympus_core.program.program", "olympus_core.program.record"}]


def graph(package: str) -> dict[str, set[str]]:
    """For each module of a package those that it imports."""
    modules = {module_of(path): path for path in files(package)}
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


def test_the_core_has_no_circles_of_imports() -> None:
    assert [sorted(circle) for circle in circles(graph("olympus_core")) if circle not in ALLOWED] == []


def test_circles_are_found() -> None:
    assert circles({"a": ["b"], "b": ["c"], "c": ["b"], "d": []}) == [{"b", "c"}]
