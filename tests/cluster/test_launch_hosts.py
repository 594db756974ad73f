# SPDX-License-Identifier: Apache-2.0
"""`olympus launch --hosts`: lists of hosts, and processes that another program than ssh starts in its place."""

from __future__ import annotations

import os
import signal
import textwrap
from pathlib import Path

import pytest

from olympus.cli.launch_hosts import Host, assign, parse_hosts, read_hostfile
from olympus_core.errors import MachineListError
from tests.support.processes import Finished, Processes, is_alive, wait_until

# Takes what ssh takes, and runs the command on this machine; one host cannot be reached.
_SSH = """\
#!/bin/sh
while [ $# -gt 2 ]; do shift; done
if [ "$1" = down ]; then
    echo "ssh: connect to host down port 22: Connection timed out" >&2
    exit 255
fi
echo "$2" >> "$0.commands"
echo "Welcome to $1"
echo $$ > "$0.pid.$1"
# As with ssh, the command has other pipes, whose ends it meets, and is in no group of this machine's.
cat | setsid sh -c "$2" | cat
"""
_LAUNCH = """
import sys
from olympus.cli import main
sys.exit(main(["launch", *sys.argv[1:]]))
"""


class TestLists:
    @pytest.mark.parametrize(
        ("text", "hosts"),
        [
            ("a", [Host("a", None)]),
            ("a,b:4", [Host("a", None), Host("b", 4)]),
            ("u@a,10.0.0.3", [Host("u@a", None), Host("10.0.0.3", None)]),
            ("[fd00::1]:2,[::1]", [Host("fd00::1", 2), Host("::1", None)]),
            ("n[08-10]x,m[1,3]", [Host(name, None) for name in ("n08x", "n09x", "n10x", "m1", "m3")]),
            ("a,a,b", [Host("a", 2), Host("b", None)]),
        ],
    )
    def test_hosts(self, text: str, hosts: list[Host]) -> None:
        assert parse_hosts(text) == hosts

    @pytest.mark.parametrize("text", ["", ",", "a:0", "-oProxyCommand=x", "n[a-b]", "n[3-1]", "a b", ":3"])
    def test_wrong_hosts(self, text: str) -> None:
        with pytest.raises(MachineListError, match="cannot be used"):
            parse_hosts(text)

    def test_files_of_mpi_and_slurm(self, tmp_path: Path) -> None:
        path = tmp_path / "hosts"
        path.write_text("# a comment\n\na slots=4 max_slots=8\nb:2 # here, too\nc\nc\nn[1-2] slots=3\n")
        assert read_hostfile(str(path)) == [
            Host("a", 4), Host("b", 2), Host("c", 2), Host("n1", 3), Host("n2", 3)
        ]
        path.write_text("a\nb speed=3\n")
        with pytest.raises(MachineListError, match="'speed=3' is not understood") as caught:
            read_hostfile(str(path))
        assert f"{path}, line 2" in str(caught.value)
        with pytest.raises(MachineListError, match="No such file"):
            read_hostfile(str(tmp_path / "none"))

    def test_who_runs_where(self) -> None:
        def where(text: str, count: int | None) -> str:
            return " ".join(f"{place.host.name}{place.local}" for place in assign(parse_hosts(text), count))

        assert where("a,b", 5) == "a0 a1 a2 b0 b1" and where("a,b", None) == "a0 b0" and where("a,b,c", 2) == "a0 b0"
        assert where("a:2,b", None) == "a0 a1 b0" and where("a:2,b:2", 3) == "a0 a1 b0"
        with pytest.raises(MachineListError, match="they have 3 slots, and there are 4 processes"):
            where("a:2,b", 4)


def _ssh(folder: Path) -> Path:
    path = folder / "ssh"
    path.write_text(_SSH)
    path.chmod(0o755)
    return path


def _start(processes: Processes, folder: Path, program: str, *options: object, **env: str) -> None:
    path = folder / "program.py"
    path.write_text(textwrap.dedent(program))
    processes.start(_LAUNCH, "--ssh", f"{_ssh(folder)} -p 2222", *options, path, "{i}/{n}", env=env, cwd=folder)


def _launch(folder: Path, program: str, *options: object, **env: str) -> Finished:
    with Processes(40.0) as processes:
        _start(processes, folder, program, *options, **env)
        (finished,) = processes.wait()
    assert not finished.timed_out, finished.stdout + finished.stderr
    return finished


_JOB = """
import os, sys
from olympus_core.cluster import connect
connection = connect()
told = connection.exchange("here", os.environ.get("COLOUR", "none").encode())
print(sys.argv[1], os.getcwd(), os.environ["OLYMPUS_LOCAL_INDEX"], told, os.environ["OLYMPUS_PORTS"])
print("to errors", file=sys.stderr)
connection.shutdown()
"""
pytestmark = pytest.mark.processes


@pytest.mark.slow
def test_a_job_over_two_hosts(tmp_path: Path) -> None:
    env = {"COLOUR": "red", "OLYMPUS_PORTS": "20000-32000", "OLYMPUS_SECRET": "s" * 40}
    finished = _launch(tmp_path, _JOB, "-n", 3, "--hosts", "a,b", "--env", "COLOUR", **env)
    assert finished.returncode == 0, finished.stderr
    for index, local in ((0, 0), (1, 1), (2, 0)):
        line = f"[{index}] {index}/3 {tmp_path} {local} [b'red', b'red', b'red'] 20000-32000"
        assert line in finished.stdout.splitlines()
        assert f"[{index}] to errors" in finished.stderr.splitlines()
    commands = Path(f"{tmp_path}/ssh.commands").read_text()
    # Neither the secret nor a variable is on a command line; what a host's shell says is not shown.
    assert commands.count("\n") == 2 and "OLYMPUS" not in commands and "red" not in commands
    assert "Welcome" not in finished.stdout


@pytest.mark.slow
def test_a_host_that_cannot_be_reached_is_named(tmp_path: Path) -> None:
    finished = _launch(tmp_path, _JOB, "-n", 2, "--hosts", "a,down", OLYMPUS_PORTS="20000-32000")
    assert finished.returncode == 255
    assert "olympus launch: down: ssh: connect to host down port 22: Connection timed out" in finished.stderr
    assert "process 1 could not be started: down was not reached" in finished.stderr


@pytest.mark.slow
def test_exit_codes_and_what_the_processes_leave(tmp_path: Path) -> None:
    program = """
    import os, subprocess, sys
    if os.environ["OLYMPUS_PROCESS_ID"] == "1":
        child = subprocess.Popen(["sleep", "60"])
        print("child", child.pid, flush=True)
        os.kill(os.getpid(), 9)
    """
    finished = _launch(tmp_path, program, "-n", 2, "--hosts", "a,b")
    assert finished.returncode == 128 + 9, finished.stderr
    assert "process 1 was ended by SIGKILL" in finished.stderr
    pid = int(finished.stdout.split()[-1])
    wait_until(lambda: not is_alive(pid), f"end of {pid}")
    assert _launch(tmp_path, "raise SystemExit(5)", "--hosts", "a").returncode == 5


@pytest.mark.slow
def test_a_taken_port_is_told(tmp_path: Path) -> None:
    import socket

    with socket.create_server(("0.0.0.0", 0)) as occupant:
        port = occupant.getsockname()[1]
        finished = _launch(tmp_path, _JOB, "-n", 2, "--hosts", "a,b", "--port", port)
    assert finished.returncode == 255 and "process 0 could not be started on a" in finished.stderr
    assert f":{port}: Address already in use" in finished.stderr


_SLEEPS = """
import os, signal, sys, time
def told(number, frame):
    print("told", number, flush=True)
    sys.exit(0)
signal.signal(signal.SIGTERM, told)
signal.signal(signal.SIGINT, told)
print("pid", os.getpid(), flush=True)
time.sleep(60)
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_reach_the_hosts(tmp_path: Path, number: int) -> None:
    with Processes(30.0) as processes:
        _start(processes, tmp_path, _SLEEPS, "-n", 2, "--hosts", "a,b")
        for index in range(2):
            processes.wait_for_output(0, f"[{index}] pid")
        os.kill(processes._running[0].pid, number)
        (finished,) = processes.wait()
    assert finished.returncode == 128 + number and finished.stdout.count(f"told {int(number)}") == 2


@pytest.mark.slow
def test_nothing_is_left_when_the_launcher_or_a_connection_dies(tmp_path: Path) -> None:
    with Processes(30.0) as processes:
        _start(processes, tmp_path, _SLEEPS, "-n", 2, "--hosts", "a,b")
        for index in range(2):
            processes.wait_for_output(0, f"[{index}] pid")
        pids = [int(line.split()[2]) for line in processes.output(0).splitlines() if "] pid" in line]
        connection = int(Path(f"{tmp_path}/ssh.pid.b").read_text())
        os.killpg(connection, signal.SIGKILL)
        processes.wait_for_output(0, "process 1 was lost with the connection to b")
        for pid in pids:
            wait_until(lambda pid=pid: not is_alive(pid), f"end of {pid}")  # type: ignore[misc]
        assert processes.wait()[0].returncode == 255
    with Processes(30.0) as processes:
        _start(processes, tmp_path, _SLEEPS, "-n", 1, "--hosts", "a")
        processes.wait_for_output(0, "[0] pid")
        pid = int(processes.output(0).split()[-1])
        os.kill(processes._running[0].pid, signal.SIGKILL)
        wait_until(lambda: not is_alive(pid), f"end of {pid}")
