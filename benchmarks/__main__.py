# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmarks: ``python -m benchmarks [--only NAME] [--quick]``."""

from __future__ import annotations

import argparse
import fnmatch
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from . import machine, plot, report, roof, summary
from .cases import CASES
from .measure import Case, Setup, run
from .processes import HERE


def chosen(cases: Sequence[Case], patterns: Sequence[str] | None, quick: bool) -> list[Case]:
    """The benchmarks of which a pattern is the name; without patterns all, or all that the quick run has."""
    if not patterns:
        return [case for case in cases if case.in_quick or not quick]
    return [case for case in cases if any(fnmatch.fnmatchcase(case.name, pattern) for pattern in patterns)]


def main(
    arguments: list[str] | None = None, every: Sequence[Case] = CASES, name: str = "benchmarks",
    further: Mapping[str, str] | None = None,
) -> int:
    """Runs what is asked for; 1 when a bar is missed or olympus failed, else 0.

    Args:
        arguments: The command line's; the process's own when None.
        every: The benchmarks that there are.
        name: The command, and the files of a whole run.
        further: What else the table says of the machine.
    """
    parser = argparse.ArgumentParser(prog=name, description="olympus and its peer, side by side in one run")
    parser.add_argument("--only", action="append", metavar="NAME",
                        help="run this one, or all that a pattern such as 'chain-*-f64' fits; may be repeated")
    parser.add_argument("--list", action="store_true", help="tell the names and end")
    parser.add_argument("--quick", action="store_true", help="fewer rounds and no large sizes: a rough figure")
    parser.add_argument("--peer-python", default=sys.executable, metavar="PATH",
                        help="the interpreter that has the peer; this one by default")
    parser.add_argument("--output", type=Path, default=HERE / "out", metavar="FOLDER", help="where the results go")
    options = parser.parse_args(arguments)
    if options.list:
        print("\n".join(f"{case.name:<24} {case.row}: {case.title}" for case in every))
        return 0
    if shutil.which(options.peer_python) is None:
        parser.error(f"no interpreter at {options.peer_python}")
    cases = chosen(every, options.only, options.quick)
    if not cases:
        parser.error(f"no benchmark is named {' or '.join(options.only)}; --list tells the names")

    setup = Setup(sys.executable, options.peer_python, options.quick)
    where = {**machine.describe(setup.python, setup.peer_python), **(further or {})}
    # At both ends of the run, and the most of both: what disturbs the machine at one end may be gone at the other.
    is_asked = any(callable(case.demand) for case in cases)
    limits = roof.measured(setup.python, machine.caches()) if is_asked else None
    results, started = [], time.monotonic()
    try:
        for number, case in enumerate(cases, 1):
            results.append(run(case, setup))
            told = report.table(results[-1], limits)
            print(f"[{number}/{len(cases)}, {time.monotonic() - started:.0f} s] {told}", flush=True)
    finally:
        setup.servers.close()
    if limits is not None:
        limits = limits.together(roof.measured(setup.python, machine.caches()))
        where = {**where, "roof": limits.describe()}
    loudest = max(results, key=lambda result: result.load)
    where = {
        **where, "run": f"{'quick, ' if options.quick else ''}{time.monotonic() - started:.0f} s",
        # The sides disturb each other only in turn: much more than the processes of a row is somebody else's.
        "load": f"{where['load']}, at most {loudest.load:.1f} ({loudest.case.name})",
    }

    lines = summary.lines(results, limits)
    summary.show(lines, where)
    text = summary.terminal(lines, where) + "\n" + "\n\n".join(report.table(result, limits) for result in results)
    # Neither some rows nor a rough run may take the place of the last whole one.
    prefix = "" if every is CASES else f"{name}-"
    kind = f"{prefix}some" if options.only else f"{prefix}quick" if options.quick else name
    path = report.write(options.output, kind, text, report.as_data(where, results, limits))
    path.with_suffix(".md").write_text(summary.markdown(lines), encoding="utf-8")
    path.with_suffix(".svg").write_text(plot.plot(lines, f"{where['machine']}; {where['peer']}"), encoding="utf-8")
    print(f"written: {path}; .json, .md and .svg beside it")
    missed = any(line.verdict == "MISSED" for line in lines)
    failed = any(side not in ("peer", "numpy") for result in results for side in result.failures)
    return int(missed or failed)


if __name__ == "__main__":
    sys.exit(main())
