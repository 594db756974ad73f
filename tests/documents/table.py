# SPDX-License-Identifier: Apache-2.0
"""The table of `docs/documents.md`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from .catalogue import ABOUT, JOBS, PROGRAMS, TEXTS, TITLES, Program

PATH = Path(__file__).resolve().parents[2] / "docs" / "documents.md"

_HEAD = """\
# The programs of the documents

Five texts specify what olympus does. They are tutorials for people who program many devices in many processes:

"""
_METHOD = """\

Each of their programs is a test. It runs as it is printed, with `jax` read as `olympus`, and its output is compared
with what is printed, device names and numbers included; where two texts disagree, the first two stand. The programs
and their outputs are in `tests/documents/programs`, in the folder that the table names. *4 x 2* is 4 processes with 2
CPU devices each. This page is written by `pytest tests/documents --write-documents-table`; not by hand.

"""
_STARTS = {"plain": "", "mpiexec": " by `mpiexec`", "launch": " by `olympus launch`"}


def render(states: Mapping[tuple[str, str], str]) -> str:
    """The page.

    Args:
        states: What became of each program, by document and name.
    """
    runs = sum(state == "runs" for state in states.values())
    listed = [f"| {title} | {ABOUT[document]} | `{document}` |\n" for document, title in TITLES.items()]
    parts = [_HEAD, "| text | about | folder |\n|---|---|---|\n", *listed, _METHOD]
    parts.append(f"{runs} of {len(PROGRAMS)} programs run.\n")
    for document, title in TITLES.items():
        parts.append(f"\n## {title}\n\n| section | program | runs in | state | remark |\n")
        parts.append("|---|---|---|---|---|\n")
        parts += [_row(p, states[key]) for key, p in PROGRAMS.items() if p.document == document]
    parts.append("\n## What else is printed\n\n| text | section | what | test |\n|---|---|---|---|\n")
    parts += [f"| {TITLES[t.document]} | {t.section} | {t.what} | `{t.test}` |\n" for t in TEXTS]
    return "".join(parts)


def _row(program: Program, state: str) -> str:
    shapes = [
        f"{job.processes} x {job.devices or 8}{_STARTS[job.start]}" for job in JOBS
        if job.document == program.document and program.name in job.programs
    ]
    cells = (program.section, f"`{program.name}`", ", ".join(shapes), state, program.remark)
    return "| " + " | ".join(cells) + " |\n"
