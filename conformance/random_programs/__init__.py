# SPDX-License-Identifier: Apache-2.0
"""Random programs: a generator, an oracle of permitted results, and a shrinker of failing cases.

The generator draws from anything with the interface of `random.Random`: a seed, or hypothesis, which shrinks its draws.
"""

from __future__ import annotations

from .case import Case
from .generate import drawn_case, random_case
from .generator import Allowed, elementwise_for
from .oracle import Expected, difference
from .shrink import shrunk

__all__ = ["Allowed", "Case", "Expected", "difference", "drawn_case", "elementwise_for", "random_case", "shrunk"]
