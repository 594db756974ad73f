# SPDX-License-Identifier: Apache-2.0
"""Fuzzes the compiler: compares compiled random programs with the reference, for a given time."""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np

from olympus_conformance.random_programs import random_case, shrunk
from olympus_conformance.random_programs.generate import BESIDE

from .execute import problem_of


def main() -> int:
    """Runs the command; the exit code is 1 where a program failed."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0, help="how long to look (default: 1)")
    parser.add_argument("--seed", type=int, default=None, help="of the first program; the time of day by default")
    parser.add_argument("--count", type=int, default=None, help="how many programs, instead of minutes")
    parser.add_argument("--failures", type=int, default=5, help="end after so many failures (default: 5)")
    parser.add_argument("--beside", type=float, default=BESIDE, help="share of programs with donation beside "
                        f"operations that are not compiled (default: {BESIDE})")
    options = parser.parse_args()
    first = options.seed if options.seed is not None else int(time.time())
    end = time.monotonic() + 60 * options.minutes
    failures, tried = 0, 0
    while failures < options.failures:
        if tried >= options.count if options.count is not None else time.monotonic() > end:
            break
        failures += not passes(first + tried, options.beside)
        tried += 1
    print(f"{tried} programs from seed {first} on, {failures} failed")
    return 1 if failures else 0


def passes(seed: int, beside: float = BESIDE) -> bool:
    """Whether the program of a seed passes; prints the problem if not."""
    case = random_case(seed, beside)
    problem = problem_of(case)
    if problem is None:
        return True
    print(f"seed {seed}: {problem.splitlines()[0]}", flush=True)
    kind = problem.partition(":")[0]
    # The shrinker keeps the kind of failure, so that an error does not turn into wrong results of another program.
    is_error = kind.endswith(("Error", "Warning"))
    smaller = shrunk(case, lambda c: (found := problem_of(c)) is not None and (found.startswith(kind) or not is_error))
    print(smaller.program.text)
    for i, column in enumerate(smaller.inputs):
        if column[0].size <= 12:
            with np.printoptions(linewidth=120):
                print(f"  %{i} = {np.array2string(column[0], separator=', ')}")
    print(f"  devices: {smaller.count}, donated: {smaller.donated}, optimised: {smaller.is_optimised}")
    print(f"  {problem_of(smaller)}")
    share = f" --beside {beside:g}" if beside != BESIDE else ""
    print(f"  again: python -m tools.fuzz --seed {seed} --count 1{share}\n", flush=True)
    return False


if __name__ == "__main__":
    sys.exit(main())
