# SPDX-License-Identifier: Apache-2.0
"""The cost of a small call, compiled or not, after the first one, including the wait for its result."""

from __future__ import annotations

from functools import partial

from benchmarks.measure import at_most
from benchmarks.servers import Kind

from .served import case

CALLS, EAGER = "calls", "eager operations on small arrays"
_BOTH = ("olympus", "peer")
_case = partial(case, uncounted="the cost of a call")

CASES = (
    _case("call-1", "jitted x + 1 on 8 floats, one device", CALLS, 0.3, "call",
          bars=(at_most("olympus", 10.0, "µs"),), rounds=101),
    _case("call-tree", "jitted x + 1 on a tree of 10 leaves", CALLS, 0.3, "tree", rounds=101),
    _case("call-ahead", "x + 1 on 8 floats, compiled ahead of time", CALLS, 1.0, "ahead", sides=_BOTH, rounds=101),
    _case("call-pair", "a jitted function that gives both its arguments back", CALLS, 1.0, "pair", sides=_BOTH,
          rounds=101),
    _case("call-lorenz", "100 jitted calls, each a step of Lorenz's equations", CALLS, 1.0, "lorenz", sides=_BOTH),
    _case("retrace-remat", "vjp of five sines under checkpoint, not compiled", EAGER, 1.0, "remat", sides=_BOTH),
    _case("put", "device_put of a NumPy array of 8 x 8", EAGER, 1.0, "put", sides=_BOTH, rounds=101),
    _case("eager-add", "x + y on 8 floats", EAGER, 0.5, "eager", {"which": "add"}, rounds=101),
    _case("eager-sin", "sin(x) on 8 floats", EAGER, 0.5, "eager", {"which": "sin"}, rounds=101),
    _case("eager-index", "x[3] of 8 floats", EAGER, 0.5, "eager", {"which": "index"}, rounds=101),
)

SHARDED = (
    _case("call-8", "jitted x + 1 on 8 floats, split over 8 devices", CALLS, None, "call", kind=Kind(devices=8),
          sides=_BOTH, bars=(at_most("olympus", 100.0, "µs"),), rounds=101),
    _case("shards", "the index of one of 8 addressable shards", CALLS, 1.0, "shards", kind=Kind(devices=8),
          sides=_BOTH, rounds=101),
    _case("pmap-8", "x + 1 on 8 floats of each of 8 devices, by pmap", CALLS, 1.0, "pmapped", kind=Kind(devices=8),
          sides=_BOTH, rounds=101),
    _case("parts-local", "an array over 8 devices from the process's part", CALLS, 1.0, "parts", {"which": "local"},
          Kind(devices=8), sides=_BOTH, rounds=101),
    _case("parts-callback", "an array over 8 devices, part by part", CALLS, 1.0, "parts", {"which": "callback"},
          Kind(devices=8), sides=_BOTH, rounds=101),
)
