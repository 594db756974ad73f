# SPDX-License-Identifier: Apache-2.0
"""`olympus launch --restarts` and `--elastic`: what is decided, and with real processes."""

from __future__ import annotations

import argparse
import signal
from pathlib import Path

import pytest

from olympus.cli.launch_job import RoundEnd
from olympus.cli.launch_rounds import Elastic, Plan, Rounds
from tests.support.launching import LAUNCH, launch, written
from tests.support.processes import Processes, is_alive, wait_until

# What happens in each round stands in the program's argument: for each restart what each process does.
PROGRAM = """
import os, signal, sys, time
restart, index, count = (int(os.environ["OLYMPUS_" + n]) for n in ("RESTART", "PROCESS_ID", "NUM_PROCESSES"))
print("round", restart, "of", count, os.environ["OLYMPUS_JOB_ID"], flush=True)
what = sys.argv[1].split("/")[restart].split(",")[index]
if what == "kill":
    os.kill(os.getpid(), signal.SIGKILL)
elif what == "wait":
    time.sleep(60)
sys.exit(int(what))
"""


def _end(seconds: float, *lost: int) -> RoundEnd:
    return RoundEnd(code=9, first="process 0 failed", lost=lost, was_stopped=False, seconds=seconds)


def test_restarts_are_counted_and_given_back() -> None:
    plan = Plan(count=4, least=4, restarts=2, wait=1.0, window=100.0)
    waits = []
    for seconds in (1.0, 1.0):
        following = plan.after(_end(seconds, 2))
        assert following is not None and list(following.places) == [0, 1, 2, 3]
        waits.append(following.wait)
    assert waits == [1.0, 2.0]
    following = plan.after(_end(100.0, 2))  # it ran for long
    assert following is not None and following.wait == 1.0 and following.text.startswith("restart 1 of 2")
    assert plan.after(_end(1.0, 2)) is not None and plan.after(_end(1.0, 2)) is None


def test_the_wait_doubles_up_to_a_minute() -> None:
    plan = Plan(count=1, least=1, restarts=2000, wait=7.0, window=100.0)
    waits = [following.wait for _ in range(1500) if (following := plan.after(_end(1.0, 0))) is not None]
    assert waits[:5] == [7.0, 14.0, 28.0, 56.0, 60.0] and set(waits[4:]) == {60.0} and len(waits) == 1500


def test_the_last_line_of_a_job_that_lasted_too_long_has_time_to_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    args = argparse.Namespace(elastic=None, processes=1, restarts=0, backoff=1.0, restart_window=1.0, timeout=0.0)
    rounds, asked = Rounds(args), []

    def finish(seconds: float) -> bool:
        asked.append(seconds)
        return len(asked) == 3  # the thread that writes gets its turn late

    monkeypatch.setattr(rounds._printer, "finish", finish)
    rounds._finish()
    assert len(asked) == 3


def test_those_that_are_left_keep_their_places() -> None:
    plan = Plan(count=5, least=2, restarts=1, wait=1.0, window=100.0)
    places = []
    for lost in ((1,), (0, 2), (0,), (4,)):
        following = plan.after(_end(1.0, *lost))
        assert following is not None
        places.append(list(following.places))
    # Index 2 of the second round ran at place 3; the third loss leaves too few, so that all are started again.
    assert places == [[0, 2, 3, 4], [2, 4], [0, 1, 2, 3, 4], [0, 1, 2, 3]]
    assert plan.after(_end(1.0, 0, 1, 2)) is None


@pytest.mark.parametrize("text", ["", "2", "0:4", "5:4", "a:b", "-1:3", "1:2:3"])
def test_what_is_no_range_is_told(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="MIN:MAX"):
        Elastic.parse(text)


@pytest.mark.slow
@pytest.mark.processes
class TestProcesses:
    """With real processes."""

    def test_a_job_is_started_anew_until_it_ends_well(self, tmp_path: Path) -> None:
        options = ("-n", 2, "--restarts", 3, "--backoff", 0.01)
        finished = launch(tmp_path, PROGRAM, *options, arguments=("0,kill/7,0/0,0",))
        assert finished.returncode == 0, finished.stderr
        lines = finished.stdout.splitlines()
        assert sorted(line.split()[0] for line in lines) == ["[0#1]", "[0#2]", "[0]", "[1#1]", "[1#2]", "[1]"]
        assert len({line.split()[-1] for line in lines}) == 3  # names of jobs
        assert "process 1 was ended by SIGKILL after" in finished.stderr
        assert "; restart 1 of 3 with 2 processes in 0.01 s." in finished.stderr
        assert "process 0 failed with exit code 7 after" in finished.stderr
        assert "; restart 2 of 3 with 2 processes in 0.02 s." in finished.stderr
        assert "the job has ended well after 3 starts and" in finished.stderr

    def test_the_last_failure_is_the_exit_code(self, tmp_path: Path) -> None:
        finished = launch(tmp_path, PROGRAM, "-n", 1, "--restarts", 1, "--backoff", 0, arguments=("7/kill",))
        assert finished.returncode == 128 + signal.SIGKILL
        assert "the job ends with exit code 137 after 2 starts" in finished.stderr

    def test_an_elastic_job_goes_on_with_those_that_are_left(self, tmp_path: Path) -> None:
        options = ("--elastic", "2:4", "--restarts", 1, "--backoff", 0)
        rounds = "0,kill,0,kill/5,0/0,0,0,kill/0,0,0"
        finished = launch(tmp_path, PROGRAM, *options, arguments=(rounds,))
        assert finished.returncode == 0, finished.stderr
        counts = [finished.stdout.count(f"round {k} of {n} ") for k, n in enumerate((4, 2, 4, 3))]
        assert counts == [4, 2, 4, 3]
        told = [line.partition("; ")[2] for line in finished.stderr.splitlines() if " in 0 s." in line]
        assert told == [
            "going on with 2 of 4 processes in 0 s.", "restart 1 of 1 with 4 processes in 0 s.",
            "going on with 3 of 4 processes in 0 s.",
        ]

    def test_who_is_stopped_and_called_lost_is_not_started_again(self, tmp_path: Path) -> None:
        program = """
        import os, signal, sys
        restart, index, count = (int(os.environ["OLYMPUS_" + n]) for n in ("RESTART", "PROCESS_ID", "NUM_PROCESSES"))
        print("round", restart, "of", count, os.environ["OLYMPUS_NUM_PROCESSES"], flush=True)
        if restart == 0 and index == 1:
            os.kill(os.getpid(), signal.SIGSTOP)
        elif restart == 0:
            from olympus_core.errors import ProcessLostError
            raise ProcessLostError(1, "stopped", "it does nothing")
        """
        finished = launch(tmp_path, program, "--elastic", "1:3", "--backoff", 0)
        assert finished.returncode == 0 and finished.stdout.count("round 1 of 2") == 2, finished
        assert ", which lost process 1; going on with 2 of 3 processes in 0 s." in finished.stderr

    def test_survivors_are_ended(self, tmp_path: Path) -> None:
        finished = launch(tmp_path, PROGRAM, "-n", 2, "--restarts", 1, "--backoff", 0, arguments=("wait,3/0,0",))
        assert finished.returncode == 0 and finished.stdout.count("round 1 of 2") == 2, finished.stderr

    @pytest.mark.parametrize("at", ["running", "waiting"])
    def test_an_interrupted_job_is_not_started_anew(self, tmp_path: Path, at: str) -> None:
        what, said = ("wait", "[0] round") if at == "running" else ("1", "restart 1 of 5 with 1 processes in 50 s.")
        with Processes(25.0) as processes:
            running = processes.start(LAUNCH, "launch", "-n", 1, "--restarts", 5, "--backoff", 50,
                                      written(tmp_path, PROGRAM), what)
            processes.wait_for_output(0, said)
            running.send_signal(signal.SIGTERM)
            (finished,) = processes.wait()
        assert finished.returncode == 128 + signal.SIGTERM and "round 1" not in finished.stdout

    def test_time_for_all_rounds_together(self, tmp_path: Path) -> None:
        options = ("-n", 1, "--restarts", 99, "--backoff", 0.2, "--timeout", 0.5)
        finished = launch(tmp_path, PROGRAM, *options, arguments=("/".join(["1"] * 99),))
        assert finished.returncode == 124 and "not ended after 0.5 s" in finished.stderr

    def test_there_is_time_to_save_after_sigterm(self, tmp_path: Path) -> None:
        program = """
        import os, signal, sys, time
        def save(number, frame):
            time.sleep(3.0)  # longer than a process is given after any other failure
            print("saved", flush=True)
            sys.exit(0)
        signal.signal(signal.SIGTERM, save)
        print("pid", os.getpid(), flush=True)
        if sys.argv[1] == "never":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(60)
        """
        path = written(tmp_path, program)
        with Processes(25.0) as processes:
            running = [processes.start(LAUNCH, "launch", "-n", 1, *options, path, *arguments) for options, arguments in
                       (((), ("",)), (("--grace", 0.2), ("never",)))]
            for index, launcher in enumerate(running):
                processes.wait_for_output(index, "pid")
                launcher.send_signal(signal.SIGTERM)
                launcher.send_signal(signal.SIGTERM)  # a scheduler may do so
            saved, killed = processes.wait()
        assert saved.returncode == killed.returncode == 128 + signal.SIGTERM
        assert "saved" in saved.stdout and "30 s at the latest" in saved.stderr
        assert "0.2 s at the latest" in killed.stderr
        for pid in [int(end.stdout.split()[2]) for end in (saved, killed)]:
            wait_until(lambda pid=pid: not is_alive(pid), f"end of {pid}")

    def test_options_that_do_not_fit_are_told(self, tmp_path: Path) -> None:
        with Processes() as processes:
            for options in ((), ("-n", 3, "--elastic", "2:4"), ("--elastic", "4:2")):
                processes.start(LAUNCH, "launch", *options, written(tmp_path, PROGRAM), "0")
            none, different, empty = processes.wait()
        assert [end.returncode for end in (none, different, empty)] == [2, 2, 2]
        assert "how many processes?" in none.stderr
        assert "-n 3 and --elastic 2:4 differ" in different.stderr and "1 <= MIN <= MAX" in empty.stderr
