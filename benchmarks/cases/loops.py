# SPDX-License-Identifier: Apache-2.0
"""Loops of 1000 small iterations, in one jitted function. The bars are our own: at most the peer's time."""

from __future__ import annotations

from functools import partial

from .served import case

LOOPS, SIDES = "loops of small iterations", ("olympus", "peer")
_case = partial(case, sides=SIDES, uncounted="each turn waits for the one before: latency, not what a machine can do")

CASES = (
    _case("loop-count", "1000 iterations of c * 0.999 + 1 on 8 floats", LOOPS, 1.0, "loop", {"which": "count"}),
    _case("loop-scan", "a scan of c * 0.9 + a over 1000 floats", LOOPS, 1.0, "loop", {"which": "scan"}),
    _case("loop-until", "c * 1.01 + 0.5 until it is 1e6", LOOPS, 1.0, "loop", {"which": "until"}),
    _case("loop-nested", "a scan of 100 iterations with 10 in each", LOOPS, 1.0, "loop", {"which": "nested"}),
    _case("loop-update", "999 rows of 256 written one by one from the row before", LOOPS, 1.0, "loop",
          {"which": "update"}),
    _case("loop-mapped", "4 loops of 50 to 300 turns under vmap, each turn writes one of 100,000 elements", LOOPS, 1.0,
          "mapped_loop"),
    *(_case(f"loop-cholesky-{n}", f"1000 turns: Cholesky's factor of {n} x {n} and a solution", LOOPS, 1.0,
            "solver_loop", {"which": "cholesky", "n": n}) for n in (4, 16)),
    *(_case(f"loop-solve-{n}", f"1000 turns: equations with {n} unknowns", LOOPS, 1.0, "solver_loop",
            {"which": "solve", "n": n}) for n in (4, 16)),
    _case("loop-fit", "200 turns of Gauss-Newton by QR of 8 x 4", LOOPS, 1.0, "solver_loop", {"which": "fit"}),
    _case("loop-sort", "a scan that sorts 1000 lines of 32", LOOPS, 1.0, "solver_loop", {"which": "sort"}),
    _case("loop-check", "100 turns with an error, a callback in a branch, that does not happen", LOOPS, 1.0,
          "solver_loop", {"which": "check"}),
)
