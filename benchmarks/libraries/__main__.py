# SPDX-License-Identifier: Apache-2.0
"""Runs the libraries' programs with JAX and with olympus, compares the losses and writes a table of the times.

`python -m benchmarks.libraries [--only NAME] [--rounds N]`, in the environment that `make libraries` makes. The exit
status is 1 where losses differ by more than float32's tolerance, or a program does not run with olympus.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from ..processes import HERE

_ROOT = Path(__file__).parents[2]
_SIDES = ("peer", "olympus")
# Steps follow each other: what the last bit of float32 (6e-8) becomes after some tens of them.
_TOLERANCE = 2e-4
_LIMIT = 900.0


def names() -> list[str]:
    """The programs."""
    return sorted(path.stem for path in (Path(__file__).parent / "programs").glob("*.py") if path.stem != "__init__")


def run(name: str, side: str) -> dict[str, Any]:
    """Runs one program in a process of its own; ``error`` in the result says why there is none."""
    door = ["-m", "olympus.as_jax"] if side == "olympus" else []
    paths = [str(_ROOT), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    try:
        done = subprocess.run([sys.executable, *door, "-m", "benchmarks.libraries.child", name], cwd=_ROOT, text=True,
                              env=environment, capture_output=True, timeout=_LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return {"error": f"still runs after {_LIMIT:g} s"}
    if done.returncode:
        return {"error": (done.stderr.strip().splitlines() or ["no output"])[-1]}
    return json.loads(done.stdout.splitlines()[-1])


def apart(one: list[float], other: list[float]) -> float:
    """The largest relative difference of two loss curves; infinite where one is not finite and the other is."""
    if len(one) != len(other):
        return float("inf")
    scale = max((abs(loss) for loss in one if loss == loss), default=1.0)
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if not (a != a and b != b)]
    differences = [abs(a - b) / max(abs(a), 1e-3 * scale, 1e-30) for a, b in pairs]
    return max((d if d == d else float("inf") for d in differences), default=0.0)


def row(name: str, rounds: int) -> tuple[dict[str, Any], bool]:
    """A program's row: sides in turn, the median of each time."""
    found: dict[str, list[dict[str, Any]]] = {side: [] for side in _SIDES}
    for _ in range(rounds):
        for side in _SIDES:
            found[side].append(run(name, side))
    errors = {side: each[0]["error"] for side, each in found.items() if "error" in each[0]}
    if errors:
        return {"name": name, "errors": errors}, "olympus" not in errors
    times = {side: {kind: statistics.median(one[kind] for one in each) for kind in ("import", "make", "first", "step")}
             for side, each in found.items()}
    peer, here = found["peer"][0]["losses"], found["olympus"][0]["losses"]
    difference = apart(peer, here)
    return {"name": name, "losses": {"peer": peer, "olympus": here}, "difference": difference, "times": times}, \
        difference <= found["olympus"][0].get("tolerance", _TOLERANCE)


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as a table of Markdown."""
    lines = ["| library | first, last loss | apart | step, olympus / JAX | ratio | first call, olympus / JAX | ratio |",
             "|---|---|---|---|---|---|---|"]
    for one in rows:
        if "errors" in one:
            said = "; ".join(f"{side}: {error}" for side, error in one["errors"].items())
            lines.append(f"| {one['name']} | {said} | | | | | |")
            continue
        ours, theirs = one["times"]["olympus"], one["times"]["peer"]
        curve = one["losses"]["olympus"]
        cells = [one["name"], f"{curve[0]:.6g}, {curve[-1]:.6g}", f"{one['difference']:.1e}"]
        for kind in ("step", "first"):
            cells += [f"{1e3 * ours[kind]:.3g} / {1e3 * theirs[kind]:.3g} ms", f"{ours[kind] / theirs[kind]:.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.libraries", description=__doc__)
    parser.add_argument("--only", action="append", choices=names(), help="this program; may be repeated")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="processes of each side (default: 3)")
    parser.add_argument("--output", type=Path, default=HERE / "out", metavar="FOLDER", help="where the results go")
    options = parser.parse_args(arguments)
    rows, good = [], True
    for name in options.only or names():
        found, fine = row(name, options.rounds)
        rows.append(found)
        good = good and fine
        print(table([found]).splitlines()[-1], flush=True)
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "libraries.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    (options.output / "libraries.md").write_text(table(rows), encoding="utf-8")
    print(table(rows))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
