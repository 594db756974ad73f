# SPDX-License-Identifier: Apache-2.0
"""Polynomials that platforms make functions of: minimax fits by the Remez exchange, by `tools/fit_polynomials.py`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any

FILE = "special_functions/polynomials.json"


def coefficients(name: str) -> Mapping[str, Any]:
    """A polynomial's coefficients, highest first; of a quotient those above and those below.

    Args:
        name: What the table calls it.

    Returns:
        By precision: ``"float"``, ``"double"``, or ``"short"``, for results of float32 that are computed in float64.

    Example:
        >>> coefficients("CBRT")["double"][0]
        8.811853100466455e-05
    """
    return {precision: fit["coefficients"] for precision, fit in _table()[name].items()}


@lru_cache(maxsize=1)
def _table() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(resources.files(__package__).joinpath(FILE).read_text(encoding="utf-8"))
    return found
