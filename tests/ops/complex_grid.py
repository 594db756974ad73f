# SPDX-License-Identifier: Apache-2.0
"""Complex numbers whose parts are infinite, no numbers, zeros of either sign, or as large as exponentials overflow."""

from __future__ import annotations

import numpy as np

PARTS = (0.0, -0.0, 1.0, -1.0, 0.5, 1e-3, np.inf, -np.inf, np.nan, 800.0, -800.0)


def grid(count: int) -> list[np.ndarray]:
    """All pairs of parts, and all pairs of these."""
    x = np.array([(a, b) for a in PARTS for b in PARTS]).view(np.complex128)[:, 0]
    return [x] if count == 1 else [np.repeat(x, x.size), np.tile(x, x.size)]
