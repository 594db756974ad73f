# SPDX-License-Identifier: Apache-2.0
"""Training steps read from their artefacts and called in a fresh process, against their first compilation."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from benchmarks.measure import Case, Sample, Setup, ratio
from benchmarks.processes import PROGRAMS, run_to_end

from .compiling import variables
from .starts import answer


@contextmanager
def _open(what: str, which: str, setup: Setup) -> Iterator[Sample]:
    with tempfile.TemporaryDirectory() as folder:
        command = [setup.python, str(PROGRAMS / "exported.py"), which]
        kept = variables("olympus", folder if what == "load" else None)
        if what == "load":
            run_to_end([[*command, "store", folder]], kept)
        yield lambda: answer(run_to_end([[*command, what, folder]], kept)[1][0])


CASES = tuple(
    Case(
        name=f"artefact-{which}", title=f"a training step of {title}: read and called, or compiled for the first time",
        unit="ms", row="artefacts", sides={"artefact": partial(_open, "load", which), "compiled": partial(
            _open, "first", which)},
        bars=(ratio("artefact", "compiled", 0.2),), rounds=9, quick_rounds=3,
    )
    for which, title in (("mlp", "an MLP"), ("transformer", "a transformer")))
