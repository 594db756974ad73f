# SPDX-License-Identifier: Apache-2.0
"""A report as one self-contained HTML page, without network access or other files, readable without its script."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from html import escape
from itertools import groupby
from pathlib import Path

from ..outcome import Status
from ..profiles import PURPOSE
from ..requirement import PROFILES
from .badge import badge_svg
from .matrix import Matrix, matrices, worst
from .schema import Report, Result, Verdict
from .suite import Suite
from .words import RULING_SIGNS, SIGNS, clipped, headline, problems, requirement_of, rerun, split

_MOST_FAILURES, _MOST_SLOWEST = 120, 20
_MOST_CHARACTERS = 6_000  # of a program or a traceback
_CLASSES = {
    Status.PASS: "p", Status.FAIL: "f", Status.NOT_SUPPORTED: "n", Status.WAIVED: "w", Status.WARNING: "a",
    Status.ERROR: "e", Status.TIMEOUT: "t",
}
_NAMED = re.compile("`([^`]+)`")
_BAD = (Status.FAIL, Status.ERROR, Status.TIMEOUT)


@cache
def beside(name: str) -> str:
    """The text of a file of this folder."""
    return (Path(__file__).parent / name).read_text("utf-8")


def page(report: Report, suite: Suite) -> str:
    """The report as HTML; statements come from the suite."""
    title = f"Conformance of platform {report.facts.platform}"
    failed = problems(report, *_BAD)
    tables = matrices(report.results)
    sections = [
        ("failures", f"Failures ({len(failed)})", _failures(report, failed, suite)),
        *((f"matrix-{i}", table.title, _matrix(table)) for i, table in enumerate(tables)),
        ("warnings", "Warnings and waivers", _warnings(report)),
        ("tests", f"All tests ({len(report.results)})", _tests(report, suite)),
        ("slowest", "Slowest tests", _slowest(report)),
    ]
    shown = [section for section in sections if section[2]]
    links = "".join(f'<a href="#{name}">{escape(heading)}</a>' for name, heading, _ in shown)
    body = "\n".join(
        f'<section id="{name}"><h2>{escape(heading)}</h2>\n{text}</section>' for name, heading, text in shown)
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>{escape(title)}: {escape(headline(report))}</title>
<style>
{beside("page.css")}</style></head><body>
<header><h1>{escape(title)}</h1><p class="badge">{badge_svg(report)}</p>
{_verdict(report)}<nav>{links}</nav></header>
<main>
{body}
</main>
<footer>Made by olympus-conformance {escape(report.facts.suite_version)} from report.json,
digest <code>{report.digest[:16]}</code>.</footer>
<output id="told" aria-live="polite" hidden></output>
<script>
{beside("page.js")}</script></body></html>
"""


def _verdict(report: Report) -> str:
    """The headline, a bar for each profile, and what keeps the report from being submitted."""
    asked = report.verdicts[report.facts.profile].ruling
    facts = report.facts
    said = f'<p class="headline {asked}">{RULING_SIGNS[asked]} <b>{escape(headline(report))}</b></p>'
    about = ", ".join(filter(None, (
        f"{facts.distribution} {facts.distribution_version}".strip(), f"{len(facts.devices)} x "
        f"{' and '.join(facts.device_kinds)}", f"suite {facts.suite_version}", f"{facts.started:%Y-%m-%d}",
        f"{facts.seconds:.0f} s")))
    rows = "".join(_bar(profile, report.verdicts[profile]) for profile in PROFILES)
    reasons = "".join(f"<li>{escape(reason)}</li>" for reason in report.obstacles)
    note = f'<div class="note">Not submittable:<ul>{reasons}</ul></div>' if reasons else ""
    return f'{said}<p class="about">{escape(about)}</p>\n<div class="bars">{rows}</div>{note}\n{_facts(report)}'


def _bar(profile: str, verdict: Verdict) -> str:
    clean = verdict.held - verdict.not_supported - verdict.skipped - verdict.warnings - verdict.waived
    parts = (
        ("p", clean, "passed"), ("n", verdict.not_supported, "not supported"), ("s", verdict.skipped, "skipped"),
        ("a", verdict.warnings, "warnings"), ("w", verdict.waived, "waived"), ("f", verdict.failed, "failed"),
        ("m", verdict.missing, "missing"),
    )
    segments = "".join(
        f'<i class="{kind}" style="flex-grow:{count}" title="{count} {name}"></i>'
        for kind, count, name in parts if count)
    told = ", ".join(f"{count} {name}" for _, count, name in parts if count) or "no tests listed"
    return (
        f'<div class="bar {verdict.ruling}"><b>{profile}</b><span class="ruling">{RULING_SIGNS[verdict.ruling]} '
        f'{verdict.ruling}</span><span class="track" role="img" aria-label="{told}">{segments}</span>'
        f'<small>{verdict.held} of {verdict.listed}: {told}</small><small class="purpose">{escape(PURPOSE[profile])}'
        "</small></div>\n")


def _failures(report: Report, failed: list[Result], suite: Suite) -> str:
    """The failures by requirement: its statement, then each case that fails."""
    if not failed:
        return "<p>None.</p>"
    groups: dict[str, list[tuple[int, Result]]] = {}
    for number, result in enumerate(failed[:_MOST_FAILURES]):
        groups.setdefault(requirement_of(result.id), []).append((number, result))
    texts = [_failed_requirement(report, name, held, suite) for name, held in groups.items()]
    rest = Counter(requirement_of(result.id) for result in failed[_MOST_FAILURES:])
    if rest:
        held = "".join(f"<li><code>{escape(name)}</code>: {count}</li>" for name, count in sorted(rest.items()))
        texts.append(f"<p>And {rest.total()} more, all in report.json:</p><ul>{held}</ul>")
    return "".join(texts)


def _failed_requirement(report: Report, name: str, held: list[tuple[int, Result]], suite: Suite) -> str:
    test = suite.tests.get(held[0][1].id)
    says = ""
    if test is not None:
        requirement = test.requirement
        says = f'<p class="statement">{_prose(requirement.statement)}</p><p class="why">{_prose(requirement.why)}</p>'
    cases = "".join(
        _failure(report, result, number, opened=number == held[0][0]) for number, result in held)
    return f"<article><h3><code>{escape(name)}</code> <small>{len(held)} failed</small></h3>{says}{cases}</article>\n"


def _failure(report: Report, result: Result, number: int, *, opened: bool) -> str:
    said = "".join(
        f"<dt>{name}</dt><dd>{escape(text)}</dd>"
        for name, text in (("observed", result.observed), ("required", result.required), ("reason", result.reason))
        if text)
    texts = "".join(
        f"<details><summary>{name}</summary><pre>{escape(clipped(text, _MOST_CHARACTERS))}</pre></details>"
        for name, text in (("The program", result.program), ("The trace", result.trace)) if text)
    return (
        f'<details class="case" id="f{number}"{" open" * opened}><summary>{_sign(result.status)} '
        f"<code>{escape(result.id)}</code> <small>{result.status.value}, {result.seconds:.2f} s</small></summary>"
        f'<dl>{said}</dl>{texts}<pre class="command">{escape(rerun(report, result.id))}</pre></details>\n')


def _matrix(table: Matrix) -> str:
    groups = [(group, len(list(held))) for group, held in groupby(table.columns, key=lambda column: column[0])]
    wide = "".join(f'<th colspan="{count}" scope="colgroup">{escape(group)}</th>' for group, count in groups)
    above = f"<tr><th></th>{wide}</tr>" if any(group for group, _ in groups) else ""
    names = "".join(f'<th scope="col"><span>{escape(name)}</span></th>' for _, name in table.columns)
    sums = Counter(worst(held) for held in table.cells.values())
    legend = "".join(f"<span>{_sign(status)} {count} {status.value}</span>" for status, count in sums.most_common())
    rows = []
    for row in table.rows:
        cells = "".join(_cell(table.cells.get((row, column), ())) for column in table.columns)
        rows.append(f'<tr><th scope="row">{escape(row)}</th>{cells}</tr>')
    upright = ' class="upright"' if not above else ""
    head, body = f"{above}<tr{upright}><th>{'processes' if above else ''}</th>{names}</tr>", "\n".join(rows)
    return (
        f'<p class="legend">{legend}</p><div class="scroll"><table class="matrix"><thead>{head}</thead>'
        f"<tbody>\n{body}\n</tbody></table></div>\n")


def _cell(results: Iterable[Result]) -> str:
    held = list(results)
    if not held:
        return "<td></td>"
    status = worst(held)
    told = "\n".join(_told(result) for result in held)
    return f'<td class="{_CLASSES[status]}" title="{escape(told)}">{SIGNS[status]}</td>'


def _told(result: Result) -> str:
    """A result as one line."""
    said = result.reason or result.observed
    return f"{result.id}: {result.status.value}" + (f", {clipped(said, 200)}" if said else "")


def _warnings(report: Report) -> str:
    found = problems(report, Status.WARNING, Status.WAIVED)
    lines = "".join(
        f"<li>{_sign(r.status)} <code>{escape(r.id)}</code>: {escape(clipped(r.reason or r.observed, 400))}"
        + (f" <small>Recommended: {escape(r.required)}</small>" if r.required else "") + "</li>"
        for r in found)
    text = f"<ul class='plain'>{lines}</ul>" if lines else ""
    if report.facts.waivers:
        rows = "".join(
            f"<tr><td><code>{escape(w.pattern)}</code></td><td>{escape(w.versions) or 'all'}</td><td>{w.expires}</td>"
            f"<td>{len(w.matched)}</td><td>{escape(w.reason)}<br>{link(w.link)}</td>"
            f"<td>{escape(w.problem) or '–'}</td></tr>"
            for w in report.facts.waivers)
        text += ("<div class='scroll'><table><thead><tr><th>waiver</th><th>versions</th><th>until</th><th>results</th>"
                 f"<th>why</th><th>problem</th></tr></thead><tbody>{rows}</tbody></table></div>")
    return text


def link(address: str) -> str:
    """A link to a web address; any other text stays text."""
    if not address.startswith(("https://", "http://")):
        return escape(address)
    return f'<a href="{escape(address)}" rel="noreferrer">{escape(address)}</a>'


def _tests(report: Report, suite: Suite) -> str:
    """All results by requirement, with controls that filter them."""
    counts = [(status, report.counts.get(status.value, 0)) for status in Status]
    buttons = "".join(
        f'<label><input type="checkbox" value="{_CLASSES[status]}" checked>{_sign(status)} {status.value} {count}'
        "</label>"
        for status, count in counts if count)
    anchors = {result.id: i for i, result in enumerate(problems(report, *_BAD)[:_MOST_FAILURES])}
    groups = []
    for area, held in groupby(report.results, key=lambda result: split(result.id)[0]):
        lines = [_requirement(name, list(each), suite, anchors)
                 for name, each in groupby(held, key=lambda result: requirement_of(result.id))]
        groups.append(f"<h3>{escape(area)}</h3>\n{''.join(lines)}")
    return (
        '<form class="filter"><input type="search" placeholder="Find ids and statements" aria-label="Find tests">'
        f'{buttons}<span id="shown"></span></form>\n{"".join(groups)}')


def _requirement(name: str, results: list[Result], suite: Suite, anchors: dict[str, int]) -> str:
    test = suite.tests.get(results[0].id)
    profile, statement = (test.requirement.profile, test.requirement.statement) if test is not None else ("", "")
    sums = Counter(result.status for result in results)
    told = " ".join(f"{_sign(status)}{sums[status]}" for status in Status if sums[status])
    chips = "".join(_chip(result, anchors) for result in results)
    opened = " open" if any(result.is_bad for result in results) else ""
    return (
        f'<details class="req"{opened}><summary><code>{escape(name)}</code> <small>{profile}</small> '
        f'<span class="sums">{told}</span><br><span class="says">{_prose(statement)}</span></summary>'
        f'<div class="chips">{chips}</div></details>\n')


def _chip(result: Result, anchors: dict[str, int]) -> str:
    case = result.id.partition("[")[2].removesuffix("]") or "its one case"
    said = clipped(result.reason or result.observed, 200)
    title = f' title="{escape(said)}"' if said else ""
    inner = f"{SIGNS[result.status]} {escape(case)}"
    kind = _CLASSES[result.status]
    if result.id in anchors:
        return f'<a class="{kind}" href="#f{anchors[result.id]}"{title}>{inner}</a> '
    return f'<b class="{kind}"{title}>{inner}</b> '


def _slowest(report: Report) -> str:
    ordered = sorted(report.results, key=lambda result: -result.seconds)[:_MOST_SLOWEST]
    rows = "".join(
        f'<tr><td class="number">{r.seconds:.2f} s</td><td>{_sign(r.status)} <code>{escape(r.id)}</code></td></tr>'
        for r in ordered)
    return f'<div class="scroll"><table><tbody>{rows}</tbody></table></div>\n'


def _facts(report: Report) -> str:
    rows = "".join(f'<tr><th scope="row">{escape(a)}</th><td>{escape(b)}</td></tr>' for a, b in report.facts.rows())
    table = f'<table class="facts"><tbody>{rows}</tbody></table>'
    return f'<details class="run"><summary>The run</summary>{table}</details>\n'


def _prose(text: str) -> str:
    """A sentence with names in backquotes."""
    return _NAMED.sub(r"<code>\1</code>", escape(text))


def _sign(status: Status) -> str:
    return f'<b class="s {_CLASSES[status]}" title="{status.value}">{SIGNS[status]}</b>'
