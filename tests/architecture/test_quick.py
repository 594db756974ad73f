# SPDX-License-Identifier: Apache-2.0
"""`make quick` runs the tests that are nearest to a change first."""

from __future__ import annotations

from tools.quick.nearest import by_distance

from .source import ROOT


def nearest(*names: str) -> list[str]:
    """The tests of a change of these files, in their order."""
    return [path.relative_to(ROOT / "tests").as_posix() for _, path in by_distance(ROOT / name for name in names)]


def test_a_room_is_tested_before_what_is_built_on_it() -> None:
    found = nearest("olympus_core/partition/reshard.py")
    assert found[0].startswith("partition/")
    assert found.index("partition/test_reshard.py") < found.index("language/test_jit.py")


def test_a_test_that_changed_comes_first() -> None:
    assert "placement/test_mesh.py" in nearest("tests/placement/test_mesh.py", "olympus_core/dtypes.py")[:8]
    assert nearest("tests/config/test_config.py") == ["config/test_config.py"]


def test_a_leaf_touches_its_own_room_only() -> None:
    assert nearest("docs/decisions/README.md") == nearest("docs/config.md")
    assert not any(name.startswith("cpu/") for name in nearest("conformance/report/style.css"))
