# SPDX-License-Identifier: Apache-2.0
"""Runs one piece within its time; stores its output and reads its report."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

from .pieces import ROOT, Piece

_MOST_FAILURES = 40
_MOST_TEXT = 2000


def run(piece: Piece, into: Path, seconds: float, jobs: int) -> dict[str, Any]:
    """Runs a piece; its output and its report are stored in `into` under its name.

    Args:
        piece: The piece.
        into: The folder.
        seconds: Its time limit; then it and its children are killed.
        jobs: Number of processes that run tests.

    Returns:
        Its result, for JSON.
    """
    report = into / (f"{piece.name}.jsonl" if piece.is_tests else f"{piece.name}-report")
    if piece.is_tests:
        report.unlink(missing_ok=True)  # an earlier run's
    command = piece.arguments(report, jobs)
    started = time.monotonic()
    with (into / f"{piece.name}.txt").open("w", encoding="utf-8") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, "PYTHONUNBUFFERED": "1", **piece.variables}, stdout=output,
            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            status: int | None = process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            _end(process)
    found: dict[str, Any] = {
        "piece": piece.name, "command": command[1:], "variables": dict(piece.variables),
        "seconds": round(time.monotonic() - started, 1), "status": status, "passed": status == 0,
    }
    if piece.is_tests and report.exists():
        found["tests"] = read(report)
    return found


def told(result: dict[str, Any]) -> str:
    """A result as one line."""
    verdict = "passed" if result["passed"] else "NO END" if result["status"] is None else "FAILED"
    tests = result.get("tests")
    counts = f", {tests['passed']} of {tests['run']} tests passed, {tests['skipped']} skipped" if tests else ""
    return f"{result['piece']:<18} {verdict} in {result['seconds']:.0f} s{counts}"


def write(into: Path, result: dict[str, Any]) -> None:
    """Stores a result as JSON beside the output, and as a line in a list of all results."""
    (into / f"{result['piece']}.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    with (into / "summary.txt").open("a", encoding="utf-8") as summary:
        summary.write(told(result) + "\n")


def read(report: Path) -> dict[str, Any]:
    """The counts and the failures in what `recording` wrote, also of a run that was ended."""
    lines = [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()]
    failed = {line["test"]: line["text"][-_MOST_TEXT:] for line in lines if line["outcome"] == "failed"}
    skipped = {line["test"] for line in lines if line["outcome"] == "skipped"}
    run = {line["test"] for line in lines} - skipped
    failures = [{"test": name, "text": text} for name, text in failed.items()]
    return {"run": len(run), "passed": len(run - failed.keys()), "skipped": len(skipped), "failed": len(failed),
            "failures": failures[:_MOST_FAILURES]}


def _end(process: subprocess.Popen[Any]) -> None:
    """Kills a command and its children."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    process.wait()
