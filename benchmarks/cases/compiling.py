# SPDX-License-Identifier: Apache-2.0
"""The cost of the first call of a function: compilation, with and without a cache from an earlier process."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from statistics import mean
from typing import Any

from benchmarks.measure import Case, Sample, Setup, ratio
from benchmarks.processes import run_to_end
from benchmarks.servers import LIBRARIES, Kind

from .served import case
from .starts import answer

ROW = "cold compile"
_WHAT = {"ten": "a chain of 10 operations", "mlp": "the MLP"}
_UNCOUNTED = "the time of compilation"
_NAMES = {"ten": "chain", "mlp": "mlp"}


def variables(side: str, folder: str | None) -> dict[str, str]:
    """The environment variables with which a side caches everything that it compiles in a folder, or nothing."""
    if side == "olympus":
        if folder is None:
            return {"OLYMPUS_ENABLE_COMPILATION_CACHE": "0"}
        return {"OLYMPUS_ENABLE_COMPILATION_CACHE": "1", "OLYMPUS_COMPILATION_CACHE_DIR": folder}
    if folder is None:
        return {"JAX_ENABLE_COMPILATION_CACHE": "0"}
    # By default the peer caches only programs that took long to compile.
    return {
        "JAX_COMPILATION_CACHE_DIR": folder, "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }


@contextmanager
def first_call(
    side: str, work: str, arguments: Mapping[str, Any], kind: Kind, kept: bool, setup: Setup,
) -> Iterator[Sample]:
    """Each sample gives the milliseconds of a work's first call in fresh processes."""
    library = LIBRARIES[side]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**kind.variables(library), **variables(side, folder if kept else None)}

        def sample() -> float:
            commands = kind.commands(library, setup.python_of(side), "first_call.py", [work, json.dumps(arguments)])
            return mean(map(answer, run_to_end(commands, environment)[1]))

        yield sample


def _case(which: str, kept: bool) -> Case:
    how = "kept by an earlier process" if kept else "nothing kept"
    return Case(
        name=f"compile-{_NAMES[which]}" + "-kept" * kept, title=f"first call of {_WHAT[which]}, fresh process, {how}",
        unit="ms", row=ROW,
        sides={side: partial(first_call, side, which, {}, Kind(), kept) for side in ("olympus", "peer")},
        bars=(ratio("olympus", "peer", 0.5),), rounds=9, quick_rounds=3,
    )


CASES = tuple(_case(which, kept) for which in _WHAT for kept in (False, True))

SERVED = (
    case("compile-chain-fresh", "first call of a new chain of 10 operations, running process", ROW, 0.5, "fresh",
         sides=("olympus", "peer"), uncounted=_UNCOUNTED),
    case("compile-mlp-fresh", "first call of a new MLP, running process", ROW, 0.5, "fresh_mlp",
         sides=("olympus", "peer"), uncounted=_UNCOUNTED),
)
