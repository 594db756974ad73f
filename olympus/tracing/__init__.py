# SPDX-License-Identifier: Apache-2.0
"""Tracing: what happens when an operation is bound."""

from olympus_core.location import user_location

from .aval import Aval, canonical_dtype, scalar_dtype, shown_dtype
from .operators import ArrayOperators
from .references import Reference, UsesReferences
from .scopes import named_call, named_scope
from .staging import StagingTrace, Tracer, leaked, stage
from .trace import EVALUATING, JittedFunction, Trace, bind, bind_all, current_trace, is_evaluating, use_trace
from .values import array_behind, aval_of, host_value, is_array_like, stands_for_array

__all__ = [
    "ArrayOperators", "Aval", "EVALUATING", "JittedFunction", "Reference", "StagingTrace", "Trace", "Tracer",
    "UsesReferences", "array_behind", "aval_of", "bind", "bind_all", "canonical_dtype", "current_trace", "host_value",
    "is_array_like", "is_evaluating", "leaked", "named_call", "named_scope", "scalar_dtype", "shown_dtype", "stage",
    "stands_for_array", "use_trace", "user_location",
]
