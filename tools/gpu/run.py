"""Runs one piece within its time; stores its output and reads its report."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
import xml.etree.ElementTree as ElementTree
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
    report = into / (f"{piece.name}.xml" if piece.is_tests else f"{piece.name}-report")
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
    """The counts and the failures in a report of pytest."""
    root = ElementTree.parse(report).getroot()  # our own process wrote it
    cases = list(root.iter("testcase"))
    failed = [case for case in cases if any(case.find(tag) is not None for tag in ("failure", "error"))]
    skipped = sum(case.find("skipped") is not None for case in cases)
    failures = []
    for case in failed[:_MOST_FAILURES]:
        problem = case.find("failure")
        problem = case.find("error") if problem is None else problem
        text = (problem.text or "") if problem is not None else ""
        failures.append({"test": f"{case.get('classname')}::{case.get('name')}", "text": text[-_MOST_TEXT:]})
    return {"run": len(cases) - skipped, "passed": len(cases) - skipped - len(failed), "skipped": skipped,
            "failed": len(failed), "failures": failures}


def _end(process: subprocess.Popen[Any]) -> None:
    """Kills a command and its children."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    process.wait()
