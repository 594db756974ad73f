"""The table of `docs/documents.md`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from .catalogue import JOBS, PROGRAMS, TEXTS, TITLES, Program

PATH = Path(__file__).resolve().parents[2] / "docs" / "documents.md"

_HEAD = """\
# The programs of the documents

Written by `pytest tests/documents --write-documents-table`; not by hand. Each program runs as it is printed, with
`jax` read as `olympus`, and its output is compared with what is printed, device names and numbers included; where two
documents disagree, 000 and 001 stand. The programs and their outputs are in `tests/documents/programs`, with a name
each. *4 x 2* is 4 processes with 2 CPU devices each.

"""
_STARTS = {"plain": "", "mpiexec": " by `mpiexec`", "launch": " by `olympus launch`"}


def render(states: Mapping[tuple[str, str], str]) -> str:
    """The page.

    Args:
        states: What became of each program, by document and name.
    """
    runs = sum(state == "runs" for state in states.values())
    parts = [_HEAD, f"{runs} of {len(PROGRAMS)} programs run.\n"]
    for document, title in TITLES.items():
        parts.append(f"\n## {document}: {title}\n\n| section | program | runs in | state | remark |\n")
        parts.append("|---|---|---|---|---|\n")
        parts += [_row(p, states[key]) for key, p in PROGRAMS.items() if p.document == document]
    parts.append("\n## What else is printed\n\n| document | section | text | test |\n|---|---|---|---|\n")
    parts += [f"| {t.document} | {t.section} | {t.what} | `{t.test}` |\n" for t in TEXTS]
    return "".join(parts)


def _row(program: Program, state: str) -> str:
    shapes = [
        f"{job.processes} x {job.devices or 8}{_STARTS[job.start]}" for job in JOBS
        if job.document == program.document and program.name in job.programs
    ]
    cells = (program.section, f"`{program.name}`", ", ".join(shapes), state, program.remark)
    return "| " + " | ".join(cells) + " |\n"
