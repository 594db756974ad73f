# SPDX-License-Identifier: Apache-2.0
"""Damages a number of files of the code cache, and looks for wrong results and crashes."""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from pathlib import Path

from .damage import FILES
from .rounds import numbers_round, round_folder

_IN_A_PROCESS = 60  # files
_SECONDS = 300.0


def main() -> int:
    """Runs the command; the exit code is 1 if a result was wrong or a process crashed."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz_cache", description=__doc__)
    parser.add_argument("--files", type=int, default=1500, help="how many files to damage (default: 1500)")
    parser.add_argument("--seed", type=int, default=None, help="of the first process; the time of day by default")
    parser.add_argument("--inside", type=int, default=None, help=argparse.SUPPRESS)
    options = parser.parse_args()
    first = options.seed if options.seed is not None else int(time.time())
    if options.inside is not None:
        _inside(first, options.inside)
        return 0
    damaged, failures, processes = 0, 0, 0
    while damaged < options.files:
        seed = first + processes
        processes += 1
        count, problem = _programs(seed) if processes % 3 == 0 else _numbers(seed, options.files - damaged)
        damaged += count
        if problem is not None:
            failures += 1
            print(f"seed {seed}: {problem}\n", flush=True)
    print(f"{damaged} files damaged in {processes} processes from seed {first} on, {failures} failures")
    return 1 if failures else 0


def _numbers(seed: int, most: int) -> tuple[int, str | None]:
    """Rounds of small modules in one process, which may crash."""
    command = [sys.executable, "-m", "tools.fuzz_cache", "--seed", str(seed), "--inside", str(min(most, _IN_A_PROCESS))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    lines = done.stdout.splitlines()
    count = sum(line.partition(":")[0] in FILES for line in lines)
    if done.returncode == 0:
        return count, None
    return max(count, 1), f"status {done.returncode} after\n  " + "\n  ".join(lines[-8:]) + f"\n{done.stderr[-3000:]}"


def _inside(seed: int, files: int) -> None:
    chance, damaged = random.Random(seed), 0
    while damaged < files:
        with round_folder() as root:
            damaged += numbers_round(root, chance, lambda what: print(what, flush=True))


def _programs(seed: int) -> tuple[int, str | None]:
    """Programs of the language in two processes, between which every file that the first one left is damaged."""
    chance, done = random.Random(seed), []
    with round_folder() as root:
        folder = root / "kept"
        environment = {
            **os.environ, "OLYMPUS_PLATFORMS": "cpu", "OLYMPUS_COMPILATION_CACHE_DIR": str(folder),
            "OLYMPUS_CACHE_KEY_FILE": str(root / "key" / "cache.key"),
        }
        command = [sys.executable, "-m", "tools.fuzz_cache.programs", str(seed)]
        for attempt in range(2):
            ended = subprocess.run(
                command, capture_output=True, text=True, timeout=_SECONDS, env=environment, check=False)
            if ended.returncode:
                what = f"after {done}" if attempt else "before anything was damaged"
                problem = f"programs ended with status {ended.returncode} {what}\n{ended.stderr[-3000:]}"
                return max(len(done), 1), problem
            done += [_damaged(file, chance) for file in sorted(folder.glob("*.object")) if not attempt]
    return len(done), None


def _damaged(file: Path, chance: random.Random) -> str:
    kind = chance.choice(sorted(FILES))
    FILES[kind](file, chance)
    return kind


if __name__ == "__main__":
    sys.exit(main())
