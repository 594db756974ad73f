# SPDX-License-Identifier: Apache-2.0
"""Special functions, segments, sparse products. The bars are our own: at most the peer's time."""

from __future__ import annotations

from .served import case

ROW = "functions of a million numbers"

CASES = (
    *(case(f"function-{which}", f"{which} of 1e6 float32", ROW, 1.0, "special", {"which": which}, rounds=15,
           uncounted=uncounted)
      for which, uncounted in (
          ("logsumexp", ""), ("gammaln", "a series with branches: no least count is known"),
          ("betainc", "a continued fraction, whose length depends on the numbers"))),
    case("function-segment-sum", "segment_sum of 1e6 float32 into 1e4", ROW, 1.0, "segments", rounds=15),
    case("function-sparse", "sparse 1e5 x 1e5 with 1e6 entries times a vector", ROW, 1.0, "sparse_product", rounds=15),
)
