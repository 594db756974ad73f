# SPDX-License-Identifier: Apache-2.0
"""`python -m tools.libraries`: tests run in child processes, what they come to is kept and compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.libraries import report
from tools.libraries.__main__ import main
from tools.libraries.catalogue import LIBRARIES, Library
from tools.libraries.run import Outcome, outcomes

_TESTS = """
import os, unittest
import pytest
from their_own_module_of_parts import PARTS

class Cases(unittest.TestCase):
    def test_passes(self):
        pass

    def test_parts(self):
        for part in range(PARTS):
            with self.subTest(part=part):
                self.assertNotEqual(part, 1)

def test_ends_the_process():
    os._exit(3)

def test_takes_forever():
    while True:
        pass

@pytest.mark.xfail
def test_is_known_to_fail():
    assert False

def test_is_left_out():
    pytest.skip("not here")

def test_asks_for_jax():
    import jax
    assert jax.jit.__module__.startswith("olympus")
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "toy==1.0" / "toy"
    folder.mkdir(parents=True)
    (folder / "toy_test.py").write_text(_TESTS)
    (folder / "parts").mkdir()
    (folder / "parts" / "their_own_module_of_parts.py").write_text("PARTS = 3\n")
    (folder / "broken_test.py").write_text("import a_module_that_nobody_has\n")
    return tmp_path


def test_each_test_has_its_outcome(place: Path) -> None:
    toy = Library("toy", "1.0", ("toy/*_test.py",), (("toy/other_test.py", "needs the network"),), ("toy/parts",))
    found = {one.test: one for one in outcomes(toy, "olympus", place, 3.0)}
    assert {name.rpartition("::")[2]: one.outcome for name, one in found.items()} == {
        "toy/broken_test.py": "failed", "test_passes": "passed", "test_parts": "failed", "test_takes_forever": "failed",
        "test_ends_the_process": "ended", "test_is_known_to_fail": "passed", "test_is_left_out": "skipped",
        "test_asks_for_jax": "passed"}
    assert "a_module_that_nobody_has" in found["toy/broken_test.py"].message


def test_a_verdict_compares_and_explains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "explanations", lambda library: [("a_test.py::test_3*", "another platform's")])
    peer = [Outcome(f"a_test.py::test_{number}", "passed", 0.0, "") for number in range(4)]
    peer += [Outcome("a_test.py::test_4", "failed", 0.0, ""), Outcome("b_test.py::test_0", "passed", 0.0, "")]
    here = [Outcome("a_test.py::test_0", "passed", 0.0, ""), Outcome("a_test.py::test_1", "failed", 0.0, "E: one"),
            Outcome("a_test.py::test_2", "skipped", 0.0, ""), Outcome("a_test.py::test_3", "failed", 0.0, ""),
            Outcome("b_test.py", "failed", 0.0, "E: no module")]
    found = report.verdict("toy", peer, here)
    assert (found.peer_passed, found.peer_failed, found.passed) == (5, 1, 1)
    assert found.explained == (("a_test.py::test_3", "another platform's"),)
    assert [one.test for one in found.unexplained] == ["a_test.py::test_1", "a_test.py::test_2", "b_test.py::test_0"]
    assert "| toy | 5 | 1 | 1 | 20.0 % | 1 | 3 |" in report.table([found])
    assert "E: no module" in report.told(found)


def test_rows_of_the_table_belong_to_libraries() -> None:
    for library in LIBRARIES:
        for pattern, reason in report.explanations(library.name):
            assert pattern and len(reason) > 10


def test_an_unknown_library_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no-such-library"]) == 2
    assert "no-such-library" in capsys.readouterr().err
