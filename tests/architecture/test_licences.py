# SPDX-License-Identifier: Apache-2.0
"""The page of licences names all that the project asks for."""

from __future__ import annotations

import re
from importlib import metadata

from .source import ROOT


def test_every_dependency_has_a_row() -> None:
    page = (ROOT / "docs" / "licences.md").read_text()
    rows = dict(re.findall(r"^\| ([a-z0-9-]+) \| [a-z0-9-]* \| (.+) \|$", page, re.M))
    asked = {re.split(r"[\s\[;<>=!~]", text)[0].lower().replace("_", "-").replace(".", "-")
             for text in metadata.requires("olympus-runtime") or ()}
    assert asked <= set(rows) and all(rows.values())
