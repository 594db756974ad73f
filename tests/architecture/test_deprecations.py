# SPDX-License-Identifier: Apache-2.0
"""Deprecations: a warning at the user's line, a release of time, a row on the page, and an end."""

from __future__ import annotations

import re
import warnings

import pytest

from olympus import deprecations
from olympus.deprecations import DEPRECATIONS, Deprecation, deprecated, warn_deprecated
from olympus_core.errors import OlympusDeprecationWarning

from .source import ROOT

ROW = Deprecation("olympus.old", "use olympus.new", "0.2", "0.4")


def _release(text: str) -> tuple[int, int]:
    found = re.match(r"(\d+)\.(\d+)", text)
    assert found
    return int(found[1]), int(found[2])


def _check(rows: tuple[Deprecation, ...], version: str, page: str) -> None:
    assert len({row.name for row in rows}) == len(rows)
    for row in rows:
        assert _release(row.since) < _release(row.removed), f"{row.name}: no release of warning"
        assert _release(version) < _release(row.removed), f"{row.name} should be gone in {row.removed}: remove it"
        line = f"| `{row.name}` | {row.since} | {row.removed} | {row.instead} |"
        assert line in page, f"docs/releases.md lacks {line}"
    assert ("Nothing is deprecated now." in page) is not bool(rows)


def test_what_is_deprecated_is_told_and_goes_in_time() -> None:
    (version,) = re.findall(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    _check(DEPRECATIONS, version, (ROOT / "docs" / "releases.md").read_text())


def test_what_stays_too_long_is_found() -> None:
    page = "| `olympus.old` | 0.2 | 0.4 | use olympus.new |"
    _check((ROW,), "0.3.1", page)
    for version, rows, text in (("0.4.0", (ROW,), page), ("0.3.0", (ROW,), ""), ("0.3.0", (ROW, ROW), page),
                                ("0.1.0", (ROW._replace(removed="0.2"),), page)):
        with pytest.raises(AssertionError):
            _check(rows, version, text)


def test_the_warning_stands_at_the_user_s_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deprecations, "DEPRECATIONS", (ROW,))

    @deprecated("olympus.old")
    def old(x: int, *, more: int = 0) -> int:
        """Adds."""
        return x + more

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert old(1, more=2) == 3 and old.__name__ == "old" and old.__doc__ == "Adds."
    (warning,) = told
    assert warning.filename == __file__ and isinstance(warning.message, OlympusDeprecationWarning)
    assert str(warning.message) == "olympus.old is deprecated since olympus 0.2 and is gone in 0.4: use olympus.new."
    assert issubclass(OlympusDeprecationWarning, DeprecationWarning)


def test_only_what_is_in_the_table_can_be_told() -> None:
    with pytest.raises(KeyError):
        warn_deprecated("olympus.nothing")
