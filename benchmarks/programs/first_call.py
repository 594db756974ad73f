# SPDX-License-Identifier: Apache-2.0
"""The first call of a work in a fresh process: prints ``=MILLISECONDS``.

Arguments: the library, a work's name and its arguments as JSON; for one process of several also its index, their number
and the coordinator's port. The backend is up and has compiled something else before.
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np
from works import WORKS
from works.side import Side, compare, settle

side = Side(sys.argv[1], sys.argv[4:])
work = WORKS[sys.argv[2]](side, **json.loads(sys.argv[3]))
code = compile(work.statement, sys.argv[2], "eval")
side.wait(side.jit(lambda x: x - 3)(side.put(np.zeros(3, np.float32))))
side.wait([value for value in work.names.values() if not callable(value)])
settle()

started = time.perf_counter()
result = side.wait(eval(code, dict(work.names)))
elapsed = time.perf_counter() - started
if work.truth is not None:
    compare(work.read(result), work.truth() if callable(work.truth) else work.truth, work.tolerance, side.host)
print(f"={elapsed * 1e3}")
