# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of several processes: saved by four, restored by four, by two and by one; and killed in the middle."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from pathlib import Path

import numpy as np
import pytest

import olympus
from olympus import checkpoints
from olympus.checkpoints import folders
from tests.support.processes import Finished, Processes, free_port, wait_until

from .jobs import CHECKS, check_tree, likes
from .support import need_tensorstore

need_tensorstore()

pytestmark = pytest.mark.processes
Outcome = tuple[dict[str, str], Finished]


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Outcome]]:
    """The job of four processes that has run all checks, and its folder."""
    folder = tmp_path_factory.mktemp("job")
    address = f"localhost:{free_port()}"
    with Processes(90.0) as processes:
        for index in range(4):
            processes.start([sys.executable, "-m", "tests.checkpoints.jobs"], address, 4, index, folder,
                            env={"OLYMPUS_NUM_CPU_DEVICES": "2", "OLYMPUS_CHECKPOINT_FOLDER_TIMEOUT": "0.1"})
        ends = processes.wait()
    return folder, [(dict(map(json.loads, end.stdout.splitlines())), end) for end in ends]


@pytest.mark.parametrize("name", CHECKS)
def test_in_four_processes(name: str, job: tuple[Path, list[Outcome]]) -> None:
    for index, (found, end) in enumerate(job[1]):
        assert found.get(name) == "ok", f"process {index}: {found.get(name)}\n{end.stderr}"
        assert not end.timed_out and end.returncode == 0, end.stderr


RESTORING = """
import sys
import numpy as np
import olympus
from olympus.sharding import Mesh, NamedSharding, PartitionSpec as P
from tests.checkpoints.jobs import check_tree, likes

address, index, folder = sys.argv[1:]
olympus.distributed.initialize(address, 2, int(index), initialization_timeout=60)
d = np.array(olympus.devices())
places = [NamedSharding(Mesh(d.reshape(2, -1), ("i", "j")), P("j", "i")), NamedSharding(Mesh(d, ("x",)), P("x"))] * 3
check_tree(olympus.checkpoints.restore(folder, likes(places[:5]), step=1), places[:5])
print("restored")
"""


def test_two_processes_restore_what_four_saved(job: tuple[Path, list[Outcome]]) -> None:
    address = f"localhost:{free_port()}"
    with Processes(60.0) as processes:
        for index in range(2):
            processes.start(RESTORING, address, index, job[0], env={"OLYMPUS_NUM_CPU_DEVICES": "4"})
        ends = processes.wait()
    assert [end.stdout for end in ends] == ["restored\n"] * 2, [end.stderr for end in ends]


def test_one_process_restores_what_four_saved(job: tuple[Path, list[Outcome]]) -> None:
    mesh = olympus.make_mesh((8,), ("x",))
    places = [olympus.NamedSharding(mesh, olympus.P(*spec)) for spec in ((), ("x",), (None, "x"), (), ("x",))]
    check_tree(checkpoints.restore(job[0], likes(places), step=1), places)


# What is saved as step n is n, everywhere.
TRAINING = """
import sys
import numpy as np
import olympus
from olympus.sharding import NamedSharding, PartitionSpec as P

address, count, index, folder, first = sys.argv[1], *map(int, sys.argv[2:4]), sys.argv[4], int(sys.argv[5])
if count > 1:
    olympus.distributed.initialize(address, count, index, initialization_timeout=60)
mesh = olympus.make_mesh((olympus.device_count(),), ("x",))
with olympus.checkpoints.Manager(folder, keep=3) as manager:
    for step in range(first, 10**6):
        parts = [olympus.device_put(np.full((64, 256), step + i, np.float32), NamedSharding(mesh, P("x")))
                 for i in range(8)]
        manager.save(step, {"parts": parts, "whole": np.full(1000, step), "step": step})
        print(f"step {step}", flush=True)
"""


def check_whole(folder: Path) -> int:
    """Every checkpoint that is offered is whole and right; the latest step."""
    steps = folders.steps_in(folder)
    for step in steps:
        found = checkpoints.restore(folder, step=step)
        assert found["step"] == step and (found["whole"] == step).all()
        for i, part in enumerate(found["parts"]):
            assert np.all(np.asarray(part) == step + i)
    return steps[-1]


@pytest.mark.parametrize("victims", [[0], [1], [0, 1]], ids=str)
def test_a_job_that_is_killed_leaves_whole_checkpoints(victims: list[int], tmp_path: Path) -> None:
    chance = random.Random(str(victims))
    address = f"localhost:{free_port()}"
    with Processes(60.0) as processes:
        running = [processes.start(TRAINING, address, 2, index, tmp_path, 1, env={"OLYMPUS_NUM_CPU_DEVICES": "2"})
                   for index in range(2)]
        processes.wait_for_output(0, f"step {chance.randrange(4, 9)}\n")
        # Somewhere in a save: as soon as its folder has some number of files.
        files = chance.randrange(1, 20)
        wait_until(lambda: sum(len(names) for path in tmp_path.glob(".saving-*") for _, _, names in os.walk(path))
                   >= files, f"{files} files of a save", 30)
        for victim in victims:
            os.kill(running[victim].pid, signal.SIGKILL)
        ends = processes.wait()
    assert all(end.returncode for end in ends)
    latest = check_whole(tmp_path)
    assert latest >= 2
    # Whoever saves next clears up and goes on; with none of them running nothing is locked.
    for path, is_locked in folders.unfinished_in(tmp_path):
        assert not is_locked or not (path / "lock").exists()
    checkpoints.save(tmp_path, {"parts": [], "whole": np.full(3, 10**6), "step": 10**6}, 10**6)
    assert check_whole(tmp_path) == 10**6


def test_a_program_that_ends_waits_for_its_save(tmp_path: Path) -> None:
    program = """
        import sys, numpy as np, olympus
        olympus.checkpoints.Manager(sys.argv[1]).save(1, {"x": np.ones(1 << 20)})
    """
    with Processes(60.0) as processes:
        processes.start(program, tmp_path)
        (end,) = processes.wait()
    assert end.returncode == 0 and end.stderr == ""
    assert checkpoints.restore(tmp_path)["x"].sum() == 1 << 20


LEAVING = """
import sys
import numpy as np
import olympus

olympus.distributed.initialize(sys.argv[1], 2, int(sys.argv[2]), initialization_timeout=60)
manager = olympus.checkpoints.Manager(sys.argv[3])
x = olympus.device_put(np.ones(1 << 20), olympus.NamedSharding(olympus.make_mesh((2,), ("x",)), olympus.P("x")))
manager.save(1, {"x": x, "n": 1})
olympus.distributed.shutdown()
manager.close()
try:
    olympus.checkpoints.save(sys.argv[3], x, 2)
except olympus.errors.ClosedDevicesError:
    print("over")
"""


def test_leaving_the_job_ends_the_save_first(tmp_path: Path) -> None:
    address = f"localhost:{free_port()}"
    with Processes(60.0) as processes:
        for index in range(2):
            processes.start(LEAVING, address, index, tmp_path, env={"OLYMPUS_NUM_CPU_DEVICES": "1"})
        ends = processes.wait()
    assert [(end.returncode, end.stdout, end.stderr) for end in ends] == [(0, "over\n", "")] * 2
    assert checkpoints.restore(tmp_path)["x"].sum() == 1 << 20
