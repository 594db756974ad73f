# SPDX-License-Identifier: Apache-2.0
"""`make check`, the pre-commit file and hosted CI run the same commands."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]


def checks_of_make() -> list[str]:
    """The commands of `make check`."""
    rule = re.search(r"^check:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert rule is not None
    text = rule[1].replace("$(RUN)", ".venv/bin/python").replace("$(VENV)", ".venv")
    return [line.strip() for line in text.splitlines()]


def test_a_commit_is_checked_as_make_checks() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    # ruff is given the files of the commit.
    assert [hook["entry"] for hook in hooks] == [command.removesuffix(" .") for command in checks_of_make()]


def test_hosted_ci_checks_by_make() -> None:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())["jobs"]
    assert {"run": "make check LOCK=tools/lock/linux-3.12.txt"} in jobs["check"]["steps"]


def test_hosted_ci_builds_the_site() -> None:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())["jobs"]
    assert {"run": "make site"} in jobs["site"]["steps"]
