# SPDX-License-Identifier: Apache-2.0
"""`docs/documents.md` lists what the tests run."""

from __future__ import annotations

import pytest

from .catalogue import JOBS, PROGRAMS, TEXTS, TITLES
from .table import PATH, render


def test_table_is_up_to_date(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--write-documents-table"):
        pytest.skip("this run writes it")
    # Every program has a test that fails unless it runs as printed.
    states = {key: program.pending or "runs" for key, program in PROGRAMS.items()}
    assert PATH.read_text() == render(states)


def test_table_says_what_fails() -> None:
    states = dict.fromkeys(PROGRAMS, "runs") | {("000", "toy"): "fails"}
    page = render(states)
    assert "| Toy example | `toy` | 1 x 8, 4 x 2 | fails |" in page
    assert f"{len(PROGRAMS) - 1} of {len(PROGRAMS)} programs run." in page


def test_catalogue() -> None:
    assert {document for document, _ in PROGRAMS} == set(TITLES) == {job.document for job in JOBS}
    for text in TEXTS:
        file, _, name = text.test.partition("::")
        assert f"def {name}(" in (PATH.parents[1] / file).read_text()
