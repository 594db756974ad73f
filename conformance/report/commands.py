# SPDX-License-Identifier: Apache-2.0
"""The commands about reports, lists and pages: verify, certificate, compare, spec, mustpass, table, schema."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import mustpass, specification, table
from .certificate import certificate
from .compare import compare
from .schema import json_schema, load
from .suite import installed
from .verify import list_problems, verify
from .words import RULING_SIGNS, headline
from .write import write

Command = Callable[[argparse.Namespace], int]


def add_commands(subparsers: Any) -> None:
    """Adds the commands; each parser's default `run` is a function of the parsed arguments to an exit status.

    Args:
        subparsers: The result of `argparse.ArgumentParser.add_subparsers`.
    """
    parser = _add(subparsers, "verify", _verify, "check that reports are what a run wrote; merge fractions")
    parser.add_argument("reports", nargs="+", type=Path, metavar="report.json")
    parser.add_argument("--output", type=Path, metavar="DIR", help="write the report, merged from fractions, there")
    parser = _add(subparsers, "certificate", _certificate, "a vendor's page, made of a report that is verified first")
    parser.add_argument("report", type=Path, metavar="report.json")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--output", type=Path, metavar="FILE", help="where to write it (default: beside the report)")
    choice.add_argument("--check", type=Path, metavar="FILE", help="exit with 1 unless this page is made of the report")
    parser = _add(subparsers, "compare", _compare, "what changed between two reports")
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    _add_writing(_add(subparsers, "spec", _spec, "SPEC.md and PROFILES.md, made from the requirements"))
    _add_writing(_add(subparsers, "mustpass", _mustpass, "the lists of what must pass, made from the requirements"))
    parser = _add(subparsers, "table", _table, "the table of platforms, made from submitted reports")
    parser.add_argument("--reports", type=Path, default=Path("docs/reports"), metavar="DIR")
    parser.add_argument("--page", type=Path, default=Path("docs/platforms.md"), metavar="FILE")
    _add_writing(parser)
    parser = _add(subparsers, "schema", _schema, "the JSON schema of report.json")
    parser.add_argument("--output", type=Path, metavar="FILE", help="where to write it; printed when not given")


def _add(subparsers: Any, name: str, command: Command, says: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser(name, help=says, description=f"{says}.")
    parser.set_defaults(run=command)
    return parser


def _add_writing(parser: argparse.ArgumentParser) -> None:
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--check", action="store_true", help="exit with 1 where the files are out of date")
    choice.add_argument("--write", action="store_true", help="write the files")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _verify(arguments: argparse.Namespace) -> int:
    reports = {str(path): load(path) for path in arguments.reports}
    suite = installed()
    found = verify(reports, suite)
    for name, report in found.reports.items():
        _say(f"{name}: platform {report.facts.platform} {headline(report)}")
        for profile, verdict in report.verdicts.items():
            _say(f"  {profile:<8} {RULING_SIGNS[verdict.ruling]} {verdict.ruling}: {verdict.held} of {verdict.listed} "
                 f"held, {verdict.failed} failed, {verdict.missing} missing, {verdict.warnings} warnings, "
                 f"{verdict.waived} waived")
    for note in found.notes:
        _say(f"note: {note}")
    for problem in found.problems:
        _say(f"rejected: {problem}")
    if arguments.output is not None and len(found.reports) == 1 and not found.problems:
        for path in write(next(iter(found.reports.values())), arguments.output, suite):
            _say(f"wrote {path}")
    _say("verified" if found.ok else "not verified")
    return 0 if found.ok else 1


def _certificate(arguments: argparse.Namespace) -> int:
    text = certificate(str(arguments.report), load(arguments.report), installed())
    if arguments.check is not None:
        same = arguments.check.exists() and arguments.check.read_text("utf-8") == text
        _say(f"{arguments.check} {'is' if same else 'is not'} the page of {arguments.report}")
        return 0 if same else 1
    path = arguments.output or arguments.report.with_name("certificate.html")
    path.write_text(text, "utf-8")
    _say(f"wrote {path}")
    return 0


def _compare(arguments: argparse.Namespace) -> int:
    changed = compare(load(arguments.before), load(arguments.after))
    for title, ids in (
        ("fails now", changed.broken), ("not supported or not run any more", changed.lost),
        ("does not fail any more", changed.mended), ("supported now", changed.supported), ("new", changed.added),
    ):
        _say(f"{title}: {len(ids)}")
        for identifier in ids:
            _say(f"  {identifier}")
    _say(f"slower: {len(changed.slower)}")
    for identifier, before, after in changed.slower:
        _say(f"  {identifier}: {before:.2f} s before, {after:.2f} s now")
    return 1 if changed.is_worse else 0


def _spec(arguments: argparse.Namespace) -> int:
    if arguments.write:
        for path in specification.write(installed()):
            _say(f"wrote {path}")
        return 0
    names = specification.outdated(installed())
    for name in names:
        _say(f"{name} is out of date: run olympus-conformance spec --write")
    return 1 if names else 0


def _mustpass(arguments: argparse.Namespace) -> int:
    suite = installed()
    changes = list_problems(suite)
    for change in changes:
        _say(change)
    if arguments.write:
        for path in mustpass.write(mustpass.expected(suite.tests.values(), suite.version), suite.version):
            _say(f"wrote {path}")
        return 0
    if changes:
        _say("the lists differ from the suite: review the changes and run olympus-conformance mustpass --write")
    return 1 if changes else 0


def _table(arguments: argparse.Namespace) -> int:
    suite, page = installed(), arguments.page
    reports = table.read(arguments.reports)
    problems = table.problems(reports, suite)
    for problem in problems:
        _say(f"rejected: {problem}")
    if problems:
        return 1
    folder, submitting = (
        Path(os.path.relpath(target, page.resolve().parent)).as_posix()
        for target in (arguments.reports.resolve(), specification.FOLDER / "SUBMITTING.md"))
    text = table.table(reports, suite, folder, submitting)
    if arguments.write:
        page.write_text(text, "utf-8")
        _say(f"wrote {page}")
        return 0
    fresh = page.exists() and page.read_text("utf-8") == text
    if not fresh:
        _say(f"{page} is out of date: run olympus-conformance table --write")
    return 0 if fresh else 1


def _schema(arguments: argparse.Namespace) -> int:
    text = json.dumps(json_schema(), indent=2)
    if arguments.output is None:
        _say(text)
    else:
        arguments.output.write_text(f"{text}\n", "utf-8")
        _say(f"wrote {arguments.output}")
    return 0
