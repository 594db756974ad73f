# SPDX-License-Identifier: Apache-2.0
"""Runs the own tests of libraries written for JAX with JAX and with olympus, and compares.

`python -m tools.libraries [LIBRARY...]`, in an environment that has both (`make libraries` makes one). The exit code is
1 if a test that passes with JAX fails here and the table `exceptions.json` does not say why.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from . import catalogue, report, sources
from .run import SIDES, Outcome, outcomes

_USAGE = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(prog="python -m tools.libraries", description=__doc__)
    parser.add_argument("libraries", nargs="*", metavar="LIBRARY", help="the libraries; all by default")
    parser.add_argument("--into", type=Path, default=Path(".libraries"), metavar="FOLDER",
                        help="where source distributions and results are kept")
    parser.add_argument("--file", default="", metavar="PART", help="only files with tests that have this in their path")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="the time of one test (default: 60)")
    parser.add_argument("--again", action="store_true", help="run JAX's side, too, where its results are known")
    parser.add_argument("--requirements", action="store_true", help="print what the environment needs, and end")
    options = parser.parse_args(arguments)
    if options.requirements:
        wanted = (catalogue.PEER, *catalogue.FOR_TESTS, *(one.requirement for one in catalogue.LIBRARIES))
        sys.stdout.write("\n".join(wanted) + "\n")
        return 0
    unknown = [name for name in options.libraries if name not in catalogue.BY_NAME]
    if unknown:
        sys.stderr.write(f"tools.libraries: the catalogue has no library {', '.join(unknown)}\n")
        return _USAGE
    place = options.into.resolve()
    verdicts = []
    for name in options.libraries or catalogue.BY_NAME:
        library = catalogue.BY_NAME[name]
        if not sources.test_files(library, place):
            sys.stdout.write(f"{name}: its source distribution has no tests, and none are written\n")
            continue
        results: dict[str, list[Outcome]] = {}
        for side in SIDES:
            kept = place / "results" / f"{library.requirement}-{side}{'-' if options.file else ''}" \
                f"{options.file.replace('/', '-')}.json"
            if side == "olympus" or options.again or not kept.exists():
                results[side] = list(outcomes(library, side, place, options.seconds, options.file))
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_text(json.dumps([vars(one) for one in results[side]], indent=1), encoding="utf-8")
            else:
                results[side] = [Outcome(**one) for one in json.loads(kept.read_text(encoding="utf-8"))]
        verdicts.append(report.verdict(name, results["peer"], results["olympus"]))
        sys.stdout.write(f"{name}:\n{report.told(verdicts[-1])}")
        sys.stdout.flush()
    sys.stdout.write(report.table(verdicts))
    return int(any(one.unexplained for one in verdicts))


if __name__ == "__main__":
    sys.exit(main())
