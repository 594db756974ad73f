"""Jaxprs: programs as equations of primitives, to be walked, rewritten, evaluated and made functions again."""

from olympus_core.deferred import listed

from ...transforms.jaxpr.evaluating import jaxpr_as_fun
from ...transforms.jaxpr.primitive import Primitive
from ...transforms.jaxpr.terms import (
    ClosedJaxpr,
    DebugInfo,
    DropVar,
    Effect,
    Jaxpr,
    JaxprEqn,
    Literal,
    Var,
    no_effects,
)
from ...transforms.jaxpr.walking import (
    JaxprTypeError,
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

__all__ = [
    "ClosedJaxpr", "DebugInfo", "DropVar", "Effect", "Jaxpr", "JaxprEqn", "JaxprTypeError", "Literal", "Primitive",
    "Var", "check_jaxpr", "jaxpr_as_fun", "jaxprs_in_params", "mapped_aval", "new_jaxpr_eqn", "no_effects",
    "primal_dtype_to_tangent_dtype", "primitives", "subjaxprs", "unmapped_aval", "valid_jaxtype",
]
__dir__ = listed(__all__)
