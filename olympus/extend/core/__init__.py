# SPDX-License-Identifier: Apache-2.0
"""Jaxprs: programs as equations of primitives, to be walked, rewritten, evaluated and made functions again."""

from collections.abc import Set

from olympus_core.deferred import listed
from olympus_core.errors import InconclusiveDimensionOperation, JaxprTypeError

from ...callbacks import Effect
from ...lax.staging import Token
from ...transforms.jaxpr.evaluating import jaxpr_as_fun
from ...transforms.jaxpr.primitive import Primitive
from ...transforms.jaxpr.terms import (
    ClosedJaxpr,
    DebugInfo,
    DropVar,
    Jaxpr,
    JaxprEqn,
    Literal,
    Var,
    no_effects,
)
from ...transforms.jaxpr.walking import (
    check_jaxpr,
    jaxprs_in_params,
    mapped_aval,
    new_jaxpr_eqn,
    primal_dtype_to_tangent_dtype,
    subjaxprs,
    unmapped_aval,
    valid_jaxtype,
)
from . import primitives
from .libraries_traces import TraceTag
from .traces import (
    OpaqueTraceState,
    array_types,
    concrete_or_error,
    find_top_trace,
    gensym,
    get_opaque_trace_state,
    nonempty_axis_env_DO_NOT_USE,
    set_current_trace,
    take_current_trace,
    unsafe_am_i_under_a_jit_DO_NOT_USE,
    unsafe_am_i_under_a_vmap_DO_NOT_USE,
    unsafe_get_axis_names_DO_NOT_USE,
)

Effects = Set[Effect]

__all__ = [
    "ClosedJaxpr", "DebugInfo", "DropVar", "Effect", "Effects", "InconclusiveDimensionOperation", "Jaxpr",
    "JaxprEqn", "JaxprTypeError", "Literal", "OpaqueTraceState", "Primitive", "Token", "TraceTag", "Var", "array_types",
    "check_jaxpr", "concrete_or_error", "find_top_trace", "gensym", "get_opaque_trace_state", "jaxpr_as_fun",
    "jaxprs_in_params", "mapped_aval", "new_jaxpr_eqn", "no_effects", "nonempty_axis_env_DO_NOT_USE",
    "primal_dtype_to_tangent_dtype", "primitives", "set_current_trace", "subjaxprs", "take_current_trace",
    "unmapped_aval", "unsafe_am_i_under_a_jit_DO_NOT_USE", "unsafe_am_i_under_a_vmap_DO_NOT_USE",
    "unsafe_get_axis_names_DO_NOT_USE", "valid_jaxtype",
]
__dir__ = listed(__all__)
