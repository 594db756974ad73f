# SPDX-License-Identifier: Apache-2.0
"""The peak of a whole process's memory."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from statistics import mean
from typing import Any

from benchmarks.measure import Case, Sample, Setup, ratio
from benchmarks.processes import run_to_end
from benchmarks.servers import LIBRARIES, Kind

from .chains import CHAINS, SIZES, TYPES
from .starts import answer

ROW = "peak memory"


@contextmanager
def peak(side: str, work: str, arguments: Mapping[str, Any], kind: Kind, setup: Setup) -> Iterator[Sample]:
    library = LIBRARIES[side]
    """Each sample gives the MiB of processes that make a work's calls."""

    def sample() -> float:
        commands = kind.commands(library, setup.python_of(side), "peak.py", [work, json.dumps(arguments)])
        return mean(map(answer, run_to_end(commands, kind.variables(library))[1]))

    yield sample


def _case(name: str, title: str, work: str, arguments: Mapping[str, Any], wide: bool, in_quick: bool) -> Case:
    sides = {side: partial(peak, side, work, arguments, Kind(wide=wide)) for side in ("olympus", "peer", "numpy")}
    return Case(
        name=name, title=title, unit="MiB", row=ROW, sides=sides, bars=(ratio("olympus", "peer", 1.0),), rounds=3,
        quick_rounds=1, warmups=0, in_quick=in_quick,
    )


CASES = (
    _case("peak-mlp", "MLP forward", "mlp", {}, False, True),
    *(
        _case(f"peak-{chain}-{kind}", f"{text}, 1e7 {TYPES[kind]}", "chain",
              {"which": chain, "size": SIZES["1e7"], "dtype": TYPES[kind]}, kind == "f64", chain == "sin")
        for kind in TYPES for chain, text in CHAINS.items()
    ),
)
