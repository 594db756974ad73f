# SPDX-License-Identifier: Apache-2.0
"""Checkpoints beside plain writes, and killed at random moments: ``python -m benchmarks.checkpoints [--kill 50]``.

Four processes save a tree of 1 GiB in the background, and write the same bytes to plain files with fsync, in turns.
With ``--kill`` a job that saves all the time is killed again and again, in one process or in all, in the same folder;
after each time every checkpoint that is offered must be whole, and the last one that was reported must be there.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .processes import PROGRAMS, Process, ProgramError, free_port

COUNT = 4
BANDWIDTH = 0.8  # of plain writes, at least
_FIRST_SAVES = 60.0  # seconds for a job to start and save something


def start(what: str, folder: Path, count: int, *numbers: int) -> list[Process]:
    """Starts a job of the program."""
    address = f"localhost:{free_port()}"
    command = [sys.executable, str(PROGRAMS / "checkpoint.py"), what, str(folder), address, str(count)]
    return [Process([*command, str(index), *map(str, numbers)], {"OLYMPUS_NUM_CPU_DEVICES": "1"})
            for index in range(count)]


def measured(folder: Path, mib: int, rounds: int, limit: float = 600.0) -> list[dict[str, float]]:
    """For each round the figures of the slowest process."""
    job = start("measure", folder, COUNT, mib, rounds)
    try:
        deadline = time.monotonic() + limit
        for process in job:
            process.popen.wait(max(1.0, deadline - time.monotonic()))
            if process.popen.returncode:
                raise process.failure("a process failed")
        every = [[json.loads(line) for line in process.output.splitlines()] for process in job]
    finally:
        for process in job:
            process.close()
    return [{key: max(each[key] for each in figures) for key in figures[0]} for figures in zip(*every, strict=True)]


def report(rounds: Sequence[dict[str, float]]) -> bool:
    """Prints the figures; whether the bars are met."""
    middle = {key: statistics.median(each[key] for each in rounds) for key in rounds[0]}
    size = middle["bytes"] / 2**20
    ratio = statistics.median(each["plain"] / each["save"] for each in rounds)
    blocked = statistics.median(each["blocked"] / each["copy"] for each in rounds)
    print(f"{COUNT} processes, {size:,.0f} MiB, {len(rounds)} rounds, medians; ratios within a round")
    print(f"  plain write with fsync   {size / middle['plain']:8,.0f} MiB/s   {middle['plain']:.3f} s")
    print(f"  checkpoint               {size / middle['save']:8,.0f} MiB/s   {middle['save']:.3f} s   "
          f"{ratio:.2f} of plain (at least {BANDWIDTH}: {'met' if ratio >= BANDWIDTH else 'missed'}; rounds "
          f"{min(r['plain'] / r['save'] for r in rounds):.2f} to {max(r['plain'] / r['save'] for r in rounds):.2f})")
    print(f"  the step was blocked for {middle['blocked'] * 1e3:8.1f} ms; a copy of its memory takes "
          f"{middle['copy'] * 1e3:.1f} ms: {blocked:.2f} (at most 1: {'met' if blocked <= 1 else 'missed'})")
    return ratio >= BANDWIDTH and blocked <= 1


def check(folder: Path) -> list[int]:
    """The steps that are offered; raises where one is not whole and right."""
    from olympus import checkpoints
    from olympus.checkpoints.folders import steps_in

    steps = steps_in(folder)
    for step in steps:
        found = checkpoints.restore(folder, step=step)
        right = found["step"] == step and bool((found["whole"] == step).all()) and all(
            bool(np.all(np.asarray(found[f"w{i}"]) == step + i)) for i in range(4))
        if not right:
            raise ProgramError(f"step {step} has other content")
    return steps


def killed(folder: Path, times: int, seed: int) -> int:
    """Kills jobs in the middle of saves; the number of broken checkpoints."""
    chance, broken, first = random.Random(seed), 0, 1
    for number in range(times):
        victims = [chance.randrange(COUNT)] if chance.random() < 0.5 else list(range(COUNT))
        delay = chance.random() * chance.choice((0.02, 0.1, 0.3))
        job = start("endless", folder, COUNT, first)
        try:
            deadline = time.monotonic() + _FIRST_SAVES
            while f"saved {first}\n" not in job[0].output:
                if time.monotonic() > deadline or any(process.popen.poll() is not None for process in job):
                    raise next((p for p in job if p.popen.returncode), job[0]).failure("nothing was saved")
                time.sleep(0.01)
            deadline = time.monotonic() + _FIRST_SAVES
            while not list(folder.glob(".saving-*")) and time.monotonic() < deadline:
                time.sleep(0.001)
            time.sleep(delay)  # somewhere in a save, or just behind it
            for victim in victims:
                job[victim].popen.kill()
            for process in job:
                process.popen.wait(30.0)  # the others have an error
            reported = max(int(line.split()[1]) for process in job for line in process.output.splitlines())
        finally:
            for process in job:
                process.close()
        try:
            steps = check(folder)
            if not steps or steps[-1] < reported:
                raise ProgramError(f"step {reported} was saved, and {steps} are there")
        except Exception as error:  # noqa: BLE001
            broken += 1
            print(f"  kill {number + 1}: BROKEN: {type(error).__name__}: {error}", flush=True)
            break
        unfinished = len(list(folder.glob(".saving-*")))
        who = "all" if len(victims) > 1 else f"process {victims[0]}"
        print(f"  kill {number + 1:3}: {who} {delay:.3f} s into a save: "
              f"steps {steps} whole, reported {reported}, {unfinished} unfinished", flush=True)
        first = steps[-1] + 1
    return broken


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, or kills; 1 where a bar is missed or a checkpoint is broken."""
    parser = argparse.ArgumentParser(prog="benchmarks.checkpoints", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--mib", type=int, default=1024, help="MiB of the tree (1024)")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--kill", type=int, default=0, metavar="N", help="kill a job N times instead")
    parser.add_argument("--seed", type=int, default=0, help="of the moments at which jobs are killed")
    parser.add_argument("--folder", type=Path, help="where to write; the system's temporary folder by default")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="checkpoints-") as folder:
        if options.kill:
            broken = killed(Path(folder), options.kill, options.seed)
            print(f"killed {options.kill} times: {'a broken checkpoint' if broken else 'no broken checkpoint'}")
            return int(bool(broken))
        return int(not report(measured(Path(folder), options.mib, options.rounds)))


if __name__ == "__main__":
    sys.exit(main())
