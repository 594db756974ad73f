# SPDX-License-Identifier: Apache-2.0
"""Loop nests as text in a language of C's family: what CUDA C++, OpenCL C and their kin have in common."""

from .access_analysis import (
    ALL,
    FIRST,
    MANY,
    Hazards,
    Sharing,
    is_aligned,
    is_overwritten,
    made_in,
    owner,
    steady,
    width_of,
)
from .affine_text import affine_text
from .language import Language, is_narrow
from .nests import Level, Nest, Nests, accesses, is_distinct, loops_of, neutral, same
from .per_thread import PerThreadPlan, emit_indices, is_wide
from .state import state_of_text
from .strided import joined, split_index, strides_of
from .thread_group import ThreadGroup
from .writer import Writer

__all__ = [
    "ALL", "FIRST", "MANY", "Hazards", "Language", "Level", "Nest", "Nests", "PerThreadPlan", "Sharing",
    "ThreadGroup", "Writer", "accesses", "affine_text", "emit_indices", "is_aligned", "is_distinct", "is_narrow",
    "is_overwritten", "is_wide", "joined", "loops_of", "made_in", "neutral", "owner", "same", "split_index",
    "state_of_text", "steady", "strides_of", "width_of",
]
