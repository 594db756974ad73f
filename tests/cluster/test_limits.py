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
    rows, defaults = _rows(), {option.name: option.default for option in OPTIONS}
    limits = {field.name: field.default for field in fields(ClusterSettings) if field.name.endswith("_timeout")}
    assert set(rows) - {"argument `initialization_timeout"} == {f"olympus_{name}" for name in limits}
    for name, default in limits.items():
        assert defaults[f"olympus_{name}"] == default, name
        assert rows[f"olympus_{name}"] == f"{default:g} s", name


def test_the_join_s_limit_and_the_warnings_are_the_table_s() -> None:
    given = inspect.signature(olympus.distributed.initialize).parameters["initialization_timeout"].default
    assert _rows()["argument `initialization_timeout"] == f"{given} s"
    first, *others, last = (f"{seconds:g} s" for seconds in ClusterSettings().warning_times)
    assert f"warnings at {first}, {', '.join(others)} and {last}" in _PAGE.read_text()


def test_settings_come_from_the_options() -> None:
    assert ClusterSettings.from_config() == ClusterSettings()
