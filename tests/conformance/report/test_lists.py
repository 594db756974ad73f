# SPDX-License-Identifier: Apache-2.0
"""The files that are checked in are what the real suite says: run the commands that these tests name to renew them."""

from __future__ import annotations

from pathlib import Path

from olympus_conformance.report import installed, specification, table
from olympus_conformance.report.mustpass import FOLDER
from olympus_conformance.report.verify import list_problems

ROOT = Path(__file__).parents[3]


def test_mustpass_lists_are_those_of_the_suite():
    """Renew with `olympus-conformance mustpass --write`, and review what changes."""
    assert list_problems(installed()) == []


def test_lists_are_sorted_and_hold_each_id_once():
    for version, lists in installed().lists.items():
        ids = [identifier for held in lists.values() for identifier in held]
        assert ids and len(ids) == len(set(ids)), version
    for path in FOLDER.glob("*/*.txt"):
        lines = path.read_text("utf-8").splitlines()
        assert lines == sorted(lines) and all(lines), path


def test_the_specification_is_that_of_the_suite():
    """Renew with `olympus-conformance spec --write`."""
    assert specification.outdated(installed()) == []


def test_every_version_of_the_suite_has_lists():
    assert installed().version in installed().lists


def test_submitted_reports_are_good_and_the_table_lists_them():
    """Renew with `olympus-conformance table --write`."""
    reports = table.read(ROOT / "docs" / "reports")
    assert table.problems(reports, installed()) == []
    if reports:
        text = table.table(reports, installed(), "reports", "../conformance/SUBMITTING.md")
        assert (ROOT / "docs" / "platforms.md").read_text("utf-8") == text
