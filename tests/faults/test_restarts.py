# SPDX-License-Identifier: Apache-2.0
"""The training job of `examples/restarts`: killed three times it ends with the numbers of an undisturbed one."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import numpy as np
import pytest

from tests.support.launching import LAUNCH
from tests.support.processes import ROOT, Finished, Processes, free_port
from tests.support.shared_memory import nothing_abandoned

pytest.importorskip("tensorstore", reason="needs TensorStore, the extra 'checkpoints'")
pytestmark = [pytest.mark.slow, pytest.mark.processes]

EXAMPLES = ROOT / "examples" / "restarts"


def _train(folder: Path, *options: object, arguments: tuple[object, ...] = ()) -> Finished:
    folder.mkdir(exist_ok=True)
    with Processes(90.0) as processes:
        program = (EXAMPLES / "train.py", folder, *arguments)
        processes.start(LAUNCH, "launch", "-d", 1, "--backoff", 0.01, *options, *program)
        (finished,) = processes.wait()
    return finished


def _weights(finished: Finished) -> np.ndarray:
    """What all processes of the last round print, who agree."""
    said = set(re.findall(r"weights (.*)", finished.stdout))
    assert finished.returncode == 0 and len(said) == 1, finished
    return np.array(list(map(float, said.pop().split())))


def _began(finished: Finished) -> list[tuple[int, int]]:
    """How many processes began at which step, as each of them says."""
    found = re.findall(r"(\d) processes begin at step (\d+)", finished.stdout)
    return [(int(count), int(step)) for count, step in found]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> np.ndarray:
    """The weights of four processes that nothing happens to."""
    return _weights(_train(tmp_path_factory.mktemp("undisturbed"), "-n", 4, arguments=("--steps", 20)))


def test_a_job_killed_three_times_has_the_same_numbers(tmp_path: Path, undisturbed: np.ndarray) -> None:
    kills = ("--steps", 20, "--kill", "7:2:SIGKILL,12:0:SIGKILL,17:1:SIGKILL")
    finished = _train(tmp_path, "-n", 4, "--restarts", 3, arguments=kills)
    np.testing.assert_array_equal(_weights(finished), undisturbed)
    began = _began(finished)
    assert len(began) == 16 and {count for count, _ in began} == {4}
    # A checkpoint that was being saved when the process died may be missing, and the one before is there.
    steps = [{step for _, step in began[i : i + 4]} for i in (0, 4, 8, 12)]
    assert all(one <= those for one, those in zip(steps, ({0}, {0, 5}, {5, 10}, {5, 10, 15}), strict=True))
    assert all(len(one) == 1 for one in steps)
    assert "restart 3 of 3 with 4 processes" in finished.stderr and "ended well after 4 starts" in finished.stderr


def test_asked_to_end_and_killed_it_goes_on(tmp_path: Path, undisturbed: np.ndarray) -> None:
    """Who was asked to end has not died: all are started again. Then one is killed, and the others go on."""
    kills = ("--steps", 20, "--kill", "3:1:SIGTERM,12:0:SIGKILL")
    finished = _train(tmp_path, "--elastic", "2:3", "--restarts", 1, arguments=kills)
    np.testing.assert_allclose(_weights(finished), undisturbed, rtol=1e-3, atol=1e-5)
    (saved,) = {int(step) for step in re.findall(r"asked to end: saved (\d+) steps", finished.stdout)}
    assert finished.stdout.count("asked to end") == 3
    began = _began(finished)
    assert began[:6] == [(3, 0)] * 3 + [(3, saved)] * 3 and began[6:] in ([(2, 10)] * 2, [(2, max(saved, 5))] * 2)
    assert "failed with exit code 143" in finished.stderr and "restart 1 of 1 with 3 processes" in finished.stderr
    assert "going on with 2 of 3 processes" in finished.stderr


def test_survivors_form_a_job_of_their_own(tmp_path: Path, undisturbed: np.ndarray) -> None:
    port = free_port()
    with nothing_abandoned("olympus", "mpich"), Processes(60.0) as processes:
        for index in range(4):
            processes.start(EXAMPLES / "survivors.py", index, 4, port, tmp_path, "--steps", 20, "--kill", "7:2")
        ends = processes.wait()
    assert [end.returncode for end in ends] == [0, 0, -signal.SIGKILL, 0], ends
    for end in ends[:2] + ends[3:]:
        assert "2 is lost" in end.stdout and re.search("3 processes begin at step [05]\n", end.stdout)
        np.testing.assert_allclose(_weights(end), undisturbed, rtol=1e-3, atol=1e-5)
