# SPDX-License-Identifier: Apache-2.0
"""The peak of a whole process's memory."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from benchmarks.measure import Case, Sample, Setup, ratio
from benchmarks.processes import PROGRAMS, run_to_end
from benchmarks.servers import LIBRARIES, Kind

from .chains import CHAINS, SIZES, TYPES
from .starts import answer

ROW = "peak memory"


@contextmanager
def _open(side: str, work: str, arguments: Mapping[str, Any], kind: Kind, setup: Setup) -> Iterator[Sample]:
    library = LIBRARIES[side]
    command = [setup.python_of(side), str(PROGRAMS / "peak.py"), library, work, json.dumps(arguments)]
    yield lambda: answer(run_to_end([command], kind.variables(library))[1][0])


def _case(name: str, title: str, work: str, arguments: Mapping[str, Any], wide: bool, in_quick: bool) -> Case:
    sides = {side: partial(_open, side, work, arguments, Kind(wide=wide)) for side in ("olympus", "peer", "numpy")}
    return Case(
        name=name, title=title, unit="MiB", row=ROW, sides=sides, bars=(ratio("olympus", "peer", 1.0),), rounds=3,
        quick_rounds=1, warmups=0, in_quick=in_quick,
    )


CASES = (
    _case("peak-mlp", "MLP forward", "mlp", {}, False, True),
    *(
        _case(f"peak-{chain}-{kind}", f"{text}, 1e7 {TYPES[kind]}", "chain",
              {"which": chain, "size": SIZES["1e7"], "dtype": TYPES[kind]}, kind == "f64", chain == "sin")
        for kind in TYPES for chain, (text, _) in CHAINS.items()
    ),
)
