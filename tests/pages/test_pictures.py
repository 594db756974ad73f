# SPDX-License-Identifier: Apache-2.0
"""The pictures that are checked in are those that the shardings give."""

from __future__ import annotations

import re

import pytest

from tools.pages.checking import DOCS
from tools.pages.pictures import FOLDER, pictures


def test_pictures_are_up_to_date() -> None:
    made = pictures()
    assert {path.name for path in FOLDER.iterdir()} == set(made)
    old = [name for name, text in made.items() if (FOLDER / name).read_text(encoding="utf-8") != text]
    assert not old, "run python -m tools.pages.pictures"


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.iterdir()))
def test_a_picture_is_shown(name: str) -> None:
    assert re.search(rf"!\[.+\]\(pictures/{re.escape(name)}\)", (DOCS / "sharding.md").read_text(encoding="utf-8"))
