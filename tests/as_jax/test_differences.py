# SPDX-License-Identifier: Apache-2.0
"""The page for those who come from JAX says what is so: each program of its list is run behind the door."""

from __future__ import annotations

import json

import pytest

from tests.as_jax.test_door import run

pytest.importorskip("tomllib")  # Python 3.11's
from tools.coming_from_jax.__main__ import PAGE, differences, page
from tools.coming_from_jax.programs import LIST


@pytest.fixture(scope="module")
def results() -> list[str]:
    done = run("-m", "olympus.as_jax", str(LIST.with_name("programs.py")), OLYMPUS_NUM_CPU_DEVICES="1")
    assert done.returncode == 0, done.stderr
    found: list[str] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_olympus_gives_what_the_list_says(results: list[str]) -> None:
    wrong = {entry["name"]: (entry["olympus"], found) for entry, found in zip(differences(), results, strict=True)
             if entry["olympus"] != found}
    assert not wrong, "python -m tools.coming_from_jax --record olympus records what is so"


def test_every_entry_is_a_difference_with_a_reason() -> None:
    entries = differences()
    assert len({entry["name"] for entry in entries}) == len(entries) > 40
    for entry in entries:
        assert entry["jax"] and entry["olympus"] and entry["jax"] != entry["olympus"], entry["name"]
        assert len(entry["why"]) > 20 and entry["why"].endswith("."), entry["name"]
        assert len(entry["program"].strip().splitlines()) <= 5, entry["name"]


def test_the_page_is_made_of_the_list() -> None:
    assert PAGE.read_text() == page(differences()), "python -m tools.coming_from_jax writes it"
