# SPDX-License-Identifier: Apache-2.0
"""The table of polynomials is what its tool makes, and platforms' functions are made of it alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from olympus_core.toolkit.polynomials import coefficients
from tools.fit_polynomials import FITS, TABLE, made


@pytest.mark.parametrize("name", ["CBRT", "ERF", "TANH"])
def test_it_is_what_the_tool_makes(name: str) -> None:
    made_anew = json.loads(json.dumps(made(FITS[name])))
    assert made_anew == json.loads(TABLE.read_text(encoding="utf-8"))[name]
    assert coefficients(name) == {precision: fit["coefficients"] for precision, fit in made_anew.items()}


def test_it_has_all_fits() -> None:
    assert list(json.loads(TABLE.read_text(encoding="utf-8"))) == list(FITS)


def test_code_on_disk_depends_on_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from olympus_core.toolkit import objectcache
    from olympus_cpu.native import cache

    def state() -> str:
        objectcache.state_of_sources.cache_clear()
        return cache.writers.__wrapped__()

    before = state()
    assert state() == before
    (tmp_path / "special_functions").mkdir()
    (tmp_path / "special_functions/polynomials.json").write_text("{}")
    monkeypatch.setattr(objectcache, "__file__", str(tmp_path / "objectcache.py"))
    try:
        assert state() != before
    finally:
        objectcache.state_of_sources.cache_clear()
