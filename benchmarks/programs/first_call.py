# SPDX-License-Identifier: Apache-2.0
"""The first call of a compiled function in a fresh process: prints ``=MILLISECONDS``.

Arguments: the library and ``chain`` or ``mlp``. The backend is up and has compiled something else before.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from works.chains import operands, ten
from works.models import mlp
from works.side import Side, compare, settle

side, which = Side(sys.argv[1]), sys.argv[2]
if which == "mlp":
    work = mlp(side)
    f, arguments, truth = work.names["f"], (work.names["x"], work.names["p"]), work.truth
else:
    data = operands(1, 1000, "float32")[0]
    f, arguments, truth = side.jit(lambda x: ten(side.np, x, 1.25)), (side.put(data),), lambda: ten(np, data, 1.25)
side.wait(side.jit(lambda x: x - 3)(side.put(np.zeros(3, np.float32))))
side.wait(arguments)
settle()

started = time.perf_counter()
result = side.wait(f(*arguments))
elapsed = time.perf_counter() - started
compare(result, truth(), 1e-4)
print(f"={elapsed * 1e3}")
