# SPDX-License-Identifier: Apache-2.0
"""Jaxprs: programs as data, in the terms that libraries of JAX walk."""

from ...callbacks import Effect
from . import collectives, plain, regions, text, windows
from .evaluating import eval_jaxpr, jaxpr_as_fun, region_of
from .known import PRIMITIVES, READINGS, KnownPrimitive
from .primitive import Primitive
from .reading import closed_jaxpr
from .terms import (
    ClosedJaxpr,
    DebugInfo,
    DropVar,
    Jaxpr,
    JaxprEqn,
    Literal,
    Var,
    no_effects,
)

_TABLES = (collectives, plain, regions, text, windows)  # importing them fills PRIMITIVES, READINGS and NOTATION

__all__ = [
    "PRIMITIVES", "READINGS", "ClosedJaxpr", "DebugInfo", "DropVar", "Effect", "Jaxpr", "JaxprEqn",
    "KnownPrimitive", "Literal", "Primitive", "Var", "closed_jaxpr", "eval_jaxpr", "jaxpr_as_fun", "no_effects",
    "region_of",
]
