"""Random programs: what draws them, what they may give, and what makes a failing one small.

The draws come from anything that looks like `random.Random`: a seed's, or hypothesis's, which shrinks what it drew.
"""

from __future__ import annotations

from .case import Case
from .generate import Allowed, drawn_case, elementwise_for, random_case
from .oracle import Expected, difference
from .shrink import shrunk

__all__ = ["Allowed", "Case", "Expected", "difference", "drawn_case", "elementwise_for", "random_case", "shrunk"]
