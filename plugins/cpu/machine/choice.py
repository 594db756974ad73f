# SPDX-License-Identifier: Apache-2.0
"""What a user chooses of this machine: `Choice`, the instructions that code is for and whether all bits are the same.

The levels are those of the x86-64 psABI ("System V Application Binary Interface, AMD64", section 3.1.1): a job whose
machines differ may name the one that all have. The reproducible form is explained in `docs/decisions/0096`.
"""

from __future__ import annotations

import os
from functools import lru_cache

from olympus_core.dataclass import dataclass
from olympus_core.errors.config import OptionValueError

LEVEL_VARIABLE, WIDTH_VARIABLE = "OLYMPUS_CPU_LEVEL", "OLYMPUS_CPU_VECTOR_BITS"
PAGES_VARIABLE = "OLYMPUS_CPU_HUGE_PAGES"

_V2 = ("cx16", "popcnt", "sse3", "ssse3", "sse4.1", "sse4.2")
_V3 = (*_V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
LEVELS = {
    "x86-64": (), "x86-64-v2": _V2, "x86-64-v3": _V3,
    "x86-64-v4": (*_V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"),
}
WIDTHS = ("128", "256", "512")


@dataclass(frozen=True, slots=True)
class Choice:
    """What code is generated for, where it is not simply this machine.

    Args:
        level: The level of x86-64; None for all that the processor has.
        vector_bits: The width of vectors; None for the widest that the level has.
        is_reproducible: Whether results have the same bits for every level and every width.
    """

    level: str | None = None
    vector_bits: int | None = None
    is_reproducible: bool = False


_is_reproducible = False


def use_reproducible(wanted: bool) -> None:
    """Sets whether code that is generated from now on gives the same bits on every processor.

    Args:
        wanted: Whether it does.
    """
    global _is_reproducible
    _is_reproducible = wanted


def choice() -> Choice:
    """What this process generates code for.

    Raises:
        OptionValueError: A variable names no level, or no width.
    """
    level, width = _from_environment()
    return Choice(level, width, _is_reproducible)


@lru_cache(maxsize=1)
def _from_environment() -> tuple[str | None, int | None]:
    level, width = (os.environ.get(name) or None for name in (LEVEL_VARIABLE, WIDTH_VARIABLE))
    if level is not None and level not in LEVELS:
        raise OptionValueError(LEVEL_VARIABLE, level, f"one of {', '.join(LEVELS)}", "environment")
    if width is not None and width not in WIDTHS:
        raise OptionValueError(WIDTH_VARIABLE, width, f"one of {', '.join(WIDTHS)}", "environment")
    return level, None if width is None else int(width)


def chosen_huge_pages() -> bool | None:
    """Whether memory is asked of the system in huge pages; None where the user leaves it to the machine.

    Raises:
        OptionValueError: The variable is neither 0 nor 1.
    """
    wish = os.environ.get(PAGES_VARIABLE) or None
    if wish not in (None, "0", "1"):
        raise OptionValueError(PAGES_VARIABLE, wish, "0 or 1", "environment")
    return None if wish is None else wish == "1"


def features_of(level: str, triple: str, features: str) -> str:
    """The features of a level, in LLVM's words.

    Args:
        level: The level.
        triple: LLVM's name of this machine's architecture.
        features: What this machine's processor has, in LLVM's words; empty where that is not known.

    Raises:
        OptionValueError: This processor does not have all of them.
    """
    has = {part[1:] for part in features.split(",") if part.startswith("+")}
    missing = [name for name in LEVELS[level] if features and name not in has]
    if missing or not triple.startswith("x86_64"):
        what = f"this processor has no {', '.join(missing)}" if missing else f"this machine is {triple}"
        raise OptionValueError(LEVEL_VARIABLE, level, f"a level that this machine has: {what}", "environment")
    return ",".join(f"+{name}" for name in ("sse2", *LEVELS[level]))
