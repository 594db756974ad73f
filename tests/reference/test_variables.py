# SPDX-License-Identifier: Apache-2.0
"""docs/config.md lists every environment variable that olympus reads or sets."""

from __future__ import annotations

import re
from pathlib import Path

from olympus_core.config import OPTIONS
from tools.reference.variables import INTERNAL, VARIABLES

ROOT = Path(__file__).resolve().parents[2]


def _named() -> dict[str, str]:
    """The variables that the sources name, each with a file that does."""
    found = {}
    for folder in ("olympus", "olympus_core", "plugins", "conformance"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".c", ".txt"):
                for name in re.findall(r"\bOLYMPUS_[A-Z0-9_]*[A-Z0-9]\b", path.read_text(encoding="utf-8")):
                    found[name] = str(path.relative_to(ROOT))
    return found


def test_every_variable_is_on_the_page() -> None:
    options = {option.variable for option in OPTIONS}
    known = options | set(VARIABLES) | set(INTERNAL)
    named = _named()
    assert not {name: path for name, path in named.items() if name not in known}
    assert set(VARIABLES) | set(INTERNAL) <= set(named), "a variable that nothing names any more"
    assert not options & (set(VARIABLES) | set(INTERNAL))
    page = (ROOT / "docs" / "config.md").read_text(encoding="utf-8")
    assert not [name for name in sorted(known) if f"`{name}`" not in page], "run `make docs`"
