# SPDX-License-Identifier: Apache-2.0
"""SPEC.md and PROFILES.md, generated from the requirements: the suite is the specification."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from ..profiles import PURPOSE, REQUIRED
from ..requirement import PROFILES, Case, Requirement, Test
from .suite import Suite
from .words import split

FOLDER = Path(__file__).resolve().parent.parent
_FEW = 20  # cases that are listed one by one; more are listed by their common prefixes

_SPEC = """# What a platform must do

Made from the requirements of the suite by `olympus-conformance spec --write`; do not edit it by hand.

The words MUST, MUST NOT, SHOULD, SHOULD NOT and MAY are those of RFC 2119. A MUST that does not hold is a failure, a
SHOULD that does not hold is a warning. What a requirement *needs* is what the platform declares in its
`Capabilities`: what is declared has to work, and what is not declared has to be refused with `NotSupportedError`
before anything runs. What a platform generates its own compiler has to accept: a program that runs by the table because
its code was rejected (`NotCompiledWarning`) fails the test that it belongs to.

The profiles are explained in [PROFILES.md](PROFILES.md), how to run the suite and what to do with the report in
[SUBMITTING.md](SUBMITTING.md).

Version {version} of the suite: {requirements} requirements, {tests} tests.
"""

_PROFILES = """# Profiles

Made from the requirements of the suite by `olympus-conformance spec --write`; do not edit it by hand.

A profile holds all tests of those before it: {chain}. A platform passes a profile when every id
of its mustpass lists (`mustpass/{version}/`) has a result and none speaks against it. What a platform declares besides
becomes mandatory with the profile that tests it; *not declaring* what a profile requires fails the profile.

| profile | for | requirements | tests | with those before it |
|---|---|--:|--:|--:|
"""


def specification(suite: Suite) -> str:
    """The text of SPEC.md."""
    held = _requirements(suite)
    areas = [(area, list(each)) for area, each in groupby(held, key=_area)]
    lines = [_SPEC.format(version=suite.version, requirements=len(held), tests=len(suite.tests)), "## Areas", ""]
    lines += ["| area | requirements | tests |", "|---|--:|--:|"]
    lines += [f"| [{area}](#{area}) | {len(each)} | {sum(len(r.cases) for r in each)} |" for area, each in areas]
    for area, each in areas:
        lines += ["", f"## {area}"]
        for requirement in each:
            lines += ["", *_requirement(requirement)]
    return "\n".join(lines) + "\n"


def profiles(suite: Suite) -> str:
    """The text of PROFILES.md."""
    tests = list(suite.tests.values())
    lines = [_PROFILES.format(chain=" ⊂ ".join(PROFILES), version=suite.version).rstrip("\n")]
    total = 0
    for profile in PROFILES:
        own = _of(tests, profile)
        total += len(own)
        count = len({test.requirement.name for test in own})
        lines.append(f"| [{profile}](#{profile}) | {PURPOSE[profile]} | {count} | {len(own)} | {total} |")
    before: frozenset[str] = frozenset()
    for profile in PROFILES:
        lines += ["", f"## {profile}", "", f"{PURPOSE[profile][0].upper()}{PURPOSE[profile][1:]}.", ""]
        lines += _declarations(REQUIRED[profile] - before, bool(before)) + [""]
        before |= REQUIRED[profile]
        own = _of(tests, profile)
        lines += ["| area | requirements | tests |", "|---|---|--:|"] * bool(own)
        for area, held in groupby(sorted(own, key=lambda t: t.requirement.name), key=lambda t: _area(t.requirement)):
            counted = Counter(test.requirement.name for test in held)
            names = ", ".join(f"[{split(name)[1]}](SPEC.md#{_anchor(name)})" for name in counted)
            lines.append(f"| {area} | {names} | {counted.total()} |")
    return "\n".join(lines).rstrip("\n") + "\n"


def pages(suite: Suite) -> dict[str, str]:
    """The generated pages by file name."""
    return {"SPEC.md": specification(suite), "PROFILES.md": profiles(suite)}


def outdated(suite: Suite, folder: Path = FOLDER) -> list[str]:
    """The names of the pages that are out of date."""
    found = []
    for name, text in pages(suite).items():
        path = folder / name
        if not path.exists() or path.read_text("utf-8") != text:
            found.append(name)
    return found


def write(suite: Suite, folder: Path = FOLDER) -> list[Path]:
    """Writes the pages."""
    paths = []
    for name, text in pages(suite).items():
        (folder / name).write_text(text, "utf-8")
        paths.append(folder / name)
    return paths


def _requirements(suite: Suite) -> list[Requirement]:
    held = {test.requirement.name: test.requirement for test in suite.tests.values()}
    return [held[name] for name in sorted(held)]


def _of(tests: Iterable[Test], profile: str) -> list[Test]:
    return [test for test in tests if test.profile == profile]


def _area(requirement: Requirement) -> str:
    return split(requirement.name)[0]


def _anchor(name: str) -> str:
    """The anchor of a heading."""
    return name.replace("/", "")


def _requirement(requirement: Requirement) -> list[str]:
    module = requirement.check.__module__.partition("olympus_conformance.")[2]
    file = f"{module.replace('.', '/')}.py"
    held = sorted({case.profile or requirement.profile for case in requirement.cases}, key=PROFILES.index)
    facts = [f"profile {', '.join(held)}", f"since {requirement.since}"]
    facts += ["where undeclared: MUST be refused"] if requirement.refusal is not None else []
    facts += ["a new job for each case"] if requirement.fresh else []
    facts += [f"checked by `{requirement.check.__name__}` in [{file}]({file})"]
    lines = [f"### {requirement.name}", "", requirement.statement, "", f"*Why:* {requirement.why}", "",
             f"*{'; '.join(facts[:-1])}; {facts[-1]}.*"]
    needs = _needs(requirement.cases)
    lines += ["", f"*Needs:* {needs}."] if needs else []
    cases = _cases(requirement.cases)
    if not cases:
        return lines
    return [*lines, "", f"*Cases ({len(requirement.cases)}):*{'' if cases.startswith(chr(10)) else ' '}{cases}"]


def _needs(cases: Sequence[Case]) -> str:
    """The needs of the cases: those that follow from their names are summarized, the rest is listed."""
    named, others = set(), set()
    for case in cases:
        parts = [part.strip() for part in case.name.split(",")]
        for need in case.needs:
            kind, _, value = need.partition(":")
            if value in parts:
                named.add(kind)
            else:
                others.add(f"`{need}`")
        if case.processes > 1:
            others.add("jobs of several processes")
    words = {"dtype": "the element type", "operation": "the operation"}
    listed = [f"{' and '.join(words.get(kind, kind) for kind in sorted(named))} in the case's name"] if named else []
    some = "" if len(cases) == 1 else "some: "
    return "; ".join([*listed, *([some + ", ".join(sorted(others))] if others else [])])


def _cases(cases: Sequence[Case]) -> str:
    names = [case.name for case in cases if case.name]
    if len(names) <= _FEW:
        return ", ".join(f"`{name}`" for name in names) + "." * bool(names)
    groups: dict[str, list[str]] = {}
    for name in names:
        first, _, rest = name.partition(",")
        groups.setdefault(first, []).append(rest.strip())
    if not all(all(rests) for rests in groups.values()):
        return ", ".join(f"`{name}`" for name in names) + "."
    between = "; " if any("," in rest for rests in groups.values() for rest in rests) else ", "
    return "".join(f"\n- `{first}`: {between.join(rests)}" for first, rests in groups.items())


def _declarations(needs: frozenset[str], more: bool) -> list[str]:
    """The capabilities that a profile requires, in a paragraph for each kind."""
    if not needs:
        return ["Nothing more has to be declared."]
    kinds: dict[str, list[str]] = {}
    for need in sorted(needs):
        kind, _, name = need.partition(":")
        kinds.setdefault(kind, []).append(f"`{name}`" if name else "")
    titles = {"dtype": "element types ", "operation": "operations ", "multi_process": "`multi_process`"}
    listed = [f"{titles.get(kind, f'`{kind}` ')}{', '.join(names)}" for kind, names in kinds.items()]
    return [f"Has to be declared{' besides' if more else ''}: {'; '.join(listed)}."]
