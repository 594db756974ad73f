"""Numbers with names."""

from __future__ import annotations

import math

pi: float = math.pi
e: float = math.e
euler_gamma: float = 0.5772156649015329
inf: float = math.inf
nan: float = math.nan
newaxis = None
