# SPDX-License-Identifier: Apache-2.0
"""The table of limits in docs/limits.md says what the options and the settings say."""

from __future__ import annotations

import inspect
from dataclasses import fields
from pathlib import Path

import olympus
from olympus_core.cluster.settings import ClusterSettings
from olympus_core.config import OPTIONS

_PAGE = Path(__file__).resolve().parents[2] / "docs" / "limits.md"


def _rows() -> dict[str, str]:
    """The default of each option that the table names."""
    lines = [line for line in _PAGE.read_text().splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]
    return {row[3].strip("`"): row[4] for row in cells if row[3]}


def test_every_limit_of_a_job_stands_in_the_table_with_its_default() -> None:
    rows = {name: default for name, default in _rows().items() if name.startswith("olympus_")}
    limits = {option.name: option.default for option in OPTIONS if option.name.endswith("_timeout")}
    assert rows == {name: f"{default:g} s" for name, default in limits.items()}
    settings = {f"olympus_{f.name}": f.default for f in fields(ClusterSettings) if f.name.endswith("_timeout")}
    assert settings == {name: limits[name] for name in settings}


def test_the_join_s_limit_and_the_warnings_are_the_table_s() -> None:
    given = inspect.signature(olympus.distributed.initialize).parameters["initialization_timeout"].default
    assert _rows()["argument `initialization_timeout"] == f"{given} s"
    first, *others, last = (f"{seconds:g} s" for seconds in ClusterSettings().warning_times)
    assert f"warnings at {first}, {', '.join(others)} and {last}" in _PAGE.read_text()


def test_settings_come_from_the_options() -> None:
    assert ClusterSettings.from_config() == ClusterSettings()
