# SPDX-License-Identifier: Apache-2.0
"""Serves works: reads a line of JSON, answers with ``=NUMBER``, or with ``!TEXT`` when it failed.

``{"do": "open", "work": NAME, "with": {...}}`` makes a work, compares its result, with another side's in the folder
``against`` too where one is named, and gives the microseconds of a later call; ``{"do": "time", "count": N}`` gives
those of one of N calls; ``{"do": "demand", "of": NAME}`` what the work needs at least, by what `works.counting` counts;
``{"do": "close"}`` forgets the work.

Arguments: the library; for one process of several also its index, their number and the coordinator's port.
"""

from __future__ import annotations

import gc
import json
import sys
import traceback
from pathlib import Path
from typing import Any

from works import WORKS
from works.counting import demand
from works.side import Side, Work, settle

side = Side(sys.argv[1], sys.argv[2:])
timer: Any = None
work: Work | None = None


def answer(request: dict[str, Any]) -> float:
    global timer, work
    if request["do"] == "close":
        timer = work = None
        gc.collect()
        return 0.0
    if request["do"] == "open":
        work = WORKS[request["work"]](side, **request["with"])
        work.check(side, Path(request["against"]) if "against" in request else None)
        timer = work.timer(side)
        settle()
        timer.timeit(1)
        return timer.timeit(1) * 1e6
    if request["do"] == "demand":
        return demand(side, work).get(request["of"], 0.0)
    timer.timeit(1)  # wakes the threads, some of which the system first lets wait for each other
    return timer.timeit(request["count"]) / request["count"] * 1e6


for line in sys.stdin:
    try:
        text = f"={answer(json.loads(line))}"
    except Exception as error:  # noqa: BLE001  (whatever it is, the row shows it)
        traceback.print_exc()
        text = f"!{type(error).__name__}: {error}".replace("\n", " ")
    settle()
    print(text, flush=True)
