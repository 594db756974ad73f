# SPDX-License-Identifier: Apache-2.0
"""Jobs whose ports meet: each process finds its own job's coordinator, and passes by what else listens."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from olympus_core.cluster.detect import detect
from tests.support.processes import Processes

pytestmark = pytest.mark.processes
PROGRAM = """
from olympus_core.cluster import connect
connection = connect(timeout=30)
print(connection.job[:-7], connection.coordinator_address.rpartition(":")[2], flush=True)
connection.shutdown()
"""


def step(job: str, number: str, process: int) -> dict[str, str]:
    return {"SLURM_JOB_ID": job, "SLURM_STEP_ID": number, "SLURM_PROCID": str(process), "SLURM_STEP_NUM_TASKS": "2",
            "SLURM_STEP_NODELIST": "localhost",
            "OLYMPUS_SECRET": "a secret of enough characters for both"}  # munge may be installed, and not run


def first_port(job: str, number: str, ports: str) -> int:
    from olympus_core.config import config

    config.update("olympus_ports", ports)
    try:
        found = detect(step(job, number, 0))
    finally:
        config.update("olympus_ports", None)
    assert found is not None
    return found.ports[0]


@pytest.fixture
def listeners() -> Iterator[list[socket.socket]]:
    """Three ports in a row, held."""
    for first in range(23000, 24000, 3):
        held: list[socket.socket] = []
        try:
            held.extend(socket.create_server(("127.0.0.1", first + n)) for n in range(3))
        except OSError:
            for sock in held:
                sock.close()
            continue
        yield held
        for sock in held:
            sock.close()
        return
    pytest.skip("no three free ports in a row")


def test_a_process_passes_by_other_jobs_and_programs(listeners: list[socket.socket]) -> None:
    numbers = [sock.getsockname()[1] for sock in listeners]
    ports = f"{numbers[0]}-{numbers[-1]}"
    # Two steps that begin at the same port.
    start = first_port("30", "1", ports)
    job = next(str(n) for n in range(61, 200) if first_port(str(n), "0", ports) == start)
    by_port = {sock.getsockname()[1]: sock for sock in listeners}
    order = [start, *(p for p in numbers if p > start), *(p for p in numbers if p < start)]
    # The second port is another program's; the others are free.
    by_port[order[0]].close()
    by_port[order[2]].close()
    other = by_port[order[1]]

    def answer() -> None:
        while True:
            try:
                connection, _ = other.accept()
            except OSError:
                return
            connection.sendall(b"SSH-2.0-another_program\\r\n")
            connection.close()

    threading.Thread(target=answer, daemon=True).start()
    env = {"OLYMPUS_PORTS": ports}
    with Processes(40.0) as processes:
        # The other job has the first port, and waits for its second process.
        processes.start("import logging; logging.basicConfig(level='INFO')\n" + PROGRAM,
                        env={**env, **step(job, "0", 0)})
        processes.start(PROGRAM, env={**env, **step("30", "1", 1)})
        processes.wait_for_output(0, "turned away")  # the second one has come by, and goes on
        processes.start(PROGRAM, env={**env, **step("30", "1", 0)})
        processes.wait_for_output(2, "slurm-30-1")  # it has found a port while the first was taken
        processes.start(PROGRAM, env={**env, **step(job, "0", 1)})
        ends = processes.wait()
    other.shutdown(socket.SHUT_RDWR)
    assert [end.returncode for end in ends] == [0] * 4, [end.stderr for end in ends]
    said = [end.stdout.split() for end in ends]
    assert said[0] == said[3] == [f"slurm-{job}-0", str(order[0])]
    assert said[1] == said[2] == ["slurm-30-1", str(order[2])]


def test_a_coordinator_that_is_not_found_is_told_with_all_ports() -> None:
    program = PROGRAM.replace("timeout=30", "timeout=0.5")
    with Processes(20.0) as processes:
        processes.start(program, env={"OLYMPUS_PORTS": "1,2", **step("30", "1", 1)})
        (end,) = processes.wait()
    assert end.returncode == 1
    assert "JoinTimeoutError" in end.stderr and "or port" in end.stderr, end.stderr
