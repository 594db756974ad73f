# SPDX-License-Identifier: Apache-2.0
"""What the site is made of: every page has its place, links out of `docs/` lead to copies, mistakes are found."""

from __future__ import annotations

import re
from pathlib import Path

from tools.site.anchors import slug
from tools.site.checking import problems
from tools.site.navigation import SETTINGS, configuration
from tools.site.staging import DOCS, ROOT, place, stage, staged
from tools.site.versions import write_versions


def test_every_page_is_in_the_navigation() -> None:
    named = re.findall(r"^ +- (?:\w+: )?(\S+\.md)$", SETTINGS.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(named) == sorted(path.name for path in DOCS.glob("*.md"))


def test_the_rest_is_listed() -> None:
    text = configuration(DOCS, Path("built"))
    for path in [*(DOCS / "reference").glob("*.md"), *(DOCS / "decisions").glob("*.md")]:
        assert path.relative_to(DOCS).as_posix() in text


def test_links_out_of_the_pages_lead_to_copies(tmp_path: Path) -> None:
    text, linked = staged(DOCS / "security.md")
    assert "](project/SECURITY.md)" in text and ROOT / "SECURITY.md" in linked
    assert place(ROOT / "LICENSE") == Path("project/LICENSE.txt")
    stage(tmp_path)
    assert (tmp_path / "project" / "conformance" / "SPEC.md").is_file() and (tmp_path / "assets").is_dir()
    guide = (tmp_path / "writing-a-platform.md").read_text(encoding="utf-8")
    assert not re.findall(r"^```\w+ (?!title=\")\S", guide, re.MULTILINE)


def test_mistakes_of_a_site_are_found(tmp_path: Path) -> None:
    page = '<h1 id="here"></h1><a href="#here"></a><a href="other.html#x"></a><a href="https://example.org/"></a>'
    (tmp_path / "index.html").write_text(page + '<script src="https://example.org/a.js"></script>')
    assert problems(tmp_path) == ["index.html: leads nowhere: other.html#x",
                                  "index.html: fetched from elsewhere: https://example.org/a.js"]
    (tmp_path / "other.html").write_text("")
    (tmp_path / "index.html").write_text(page)
    (tmp_path / "a.css").write_text("body { background: url(https://example.org/a.png) }")
    assert problems(tmp_path) == ["index.html: no such heading: other.html#x", "a.css: fetches from elsewhere"]


def test_versions_are_listed_newest_first(tmp_path: Path) -> None:
    for name in ("0.9.0", "0.10.0", "0.2.1"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text("")
    write_versions(tmp_path)
    assert (tmp_path / "versions.js").read_text() == 'window.OLYMPUS_VERSIONS = ["0.10.0", "0.9.0", "0.2.1"];\n'
    assert 'url=0.10.0/index.html"' in (tmp_path / "index.html").read_text()


def test_anchors_are_github_s() -> None:
    assert slug("5.5 global_shards vs `addressable_shards`?", "-") == "55-global_shards-vs-addressable_shards"
