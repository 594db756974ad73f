# SPDX-License-Identifier: Apache-2.0
"""Sends packets to the coordinator of a job of four processes; plays a misbehaving member and coordinator."""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from .seats import play_coordinator, play_member
from .strangers import Crowd

_COMMAND = "python -m tools.fuzz_coordinator"
_PARTS = ("strangers", "members", "coordinators")
_START = 60.0  # seconds for the job to begin, and to end


def main() -> int:
    """Runs the command; the exit code is 1 if there was a problem."""
    parser = argparse.ArgumentParser(prog=_COMMAND, description=__doc__)
    parser.add_argument("--packets", type=int, default=100_000, help="how many in all (default: 100000)")
    parser.add_argument("--seed", type=int, default=None, help="of the first; the time of day by default")
    parser.add_argument("--part", choices=_PARTS, help="only this one")
    parser.add_argument("--rounds", type=int, help="how many rounds of a misbehaving member or coordinator")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else int(time.time())
    parts = [options.part] if options.part else list(_PARTS)
    share = options.packets // len(parts)
    failures = 0
    for part in parts:
        if part == "strangers":
            failures += not strangers(share, seed)
        else:
            play = play_member if part == "members" else play_coordinator
            failures += not rounds(part, play, share, seed, options.rounds)
    return 1 if failures else 0


def rounds(part: str, play: Callable[[int], tuple[int, str | None]], packets: int, seed: int, most: int | None) -> bool:
    """Plays rounds until enough packets were sent; returns whether all passed."""
    started, sent, number, wrong = time.monotonic(), 0, 0, 0
    while (number < most if most is not None else sent < packets) and wrong < 5:
        try:
            some, problem = play(seed + number)
        except Exception:  # noqa: BLE001  (any error is a finding)
            some, problem = 0, traceback.format_exc()
        if problem is not None:
            wrong += 1
            print(f"{part}, seed {seed + number}: {problem}")
            print(f"  again: {_COMMAND} --part {part} --seed {seed + number} --rounds 1\n", flush=True)
        sent, number = sent + some, number + 1
    print(f"{part}: {sent} packets in {number} rounds from seed {seed} on, {wrong} rounds went wrong, "
          f"{time.monotonic() - started:.0f} s", flush=True)
    return not wrong


def strangers(packets: int, seed: int) -> bool:
    """Runs a job of four processes while strangers connect; returns whether its results stayed right."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        going = Path(folder, "going")
        going.touch()
        env = {name: value for name, value in os.environ.items() if not name.startswith("OLYMPUS_")}
        env.update(XDG_CONFIG_HOME=folder, OLYMPUS_NUM_CPU_DEVICES="2")
        command = [sys.executable, str(Path(__file__).with_name("program.py"))]
        outputs = [Path(folder, f"output-{i}") for i in range(4)]
        processes = []
        for index, output in enumerate(outputs):
            with output.open("w") as file:
                arguments = [str(index), f"localhost:{port}", str(going)]
                processes.append(subprocess.Popen([*command, *arguments], env=env, stdout=file, stderr=file))
        try:
            end = time.monotonic() + _START
            while not all("running" in o.read_text() for o in outputs) and time.monotonic() < end:
                time.sleep(0.05)
            secret = Path(folder, "olympus", "secret").read_bytes().strip()
            crowd = Crowd(port, secret, seed)
            while crowd.sent < packets and all(p.poll() is None for p in processes):
                crowd.act()
            crowd.close()
            going.unlink()
            for process in processes:
                process.wait(_START)
        finally:
            for process in processes:
                process.kill()
        is_right = all(p.returncode == 0 for p in processes) and crowd.sent >= packets
        print(f"strangers: {crowd.sent} packets from seed {seed} on, {crowd.refused} connections were cut short, "
              f"{time.monotonic() - started:.0f} s")
        for index, output in enumerate(outputs):
            text = output.read_text().strip().splitlines()
            print(f"  process {index}: exit code {processes[index].returncode}, {text[-1] if text else ''}", flush=True)
        if not is_right:
            print("\n".join(o.read_text() for o in outputs))
            print(f"  again: {_COMMAND} --part strangers --seed {seed} --packets {packets}")
    return is_right


if __name__ == "__main__":
    sys.exit(main())
