# SPDX-License-Identifier: Apache-2.0
"""The recorded device programs of the documents' programs, and having them compiled, once."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from olympus_tpu import environment
from olympus_tpu.slices import slice_of, slices
from tests.documents.catalogue import JOBS, PROGRAMS, Job
from tests.documents.jobs import folder_of

Piece = dict[str, Any]
_SECONDS = 300


def jobs() -> list[Job]:
    """The jobs of the catalogue without those of one process whose programs run in several, too."""
    many = {(job.document, name) for job in JOBS if job.processes > 1 for name in job.programs}
    return [job for job in JOBS if not {(job.document, name) for name in job.programs} <= many or job.processes > 1]


@cache
def recorded() -> dict[str, list[Piece]]:
    """For each program the device programs that it has compiled, each once."""
    found: dict[str, dict[str, Piece]] = {f"{document}/{name}": {} for document, name in PROGRAMS}
    for job in jobs():
        folder = folder_of(job)
        lines = [line for file in sorted(folder.glob("*.jsonl")) for line in file.read_text().splitlines()]
        said = (folder / "said").read_text()
        assert len(lines) == job.processes * len(job.programs), f"{job} ended early\n{said}"
        for file in sorted(folder.glob("*.pieces")):
            for piece in map(json.loads, file.read_text().splitlines()):
                found[piece["program"]].setdefault(key(piece), piece)
    return {program: list(pieces.values()) for program, pieces in found.items()}


def key(piece: Piece) -> str:
    """Equal for what one compilation serves: which device a program of one device runs on does not matter."""
    positions = piece["positions"] if len(piece["positions"]) > 1 else []
    return json.dumps([piece["text"] or piece["refusal"], positions, piece["devices"]])


def slice_for(generation: str, devices: int) -> str:
    """The generation's smallest slice with so many devices."""
    return next(s.name for s in slices() if s.generation is slice_of(f"{generation}-8").generation
                and s.devices >= devices)


@cache
def compiled(generation: str, programs: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """What libtpu says of each of the programs' pieces, by key; all in one process."""
    pieces = {key(piece): piece for program in programs for piece in recorded()[program] if piece["text"]}
    with tempfile.TemporaryDirectory() as folder:
        requests, answers = Path(folder, "requests"), Path(folder, "answers")
        requests.write_text("".join(
            json.dumps({"slice": slice_for(generation, piece["devices"]), "text": piece["text"],
                        "positions": piece["positions"]}) + "\n"
            for piece in pieces.values()
        ))
        done = subprocess.run(
            [sys.executable, "-m", "tests.tpu.documents.batch", str(requests), str(answers)],
            env=environment.without_hardware(), capture_output=True, text=True, timeout=_SECONDS, check=False,
        )
        lines = answers.read_text().splitlines() if answers.exists() else []
    assert len(lines) == len(pieces), f"libtpu ended at piece {len(lines)} of {len(pieces)}\n{done.stderr[-3000:]}"
    return dict(zip(pieces, map(json.loads, lines), strict=True))


def total(counts: Sequence[dict[str, int]]) -> dict[str, int]:
    """The sum of counts by name."""
    return {name: sum(c.get(name, 0) for c in counts) for name in {name for c in counts for name in c}}
