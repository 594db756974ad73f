# SPDX-License-Identifier: Apache-2.0
"""The coordinator with many members: ``python -m benchmarks.coordinator --clients 1000 5000 10000``.

``--processes 128`` runs the tutorial's program in so many real processes of this machine, with ``olympus launch``.

Light clients (`programs/light_clients.py`) hold hundreds to thousands of connections each to one real coordinator, and
say what real members say. Measured are joining, meetings, a straggler whom all others ask about, the news of a failure,
the end, and the coordinator's processor time and memory.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import machine
from .processes import HERE, PROGRAMS, Process, ProgramError, deadline, free_port

BARS = {1000: 1.0, 5000: 5.0, 10000: 12.0}  # seconds for joining, a meeting and a straggler
MOST_MEMORY = 300.0  # MiB
HOLDERS = 4  # programs that hold the clients
_LIMIT = 300.0  # seconds for each phase


@dataclass(frozen=True)
class Phase:
    """What one command took.

    Args:
        name: The command.
        seconds: Until the last process had done it.
        coordinator: Seconds of processor time of process 0.
        clients: The same of the programs that hold the clients.
        peak: MiB of process 0, the most so far.
        silence: The longest that a client has heard nothing, in seconds.
        facts: What the programs said.
    """

    name: str
    seconds: float
    coordinator: float
    clients: float
    peak: float
    silence: float
    facts: list[dict[str, Any]]


class Job:
    """A job of light clients; a context manager.

    Args:
        count: Processes of the job, process 0 included.
    """

    def __init__(self, count: int) -> None:
        port, secret = free_port(), secrets.token_hex(16)
        path, own = [sys.executable, "-m"], "benchmarks.programs."
        known = f"127.0.0.1:{port}", secret
        count_of_programs = min(HOLDERS, max(1, (count - 1) // 50))
        cuts = [1 + (count - 1) * i // count_of_programs for i in range(count_of_programs + 1)]
        self._cpu = [0.0] * (count_of_programs + 1)
        env = {"PYTHONPATH": str(HERE.parent)}
        commands = [
            [*path, f"{own}coordinator", *known, str(count)],
            *([*path, f"{own}light_clients", *known, str(first), str(last), str(count)]
              for first, last in zip(cuts, cuts[1:], strict=False)),
        ]
        self._processes = [Process(command, env, talks=True) for command in commands]

    def __enter__(self) -> Job:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.close()

    def do(self, command: str, process_0: bool = True) -> Phase:
        """Has all do something; the clients alone where process 0 takes no part."""
        started = time.monotonic()
        with deadline(self._processes, _LIMIT):
            facts = self._tell(self._processes if process_0 else self._processes[1:], command)
            seconds = time.monotonic() - started
            if not process_0:
                facts[:0] = self._tell(self._processes[:1], "rest")
        spent = [fact["cpu"] - before for fact, before in zip(facts, self._cpu, strict=True)]
        self._cpu = [fact["cpu"] for fact in facts]
        silence = max(fact["silence"] for fact in facts[1:])
        return Phase(command.split()[0], seconds, spent[0], sum(spent[1:]), facts[0]["peak"], silence, facts)

    def _tell(self, processes: Sequence[Process], command: str) -> list[dict[str, Any]]:
        for process in processes:
            with suppress(BrokenPipeError):
                process.popen.stdin.write(command + "\n")
                process.popen.stdin.flush()
        return [self._answer(process, command) for process in processes]

    @staticmethod
    def _answer(process: Process, command: str) -> dict[str, Any]:
        for line in process.popen.stdout:
            if line.startswith("="):
                return dict(json.loads(line[1:]))
        process.popen.wait()
        raise process.failure(f"no answer to {command!r}")


def measure(count: int, meetings: int = 10) -> list[Phase]:
    """All phases with so many processes: two jobs, of which the second one fails."""
    phases = []

    def note(phase: Phase, name: str) -> None:
        phases.append(Phase(name, *list(phase.__dict__.values())[1:]))
        print(f"  {name:<22} {phase.seconds:7.2f} s   coordinator {phase.coordinator:6.2f} s of a processor, clients "
              f"{phase.clients:6.2f} s   peak {phase.peak:6.1f} MiB   silence {phase.silence:5.2f} s", flush=True)

    print(f"{count} processes", flush=True)
    with Job(count) as job:
        job.do("warm")
        note(job.do("join"), "join")
        note(job.do("meet first own"), "meeting")
        started = [job.do(f"meet barrier{i} {('barrier', 'equal')[i % 2]}") for i in range(meetings)]
        total = [sum(values) for values in zip(*((p.seconds, p.coordinator, p.clients) for p in started), strict=True)]
        if started:
            last = started[-1]
            note(Phase("meet", *total, last.peak, max(p.silence for p in started), last.facts), f"{meetings} meetings")
        job.do("wait late")
        note(job.do("ask late", process_0=False), "straggler asked about")
        note(job.do("warned", process_0=False), "all warned of it")
        if not all(fact["named"] for phase in phases[-2:] for fact in phase.facts[1:]):
            raise ProgramError("not all that asked were told who is missing")
        note(job.do("comes late barrier"), "straggler comes")
        note(job.do("end"), "end")
    with Job(count) as job:
        job.do("warm")
        note(job.do("join"), "join again")
        note(job.do("fail"), "failure told to all")
    return phases


def run_tutorial(count: int, steps: int = 20) -> list[str]:
    """Runs the tutorial's program in so many processes; what is wrong, in words."""
    folder = HERE.parent
    command = [sys.executable, "-m", "olympus", "launch", "-n", str(count), "-d", "1", "--timeout", str(_LIMIT)]
    started, peak = time.monotonic(), 0.0
    process = Process([*command, str(PROGRAMS / "tutorial.py"), str(steps)], {"PYTHONPATH": str(folder)})
    try:
        while process.popen.poll() is None:
            peak = max(peak, _memory_of_session(process.popen.pid))
            time.sleep(1.0)
        seconds = time.monotonic() - started
        told = [line for line in process.output.splitlines() if "right:" in line]
        how = f"{count} real processes: exit code {process.popen.returncode}, {len(told)} with the right numbers"
        print(f"{how}, {seconds:.1f} s, {peak:,.0f} MiB in all\n  " + "\n  ".join(sorted(told)[:2]), flush=True)
        return [f"{how}\n{process.errors}"] if process.popen.returncode or len(told) != count else []
    finally:
        process.close()


def _memory_of_session(leader: int) -> float:
    """MiB of a launcher and the processes that it has started, shared memory divided among them."""
    kibibytes = 0
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, StopIteration, IndexError):
            parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            if leader in (parent, int(path.name)):
                lines = (path / "smaps_rollup").read_text().splitlines()
                kibibytes += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return kibibytes / 1024


def missed(count: int, phases: Sequence[Phase]) -> list[str]:
    """The bars that these phases do not reach, in words."""
    found = []
    bar = BARS.get(count)
    if bar is not None:
        seconds = sum(phase.seconds for phase in phases if phase.name in ("join", "meeting", "straggler asked about"))
        if seconds > bar:
            found.append(f"{count} processes: join, meeting and straggler took {seconds:.2f} s, the bar is {bar:g} s")
    peak = max(phase.peak for phase in phases)
    if peak > MOST_MEMORY:
        found.append(f"{count} processes: {peak:.0f} MiB in process 0, the bar is {MOST_MEMORY:g} MiB")
    return found


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coordinator", description=__doc__)
    parser.add_argument("--clients", type=int, nargs="*", help="processes of a job (default: 1000 5000 10000)")
    parser.add_argument("--processes", type=int, nargs="*", default=[], help="real processes of a job, instead")
    parser.add_argument("--meetings", type=int, default=10, help="further meetings (default: 10)")
    options = parser.parse_args(arguments)
    print(", ".join(f"{name}: {value}" for name, value in machine.describe(sys.executable, sys.executable).items()))
    failed = []
    for count in options.processes:
        failed += run_tutorial(count)
    for count in (options.clients if options.clients or options.processes else BARS) or ():
        failed += missed(count, measure(count, options.meetings))
    for line in failed:
        print(line)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
