# SPDX-License-Identifier: Apache-2.0
"""A vendor's page of conformance, made of a verified report: what passes, on what, until when, and how to check it."""

from __future__ import annotations

from datetime import date, datetime, timezone
from html import escape

from ..profiles import PURPOSE
from ..requirement import PROFILES
from .badge import badge_svg
from .errors import NotCertifiableError
from .html import beside, link
from .schema import Report
from .suite import Suite
from .verify import RENEWAL, verify


def certificate(name: str, report: Report, suite: Suite, today: date | None = None) -> str:
    """The page as HTML: one file without any reference to another one, the same for the same report.

    Args:
        name: What messages call the report.
        report: The report.
        suite: What it is verified by.
        today: The day on which waivers must still count; the present one when None.

    Raises:
        NotCertifiableError: Verification finds something against it, it cannot be submitted, or it does not pass the
            profile that it was run for.
    """
    today = today or datetime.now(timezone.utc).date()
    found, facts = verify({name: report}, suite, today), report.facts
    until = facts.started + RENEWAL
    reasons = list(found.problems)
    if facts.fraction is not None:
        reasons.append(f"{name}: it is a fraction: merge all of them with `olympus-conformance verify --output`")
    if until.date() < today:
        reasons.append(f"{name}: it was made on {facts.started:%Y-%m-%d} and is due for renewal")
    if reasons or not found.ok:
        raise NotCertifiableError(name, tuple(reasons or found.notes))
    title = f"Platform {facts.platform} conforms to contract {facts.contract_version} of olympus: {report.highest}"
    held = PROFILES[: PROFILES.index(facts.profile) + 1]
    sections = "".join(f"<section><h2>{heading}</h2>{text}</section>\n" for heading, text in (
        ("What passes", _profiles(report, held)), ("What it was run on", _rows(_facts(report))),
        ("What is waived", _waivers(report)), ("What is not supported", _undeclared(report)),
        ("How to check this page", _checking(report)),
    ))
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>{escape(title)}</title>
<style>
{beside("page.css")}</style></head><body>
<header><h1>{escape(title)}</h1><p class="badge">{badge_svg(report)}</p>
<p class="headline pass">passes profile <b>{escape(report.highest or facts.profile)}</b>, good until \
{until:%Y-%m-%d}</p>
<p class="about">Self-certified: the vendor has run the suite, and everybody with the hardware can run it again.</p>
</header>
<main>
{sections}</main>
<footer>Made by olympus-conformance {escape(facts.suite_version)} from a report with digest
<code>{report.digest}</code>.</footer>
</body></html>
"""


def _profiles(report: Report, held: tuple[str, ...]) -> str:
    rows = ""
    for profile in held:
        v = report.verdicts[profile]
        counts = (f"{v.held} of {v.listed}", v.not_supported, v.skipped, v.warnings, v.waived)
        cells = "".join(f"<td class='number'>{count}</td>" for count in counts)
        rows += f"<tr><th scope='row'>{profile}</th><td>{escape(PURPOSE[profile])}</td>{cells}</tr>"
    return _table(("profile", "for", "tests held", "not supported", "skipped", "warnings", "waived"), rows)


def _table(heads: tuple[str, ...], rows: str) -> str:
    head = "".join(f"<th>{name}</th>" for name in heads)
    return f"<div class='scroll'><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"


def _facts(report: Report) -> list[tuple[str, str]]:
    return [row for row in report.facts.rows() if row[0] not in ("Asked for", "Checkout")]


def _rows(rows: list[tuple[str, str]]) -> str:
    held = "".join(f"<tr><th scope='row'>{escape(label)}</th><td>{escape(text)}</td></tr>" for label, text in rows)
    return f"<table class='facts'><tbody>{held}</tbody></table>"


def _waivers(report: Report) -> str:
    rows = "".join(
        f"<tr><td>{'<br>'.join(f'<code>{escape(i)}</code>' for i in w.matched)}</td><td>{escape(w.reason)}</td>"
        f"<td>{link(w.link)}</td><td>{w.expires}</td></tr>"
        for w in report.facts.waivers if w.matched)
    if not rows:
        return "<p>Nothing: no failure was waived.</p>"
    return ("<p>These tests fail, and the vendor says why and until when.</p>"
            + _table(("tests", "why", "tracked at", "until"), rows))


def _undeclared(report: Report) -> str:
    """What the platform's own declaration leaves out, as the results' reasons have it."""
    reasons: dict[str, int] = {}
    for result in report.results:
        if result.status.value == "not supported":
            reasons[result.reason] = reasons.get(result.reason, 0) + 1
    if not reasons:
        return "<p>Nothing: every test was run.</p>"
    lines = "".join(f"<li>{escape(reason)}: {count} tests</li>" for reason, count in sorted(reasons.items()))
    return f"<ul>{lines}</ul>"


def _checking(report: Report) -> str:
    lists = "".join(
        f"<tr><th scope='row'>mustpass list {escape(profile)}</th><td><code>{escape(digest)}</code></td></tr>"
        for profile, digest in report.mustpass.items())
    run = f"olympus-conformance run --platform {report.facts.platform} --profile {report.facts.profile}"
    return (
        "<p>The report that this page was made of is a file, report.json, that the vendor publishes beside it. These "
        "commands verify the report, and that this page says what the report does:</p>"
        "<pre>olympus-conformance verify report.json\n"
        "olympus-conformance certificate report.json --check certificate.html</pre>"
        f"<p>And this one repeats the run on the hardware:</p><pre>{escape(run)}</pre>"
        f"<table class='facts'><tbody><tr><th scope='row'>report</th><td><code>{report.digest}</code></td></tr>{lists}"
        "</tbody></table>")
