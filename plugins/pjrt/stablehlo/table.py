# SPDX-License-Identifier: Apache-2.0
"""The table of emission functions, filled by the modules of this folder."""

from __future__ import annotations

from collections.abc import Callable

from .writer import Emission

EMISSIONS: dict[str, Emission] = {}


def emits(*names: str) -> Callable[[Emission], Emission]:
    """A decorator that registers the emission function of some operations."""

    def enter(function: Emission) -> Emission:
        EMISSIONS.update(dict.fromkeys(names, function))
        return function

    return enter
