"""Runs the benchmarks: ``python -m benchmarks [--only NAME] [--quick]``."""

from __future__ import annotations

import argparse
import shutil
import sys

from . import machine, report
from .cases import CASES
from .measure import Setup, run
from .processes import HERE


def main(arguments: list[str] | None = None) -> int:
    """Runs what is asked for; 1 when a bar is missed or olympus failed, else 0."""
    parser = argparse.ArgumentParser(prog="benchmarks", description="olympus and its peer, side by side in one run")
    parser.add_argument("--only", action="append", metavar="NAME", choices=[case.name for case in CASES],
                        help="run this one; may be repeated (" + ", ".join(case.name for case in CASES) + ")")
    parser.add_argument("--quick", action="store_true", help="fewer rounds: a rough figure")
    parser.add_argument("--peer-python", default=sys.executable, metavar="PATH",
                        help="the interpreter that has the peer; this one by default")
    options = parser.parse_args(arguments)
    if shutil.which(options.peer_python) is None:
        parser.error(f"no interpreter at {options.peer_python}")

    setup = Setup(sys.executable, options.peer_python, options.quick)
    where = machine.describe(setup.python, setup.peer_python)
    blocks = ["\n".join(f"{key}: {text}" for key, text in where.items())]
    print(blocks[0], flush=True)
    results = []
    for case in CASES:
        if options.only and case.name not in options.only:
            continue
        results.append(run(case, setup))
        blocks.append(report.table(results[-1]))
        print("\n" + blocks[-1], flush=True)
    path = report.write(HERE / "out", "benchmarks", "\n\n".join(blocks), report.as_data(where, results))
    print(f"\nwritten: {path} and .json beside it")
    missed = any(result.met(bar) is False for result in results for bar in result.case.bars)
    failed = any(side != "peer" for result in results for side in result.failures)
    return int(missed or failed)


if __name__ == "__main__":
    sys.exit(main())
