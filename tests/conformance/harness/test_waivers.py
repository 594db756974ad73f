# SPDX-License-Identifier: Apache-2.0
"""Waivers: what they cover, when they count, and what is said of useless ones."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from olympus_conformance.harness.errors import WaiverError
from olympus_conformance.outcome import Outcome, Status
from olympus_conformance.waivers import Waiver, Waivers, covers, read

TODAY = date(2026, 5, 1)
IDS = ["a/one[x]", "a/one[y]", "b/two"]


def waiver(**fields) -> Waiver:
    entry = {"id": "a/*", "link": "https://example.com/1", "reason": "known", "expires": "2026-06-01"}
    return Waiver(**{**entry, **fields})


def applied(entry: Waiver, outcomes: list[Outcome], version: str = "1.2"):
    waivers = Waivers([entry], version, TODAY)
    final = [waivers.apply(outcome) for outcome in outcomes]
    return final, waivers.uses(IDS, final)[0]


@pytest.mark.parametrize("status", [Status.FAIL, Status.ERROR, Status.TIMEOUT])
def test_what_is_bad_is_waived_and_keeps_what_it_was(status: Status) -> None:
    (one, two), use = applied(waiver(), [Outcome("a/one[x]", status, reason="it broke"), Outcome("b/two", status)])
    assert one.status is Status.WAIVED
    assert "known" in one.reason and "example.com" in one.reason and f"{status.value}: it broke" in one.reason
    assert two.status is status
    assert use.matched == ("a/one[x]",) and not use.problem


@pytest.mark.parametrize("status", [Status.PASS, Status.NOT_SUPPORTED, Status.WARNING])
def test_what_is_not_bad_is_not_waived_and_the_waiver_is_reported(status: Status) -> None:
    (one,), use = applied(waiver(), [Outcome("a/one[x]", status)])
    assert one.status is status
    assert use.matched == () and use.problem == "what it is for does not fail"


def test_a_waiver_of_which_one_test_fails_is_of_use() -> None:
    _, use = applied(waiver(), [Outcome("a/one[x]", Status.PASS), Outcome("a/one[y]", Status.FAIL)])
    assert use.matched == ("a/one[y]",) and not use.problem


def test_a_waiver_for_what_was_not_run_is_no_problem() -> None:
    assert not applied(waiver(), [Outcome("b/two", Status.PASS)])[1].problem


@pytest.mark.parametrize("fields, problem", [
    ({"id": "a/nothing"}, "matches no test"),
    ({"expires": "2026-04-30"}, "expired on 2026-04-30"),
    ({"versions": ">=2"}, "it is for versions >=2, and this is 1.2"),
])
def test_waivers_that_do_not_count(fields: dict, problem: str) -> None:
    (one,), use = applied(waiver(**fields), [Outcome("a/one[x]", Status.FAIL)])
    assert one.status is Status.FAIL
    assert problem in use.problem


def test_a_waiver_counts_on_its_last_day() -> None:
    assert applied(waiver(expires="2026-05-01"), [Outcome("a/one[x]", Status.FAIL)])[0][0].status is Status.WAIVED


@pytest.mark.parametrize("versions, version, holds", [
    ("", "1.2", True), (">=1.2,<2", "1.2", True), (">=1.2,<2", "1.10", True), (">=1.2,<2", "2.0", False),
    (">=1.2, < 2", "1.1.9", False), ("==1.2", "1.2.0", True), ("!=1.2", "1.2", False), ("<1.3", "1.3rc1", True),
    (">=1.3", "1.3.dev4", False), (">1.2", "1.2", False), ("<=1.2", "1.2", True), ("<2", "1.9+local", True),
])
def test_versions(versions: str, version: str, holds: bool) -> None:
    assert covers(versions, version) is holds


@given(st.lists(st.integers(0, 20), min_size=1, max_size=4), st.lists(st.integers(0, 20), min_size=1, max_size=4))
def test_versions_are_ordered_as_their_numbers(left: list[int], right: list[int]) -> None:
    size = max(len(left), len(right))
    padded = [numbers + [0] * (size - len(numbers)) for numbers in (left, right)]
    one, other = (".".join(map(str, numbers)) for numbers in (left, right))
    assert covers(f"<{other}", one) is (padded[0] < padded[1])
    assert covers(f"=={other}", one) is (padded[0] == padded[1])


TOML = """
[[waiver]]
id = "operations/tanh*"
versions = ">=1.2,<2"
link = "https://example.com/7"
reason = "one unit off"
expires = 2027-01-31
"""


def write(tmp_path: Path, text: str, name: str = "waivers.toml") -> Path:
    file = tmp_path / name
    file.write_text(text)
    return file


def test_toml_and_json_say_the_same(tmp_path: Path) -> None:
    pytest.importorskip("tomllib")
    json = """{"waiver": [{"id": "operations/tanh*", "versions": ">=1.2,<2", "link": "https://example.com/7",
        "reason": "one unit off", "expires": "2027-01-31"}]}"""
    entries = read(write(tmp_path, TOML))
    assert entries == read(write(tmp_path, json, "waivers.json"))
    assert entries[0].expires == date(2027, 1, 31)


@pytest.mark.parametrize("text, problem", [
    (TOML.replace("reason", "raeson"), "entry 1: raeson"),
    (TOML.replace('link = "https://example.com/7"\n', ""), "entry 1: link"),
    (TOML.replace(">=1.2,<2", "1.x"), "a range of versions"),
    (TOML.replace("2027-01-31", '"soon"'), "entry 1: expires"),
    (TOML.replace("[[waiver]]", "[[waivers]]"), "waivers where only"),
    ("[[waiver", "Expected"),
])
def test_bad_files_say_what_is_wrong_and_what_is_right(tmp_path: Path, text: str, problem: str) -> None:
    pytest.importorskip("tomllib")
    with pytest.raises(WaiverError) as caught:
        read(write(tmp_path, text))
    assert problem in str(caught.value) and "[[waiver]]" in str(caught.value)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(WaiverError, match="No such file"):
        read(tmp_path / "nothing.toml")


def test_toml_on_a_python_without_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "tomllib", None)
    with pytest.raises(WaiverError, match="3.11 or newer, or write the same as JSON"):
        read(write(tmp_path, TOML))
