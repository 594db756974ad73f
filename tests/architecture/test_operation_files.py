# SPDX-License-Identifier: Apache-2.0
"""`python -m tools.operation`: where operations' names stand, and in how many files of the product."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tools.operation.occurrences import ROOT, Occurrences, occurrences


def by_role(name: str) -> dict[str, list[Occurrences]]:
    found: dict[str, list[Occurrences]] = {}
    for place in occurrences(name):
        found.setdefault(place.role, []).append(place)
    return found


@pytest.mark.parametrize(("name", "record", "rules", "limit"), [
    ("erf_inv", "olympus_core/ops/unary.py", "olympus/transforms/rules/elementwise.py", 10),
    ("top_k", "olympus_core/ops/cumulative.py", "olympus/transforms/rules/reduce.py", 13),
])
def test_an_operation_is_one_record_and_few_files(name: str, record: str, rules: str, limit: int) -> None:
    found = by_role(name)
    assert record in [place.path for place in found["record"]]
    assert [place.path for place in found["rules"]] == [rules]
    assert {"language", "platform", "generated", "tests"} <= set(found)
    assert sum(place.is_product for places in found.values() for place in places) <= limit


def test_names_are_words_of_the_code() -> None:
    lines = {place.path: place.lines for place in occurrences("while")}
    text = (ROOT / "olympus/transforms/rules/loops.py").read_text().splitlines()
    assert [i for i, line in enumerate(text, 1) if "ops.while_" in line] == list(
        lines["olympus/transforms/rules/loops.py"])
    assert "olympus/tracing/scopes.py" not in lines  # Python's own statement, in docstrings and code


def test_the_command() -> None:
    def run(name: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "tools.operation", name], cwd=ROOT, capture_output=True, text=True,
                              check=False)

    done = run("erf_inv")
    assert done.returncode == 0 and "olympus_core/ops/unary.py" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("erf_inv stands in ")
    refused = run("erfinv")
    assert refused.returncode == 1 and "no operation 'erfinv'" in refused.stderr
